//! A file to something that can be called, however often its shell dies.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep, timeout};

use crate::Options;
use crate::channels::{CALLS, Channels};
use crate::folder::CallFolders;
use crate::groups::Groups;
use crate::loaded::Loaded;
use crate::loader::{LoadError, Warm, bare, load};
use crate::outlet::Outlet;
use crate::run::{Call, Ended, NotRun, Order, Ran, run};
use crate::warm::WarmShell;
use crate::work::{Runs, Work};

/// So many deaths within [`MINUTE`] are an accident each; one more is a fault.
const DEATHS: usize = 5;

const MINUTE: Duration = Duration::from_mins(1);

/// From the end of its input to the end of the shell: time for the file's own clearing up.
const CLEARING_UP: Duration = Duration::from_secs(2);

/// Calls a shell may fail to take before it is held to be the call's fault.
const ATTEMPTS: usize = 3;

/// The most bytes of arguments that go in a line. A shell reads a pipe byte by byte, and so many
/// cost it as much as a file.
const LINE: usize = 200;

/// Numbers calls within this process, so that no two share a name.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A file's functions, ready to be called.
///
/// It lives on the runtime it was started on, which needs its I/O and time drivers. Dropped, it
/// ends what runs at once.
#[derive(Debug)]
pub struct Worker {
    shared: Arc<Shared>,
    ending: watch::Sender<bool>,
}

/// Why a call was not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The arguments hold a NUL character, which no variable of bash can.
    #[error("the arguments hold a NUL character, which a shell function cannot be given")]
    NulInArguments,
    /// The file defines no such function.
    #[error("the file defines no function tool_{name}")]
    NoSuchFunction {
        /// The name asked for.
        name: String,
    },
    /// No shell took it. Nothing ran.
    #[error("one shell after another did not take the call")]
    NotTaken,
    /// Its shell died too often; someone has to look at the file.
    #[error("the shell died too often and is not started again")]
    GivenUp,
    /// The worker was ended.
    #[error("the worker has ended")]
    Ended,
    /// The system refused us something.
    #[error("a call could not be prepared: {0}")]
    System(io::Error),
}

#[derive(Debug)]
struct Shared {
    loads: Loads,
    options: Options,
    channels: Channels,
    folders: CallFolders,
    groups: Groups,
    state: watch::Sender<State>,
}

/// What a worker's shells load, each anew.
#[derive(Debug)]
enum Loads {
    File(PathBuf),
    /// The shell runs programs; the folder is theirs.
    Nothing(PathBuf),
}

#[derive(Debug, Clone)]
enum State {
    Starting,
    Ready(Arc<WarmShell>),
    GivenUp,
    Ending,
    Ended,
}

impl Loads {
    /// What whoever asked for it calls it.
    fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Nothing(path) => path,
        }
    }

    async fn load(
        &self,
        options: &Options,
        channels: &Channels,
        folders: &CallFolders,
    ) -> Result<Warm, LoadError> {
        match self {
            Self::File(file) => load(file, options, channels, folders).await,
            Self::Nothing(folder) => bare(folder, options, channels, folders).await,
        }
    }
}

impl Worker {
    /// Loads `file` and says what it holds.
    ///
    /// # Errors
    ///
    /// If it cannot be served; the text says what to do about it.
    pub async fn start(file: &Path, options: &Options) -> Result<(Self, Loaded), LoadError> {
        // Found by name, it would be looked for on PATH.
        let absolute = std::path::absolute(file)
            .map_err(|cause| LoadError::System { file: file.into(), cause })?;
        Self::of(Loads::File(absolute), options).await
    }

    /// A worker that runs programs; `folder` is where they are, for whoever reads what goes wrong.
    ///
    /// # Errors
    ///
    /// If there is no shell to run them.
    pub async fn for_programs(folder: &Path, options: &Options) -> Result<Self, LoadError> {
        Ok(Self::of(Loads::Nothing(folder.into()), options).await?.0)
    }

    async fn of(loads: Loads, options: &Options) -> Result<(Self, Loaded), LoadError> {
        let system = |cause| LoadError::System { file: loads.path().into(), cause };
        let channels = Channels::new(options.named_pipes).map_err(system)?;
        let folders = CallFolders::new();
        let warm = loads.load(options, &channels, &folders).await?;
        let loaded = warm.loaded.clone();
        let (first, rest) = Incarnation::of(warm);
        let shared = Arc::new(Shared {
            loads,
            options: options.clone(),
            channels,
            folders,
            groups: Groups::default(),
            state: watch::Sender::new(State::Ready(Arc::clone(&first))),
        });
        // The first call finds a runner that is up.
        if let Ok(runner) = first.runner(&shared.channels) {
            first.give_back(runner);
        }
        let (ending, ends) = watch::channel(false);
        tokio::spawn(supervise(Arc::clone(&shared), first, rest, ends));
        Ok((Self { shared, ending }, loaded))
    }

    /// Runs it.
    ///
    /// Once `stop` holds true, the call is ended without delay. If the future is dropped, the
    /// function is asked to end, and made to end after two seconds; `keep` is kept until then.
    ///
    /// # Errors
    ///
    /// If the function was not run.
    pub async fn call(
        &self,
        work: Work,
        stop: watch::Receiver<bool>,
        keep: impl Send + Sync + 'static,
    ) -> Result<Ran, WorkerError> {
        if matches!(work.runs, Runs::Function(_)) && holds_nul(&work.arguments) {
            return Err(WorkerError::NulInArguments);
        }
        let keep = Arc::new(keep);
        for _ in 0..ATTEMPTS {
            let Some(shell) = self.shared.shell(stop.clone()).await? else {
                return Ok(Ran::nothing(Ended::Stopped));
            };
            if let Runs::Function(name) = &work.runs
                && !shell.has(name)
            {
                return Err(WorkerError::NoSuchFunction { name: name.clone() });
            }
            let id = NEXT.fetch_add(1, Ordering::Relaxed);
            let call = self.shared.prepare(id, &work, stop.clone()).map_err(WorkerError::System)?;
            match self.shared.run(call, Arc::clone(&shell), Arc::clone(&keep)).await {
                Ok(ran) => return Ok(ran),
                Err(NotRun::NoShell) => shell.buried().await,
                Err(NotRun::Cancelled) => return Err(WorkerError::Ended),
                Err(NotRun::System(cause)) => return Err(WorkerError::System(cause)),
            }
        }
        Err(WorkerError::NotTaken)
    }

    /// Why this cannot be called until someone acts, if it cannot.
    pub(crate) fn fault(&self, runs: &Runs) -> Option<&'static str> {
        match (&*self.shared.state.borrow(), runs) {
            (State::GivenUp, _) => Some("its shell died too often and is not started again"),
            // Its file was edited, and the shell was started again since.
            (State::Ready(shell), Runs::Function(tool)) if !shell.has(tool) => {
                Some("its file defines it no more")
            }
            (State::Starting | State::Ready(_) | State::Ending | State::Ended, _) => None,
        }
    }

    /// Ends what runs, then the shell, which may first clear up.
    pub async fn end(&self) {
        self.ending.send_replace(true);
        let mut state = self.shared.state.subscribe();
        // An error would say that there is no worker any more.
        let _ = state.wait_for(|state| matches!(state, State::Ended)).await;
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The runtime may never run again; what follows from `ending` being dropped is in its hands.
        self.shared.groups.kill_all();
    }
}

/// Whether JSON text holds the character, as itself or escaped.
fn holds_nul(arguments: &[u8]) -> bool {
    let mut rest = arguments;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        rest = rest.get(at + 1..).unwrap_or_default();
        if rest.starts_with(b"u0000") {
            return true;
        }
        // What is escaped may be a backslash itself.
        rest = rest.get(1..).unwrap_or_default();
    }
    arguments.contains(&0)
}

/// How many processors a call may compute on at the same time.
fn processors() -> u64 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as u64)
}

/// A call whose future may be dropped at any time.
struct Caller<'a> {
    groups: &'a Groups,
    id: u64,
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        // At once, not when the runtime comes to it. A call that is over has no group.
        self.groups.ask(self.id);
    }
}

impl Shared {
    /// The shell as soon as there is one; `None` if the server ends first.
    async fn shell(
        &self,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Option<Arc<WarmShell>>, WorkerError> {
        let mut state = self.state.subscribe();
        tokio::select! {
            biased;
            Ok(_) = stop.wait_for(|stop| *stop) => Ok(None),
            state = state.wait_for(|state| !matches!(state, State::Starting)) => {
                match state.as_deref() {
                    Ok(State::Ready(shell)) => Ok(Some(Arc::clone(shell))),
                    Ok(State::GivenUp) => Err(WorkerError::GivenUp),
                    Ok(State::Starting | State::Ending | State::Ended) | Err(_) => Err(WorkerError::Ended),
                }
            }
        }
    }

    /// Writes down what the shell has to know of a call.
    fn prepare(&self, id: u64, work: &Work, stop: watch::Receiver<bool>) -> io::Result<Call> {
        let Work { runs, arguments, variables, time, output, memory, listener } = work;
        let max_output = output.unwrap_or(self.options.max_output);
        let cpu = time.map(|time| time.as_secs().saturating_add(1).saturating_mul(processors()));
        let or_none = |limit: Option<u64>| limit.map_or("-".to_owned(), |limit| limit.to_string());
        let memory = memory.map(|bytes| (bytes / 1024).max(1));
        let arguments = arguments.trim_ascii();
        let arguments = if arguments.is_empty() { b"{}" } else { arguments };
        let limits = format!("{id} {} {}", or_none(cpu), or_none(memory));
        let order = match runs {
            Runs::Function(name)
                if cpu.is_none()
                    && memory.is_none()
                    && variables.is_empty()
                    && arguments.len() <= LINE =>
            {
                Order::Line(format!("tool_{name}"), arguments.to_vec())
            }
            Runs::Function(name) => {
                let head = format!("{limits} tool_{name}{}\n", variables.names());
                let parts = [head.as_bytes(), arguments, b"\0", &variables.records()];
                Order::File(self.channels.file(&CALLS, &parts)?)
            }
            Runs::Program(path) => {
                let (head, path) = (format!("{limits} /\n"), path.as_os_str().as_bytes());
                let parts = [head.as_bytes(), path, b"\n", arguments, b"\n"];
                Order::File(self.channels.file(&CALLS, &parts)?)
            }
        };
        Ok(Call {
            id,
            order,
            folder: self.folders.of_call(id),
            timeout: time.unwrap_or(self.options.timeout),
            max_output,
            listener: listener.clone(),
            stop,
        })
    }

    /// Runs `call` as a task of its own, which goes on to its end when this is dropped.
    async fn run(
        self: &Arc<Self>,
        call: Call,
        shell: Arc<WarmShell>,
        keep: Arc<impl Send + Sync + 'static>,
    ) -> Result<Ran, NotRun> {
        let caller = Caller { groups: &self.groups, id: call.id };
        let (mut answer, answered) = oneshot::channel();
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            let ran = run(call, shell, &shared.channels, &shared.groups, &mut answer).await;
            // Dropped: cancelled.
            let _ = answer.send(ran);
            drop(keep);
        });
        let ran = answered.await;
        drop(caller);
        // Without an answer the runtime is shutting down.
        ran.unwrap_or(Err(NotRun::Cancelled))
    }
}

/// The process side of a [`WarmShell`].
struct Incarnation {
    child: Child,
    pid: Pid,
    stderr: Outlet,
}

impl Incarnation {
    fn of(warm: Warm) -> (Arc<WarmShell>, Self) {
        let Warm { child, pid, requests, stderr, loaded } = warm;
        let functions = loaded.functions.into_iter().map(|function| function.name).collect();
        (WarmShell::new(pid, requests, functions), Self { child, pid, stderr })
    }

    /// Until it dies, reading what helpers the file started say, which goes nowhere.
    async fn died(&mut self) {
        let mut open = true;
        loop {
            tokio::select! {
                _ = self.child.wait() => return,
                ready = self.stderr.ready(), if open => {
                    open = ready.is_ok() && self.stderr.take(|_| ()).unwrap_or(false);
                }
            }
        }
    }

    fn kill_group(&self) {
        // Gone already: as wanted.
        let _ = kill_process_group(self.pid, Signal::KILL);
    }
}

/// Keeps a shell there, until the worker ends.
async fn supervise(
    shared: Arc<Shared>,
    mut shell: Arc<WarmShell>,
    mut incarnation: Incarnation,
    mut ends: watch::Receiver<bool>,
) {
    let mut deaths = Vec::new();
    loop {
        tokio::select! {
            // An error says that the worker was dropped.
            _ = ends.wait_for(|ends| *ends) => break,
            () = incarnation.died() => {}
        }
        shared.state.send_replace(State::Starting);
        shell.died();
        // What the file had started with it would be started again, and pile up.
        incarnation.kill_group();
        let next = tokio::select! {
            _ = ends.wait_for(|ends| *ends) => None,
            next = again(&shared, &mut deaths) => next,
        };
        let Some(next) = next else {
            shared.state.send_replace(State::GivenUp);
            let _ = ends.wait_for(|ends| *ends).await;
            shared.state.send_replace(State::Ended);
            return;
        };
        (shell, incarnation) = next;
        shared.state.send_replace(State::Ready(Arc::clone(&shell)));
    }
    shared.state.send_replace(State::Ending);
    shell.end();
    let cleared_up = timeout(CLEARING_UP, incarnation.died()).await.is_ok();
    // With what the file had started, unless that has a session of its own.
    incarnation.kill_group();
    if !cleared_up {
        incarnation.died().await;
    }
    shared.state.send_replace(State::Ended);
}

/// A new shell after a death; `None` after too many.
async fn again(
    shared: &Shared,
    deaths: &mut Vec<Instant>,
) -> Option<(Arc<WarmShell>, Incarnation)> {
    let mut pause = Duration::from_millis(100);
    loop {
        let now = Instant::now();
        deaths.retain(|death| now.duration_since(*death) < MINUTE);
        deaths.push(now);
        if deaths.len() > DEATHS {
            return None;
        }
        match shared.loads.load(&shared.options, &shared.channels, &shared.folders).await {
            Ok(warm) => return Some(Incarnation::of(warm)),
            // Perhaps the file is being written. This counts as a death, too.
            Err(_) => sleep(pause).await,
        }
        pause *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::holds_nul;

    #[test]
    fn a_nul_is_found_as_a_byte_and_as_an_escape() {
        assert!(holds_nul(b"{\"a\":\"\0\"}"));
        assert!(holds_nul(br#"{"a":"x\u0000"}"#));
        assert!(holds_nul(br#"{"a":"\\\u0000"}"#));
    }

    #[test]
    fn text_that_only_looks_like_an_escaped_nul_is_none() {
        assert!(!holds_nul(br#"{"a":"\\u0000"}"#));
        assert!(!holds_nul(br#"{"a":"\u00001","b":"\u0001"}"#.split_at(6).0));
        assert!(!holds_nul(br#"{"a":"\u0001 u0000"}"#));
    }
}

//! A file of functions to a warm shell that holds them.

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout_at};

use crate::channels::Channels;
use crate::folder::CallFolders;
use crate::loaded::{Loaded, Told};
use crate::outlet::Outlet;
use crate::output::Tail;
use crate::{Options, environment};

/// What the shell runs, before and around the file.
const LOADER: &str = include_str!("loader.bash");

/// A file that holds nothing.
const NOTHING: &str = "/dev/null";

/// How much of what a file says while it loads is kept.
const SAID: usize = 64 * 1024;

/// No handshake is as long as this; what is, does not come from our loader.
const HANDSHAKE: usize = 16 * 1024 * 1024;

/// Why a file cannot be served, in a sentence for who wrote it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no such file.
    #[error("{} is not there; check the path", file.display())]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// It is a folder, or something else that is not a file.
    #[error("{} is not a file of shell functions", file.display())]
    NotAFile {
        /// The file.
        file: PathBuf,
    },
    /// It cannot be read.
    #[error("{} cannot be read: {cause}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// There is no bash.
    #[error("bash was not found on PATH; {} needs it", file.display())]
    NoBash {
        /// The file.
        file: PathBuf,
    },
    /// Bash does not understand it.
    #[error("{} is not valid bash: {complaint}", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// What bash says: the line, and what is wrong there.
        complaint: String,
    },
    /// It ended before its functions could be served.
    #[error(
        "{} ended {} while it was loaded, before it got to run_mcp_server{}",
        file.display(), spell(*status), last_words(said)
    )]
    Ended {
        /// The file.
        file: PathBuf,
        /// How bash ended.
        status: ExitStatus,
        /// The end of what it printed.
        said: Vec<u8>,
    },
    /// It did not get to its end in time.
    #[error(
        "{} did not get to run_mcp_server within {} s; it waits for something, or has started a \
         server of its own{}",
        file.display(), within.as_secs_f32(), last_words(said)
    )]
    Hangs {
        /// The file.
        file: PathBuf,
        /// How long it had.
        within: Duration,
        /// The end of what it printed.
        said: Vec<u8>,
    },
    /// It calls `run_mcp_server` where nothing it sets would last.
    #[error(
        "{} calls run_mcp_server in a pipeline, in the background or in parentheses; call it by \
         itself",
        file.display()
    )]
    Subshell {
        /// The file.
        file: PathBuf,
    },
    /// It defines a function that hides a part of bash which the loader needs.
    #[error("{} defines a function named `{name}`, which candor needs for itself; rename it", file.display())]
    Hides {
        /// The file.
        file: PathBuf,
        /// The function.
        name: String,
    },
    /// It can be loaded, and what it offers cannot be served.
    #[error("{0}")]
    Unservable(String),
    /// The system refused us something.
    #[error("{} could not be loaded: {cause}", file.display())]
    System {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

impl LoadError {
    /// The same, of a file that is called by the name by which its user knows it.
    pub(crate) fn naming(mut self, name: &Path) -> Self {
        match &mut self {
            Self::Missing { file }
            | Self::NotAFile { file }
            | Self::Unreadable { file, .. }
            | Self::NoBash { file }
            | Self::Syntax { file, .. }
            | Self::Ended { file, .. }
            | Self::Hangs { file, .. }
            | Self::Subshell { file }
            | Self::Hides { file, .. }
            | Self::System { file, .. } => *file = name.into(),
            Self::Unservable(_) => {}
        }
        self
    }
}

fn spell(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("with status {code}"),
        (None, Some(signal)) => format!("by signal {signal}"),
        (None, None) => "in no way known".to_owned(),
    }
}

fn last_words(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    said.lines().rev().find(|line| !line.trim().is_empty()).map_or_else(String::new, |line| {
        format!("; it said: {}", line.trim().chars().take(200).collect::<String>())
    })
}

/// A shell that has read its file and waits for requests.
pub(crate) struct Warm {
    pub(crate) child: Child,
    pub(crate) pid: Pid,
    pub(crate) requests: OwnedFd,
    /// What the file left running may still write here, and must not block on it.
    pub(crate) stderr: Outlet,
    pub(crate) loaded: Loaded,
}

/// A shell without functions, for programs; what goes wrong is said of their folder.
pub(crate) async fn bare(
    folder: &Path,
    options: &Options,
    channels: &Channels,
    folders: &CallFolders,
) -> Result<Warm, LoadError> {
    load_text(Path::new(NOTHING), String::new(), options, channels, folders)
        .await
        .map_err(|cause| cause.naming(folder))
}

/// Loads `file`, an absolute path.
pub(crate) async fn load(
    file: &Path,
    options: &Options,
    channels: &Channels,
    folders: &CallFolders,
) -> Result<Warm, LoadError> {
    load_text(file, read(file)?, options, channels, folders).await
}

async fn load_text(
    file: &Path,
    text: String,
    options: &Options,
    channels: &Channels,
    folders: &CallFolders,
) -> Result<Warm, LoadError> {
    let deadline = Instant::now() + options.load_timeout;
    let mut loading = Loading::start(file, options, channels, folders)?;
    let heard = timeout_at(deadline, loading.listen()).await;
    let loaded = match heard {
        Ok(Ok(Heard::Ready)) => {
            let told = Told::read(&loading.told);
            let failure = match told.hides() {
                Some(name) => Some(LoadError::Hides { file: file.into(), name: name.into() }),
                None if told.status == 0 && !names_a_line(&loading.said.bytes()) => None,
                // A file with a mistake in its grammar ends where the mistake is, and not always
                // badly.
                None => complaint(file, options, deadline).await,
            };
            failure.map_or_else(|| Ok(told.loaded(file, text, options)), Err)
        }
        Ok(Ok(Heard::Subshell)) => Err(LoadError::Subshell { file: file.into() }),
        Ok(Ok(Heard::Ended(status))) => {
            let said = loading.said.bytes();
            let ended = LoadError::Ended { file: file.into(), status, said };
            Err(complaint(file, options, deadline).await.unwrap_or(ended))
        }
        Ok(Err(cause)) => Err(system(file)(cause)),
        Err(_) => Err(LoadError::Hangs {
            file: file.into(),
            within: options.load_timeout,
            said: loading.said.bytes(),
        }),
    };
    match loaded {
        Ok(mut loaded) => {
            loading.doomed.0 = None;
            loaded.said = loading.said.bytes();
            let Loading { child, pid, requests, stderr, .. } = loading;
            Ok(Warm { child, pid, requests, stderr, loaded })
        }
        Err(failure) => {
            let Loading { mut child, doomed, .. } = loading;
            drop(doomed);
            let _ = child.wait().await;
            Err(failure)
        }
    }
}

/// Does it look as if bash had complained of a line?
fn names_a_line(said: &[u8]) -> bool {
    String::from_utf8_lossy(said).lines().any(|line| {
        let place = line.split(": ").nth(1).unwrap_or_default();
        let number = place.split_whitespace().next_back().unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn read(file: &Path) -> Result<String, LoadError> {
    let unreadable = |cause: io::Error| {
        if cause.kind() == io::ErrorKind::NotFound {
            LoadError::Missing { file: file.into() }
        } else {
            LoadError::Unreadable { file: file.into(), cause }
        }
    };
    let about = std::fs::metadata(file).map_err(unreadable)?;
    if !about.is_file() {
        return Err(LoadError::NotAFile { file: file.into() });
    }
    let bytes = std::fs::read(file).map_err(unreadable)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn system(file: &Path) -> impl Fn(io::Error) -> LoadError {
    move |cause| LoadError::System { file: file.into(), cause }
}

enum Heard {
    Ready,
    Subshell,
    Ended(ExitStatus),
}

/// What goes, with all that it started, unless it loads.
struct Doomed(Option<Pid>);

impl Drop for Doomed {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            // Not yet waited for, or only just: the number is still its own.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

struct Loading {
    child: Child,
    pid: Pid,
    doomed: Doomed,
    requests: OwnedFd,
    status: pipe::Receiver,
    stderr: Outlet,
    told: Vec<u8>,
    said: Tail,
}

impl Loading {
    fn start(
        file: &Path,
        options: &Options,
        channels: &Channels,
        folders: &CallFolders,
    ) -> Result<Self, LoadError> {
        let system = system(file);
        let (stdin, mut requests) = io::pipe().map_err(&system)?;
        let (status, stdout) = io::pipe().map_err(&system)?;
        let (stderr, stderr_of_shell) = io::pipe().map_err(&system)?;
        writeln!(requests, "{}\n{}", channels.prefix(), folders.prefix()).map_err(&system)?;
        // A shell that does not read must not hold us up.
        rustix::io::ioctl_fionbio(&requests, true).map_err(|cause| system(cause.into()))?;
        let mut bash = bash(options);
        bash.args(["--norc", "--noprofile", "-p", "-c", LOADER])
            .arg(file)
            .stdin(stdin)
            .stdout(stdout)
            .stderr(stderr_of_shell)
            // An interrupt typed at our terminal is ours to act on.
            .process_group(0);
        let child = bash.spawn().map_err(|cause| not_started(file, options, cause))?;
        // The command holds the shell's ends of the pipes.
        drop(bash);
        let pid = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let doomed = Doomed(pid);
        Ok(Self {
            child,
            pid: pid.ok_or_else(|| system(io::ErrorKind::NotFound.into()))?,
            doomed,
            requests: requests.into(),
            status: pipe::Receiver::from_owned_fd(status.into()).map_err(&system)?,
            stderr: Outlet::watched(stderr.into()).map_err(&system)?,
            told: Vec::new(),
            said: Tail::new(SAID),
        })
    }

    async fn listen(&mut self) -> io::Result<Heard> {
        let (mut telling, mut saying) = (true, true);
        loop {
            tokio::select! {
                biased;
                ready = self.status.readable(), if telling => {
                    ready?;
                    telling = self.hear()?;
                    if let Some(heard) = self.heard() {
                        return Ok(heard);
                    }
                }
                ready = self.stderr.ready(), if saying => {
                    ready?;
                    saying = self.stderr.take(|bytes| self.said.add(bytes))?;
                }
                status = self.child.wait() => {
                    let status = status?;
                    self.hear_rest();
                    self.stderr.drain(|bytes| self.said.add(bytes));
                    return Ok(match self.heard() {
                        Some(Heard::Subshell) => Heard::Subshell,
                        Some(Heard::Ready | Heard::Ended(_)) | None => Heard::Ended(status),
                    });
                }
            }
        }
    }

    /// Takes what the shell has told by now; false once it cannot tell more.
    fn hear(&mut self) -> io::Result<bool> {
        while self.told.len() <= HANDSHAKE {
            match self.status.try_read_buf(&mut self.told) {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => return Ok(true),
                Err(cause) => return Err(cause),
            }
        }
        Err(io::Error::other("something in it writes to the loader's own pipe"))
    }

    /// Takes the rest past the runtime, which may not yet have noticed it.
    fn hear_rest(&mut self) {
        let mut chunk = [0; 4096];
        while let Ok(taken @ 1..) = rustix::io::read(&self.status, &mut chunk) {
            self.told.extend_from_slice(chunk.get(..taken).unwrap_or_default());
        }
    }

    fn heard(&mut self) -> Option<Heard> {
        // What the subshell told may have come together with what its parent did after it.
        if self.told.split_inclusive(|&byte| byte == 0).any(|record| record == b"subshell\0") {
            return Some(Heard::Subshell);
        }
        if self.told.ends_with(b"\0ready\0") {
            self.stderr.drain(|bytes| self.said.add(bytes));
            return Some(Heard::Ready);
        }
        None
    }
}

fn bash(options: &Options) -> Command {
    let mut bash = Command::new("bash");
    bash.env_clear().envs(environment::passed(std::env::vars_os(), &options.environment));
    if let Some(commands) = &options.commands {
        bash.env("PATH", environment::path_with(std::env::var_os("PATH"), commands));
    }
    if let Some(folder) = &options.folder {
        bash.current_dir(folder);
    }
    bash
}

fn not_started(file: &Path, options: &Options, cause: io::Error) -> LoadError {
    let folder_is_there = options.folder.as_ref().is_none_or(|folder| folder.is_dir());
    if folder_is_there && cause.kind() == io::ErrorKind::NotFound {
        LoadError::NoBash { file: file.into() }
    } else {
        system(file)(cause)
    }
}

/// What bash finds wrong with the grammar of `file`, if anything.
async fn complaint(file: &Path, options: &Options, deadline: Instant) -> Option<LoadError> {
    let mut bash = bash(options);
    // `extglob` only allows more: a file may turn it on before it needs it.
    bash.args(["--norc", "--noprofile", "-p", "-O", "extglob", "-n"])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true);
    let output = timeout_at(deadline, bash.output()).await.ok()?.ok()?;
    // It ends well after a mistake in `[[`, and complains all the same.
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|line| !line.contains(": warning: "));
    if line.is_none() && output.status.success() {
        return None;
    }
    let line = line.unwrap_or("bash does not say why");
    let prefix = format!("{}: ", file.display());
    let complaint = line.strip_prefix(&prefix).unwrap_or(line).to_owned();
    Some(LoadError::Syntax { file: file.into(), complaint })
}

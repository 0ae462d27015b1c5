//! One call to how it ended and what it printed.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Pid;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::channels::{CALLS, Channels, Held};
use crate::folder::{Attached, CallFolder};
use crate::groups::Groups;
use crate::outlet::Outlet;
use crate::output::{Head, Said, Tail};
use crate::runner::{Report, Runner};
use crate::verbs::{Copy, Lines, Verb};
use crate::warm::{Gone, WarmShell};
use crate::work::Listener;

/// What a call says is looked at after this long at first: most calls are over, and all that they
/// said is there.
const FIRST_LOOK: Duration = Duration::from_millis(10);

/// How much of the end of what a function says on standard error is kept.
const STDERR: usize = 64 * 1024;

/// A fork takes a millisecond. A shell that takes this long does not answer any more.
const HUNG: Duration = Duration::from_secs(5);

/// More files than this go with no answer.
const MOST_ATTACHED: usize = 64;

/// From when the time is over to when it is held to be.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// From asked to end to made to end, after too long a time.
const GRACE: Duration = Duration::from_secs(1);

/// The same after a cancel, when nobody waits for the answer.
const GRACE_CANCELLED: Duration = Duration::from_secs(2);

/// The loader's function that reads an [`Order::File`].
const PREPARED: &str = "__candor_prepared";

/// How long the end of what was killed is waited for; a process in the kernel's hands may take.
const REPORT: Duration = Duration::from_millis(250);

/// How a call went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub ended: Ended,
    /// What it printed, up to the limit.
    pub stdout: Said,
    /// The end of what it said on standard error.
    pub stderr: Vec<u8>,
    /// The files that go with its answer, in the order in which it attached them.
    pub attached: Vec<Attached>,
    /// What it asked the user last, if it asked anything.
    pub question: Option<String>,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The function returned, or exited, with this status.
    Returned(u8),
    /// It was ended by this signal, or returned the status that says so.
    Signalled(u8),
    /// It was ended because it took longer than this.
    TimedOut(Duration),
    /// It stopped the shell that it ran under.
    WorkerGone,
    /// It was ended because the server ends.
    Stopped,
}

/// What is to be run.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) id: u64,
    pub(crate) order: Order,
    pub(crate) folder: CallFolder,
    pub(crate) timeout: Duration,
    pub(crate) max_output: usize,
    pub(crate) listener: Listener,
    pub(crate) stop: watch::Receiver<bool>,
}

/// What the shell has to know of a call.
#[derive(Debug)]
pub(crate) enum Order {
    /// A function, by its whole name, and its argument, which has no NUL.
    Line(String, Vec<u8>),
    /// More than that, for a function of the loader's to read.
    File(Held),
}

/// Why there is no [`Ran`].
#[derive(Debug)]
pub(crate) enum NotRun {
    /// The shell died or hung before it took the call. Nothing ran.
    NoShell,
    /// Nobody waits for it any more. Nothing ran.
    Cancelled,
    /// The system refused us something. Nothing ran.
    System(io::Error),
}

/// Runs `call` to its end, which comes soon once `caller` is gone.
pub(crate) async fn run(
    mut call: Call,
    shell: Arc<WarmShell>,
    channels: &Channels,
    groups: &Groups,
    caller: &mut oneshot::Sender<Result<Ran, NotRun>>,
) -> Result<Ran, NotRun> {
    let _in_flight = shell.in_flight(call.id);
    let mut gone = shell.gone();
    loop {
        let up = up(&mut call, &shell, channels, &mut gone, caller).await?;
        let Some(mut runner) = up else { return Ok(Ran::nothing(Ended::Stopped)) };
        let (stdout, out) = channels.reading(&CALLS).map_err(NotRun::System)?;
        let (stderr, err) = channels.reading(&CALLS).map_err(NotRun::System)?;
        let (verbs, tell) = channels.reading(&CALLS).map_err(NotRun::System)?;
        if !shell.lives() {
            // The call before this one stopped it, and this one would be taken for the cause.
            return Err(NotRun::NoShell);
        }
        if runner.request(&call.request([&out, &err, &tell], channels)).is_err() {
            // A call before this one killed its runner. There are others.
            continue;
        }
        let run = Run {
            stdout: Outlet::new(stdout),
            said: Head::new(call.max_output),
            stderr: Outlet::new(stderr),
            complained: Tail::new(STDERR),
            verbs: Outlet::new(verbs),
            telling: Telling::new(call.listener.clone()),
            runner,
            groups,
            group: None,
            ending: None,
            step: Step::Asked,
            until: Instant::now() + HUNG,
            watching: false,
            over: None,
            call: &mut call,
        };
        let (mut ran, copies, runner) = run.finish(&shell, &mut gone, caller).await;
        if let Some(runner) = runner {
            shell.give_back(runner);
        }
        ran.attached = call.folder.empty(copies, call.max_output).await;
        return Ok(ran);
    }
}

impl Call {
    /// The words end with spaces, and the last with NUL.
    fn request(&self, ends: [&Held; 3], channels: &Channels) -> Vec<u8> {
        let (work, runs, argument) = match &self.order {
            Order::Line(function, argument) => (channels.nothing(), function.as_str(), &**argument),
            Order::File(file) => (file.name.as_str(), PREPARED, b"".as_slice()),
        };
        let [out, err, said] = ends.map(|end| &end.name);
        let words = format!("{} {out} {err} {said} {work} {} {runs} ", self.id, self.max_output);
        [words.as_bytes(), argument, b"\0"].concat()
    }
}

/// A runner that waits for a request; `None` if the server ends first.
async fn up(
    call: &mut Call,
    shell: &WarmShell,
    channels: &Channels,
    gone: &mut watch::Receiver<Gone>,
    caller: &mut oneshot::Sender<Result<Ran, NotRun>>,
) -> Result<Option<Runner>, NotRun> {
    let mut runner = match shell.runner(channels) {
        Ok(runner) => runner,
        Err(cause) if cause.kind() == io::ErrorKind::BrokenPipe => return Err(NotRun::NoShell),
        Err(cause) => return Err(NotRun::System(cause)),
    };
    if runner.is_up() {
        return Ok(Some(runner));
    }
    let unanswered = tokio::select! {
        biased;
        report = runner.report() => match report {
            Report::Up => return Ok(Some(runner)),
            Report::Group(..) | Report::Status(..) | Report::Gone => return Err(NotRun::NoShell),
        },
        () = stopped(&mut call.stop) => Ok(None),
        () = caller.closed() => Err(NotRun::Cancelled),
        died = gone.wait_for(|gone| *gone != Gone::No) => match died.as_deref() {
            Ok(Gone::Ended) => return Ok(None),
            Ok(Gone::No | Gone::Died { .. }) | Err(_) => return Err(NotRun::NoShell),
        },
        () = tokio::time::sleep(HUNG) => return Err(NotRun::NoShell),
    };
    // It will come up, and then serve another call.
    shell.give_back(runner);
    unanswered
}

/// Never, if nobody can say stop any more.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The end of a time that begins now. One too long to be told is as good as for ever.
fn after(time: Duration) -> Instant {
    Instant::now() + time.min(Duration::from_hours(24 * 365))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    TimedOut,
    Cancelled,
    Stopped,
    Gone,
}

/// What the call is waited for; each has its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Its request is sent.
    Asked,
    /// Its process group is known.
    Runs,
    /// It was asked to end.
    Grace,
    /// It was made to end.
    Killed,
}

struct Run<'a> {
    call: &'a mut Call,
    runner: Runner,
    stdout: Outlet,
    said: Head,
    stderr: Outlet,
    complained: Tail,
    verbs: Outlet,
    telling: Telling,
    groups: &'a Groups,
    group: Option<Live<'a>>,
    ending: Option<Why>,
    step: Step,
    /// The end of this step's time.
    until: Instant,
    /// What it says is looked at when it comes.
    watching: bool,
    over: Option<Over>,
}

/// What a call says besides its answer. Some of it goes on at once, the rest waits for its end.
struct Telling {
    lines: Lines,
    listener: Listener,
    copies: Vec<Copy>,
    question: Option<String>,
}

/// How the waiting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    /// With a status: the runner is free again.
    Status(u8),
    /// Without: there is no runner any more.
    Lost,
}

/// A process group that is ours to end.
struct Live<'a> {
    groups: &'a Groups,
    id: u64,
    over: bool,
}

impl Drop for Live<'_> {
    fn drop(&mut self) {
        if !self.over {
            // No status came, or the runtime shuts down and drops a call that is not over.
            self.groups.kill(self.id);
        }
        self.groups.remove(self.id);
    }
}

impl Run<'_> {
    async fn finish(
        mut self,
        shell: &WarmShell,
        gone: &mut watch::Receiver<Gone>,
        caller: &mut oneshot::Sender<Result<Ran, NotRun>>,
    ) -> (Ran, Vec<Copy>, Option<Runner>) {
        let deadline = after(self.call.timeout);
        let timer = sleep_until(Instant::now() + FIRST_LOOK);
        tokio::pin!(timer);
        let (mut stoppable, mut mortal, mut printing) = (true, true, false);
        let mut looked_again = false;
        let over = loop {
            if let Some(over) = self.over {
                break over;
            }
            tokio::select! {
                biased;
                report = self.runner.report() => self.hear_report(report, deadline, timer.as_mut()),
                () = timer.as_mut() => {
                    if !self.watching {
                        printing = self.watch();
                        timer.as_mut().reset(self.until);
                    } else if self.step == Step::Runs && !std::mem::replace(&mut looked_again, true) {
                        // A process that was halted finds the time over and the report unread.
                        timer.as_mut().reset(Instant::now() + LOOK_AGAIN);
                    } else {
                        self.waited(shell, timer.as_mut());
                    }
                }
                () = caller.closed(), if self.ending.is_none() => {
                    self.end(Why::Cancelled, timer.as_mut());
                }
                () = stopped(&mut self.call.stop), if stoppable => {
                    stoppable = false;
                    self.end(Why::Stopped, timer.as_mut());
                }
                died = gone.wait_for(|gone| *gone != Gone::No), if mortal => {
                    mortal = false;
                    match died.as_deref() {
                        Ok(Gone::Ended) => self.end(Why::Stopped, timer.as_mut()),
                        // Its runner lives on, and this call with it.
                        Ok(Gone::Died { sole: false }) => {}
                        Ok(Gone::No | Gone::Died { sole: true }) | Err(_) => {
                            self.end(Why::Gone, timer.as_mut());
                        }
                    }
                }
                ready = self.verbs.ready(), if printing => printing = self.take(ready.is_ok()),
                // Last, because a function that never stops printing would be heard and nothing else.
                ready = self.stdout.ready(), if printing => printing = self.take(ready.is_ok()),
                ready = self.stderr.ready(), if printing => printing = self.take(ready.is_ok()),
            }
        };
        let ended = match (self.ending, over) {
            (Some(Why::TimedOut), _) => Ended::TimedOut(self.call.timeout),
            (Some(Why::Stopped | Why::Cancelled), _) => Ended::Stopped,
            (Some(Why::Gone), _) | (None, Over::Lost) => Ended::WorkerGone,
            (None, Over::Status(status @ 129..=192)) => Ended::Signalled(status - 128),
            (None, Over::Status(status)) => Ended::Returned(status),
        };
        // If it is not over, it is now; and what it printed is all there.
        self.group = None;
        let Self { stdout, mut said, stderr, mut complained, verbs, mut telling, runner, .. } =
            self;
        stdout.drain(|bytes| said.add(bytes));
        stderr.drain(|bytes| complained.add(bytes));
        verbs.drain(|bytes| telling.add(bytes));
        let Telling { copies, question, .. } = telling;
        let ran = Ran {
            ended,
            stdout: said.finish(),
            stderr: complained.bytes(),
            attached: Vec::new(),
            question,
        };
        (ran, copies, matches!(over, Over::Status(_)).then_some(runner))
    }

    /// Looks from now on at what it says; false if that cannot be.
    fn watch(&mut self) -> bool {
        self.watching = true;
        let outlets = [&mut self.verbs, &mut self.stdout, &mut self.stderr];
        outlets.into_iter().all(|outlet| outlet.watch().is_ok())
    }

    /// Takes a piece of each, so that none waits for another; false if they are broken.
    ///
    /// Its ends are open here as well, so that they do not come to an end.
    fn take(&mut self, ready: bool) -> bool {
        ready
            && self.stdout.take(|bytes| self.said.add(bytes)).unwrap_or(false)
            && self.stderr.take(|bytes| self.complained.add(bytes)).unwrap_or(false)
            && self.verbs.take(|bytes| self.telling.add(bytes)).unwrap_or(false)
    }

    fn hear_report(&mut self, report: Report, deadline: Instant, timer: Pin<&mut Sleep>) {
        match report {
            Report::Group(id, group) if id == self.call.id => self.began(group, deadline, timer),
            Report::Status(id, status) if id == self.call.id => {
                self.over = Some(Over::Status(status));
                if let Some(group) = &mut self.group {
                    group.over = true;
                }
            }
            Report::Gone => self.over = Some(Over::Lost),
            Report::Up | Report::Group(..) | Report::Status(..) => {}
        }
    }

    fn began(&mut self, group: Pid, deadline: Instant, timer: Pin<&mut Sleep>) {
        self.groups.add(self.call.id, group);
        self.group = Some(Live { groups: self.groups, id: self.call.id, over: false });
        match self.step {
            Step::Asked => {
                self.step = Step::Runs;
                self.wait_until(deadline, timer);
            }
            Step::Runs => {}
            Step::Grace => self.groups.ask(self.call.id),
            Step::Killed => self.groups.kill(self.call.id),
        }
    }

    fn end(&mut self, why: Why, timer: Pin<&mut Sleep>) {
        self.ending.get_or_insert(why);
        let wait = match why {
            Why::TimedOut => GRACE,
            Why::Cancelled => GRACE_CANCELLED,
            Why::Stopped | Why::Gone => return self.kill(timer),
        };
        self.step = Step::Grace;
        self.groups.ask(self.call.id);
        self.wait_until(Instant::now() + wait, timer);
    }

    /// Until the first look, the time is for that.
    fn wait_until(&mut self, until: Instant, timer: Pin<&mut Sleep>) {
        self.until = until;
        if self.watching {
            timer.reset(until);
        }
    }

    /// The time of this step is over.
    fn waited(&mut self, shell: &WarmShell, timer: Pin<&mut Sleep>) {
        match self.step {
            Step::Asked => {
                shell.kill();
                self.over = Some(Over::Lost);
            }
            Step::Runs => self.end(Why::TimedOut, timer),
            Step::Grace => self.kill(timer),
            Step::Killed => self.over = Some(Over::Lost),
        }
    }

    fn kill(&mut self, timer: Pin<&mut Sleep>) {
        self.step = Step::Killed;
        self.groups.kill(self.call.id);
        self.wait_until(Instant::now() + REPORT, timer);
    }
}

impl Telling {
    fn new(listener: Listener) -> Self {
        Self { lines: Lines::default(), listener, copies: Vec::new(), question: None }
    }

    fn add(&mut self, bytes: &[u8]) {
        let Self { lines, listener, copies, question } = self;
        lines.take(bytes, |verb| sort(verb, listener, copies, question));
    }
}

fn sort(verb: Verb, listener: &Listener, copies: &mut Vec<Copy>, question: &mut Option<String>) {
    match verb {
        Verb::Attach(copy) if copies.len() < MOST_ATTACHED => copies.push(copy),
        Verb::Attach(_) => {}
        Verb::Ask { question: asked } => *question = Some(asked),
        Verb::Progress { .. } | Verb::Log { .. } => listener.hear(verb),
    }
}

impl Ran {
    pub(crate) fn nothing(ended: Ended) -> Self {
        Self {
            ended,
            stdout: Said::default(),
            stderr: Vec::new(),
            attached: Vec::new(),
            question: None,
        }
    }
}

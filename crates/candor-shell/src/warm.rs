//! The warm shell and the runners it forked.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use tokio::sync::watch;

use crate::channels::Channels;
use crate::runner::{Runner, send};

/// A death is known this long after it was caused, at most, if the machine is not very busy.
const NOTICED: Duration = Duration::from_millis(250);

/// One shell that has loaded the file, from its handshake to its death.
#[derive(Debug)]
pub(crate) struct WarmShell {
    pid: Pid,
    functions: HashSet<String>,
    pipes: Mutex<Pipes>,
    flights: Mutex<Flights>,
    gone: watch::Sender<Gone>,
}

#[derive(Debug)]
struct Pipes {
    /// Closing this ends the shell.
    requests: Option<OwnedFd>,
    idle: Vec<Runner>,
    /// We killed it, and no call did.
    killed: bool,
}

#[derive(Debug, Default)]
struct Flights {
    /// When the calls in flight began.
    began: BTreeMap<u64, Instant>,
    /// When a call was last over.
    ended: Option<Instant>,
}

/// What became of the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gone {
    /// It lives.
    No,
    /// Something stopped it.
    Died {
        /// One call was in flight, no more: that call did it.
        sole: bool,
    },
    /// We end it.
    Ended,
}

/// Counts a call as in flight.
pub(crate) struct InFlight {
    shell: Arc<WarmShell>,
    id: u64,
}

/// So many runners wait for a call; the rest end when theirs is done.
const IDLE: usize = 16;

impl WarmShell {
    pub(crate) fn new(pid: Pid, requests: OwnedFd, functions: HashSet<String>) -> Arc<Self> {
        Arc::new(Self {
            pid,
            functions,
            pipes: Mutex::new(Pipes { requests: Some(requests), idle: Vec::new(), killed: false }),
            flights: Mutex::default(),
            gone: watch::Sender::new(Gone::No),
        })
    }

    pub(crate) fn has(&self, function: &str) -> bool {
        self.functions.contains(function)
    }

    pub(crate) fn gone(&self) -> watch::Receiver<Gone> {
        self.gone.subscribe()
    }

    pub(crate) fn in_flight(self: &Arc<Self>, id: u64) -> InFlight {
        self.flights().began.insert(id, Instant::now());
        InFlight { shell: Arc::clone(self), id }
    }

    /// Whether it lives, even if its death is not yet known.
    pub(crate) fn lives(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        self.pipes().requests.is_some() && matches!(waitid(WaitId::Pid(self.pid), look), Ok(None))
    }

    /// The runner that was free last, or a new one, which may not yet be up.
    pub(crate) fn runner(&self, channels: &Channels) -> io::Result<Runner> {
        let mut pipes = self.pipes();
        if let Some(runner) = pipes.idle.pop() {
            return Ok(runner);
        }
        let requests = pipes.requests.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        Runner::launch(channels, requests)
    }

    pub(crate) fn give_back(&self, runner: Runner) {
        let mut pipes = self.pipes();
        if pipes.requests.is_some() && pipes.idle.len() < IDLE {
            pipes.idle.push(runner);
        }
    }

    /// For a shell that does not answer; another takes its place.
    pub(crate) fn kill(&self) {
        // Under the lock, and only before its death is known: its number is still its own.
        let mut pipes = self.pipes();
        if pipes.requests.is_some() {
            pipes.killed = true;
            let _ = kill_process(self.pid, Signal::KILL);
        }
    }

    /// Until the death of a shell that is of no use is known, so that nobody asks it again.
    pub(crate) async fn buried(&self) {
        self.kill();
        // It cannot fail: the sender is ours.
        let _ = self.gone().wait_for(|gone| *gone != Gone::No).await;
    }

    /// Its death is known.
    pub(crate) fn died(&self) {
        self.close();
        let sole = !self.pipes().killed && self.flights().is_sole();
        self.gone.send_replace(Gone::Died { sole });
    }

    /// Tells the shell and its runners to end, and calls that they have.
    pub(crate) fn end(&self) {
        self.gone.send_replace(Gone::Ended);
        if let Some(requests) = &self.pipes().requests {
            // If it does not take this, it takes the end of the pipe for it.
            let _ = send(requests, b"end\n");
        }
        self.close();
    }

    fn close(&self) {
        let mut pipes = self.pipes();
        pipes.requests = None;
        pipes.idle.clear();
    }

    fn flights(&self) -> MutexGuard<'_, Flights> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pipes(&self) -> MutexGuard<'_, Pipes> {
        self.pipes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Flights {
    /// Whether one call, and certainly no other, was in flight when the shell died.
    fn is_sole(&self) -> bool {
        let mut began = self.began.values();
        let (Some(began), None) = (began.next(), began.next()) else { return false };
        !self.ended.is_some_and(|ended| ended > *began && ended.elapsed() < NOTICED)
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut flights = self.shell.flights();
        flights.began.remove(&self.id);
        flights.ended = Some(Instant::now());
    }
}

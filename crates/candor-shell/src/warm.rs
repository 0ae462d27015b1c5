//! The warm shell and the runners it forked.

use std::collections::HashSet;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::watch;

use crate::channels::Channels;
use crate::runner::{Runner, send};

/// One shell that has loaded the file, from its handshake to its death.
#[derive(Debug)]
pub(crate) struct WarmShell {
    pid: Pid,
    functions: HashSet<String>,
    pipes: Mutex<Pipes>,
    in_flight: AtomicUsize,
    gone: watch::Sender<Gone>,
}

#[derive(Debug)]
struct Pipes {
    /// Closing this ends the shell.
    requests: Option<OwnedFd>,
    idle: Vec<Runner>,
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
pub(crate) struct InFlight(Arc<WarmShell>);

impl WarmShell {
    pub(crate) fn new(pid: Pid, requests: OwnedFd, functions: HashSet<String>) -> Arc<Self> {
        Arc::new(Self {
            pid,
            functions,
            pipes: Mutex::new(Pipes { requests: Some(requests), idle: Vec::new() }),
            in_flight: AtomicUsize::new(0),
            gone: watch::Sender::new(Gone::No),
        })
    }

    pub(crate) fn has(&self, function: &str) -> bool {
        self.functions.contains(function)
    }

    pub(crate) fn gone(&self) -> watch::Receiver<Gone> {
        self.gone.subscribe()
    }

    pub(crate) fn in_flight(self: &Arc<Self>) -> InFlight {
        self.in_flight.fetch_add(1, Ordering::SeqCst);
        InFlight(Arc::clone(self))
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
        if pipes.requests.is_some() {
            pipes.idle.push(runner);
        }
    }

    /// For a shell that does not answer; another takes its place.
    pub(crate) fn kill(&self) {
        // Under the lock, and only before its death is known: its number is still its own.
        let pipes = self.pipes();
        if pipes.requests.is_some() {
            let _ = kill_process(self.pid, Signal::KILL);
        }
    }

    /// Its death is known.
    pub(crate) fn died(&self) {
        self.close();
        let sole = self.in_flight.load(Ordering::SeqCst) == 1;
        self.gone.send_replace(Gone::Died { sole });
    }

    /// Tells the shell and its runners to end, and calls that they have.
    pub(crate) fn end(&self) {
        self.gone.send_replace(Gone::Ended);
        if let Some(requests) = &self.pipes().requests {
            // If it does not take this, it takes the end of the pipe for it.
            let _ = send(requests, "end\n");
        }
        self.close();
    }

    fn close(&self) {
        let mut pipes = self.pipes();
        pipes.requests = None;
        pipes.idle.clear();
    }

    fn pipes(&self) -> MutexGuard<'_, Pipes> {
        self.pipes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

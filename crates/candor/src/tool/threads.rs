//! Threads for functions that block.
//!
//! They are ours and not the runtime's: a runtime waits for its threads before the process can
//! end, and one of these may be in a loop without an exit.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread;

use candor_protocol::{ToolError, ToolOutcome, Why};
use tokio::sync::oneshot;

use super::Running;
use super::workers::Workers;

/// Threads that wait for more work; the rest end when theirs is done.
const IDLE: usize = 4;

type Work = Box<dyn FnOnce() + Send>;

/// The threads that wait, each behind its letter box.
static WAITING: Mutex<Vec<std::sync::mpsc::Sender<Work>>> = Mutex::new(Vec::new());

/// Runs a function on a thread, and gives what becomes of it. A panic there is a panic here.
pub(super) fn run(
    workers: Workers,
    function: impl FnOnce() -> ToolOutcome + Send + 'static,
) -> Running {
    let (sender, receiver) = oneshot::channel();
    let work: Work = Box::new(move || {
        // If the call is gone, nobody wants to know.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(function)));
    });
    let started = match workers {
        Workers::Own => hand_over(work),
        Workers::Here => {
            // While one of these is busy, a clock that was stopped does not run ahead.
            drop(tokio::task::spawn_blocking(work));
            Ok(())
        }
    };
    Box::pin(async move {
        if let Err(cause) = started {
            let failure = ToolError::seen(Why::Unavailable).because(cause);
            return ToolOutcome::Failed(failure);
        }
        match receiver.await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_gone) => {
                ToolOutcome::Failed(ToolError::seen(Why::Crashed { said: String::new() }))
            }
        }
    })
}

fn hand_over(mut work: Work) -> std::io::Result<()> {
    loop {
        let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(waiting) = waiting else { break };
        match waiting.send(work) {
            Ok(()) => return Ok(()),
            Err(returned) => work = returned.0,
        }
    }
    thread::Builder::new().name("tool".to_owned()).spawn(move || live(work)).map(drop)
}

fn live(first: Work) {
    let mut work = first;
    loop {
        work();
        let (sender, letters) = std::sync::mpsc::channel();
        {
            let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
            if waiting.len() >= IDLE {
                return;
            }
            waiting.push(sender);
        }
        match letters.recv() {
            Ok(next) => work = next,
            Err(_closed) => return,
        }
    }
}

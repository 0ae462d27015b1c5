//! Ctrl-C, while something of ours still has to be ended.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Hears that someone wants the program to end.
pub(crate) struct Interrupt {
    interrupt: Signal,
    terminate: Signal,
}

impl Interrupt {
    /// Begins to listen; from now on the signals alone end nothing.
    ///
    /// # Errors
    ///
    /// The system has none of it; said in a sentence.
    pub(crate) fn listen() -> Result<Self, String> {
        let hear =
            |kind| signal(kind).map_err(|cause| format!("signals cannot be listened for: {cause}"));
        Ok(Self {
            interrupt: hear(SignalKind::interrupt())?,
            terminate: hear(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one.
    pub(crate) async fn comes(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Has one come already?
    pub(crate) async fn has_come(&mut self) -> bool {
        tokio::select! {
            biased;
            () = self.comes() => true,
            () = std::future::ready(()) => false,
        }
    }
}

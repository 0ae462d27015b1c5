//! Ctrl-C, while something of ours still has to be ended.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// `SIGXFSZ` on every system that candor is written for.
const FILE_TOO_LARGE: i32 = 25;

/// Hears that someone wants the program to end.
pub(crate) struct Interrupt {
    typed: Signal,
    terminate: Signal,
    /// Heard so that it does not end us: the write that met the limit fails as well, and what it
    /// was for is answered.
    _file_too_large: Signal,
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
            typed: hear(SignalKind::interrupt())?,
            terminate: hear(SignalKind::terminate())?,
            _file_too_large: hear(SignalKind::from_raw(FILE_TOO_LARGE))?,
        })
    }

    /// Waits for the next one.
    pub(crate) async fn comes(&mut self) {
        tokio::select! {
            _ = self.typed.recv() => {}
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

//! The stdio transport: this process's own standard streams.
//!
//! Where a stream is a pipe or a socket it is read and written without blocking, in the serving
//! task itself; a thread that reads ahead would cost two switches a message. Anything else (a
//! terminal, a file) is left in the mode it is in and has a thread.

use std::io;
use std::task::{Context, Poll};

use crate::{Answerer, Limits};

#[cfg(unix)]
mod pollable;
mod threaded;

/// Serves this process's standard streams until the peer hangs up or the process is told to stop
/// (`SIGTERM`, `SIGINT`).
///
/// When this returns, leave `main`: a peer that is gone does not come back on this transport.
///
/// # Errors
///
/// The streams cannot be opened or read.
///
/// # Panics
///
/// Outside a tokio runtime with its I/O and time drivers enabled.
pub async fn serve(answerer: impl Answerer, limits: Limits) -> io::Result<()> {
    let stop = stop_signals()?;
    #[cfg(unix)]
    {
        let (input, found_in) = pollable::input(io::stdin())?.unzip();
        let (output, found_out) = pollable::output(io::stdout())?.unzip();
        let input = match input {
            Some(input) => input,
            None => Box::new(threaded::Input::start()?),
        };
        let output = output.unwrap_or_else(|| Box::new(tokio::io::stdout()));
        let served = crate::serve(input, output, answerer, limits, stop).await;
        // One open file may be both, and the input was found first.
        drop(found_out);
        drop(found_in);
        served
    }
    #[cfg(not(unix))]
    {
        let input = threaded::Input::start()?;
        crate::serve(input, tokio::io::stdout(), answerer, limits, stop).await
    }
}

#[cfg(unix)]
fn stop_signals() -> io::Result<impl FnMut(&mut Context<'_>) -> Poll<()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(move |context: &mut Context<'_>| {
        let (one, other) = (terminate.poll_recv(context), interrupt.poll_recv(context));
        if one.is_ready() || other.is_ready() { Poll::Ready(()) } else { Poll::Pending }
    })
}

#[cfg(not(unix))]
fn stop_signals() -> io::Result<impl FnMut(&mut Context<'_>) -> Poll<()>> {
    // The system ends the process; there is no signal to answer first.
    Ok(|_: &mut Context<'_>| Poll::Pending)
}

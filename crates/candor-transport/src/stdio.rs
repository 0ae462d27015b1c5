//! The stdio transport: this process's own standard streams.
//!
//! Where a stream is a pipe or a socket it is read and written without blocking, in the serving
//! task itself; a thread that reads ahead would cost two switches a message. Anything else (a
//! terminal, a file) is left in the mode it is in.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::task::{Context, Poll};

use crate::{Answerer, Limits};

#[cfg(unix)]
mod taken;
mod threaded;

/// Serves this process's standard streams until the peer hangs up or the process is told to stop:
/// by `SIGTERM`, by `SIGINT`, or because `until` has come to its end.
///
/// While it runs, standard input is empty for everything else in the process, and what is printed
/// goes to standard error: a stray `println!` must not stand among the messages. When it returns,
/// leave `main`: a peer that is gone does not come back on this transport.
///
/// # Errors
///
/// The streams cannot be opened or read.
///
/// # Panics
///
/// Outside a tokio runtime with its I/O and time drivers enabled.
pub async fn serve(
    answerer: impl Answerer,
    limits: Limits,
    until: impl Future<Output = ()>,
) -> io::Result<()> {
    let mut signals = stop_signals()?;
    let mut until = pin!(until);
    let mut has_come = false;
    let stop = |context: &mut Context<'_>| {
        if !has_come && until.as_mut().poll(context).is_ready() {
            has_come = true;
            return Poll::Ready(());
        }
        signals(context)
    };
    #[cfg(unix)]
    {
        let (input, output, hearing, give_back) = taken::take()?;
        let mut serving = pin!(crate::serve(input, output, answerer, limits, stop));
        let mut deaf = pin!(hearing.ends());
        let served = poll_fn(|context| match serving.as_mut().poll(context) {
            // Whoever does not listen any more gets no answers, and nothing works for them.
            Poll::Pending => deaf.as_mut().poll(context).map(Ok),
            served @ Poll::Ready(_) => served,
        });
        let served = served.await;
        drop(give_back);
        served
    }
    #[cfg(not(unix))]
    {
        let input = threaded::Input::start(io::stdin())?;
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

//! One conversation from beginning to end: all is said, the input ends, and what came back is
//! looked at.

use std::future::Future;
use std::task::Poll;
use std::time::Duration;

use candor_transport::{Answerer, Limits, serve};
use tokio::io::AsyncRead;
use tokio::runtime::Builder;
use tokio::time::timeout;

use crate::fold_incidents;

/// Longer than any time that a server gives a tool, on a clock that stands still; short enough to
/// end a test that hangs, on one that goes.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Says one line, and gives the one that comes back.
///
/// # Panics
///
/// Any other number of lines comes back.
pub fn ask(answerer: impl Answerer, line: &str) -> String {
    let mut answers = asks(answerer, &[line]);
    match answers.pop() {
        Some(answer) if answers.is_empty() => answer,
        answer => panic!("{} answers came back to {line}: {answer:?}", answers.len() + 1),
    }
}

/// Says some lines, and gives those that come back, incident references folded.
///
/// # Panics
///
/// The conversation does not end.
pub fn asks(answerer: impl Answerer, lines: &[impl AsRef<str>]) -> Vec<String> {
    let mut said = String::new();
    for line in lines {
        said.push_str(line.as_ref());
        said.push('\n');
    }
    let conversation = converse(answerer, said.as_bytes(), Limits::default());
    block_on(false, conversation).lines().map(fold_incidents).collect()
}

/// Says what `reader` gives until its end, and gives everything that comes back.
///
/// # Panics
///
/// The conversation does not end, or what comes back is not UTF-8.
pub async fn converse(answerer: impl Answerer, reader: impl AsyncRead, limits: Limits) -> String {
    let mut heard = Vec::new();
    let served = serve(reader, &mut heard, answerer, limits, |_| Poll::Pending);
    let served = timeout(PATIENCE, served)
        .await
        .unwrap_or_else(|_elapsed| panic!("the conversation does not end"));
    if let Err(cause) = served {
        panic!("the conversation broke off: {cause}");
    }
    String::from_utf8(heard).unwrap_or_else(|cause| panic!("no text came back: {cause}"))
}

/// Runs a test on a clock that stands still, and jumps on whenever everybody waits.
///
/// Threads do not count as waiting: a tool that blocks runs out of its time at once here.
///
/// # Panics
///
/// There is no runtime to be had.
pub fn paused<T>(test: impl Future<Output = T>) -> T {
    block_on(true, test)
}

fn block_on<T>(start_paused: bool, future: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_time().start_paused(start_paused).build();
    match runtime {
        Ok(runtime) => runtime.block_on(future),
        Err(cause) => panic!("no runtime: {cause}"),
    }
}

//! Functions to tools, by where they run.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use super::answers::Answer;
use super::call::{Call, OwnedCall};
use super::{Availability, Calling, Tool, prepared};
use crate::turns::Turns;

/// A tool from a function that returns in no time: it runs where the message is read.
///
/// ```
/// let hello = candor::tool::inline(|call| format!("You sent {}", call.json()));
/// # let _ = hello;
/// ```
pub fn inline<A: Answer>(function: impl Fn(Call<'_>) -> A + Send + Sync + 'static) -> impl Tool {
    Function(move |call: Call<'_>| function(call).into_outcome())
}

/// A tool from a function that computes or blocks: it runs on a thread of its own, so that nothing
/// else waits for it.
///
/// A thread cannot be stopped. A function that overstays its time is answered for and left to
/// itself; it does not keep the process from ending.
///
/// ```
/// let read = candor::tool::blocking(|_| {
///     std::fs::read_to_string("notes/today.md")
///         .map_err(|cause| candor::ToolError::tell("There is no note for today.").because(cause))
/// });
/// # let _ = read;
/// ```
pub fn blocking<A: Answer>(function: impl Fn(OwnedCall) -> A + Send + Sync + 'static) -> impl Tool {
    let function = Arc::new(function);
    prepared::blocking(move |call| {
        let (function, call) = (Arc::clone(&function), call.detach());
        Ok(move || function(call))
    })
}

/// A tool from an asynchronous function: it runs on workers of candor's own, and is dropped if it
/// is cancelled.
///
/// A function that blocks where it should wait, or never comes to an end, keeps one worker busy.
/// It is answered for when its time is over, and everything else goes on.
///
/// ```
/// let wait = candor::tool::asynchronous(|_| async {
///     tokio::time::sleep(std::time::Duration::from_millis(10)).await;
///     "Waited."
/// });
/// # let _ = wait;
/// ```
pub fn asynchronous<A: Answer, F: Future<Output = A> + Send + 'static>(
    function: impl Fn(OwnedCall) -> F + Send + Sync + 'static,
) -> impl Tool {
    prepared::asynchronous(move |call| Ok(function(call.detach())))
}

/// A tool from an asynchronous function that never blocks: it runs between messages, on the task
/// that serves its caller, and is dropped if it is cancelled.
///
/// This saves the way to a worker and back. While such a function blocks, nothing is answered to
/// its caller, and no deadline is kept.
///
/// ```
/// let wait = candor::tool::polled(|_| async {
///     tokio::task::yield_now().await;
///     "Back again."
/// });
/// # let _ = wait;
/// ```
pub fn polled<A: Answer, F: Future<Output = A> + Send + 'static>(
    function: impl Fn(OwnedCall) -> F + Send + Sync + 'static,
) -> impl Tool {
    prepared::polled(move |call| Ok(function(call.detach())))
}

/// Gives a tool another time limit.
pub fn within(time: Duration, tool: impl Tool) -> impl Tool {
    Within { time, tool }
}

pub(super) struct Function<F>(pub(super) F);

impl<F: Fn(Call<'_>) -> C + Send + Sync + 'static, C: Into<Calling>> Tool for Function<F> {
    fn call(&self, call: Call<'_>) -> Calling {
        (self.0)(call).into()
    }
}

/// Gives a tool turns: how often it may be called, and how many of its calls may go on at once.
///
/// ```
/// use candor::{Turns, tool};
///
/// let turns = Turns::new().rate("10/m".parse()?);
/// let search = tool::limited(turns, tool::inline(|_| "Nothing found."));
/// # let _ = search;
/// # Ok::<(), candor::NoRate>(())
/// ```
pub fn limited(turns: Turns, tool: impl Tool) -> impl Tool {
    Limited { turns, tool }
}

struct Limited<T> {
    turns: Turns,
    tool: T,
}

impl<T: Tool> Tool for Limited<T> {
    fn call(&self, call: Call<'_>) -> Calling {
        self.tool.call(call)
    }

    fn time(&self) -> Option<Duration> {
        self.tool.time()
    }

    fn patience(&self) -> Duration {
        self.tool.patience()
    }

    fn availability(&self) -> Availability {
        self.tool.availability()
    }

    fn turns(&self) -> Turns {
        self.turns.clone()
    }
}

struct Within<T> {
    time: Duration,
    tool: T,
}

impl<T: Tool> Tool for Within<T> {
    fn call(&self, call: Call<'_>) -> Calling {
        self.tool.call(call)
    }

    fn time(&self) -> Option<Duration> {
        Some(self.time)
    }

    fn availability(&self) -> Availability {
        self.tool.availability()
    }

    fn turns(&self) -> Turns {
        self.tool.turns()
    }
}

//! What a tool is: something that takes a call and gives an outcome.
//!
//! [`Tool`] is the lowest form: raw arguments in, an outcome out. A function becomes one by
//! [`inline`], [`blocking`] or [`asynchronous`], and a tool that is not a Rust function at all
//! (a shell function, a tool of another server) implements the trait itself.
//!
//! A [`Call`] knows what the call happens in. What a function takes of that besides its arguments
//! is [`FromCall`]. With its definition a tool is a [`DefinedTool`], and several are [`Tools`].

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use candor_protocol::ToolOutcome;

mod answers;
mod call;
mod context;
mod defined;
mod functions;
pub(crate) mod prepared;
mod threads;
mod workers;

pub use answers::{Answer, Json};
pub(crate) use call::Surroundings;
pub use call::{Call, Ending, OwnedCall};
pub(crate) use context::{Awaited, Cancelling, States};
pub use context::{Cancellation, FromCall, Need, State};
pub use defined::{DefinedTool, Function, Tools};
pub use functions::{asynchronous, blocking, inline, limited, polled, within};
pub use workers::Workers;

pub use crate::seats::Seat;
use crate::turns::Turns;

/// How long a function has, unless its tool says otherwise.
pub const USUAL_TIME: Duration = Duration::from_secs(30);

/// Something that can be called.
pub trait Tool: Send + Sync + 'static {
    /// Takes one call. Whatever it does, it gives an outcome; it has no other channel.
    ///
    /// A panic, here or in what it returns, is an outcome too: the tool has crashed.
    fn call(&self, call: Call<'_>) -> Calling;

    /// How long a call may take before it is dropped and answered for; `None` if the tool sees to
    /// that itself.
    fn time(&self) -> Option<Duration> {
        Some(USUAL_TIME)
    }

    /// How long a call may wait for its turn.
    fn patience(&self) -> Duration {
        self.time().unwrap_or(USUAL_TIME)
    }

    /// Can it be called at all?
    fn availability(&self) -> Availability {
        Availability::Ready
    }

    /// How often it may be called, and how many of its calls may go on at once.
    fn turns(&self) -> Turns {
        Turns::default()
    }
}

impl fmt::Debug for dyn Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tool")
    }
}

/// How far a call has got when [`Tool::call`] returns.
#[expect(missing_debug_implementations, reason = "a future has nothing to show")]
#[expect(clippy::exhaustive_enums, reason = "a call is over or it is not")]
pub enum Calling {
    /// It is over.
    Done(ToolOutcome),
    /// It goes on. Dropping it cancels the call.
    Running(Running),
}

/// A call that goes on.
pub type Running = Pin<Box<dyn Future<Output = ToolOutcome> + Send>>;

/// Whether a tool can be called.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "each has its own answer")]
pub enum Availability {
    /// It can.
    Ready,
    /// It will be: the model is told so.
    ComingBack,
    /// It cannot, until someone acts: the host is told so, and the log why.
    Broken(String),
}

impl<T: Tool + ?Sized> Tool for std::sync::Arc<T> {
    fn call(&self, call: Call<'_>) -> Calling {
        (**self).call(call)
    }

    fn time(&self) -> Option<Duration> {
        (**self).time()
    }

    fn patience(&self) -> Duration {
        (**self).patience()
    }

    fn availability(&self) -> Availability {
        (**self).availability()
    }

    fn turns(&self) -> Turns {
        (**self).turns()
    }
}

impl From<ToolOutcome> for Calling {
    fn from(outcome: ToolOutcome) -> Self {
        Self::Done(outcome)
    }
}

impl From<Running> for Calling {
    fn from(running: Running) -> Self {
        Self::Running(running)
    }
}

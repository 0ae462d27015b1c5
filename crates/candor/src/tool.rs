//! What a tool is: something that takes a call and gives an outcome.
//!
//! [`Tool`] is the lowest form: raw arguments in, an outcome out. A function becomes one by
//! [`inline`], [`blocking`] or [`asynchronous`], and a tool that is not a Rust function at all
//! (a shell function, a tool of another server) implements the trait itself.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use candor_protocol::text::{LONGEST_NAME, LONGEST_VALUE, cut};
use candor_protocol::{Arguments, Content, Reply, ToolError, ToolOutcome, Why};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;

mod threads;

use crate::progress::Progress;
pub use crate::seats::Seat;
use crate::seats::Seating;

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

    /// Can it be called at all?
    fn availability(&self) -> Availability {
        Availability::Ready
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

/// One call, as a tool gets it.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    name: &'a str,
    arguments: &'a Arguments<'a>,
    ending: &'a Ending,
    seating: &'a Seating<'a>,
    progress: &'a Progress,
}

impl<'a> Call<'a> {
    pub(crate) const fn new(
        name: &'a str,
        arguments: &'a Arguments<'a>,
        ending: &'a Ending,
        seating: &'a Seating<'a>,
        progress: &'a Progress,
    ) -> Self {
        Self { name, arguments, ending, seating, progress }
    }

    /// The tool's own name, as called.
    #[must_use]
    pub const fn name(self) -> &'a str {
        self.name
    }

    /// The arguments: the text of a JSON object.
    #[must_use]
    pub const fn json(self) -> &'a str {
        self.arguments.as_json()
    }

    /// Reads the arguments.
    ///
    /// # Errors
    ///
    /// What the model is told if they do not fit: the parameter and what it must be.
    pub fn read<T: Deserialize<'a>>(self) -> Result<T, ToolError> {
        read(self.json())
    }

    /// Tells a tool that goes on when the server is about to end.
    #[must_use]
    pub fn ending(self) -> Ending {
        self.ending.clone()
    }

    /// Tells the caller how far this call has got. It may be kept for longer than the call.
    #[must_use]
    pub fn progress(self) -> Progress {
        self.progress.clone()
    }

    /// The seat of this call among those of its caller. Work that may go on when the call is over
    /// keeps it until it has ended.
    #[must_use]
    pub fn seat(self) -> Seat {
        self.seating.seat()
    }

    /// A copy that outlives the message.
    #[must_use]
    pub fn detach(self) -> OwnedCall {
        OwnedCall {
            name: self.name.to_owned(),
            json: self.json().to_owned(),
            ending: self.ending(),
            progress: self.progress(),
            _seat: self.seat(),
        }
    }
}

/// One call, as a tool gets it that goes on after the message is gone.
#[derive(Clone, Debug)]
pub struct OwnedCall {
    name: String,
    json: String,
    ending: Ending,
    progress: Progress,
    _seat: Seat,
}

impl OwnedCall {
    /// The tool's own name, as called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments: the text of a JSON object.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Reads the arguments.
    ///
    /// # Errors
    ///
    /// What the model is told if they do not fit: the parameter and what it must be.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        read(&self.json)
    }

    /// Tells the tool when the server is about to end.
    #[must_use]
    pub const fn ending(&self) -> &Ending {
        &self.ending
    }

    /// Tells the caller how far this call has got. It may be kept for longer than the call.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }
}

fn read<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, ToolError> {
    serde_json::from_str(json).map_err(|cause| {
        // Only now is it worth knowing where.
        let mut again = serde_json::Deserializer::from_str(json);
        let (path, cause) = match serde_path_to_error::deserialize::<_, T>(&mut again) {
            Ok(_) => ("arguments".to_owned(), cause),
            Err(cause) => (cause.path().to_string(), cause.into_inner()),
        };
        let path = if path == "." { "arguments" } else { path.as_str() };
        let said = cause.to_string();
        // A place in a line means nothing to a model, and what it sent is not said back at length.
        let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
        let said = match (said.find('"'), said.rfind('"')) {
            (Some(from), Some(to)) if from < to => {
                let (before, after) = (said.get(..=from), said.get(to..));
                let value = said.get(from + 1..to).unwrap_or_default();
                let value = cut(value, LONGEST_VALUE);
                format!("{}{value}{}", before.unwrap_or_default(), after.unwrap_or_default())
            }
            _ => cut(said, LONGEST_NAME).into_owned(),
        };
        let line = format!("{}: {said}.", cut(path, LONGEST_NAME));
        ToolError::seen(Why::Arguments(line.into()))
    })
}

/// Resolves when the server is about to end and wants what is unfinished to come to an end now.
#[derive(Clone, Debug)]
pub struct Ending(watch::Receiver<bool>);

impl Ending {
    pub(crate) const fn new(receiver: watch::Receiver<bool>) -> Self {
        Self(receiver)
    }

    /// Waits for it.
    pub async fn reached(&mut self) {
        if self.0.wait_for(|&has_come| has_come).await.is_err() {
            // The session is gone without a word, and this call is about to be dropped with it.
            std::future::pending::<()>().await;
        }
    }

    /// The same as a channel that holds whether it has come.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.0.clone()
    }

    /// Has it come?
    #[must_use]
    pub fn is_reached(&self) -> bool {
        *self.0.borrow()
    }
}

/// What a function may return to be a tool.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "a tool returns a reply, or `Result<_, ToolError>` of one",
    note = "protocol errors are the server's to send; a tool that fails says `ToolError::tell(..)`"
)]
pub trait Answer {
    /// Settles the channel.
    fn into_outcome(self) -> ToolOutcome;
}

impl<T: Into<Reply>> Answer for Result<T, ToolError> {
    fn into_outcome(self) -> ToolOutcome {
        self.into()
    }
}

impl Answer for Reply {
    fn into_outcome(self) -> ToolOutcome {
        ToolOutcome::Done(self)
    }
}

impl Answer for Content {
    fn into_outcome(self) -> ToolOutcome {
        ToolOutcome::Done(self.into())
    }
}

impl Answer for String {
    fn into_outcome(self) -> ToolOutcome {
        ToolOutcome::Done(self.into())
    }
}

impl Answer for &str {
    fn into_outcome(self) -> ToolOutcome {
        ToolOutcome::Done(self.into())
    }
}

/// A tool from a function that returns in no time: it runs where the message is read.
///
/// ```
/// let hello = candor::tool::inline(|call| format!("You sent {}", call.json()));
/// # let _ = hello;
/// ```
pub fn inline<A: Answer>(function: impl Fn(Call<'_>) -> A + Send + Sync + 'static) -> impl Tool {
    Inline(move |call: Call<'_>| function(call).into_outcome())
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
    let function = std::sync::Arc::new(function);
    Inline(move |call: Call<'_>| {
        let (function, call) = (std::sync::Arc::clone(&function), call.detach());
        threads::run(move || function(call).into_outcome())
    })
}

/// A tool from an asynchronous function: it runs between messages, and is dropped if it is
/// cancelled.
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
    Inline(move |call: Call<'_>| -> Running {
        let answer = function(call.detach());
        Box::pin(async move { answer.await.into_outcome() })
    })
}

/// Gives a tool another time limit.
pub fn within(time: Duration, tool: impl Tool) -> impl Tool {
    Within { time, tool }
}

struct Inline<F>(F);

impl<F: Fn(Call<'_>) -> C + Send + Sync + 'static, C: Into<Calling>> Tool for Inline<F> {
    fn call(&self, call: Call<'_>) -> Calling {
        (self.0)(call).into()
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
}

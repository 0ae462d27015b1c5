//! What a function takes of a call besides its arguments.

use std::any::{Any, TypeId, type_name};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use candor_protocol::inbound::{Client, Trace};
use candor_protocol::{ToolError, Why};
use tokio::sync::watch;

use super::call::{Call, Ending};
use crate::progress::Progress;

/// Something that a `#[tool]` function can take besides its arguments: it comes from the call, and
/// the model neither sees nor sends it.
///
/// Taken by their names are [`Progress`], [`Cancellation`], [`Client`], [`Trace`], [`Ending`] and
/// [`State<T>`]. A type of your own is taken where the parameter is marked `#[context]`:
///
/// ```
/// use candor::tool::FromCall;
/// use candor::{Call, ToolError, tool};
///
/// struct Locale(&'static str);
///
/// impl FromCall for Locale {
///     fn from_call(call: Call<'_>) -> Result<Self, ToolError> {
///         match call.client().name() {
///             Some("bahnhof") => Ok(Self("de")),
///             _ => Ok(Self("en")),
///         }
///     }
/// }
///
/// /// Greets whoever asks.
/// #[tool(read_only)]
/// fn greet(#[context] locale: Locale) -> &'static str {
///     if locale.0 == "de" { "Guten Tag." } else { "Hello." }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not come from a call",
    label = "this is marked as context, and does not implement `FromCall`",
    note = "an argument that the model sends needs no mark; shared state is taken as `State<{Self}>`"
)]
pub trait FromCall: Sized {
    /// Takes it. This runs before the function, where the message is read, and must not block.
    ///
    /// # Errors
    ///
    /// What the model is told; the function does not run.
    fn from_call(call: Call<'_>) -> Result<Self, ToolError>;

    /// What it needs a server to have, if it needs anything: told when the server is built.
    #[must_use]
    fn need() -> Option<Need> {
        None
    }
}

/// A type of which a server must be given a value with [`Builder::state`](crate::Builder::state).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    id: TypeId,
    name: &'static str,
}

impl Need {
    /// A value of this type.
    #[must_use]
    pub fn of<T: Send + Sync + 'static>() -> Self {
        Self { id: TypeId::of::<T>(), name: type_name::<T>() }
    }

    /// The type, as the compiler names it.
    #[must_use]
    pub const fn type_name(self) -> &'static str {
        self.name
    }
}

impl FromCall for Progress {
    fn from_call(call: Call<'_>) -> Result<Self, ToolError> {
        Ok(call.progress())
    }
}

impl FromCall for Cancellation {
    fn from_call(call: Call<'_>) -> Result<Self, ToolError> {
        Ok(call.cancellation())
    }
}

impl FromCall for Ending {
    fn from_call(call: Call<'_>) -> Result<Self, ToolError> {
        Ok(call.ending())
    }
}

impl FromCall for Client {
    fn from_call(call: Call<'_>) -> Result<Self, ToolError> {
        Ok(Arc::unwrap_or_clone(call.client()))
    }
}

impl FromCall for Trace {
    fn from_call(call: Call<'_>) -> Result<Self, ToolError> {
        Ok(call.trace())
    }
}

impl<T: Send + Sync + 'static> FromCall for State<T> {
    fn from_call(call: Call<'_>) -> Result<Self, ToolError> {
        call.state()
    }

    fn need() -> Option<Need> {
        Some(Need::of::<T>())
    }
}

/// A value that all calls of a server share, given to it with
/// [`Builder::state`](crate::Builder::state). Cheap to clone.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use candor::{Server, State, tool, toolbox};
///
/// #[derive(Default)]
/// struct Counter(AtomicU64);
///
/// /// Counts up, and says how far it has got.
/// #[tool]
/// fn count(counter: State<Counter>) -> u64 {
///     counter.0.fetch_add(1, Ordering::Relaxed) + 1
/// }
///
/// # fn main() -> Result<(), candor::BuildError> {
/// let server =
///     Server::builder("counter", "1.0.0").state(Counter::default()).tools(toolbox![count]).build()?;
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
pub struct State<T>(Arc<T>);

impl<T> State<T> {
    /// A value to share, where a test calls a function that takes one.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State<{}>", type_name::<T>())
    }
}

/// What a server was given to share, by type.
#[derive(Default)]
pub(crate) struct States(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl States {
    /// Is there one already?
    pub(crate) fn add<T: Send + Sync + 'static>(&mut self, value: T) -> bool {
        self.0.insert(TypeId::of::<T>(), Arc::new(value)).is_some()
    }

    pub(crate) fn has(&self, need: Need) -> bool {
        self.0.contains_key(&need.id)
    }

    pub(crate) fn find<T: Send + Sync + 'static>(&self) -> Result<State<T>, ToolError> {
        let found = self.0.get(&TypeId::of::<T>()).cloned();
        found.and_then(|value| value.downcast().ok()).map(State).ok_or_else(|| {
            let missing = format!("the server was given no state of type {}", type_name::<T>());
            ToolError::seen(Why::Unavailable).because(missing)
        })
    }
}

impl fmt::Debug for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "States({})", self.0.len())
    }
}

/// Says when nobody waits for the answer of a call any more: it was cancelled, its time is over,
/// or it is answered.
///
/// The future of an asynchronous tool is dropped then, and needs none of this. It is for work that
/// goes on elsewhere: a thread, a task of its own, a process.
///
/// ```
/// use candor::{Cancellation, tool};
///
/// /// Counts as far as it gets.
/// #[tool]
/// fn count(cancellation: Cancellation) -> u64 {
///     let mut count = 0;
///     while count < 1_000_000 && !cancellation.is_cancelled() {
///         count += 1;
///     }
///     count
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Cancellation(watch::Receiver<bool>);

impl Cancellation {
    /// Does nobody wait any more?
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until nobody waits any more.
    pub async fn cancelled(&mut self) {
        // It ends without a word only if the session does.
        let _ = self.0.wait_for(|is_over| *is_over).await;
    }
}

/// The session's end of it, made when a tool first asks.
#[derive(Debug, Default)]
pub(crate) struct Cancelling(OnceCell<Arc<watch::Sender<bool>>>);

/// Says that nobody waits any more, when it is dropped.
#[derive(Debug)]
pub(crate) struct Awaited(Arc<watch::Sender<bool>>);

impl Cancelling {
    pub(crate) fn teller(&self) -> &Arc<watch::Sender<bool>> {
        self.0.get_or_init(|| Arc::new(watch::Sender::new(false)))
    }

    pub(crate) fn of(teller: Arc<watch::Sender<bool>>) -> Self {
        Self(OnceCell::from(teller))
    }

    pub(crate) fn watch(&self) -> Cancellation {
        Cancellation::of(self.teller())
    }

    /// To be kept for as long as somebody waits.
    pub(crate) fn awaited(self) -> Option<Awaited> {
        self.0.into_inner().map(Awaited)
    }
}

impl Cancellation {
    pub(crate) fn of(teller: &watch::Sender<bool>) -> Self {
        Self(teller.subscribe())
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        self.0.send_replace(true);
    }
}

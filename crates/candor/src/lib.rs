//! An MCP server in which a tool cannot answer on the wrong channel.
//!
//! A function takes arguments and gives a reply, or a [`ToolError`] that says what the model should
//! read. There is nothing else that it could return: protocol errors are the server's to send.
//!
//! ```no_run
//! use candor::{Server, ToolError, tool, toolbox};
//!
//! /// Says whether someone may come in.
//! #[tool(read_only)]
//! fn check_age(
//!     /// In whole years.
//!     #[schemars(range(max = 150))]
//!     age: u8,
//! ) -> Result<&'static str, ToolError> {
//!     match age {
//!         18.. => Ok("Come in."),
//!         _ => Err(ToolError::tell("age: must be 18 or more.")),
//!     }
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let server = Server::builder("gate", "1.0.0").tools(toolbox![check_age]).build()?;
//!     candor::serve_stdio(&server).await?;
//!     Ok(())
//! }
//! ```
//!
//! The model sees a tool `check_age` that takes an `age`, described by the doc comments and held to
//! the range before anything runs. Without the macro the same is a [`Definition`] and a closure:
//! see [`tool::inline`](tool/fn.inline.html) and its neighbours.
//!
//! A message meets the modules in this order; [`session`](Session) knows what is in progress:
//!
//! ```text
//! session ─▶ answer ─▶ toolset ─▶ (the line) ─▶ tool ─▶ outbox ─▶ session
//! ```

#![forbid(unsafe_code)]

mod answer;
mod arguments;
mod catalog;
mod guard;
mod journal;
mod masking;
mod outbox;
mod policy;
mod progress;
mod schemas;
mod seats;
mod server;
mod session;
mod shared;
pub mod tool;
mod toolset;
mod turns;
mod waiting;
mod words;

/// What the macros write. Not for use by hand: it may change in any release.
#[doc(hidden)]
pub mod __private;

/// Makes a tool of a function.
///
/// - **Its name** is the function's, unless `name = ".."` says another.
/// - **Its description** is the doc comment. By these words the model knows when to call it, so
///   there must be some, here or as `description = ".."`.
/// - **Its arguments** are the parameters: each is one property of the `inputSchema`, described by
///   its own doc comment. `serde` and `schemars` attributes on a parameter mean what they mean on a
///   field: `#[serde(default)]`, `#[schemars(range(min = 1, max = 9))]`,
///   `#[schemars(regex(pattern = ".."))]`. `#[argument(default = 10)]` is a default by value. An
///   `Option` may be left out. A type of your own derives `Deserialize` and `JsonSchema`. `&T`,
///   `&str` and `&[T]` are borrowed of what was read, which is gone when the function returns. What breaks the schema is told to the model, and
///   the function does not run.
/// - **What comes from the call** is taken as [`Progress`], [`Cancellation`], [`Client`],
///   [`Trace`], [`State<T>`](State), or as a type of your own behind `#[context]` (see
///   [`FromCall`](tool/trait.FromCall.html)). `#[argument]` makes an argument of a type of yours
///   that has one of these names.
/// - **What it returns** is an [`Answer`].
///
/// The function stays as it is, so that a test can call it. The tool is known by the same name:
/// [`toolbox!`] takes it.
///
/// ```
/// use candor::{Progress, Server, ToolError, tool, toolbox};
///
/// /// Books seats for a film.
/// #[tool(destructive = false, timeout = "10s")]
/// async fn book(
///     /// The film, as `list_films` names it.
///     film: &str,
///     /// How many seats.
///     #[schemars(range(min = 1, max = 9))]
///     seats: u8,
///     /// Where to sit, from A to K.
///     #[argument(default = 'K')]
///     row: char,
///     progress: Progress,
/// ) -> Result<String, ToolError> {
///     progress.report(1.0, Some(2.0), Some("looking for seats"));
///     if film != "Metropolis" {
///         return Err(ToolError::tell("film: is not on. Use one of: Metropolis."));
///     }
///     Ok(format!("Booked {seats} seats in row {row}."))
/// }
///
/// # fn main() -> Result<(), candor::BuildError> {
/// let server = Server::builder("cinema", "1.0.0").tools(toolbox![book]).build()?;
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
///
/// # Options
///
/// | option | says |
/// |---|---|
/// | `name`, `title`, `description` | how it is published; a title is for people |
/// | `read_only` | it changes nothing. Then a failure took no effect, and the model is told so |
/// | `destructive`, `destructive = false` | it may change what is there, or only adds to it |
/// | `idempotent` | calling it again with the same arguments changes nothing more |
/// | `open_world`, `open_world = false` | it deals with a world that others change too, or does not |
/// | `timeout = "30s"` | how long a call may take, in `ms`, `s`, `m` or `h`; without it 30 s |
/// | `concurrency = 4` | so many calls may go on at once; more wait for their turn |
/// | `rate = "10/m"` | so many calls may begin in a second (`s`), a minute (`m`) or an hour (`h`) |
/// | `inline` | it returns in no time, so it runs where the message is read |
///
/// # Where it runs
///
/// A function runs on a thread of its own, an `async` one on workers of candor's: whatever it does,
/// others are served, its deadline is kept, and the process can end. `inline` saves the way there
/// and back, and this protection: a function runs where the message is read, an `async` one on the
/// task that serves its caller.
///
/// Spec: [Tools](https://modelcontextprotocol.io/specification/2026-07-28/server/tools).
#[cfg(feature = "macros")]
pub use candor_macros::tool;
/// Makes tools of the methods of a type that are marked `#[tool]`. They share the value.
///
/// A method takes `&self`, or nothing of it; calls go on at once, so what changes stands behind a
/// `Mutex` or is atomic. Everything else is as with [`macro@tool`].
///
/// ```
/// use std::sync::Mutex;
///
/// use candor::{Server, ToolError, tools};
///
/// #[derive(Default)]
/// struct Notes(Mutex<Vec<String>>);
///
/// #[tools]
/// impl Notes {
///     /// Keeps a note.
///     #[tool(destructive = false)]
///     fn add(&self, text: String) -> Result<String, ToolError> {
///         let mut notes = self.0.lock().map_err(|_| ToolError::tell("The notes are lost."))?;
///         notes.push(text);
///         Ok(format!("There are {} notes now.", notes.len()))
///     }
/// }
///
/// # fn main() -> Result<(), candor::BuildError> {
/// let server = Server::builder("notes", "1.0.0").tools(Notes::default()).build()?;
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "macros")]
pub use candor_macros::tools;
pub use candor_protocol::inbound::{Capability, Client, Trace};
pub use candor_protocol::{
    Arguments, Complaint, Content, Link, Reply, ToolError, ToolOutcome, Version, Violation, Why,
};
pub use candor_redact::Redactor;
pub use candor_schema::SchemaError;
pub use candor_transport::Limits;
pub use catalog::{About, CacheScope, Catalog, Hints, Loading, Source};
pub use journal::{Entry, Journal, Level};
pub use policy::Policy;
pub use progress::Progress;
pub use schemars;
pub use server::{Builder, Server, serve_stdio, serve_stdio_within};
pub use session::Session;
pub use tool::{Answer, Call, Cancellation, DefinedTool, Json, State, Tool, Tools};
pub use toolset::{BuildError, Definition, Toolset};
pub use turns::{NoRate, Rate, Turns};

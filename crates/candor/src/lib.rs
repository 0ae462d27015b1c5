//! An MCP server in which a tool cannot answer on the wrong channel.
//!
//! A function takes arguments and gives a reply, or a [`ToolError`] that says what the model should
//! read. There is nothing else that it could return: protocol errors are the server's to send.
//!
//! ```no_run
//! use candor::{Definition, Server, ToolError, tool};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct Age {
//!     age: u8,
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let server = Server::builder("gate", "1.0.0")
//!         .tool(
//!             Definition::new("check_age")
//!                 .description("Says whether someone may come in.")
//!                 .input_schema(&serde_json::json!({
//!                     "type": "object",
//!                     "properties": { "age": { "type": "integer" } },
//!                     "required": ["age"],
//!                 })),
//!             tool::inline(|call| {
//!                 let Age { age } = call.read()?;
//!                 match age {
//!                     18.. => Ok("Come in."),
//!                     _ => Err(ToolError::tell("age: must be 18 or more.")),
//!                 }
//!             }),
//!         )
//!         .build()?;
//!     candor::serve_stdio(&server).await?;
//!     Ok(())
//! }
//! ```
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
mod seats;
mod server;
mod session;
mod shared;
pub mod tool;
mod toolset;
mod words;

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
pub use server::{Builder, Server, serve_stdio, serve_stdio_within};
pub use session::Session;
pub use tool::{Call, Tool};
pub use toolset::{BuildError, Definition, Toolset};

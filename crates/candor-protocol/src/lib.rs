//! What MCP says on the wire, in every era, as types and pure functions.
//!
//! A message moves through this crate twice. Read the modules in this order:
//!
//! ```text
//! bytes ─▶ inbound::envelope ─▶ inbound::admission ─▶ inbound::request ─▶ (a tool runs, elsewhere)
//!                                                                                   │
//! bytes ◀─ outbound::response ◀─ outbound::outcome, outbound::failure ◀─────────────┘
//!                  ▲
//!                  └─ outbound::protocol_error ◀─ any inbound step
//! ```
//!
//! Two kinds of failure exist, and neither becomes the other. A [`ProtocolError`] is for the
//! host, and becomes a JSON-RPC error. A [`ToolError`] is for the model, and becomes a result with
//! `isError: true`.
//!
//! **What is not here:** no I/O, no clock, no async runtime, no environment. The same bytes always
//! give the same answer.

#![forbid(unsafe_code)]

pub mod era;
mod id;
pub mod inbound;
pub mod outbound;
pub mod text;

pub use era::Version;
pub use id::{IdValue, RequestId};
pub use inbound::{Arguments, Envelope, Reader, Request, ToolCall};
pub use outbound::{
    Complaint, Content, Failure, Link, ProtocolError, Reply, ToolError, ToolOutcome, Violation, Why,
};

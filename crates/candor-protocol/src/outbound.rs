//! From what happened back to bytes.
//!
//! The two channels meet only in [`response`], after each has taken its final shape.

mod content;
mod failure;
pub mod notification;
mod outcome;
mod protocol_error;
pub mod response;

pub use content::{Content, Link};
pub use failure::{Failure, Kind, Retry, Violation, fingerprint};
pub use outcome::{Complaint, Reply, ToolError, ToolOutcome, Why};
pub use protocol_error::ProtocolError;

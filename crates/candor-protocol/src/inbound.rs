//! From bytes to a request that is understood. The modules stand in the order a message meets
//! them.

mod admission;
mod client;
mod envelope;
pub(crate) mod outline;
mod oversized;
mod request;
pub(crate) mod tokens;

pub use admission::{Admitted, Standing, admit};
pub use client::{Capability, Client, Trace};
pub use envelope::{Batch, Envelope, Notification, Params, Refusal, RequestEnvelope};
pub use outline::{MAX_DEPTH, MAX_KEYS, Reader};
pub use oversized::Skim;
pub use request::{Arguments, Request, ToolCall};

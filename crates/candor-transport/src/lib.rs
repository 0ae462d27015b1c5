//! Bytes in and out. Nothing else in candor knows a descriptor, a pipe or a line end.
//!
//! A transport serves any [`Answerer`]: it gives it one message at a time and sends what comes
//! back. Read the modules in the order in which bytes meet them:
//!
//! ```text
//! stdio, memory ─▶ framing ─▶ lines ─▶ Answerer ─▶ Outbox ─▶ lines ─▶ stdio, memory
//! ```
//!
//! **What is not here:** what a message means. A line that holds no message at all still goes to
//! the answerer, which knows what to say to it.

#![forbid(unsafe_code)]

mod answerer;
mod framing;
mod lines;
pub mod memory;
pub mod stdio;

pub use answerer::{Answerer, HowItEnds, Outbox};
pub use lines::{Limits, serve};

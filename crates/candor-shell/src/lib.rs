//! Tools that are shell functions: one warm bash per file, a fork of it per call.

#![forbid(unsafe_code)]

mod call;
mod channels;
mod comments;
mod environment;
mod groups;
mod loader;
mod options;
mod output;
mod run;
mod runner;
mod tools;
mod warm;
mod worker;
mod written;

pub use loader::{Core, Function, LoadError, Loaded, Settings};
pub use options::Options;
pub use output::Said;
pub use run::{Ended, Ran};
pub use tools::{Exposure, Tools};
pub use worker::{Worker, WorkerError};

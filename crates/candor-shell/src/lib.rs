//! Tools that are shell functions: one warm bash per file, a fork of it per call.

#![forbid(unsafe_code)]

mod channels;
mod comments;
mod environment;
mod groups;
mod loaded;
mod loader;
mod options;
mod output;
mod run;
mod runner;
mod warm;
mod worker;

pub use loaded::{Core, Function, Loaded, Settings};
pub use loader::LoadError;
pub use options::Options;
pub use output::Said;
pub use run::{Ended, Ran};
pub use worker::{Worker, WorkerError};

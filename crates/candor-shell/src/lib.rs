//! Tools that are shell functions: one warm bash per file, a fork of it per call.
//!
//! [`Worker::start`] loads a file and says what it holds; [`Worker::call`] runs one of its
//! functions. The shell that loaded the file forks runners, one for each call that overlaps
//! another, and a runner forks each call, as leader of a process group. So the top level runs
//! once, nothing a call changes outlives it, and what it leaves running is ended with it. A child
//! that leaves the group (`setsid`) is not.
//!
//! **What is not here:** no words for a model. A call ends in one of the ways of [`Ended`], and
//! whoever called puts that into a sentence.

#![forbid(unsafe_code)]

mod assembled;
mod call;
mod channels;
mod comments;
mod declared;
mod early;
mod environment;
mod exposure;
mod findings;
mod folder;
mod functions;
mod groups;
mod joined;
mod kept;
mod loaded;
mod loader;
mod media;
mod offered;
mod options;
mod outlet;
mod output;
mod programs;
mod run;
mod runner;
mod seen;
mod tags;
mod target;
mod terms;
mod tools;
mod verbs;
mod warm;
mod work;
mod worker;
mod written;

pub use exposure::Exposure;
pub use folder::Attached;
pub use loaded::{Core, Function, Loaded, Settings};
pub use loader::LoadError;
pub use options::{Options, Rates};
pub use output::Said;
pub use run::{Ended, Ran};
pub use tools::Tools;
pub use work::Work;
pub use worker::{Worker, WorkerError};

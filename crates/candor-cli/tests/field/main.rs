//! Failures that people have met with the servers and clients of others, each with the input that
//! shows it and the right value, asked of the program from outside. `README.md` lists them all; a
//! doc comment `B105: …` above a test says which it shows.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "the lints know tests, but not what tests share"
)]

mod arguments;
mod bytes;
mod caller;
mod channel;
mod children;
mod envelope;
mod host;
mod leaks;
mod lifecycle;
mod list;
mod opaque;
mod repeats;
mod revisions;
mod schemas;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../program/stage.rs"]
mod stage;
mod status;
mod structure;
mod success;
mod text;
mod unknown;
mod validation;
mod words;

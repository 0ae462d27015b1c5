//! The failure contract, as tests: each name is one of its sentences, each body what was said and
//! what came back.

#![cfg(test)]

#[path = "../stage/mod.rs"]
mod stage;

mod said;

mod admission;
mod batches;
mod cancelling;
mod content;
mod ending;
mod envelope;
mod finding;
mod head_to_head;
mod legacy;
mod masking;
mod params;
#[cfg(unix)]
mod processes;
mod progress;
mod properties;
mod schemas;
mod tools;
#[cfg(unix)]
mod transcripts;

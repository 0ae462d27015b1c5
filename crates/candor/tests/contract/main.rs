//! The failure contract, as tests: each name is one of its sentences, each body what was said and
//! what came back.

#![cfg(test)]

#[path = "../stage/mod.rs"]
mod stage;

mod said;

// In the order in which a message meets them.
mod admission;
mod cancelling;
mod ending;
mod envelope;
mod finding;
mod params;
mod tools;

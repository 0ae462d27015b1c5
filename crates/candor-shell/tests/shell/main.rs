//! Files of shell functions, served and called.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy takes only functions marked as tests for tests, not what they share"
)]

mod calling;
mod ending;
mod loading;
mod programs;
mod serve;
mod verbs;

//! The program as people, scripts and hosts use it: what is typed, what is printed where, and how
//! it ends. Whole outputs are compared.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "the lints know tests, but not what tests share")]

mod calling;
mod config;
mod examples;
mod help;
mod limiting;
mod listing;
mod logging;
mod new;
mod redacting;
mod serving;
mod stage;
mod usage;
mod verbs;

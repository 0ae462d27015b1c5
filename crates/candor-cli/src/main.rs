//! Placeholder head.
#![forbid(unsafe_code)]
fn main() {}

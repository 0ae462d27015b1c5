//! What the tests of candor say to a server, and how they look at what comes back.
//!
//! | module | for |
//! |---|---|
//! | [`message`] | requests as a client would write them |
//! | [`ask`], [`asks`], [`converse`] | one conversation from beginning to end, in memory |
//! | [`peer`] | the other end of any connection: a wire in memory, or a child process |
//! | [`transcript`] | conversations kept as text, replayed against any peer |
//! | [`fault`] | streams that arrive in pieces, or stop |
//! | [`fuzz`] | what must hold of a session whatever is said in it |
//!
//! Only what knows nothing of any particular server is here, so that every server can be asked
//! the same questions.

#![forbid(unsafe_code)]
#![expect(clippy::panic, reason = "a test that cannot go on says so by panicking")]

mod conversation;
pub mod fault;
mod fold;
pub mod fuzz;
pub mod message;
pub mod peer;
pub mod transcript;

pub use conversation::{ask, asks, converse, paused};
pub use fold::fold_incidents;

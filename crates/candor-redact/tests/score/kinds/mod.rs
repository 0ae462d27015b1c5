//! A kind to a secret of it, made up but of its vendor's form.

mod cloud;
mod code;
mod lines;
mod named;
mod private_keys;
mod services;
mod urls;

pub(crate) use private_keys::pem;

use super::random::Random;
use super::written::Written;

/// How a secret can be told from other text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// By itself.
    Token,
    /// Only by the name that stands beside it.
    Named,
    /// By what surrounds it in the same word: a URL, a connection string.
    Word,
    /// By the line that it stands in.
    Line,
    /// By several lines.
    Block,
}

/// A kind of secret.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// Names under which it is found, in `snake_case`.
    pub(crate) keys: &'static [&'static str],
    pub(crate) make: fn(&mut Random) -> Written,
}

/// Those that a writer of rules may look at.
pub(crate) fn seen() -> Vec<&'static Kind> {
    let groups = [
        cloud::KINDS,
        code::KINDS,
        services::KINDS,
        private_keys::KINDS,
        urls::KINDS,
        lines::KINDS,
        named::KINDS,
    ];
    groups.into_iter().flatten().collect()
}

/// A prefix that everybody knows, and what nobody does.
pub(crate) fn token(prefix: &str, core: &str) -> Written {
    Written::default().known(prefix).secret(core)
}

/// A secret between texts that may stay.
pub(crate) fn between(before: &str, secret: &str, after: &str) -> Written {
    Written::plain(before).secret(secret).then(after)
}

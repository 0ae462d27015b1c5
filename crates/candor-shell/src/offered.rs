//! What a file or a folder offers, before it is known what callers may see of it.

use candor::{About, Definition, Hints};

use crate::declared::Declared;
use crate::tags::Limits;
use crate::work::Runs;

/// What a file or a folder offers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offered {
    /// What it says of the server.
    pub(crate) about: Option<About>,
    /// What it says of its list of tools.
    pub(crate) hints: Option<Hints>,
    pub(crate) offers: Vec<Offer>,
}

/// A tool that is offered.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) definition: Definition,
    pub(crate) runs: Runs,
    pub(crate) limits: Limits,
    /// May it ask the user?
    #[expect(dead_code, reason = "nobody can be asked yet")]
    pub(crate) asks: bool,
    pub(crate) is_listed: bool,
}

impl Offer {
    pub(crate) fn new(definition: Definition, runs: Runs, comment: &Declared) -> Self {
        let limits = comment.declaration.limits.clone();
        Self { definition, runs, limits, asks: comment.declaration.asks, is_listed: true }
    }

    /// The same, for those who know of it.
    pub(crate) fn unlisted(self) -> Self {
        Self { is_listed: false, ..self }
    }
}

/// What is a reason not to start is only a line in the log once the server runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    AtStart,
    Later,
}

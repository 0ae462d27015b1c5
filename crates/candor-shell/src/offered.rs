//! What a file or a folder offers, before it is known what callers may see of it.

use std::path::{Path, PathBuf};

use candor::{About, Definition, Hints, Turns};

use crate::declared::Declared;
use crate::options::Rates;
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
    /// The file it comes from, as its author calls it.
    pub(crate) origin: PathBuf,
    /// Counts its calls, whichever version of it runs them; no limit until the server's are known.
    pub(crate) turns: Turns,
}

impl Offer {
    pub(crate) fn new(definition: Definition, runs: Runs, comment: &Declared) -> Self {
        let limits = comment.declaration.limits.clone();
        let turns = Turns::default();
        let (asks, origin) = (comment.declaration.asks, PathBuf::new());
        Self { definition, runs, limits, asks, is_listed: true, origin, turns }
    }

    pub(crate) fn from(self, origin: &Path) -> Self {
        Self { origin: origin.to_owned(), ..self }
    }

    /// The same, for those who know of it.
    pub(crate) fn unlisted(self) -> Self {
        Self { is_listed: false, ..self }
    }
}

impl Offered {
    /// Gives each tool its turns: by its own limits, and by the rate that the server sets.
    pub(crate) fn limited(mut self, rates: Rates) -> Self {
        for Offer { limits, turns, .. } in &mut self.offers {
            *turns = Turns::new();
            let rate = match rates {
                Rates::AsDeclared => limits.rate,
                Rates::Unless(rate) => limits.rate.or(Some(rate)),
                Rates::Off => None,
            };
            if let Some(rate) = rate {
                *turns = std::mem::take(turns).rate(rate);
            }
            if let Some(at_once) = limits.at_once {
                *turns = std::mem::take(turns).at_once(at_once);
            }
        }
        self
    }

    /// Counts calls on where an older version of the same tools does.
    pub(crate) fn counts_on(&mut self, before: &Self) {
        for offer in &mut self.offers {
            let is_same = |it: &&Offer| {
                it.definition.name() == offer.definition.name() && it.limits == offer.limits
            };
            if let Some(before) = before.offers.iter().find(is_same) {
                offer.turns = before.turns.clone();
            }
        }
    }
}

/// What is a reason not to start is only a line in the log once the server runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    AtStart,
    Later,
}

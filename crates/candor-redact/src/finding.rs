//! Places in a text, and what shall stand there instead.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use crate::bytes::part;
use crate::exact::Known;
use crate::marks::{self, Mark};

/// What a mark says was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Kind(&'static str),
    /// One of the secrets that we hold, by its number.
    Known(usize),
}

/// What becomes of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cure {
    Mark(Label),
    /// Only this part of it stays, which may be nothing.
    Keep(usize, usize),
}

/// A place in a text that must not stay as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) cure: Cure,
    pub(crate) certainty: Certainty,
    /// Equal for equal values, in whatever encoding they stand.
    pub(crate) identity: u64,
}

/// How much a rule knows. Where two findings overlap, the better one names the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Certainty {
    /// We hold this very value.
    Held,
    /// The value says itself what it is.
    SelfEvident,
    /// It stands where such a value stands.
    Placed,
    /// What is around it calls it so.
    Named,
    /// It is no credential, but nothing that a model needs.
    Internal,
}

static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// A number that is equal for equal values, and tells nothing about them.
pub(crate) fn identity(value: &[u8]) -> u64 {
    HASHER.hash_one(value)
}

/// The numbers that values have got so far.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    given: HashMap<u64, u32>,
    last: u32,
    /// How many credentials were masked.
    pub(crate) credentials: usize,
}

impl Numbers {
    /// Leaves out the numbers of marks that are there already.
    pub(crate) fn skip(&mut self, mark: Mark) {
        self.last = self.last.max(mark.number);
    }

    pub(crate) fn number(&mut self, identity: u64) -> u32 {
        let next = self.last.saturating_add(1);
        let number = *self.given.entry(identity).or_insert(next);
        self.last = self.last.max(number);
        number
    }
}

/// Writes the text anew, with what was found in it replaced. `None` if nothing was.
pub(crate) fn apply(
    text: &str,
    found: Vec<Finding>,
    known: Option<&Known>,
    numbers: &mut Numbers,
) -> Option<String> {
    let marks: Vec<Mark> = marks::all(text.as_bytes()).collect();
    let found = around(&marks, joined(found));
    if found.is_empty() {
        return None;
    }
    for mark in &marks {
        numbers.skip(*mark);
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for finding in found {
        let start = text.floor_char_boundary(finding.start);
        let end = text.ceil_char_boundary(finding.end);
        if start < done {
            continue;
        }
        out.push_str(text.get(done..start).unwrap_or_default());
        match finding.cure {
            Cure::Keep(from, to) => out.push_str(text.get(from..to).unwrap_or_default()),
            Cure::Mark(label) => {
                let number = numbers.number(finding.identity);
                let kind = match label {
                    Label::Kind(kind) => kind,
                    Label::Known(which) => known.map_or("secret", |known| known.kind(which)),
                };
                numbers.credentials += usize::from(finding.certainty != Certainty::Internal);
                marks::write(&mut out, kind, number);
            }
        }
        done = end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Some(out)
}

/// In order, and none overlapping another.
fn joined(mut found: Vec<Finding>) -> Vec<Finding> {
    found.sort_by_key(|finding| (finding.start, finding.end));
    let mut joined: Vec<Finding> = Vec::with_capacity(found.len());
    for next in found {
        match joined.last_mut() {
            Some(last) if next.start < last.end => {
                let better = next.certainty < last.certainty;
                last.end = last.end.max(next.end);
                if better {
                    (last.cure, last.certainty) = (next.cure, next.certainty);
                    last.identity = next.identity;
                }
            }
            _ => joined.push(next),
        }
    }
    joined
}

/// Leaves the marks of before as they are, and takes what stands around them.
fn around(marks: &[Mark], found: Vec<Finding>) -> Vec<Finding> {
    if marks.is_empty() {
        return found;
    }
    let mut kept = Vec::with_capacity(found.len());
    let mut marks = marks.iter().peekable();
    for finding in found {
        while marks.next_if(|mark| mark.end <= finding.start).is_some() {}
        let mut start = finding.start;
        while let Some(mark) = marks.next_if(|mark| mark.start < finding.end) {
            if start < mark.start {
                kept.push(Finding { start, end: mark.start, ..finding });
            }
            start = mark.end;
        }
        if start < finding.end {
            kept.push(Finding { start, ..finding });
        }
    }
    kept
}

/// A finding whose value is these bytes of the text.
pub(crate) fn marked(
    text: &[u8],
    start: usize,
    end: usize,
    kind: &'static str,
    certainty: Certainty,
) -> Finding {
    let identity = identity(part(text, start, end));
    Finding { start, end, cure: Cure::Mark(Label::Kind(kind)), certainty, identity }
}

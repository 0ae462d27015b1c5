//! One text under examination: what was found in it, and what that has cost.

use crate::effort::Effort;
use crate::exact::Known;
use crate::finding::{Certainty, Finding, marked};
use crate::{anchors, columns, runs, views};

/// Encodings within encodings are followed so far.
const DEEPEST: u8 = 3;

pub(crate) struct Scan<'s> {
    pub(crate) text: &'s [u8],
    pub(crate) known: Option<&'s Known>,
    pub(crate) effort: &'s mut Effort,
    pub(crate) found: Vec<Finding>,
    /// Names before this place have been read.
    pub(crate) named_until: usize,
    depth: u8,
}

impl<'s> Scan<'s> {
    pub(crate) const fn new(
        text: &'s [u8],
        known: Option<&'s Known>,
        effort: &'s mut Effort,
    ) -> Self {
        Self { text, known, effort, found: Vec::new(), named_until: 0, depth: 0 }
    }

    /// Every credential in the text.
    pub(crate) fn credentials(&mut self) {
        if let Some(known) = self.known {
            known.find(self.text, &mut self.found);
        }
        self.effort.sweep(self.text.len());
        anchors::look(self);
        self.effort.sweep(self.text.len());
        runs::look(self);
        self.effort.sweep(self.text.len());
        columns::look(self);
        if self.depth < DEEPEST {
            self.effort.sweep(self.text.len());
            views::look(self);
        }
    }

    /// Every credential in another text, which stands encoded in this one.
    pub(crate) fn within(&mut self, decoded: &[u8]) -> Vec<Finding> {
        if self.depth >= DEEPEST {
            return Vec::new();
        }
        let mut inner = Scan {
            text: decoded,
            known: self.known,
            effort: &mut *self.effort,
            found: Vec::new(),
            named_until: 0,
            depth: self.depth + 1,
        };
        inner.credentials();
        inner.found
    }

    pub(crate) fn mark(
        &mut self,
        start: usize,
        end: usize,
        kind: &'static str,
        certainty: Certainty,
    ) {
        if start < end {
            self.found.push(marked(self.text, start, end, kind, certainty));
        }
    }
}

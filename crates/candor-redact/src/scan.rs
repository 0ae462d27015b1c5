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
    /// Values before this place have been read.
    pub(crate) valued_until: usize,
    /// The same for lines of cookies, for keys of AWS, and for documents around a word.
    pub(crate) cookies_until: usize,
    pub(crate) aws_until: usize,
    pub(crate) documents_until: usize,
    depth: u8,
}

impl<'s> Scan<'s> {
    pub(crate) const fn new(
        text: &'s [u8],
        known: Option<&'s Known>,
        effort: &'s mut Effort,
    ) -> Self {
        Self {
            text,
            known,
            effort,
            found: Vec::new(),
            named_until: 0,
            valued_until: 0,
            cookies_until: 0,
            aws_until: 0,
            documents_until: 0,
            depth: 0,
        }
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

    /// Every credential in another text, which stands encoded in this one, at this place.
    pub(crate) fn within(&mut self, decoded: &[u8], place: usize) -> Vec<Finding> {
        if self.depth >= DEEPEST {
            return Vec::new();
        }
        let outer = self.effort.enter();
        let mut inner = Scan::new(decoded, self.known, &mut *self.effort);
        inner.depth = self.depth + 1;
        inner.credentials();
        let found = inner.found;
        if self.effort.leave(outer) {
            self.effort.cut(place);
        }
        found
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

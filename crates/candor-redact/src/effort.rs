//! How much work a text may cost, whatever it holds.
//!
//! Every rule says how many bytes it looks at. The sum is bounded by the length of the text, so
//! no text can cost more than its length times a constant. What cannot be looked at within that,
//! or within the time, is cut from the text: nothing goes out unread.

use std::time::Instant;

/// So many bytes may be looked at for each byte of the text, in each sweep over it.
const LOOKS_PER_BYTE: usize = 48;
/// And so many more, so that short texts are never the ones that are cut.
const LOOKS: usize = 1 << 16;
/// The clock is read once in so many bytes.
const BETWEEN_CLOCKS: usize = 1 << 16;

#[derive(Debug)]
pub(crate) struct Effort {
    /// All bytes looked at.
    spent: usize,
    /// What the sweep may still cost.
    left: usize,
    clock: usize,
    until: Option<Instant>,
    late: bool,
    /// From here on, nobody looked.
    cut: usize,
}

/// What a text has left while another one within it is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outer {
    left: usize,
    cut: usize,
}

impl Effort {
    pub(crate) fn new(until: Option<Instant>) -> Self {
        Self { spent: 0, left: 0, clock: 0, until, late: false, cut: usize::MAX }
    }

    /// Begins another look over a text.
    pub(crate) fn sweep(&mut self, length: usize) {
        self.left = length.saturating_mul(LOOKS_PER_BYTE).saturating_add(LOOKS);
    }

    /// Begins to look at a text within the text, which has sweeps of its own.
    pub(crate) const fn enter(&mut self) -> Outer {
        let outer = Outer { left: self.left, cut: self.cut };
        self.cut = usize::MAX;
        outer
    }

    /// Goes back to the outer text. Was the inner one cut?
    pub(crate) const fn leave(&mut self, outer: Outer) -> bool {
        let was_cut = self.cut != usize::MAX;
        (self.left, self.cut) = (outer.left, outer.cut);
        was_cut
    }

    /// May a rule look at so many bytes?
    #[must_use]
    pub(crate) fn spend(&mut self, bytes: usize) -> bool {
        self.spent = self.spent.saturating_add(bytes);
        self.clock += bytes;
        if self.clock >= BETWEEN_CLOCKS {
            self.clock = 0;
            self.late = self.late || self.until.is_some_and(|until| Instant::now() >= until);
        }
        let enough = self.left >= bytes;
        self.left = self.left.saturating_sub(bytes);
        enough && !self.late
    }

    /// What is there from this place on must not leave.
    pub(crate) fn cut(&mut self, place: usize) {
        self.cut = self.cut.min(place);
    }

    /// Where the text must end, if that is before its end.
    pub(crate) fn is_cut(&self, length: usize) -> Option<usize> {
        (self.cut < length).then_some(self.cut)
    }

    pub(crate) const fn spent(&self) -> usize {
        self.spent
    }
}

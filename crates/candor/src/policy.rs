//! What a caller may do, and how much of it at once.

/// What holds for every connection of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// How many calls of one caller may be in flight. Further ones wait.
    pub in_flight: usize,
    /// How many requests of one caller may wait. Beyond that, nothing more is read from it.
    pub waiting: usize,
    /// Each request is answered before the next is begun.
    pub in_order: bool,
    /// Clients that open with `initialize` are refused.
    pub modern_only: bool,
}

/// The most bytes of one caller's requests that may wait, however few they are.
pub(crate) const WAITING_BYTES: usize = 1024 * 1024;

impl Default for Policy {
    /// 16 calls in flight, 64 requests waiting, answers as they come, every revision.
    fn default() -> Self {
        Self { in_flight: 16, waiting: 64, in_order: false, modern_only: false }
    }
}

impl Policy {
    /// How many calls may be in flight, and never none.
    pub(crate) fn at_once(self) -> usize {
        if self.in_order { 1 } else { self.in_flight.max(1) }
    }
}

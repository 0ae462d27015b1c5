//! What a transport serves: something that answers messages.

use std::task::{Context, Poll};

use candor_protocol::inbound::Skim;

/// Answers the messages of one connection.
///
/// It is driven, not spawned: the transport calls it with a message, polls it while work is in
/// progress, and sends what stands in the outbox. An answer that is ready at once costs no task,
/// no channel and no allocation on the way.
///
/// Dropping it cancels whatever is in progress.
pub trait Answerer {
    /// Takes one message. Answers that are ready go to `out`.
    ///
    /// Work that is not may keep the waker; [`Answerer::poll_answers`] is called before the task
    /// sleeps.
    fn receive(&mut self, context: &mut Context<'_>, message: &[u8], out: &mut Outbox);

    /// Takes note of a message that was larger than `limit` bytes and has been thrown away.
    fn receive_oversized(&mut self, message: &Skim, limit: usize, out: &mut Outbox);

    /// May another message be given? If not, the transport stops reading, and the peer blocks.
    fn has_room(&self) -> bool;

    /// Goes on with the work in progress; what has come out of it goes to `out`.
    ///
    /// `Ready` if nothing is in progress.
    fn poll_answers(&mut self, context: &mut Context<'_>, out: &mut Outbox) -> Poll<()>;

    /// The connection is about to end: no message comes after those that are still unread.
    fn end(&mut self, how: HowItEnds);
}

/// How a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "an answerer must know what to do about each")]
pub enum HowItEnds {
    /// The peer will say no more. Work in progress may finish.
    InputEnded,
    /// Time is up: whatever is unfinished is stopped now, and answered.
    Now,
}

/// Messages on their way out, in order.
#[derive(Debug, Default)]
pub struct Outbox {
    bytes: Vec<u8>,
    sent: usize,
}

impl Outbox {
    /// Appends one message, which `write` writes without a line end.
    pub fn send(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.bytes.push(b'\n');
    }

    /// How many bytes wait to be sent.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes.len() - self.sent
    }

    /// Is there nothing to send?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes that wait to be sent: whole lines, the first perhaps begun.
    #[must_use]
    pub fn waiting(&self) -> &[u8] {
        self.bytes.get(self.sent..).unwrap_or_default()
    }

    /// So many of them have been sent.
    pub fn advance(&mut self, sent: usize) {
        self.sent = self.bytes.len().min(self.sent + sent);
        if self.is_empty() {
            self.bytes.clear();
            self.bytes.shrink_to(Self::USUAL);
            self.sent = 0;
        } else if self.sent >= self.len() {
            // A peer that is always a little behind must not make us keep what it has read. Moving
            // no more bytes than have been sent costs each byte one move.
            self.bytes.drain(..self.sent);
            self.sent = 0;
        }
    }

    /// Kept between answers, in bytes; more than this was an exception.
    const USUAL: usize = 128 * 1024;
}

#[cfg(test)]
mod tests {
    use super::Outbox;

    #[test]
    fn a_peer_that_is_always_a_little_behind_costs_no_more_for_it() {
        let mut outbox = Outbox::default();
        let message = [b'x'; 1000];
        for _ in 0..10_000 {
            outbox.send(|out| out.extend_from_slice(&message));
            outbox.send(|out| out.extend_from_slice(&message));
            outbox.advance(outbox.len() - 7);
            assert!(outbox.waiting().ends_with(b"xxxxxx\n"));
            assert!(outbox.bytes.capacity() < 4 * Outbox::USUAL);
        }
    }
}

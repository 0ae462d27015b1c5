//! Bytes to lines, each within the size limit or thrown away.

use candor_protocol::inbound::Skim;

/// What a connection that says little costs, in bytes.
const USUAL: usize = 64 * 1024;

/// The line buffer of one connection.
#[derive(Debug)]
pub(crate) struct Framing {
    /// All of it is initialised; `start..end` holds what has been read and not yet taken.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// No line end stands before this.
    searched: usize,
    limit: usize,
    /// The rest of a line that is too long is walked over here.
    skim: Option<Skim>,
    has_ended: bool,
}

/// What the next line is.
#[derive(Debug)]
pub(crate) enum Frame<'a> {
    Line(&'a [u8]),
    Oversized(Skim),
}

impl Framing {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            end: 0,
            searched: 0,
            limit,
            skim: None,
            has_ended: false,
        }
    }

    /// Where the next bytes are to be read to. Never empty, and never more than the limit needs.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end, self.searched) = (0, 0, 0);
            if self.buffer.len() > USUAL {
                self.buffer = Vec::new();
            }
        }
        if self.end == self.buffer.len() {
            if self.start > 0 {
                self.buffer.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.searched -= self.start;
                self.start = 0;
            } else {
                // One byte over the limit is enough to know that a line is too long.
                let most = self.limit.saturating_add(2).max(USUAL);
                let length = (self.buffer.len() * 2).clamp(USUAL, most);
                self.buffer.reserve_exact(length - self.buffer.len());
                self.buffer.resize(length, 0);
            }
        }
        self.buffer.get_mut(self.end..).unwrap_or_default()
    }

    /// So many bytes have been read; none means that the input has ended.
    pub(crate) fn filled(&mut self, count: usize) {
        self.end = self.buffer.len().min(self.end + count);
        self.has_ended |= count == 0;
    }

    /// Is there space for more, without keeping more than usual?
    pub(crate) fn may_read_ahead(&self) -> bool {
        self.end - self.start < USUAL
    }

    /// The input has ended; lines may be left.
    pub(crate) const fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The input has ended and every line has been taken.
    pub(crate) fn is_finished(&self) -> bool {
        self.has_ended && self.start == self.end && self.skim.is_none()
    }

    /// The next line that says anything, without its line end.
    pub(crate) fn next(&mut self) -> Option<Frame<'_>> {
        loop {
            let unsearched = self.buffer.get(self.searched..self.end)?;
            let line_end = memchr::memchr(b'\n', unsearched).map(|at| self.searched + at);
            let (line_end, next_line) = match line_end {
                Some(at) => (at, at + 1),
                None if self.has_ended && (self.start < self.end || self.skim.is_some()) => {
                    (self.end, self.end)
                }
                None => {
                    self.searched = self.end;
                    self.discard_if_oversized();
                    return None;
                }
            };
            let line = self.start..line_end;
            (self.start, self.searched) = (next_line, next_line);
            if self.skim.is_some() || line.len() > self.limit.saturating_add(1) {
                let mut skim = self.skim.take().unwrap_or_default();
                skim.read(self.buffer.get(line).unwrap_or_default());
                return Some(Frame::Oversized(skim));
            }
            let text = self.buffer.get(line.clone()).unwrap_or_default();
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            if text.len() > self.limit {
                let mut skim = Skim::default();
                skim.read(text);
                return Some(Frame::Oversized(skim));
            }
            if !text.iter().all(u8::is_ascii_whitespace) {
                let length = text.len();
                return self.buffer.get(line.start..line.start + length).map(Frame::Line);
            }
        }
    }

    /// A line that has not ended and is too long already is not kept.
    fn discard_if_oversized(&mut self) {
        let held = self.end - self.start;
        if self.skim.is_none() && held <= self.limit.saturating_add(1) {
            return;
        }
        let skim = self.skim.get_or_insert_default();
        skim.read(self.buffer.get(self.start..self.end).unwrap_or_default());
        (self.start, self.end, self.searched) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, Framing};

    /// Every line, with `!` for an oversized one, read in pieces of so many bytes.
    fn lines(input: &[u8], limit: usize, piece: usize) -> Vec<String> {
        let mut framing = Framing::new(limit);
        let mut found = Vec::new();
        let mut rest = input;
        while !framing.is_finished() {
            let space = framing.space();
            let count = rest.len().min(piece).min(space.len());
            space[..count].copy_from_slice(&rest[..count]);
            framing.filled(count);
            rest = &rest[count..];
            while let Some(frame) = framing.next() {
                found.push(match frame {
                    Frame::Line(line) => String::from_utf8_lossy(line).into_owned(),
                    Frame::Oversized(skim) => {
                        assert!(skim.refusal(limit).is_some());
                        "!".to_owned()
                    }
                });
            }
        }
        found
    }

    #[test]
    fn lines_are_found_however_the_bytes_arrive() {
        for piece in [1, 2, 3, 7, 1000] {
            assert_eq!(
                lines(b"a\r\n\n  \nbc\n\r\nlast", 100, piece),
                ["a", "bc", "last"],
                "pieces of {piece}"
            );
        }
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_kept_and_one_more_byte_is_not() {
        for piece in [1, 3, 1000] {
            assert_eq!(lines(b"12345\r\n123456\nx\n", 5, piece), ["12345", "!", "x"]);
            assert_eq!(lines(b"123456", 5, piece), ["!"]);
            assert_eq!(lines(b"123456\r\n1\r", usize::MAX, piece), ["123456", "1"]);
            assert_eq!(lines(b"12345678\n\n1\n12345678901234\n2", 5, piece), ["!", "1", "!", "2"]);
        }
    }

    #[test]
    fn an_endless_line_costs_no_more_than_the_limit() {
        let limit = 256 * 1024;
        let mut framing = Framing::new(limit);
        for _ in 0..1000 {
            let space = framing.space();
            space.fill(b'x');
            let count = space.len();
            framing.filled(count);
            assert!(framing.next().is_none());
            assert!(framing.buffer.capacity() <= limit + 2);
        }
    }
}

//! What a function prints to what is kept of it.

use std::collections::VecDeque;

/// What a function printed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// The bytes, from the first on.
    pub bytes: Vec<u8>,
    /// How many bytes came after these and were dropped, if any. The cut is between characters.
    pub cut: Option<u64>,
}

/// Keeps the beginning.
#[derive(Debug)]
pub(crate) struct Head {
    said: Said,
    most: usize,
}

/// Keeps the end.
#[derive(Debug)]
pub(crate) struct Tail {
    bytes: VecDeque<u8>,
    most: usize,
    cut: bool,
}

impl Head {
    pub(crate) fn new(most: usize) -> Self {
        Self { said: Said::default(), most }
    }

    pub(crate) fn finish(self) -> Said {
        self.said
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let kept = &mut self.said.bytes;
        if let Some(dropped) = &mut self.said.cut {
            *dropped += bytes.len() as u64;
            return;
        }
        let room = self.most - kept.len();
        let Some((fits, rest)) = bytes.split_at_checked(room) else {
            kept.extend_from_slice(bytes);
            return;
        };
        kept.extend_from_slice(fits);
        if let Some(first) = rest.first() {
            let whole = if continues(*first) { whole_characters(kept) } else { kept.len() };
            self.said.cut = Some((rest.len() + kept.len() - whole) as u64);
            kept.truncate(whole);
        }
    }
}

impl Tail {
    pub(crate) fn new(most: usize) -> Self {
        Self { bytes: VecDeque::new(), most, cut: false }
    }

    /// What is kept, from a whole character on.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let broken = self.bytes.iter().take(3).take_while(|byte| continues(**byte)).count();
        self.bytes.iter().skip(if self.cut { broken } else { 0 }).copied().collect()
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        let over = self.bytes.len().saturating_sub(self.most);
        self.cut |= over > 0;
        self.bytes.drain(..over);
    }
}

fn continues(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The length of `bytes` without a character that is not all there.
fn whole_characters(bytes: &[u8]) -> usize {
    let last = bytes.iter().rev().take(4).position(|byte| !continues(*byte));
    // No character is that long: this is not text, and any place is as good.
    last.map_or(bytes.len(), |back| bytes.len() - back - 1)
}

#[cfg(test)]
mod tests {
    use super::{Head, Said, Tail};

    fn head(most: usize, parts: &[&[u8]]) -> Said {
        let mut head = Head::new(most);
        for part in parts {
            head.add(part);
        }
        head.finish()
    }

    #[test]
    fn what_fits_is_kept_whole() {
        assert_eq!(head(4, &[b"ab", b"cd"]), Said { bytes: b"abcd".into(), cut: None });
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let said = Said { bytes: b"abc".into(), cut: Some(4) };
        assert_eq!(head(3, &[b"ab", b"cd", b"efg"]), said);
    }

    #[test]
    fn the_cut_is_between_characters() {
        let said = Said { bytes: "aä".into(), cut: Some(3) };
        assert_eq!(head(4, &["aä€".as_bytes()]), said);
        let said = Said { bytes: "aä".into(), cut: Some(1) };
        assert_eq!(head(3, &["aäb".as_bytes()]), said);
    }

    #[test]
    fn bytes_that_are_no_text_are_cut_anywhere() {
        assert_eq!(head(5, &[&[0x80; 8]]), Said { bytes: vec![0x80; 5], cut: Some(3) });
    }

    #[test]
    fn a_tail_keeps_the_end_from_a_whole_character_on() {
        let mut tail = Tail::new(4);
        tail.add("xx€".as_bytes());
        assert_eq!(tail.bytes(), "x€".as_bytes());
        tail.add("ab".as_bytes());
        assert_eq!(tail.bytes(), b"ab");
    }
}

//! Does a value look as if a machine had drawn it, or as if somebody had written it?

use std::sync::LazyLock;

use crate::bytes::{at, contains};
use crate::checks::hex;

/// What a value is made of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Makeup {
    pub(crate) length: usize,
    pub(crate) lower: usize,
    pub(crate) upper: usize,
    pub(crate) digits: usize,
    /// Neither letters nor digits, and not `_`, `-`, `.`, `/` or a blank.
    pub(crate) signs: usize,
    pub(crate) joints: usize,
    pub(crate) blanks: usize,
    pub(crate) foreign: usize,
    pub(crate) distinct: usize,
    /// How often a letter follows a digit or a digit a letter.
    turns: usize,
    /// Letters next to each other, and how many of those are seldom so in words.
    pairs: usize,
    odd_pairs: usize,
    /// How often a byte is followed by itself or the next one, as in `aaaa` and `1234`.
    steps: usize,
}

impl Makeup {
    pub(crate) fn of(value: &[u8]) -> Self {
        let mut makeup = Self { length: value.len(), ..Self::default() };
        let mut seen = [false; 256];
        let mut last = 0_u8;
        for &byte in value {
            if let Some(seen) = seen.get_mut(usize::from(byte)) {
                makeup.distinct += usize::from(!*seen);
                *seen = true;
            }
            match byte {
                b'a'..=b'z' => makeup.lower += 1,
                b'A'..=b'Z' => makeup.upper += 1,
                b'0'..=b'9' => makeup.digits += 1,
                b'_' | b'-' | b'.' | b'/' => makeup.joints += 1,
                b' ' | b'\t' | b'\n' | b'\r' => makeup.blanks += 1,
                0x80.. => makeup.foreign += 1,
                _ => makeup.signs += 1,
            }
            let turned = byte.is_ascii_digit() && last.is_ascii_alphabetic()
                || byte.is_ascii_alphabetic() && last.is_ascii_digit();
            makeup.turns += usize::from(turned);
            if byte.is_ascii_alphabetic() && last.is_ascii_alphabetic() {
                makeup.pairs += 1;
                makeup.odd_pairs += usize::from(!is_common_pair(last, byte));
            }
            makeup.steps += usize::from(byte == last || byte == last.wrapping_add(1));
            last = byte;
        }
        makeup
    }

    pub(crate) const fn letters(&self) -> usize {
        self.lower + self.upper
    }

    /// At least eight letters that make no words.
    pub(crate) const fn is_gibberish(&self) -> bool {
        let is_odd = if self.pairs > 14 {
            self.odd_pairs * 3 >= self.pairs
        } else {
            self.odd_pairs * 5 >= self.pairs * 2
        };
        self.letters() >= 8 && self.pairs >= 4 && is_odd
    }

    /// At least sixteen bytes without an order that a person would give them.
    pub(crate) const fn is_random(&self) -> bool {
        let enough = self.length >= 16 && self.distinct >= 8 && self.blanks == 0;
        let mixed = self.digits > 0 && self.letters() > 0 && self.turns * 8 >= self.length
            || self.is_gibberish();
        enough && mixed && self.steps * 2 < self.length
    }

    /// Like the above for a short value, where less can be known.
    pub(crate) const fn is_mixed(&self) -> bool {
        self.length >= 8
            && self.blanks == 0
            && self.distinct * 2 > self.length.saturating_sub(16)
            && self.distinct >= 5
            && self.letters() > 0
            && (self.digits >= 2 && (self.turns >= 3 || self.signs > 0)
                || self.digits > 0
                    && self.turns > 0
                    && (self.turns * 5 >= self.length || self.is_gibberish()))
    }
}

/// What follows each letter in words and in names of programs, most of the time.
const FOLLOWERS: [&str; 26] = [
    "bcdgiklmnprstuvy",
    "aeilorsu",
    "acehiklorstu",
    "adeilorsu",
    "acdefgilmnpqrstvwx",
    "aefilorsu",
    "aehinrsu",
    "aeior",
    "abcdefglmnoprstvz",
    "",
    "eis",
    "adeilostuy",
    "abeimopsu",
    "acdefgiklnostuv",
    "bcdfgiklmnoprstuvw",
    "aehiloprstu",
    "u",
    "acdegiklmnoprstuvy",
    "acehiklopstuy",
    "acehiloprstuy",
    "abcefilmnprst",
    "aei",
    "aeinor",
    "ept",
    "nps",
    "e",
];

static PAIRS: LazyLock<[u32; 26]> = LazyLock::new(|| {
    FOLLOWERS.map(|followers| followers.bytes().fold(0, |set, letter| set | 1 << (letter - b'a')))
});

fn is_common_pair(first: u8, second: u8) -> bool {
    let place = |letter: u8| letter.to_ascii_lowercase().wrapping_sub(b'a');
    PAIRS.get(usize::from(place(first))).is_some_and(|set| set >> (place(second) & 31) & 1 == 1)
}

/// Was it written to show where a value would stand?
pub(crate) fn is_made_up(value: &[u8]) -> bool {
    let makeup = Makeup::of(value);
    let few = match value.len() {
        0..8 => 1,
        8..16 => 3,
        _ => 5,
    };
    makeup.distinct <= few
        || value.len() >= 8 && makeup.steps * 2 > value.len()
        || STAND_INS.iter().any(|word| contains(value, word))
        || is_hexadecimal_row(value)
}

/// Words that no value drawn by a machine holds, in so far as it is short.
const STAND_INS: &[&[u8]] = &[
    b"example",
    b"sample",
    b"dummy",
    b"placeholder",
    b"changeme",
    b"change_me",
    b"change-me",
    b"redacted",
    b"replace",
    b"insert",
    b"xxxx",
    b"****",
    b"....",
    b"-here",
    b"_here",
    b"your_",
    b"your-",
    b"yourt",
    b"yourk",
    b"yours",
    b"yourp",
    b"youra",
    b"not-a-",
    b"not_a_",
    b"notreal",
    b"fake",
    b"deadbeef",
    b"cafebabe",
    b"\xe2\x80\xa6",
];

/// `a1b2c3d4e5f6…`: two rows that run side by side.
fn is_hexadecimal_row(value: &[u8]) -> bool {
    let rows = value.windows(3).filter(|window| {
        let (first, third) = (at(window, 0), at(window, 2));
        third == first.wrapping_add(1) || first == b'9' && third == b'0'
    });
    // `00010203`: a row of bytes.
    let bytes = value.chunks(2).zip(value.chunks(2).skip(1));
    let steps = bytes.filter(|(first, second)| {
        let (Some(first), Some(second)) = (hex(first), hex(second)) else { return false };
        first.first().map(|byte| byte.wrapping_add(1)) == second.first().copied()
    });
    value.len() >= 10 && (rows.count() * 3 > value.len() * 2 || steps.count() * 3 > value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_values_are_random() {
        for value in [
            "9f86d081884c7d659a2feaa0c55ad015",
            "kJ8sd7fHJsd8fh3kLm2Q",
            "hTgRmWqLpZxNvBcKdSfY",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
            "x7k2m9q4w1z8r5t3",
        ] {
            assert!(Makeup::of(value.as_bytes()).is_random(), "{value}");
        }
    }

    #[test]
    fn written_values_are_not() {
        for value in [
            "my-service-account-name",
            "getApplicationContextPath",
            "release-2024-01-15-final",
            "com.example.application.Main",
            "the_quick_brown_fox_1",
            "SomeVeryLongTypeName2",
        ] {
            assert!(!Makeup::of(value.as_bytes()).is_random(), "{value}");
        }
    }

    #[test]
    fn stand_ins_are_made_up() {
        for value in [
            "xxxxxxxxxxxx",
            "1234567890abcdef",
            "abcdefghijklmnop",
            "your-api-key-here",
            "AKIAIOSFODNN7EXAMPLE",
            "a1b2c3d4e5f6g7h8",
            "0000000000000000",
        ] {
            assert!(is_made_up(value.as_bytes()), "{value}");
        }
        assert!(!is_made_up(b"kJ8sd7fHJsd8fh3kLm2Q"));
    }
}

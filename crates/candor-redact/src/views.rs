//! Text with escapes to the text that it means, and what is found there back to where it stands.
//!
//! URLs, JSON within JSON, shell, HTML: a credential may hide behind `%3D`, `\"`, `\u002d` or
//! `&quot;`. Only lines that hold an escape are read again.

use memchr::{memchr, memchr3_iter};

use crate::bytes::{at, line_end, line_start, part, run};
use crate::checks::hex_digit;
use crate::finding::Finding;
use crate::scan::Scan;

const LONGEST_LINE: usize = 1 << 20;

/// Looks at the text behind the escapes.
pub(crate) fn look(scan: &mut Scan<'_>) {
    let text = scan.text;
    let Some(view) = View::of(text) else { return };
    if !scan.effort.spend(view.decoded.len()) {
        return scan.effort.cut(0);
    }
    for finding in scan.within(&view.decoded, view.place(0)) {
        let (start, end) = (view.place(finding.start), view.place(finding.end));
        if start < end {
            scan.found.push(Finding { start, end, ..finding });
        }
    }
}

/// A decoded text, and where its parts come from.
struct View {
    decoded: Vec<u8>,
    /// Where in the decoded text a part begins, and where in the text.
    parts: Vec<(usize, usize)>,
}

impl View {
    /// `None` if nothing is escaped.
    fn of(text: &[u8]) -> Option<Self> {
        let mut view = Self { decoded: Vec::new(), parts: Vec::new() };
        let mut done = 0;
        for place in memchr3_iter(b'%', b'\\', b'&', text) {
            if place < done || unescape(text, place).is_none() {
                continue;
            }
            let start = line_start(text, place, LONGEST_LINE).max(done);
            let end = line_end(text, place, LONGEST_LINE);
            view.line(text, start, end);
            done = end;
        }
        (!view.decoded.is_empty()).then_some(view)
    }

    /// Takes one line, and the break after it.
    fn line(&mut self, text: &[u8], start: usize, end: usize) {
        let mut place = start;
        self.parts.push((self.decoded.len(), start));
        while place < end {
            let next = run(text, place, end - place, |byte| !matches!(byte, b'%' | b'\\' | b'&'));
            self.decoded.extend_from_slice(part(text, place, next));
            place = next;
            if place >= end {
                break;
            }
            match unescape(text, place) {
                Some((c, length)) if place + length <= end => {
                    self.parts.push((self.decoded.len(), place));
                    let mut buffer = [0; 4];
                    self.decoded.extend_from_slice(c.encode(&mut buffer));
                    place += length;
                    self.parts.push((self.decoded.len(), place));
                }
                _ => {
                    self.decoded.push(at(text, place));
                    place += 1;
                }
            }
        }
        self.parts.push((self.decoded.len(), end));
        self.decoded.push(b'\n');
        self.parts.push((self.decoded.len(), end));
    }

    /// Where a place of the decoded text is in the text.
    fn place(&self, decoded: usize) -> usize {
        let next = self.parts.partition_point(|(start, _)| *start <= decoded);
        let (start, place) = self.parts.get(next.saturating_sub(1)).copied().unwrap_or_default();
        let limit = self.parts.get(next).map_or(usize::MAX, |(_, place)| *place);
        (place + (decoded - start.min(decoded))).min(limit)
    }
}

/// What an escape stands for.
#[derive(Clone, Copy)]
enum Meaning {
    /// A byte, perhaps a part of a character.
    Byte(u8),
    Character(char),
}

impl Meaning {
    fn encode(self, buffer: &mut [u8; 4]) -> &[u8] {
        match self {
            Self::Byte(byte) => {
                buffer[0] = byte;
                buffer.get(..1).unwrap_or_default()
            }
            Self::Character(c) => c.encode_utf8(buffer).as_bytes(),
        }
    }
}

/// What stands escaped here, and how many bytes that takes.
fn unescape(text: &[u8], place: usize) -> Option<(Meaning, usize)> {
    let digits = |from: usize, count: usize| {
        part(text, from, from + count)
            .iter()
            .try_fold(0_u32, |number, byte| Some(number << 4 | u32::from(hex_digit(*byte)?)))
            .filter(|_| from + count <= text.len())
    };
    let byte = |number: u32| u8::try_from(number).ok().map(Meaning::Byte);
    match (at(text, place), at(text, place + 1)) {
        (b'%', _) => Some((byte(digits(place + 1, 2)?)?, 3)),
        (b'\\', b'n' | b'r') => Some((Meaning::Byte(b'\n'), 2)),
        (b'\\', b't') => Some((Meaning::Byte(b'\t'), 2)),
        (b'\\', sign @ (b'"' | b'\'' | b'/' | b'\\' | b'`' | b'$' | b'&' | b'=' | b':')) => {
            Some((Meaning::Byte(sign), 2))
        }
        (b'\\', b'x') => Some((byte(digits(place + 2, 2)?)?, 4)),
        (b'\\', b'u') if at(text, place + 2) == b'{' => {
            let length = memchr(b'}', part(text, place + 3, place + 10))?;
            let c = char::from_u32(digits(place + 3, length)?)?;
            Some((Meaning::Character(c), length + 4))
        }
        (b'\\', b'u') => {
            let c = char::from_u32(digits(place + 2, 4)?)?;
            Some((Meaning::Character(c), 6))
        }
        (b'\\', b'0'..=b'3') => {
            let number = part(text, place + 1, place + 4)
                .iter()
                .try_fold(0_u32, |number, byte| {
                    matches!(byte, b'0'..=b'7').then(|| number << 3 | u32::from(byte - b'0'))
                })
                .filter(|_| place + 4 <= text.len())?;
            Some((byte(number)?, 4))
        }
        (b'&', b'#') => {
            let length = memchr(b';', part(text, place + 2, place + 10))?;
            let number = part(text, place + 2, place + 2 + length);
            let number = std::str::from_utf8(number).ok()?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            Some((Meaning::Character(char::from_u32(number)?), length + 3))
        }
        (b'&', _) => [
            (&b"&quot;"[..], b'"'),
            (b"&amp;", b'&'),
            (b"&lt;", b'<'),
            (b"&gt;", b'>'),
            (b"&apos;", b'\''),
        ]
        .into_iter()
        .find(|(entity, _)| part(text, place, place + entity.len()) == *entity)
        .map(|(entity, sign)| (Meaning::Byte(sign), entity.len())),
        _ => None,
    }
}

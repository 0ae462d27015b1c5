//! What stands where something was masked: `[redacted:github-token#1]`.

use memchr::memmem;

use crate::bytes::{at, part, run};

const OPENING: &[u8] = b"[redacted:";
const LONGEST_KIND: usize = 64;
const MOST_DIGITS: usize = 9;

/// Writes a mark.
pub(crate) fn write(out: &mut String, kind: &str, number: u32) {
    out.push_str("[redacted:");
    out.push_str(kind);
    out.push('#');
    out.push_str(&number.to_string());
    out.push(']');
}

/// A name as it may stand in a mark: lower case, with hyphens.
pub(crate) fn kind_of(name: &str) -> String {
    let mut kind = String::with_capacity(name.len());
    for c in name.chars().take(LONGEST_KIND) {
        if c.is_ascii_alphanumeric() {
            kind.push(c.to_ascii_lowercase());
        } else if !kind.is_empty() && !kind.ends_with('-') {
            kind.push('-');
        }
    }
    let kind = kind.trim_end_matches('-');
    if kind.is_empty() { "secret".to_owned() } else { kind.to_owned() }
}

/// A mark that stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) number: u32,
}

/// Every mark in a text, in order.
pub(crate) fn all(text: &[u8]) -> impl Iterator<Item = Mark> {
    memmem::find_iter(text, OPENING).filter_map(|start| read(text, start))
}

/// The mark that begins here.
pub(crate) fn read(text: &[u8], start: usize) -> Option<Mark> {
    if part(text, start, start + OPENING.len()) != OPENING {
        return None;
    }
    let kind = start + OPENING.len();
    let is_kind = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let sign = run(text, kind, LONGEST_KIND, is_kind);
    let digits = sign + 1;
    let end = run(text, digits, MOST_DIGITS, |byte| byte.is_ascii_digit());
    if sign == kind || at(text, sign) != b'#' || end == digits || at(text, end) != b']' {
        return None;
    }
    let number = std::str::from_utf8(part(text, digits, end)).ok()?.parse().ok()?;
    Some(Mark { start, end: end + 1, number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_that_was_written_is_found() {
        let mut text = "before ".to_owned();
        write(&mut text, "github-token", 12);
        text.push_str(" after");
        let found: Vec<Mark> = all(text.as_bytes()).collect();
        assert_eq!(found, [Mark { start: 7, end: 33, number: 12 }]);
    }

    #[test]
    fn what_only_resembles_a_mark_is_none() {
        for text in [
            "[redacted]",
            "[redacted:]",
            "[redacted:x]",
            "[redacted:#1]",
            "[redacted:x#]",
            "[redacted:x#1",
            "[redacted:X#1]",
            "[redacted:a b#1]",
        ] {
            assert_eq!(all(text.as_bytes()).count(), 0, "{text}");
        }
    }

    #[test]
    fn a_name_becomes_a_kind() {
        assert_eq!(kind_of("DB_PASSWORD"), "db-password");
        assert_eq!(kind_of("header Authorization: x"), "header-authorization-x");
        assert_eq!(kind_of("…"), "secret");
    }
}

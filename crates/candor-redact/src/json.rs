//! A JSON document to its strings, one by one, and back.
//!
//! Nothing outside a string is touched, and a string in which nothing was found keeps its bytes.

use std::borrow::Cow;
use std::fmt::Write;

use crate::bytes::{at, is_web, part, run};
use crate::finding::Certainty;
use crate::headers;
use crate::keys::{Sense, sense};
use crate::named;
use crate::redaction::Redaction;
use crate::redactor::Profile;
use crate::scan::Scan;

/// Shorter strings hold nothing.
const SHORTEST: usize = 4;
/// And shorter ones that nothing calls secret.
const SHORTEST_PLAIN: usize = 6;
/// Deeper documents are no documents.
const DEEPEST: usize = 512;

/// A container that is open.
#[derive(Debug, Default)]
struct Open {
    is_object: bool,
    /// The key that the next value belongs to.
    key: String,
    /// What a member `name` or `key` said, for the member `value` beside it.
    name: String,
    wants_key: bool,
}

/// Is it an object or an array, from its first byte to its last?
pub(crate) fn is_document(text: &str) -> bool {
    let text = text.trim_ascii();
    let framed = text.starts_with('{') && text.ends_with('}')
        || text.starts_with('[') && text.ends_with(']') && !text.starts_with("[redacted:");
    framed && walk(text.as_bytes(), &mut |_| {})
}

/// A string of the document: where it is, quotes included, and what it is for.
struct Seen<'o> {
    start: usize,
    end: usize,
    is_key: bool,
    open: &'o [Open],
}

/// Shows every string, and says whether the text is a document at all.
fn walk(text: &[u8], show: &mut dyn FnMut(Seen<'_>)) -> bool {
    let mut open: Vec<Open> = Vec::new();
    let mut place = 0;
    let mut values = 0_usize;
    while place < text.len() {
        match at(text, place) {
            b' ' | b'\t' | b'\n' | b'\r' => place += 1,
            sign @ (b'{' | b'[') => {
                let is_object = sign == b'{';
                let key = open.last().map(|parent| parent.key.clone()).unwrap_or_default();
                if open.len() >= DEEPEST {
                    return false;
                }
                let key = if is_object { String::new() } else { key };
                open.push(Open { is_object, key, name: String::new(), wants_key: is_object });
                place += 1;
            }
            sign @ (b'}' | b']') => {
                if open.pop().is_none_or(|last| last.is_object != (sign == b'}')) {
                    return false;
                }
                place += 1;
            }
            b',' => {
                let Some(last) = open.last_mut() else { return false };
                last.wants_key = last.is_object;
                place += 1;
            }
            b':' => {
                let Some(last) = open.last_mut() else { return false };
                last.wants_key = false;
                place += 1;
            }
            b'"' => {
                let Some(end) = string_end(text, place) else { return false };
                let is_key = open.last().is_some_and(|last| last.wants_key);
                show(Seen { start: place, end, is_key, open: &open });
                let content = part(text, place + 1, end - 1);
                if let Some(last) = open.last_mut() {
                    let content = || String::from_utf8_lossy(content).into_owned();
                    if is_key {
                        last.key = content();
                    } else if matches!(last.key.as_str(), "name" | "key" | "Name" | "Key") {
                        last.name = content();
                    }
                }
                values += usize::from(open.is_empty());
                place = end;
            }
            b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                let end = run(text, place, text.len(), |byte| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
                });
                let word = part(text, place, end);
                let is_number = at(word, 0) == b'-' || at(word, 0).is_ascii_digit();
                if !is_number && !matches!(word, b"true" | b"false" | b"null") {
                    return false;
                }
                place = end;
            }
            _ => return false,
        }
    }
    open.is_empty() && values < 2
}

/// Where a string ends that begins here, after its quote.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut place = start + 1;
    loop {
        place += memchr::memchr2(b'"', b'\\', text.get(place..)?)?;
        match at(text, place) {
            b'"' => return Some(place + 1),
            _ => place += 2,
        }
    }
}

/// Masks what stands in the strings of a document. What is no document is masked as text.
pub(crate) fn mask<'t>(
    redaction: &mut Redaction<'_>,
    text: &'t str,
    profile: Profile,
) -> Cow<'t, str> {
    let whole = text.as_bytes();
    let has_keys = memchr::memmem::find(whole, b"\"kty\"").is_some();
    let is_secret = memchr::memmem::find(whole, b"\"Secret\"").is_some();
    let mut out = String::new();
    let mut done = 0;
    let is_document = walk(whole, &mut |seen| {
        let Some(literal) = text.get(seen.start..seen.end) else { return };
        let place = Place::of(&seen, profile, has_keys, is_secret);
        let is_plain = place.sense.is_none() && matches!(place.kind, Kind::Plain);
        if literal.len() < 2 + if is_plain { SHORTEST_PLAIN } else { SHORTEST } {
            return;
        }
        if let Some(masked) = string(redaction, literal, &place) {
            out.push_str(text.get(done..seen.start).unwrap_or_default());
            out.push('"');
            escape(&mut out, &masked);
            out.push('"');
            done = seen.end;
        }
    });
    if !is_document {
        return redaction.text(text, profile);
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

/// What the place of a string says about it.
struct Place {
    profile: Profile,
    sense: Option<Sense>,
    kind: Kind,
}

enum Kind {
    Plain,
    Cookie,
    /// All of it goes.
    Whole(&'static str, Certainty),
}

impl Place {
    fn of(seen: &Seen<'_>, profile: Profile, has_keys: bool, is_secret: bool) -> Self {
        let plain = |profile| Self { profile, sense: None, kind: Kind::Plain };
        let Some(open) = seen.open.last() else { return plain(profile) };
        if seen.is_key {
            // A name is no path and no statement, whatever it looks like.
            return plain(Profile::Success);
        }
        let key = open.key.as_str();
        let is_value = key.eq_ignore_ascii_case("value") || key.eq_ignore_ascii_case("secret");
        let named = if is_value && !open.name.is_empty() { &open.name } else { key };
        let is_stack = profile == Profile::Error
            && ["stack", "stacktrace", "stack_trace", "traceback", "backtrace", "trace"]
                .iter()
                .any(|word| key.eq_ignore_ascii_case(word));
        let parent = seen.open.len().checked_sub(2).and_then(|place| seen.open.get(place));
        let is_data =
            parent.is_some_and(|parent| matches!(parent.key.as_str(), "data" | "stringData"));
        let kind = if has_keys && matches!(key, "d" | "p" | "q" | "dp" | "dq" | "qi" | "k") {
            let is_one = seen.end - seen.start > 20;
            if is_one { Kind::Whole("private-key", Certainty::SelfEvident) } else { Kind::Plain }
        } else if is_secret && is_data && seen.end - seen.start > 4 {
            Kind::Whole("kubernetes-secret", Certainty::Placed)
        } else if is_stack {
            Kind::Whole("stack-trace", Certainty::Internal)
        } else if key.len() >= 6 && named.to_ascii_lowercase().ends_with("cookie") {
            Kind::Cookie
        } else {
            Kind::Plain
        };
        Self { profile, sense: sense(named.as_bytes()), kind }
    }
}

/// The text of a string if something in it must go.
fn string(redaction: &mut Redaction<'_>, literal: &str, place: &Place) -> Option<String> {
    let content = unescape(literal)?;
    let mut more = |scan: &mut Scan<'_>| {
        let end = scan.text.len();
        match place.kind {
            Kind::Whole(kind, certainty) => {
                let is_mark = crate::marks::read(scan.text, 0).is_some_and(|mark| mark.end == end);
                let is_key = kind != "private-key" || scan.text.iter().all(|byte| is_web(*byte));
                if !is_mark && is_key {
                    scan.mark(0, end, kind, certainty);
                }
            }
            Kind::Cookie => headers::cookies(scan, 0, 0),
            Kind::Plain => {}
        }
        if let Some(sense) = place.sense {
            named::member(scan, sense);
        }
    };
    match redaction.text_with(&content, place.profile, &mut more) {
        Cow::Borrowed(_) => None,
        Cow::Owned(masked) => Some(masked),
    }
}

/// The text of a literal.
fn unescape(literal: &str) -> Option<Cow<'_, str>> {
    let inside = literal.get(1..literal.len().checked_sub(1)?)?;
    if !inside.contains('\\') {
        return Some(Cow::Borrowed(inside));
    }
    let mut out = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(place) = rest.find('\\') {
        let (plain, escaped) = rest.split_at(place);
        out.push_str(plain);
        let (c, length) = match at(escaped.as_bytes(), 1) {
            b'n' => ('\n', 2),
            b't' => ('\t', 2),
            b'r' => ('\r', 2),
            b'b' => ('\u{8}', 2),
            b'f' => ('\u{c}', 2),
            b'u' => code_unit(escaped)?,
            sign @ (b'"' | b'\\' | b'/') => (char::from(sign), 2),
            _ => return None,
        };
        out.push(c);
        rest = escaped.get(length..)?;
    }
    out.push_str(rest);
    Some(Cow::Owned(out))
}

/// `\uXXXX`, or two of them for one character.
fn code_unit(escaped: &str) -> Option<(char, usize)> {
    let unit = |from: usize| u32::from_str_radix(escaped.get(from..from + 4)?, 16).ok();
    let first = unit(2)?;
    if let Some(c) = char::from_u32(first) {
        return Some((c, 6));
    }
    if escaped.get(6..8) != Some("\\u") {
        return None;
    }
    let second = unit(8)?;
    let code = 0x10000 + (first.checked_sub(0xd800)? << 10) + second.checked_sub(0xdc00)?;
    Some((char::from_u32(code)?, 12))
}

/// Writes a text as it stands between the quotes of a literal.
pub(crate) fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Writing to a string cannot fail.
            c if c < ' ' => drop(write!(out, "\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
}

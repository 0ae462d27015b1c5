//! The secrets that we hold: found in whatever way they are written.
//!
//! A value shorter than six bytes, and one that many texts hold by chance (`production`,
//! `localhost`, `12345678`, one letter repeated), is not taken: masking it would tear holes into
//! texts that have nothing to do with it. Values of six and seven bytes are taken if they hold a
//! letter and something else.

use std::fmt::Write;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use crate::bytes::{at, before, is_word, run, run_back};
use crate::finding::{Certainty, Cure, Finding, Label, identity};
use crate::marks::kind_of;
use crate::standins::is_common;

const SHORTEST: usize = 6;
/// A value so short is masked only where it stands alone, not inside a longer word.
const SHORTEST_INSIDE_WORDS: usize = 12;
/// Shorter pieces of base64 would be found by chance.
const SHORTEST_BASE64: usize = 8;
/// Lines of a longer secret are secrets, because logs show lines.
const SHORTEST_LINE: usize = 16;
const LONGEST_RUN: usize = 1 << 14;

/// Secrets, and one automaton that finds them all.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    automaton: AhoCorasick,
    forms: Vec<Form>,
    kinds: Vec<String>,
}

/// A way in which a secret may be written.
#[derive(Clone, Copy, Debug)]
struct Form {
    secret: usize,
    way: Way,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Plain,
    /// As itself, but short: it must stand alone.
    Alone,
    Base64,
    Hex,
}

/// Is a value long and unusual enough to be looked for everywhere?
pub(crate) fn is_worth_looking_for(value: &str) -> bool {
    let bytes = value.as_bytes();
    let first = at(bytes, 0);
    let is_repeated = bytes.iter().all(|byte| *byte == first);
    let has_letter = value.chars().any(char::is_alphabetic);
    let is_only_letters = bytes.iter().all(u8::is_ascii_alphabetic);
    let is_only_digits = bytes.iter().all(u8::is_ascii_digit);
    match bytes.len() {
        ..SHORTEST => false,
        _ if is_repeated || is_common(bytes) => false,
        6 | 7 => has_letter && !is_only_letters,
        _ => !is_only_digits || bytes.len() > 10,
    }
}

impl Known {
    /// `None` if there is nothing to look for.
    pub(crate) fn new(secrets: &[(String, String)]) -> Option<Arc<Self>> {
        let mut patterns: Vec<Vec<u8>> = Vec::new();
        let mut forms = Vec::new();
        for (secret, (_, value)) in secrets.iter().enumerate() {
            for (way, pattern) in written(value) {
                if !patterns.contains(&pattern) {
                    patterns.push(pattern);
                    forms.push(Form { secret, way });
                }
            }
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(&patterns)
            .ok()
            .filter(|_| !patterns.is_empty())?;
        let kinds = secrets.iter().map(|(name, _)| kind_of(name)).collect();
        Some(Arc::new(Self { automaton, forms, kinds }))
    }

    pub(crate) fn kind(&self, secret: usize) -> &str {
        self.kinds.get(secret).map_or("secret", String::as_str)
    }

    /// Every place at which one of them stands.
    pub(crate) fn find(&self, text: &[u8], found: &mut Vec<Finding>) {
        for place in self.automaton.find_iter(text) {
            let Some(form) = self.forms.get(place.pattern().as_usize()) else { continue };
            let (mut start, mut end) = (place.start(), place.end());
            match form.way {
                Way::Plain => {}
                Way::Alone => {
                    let inside = is_word(before(text, start)) && is_word(at(text, start))
                        || is_word(at(text, end)) && is_word(before(text, end));
                    if inside {
                        continue;
                    }
                }
                // The letters next to it hold some bits of it too.
                Way::Base64 => {
                    start = run_back(text, start, LONGEST_RUN, is_base64);
                    end = run(text, end, LONGEST_RUN, |byte| is_base64(byte) || byte == b'=');
                }
                Way::Hex => {
                    start = run_back(text, start, LONGEST_RUN, |byte| byte.is_ascii_hexdigit());
                    end = run(text, end, LONGEST_RUN, |byte| byte.is_ascii_hexdigit());
                }
            }
            found.push(Finding {
                start,
                end,
                cure: Cure::Mark(Label::Known(form.secret)),
                certainty: Certainty::Held,
                identity: identity(&form.secret.to_le_bytes()),
            });
        }
    }
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Every way in which a value may stand in a text.
fn written(value: &str) -> Vec<(Way, Vec<u8>)> {
    let mut ways = Vec::new();
    let value = value.trim();
    let lines = value.lines().map(str::trim).filter(|line| line.len() >= SHORTEST_LINE);
    let lines: Vec<&str> = if value.contains('\n') { lines.collect() } else { Vec::new() };
    // The lines that frame a key are no secret.
    let lines = lines.into_iter().filter(|line| !line.starts_with("-----"));
    for value in std::iter::once(value).chain(lines) {
        let short = value.len() < SHORTEST_INSIDE_WORDS;
        ways.push((if short { Way::Alone } else { Way::Plain }, value.as_bytes().to_vec()));
        for escaped in [
            url_escaped(value, false),
            url_escaped(value, true),
            json_escaped(value),
            json_escaped(&json_escaped(value)),
            shell_escaped(value),
            value.replace('\'', r"'\''"),
            html_escaped(value),
        ] {
            if escaped != value {
                ways.push((Way::Plain, escaped.into_bytes()));
            }
        }
        let hex = |digits: fn(u8) -> String| value.bytes().map(digits).collect::<String>();
        ways.push((Way::Hex, hex(|byte| format!("{byte:02x}")).into_bytes()));
        ways.push((Way::Hex, hex(|byte| format!("{byte:02X}")).into_bytes()));
        for phase in 0..3 {
            for core in base64_cores(value.as_bytes(), phase) {
                if core.len() >= SHORTEST_BASE64 {
                    ways.push((Way::Base64, core.into_bytes()));
                }
            }
        }
    }
    ways
}

/// The letters of base64 that depend on the value alone, when so many bytes stand before it.
fn base64_cores(value: &[u8], phase: usize) -> [String; 2] {
    let mut bytes = vec![0; phase];
    bytes.extend_from_slice(value);
    let from = [0, 2, 3].get(phase).copied().unwrap_or_default();
    let core = |encoded: String| {
        let to = encoded.len() - usize::from(!bytes.len().is_multiple_of(3));
        encoded.get(from..to).unwrap_or_default().to_owned()
    };
    [core(STANDARD_NO_PAD.encode(&bytes)), core(URL_SAFE_NO_PAD.encode(&bytes))]
}

fn url_escaped(value: &str, plus: bool) -> String {
    let mut escaped = String::new();
    for byte in value.bytes() {
        match byte {
            b'-' | b'_' | b'.' | b'~' => escaped.push(char::from(byte)),
            b' ' if plus => escaped.push('+'),
            byte if byte.is_ascii_alphanumeric() => escaped.push(char::from(byte)),
            // Writing to a string cannot fail.
            byte => drop(write!(escaped, "%{byte:02X}")),
        }
    }
    escaped
}

fn json_escaped(value: &str) -> String {
    let mut escaped = String::new();
    crate::json::escape(&mut escaped, value);
    escaped
}

fn shell_escaped(value: &str) -> String {
    let mut escaped = String::new();
    for c in value.chars() {
        if c.is_ascii() && !c.is_ascii_alphanumeric() && !"_-./:=@%+,".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn html_escaped(value: &str) -> String {
    value
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

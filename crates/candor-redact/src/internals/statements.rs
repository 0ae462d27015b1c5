//! SQL that failed, and the values that went with it.

use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::bytes::{at, before, contains, is_blank, is_quote, line_end, part, run};
use crate::finding::Certainty;
use crate::scan::Scan;

const LONGEST: usize = 1 << 14;

static VERBS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?-u)\b(?i:select|insert\s+(?:ignore\s+|or\s+\w+\s+)?into|replace\s+into|update|delete\s+from|merge\s+into|with|explain",
        r"|(?:create|alter|drop|truncate)\s+(?:or\s+replace\s+)?(?:temp\w*\s+)?(?:unique\s+)?",
        r"(?:table|index|view|database|schema|user|role|function|trigger|sequence))\s",
    ))
    .ok()
});

static VALUES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?-u)(?i:\bLINE \d+: [^\n]*(?:\n\s*\^)?",
        r"|\[?\b(?:params|parameters|bindings|binds)\s?[:=]\s?[^\n]*|\bKey \([^)\n]*\)=\([^)\n]*\))",
    ))
    .ok()
});

pub(super) fn look(scan: &mut Scan<'_>) {
    let text = scan.text;
    if !scan.effort.spend(text.len()) {
        return scan.effort.cut(0);
    }
    let (Some(verbs), Some(values)) = (&*VERBS, &*VALUES) else { return scan.effort.cut(0) };
    let mut done = 0;
    let mut any = false;
    for verb in verbs.find_iter(text) {
        if verb.start() < done {
            continue;
        }
        let end = end(text, verb.start());
        if !scan.effort.spend((end - verb.start()) * 2) {
            return scan.effort.cut(verb.start());
        }
        if is_statement(part(text, verb.start(), end), verb.as_bytes()) {
            scan.mark(verb.start(), end, "sql", Certainty::Internal);
            done = end;
            any = true;
        }
    }
    // Only beside a statement are these what they seem, or where a mark says that one stood.
    if any
        || memchr::memmem::find(text, b"[redacted:sql#").is_some()
        || contains(part(text, 0, 4096), b"constraint")
    {
        for found in values.find_iter(text) {
            let from = found.start();
            let colon = found.as_bytes().iter().position(|byte| matches!(byte, b':' | b'='));
            let from = from + colon.map_or(0, |colon| colon + 1);
            let from = run(text, from, 4, is_blank);
            scan.mark(from, found.end(), "sql-values", Certainty::Internal);
        }
    }
}

/// Where a statement ends: at what closes what opened before it, at a semicolon, or at a line that
/// does not go on.
fn end(text: &[u8], start: usize) -> usize {
    let opening = before(text, start);
    let bracketed = part(text, start.saturating_sub(8), start).contains(&b'[');
    let mut place = start;
    let limit = text.len().min(start + LONGEST);
    while place < limit {
        let byte = at(text, place);
        let closes = is_quote(opening) && byte == opening
            || bracketed && byte == b']' && matches!(at(text, place + 1), b'\n' | 0 | b'\r' | b' ')
            || byte == b';'
            || byte == b':' && at(text, place + 1) == b' '
            || byte == b' ' && part(text, place, place + 3) == b" - ";
        if closes {
            break;
        }
        if byte == b'\n' {
            let next = part(text, place + 1, line_end(text, place + 1, 80));
            let word = next.trim_ascii_start();
            let goes_on = next.len() > word.len() && !word.is_empty() && !word.starts_with(b"at ")
                || CLAUSES.iter().any(|clause| {
                    part(word, 0, clause.len()).eq_ignore_ascii_case(clause.as_bytes())
                        && !part(word, clause.len(), clause.len() + 1)
                            .iter()
                            .any(u8::is_ascii_alphanumeric)
                });
            if !goes_on {
                break;
            }
        }
        place += 1;
    }
    start + part(text, start, place).trim_ascii_end().len()
}

const CLAUSES: &[&str] = &[
    "from",
    "where",
    "join",
    "left",
    "inner",
    "right",
    "order",
    "group",
    "having",
    "limit",
    "values",
    "set",
    "and",
    "or",
    "returning",
    "on",
    "union",
    "offset",
    "into",
    "(",
    ")",
];

/// Does what follows a verb make a statement of it, and not a sentence?
fn is_statement(statement: &[u8], verb: &[u8]) -> bool {
    let is_loud = verb.iter().filter(|byte| byte.is_ascii_alphabetic()).all(u8::is_ascii_uppercase);
    let rest = part(statement, verb.len(), statement.len());
    let signs = rest.iter().any(|byte| b"*\"`=$?(@[,".contains(byte));
    let first = verb.first().map_or(0, u8::to_ascii_lowercase);
    let word = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let after_word = part(rest, word, rest.len());
    match first {
        b's' => contains(rest, b"from ") && (is_loud || signs) || is_loud && signs,
        b'u' => contains(part(after_word, 0, 6), b" set ") && rest.contains(&b'='),
        b'w' => contains(part(after_word, 0, 6), b" as ("),
        b'e' => is_loud && contains(rest, b"select"),
        b'i' | b'm' | b'r' => is_loud || signs,
        b'd' if part(verb, 0, 6).eq_ignore_ascii_case(b"delete") => {
            is_loud || signs || contains(rest, b"where")
        }
        _ => is_loud || rest.contains(&b'('),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        for pattern in [&VERBS, &VALUES] {
            assert!(pattern.is_some());
        }
    }
}

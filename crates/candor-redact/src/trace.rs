//! A stack trace to its message: frames go, and what the failure said stays.

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::bytes::Regex;

/// Without any of these a text holds no trace.
const SIGNS: &[&str] = &[
    "Traceback (most",
    "File \"",
    " at ",
    "\tat ",
    "goroutine ",
    "stack backtrace:",
    "panicked at",
    "panic:",
    "Stack trace:",
    "tack trace",
    "\tfrom ",
    ":in `",
    ":in '",
    ": line ",
    "#0 ",
    "#1 ",
    "Caused by",
    "nhandled",
    ".sh: ",
    "thrown in",
    "Exception in",
];

static ANY: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(SIGNS).ok());

macro_rules! patterns {
    ($($name:ident $pattern:expr;)*) => {
        $(static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("(?-u){}", $pattern)).ok());)*
    };
}

patterns! {
    // A line that is a frame, whatever came before.
    FRAME concat!(
        r#"^(?:\s+at (?:async |new )?[^\s(].*(?:\(|:\d|\sin\s)|\s+at <anonymous>|\s+at .*\[native code\]"#,
        r#"|\s*\.\.\. \d+ (?:more|common frames)|\s+from \S+:\d+|\s*from \S+:\d+:in |\s*#\d+\s+(?:0x|/|\{main\}|[\w:<>$~]+.*(?:\(|\sin\s|\.\w+:\d))"#,
        r#"|\s*File "[^"]*", line \d+|\s*goroutine \d+ \[|created by \S|\s*--- End of |\s+\d+: +0x[0-9a-f]+ - "#,
        r#"|\s*note: (?:run with `RUST_BACKTRACE|Some details are omitted)|Node\.js v\d|\s+thrown in |exit status \d+$|\s*at [\w.$<>]+\([\w.]+(?::\d+)?\)$"#,
        r#"|\s*Suppressed: |\s*\S+\.java:\d+\)?$|\s*Stack [Tt]race:\s*$|\s*stack backtrace:\s*$|\[signal SIG|\s*\^+\s*$|\s+~*\^+~*\s*$)"#,
    );
    // Frames that are such only below the head of a trace.
    RUST r"^\s+\d+: \S|^\s+at \S";
    GO r"^(?:\s*$|\t\S+:\d+|\S+\(.*\)$|created by |goroutine |\s*/\S+\.go:\d+)";
    // What stands before a message, and after it.
    BEFORE concat!(
        r#"^(?:Exception in thread "[^"]*" |Unhandled [Ee]xception[.:] |(?:PHP )?(?:Fatal error|Warning|Notice):\s+(?:Uncaught )?"#,
        r#"|Uncaught (?:Error: )?|thread '[^']*'(?: \(\d+\))? panicked at |\S+\.(?:rb|erb|rake):\d+:in [`'][^']*': "#,
        r#"|(?:\S*/)?[\w.+-]*(?:\.sh|bash|environment|-bash|sh|main)?: line \d+: |\S+\.(?:sh|bash): (?:line )?\d+: )"#,
    );
    AFTER concat!(
        r"(?: in \S+\.php(?::\d+| on line \d+)| at \S+\.(?:pl|pm) line \d+\.?| at \S+\.awk line \d+",
        r"|, [\w./\\-]+\.(?:rs|go|py|js|rb):\d+(?::\d+)?)$",
    );
    // Frames that somebody wrote on one line.
    WITHIN concat!(
        r"(?:\s+at (?:async |new )?[\w.$<>\[\]/# -]{1,120}\((?:[^()\s]{1,200}:\d+(?::\d+)?|native|<anonymous>|Unknown Source|Native Method)\)",
        r#"|\s+File "[^"\n]{1,200}", line \d+(?:, in [\w<>]+)?)"#,
    );
    PLACE r"^\S+\.rs:\d+:\d+:?$|^\S+\.(?:js|ts|mjs|cjs):\d+$|^node:\S+:\d+$";
}

/// What the lines that come next belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Nothing,
    Python,
    Go,
    Rust,
    /// The lines of source that Node shows, up to the sign below them.
    Excerpt,
}

/// Leaves what a failure says, without where it says so.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if !ANY.as_ref().is_some_and(|any| any.is_match(text)) {
        return Cow::Borrowed(text);
    }
    let mut kept: Vec<Cow<'_, str>> = Vec::new();
    let mut inside = Inside::Nothing;
    let mut traced = false;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        inside = if let Some(inside) = next(line, inside, &mut kept, &mut traced) {
            inside
        } else {
            kept.push(message(line));
            Inside::Nothing
        };
    }
    let mut folded = joined(&kept);
    if text.ends_with('\n') && !folded.is_empty() {
        folded.push('\n');
    }
    if let Some(within) = &*WITHIN
        && let Cow::Owned(shorter) = within.replace_all(folded.as_bytes(), &b""[..])
        && let Ok(shorter) = String::from_utf8(shorter)
    {
        folded = shorter;
    }
    if folded == text {
        return Cow::Borrowed(text);
    }
    let has_message = !folded.trim().is_empty();
    Cow::Owned(if has_message { folded } else { "It failed with a stack trace.".to_owned() })
}

/// Is the line a part of a trace? Then it goes, and this says what may follow.
fn next<'t>(
    line: &'t str,
    inside: Inside,
    kept: &mut Vec<Cow<'t, str>>,
    traced: &mut bool,
) -> Option<Inside> {
    let shown = line.trim();
    let is = |pattern: &LazyLock<Option<Regex>>| {
        pattern.as_ref().is_some_and(|it| it.is_match(line.as_bytes()))
    };
    if let Some((lead, _)) = line.split_once("Traceback (most recent call last)") {
        *traced = true;
        if !lead.trim_matches([' ', '|', '+', '-']).is_empty() {
            kept.push(message(lead.trim_end()));
        }
        return Some(Inside::Python);
    }
    if shown.starts_with("During handling of the above exception")
        || shown.starts_with("The above exception was the direct cause")
    {
        while kept.last().is_some_and(|last| last.trim().is_empty()) {
            kept.pop();
        }
        kept.pop();
        return Some(Inside::Nothing);
    }
    if shown == "stack backtrace:" {
        return Some(Inside::Rust);
    }
    if shown.starts_with("goroutine ") && shown.ends_with("]:") {
        *traced = true;
        return Some(Inside::Go);
    }
    if *traced && (shown.starts_with("Caused by: ") || shown.starts_with("Suppressed: ")) {
        return Some(Inside::Nothing);
    }
    let is_inside = match inside {
        Inside::Nothing => false,
        Inside::Python => line.starts_with([' ', '\t']) || shown.is_empty(),
        Inside::Go => is(&GO),
        Inside::Rust => is(&RUST),
        Inside::Excerpt => !shown.is_empty(),
    };
    if is_inside {
        let ends = inside == Inside::Excerpt && shown.chars().all(|c| c == '^' || c == '~');
        return Some(if ends { Inside::Nothing } else { inside });
    }
    if is(&FRAME) {
        *traced = true;
        return Some(inside);
    }
    if is(&PLACE) && !line.ends_with(".rs:") {
        return Some(if line.contains(".rs:") { Inside::Nothing } else { Inside::Excerpt });
    }
    None
}

/// A line without what says where it came from.
fn message(line: &str) -> Cow<'_, str> {
    let mut rest = line;
    while let Some(found) = BEFORE.as_ref().and_then(|before| before.find(rest.as_bytes())) {
        rest = rest.get(found.end()..).unwrap_or_default();
        if found.is_empty() {
            break;
        }
    }
    // `panicked at src/main.rs:2:5:`, with the message on the next line or in quotes.
    if rest.len() < line.len() && line.contains("panicked at ") {
        if PLACE.as_ref().is_some_and(|place| place.is_match(rest.as_bytes())) {
            return Cow::Borrowed("");
        }
        rest = rest.strip_prefix('\'').unwrap_or(rest);
        if let Some((said, _)) = rest.rsplit_once("', ") {
            rest = said;
        }
    }
    while let Some(found) = AFTER.as_ref().and_then(|after| after.find(rest.as_bytes())) {
        if rest.len() == line.len() && found.as_bytes().starts_with(b", ") {
            break;
        }
        rest = rest.get(..found.start()).unwrap_or_default();
    }
    Cow::Borrowed(rest)
}

/// The lines, without the gaps that the others left.
fn joined(lines: &[Cow<'_, str>]) -> String {
    let mut out = String::new();
    let mut blank = false;
    for line in lines {
        if line.trim().is_empty() {
            blank = true;
            continue;
        }
        if !out.is_empty() {
            out.push_str(if blank { "\n\n" } else { "\n" });
        }
        blank = false;
        out.push_str(line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        for pattern in [&FRAME, &RUST, &GO, &BEFORE, &AFTER, &WITHIN, &PLACE] {
            assert!(pattern.is_some());
        }
    }
}

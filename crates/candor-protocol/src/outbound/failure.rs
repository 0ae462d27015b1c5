//! `dev.candor/failure`: the machine-readable half of a tool error.
//!
//! The text is the model's. A host that wants to count failures, hold back a retry or tell a crash
//! from a refusal reads this instead of parsing prose.

use std::hash::Hasher;
use std::time::Duration;

use serde::Serialize;
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::text::{LONGEST_NAME, cut};

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Kind {
    /// The tool said that it failed.
    Tool,
    /// The arguments are not what the tool takes.
    Arguments,
    /// The tool broke.
    Crash,
    /// The tool took too long.
    Timeout,
    /// A limit was met.
    Limit,
    /// The tool's answer is not what it promises.
    Output,
    /// The tool cannot be run now.
    Unavailable,
}

/// What may come of the same call again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Retry {
    /// Nothing else.
    No,
    /// Something else, with other arguments.
    WithChanges,
    /// Something else, later.
    Later,
    /// The call may have taken effect: check before repeating it.
    UnknownEffect,
}

/// What a host can act on without reading prose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Failure {
    /// What kind of failure it was.
    pub kind: Kind,
    /// What may come of the same call again.
    pub retry: Retry,
    /// Equal for failures that say the same thing; see [`fingerprint`].
    pub fingerprint: String,
    /// The key to the log entry, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incident: Option<String>,
    /// When the same call may work, in milliseconds from now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// What the arguments break.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
}

/// One thing that arguments break: where, and which keyword of the schema. Never a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Violation {
    /// The argument, as a model writes it: `seats[0].row`.
    pub path: String,
    /// The keyword of the schema: `type`, `maximum`.
    pub keyword: String,
}

impl Violation {
    /// A keyword that is broken at a path. Names that a peer made up may be long, and are cut.
    #[must_use]
    pub fn new(path: &str, keyword: &str) -> Self {
        let kept = |text| cut(text, LONGEST_NAME).into_owned();
        Self { path: kept(path), keyword: kept(keyword) }
    }
}

impl Failure {
    /// A failure of a tool, told in these words, because its arguments break this.
    #[must_use]
    pub fn new(
        tool: &str,
        kind: Kind,
        retry: Retry,
        told: &str,
        violations: Vec<Violation>,
    ) -> Self {
        let told = matches!(kind, Kind::Tool | Kind::Crash).then_some(told);
        let broken: Vec<_> =
            violations.iter().map(|it| (it.path.as_str(), it.keyword.as_str())).collect();
        let fingerprint = fingerprint(tool, kind, &broken, told.unwrap_or_default());
        Self { kind, retry, fingerprint, incident: None, retry_after_ms: None, violations }
    }

    /// The same failure, with the time after which the same call may work. What is left of a
    /// millisecond counts as one: an attempt must not come too early.
    #[must_use]
    pub fn until(mut self, after: Option<Duration>) -> Self {
        let millis = |after: Duration| after.as_nanos().div_ceil(1_000_000);
        self.retry_after_ms = after.map(|after| u64::try_from(millis(after)).unwrap_or(u64::MAX));
        self
    }

    /// The same failure, with the key to its log entry.
    #[must_use]
    pub fn logged_as(mut self, incident: Option<String>) -> Self {
        self.incident = incident;
        self
    }
}

/// Equal for failures that say the same thing: the tool, the kind, the violations as (path,
/// keyword), and the told text with its numbers, quoted values, ids, dates and paths folded away.
///
/// The key is the same everywhere, so that a server, a gate and a client agree; it only keeps the
/// value from being mistaken for, or compared with, a hash of anything else.
#[must_use]
pub fn fingerprint(tool: &str, kind: Kind, violations: &[(&str, &str)], told: &str) -> String {
    let mut hasher = SipHasher24::new_with_key(b"candor/failure/1");
    let mut write = |part: &str| {
        // Eight bytes everywhere, in one order.
        hasher.write(&(part.len() as u64).to_le_bytes());
        hasher.write(part.as_bytes());
    };
    write(tool);
    write(&format!("{kind:?}"));
    let mut violations = violations.to_vec();
    violations.sort_unstable();
    for (path, keyword) in violations {
        write(path);
        write(keyword);
    }
    write(&fold(told));
    format!("{:016x}", hasher.finish128().h1)
}

/// Leaves of a text what stays the same from one failure of a kind to the next.
fn fold(told: &str) -> String {
    let mut folded = String::with_capacity(told.len());
    let mut quote = None;
    for word in told.split_whitespace() {
        if let Some(end) = quote {
            if word.trim_end_matches(is_punctuation).ends_with(end) {
                quote = None;
            }
            continue;
        }
        let bare = word.trim_matches(is_punctuation);
        if let Some(mark @ ('"' | '\'' | '`')) = bare.chars().next() {
            folded.push_str("\"…\" ");
            let is_closed = bare.len() > 1 && bare.ends_with(mark);
            quote = (!is_closed).then_some(mark);
            continue;
        }
        let varies = bare.contains(|c: char| c.is_ascii_digit() || c == '/' || c == '\\')
            // A reference in hexadecimal may happen to have no digit below ten.
            || (bare.len() >= 8 && bare.bytes().all(|byte| byte.is_ascii_hexdigit()));
        folded.push_str(if varies { "…" } else { word });
        folded.push(' ');
    }
    folded
}

fn is_punctuation(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '[' | ']')
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Failure, Kind, Retry, Violation, fingerprint};

    fn of(told: &str) -> String {
        fingerprint("book", Kind::Tool, &[], told)
    }

    #[test]
    fn what_varies_between_two_failures_of_a_kind_is_folded() {
        assert_eq!(
            of("No film has id 7 in \"Dune two\" at 13:30."),
            of("No film has id 12 in \"Alien\" at 09:00.")
        );
        assert_eq!(of("Cannot read /srv/a.txt (id BK17)."), of("Cannot read /tmp/b (id BK2)."));
        assert_eq!(of("It failed (incident 7f3a91c2)."), of("It failed (incident fedcabde)."));
    }

    #[test]
    fn what_differs_is_told_apart() {
        assert_ne!(of("No film has id 7."), of("No hall has id 7."));
        assert_ne!(of("No."), fingerprint("book", Kind::Crash, &[], "No."));
        assert_ne!(of("No."), fingerprint("cook", Kind::Tool, &[], "No."));
        assert_ne!(
            fingerprint("book", Kind::Arguments, &[("a", "type")], ""),
            fingerprint("book", Kind::Arguments, &[("a", "enum")], "")
        );
    }

    #[test]
    fn a_failure_tells_what_is_known_and_no_more() {
        let broken = vec![Violation::new("seats[0].row", "enum"), Violation::new("name", "type")];
        let failure = Failure::new("book", Kind::Arguments, Retry::WithChanges, "No.", broken);
        assert_eq!(
            failure.fingerprint,
            fingerprint("book", Kind::Arguments, &[("name", "type"), ("seats[0].row", "enum")], "")
        );
        assert_eq!(
            serde_json::to_string(&failure.until(Some(Duration::from_micros(22_400_100)))).unwrap(),
            r#"{"kind":"arguments","retry":"with_changes","fingerprint":"b9f9cc89ee9e923a","retryAfterMs":22401,"violations":[{"path":"seats[0].row","keyword":"enum"},{"path":"name","keyword":"type"}]}"#
        );
        let failure = Failure::new("book", Kind::Unavailable, Retry::No, "No.", Vec::new());
        assert_eq!(
            serde_json::to_string(&failure.until(None)).unwrap(),
            r#"{"kind":"unavailable","retry":"no","fingerprint":"e5569434de79045a"}"#
        );
    }

    #[test]
    fn the_order_of_violations_does_not_matter() {
        assert_eq!(
            fingerprint("book", Kind::Arguments, &[("a", "type"), ("b", "enum")], ""),
            fingerprint("book", Kind::Arguments, &[("b", "enum"), ("a", "type")], "")
        );
    }
}

//! Faults to the text that a model reads.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use crate::compiled::Compiled;
use crate::fault::{Fault, ROOT, What, path, path_from};
use crate::mend::Bench;
use crate::shown::{cut, plain};
use crate::suggest::listed_names;
use crate::walk::{FUEL, MOST_FAULTS, Walk};
use crate::words::Speaker;

/// The most characters of a whole text.
const LONGEST: usize = 1_200;
/// The most faults that are spoken of.
const MOST_LINES: usize = 5;
/// The most faults that are put into words, so that equal ones are found.
const MOST_WORDED: usize = 40;
/// The most violations that are listed for programs.
const MOST_VIOLATIONS: usize = 20;

/// What the root of a result is called in the protocol.
const RESULT: &str = "structuredContent";

/// What is wrong with the arguments of one call.
///
/// The text is complete: it says which tool, what was observed, and what may change on the next
/// call. It has at most 1,200 characters, and the same arguments always get the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Complaint {
    /// For the model, on several lines.
    pub text: String,
    /// For programs: at most 20, in the order of the schema.
    pub violations: Vec<Violation>,
}

/// Which keyword of the schema a part of the value breaks. Never holds a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Violation {
    /// As a model writes it: `addr.geo.lat`, `tags[0]`; the root is `arguments`, and that of a
    /// result `structuredContent`.
    pub path: String,
    /// Such as `required`. `schema` where it was not found out in bounded time.
    pub keyword: String,
}

/// What is said of one fault, or of several that differ only in where they are.
struct Line {
    paths: Vec<String>,
    said: String,
}

pub(crate) fn complain(schema: &Compiled, tool: &str, arguments: &Value) -> Complaint {
    let tool = &plain(tool, 64);
    let mut walk = Walk::new(schema, FUEL);
    let Some(faults) = walk.explain(arguments).filter(|faults| !faults.is_empty()) else {
        return coarse(schema, tool);
    };
    let speaker = Speaker { schema, tool, arguments };
    let mut bench = Bench::new(schema, arguments, &faults, walk.fuel);
    let lines = lines(&speaker, &mut bench, &faults);
    let rest: BTreeSet<String> =
        faults.iter().skip(MOST_WORDED).map(|fault| path(&fault.path)).collect();
    Complaint {
        text: text(tool, &lines, &rest, faults.len()),
        violations: violations(&faults, ROOT),
    }
}

/// What the text suggests, change by change.
#[cfg(test)]
pub(crate) fn suggested(
    schema: &Compiled,
    arguments: &Value,
) -> Option<(Vec<Fault>, crate::mend::Settled)> {
    let mut walk = Walk::new(schema, FUEL);
    let faults = walk.explain(arguments)?;
    let speaker = Speaker { schema, tool: "tool", arguments };
    let mut bench = Bench::new(schema, arguments, &faults, walk.fuel);
    lines(&speaker, &mut bench, &faults);
    Some((faults, bench.settled))
}

/// Which keywords are broken, for a log.
pub(crate) fn violations_of(schema: &Compiled, value: &Value) -> Vec<Violation> {
    let mut walk = Walk::new(schema, FUEL);
    match walk.explain(value).filter(|faults| !faults.is_empty()) {
        Some(faults) => violations(&faults, RESULT),
        None => vec![unknown(RESULT)],
    }
}

fn unknown(root: &str) -> Violation {
    Violation { path: path_from(root, &[]), keyword: "schema".to_owned() }
}

fn violations(faults: &[Fault], root: &str) -> Vec<Violation> {
    let mut violations: Vec<Violation> = Vec::new();
    for fault in faults {
        let keyword = fault.keyword.to_owned();
        let violation = Violation { path: path_from(root, &fault.path), keyword };
        if violations.len() == MOST_VIOLATIONS {
            break;
        }
        if !violations.contains(&violation) {
            violations.push(violation);
        }
    }
    violations
}

fn lines(speaker: &Speaker<'_>, bench: &mut Bench<'_>, faults: &[Fault]) -> Vec<Line> {
    let faults = faults.get(..MOST_WORDED).unwrap_or(faults);
    // A name that is put right may be all that was missing, so names come first.
    let is_name = |fault: &&Fault| matches!(fault.what, What::Unknown(_));
    let mut said: Vec<Option<String>> =
        faults.iter().map(|fault| is_name(&fault).then(|| say(speaker, bench, fault))).collect();
    for (fault, said) in faults.iter().zip(&mut said) {
        if said.is_none() && bench.is_broken(fault) {
            *said = Some(say(speaker, bench, fault));
        }
    }
    let mut lines: Vec<Line> = Vec::new();
    for (fault, said) in faults.iter().zip(said) {
        let Some(said) = said else { continue };
        let path = path(&fault.path);
        match lines.iter_mut().find(|line| line.said == said) {
            Some(line) if line.paths.contains(&path) => {}
            Some(line) => line.paths.push(path),
            None => lines.push(Line { paths: vec![path], said }),
        }
    }
    lines
}

/// `CONSTRAINT. Got WHAT. FIX.`
fn say(speaker: &Speaker<'_>, bench: &mut Bench<'_>, fault: &Fault) -> String {
    let mend = bench.settle(fault, speaker.mends(fault)).or_else(|| speaker.advice(fault));
    let mend = mend.unwrap_or_default();
    let mut said = format!("{}.", cut(&speaker.constraint(fault, mend.is_plain), 300));
    if let Some(got) = mend.got.or_else(|| speaker.got(fault)) {
        let _ = write!(said, " Got {got}.");
    }
    if !mend.say.is_empty() {
        let _ = write!(said, " {}", mend.say);
    }
    said
}

/// Head, lines and what to do next, with as many lines as fit.
fn text(tool: &str, lines: &[Line], rest: &BTreeSet<String>, faults: usize) -> String {
    let paths = || lines.iter().flat_map(|line| &line.paths);
    let all: BTreeSet<&String> = paths().chain(rest).collect();
    let count = all.len().max(1);
    let at_least = |count: usize| {
        let or = if faults >= MOST_FAULTS && count > 1 { " or" } else { "" };
        format!("{count}{or}")
    };
    let number = match at_least(count) {
        or if or.ends_with("or") => format!("{or} more"),
        exact => exact,
    };
    let (noun, verb) = if count == 1 { ("argument", "needs") } else { ("arguments", "need") };
    let head = format!("{tool} did not run: {number} {noun} {verb} changing.");
    let next =
        if count == 1 { "Correct it and call again." } else { "Correct all of them in one call." };
    let mut most = lines.len().min(MOST_LINES);
    loop {
        let shown = lines.get(..most).unwrap_or(lines);
        let told: BTreeSet<&String> = shown.iter().flat_map(|line| &line.paths).collect();
        let mut text = head.clone();
        for line in shown {
            text.push('\n');
            text.push_str(&line.whole());
        }
        match all.difference(&told).count() {
            0 if lines.len() == shown.len() => {}
            0 => text.push_str("\nMore is wrong with them than is said here."),
            more => {
                let verb = if more == 1 { "is" } else { "are" };
                let _ = write!(text, "\nAnd {} more, which {verb} not shown.", at_least(more));
            }
        }
        text.push('\n');
        text.push_str(next);
        if text.chars().count() <= LONGEST || most <= 1 {
            return text;
        }
        most -= 1;
    }
}

impl Line {
    fn whole(&self) -> String {
        const MOST: usize = 3;
        let [first, others @ ..] = self.paths.as_slice() else { return String::new() };
        let mut whole = format!("{first}: {}", self.said);
        if !others.is_empty() {
            let named = others.get(..MOST).unwrap_or(others).join(", ");
            let more = match others.len().saturating_sub(MOST) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let _ = write!(whole, " The same holds for {named}{more}.");
        }
        whole
    }
}

/// Correct, and no more than that: the arguments are too much to say where they break the schema.
fn coarse(schema: &Compiled, tool: &str) -> Complaint {
    let (declared, _) = schema.names(schema.root(), "unevaluatedProperties");
    let takes = match listed_names(&declared) {
        names if names.is_empty() => String::new(),
        names => format!(" It takes {names}."),
    };
    Complaint {
        text: format!(
            "{tool} did not run: its arguments need changing.\narguments: do not fit what {tool} \
             takes, or are too large or too deeply nested to be checked.{takes} Send less, and \
             nest it less.\nCorrect them and call again."
        ),
        violations: vec![unknown(ROOT)],
    }
}

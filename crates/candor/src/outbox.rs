//! An outcome in its final shape: cleaned, worded, and true to what the tool promises.
//!
//! Every text that a model reads leaves through here, and nowhere else.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Write;

use candor_protocol::outbound::response::{Finished, Structured};
use candor_protocol::outbound::{Kind, Retry};
use candor_protocol::{Content, Failure, Reader, Reply, ToolError, ToolOutcome, Why};

use crate::arguments;
use crate::guard::guarded;
use crate::journal::{Journal, Level};
use crate::masking::{self, Masker};
use crate::shared::Shared;
use crate::toolset::{Definition, Entry};
use crate::words::{self, Effect, Wording};

/// Hands an outcome on as the model shall read it.
pub(crate) fn finish<R>(
    outcome: ToolOutcome,
    tool: &Entry,
    shared: &Shared,
    hand_on: impl FnOnce(&Finished<'_>) -> R,
) -> R {
    let mut masker = shared.masking.begin();
    let outcome = match outcome {
        ToolOutcome::Done(reply) => kept(masker.reply(reply), &masker, tool),
        failed @ ToolOutcome::Failed(_) => failed,
    };
    match outcome {
        ToolOutcome::Done(reply) => done(reply, masker, hand_on),
        ToolOutcome::Failed(failure) => {
            let Failed { text, content, failure } =
                failed(failure, masker, &tool.definition, &shared.journal);
            let (text, failure) = (Some(text.as_str()), Some(failure));
            hand_on(&Finished { text, structured: None, content: &content, failure })
        }
    }
}

/// Holds a reply against what the tool promises, and against what every host can read.
fn kept(mut reply: Reply, masker: &Masker<'_>, tool: &Entry) -> ToolOutcome {
    let problem = match (reply.as_structured(), &tool.output) {
        (None, Some(_)) => {
            Some("it declares an outputSchema and gave no structured content".to_owned())
        }
        (Some(json), _) if !Reader::new().is_sound(json.get()) => {
            Some("its structured content is JSON that not every host can read".to_owned())
        }
        (Some(json), Some(schema)) => arguments::broken(schema, json.get()),
        (Some(_) | None, None) => None,
    };
    let Some(problem) = problem else { return ToolOutcome::Done(reply) };
    let mut said = reply.as_text().to_owned();
    if masker.has_masked() {
        said.push_str("\n\nA credential was withheld from this answer.");
    }
    let failure = ToolError::seen(Why::BadOutput { said }).because(problem);
    ToolOutcome::Failed(reply.take_content().into_iter().fold(failure, ToolError::showing))
}

fn done<R>(
    mut reply: Reply,
    mut masker: Masker<'_>,
    hand_on: impl FnOnce(&Finished<'_>) -> R,
) -> R {
    let content = shown(reply.take_content(), &mut masker);
    let text = reply.own_text().map(clean);
    let json = reply.as_structured();
    let as_text = json.map(|json| clean(json.get()));
    let structured = json.zip(as_text.as_deref()).map(|(json, text)| Structured { json, text });
    let text = text.as_deref();
    hand_on(&Finished { text, structured, content: &content, failure: None })
}

/// Content as the model shall see it.
fn shown(mut content: Vec<Content>, masker: &mut Masker<'_>) -> Vec<Content> {
    masker.content(&mut content);
    for text in content.iter_mut().flat_map(Content::texts_mut) {
        if let Cow::Owned(cleaned) = clean(text) {
            *text = cleaned;
        }
    }
    content
}

struct Failed {
    text: String,
    content: Vec<Content>,
    failure: Failure,
}

fn failed(
    failure: ToolError,
    mut masker: Masker<'_>,
    tool: &Definition,
    journal: &Journal,
) -> Failed {
    let name = tool.name();
    let effect = if tool.is_read_only() { Effect::ReadOnly } else { Effect::Writes };
    // A cause is an author's code too.
    let log = guarded(|| log_text(&failure, name)).unwrap_or_else(|said| format!("{name}: {said}"));
    let (why, content, cause) = failure.into_parts();
    let content = if has_run(&why) { shown(content, &mut masker) } else { Vec::new() };
    let has_cause = cause.is_some();
    let incident = || journal.incident(&log);
    let (mut violations, mut until) = (Vec::new(), None);

    let (said, incident, wording) = match why {
        Why::Told { text, later } => {
            let incident = has_cause.then(incident);
            let retry = if later { Retry::Later } else { Retry::No };
            let sentence = if text.trim().is_empty() {
                format!("{name} failed and did not say why. Changing the arguments may not help.")
            } else {
                told(name, masker.failure(text))
            };
            (String::new(), incident, Wording { kind: Kind::Tool, retry, sentence })
        }
        Why::Crashed { said } => {
            let incident = incident();
            let wording = words::crashed(name, effect, &incident);
            (said, Some(incident), wording)
        }
        Why::BadOutput { said } => {
            let incident = incident();
            let wording = words::bad_output(name, effect, &incident);
            (said, Some(incident), wording)
        }
        Why::TimedOut { after, said } => {
            journal.note(Level::Warning, &log);
            (said, None, words::timed_out(name, effect, after))
        }
        Why::TooMuch { limit, said } => (said, None, words::too_much(name, effect, limit)),
        Why::ServerEnded { said } => (said, None, words::server_ended(name, effect)),
        Why::Unavailable => (String::new(), has_cause.then(incident), words::unavailable(name)),
        Why::RepeatedKey { key } => (String::new(), None, words::repeated_key(name, &key)),
        Why::Arguments(complaint) => {
            let wording = words::arguments(name, &complaint);
            violations = complaint.into_violations();
            (String::new(), None, wording)
        }
        Why::OverLimit { limit, after } => {
            until = after;
            (String::new(), None, words::over_limit(name, &limit, after))
        }
        Why::CannotAsk { question } => {
            (String::new(), None, words::cannot_ask(name, &clean(&masker.failure(question))))
        }
    };

    let Wording { kind, retry, sentence } = wording;
    let said = masker.failure(said);
    let told = if said.trim().is_empty() { sentence } else { format!("{said}\n\n{sentence}") };
    let told = clean(&told).into_owned();
    let failure =
        Failure::new(name, kind, retry, &told, violations).logged_as(incident).until(until);
    Failed { text: told, content, failure }
}

/// What a tool said of its failure, unless nothing of it could be shown.
fn told(tool: &str, masked: String) -> String {
    if masking::says_nothing_else(&masked) { words::out_of_reach(tool) } else { masked }
}

/// Did the tool run, so that there is something of its own to show?
const fn has_run(why: &Why) -> bool {
    match why {
        Why::Told { .. }
        | Why::Crashed { .. }
        | Why::TimedOut { .. }
        | Why::ServerEnded { .. }
        | Why::BadOutput { .. }
        | Why::TooMuch { .. } => true,
        Why::Unavailable
        | Why::RepeatedKey { .. }
        | Why::Arguments(_)
        | Why::OverLimit { .. }
        | Why::CannotAsk { .. } => false,
    }
}

/// The failure and all that caused it, for the log alone.
fn log_text(failure: &ToolError, tool: &str) -> String {
    let mut text = format!("{tool}: {failure}");
    let mut source = failure.source();
    while let Some(cause) = source {
        // Writing to a string cannot fail.
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}

/// Text without terminal sequences and control characters. Line breaks and tabs stay, and a carriage
/// return is a line break: what a terminal writes over, a model should not read as one word.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    let is_unwanted = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(is_unwanted) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_unwanted) {
        let (plain, from) = rest.split_at(at);
        cleaned.push_str(plain);
        if from.starts_with('\r') && !from.starts_with("\r\n") {
            cleaned.push('\n');
        }
        rest = from.get(unwanted_length(from)..).unwrap_or_default();
    }
    cleaned.push_str(rest);
    Cow::Owned(cleaned)
}

/// How many bytes to drop where an unwanted character stands: it, or the whole sequence that it
/// opens. What opens a sequence that never becomes one goes alone, so that no text is lost.
fn unwanted_length(text: &str) -> usize {
    let mut characters = text.chars();
    let first = characters.next().unwrap_or_default();
    let sequence = match (first, characters.next()) {
        ('\u{1b}', Some('[')) => control_sequence(text, 2),
        ('\u{9b}', _) => control_sequence(text, first.len_utf8()),
        ('\u{1b}', Some(']' | 'P' | '^' | '_' | 'X')) => control_string(text),
        ('\u{1b}', Some('(' | ')' | '*' | '+' | '#' | '%')) => {
            text.is_char_boundary(3).then_some(3)
        }
        ('\u{1b}', Some(' '..='~')) => Some(2),
        _ => None,
    };
    sequence.unwrap_or(first.len_utf8())
}

/// CSI: parameters and signs, then one letter or sign that ends it.
fn control_sequence(text: &str, opening: usize) -> Option<usize> {
    let inside = text.as_bytes().get(opening..)?;
    let length = inside.iter().take_while(|byte| (0x20..=0x3f).contains(*byte)).count();
    let ends = inside.get(length).is_some_and(|byte| (0x40..=0x7e).contains(byte));
    ends.then_some(opening + length + 1)
}

/// OSC and its kin: a text on the same line, ended by BEL or by another escape.
fn control_string(text: &str) -> Option<usize> {
    let inside = text.get(2..)?;
    let end = inside.find(['\u{7}', '\u{1b}', '\n'])?;
    match inside.get(end..)? {
        rest if rest.starts_with('\u{7}') => Some(2 + end + 1),
        rest if rest.starts_with("\u{1b}\\") => Some(2 + end + 2),
        rest if rest.starts_with('\u{1b}') => Some(2 + end),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn terminal_sequences_go_whole() {
        assert_eq!(clean("\u{1b}[1;31mred\u{1b}[0m and\tblue\n"), "red and\tblue\n");
        assert_eq!(clean("\u{1b}]0;title\u{7}text"), "text");
        assert_eq!(clean("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\"), "link");
        assert_eq!(clean("a\u{1b}(Bb\u{9b}2Jc"), "abc");
        assert_eq!(clean("a\u{0}c\u{7f}"), "ac");
    }

    #[test]
    fn what_opens_no_sequence_takes_no_text_with_it() {
        assert_eq!(clean("a\u{1b}"), "a");
        assert_eq!(clean("a\u{1b}["), "a[");
        assert_eq!(clean("price: 5\n\u{1b}[\n12 345"), "price: 5\n[\n12 345");
        assert_eq!(clean("x\u{9b} 日本語 100"), "x 日本語 100");
        assert_eq!(clean("a\u{1b}]never ended"), "a]never ended");
        assert_eq!(clean("a\u{1b}]on one line\nb"), "a]on one line\nb");
        assert_eq!(clean("\u{1b}\u{1b}[31mx"), "x");
    }

    #[test]
    fn a_carriage_return_is_a_line_break() {
        assert_eq!(clean("id\r\n1\r\n"), "id\n1\n");
        assert_eq!(clean("10%\r100%"), "10%\n100%");
    }

    #[test]
    fn other_scripts_and_joined_signs_stay() {
        let text = "مرحبا 👩‍👩‍👧 読取 é\n";
        assert_eq!(clean(text), text);
    }
}

//! A tool that its author runs by hand: what it says to lines for a person, and a question to the
//! answer of one.

use std::fs::{DirBuilder, File};
use std::io::{self, IsTerminal};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use super::inside;
use super::line::Saying;
use crate::terminal::{one_line, say};

/// Says on standard error what a server would hear.
pub(crate) fn tell(saying: Saying<'_>) {
    let (head, text) = match saying {
        Saying::Progress { done, total: Some(total), text } => (format!("{done} of {total}"), text),
        Saying::Progress { done, total: None, text } => (done.to_owned(), text),
        Saying::Log { level, text } => (level.to_owned(), text),
        Saying::Attach { .. } | Saying::Ask { .. } => return,
    };
    let text = one_line(text);
    say(&if text.is_empty() { head } else { format!("{head}: {text}") });
}

/// Says what would go with the answer.
pub(crate) fn would_attach(file: &File, media_type: Option<&str>, name: &str) {
    let size = file.metadata().map_or(0, |about| about.len());
    let media_type = media_type.map_or_else(String::new, |it| format!("{it}, "));
    say(&format!("would go with the answer: {} ({media_type}{size} bytes)", one_line(name)));
}

/// A folder that its author clears away.
pub(crate) fn temp() -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("candor-{}", inside::name()));
    let made = DirBuilder::new().mode(0o700).create(&folder);
    made.map_err(|cause| format!("{} cannot be made: {cause}", folder.display()))?;
    Ok(folder)
}

/// What a person said to a question.
pub(crate) enum Heard {
    Answer(String),
    Nothing,
    /// There is nobody.
    Nobody,
}

/// Asks whoever sits at the terminal, until the answer is of the type.
pub(crate) fn ask(kind: &str, question: &str) -> Heard {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Heard::Nobody;
    }
    let expected = Expected::read(kind);
    say(&match expected.words() {
        Some(words) => format!("{} ({words})", one_line(question)),
        None => one_line(question),
    });
    let mut line = String::new();
    loop {
        line.clear();
        if !stdin.read_line(&mut line).is_ok_and(|length| length > 0) {
            return Heard::Nothing;
        }
        if let Some(answer) = expected.fit(line.trim()) {
            return Heard::Answer(answer);
        }
        let words = expected.words().unwrap_or_default();
        say(&format!("The answer has to be {words}."));
    }
}

/// What an answer has to be.
enum Expected<'a> {
    Boolean,
    Integer,
    Number,
    OneOf(Vec<&'a str>),
    Anything,
}

impl<'a> Expected<'a> {
    fn read(kind: &'a str) -> Self {
        match kind {
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            choices if choices.contains('|') => Self::OneOf(choices.split('|').collect()),
            _ => Self::Anything,
        }
    }

    fn words(&self) -> Option<String> {
        match self {
            Self::Boolean => Some("yes or no".to_owned()),
            Self::Integer => Some("a whole number".to_owned()),
            Self::Number => Some("a number".to_owned()),
            Self::OneOf(choices) => Some(format!("one of {}", choices.join(", "))),
            Self::Anything => None,
        }
    }

    /// The answer as a tool reads it.
    fn fit(&self, answer: &str) -> Option<String> {
        match self {
            Self::Boolean => match answer.to_lowercase().as_str() {
                "y" | "yes" | "true" => Some("true".to_owned()),
                "n" | "no" | "false" => Some("false".to_owned()),
                _ => None,
            },
            Self::Integer => answer.parse::<i64>().ok().map(|number| number.to_string()),
            Self::Number => crate::json::is_number(answer).then(|| answer.to_owned()),
            Self::OneOf(choices) => choices.contains(&answer).then(|| answer.to_owned()),
            Self::Anything => Some(answer.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Expected;

    #[test]
    fn an_answer_is_of_the_type_that_was_asked_for() {
        let fit = |kind, answer| Expected::read(kind).fit(answer);
        let some = |answer: &str| Some(answer.to_owned());

        assert_eq!(fit("boolean", "Yes"), some("true"));
        assert_eq!(fit("boolean", "n"), some("false"));
        assert_eq!(fit("boolean", "perhaps"), None);
        assert_eq!(fit("integer", "+7"), some("7"));
        assert_eq!(fit("integer", "a[$(id)]"), None);
        assert_eq!(fit("number", "1.5"), some("1.5"));
        assert_eq!(fit("number", "much"), None);
        assert_eq!(fit("front|back", "back"), some("back"));
        assert_eq!(fit("front|back", "middle"), None);
        assert_eq!(fit("string", "any thing"), some("any thing"));
    }
}

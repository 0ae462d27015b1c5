//! What the log is told. The model never reads any of it.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use candor_redact::Redactor;

/// Where the log goes.
#[derive(Clone)]
pub struct Journal(Arc<dyn Fn(&Entry<'_>) + Send + Sync>);

/// One thing that happened.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// How much it matters.
    pub level: Level,
    /// The reference that a text on the wire gives, if one does.
    pub incident: Option<&'a str>,
    /// What happened. May hold what a tool wrote; it is not fit for a model.
    pub text: &'a str,
}

/// How much an entry matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Level {
    /// Something is broken.
    Error,
    /// Something is not as it should be.
    Warning,
    /// Something went as it should, and someone who watches wants to know.
    Info,
    /// Of interest to someone who looks for it.
    Debug,
}

impl Journal {
    /// A log that goes wherever the function puts it. It is called on the serving task and must
    /// not block.
    pub fn new(write: impl Fn(&Entry<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(write))
    }

    /// A log that goes to standard error, one line an entry, without what is only of interest.
    #[must_use]
    pub fn to_stderr() -> Self {
        Self::new(|entry| {
            if entry.level <= Level::Warning {
                // A log that cannot be written has nowhere to say so.
                let _ = writeln!(std::io::stderr(), "{entry}");
            }
        })
    }

    /// The same log, which is not told credentials.
    #[must_use]
    pub fn redacted(self, redactor: Redactor) -> Self {
        Self(Arc::new(move |entry: &Entry<'_>| {
            (self.0)(&Entry { text: &redactor.success(entry.text), ..*entry });
        }))
    }

    /// Tells the log.
    pub fn note(&self, level: Level, text: &str) {
        (self.0)(&Entry { level, incident: None, text });
    }

    /// Tells the log what is wrong, and gives the reference to say on the wire.
    #[must_use]
    pub fn incident(&self, text: &str) -> String {
        let incident = reference();
        (self.0)(&Entry { level: Level::Error, incident: Some(&incident), text });
        incident
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Journal")
    }
}

impl fmt::Display for Entry<'_> {
    /// One line, whatever the text holds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.level {
            Level::Error => "candor: error: ",
            Level::Warning => "candor: warning: ",
            Level::Info | Level::Debug => "candor: ",
        })?;
        if let Some(incident) = self.incident {
            write!(f, "incident {incident}: ")?;
        }
        f.write_str(&one_line(self.text))
    }
}

/// A text on one line, and without what a terminal would obey.
fn one_line(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    lines.join(" | ").replace(char::is_control, " ")
}

/// Eight hexadecimal digits that no other incident of this process has had for a long time, and
/// that nobody can guess.
fn reference() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    static KEY: std::sync::LazyLock<RandomState> = std::sync::LazyLock::new(RandomState::new);
    let hash = KEY.hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
    format!("{:08x}", hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::{Entry, Level};

    #[test]
    fn an_entry_is_one_line_that_no_terminal_obeys() {
        let text = "first\r\n\n\u{1b}[31msecond\n";
        let entry = Entry { level: Level::Error, incident: Some("7f3a91c2"), text };

        assert_eq!(entry.to_string(), "candor: error: incident 7f3a91c2: first |  [31msecond");
    }
}

//! How a tool call came out. The model reads these.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde_json::value::RawValue;

use super::content::Content;
use super::failure::Violation;

type Cause = Box<dyn Error + Send + Sync>;

/// How a tool call came out.
///
/// There is no variant for a protocol error, and no conversion from one:
///
/// ```compile_fail,E0277
/// use candor_protocol::{ProtocolError, ToolOutcome};
///
/// let outcome = ToolOutcome::from(ProtocolError::IdInUse);
/// ```
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a new way to come out is a breaking change")]
pub enum ToolOutcome {
    /// The tool did what it was asked.
    Done(Reply),
    /// The tool could not, and says why.
    Failed(ToolError),
}

/// What a tool says when it succeeds: text, or a JSON value, or both, and what it shows besides.
///
/// ```
/// use candor_protocol::{Content, Reply};
///
/// let reply = Reply::text("Booked 2 seats.");
/// # assert_eq!(reply.as_text(), "Booked 2 seats.");
///
/// let ticket = Content::image(vec![0x89, b'P', b'N', b'G'], "image/png");
/// let reply = Reply::text("Booked 2 seats.").and(ticket);
/// # assert_eq!(reply.content().len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Reply {
    text: Option<String>,
    structured: Option<Box<RawValue>>,
    content: Vec<Content>,
}

impl Reply {
    /// Says it in words.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), structured: None, content: Vec::new() }
    }

    /// Says it as a JSON value, which the wire carries as `structuredContent` and, for hosts that
    /// look only at text, as its JSON.
    #[must_use]
    pub fn structured(json: Box<RawValue>) -> Self {
        Self { text: None, structured: Some(json), content: Vec::new() }
    }

    /// Says a value in these words, and no longer as its JSON. Revisions that cannot carry the value
    /// still get its JSON, behind the words.
    #[must_use]
    pub fn in_words(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// Shows this as well, behind what is there already.
    #[must_use]
    pub fn and(mut self, content: impl Into<Content>) -> Self {
        self.content.push(content.into());
        self
    }

    /// Says nothing, and shows these.
    #[must_use]
    pub const fn of(content: Vec<Content>) -> Self {
        Self { text: None, structured: None, content }
    }

    /// The words; for a reply that only has a value, its JSON.
    #[must_use]
    pub fn as_text(&self) -> &str {
        let json = self.structured.as_deref().map(RawValue::get);
        self.text.as_deref().or(json).unwrap_or_default()
    }

    /// The words, if it has any of its own.
    #[must_use]
    pub fn own_text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The value, if there is one.
    #[must_use]
    pub fn as_structured(&self) -> Option<&RawValue> {
        self.structured.as_deref()
    }

    /// What it shows besides.
    #[must_use]
    pub fn content(&self) -> &[Content] {
        &self.content
    }

    /// Takes out what it shows besides.
    #[must_use]
    pub fn take_content(&mut self) -> Vec<Content> {
        std::mem::take(&mut self.content)
    }

    /// The same reply in other words. A value that has no words of its own is left alone.
    #[must_use]
    pub fn map_text(mut self, words: impl FnOnce(String) -> String) -> Self {
        self.text = self.text.map(words);
        self
    }

    /// The same reply with another value in place of the one it has.
    #[must_use]
    pub fn map_structured(mut self, value: impl FnOnce(Box<RawValue>) -> Box<RawValue>) -> Self {
        self.structured = self.structured.map(value);
        self
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<Content> for Reply {
    /// Says nothing, and shows this.
    fn from(content: Content) -> Self {
        Self { text: None, structured: None, content: vec![content] }
    }
}

/// Why a tool could not do what it was asked.
///
/// The spec calls this a *tool execution error*. It has two faces, and only one goes on the wire:
///
/// - what the model is **told**: the parameter, the constraint it broke, a value that would work;
/// - the **cause**, for the log, reachable only through [`Error::source`].
///
/// ```
/// use candor_protocol::ToolError;
///
/// let failure = std::fs::read("notes/drafts.md")
///     .map_err(|cause| ToolError::tell("No note is named \"drafts\".").because(cause));
/// # assert!(failure.is_err());
/// ```
///
/// A foreign error does not turn into a `ToolError` by itself, because its text was written for a
/// log. So `?` alone does not compile; say what the model should read:
///
/// ```compile_fail,E0277
/// # use candor_protocol::ToolError;
/// fn read_note() -> Result<Vec<u8>, ToolError> {
///     Ok(std::fs::read("notes/drafts.md")?)
/// }
/// ```
#[derive(Debug)]
pub struct ToolError {
    why: Why,
    content: Vec<Content>,
    cause: Option<Cause>,
}

/// The ways in which a tool can fail to do what it was asked.
///
/// All but the first are seen from outside a tool, and the words for them are the server's: they are
/// for whoever runs tools that are no functions, such as a shell worker. A function says
/// [`ToolError::tell`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "each way has its sentence, and needs one")]
pub enum Why {
    /// The tool says so.
    Told {
        /// In these words.
        text: String,
        /// The same call may work later.
        later: bool,
    },
    /// It panicked, was killed, or could not be run.
    Crashed {
        /// What it had said by then.
        said: String,
    },
    /// It was stopped when its time was over.
    TimedOut {
        /// The time it had.
        after: Duration,
        /// What it had said by then.
        said: String,
    },
    /// It was stopped because the server is ending.
    ServerEnded {
        /// What it had said by then.
        said: String,
    },
    /// It finished, but its answer is not what it promises.
    BadOutput {
        /// What it had said.
        said: String,
    },
    /// It finished, and wrote more than it may, so that its answer cannot be what it promises.
    TooMuch {
        /// How much it may write, in bytes.
        limit: usize,
        /// What it had said up to there.
        said: String,
    },
    /// It cannot be run now, and will be again. Nothing ran.
    Unavailable,
    /// The arguments say one key twice in one object. Nothing ran.
    RepeatedKey {
        /// The key.
        key: String,
    },
    /// Its arguments are not what it takes. Nothing ran.
    Arguments(Complaint),
    /// It was called more often, or more at once, than is allowed. Nothing ran.
    OverLimit {
        /// What is allowed, as the end of a sentence: `10 calls a minute`, `4 calls at once`.
        limit: String,
        /// When the next call is possible; `None` if that depends on when others end.
        after: Option<Duration>,
    },
    /// It has to ask the user, and there is no way from here to the user.
    CannotAsk {
        /// What it would ask.
        question: String,
    },
}

/// What is wrong with arguments, in words for the model, and as (path, keyword) for the host.
///
/// ```
/// use candor_protocol::{Complaint, ToolError, Violation, Why};
///
/// let complaint = Complaint::of(2, "seats: must be at most 3. Got 9.\nrow: is missing. Add one.")
///     .with(vec![Violation::new("seats", "maximum"), Violation::new("row", "required")]);
/// let failure = ToolError::seen(Why::Arguments(complaint));
/// # let _ = failure;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    count: Option<usize>,
    text: String,
    violations: Vec<Violation>,
}

impl Complaint {
    /// So many arguments need changing, and these lines say which and how. The words around them
    /// are the server's.
    #[must_use]
    pub fn of(count: usize, lines: impl Into<String>) -> Self {
        Self { count: Some(count), text: lines.into(), violations: Vec::new() }
    }

    /// A text that says all: which tool did not run, what is wrong, and what to do next.
    #[must_use]
    pub fn whole(text: impl Into<String>) -> Self {
        Self { count: None, text: text.into(), violations: Vec::new() }
    }

    /// The same, with what a host can count.
    #[must_use]
    pub fn with(mut self, violations: Vec<Violation>) -> Self {
        self.violations = violations;
        self
    }

    /// How many arguments need changing, if the text does not say so itself.
    #[must_use]
    pub const fn count(&self) -> Option<usize> {
        self.count
    }

    /// The words.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes out what a host can count.
    #[must_use]
    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }
}

impl<T: Into<String>> From<T> for Complaint {
    /// One argument needs changing, and this line says which and how.
    fn from(line: T) -> Self {
        Self::of(1, line)
    }
}

impl ToolError {
    /// A failure, in words the model can act on.
    pub fn tell(told: impl Into<String>) -> Self {
        Self::seen(Why::Told { text: told.into(), later: false })
    }

    /// A failure that was seen from outside the tool, for whoever runs tools that are no functions.
    /// The words for it are the server's.
    #[must_use]
    pub const fn seen(why: Why) -> Self {
        Self { why, content: Vec::new(), cause: None }
    }

    /// The same call may work later: the host is told so, beside the words. It says nothing of a
    /// failure that is not told in the tool's own words.
    #[must_use]
    pub fn later(mut self) -> Self {
        if let Why::Told { later, .. } = &mut self.why {
            *later = true;
        }
        self
    }

    /// Shows this behind the words. Of a failure before anything ran there is nothing to show, and
    /// nothing is.
    ///
    /// ```
    /// use candor_protocol::{Content, ToolError};
    ///
    /// let plan = Content::image(vec![0x89, b'P', b'N', b'G'], "image/png");
    /// let failure = ToolError::tell("Seat 7 is taken. The plan shows what is free.").showing(plan);
    /// # let _ = failure;
    /// ```
    #[must_use]
    pub fn showing(mut self, content: impl Into<Content>) -> Self {
        self.content.push(content.into());
        self
    }

    /// Keeps the cause for the log.
    #[must_use]
    pub fn because(mut self, cause: impl Into<Cause>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// In which way it failed.
    #[must_use]
    pub const fn why(&self) -> &Why {
        &self.why
    }

    /// Takes it apart: what may be told, what may be shown, and what is for the log.
    #[must_use]
    pub fn into_parts(self) -> (Why, Vec<Content>, Option<Cause>) {
        (self.why, self.content, self.cause)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Told { text, .. } => f.write_str(text),
            Why::Arguments(complaint) => f.write_str(complaint.text()),
            Why::OverLimit { limit, .. } => write!(f, "the tool is limited to {limit}"),
            Why::CannotAsk { .. } => f.write_str("the tool asks the user, who cannot be asked"),
            Why::Crashed { .. } => f.write_str("the tool crashed"),
            Why::TimedOut { after, .. } => write!(f, "the tool was stopped after {after:?}"),
            Why::ServerEnded { .. } => f.write_str("the tool was stopped as the server ended"),
            Why::BadOutput { .. } => f.write_str("the tool's answer is not what it promises"),
            Why::TooMuch { limit, .. } => write!(f, "the tool wrote more than {limit} bytes"),
            Why::Unavailable => f.write_str("the tool cannot be run now"),
            Why::RepeatedKey { key } => write!(f, "the arguments say {key:?} twice"),
        }
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

impl<T: Into<Reply>> From<Result<T, ToolError>> for ToolOutcome {
    fn from(returned: Result<T, ToolError>) -> Self {
        match returned {
            Ok(reply) => Self::Done(reply.into()),
            Err(failure) => Self::Failed(failure),
        }
    }
}

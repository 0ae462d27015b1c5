//! What is to be run for one call, and what it may use.

use std::time::Duration;

/// What a call runs, with which arguments, and what it may use.
///
/// ```
/// use candor_shell::Work;
///
/// let work = Work::function("add", r#"{"a":1,"b":2}"#).time(std::time::Duration::from_secs(2));
/// # let _ = work;
/// ```
#[derive(Clone, Debug)]
pub struct Work {
    pub(crate) runs: Runs,
    /// JSON text.
    pub(crate) arguments: Vec<u8>,
    pub(crate) time: Option<Duration>,
    pub(crate) output: Option<usize>,
}

/// What a call runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// `tool_NAME` of the worker's file.
    Function(String),
}

impl Work {
    /// A call of `tool_NAME` with JSON text as its only argument; none is `{}`.
    #[must_use]
    pub fn function(name: &str, arguments: impl Into<Vec<u8>>) -> Self {
        Self::of(Runs::Function(name.to_owned()), arguments.into())
    }

    pub(crate) const fn of(runs: Runs, arguments: Vec<u8>) -> Self {
        Self { runs, arguments, time: None, output: None }
    }

    /// How long it may take; otherwise as long as [`Options::timeout`](crate::Options::timeout).
    #[must_use]
    pub const fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// How much of what it prints is kept, in bytes; otherwise
    /// [`Options::max_output`](crate::Options::max_output).
    #[must_use]
    pub const fn output(mut self, bytes: usize) -> Self {
        self.output = Some(bytes);
        self
    }
}

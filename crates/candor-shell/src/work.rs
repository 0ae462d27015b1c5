//! What is to be run for one call, and what it may use.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::verbs::Verb;

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
    pub(crate) variables: Variables,
    pub(crate) time: Option<Duration>,
    pub(crate) output: Option<usize>,
    pub(crate) memory: Option<u64>,
    pub(crate) listener: Listener,
}

/// What a call runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// `tool_NAME` of the worker's file.
    Function(String),
    /// An executable, by its absolute path.
    Program(PathBuf),
}

/// Variables that are set for a call, or are not, whatever the file makes of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variables(pub(crate) Vec<u8>);

/// Hears what a call says while it runs.
#[derive(Clone)]
pub(crate) struct Listener(Arc<dyn Fn(Verb) + Send + Sync>);

impl Work {
    /// A call of `tool_NAME` with JSON text as its only argument; none is `{}`.
    #[must_use]
    pub fn function(name: &str, arguments: impl Into<Vec<u8>>) -> Self {
        Self::of(Runs::Function(name.to_owned()), arguments.into())
    }

    /// A run of an executable, by its absolute path, with JSON text as its standard input; none is
    /// `{}`.
    #[must_use]
    pub fn program(path: impl Into<PathBuf>, arguments: impl Into<Vec<u8>>) -> Self {
        Self::of(Runs::Program(path.into()), arguments.into())
    }

    pub(crate) fn of(runs: Runs, arguments: Vec<u8>) -> Self {
        Self {
            runs,
            arguments,
            variables: Variables::default(),
            time: None,
            output: None,
            memory: None,
            listener: Listener::new(|_| ()),
        }
    }

    /// How long it may take; otherwise as long as [`Options::timeout`](crate::Options::timeout).
    ///
    /// What leaves the call's process group may go on for longer, but no process of it may compute
    /// for longer than this on all the processors there are.
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

    /// How much memory each of its processes may fill, in bytes.
    #[must_use]
    pub const fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }
}

impl Variables {
    /// This variable has a value.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        for part in ["+", name, "\0", value, "\0"] {
            self.0.extend_from_slice(part.as_bytes());
        }
    }

    /// This variable has none.
    pub(crate) fn unset(&mut self, name: &str) {
        for part in ["-", name, "\0"] {
            self.0.extend_from_slice(part.as_bytes());
        }
    }
}

impl Listener {
    pub(crate) fn new(hear: impl Fn(Verb) + Send + Sync + 'static) -> Self {
        Self(Arc::new(hear))
    }

    pub(crate) fn hear(&self, verb: Verb) {
        (self.0)(verb);
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

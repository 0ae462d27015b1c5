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
pub(crate) struct Variables {
    together: Together,
    /// Those that are set one by one.
    alone: Vec<u8>,
    unset: String,
}

/// Variables that a shell sets at once, because it can tell their values apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Together {
    names: String,
    values: Vec<u8>,
}

/// Stands behind each value that is set together with others.
const BETWEEN: char = '\u{1f}';

/// What a value that is set together with others has not: this, and what some shells use for
/// themselves while they take a line apart.
const APART: [char; 3] = [BETWEEN, '\u{1}', '\u{7f}'];

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
        if value.contains(APART) {
            for part in ["+arg_", name, "\0", value, "\0"] {
                self.alone.extend_from_slice(part.as_bytes());
            }
            return;
        }
        self.together.names.push_str(" arg_");
        self.together.names.push_str(name);
        self.together.values.extend_from_slice(value.as_bytes());
        self.together.values.push(BETWEEN as u8);
    }

    /// This variable has none.
    pub(crate) fn unset(&mut self, name: &str) {
        self.unset.push_str(" arg_");
        self.unset.push_str(name);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.together.names.is_empty() && self.alone.is_empty() && self.unset.is_empty()
    }

    /// The names of those that are set at once, each after a space.
    pub(crate) fn names(&self) -> &str {
        &self.together.names
    }

    /// Their values, then records of the others.
    pub(crate) fn records(&self) -> Vec<u8> {
        let mut records = Vec::new();
        if !self.together.names.is_empty() {
            records.extend_from_slice(&self.together.values);
            records.push(0);
        }
        records.extend_from_slice(&self.alone);
        if !self.unset.is_empty() {
            records.extend_from_slice(b"-");
            records.extend_from_slice(self.unset.as_bytes());
            records.push(0);
        }
        records
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

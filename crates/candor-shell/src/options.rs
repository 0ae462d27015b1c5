//! What whoever serves a file may choose about it.

use std::path::PathBuf;
use std::time::Duration;

use candor::Rate;

/// How the functions of a file are run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Environment variables to pass on besides the usual ones; `*` passes all.
    pub environment: Vec<String>,
    /// Where the file is loaded and its functions run; ours if `None`.
    pub folder: Option<PathBuf>,
    /// How long the file may take to load.
    pub load_timeout: Duration,
    /// How long one call may take.
    pub timeout: Duration,
    /// How much of what one call prints is kept, in bytes.
    pub max_output: usize,
    /// How often a tool may be called.
    pub rates: Rates,
    /// A folder in which tools find further commands, behind all others: among them `candor`, for
    /// programs that say more than their answer.
    pub commands: Option<PathBuf>,
    /// Meet the shell over named pipes in a private folder, as where there is no `/proc`.
    pub named_pipes: bool,
}

/// How often a tool may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "whoever serves a file chooses one of these")]
pub enum Rates {
    /// As often as it declares, and without a declaration as often as anyone likes.
    AsDeclared,
    /// As often as it declares, and without a declaration as often as this.
    Unless(Rate),
    /// As often as anyone likes, whatever it declares.
    Off,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            environment: Vec::new(),
            folder: None,
            load_timeout: Duration::from_secs(5),
            timeout: Duration::from_secs(30),
            max_output: 1024 * 1024,
            rates: Rates::AsDeclared,
            commands: None,
            named_pipes: false,
        }
    }
}

//! What whoever serves a file may choose about it.

use std::path::PathBuf;
use std::time::Duration;

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
    /// A folder in which tools find further commands, behind all others: among them `candor`, for
    /// programs that say more than their answer.
    pub commands: Option<PathBuf>,
    /// Meet the shell over named pipes in a private folder, as where there is no `/proc`.
    pub named_pipes: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            environment: Vec::new(),
            folder: None,
            load_timeout: Duration::from_secs(5),
            timeout: Duration::from_secs(30),
            max_output: 1024 * 1024,
            commands: None,
            named_pipes: false,
        }
    }
}

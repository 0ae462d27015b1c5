//! What is found on the way from files to tools, for their author and for whoever looks again.

use std::path::Path;

use candor::Level;

use crate::seen::Seen;

/// What is found while something is made ready to be served. Looking goes on behind a mistake, so
/// that an author learns of all of them at once.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Why it cannot be served, a sentence each.
    pub(crate) mistakes: Vec<String>,
    /// What its author should know.
    pub(crate) notes: Vec<(Level, String)>,
    /// What was read, or should have been: what is served may change with it.
    pub(crate) read: Seen,
}

impl Findings {
    pub(crate) fn mistake(&mut self, text: impl Into<String>) {
        self.mistakes.push(text.into());
    }

    pub(crate) fn warn(&mut self, text: impl Into<String>) {
        self.notes.push((Level::Warning, text.into()));
    }
}

/// The text of a file.
///
/// # Errors
///
/// It cannot be read, or is something that might never end.
pub(crate) fn read(file: &Path) -> Result<String, String> {
    let read = || {
        if !std::fs::metadata(file)?.is_file() {
            return Err(std::io::Error::other("it is not a file"));
        }
        std::fs::read_to_string(file)
    };
    read().map_err(|cause| cause.to_string())
}

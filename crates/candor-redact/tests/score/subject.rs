//! What is scored: anything that masks.

use candor_redact::{Profile, Redactor};

/// The three ways in which a text is masked.
pub(crate) trait Subject {
    /// As a reply.
    fn success(&self, text: &str) -> String;
    /// As a failure.
    fn error(&self, text: &str) -> String;
    /// As the JSON of a reply.
    fn json(&self, text: &str) -> String;
}

impl Subject for Redactor {
    fn success(&self, text: &str) -> String {
        Self::success(self, text).into_owned()
    }

    fn error(&self, text: &str) -> String {
        Self::error(self, text).into_owned()
    }

    fn json(&self, text: &str) -> String {
        Self::json(self, text, Profile::Success).into_owned()
    }
}

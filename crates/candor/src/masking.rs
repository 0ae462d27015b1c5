//! What was said to what a model may read of it.

use std::borrow::Cow;

use candor_protocol::{Content, Reply};
use candor_redact::{Profile, Redaction, Redactor};
use serde_json::value::RawValue;

/// Masks what must not be read, unless an operator wants everything shown.
#[derive(Clone, Debug)]
pub(crate) struct Masking(pub(crate) Option<Redactor>);

/// The masking of one outcome, in which equal values get equal marks.
pub(crate) struct Masker<'a>(Option<Redaction<'a>>);

impl Default for Masking {
    fn default() -> Self {
        Self(Some(Redactor::default()))
    }
}

impl Masking {
    pub(crate) fn begin(&self) -> Masker<'_> {
        Masker(self.0.as_ref().map(Redactor::begin))
    }

    /// A text that is no outcome: it loses credentials.
    pub(crate) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.as_ref().map_or(Cow::Borrowed(text), |redactor| redactor.success(text))
    }
}

impl Masker<'_> {
    /// A success loses credentials, and nothing else.
    pub(crate) fn reply(&mut self, reply: Reply) -> Reply {
        let Some(redaction) = &mut self.0 else { return reply };
        let reply = reply.map_text(|text| own(redaction.success(&text), || text.clone()));
        reply.map_structured(|json| match redaction.json(json.get(), Profile::Success) {
            Cow::Borrowed(_) => json,
            // What is JSON stays JSON.
            Cow::Owned(masked) => RawValue::from_string(masked).unwrap_or(json),
        })
    }

    /// The words of a failure lose all that is not for a model.
    pub(crate) fn failure(&mut self, text: String) -> String {
        let Some(redaction) = &mut self.0 else { return text };
        own(redaction.error(&text), || text.clone())
    }

    /// Content that goes with either.
    pub(crate) fn content(&mut self, content: &mut [Content]) {
        let Some(redaction) = &mut self.0 else { return };
        for text in content.iter_mut().flat_map(Content::texts_mut) {
            if let Cow::Owned(masked) = redaction.success(text) {
                *text = masked;
            }
        }
    }

    /// Was a credential found so far?
    pub(crate) fn has_masked(&self) -> bool {
        self.0.as_ref().is_some_and(|redaction| redaction.masked() > 0)
    }
}

fn own(masked: Cow<'_, str>, as_it_was: impl FnOnce() -> String) -> String {
    match masked {
        Cow::Borrowed(_) => as_it_was(),
        Cow::Owned(masked) => masked,
    }
}

/// Is anything said besides marks of ours?
pub(crate) fn says_nothing_else(masked: &str) -> bool {
    let mut rest = masked;
    let mut has_mark = false;
    while let Some((before, after)) = rest.split_once("[redacted:") {
        if before.chars().any(char::is_alphanumeric) {
            return false;
        }
        has_mark = true;
        rest = after.split_once(']').map_or("", |(_, rest)| rest);
    }
    has_mark && !rest.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::says_nothing_else;

    #[test]
    fn a_text_of_marks_alone_says_nothing() {
        assert!(says_nothing_else("[redacted:token#1]"));
        assert!(says_nothing_else(" [redacted:token#1]: [redacted:host#2].\n"));
        assert!(!says_nothing_else("no route to [redacted:host#1]"));
        assert!(!says_nothing_else(""));
        assert!(!says_nothing_else("plain"));
    }
}

//! Text from a peer, made fit to stand in a sentence of ours.

use std::borrow::Cow;

/// The most characters of a name that a sentence repeats.
pub const LONGEST_NAME: usize = 200;
/// The most characters of a value that a sentence repeats.
pub const LONGEST_VALUE: usize = 40;

/// Cuts text after so many characters, and says so with an ellipsis.
///
/// ```
/// assert_eq!(candor_protocol::text::cut("abc", 3), "abc");
/// assert_eq!(candor_protocol::text::cut("abcd", 3), "abc…");
/// ```
///
/// Control characters become spaces: a name with a line break or a terminal sequence in it must
/// not look like more than a name.
#[must_use]
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    let end = text.char_indices().nth(most).map(|(end, _)| end);
    let kept = end.and_then(|end| text.get(..end)).unwrap_or(text);
    if end.is_none() && !kept.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = kept.replace(char::is_control, " ");
    if end.is_some() {
        shown.push('…');
    }
    Cow::Owned(shown)
}

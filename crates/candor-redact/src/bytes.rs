//! Looking at bytes without a way to look past them.

/// The byte at a place, or zero where there is none.
pub(crate) fn at(text: &[u8], place: usize) -> u8 {
    text.get(place).copied().unwrap_or_default()
}

/// The byte before a place, or zero.
pub(crate) fn before(text: &[u8], place: usize) -> u8 {
    place.checked_sub(1).map_or(0, |place| at(text, place))
}

/// A part of a text, shorter or empty where the text ends.
pub(crate) fn part(text: &[u8], start: usize, end: usize) -> &[u8] {
    text.get(start..end.min(text.len())).unwrap_or_default()
}

/// Where a run of such bytes ends that begins here, looking at so many at most.
pub(crate) fn run(text: &[u8], from: usize, most: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let window = part(text, from, from.saturating_add(most));
    from + window.iter().position(|byte| !belongs(*byte)).unwrap_or(window.len())
}

/// Where a run of such bytes begins that ends here, looking back at so many at most.
pub(crate) fn run_back(text: &[u8], to: usize, most: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let window = part(text, to.saturating_sub(most), to);
    to - window.iter().rev().position(|byte| !belongs(*byte)).unwrap_or(window.len())
}

/// Does this stand here, in any case? The word is written in lower case.
pub(crate) fn says(text: &[u8], place: usize, word: &[u8]) -> bool {
    part(text, place, place + word.len()).eq_ignore_ascii_case(word)
}

/// Is this word, written in lower case, anywhere in the text, in any case? For short texts.
pub(crate) fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len().max(1)).any(|window| window.eq_ignore_ascii_case(word))
}

/// Where the line ends that holds this place, looking so far at most.
pub(crate) fn line_end(text: &[u8], place: usize, most: usize) -> usize {
    run(text, place, most, |byte| byte != b'\n')
}

/// Where the line begins that holds this place, looking so far back at most.
pub(crate) fn line_start(text: &[u8], place: usize, most: usize) -> usize {
    run_back(text, place, most, |byte| byte != b'\n')
}

pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What tokens are made of when they are to stand in URLs.
pub(crate) const fn is_web(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub(crate) const fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

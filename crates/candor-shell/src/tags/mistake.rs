//! What is wrong with a tag, and what would be right.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use super::text::Spot;

/// Something that keeps a comment block from being a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) file: PathBuf,
    /// Counts from one.
    pub(crate) line: usize,
    /// Counts the characters of the line as it stands in the file, from one.
    pub(crate) column: usize,
    /// What is wrong.
    pub(crate) said: String,
    /// What would not be.
    pub(crate) would_be_right: String,
}

/// Something that works, and perhaps not as its author thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Warning {
    pub(crate) file: PathBuf,
    /// Counts from one.
    pub(crate) line: usize,
    /// Counts the characters of the line as it stands in the file, from one.
    pub(crate) column: usize,
    /// What will happen.
    pub(crate) said: String,
    /// What can be done about it.
    pub(crate) instead: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, said, would_be_right } = self;
        write!(f, "{}:{line}:{column}: {said} {would_be_right}", file.display())
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, said, instead } = self;
        write!(f, "{}:{line}:{column}: {said} {instead}", file.display())
    }
}

impl std::error::Error for Mistake {}

/// A mistake or a warning whose file is not known here.
#[derive(Clone, Debug)]
pub(super) struct Flaw {
    spot: Spot,
    said: String,
    right: String,
}

impl Flaw {
    pub(super) fn new(spot: Spot, said: impl Into<String>, right: impl Into<String>) -> Self {
        Self { spot, said: said.into(), right: right.into() }
    }

    pub(super) const fn spot(&self) -> Spot {
        self.spot
    }

    pub(super) fn into_mistake(self, file: &Path) -> Mistake {
        let Self { spot: Spot { line, column }, said, right } = self;
        Mistake { file: file.to_owned(), line, column, said, would_be_right: right }
    }

    pub(super) fn into_warning(self, file: &Path) -> Warning {
        let Self { spot: Spot { line, column }, said, right } = self;
        Warning { file: file.to_owned(), line, column, said, instead: right }
    }
}

/// A word as a sentence shows it: in quotes, and not too long.
pub(super) fn quoted(word: &str) -> String {
    format!("\"{}\"", cut(word))
}

/// The start of a word that is too long for a sentence.
pub(super) fn cut(word: &str) -> Cow<'_, str> {
    match word.char_indices().nth(40) {
        Some((end, _)) => Cow::Owned(format!("{}…", word.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(word),
    }
}

/// `Did you mean …? ` for the nearest of some words, or nothing if none is near.
pub(super) fn perhaps<'a>(said: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(said, known).map_or_else(String::new, |word| format!("Did you mean {word}? "))
}

/// The word that differs from this one in two letters or fewer, and in the fewest.
pub(super) fn nearest<'a>(said: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const FURTHEST: usize = 2;
    let said: Vec<char> = said.chars().take(64).collect();
    let near = known.into_iter().map(|word| (distance(&said, word), word));
    // A short word would be near to anything as short.
    let is_near = |(far, word): &(usize, &str)| *far <= FURTHEST && *far < word.chars().count();
    near.filter(is_near).min_by_key(|(far, _)| *far).map(|(_, word)| word)
}

/// How many letters have to be changed, added or left out to make one word the other.
fn distance(one: &[char], other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, (pair, other)) in above.windows(2).zip(&other).enumerate() {
            let (&[corner, above], Some(&left)) = (pair, line.get(column)) else { break };
            let changed = corner + usize::from(letter != other);
            line.push(changed.min(above + 1).min(left + 1));
        }
        above = line;
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{nearest, quoted};

    #[test]
    fn a_word_two_letters_away_is_near() {
        assert_eq!(nearest("dose", ["arg", "does"]), Some("does"));
        assert_eq!(nearest("Arg", ["out", "arg"]), Some("arg"));
        assert_eq!(nearest("author", ["arg", "out", "does"]), None);
        assert_eq!(nearest("xy", ["ab"]), None, "nothing of it is the same");
    }

    #[test]
    fn a_long_word_is_cut() {
        assert_eq!(quoted("int"), "\"int\"");
        assert_eq!(quoted(&"x".repeat(50)), format!("\"{}…\"", "x".repeat(40)));
    }
}

//! The characters of a tag, each of which knows where it stands in the file.

/// A line and a column of a file. Both count from one; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A character and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    pub(super) letter: char,
    pub(super) spot: Spot,
}

/// Some characters in a row.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    /// Where it begins, or would begin if it were not empty.
    pub(super) spot: Spot,
    spots: Vec<Spot>,
}

impl Word {
    fn of(glyphs: &[Glyph], spot: Spot) -> Self {
        Self {
            text: glyphs.iter().map(|glyph| glyph.letter).collect(),
            spot,
            spots: glyphs.iter().map(|glyph| glyph.spot).collect(),
        }
    }

    /// Where its character of this number stands, or the last one before it.
    pub(super) fn spot_of(&self, number: usize) -> Spot {
        let spot = self.spots.get(number).or_else(|| self.spots.last());
        spot.copied().unwrap_or(self.spot)
    }
}

/// Reads a tag from the front.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    glyphs: &'a [Glyph],
    /// The last character that was read. What is missing is missing behind it.
    behind: Spot,
}

impl<'a> Cursor<'a> {
    /// Before the first of these, which stand behind `behind`.
    pub(super) const fn new(glyphs: &'a [Glyph], behind: Spot) -> Self {
        Self { glyphs, behind }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.glyphs.first().map(|glyph| glyph.letter)
    }

    /// Where the next character stands, or the last one if there is none.
    pub(super) fn spot(&self) -> Spot {
        self.glyphs.first().map_or(self.behind, |glyph| glyph.spot)
    }

    /// Is this all, or does a space follow?
    pub(super) fn is_between_words(&self) -> bool {
        self.peek().is_none_or(char::is_whitespace)
    }

    /// Reads this character, if it is the next.
    pub(super) fn eat(&mut self, letter: char) -> bool {
        let is_next = self.peek() == Some(letter);
        if is_next {
            self.take(1);
        }
        is_next
    }

    /// Reads so many characters.
    pub(super) fn take(&mut self, count: usize) -> Word {
        let spot = self.spot();
        let (taken, rest) = self.glyphs.split_at(count.min(self.glyphs.len()));
        self.glyphs = rest;
        self.behind = taken.last().map_or(self.behind, |glyph| glyph.spot);
        Word::of(taken, spot)
    }

    /// Reads up to the first character that ends it, and not that one.
    pub(super) fn until(&mut self, is_end: impl Fn(char) -> bool) -> Word {
        let end = self.glyphs.iter().position(|glyph| is_end(glyph.letter));
        self.take(end.unwrap_or(self.glyphs.len()))
    }

    /// Reads up to the next space.
    pub(super) fn word(&mut self) -> Word {
        self.until(char::is_whitespace)
    }

    pub(super) fn skip_spaces(&mut self) {
        self.until(|letter| !letter.is_whitespace());
    }

    /// What is still to be read.
    pub(super) fn rest(&self) -> String {
        self.glyphs.iter().map(|glyph| glyph.letter).collect()
    }
}

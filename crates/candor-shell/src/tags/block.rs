//! A comment block to its description and its tags.

use std::path::Path;

use super::mistake::Flaw;
use super::text::{Glyph, Spot};

/// A line of a comment, without its mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// In which column of the file the text begins, counted in characters from one.
    pub(crate) column: usize,
    pub(crate) text: &'a str,
}

impl<'a> Line<'a> {
    /// What stood behind `# ` at the start of a line.
    #[cfg(test)]
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { column: 3, text }
    }

    /// A line as it stands in the file, if it is a comment: behind spaces, `#` or `//`, and one
    /// space that is not part of the text. The line that names an interpreter is none.
    pub(crate) fn of_comment(line: &'a str) -> Option<Self> {
        let marked = line.trim_start();
        let text = marked.strip_prefix('#').or_else(|| marked.strip_prefix("//"))?;
        if marked.starts_with("#!") {
            return None;
        }
        let text = text.strip_prefix(' ').unwrap_or(text);
        let before = line.strip_suffix(text).unwrap_or_default();
        Some(Self { column: before.chars().count() + 1, text })
    }

    /// Said to a linter, and not to a model.
    fn is_for_a_linter(self) -> bool {
        self.text.trim_start().starts_with("shellcheck ")
    }
}

/// The comment block of one tool.
#[derive(Clone, Debug)]
pub(crate) struct Block<'a> {
    /// As mistakes are to name it.
    pub(crate) file: &'a Path,
    /// The number of its first line in the file.
    pub(crate) first: usize,
    pub(crate) lines: Vec<Line<'a>>,
}

/// A tag, as far as every tag is alike.
#[derive(Clone, Debug)]
pub(super) struct Tag {
    /// Without the `@`.
    pub(super) name: String,
    /// Where the `@` stands.
    pub(super) spot: Spot,
    /// What stands behind the name, lines that continue it included.
    pub(super) text: Vec<Glyph>,
}

/// What a block consists of.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) description: Option<String>,
    pub(super) tags: Vec<Tag>,
    pub(super) flaws: Vec<Flaw>,
}

impl Block<'_> {
    pub(super) fn parts(&self) -> Parts {
        let mut parts = Parts::default();
        let mut description = Vec::new();
        // A blank line ends a tag; what follows is judged by the one before all the same.
        let mut is_open = false;
        for (at, line) in self.lines.iter().enumerate().filter(|(_, line)| !line.is_for_a_linter())
        {
            let glyphs = glyphs(*line, self.first.saturating_add(at));
            let Some(start) = glyphs.first().map(|glyph| glyph.spot) else {
                is_open = false;
                if parts.tags.is_empty() {
                    description.push("");
                }
                continue;
            };
            match parts.tags.last_mut() {
                Some(tag) if is_open && start.column > tag.spot.column => tag.go_on(glyphs),
                _ if is_tag(&glyphs) => {
                    parts.tags.push(Tag::new(glyphs, start));
                    is_open = true;
                }
                Some(tag) => parts.flaws.push(stray(tag, start)),
                None => description.push(line.text.trim_end()),
            }
        }
        let description = description.join("\n");
        let description = description.trim_matches('\n').trim_end();
        parts.description = (!description.trim().is_empty()).then(|| description.to_owned());
        parts
    }
}

/// The characters of a line from the first to the last that is no space.
fn glyphs(line: Line<'_>, number: usize) -> Vec<Glyph> {
    let text = line.text.trim_end();
    let columns = (line.column..).zip(text.chars());
    columns
        .skip_while(|(_, letter)| letter.is_whitespace())
        .map(|(column, letter)| Glyph { letter, spot: Spot { line: number, column } })
        .collect()
}

fn is_tag(glyphs: &[Glyph]) -> bool {
    let mut letters = glyphs.iter().map(|glyph| glyph.letter);
    letters.next() == Some('@') && letters.next().is_some_and(|it| it.is_ascii_alphabetic())
}

fn stray(tag: &Tag, spot: Spot) -> Flaw {
    let right = format!(
        "Put a description above the tags, or indent the line to go on with @{}.",
        tag.name
    );
    Flaw::new(spot, "this line stands behind a tag and is none.", right)
}

impl Tag {
    fn new(glyphs: Vec<Glyph>, spot: Spot) -> Self {
        let mut name = String::new();
        let mut text = glyphs;
        let end = text.iter().position(|it| it.letter.is_whitespace()).unwrap_or(text.len());
        name.extend(text.drain(..end).skip(1).map(|glyph| glyph.letter));
        Self { name, spot, text }
    }

    fn go_on(&mut self, glyphs: Vec<Glyph>) {
        // The line break reads as a space, which stands where the last line ended.
        let spot = self.text.last().map_or(self.spot, |glyph| glyph.spot);
        self.text.push(Glyph { letter: ' ', spot });
        self.text.extend(glyphs);
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn the_text_of_a_comment_knows_its_column() {
        let at = |column, text| Some(Line { column, text });
        assert_eq!(Line::of_comment("# @asks"), at(3, "@asks"));
        assert_eq!(Line::of_comment("#@asks"), at(2, "@asks"));
        assert_eq!(Line::of_comment("  #  @asks"), at(5, " @asks"));
        assert_eq!(Line::of_comment("// @asks"), at(4, "@asks"));
        assert_eq!(Line::of_comment("#"), at(2, ""));
        assert_eq!(Line::of_comment("   # "), at(6, ""));
        assert_eq!(Line::of_comment("#!/bin/bash"), None);
        assert_eq!(Line::of_comment("tool_a() {"), None);
        assert_eq!(Line::new("@asks"), Line::of_comment("# @asks").unwrap());
    }
}

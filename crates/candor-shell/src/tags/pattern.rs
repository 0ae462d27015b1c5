//! The text between two slashes to a regular expression that every engine reads alike.
//!
//! ```text
//! pattern  = branch { "|" branch }
//! branch   = { anchor | piece }
//! anchor   = "^" | "$" | "\b" | "\B"
//! piece    = atom [ ( "*" | "+" | "?" | "{" n "}" | "{" n ",}" | "{" n "," n "}" ) [ "?" ] ]
//! atom     = letter | "." | escape | "[" [ "^" ] { item } "]" | "(" [ "?:" ] pattern ")"
//! item     = member [ "-" member ]
//! escape   = "\" ( "d" | "D" | "w" | "W" | "s" | "S" | "t" | "n" | "r" | "f" | "v"
//!                | "x" hex hex | "u" hex hex hex hex | a character that means something )
//! ```
//!
//! Who reads a schema may be written in any language, and so may who sends the arguments. So this
//! is what the engines of JavaScript, Python and Rust have in common. Where they differ in meaning,
//! which is beyond ASCII in `\d`, `\w` and `\b`, JavaScript is followed, as JSON Schema does. As
//! there, too, a pattern may be found anywhere in a text.
//!
//! **What is not here:** groups are not remembered, so a match says nothing but that there is one.

mod classes;
mod matching;
mod reading;

#[cfg(test)]
mod tests;

use std::fmt;

pub(super) use classes::{Item, Set};
pub(super) use reading::Unreadable;

/// A pattern, as its author wrote it and as it is tried.
#[derive(Clone)]
pub(crate) struct Pattern {
    text: String,
    program: matching::Program,
}

impl Pattern {
    /// Reads what stood between the slashes.
    pub(super) fn read(text: &str) -> Result<Self, Unreadable> {
        let node = reading::read(text)?;
        match matching::Program::of(&node) {
            Some(program) => Ok(Self { text: text.to_owned(), program }),
            None => Err(Unreadable {
                at: 0,
                said: "the counts of this pattern multiply to too much.".to_owned(),
                right: "Use smaller ones.".to_owned(),
            }),
        }
    }

    /// What its author wrote.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Is it somewhere in this text?
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.program.is_in(text)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.text)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

/// A part of a pattern.
#[derive(Clone, Debug)]
enum Node {
    Letter(Set),
    Start,
    End,
    /// Between a letter of a word and something else; or not so.
    Edge(bool),
    Sequence(Vec<Node>),
    Either(Vec<Node>),
    Repeat {
        node: Box<Node>,
        least: usize,
        most: Option<usize>,
    },
}

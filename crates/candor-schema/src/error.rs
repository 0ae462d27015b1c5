//! Why a schema is refused, in a sentence for whoever wrote it.

use std::fmt;

use crate::bounds::{LARGEST_TEXT, MOST_DEPTH, MOST_NODES, MOST_WAYS};
use crate::shown;

/// A schema that no tool can be registered with.
///
/// `Display` gives one sentence for the author or the operator. It is not meant for a model,
/// which can do nothing about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaError {
    /// It cannot be read as JSON, for this reason.
    NotJson(String),
    /// It is longer than 1 MiB.
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// `$schema` names a dialect that is not known here.
    UnknownDialect(String),
    /// It breaks the rules for schemas.
    NotASchema {
        /// Where, as a JSON Pointer.
        at: String,
        /// What is wrong there.
        why: String,
    },
    /// A `$ref` leads out of the document. Nothing is ever fetched.
    Elsewhere(String),
    /// A `$ref` leads nowhere.
    Nowhere(String),
    /// A `$ref` comes back to itself without having entered the value.
    Circular,
    /// A regular expression that is wrong, larger than 1 MiB when compiled, or beyond an engine
    /// that runs in linear time.
    Pattern(String),
    /// Subschemas are nested in more than 32 levels.
    TooDeep,
    /// It has more than 2,000 subschemas.
    TooManyNodes,
    /// `anyOf`, `oneOf`, `allOf` and `$ref` multiply to more than 4,096 ways to judge one value.
    TooManyWays,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(why) => write!(f, "The schema is not JSON: {}.", shown::plain(why, 200)),
            Self::TooLong { bytes } => {
                write!(f, "The schema has {bytes} bytes; at most {LARGEST_TEXT} are read.")
            }
            Self::UnknownDialect(uri) => write!(
                f,
                "$schema names the dialect \"{}\", which is not known here. Known are 2020-12 (also \
                 without $schema), 2019-09, draft-07, draft-06 and draft-04.",
                shown::plain(uri, 200)
            ),
            Self::NotASchema { at, why } => {
                let at = if at.is_empty() { "its root" } else { at };
                let at = shown::plain(at, 200);
                write!(f, "The schema is none, at {at}: {}.", shown::plain(why, 200))
            }
            Self::Elsewhere(uri) => write!(
                f,
                "$ref leads to \"{}\", outside of the schema. Nothing is fetched from a network or a \
                 file: put what it names into $defs.",
                shown::plain(uri, 200)
            ),
            Self::Nowhere(reference) => {
                write!(f, "$ref leads to \"{}\", which is not there.", shown::plain(reference, 200))
            }
            Self::Circular => f.write_str(
                "A $ref comes back to itself without entering the value, so nothing could be judged \
                 by it.",
            ),
            Self::Pattern(pattern) => write!(
                f,
                "The pattern {} cannot be used. It is wrong or too large, or has look-around or \
                 references to groups, for which no engine takes linear time.",
                shown::plain(pattern, 200)
            ),
            Self::TooDeep => write!(
                f,
                "The schema nests more than {MOST_DEPTH} subschemas in each other. Make it flatter."
            ),
            Self::TooManyNodes => write!(
                f,
                "The schema has more than {MOST_NODES} subschemas. Share some by $ref, or take fewer."
            ),
            Self::TooManyWays => write!(
                f,
                "anyOf, oneOf, allOf and $ref multiply to more than {MOST_WAYS} ways to judge one \
                 value. Give the alternatives a property that tells them apart, or take fewer."
            ),
        }
    }
}

impl std::error::Error for SchemaError {}

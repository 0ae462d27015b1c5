//! `$schema` to dialect: which rules a schema is written in.

use jsonschema::Draft;

use crate::error::SchemaError;
use crate::tree::Tree;

/// A published version of JSON Schema, in the order in which they came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dialect {
    Draft4,
    Draft6,
    Draft7,
    Draft201909,
    Draft202012,
}

impl Dialect {
    /// What the root of a schema says it is; [2020-12] where it does not.
    ///
    /// [2020-12]: https://json-schema.org/draft/2020-12
    pub(crate) fn of(schema: &Tree) -> Result<Self, SchemaError> {
        match schema.member("$schema") {
            None => Ok(Self::Draft202012),
            Some(Tree::String(uri)) => {
                Self::named(uri).ok_or_else(|| SchemaError::UnknownDialect(uri.clone()))
            }
            Some(other) => Err(SchemaError::UnknownDialect(other.value().to_string())),
        }
    }

    pub(crate) fn named(uri: &str) -> Option<Self> {
        let name = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
        Some(match name.strip_suffix('#').unwrap_or(name).strip_prefix("json-schema.org/")? {
            "draft/2020-12/schema" | "schema" => Self::Draft202012,
            "draft/2019-09/schema" => Self::Draft201909,
            "draft-07/schema" => Self::Draft7,
            "draft-06/schema" => Self::Draft6,
            "draft-04/schema" => Self::Draft4,
            _ => return None,
        })
    }

    pub(crate) const fn draft(self) -> Draft {
        match self {
            Self::Draft4 => Draft::Draft4,
            Self::Draft6 => Draft::Draft6,
            Self::Draft7 => Draft::Draft7,
            Self::Draft201909 => Draft::Draft201909,
            Self::Draft202012 => Draft::Draft202012,
        }
    }

    /// Up to draft-07, what stands beside a `$ref` is ignored.
    pub(crate) fn ref_stands_alone(self) -> bool {
        self <= Self::Draft7
    }
}

//! JSON Schema check whose complaints a model can read.
//!
//! A schema is compiled once, when a tool is registered. A call that fits costs a fraction of a
//! microsecond. One that does not gets a text that says which argument, what it must be, what was
//! received, and what to send instead:
//!
//! ```
//! use candor_schema::Schema;
//! use serde_json::json;
//!
//! # fn main() -> Result<(), candor_schema::SchemaError> {
//! let schema = Schema::new(
//!     r#"{
//!         "type": "object",
//!         "properties": {
//!             "numTickets": {"type": "integer", "minimum": 1, "maximum": 10, "examples": [2]},
//!             "cabin": {"enum": ["economy", "business"]}
//!         },
//!         "required": ["numTickets"],
//!         "additionalProperties": false
//!     }"#,
//! )?;
//!
//! assert!(schema.check("book_ticket", &json!({"numTickets": 2})).is_ok());
//!
//! let complaint = schema.check("book_ticket", &json!({"numTickets": "2", "cabin": "first"}));
//! assert_eq!(
//!     complaint.unwrap_err().text,
//!     "book_ticket did not run: 2 arguments need changing.\n\
//!      numTickets: must be an integer. Got the string \"2\". Send 2 without quotes.\n\
//!      cabin: must be one of economy, business. Got \"first\".\n\
//!      Correct all of them in one call."
//! );
//! # Ok(())
//! # }
//! ```
//!
//! A schema and a value pass through these modules:
//!
//! ```text
//! text ─▶ tree ─▶ dialect ─▶ reader ─▶ bounds ─▶ plain ─▶ Schema
//!                                                  │ a value that does not fit
//! Complaint ◀─ complaint ◀─ words, suggest ◀─ walk, branch
//! ```
//!
//! # What is judged, and how
//!
//! - [JSON Schema 2020-12](https://json-schema.org/draft/2020-12), and 2019-09, draft-07, draft-06
//!   and draft-04 where `$schema` says so. Any other dialect is refused.
//! - [`format`](https://json-schema.org/draft/2020-12/json-schema-validation#section-7) is asserted
//!   for the formats of the specification, but for the international host names and addresses
//!   (`idn-hostname`, `idn-email`). A format that is not known says nothing.
//! - [`pattern`](https://json-schema.org/draft/2020-12/json-schema-validation#section-6.3.3) runs in
//!   linear time. Look-around and references to groups are refused.
//! - `$ref` stays in the document. Nothing is ever fetched.
//! - **Numbers** are judged by their value: `2.0` is an integer (not in draft-04), `"2"` is none.
//!   Whole numbers of up to 64 bits are exact. JSON numbers beyond that reach this crate as the
//!   nearest double, so `18446744073709551617` is an integer, greater than any limit of 64 bits,
//!   and equal to every number that has the same nearest double. What no double holds, such as
//!   `1e400`, is not read as JSON at all.
//!
//! # Limits
//!
//! | what | at most | otherwise |
//! |---|---|---|
//! | text of a schema | 1 MiB | [`SchemaError::TooLong`] |
//! | subschemas in a schema | 2,000 | [`SchemaError::TooManyNodes`] |
//! | subschemas in each other, or in place of each other by `$ref` | 32 levels | [`SchemaError::TooDeep`] |
//! | ways to judge one part of a value (`anyOf` in `anyOf` …) | 4,096 | [`SchemaError::TooManyWays`] |
//! | a compiled pattern | 1 MiB | [`SchemaError::Pattern`] |
//! | steps to explain a value | 200,000 | a text that is correct, and does not say where |
//! | a complaint | 1,200 characters, 5 lines | it says how much was cut |
//! | violations for programs | 20 | the rest is left out |
//!
//! Explaining counts steps and looks at no clock, so that the same arguments always get the same
//! text. A usual call takes some tens of microseconds, and the steps together well under a second.
//!
//! To compile a schema such as most tools publish takes some tens of microseconds. One that has to be
//! held against the rules of its dialect takes about a hundred, and the first of a process a
//! millisecond and some megabytes more. `cargo run --release -p candor-schema --example cost`
//! measures it.
//!
//! # What is not shown
//!
//! Values that the schema marks with `writeOnly` or `format: password`, those below a name such as
//! `apiKey`, `token`, `password` or `secret`, and those that look like credentials wherever they
//! are. Names are shown.
//!
//! **Left out:** sockets, files, clocks, threads, the environment.

#![forbid(unsafe_code)]

mod bounds;
mod branch;
mod coerce;
mod compiled;
mod complaint;
mod dialect;
mod error;
mod fault;
mod formats;
mod mend;
mod names;
mod node;
mod number;
mod pattern;
mod plain;
mod reader;
mod shown;
mod suggest;
mod tree;
mod walk;
mod wants;
mod words;

use std::sync::OnceLock;

use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

pub use crate::coerce::Coercion;
pub use crate::complaint::{Complaint, Violation};
pub use crate::error::SchemaError;

use crate::compiled::Compiled;
use crate::dialect::Dialect;
use crate::plain::Plainly;
use crate::tree::Tree;
use crate::walk::{FUEL, Walk};

/// A compiled schema.
#[derive(Debug)]
pub struct Schema {
    compiled: Compiled,
    judge: Judge,
    admits_every_object: bool,
}

/// What says whether a value fits. The verdicts are the same, and tested to be.
#[derive(Debug)]
enum Judge {
    /// The walk that explains what does not fit: where it compares and counts and no more, and
    /// where the time of the validator could double with each level of a value.
    Walk,
    Validator(Box<Validator>),
    /// The validator, once a value has come: it takes longer to build than most servers live before
    /// their first call. It cannot fail to be built; if it does, the walk takes its place.
    Later {
        schema: Value,
        dialect: Dialect,
        built: OnceLock<Option<Box<Validator>>>,
    },
}

impl Schema {
    /// Compiles a schema from its text.
    ///
    /// The text is taken, and not a tree of it, because complaints keep the order in which the
    /// author wrote the properties.
    ///
    /// # Errors
    ///
    /// It is no JSON, no schema, of an unknown dialect, refers to something outside of it, or
    /// goes beyond a limit. The error says which, in a sentence for its author.
    pub fn new(text: &str) -> Result<Self, SchemaError> {
        if text.len() > bounds::LARGEST_TEXT {
            return Err(SchemaError::TooLong { bytes: text.len() });
        }
        let tree: Tree =
            serde_json::from_str(text).map_err(|error| SchemaError::NotJson(error.to_string()))?;
        let dialect = Dialect::of(&tree)?;
        let nodes = reader::read(&tree, dialect)?;
        let is_tame = bounds::judge(&nodes)?;
        let judge = match plain::look(&tree, dialect) {
            Some(Plainly::Compares) => Judge::Walk,
            Some(Plainly::Matches) => {
                Judge::Later { schema: tree.value(), dialect, built: OnceLock::new() }
            }
            None => {
                let built = node::options(dialect).build(&tree.value());
                let validator = built.map_err(|error| refuse(&error))?;
                if is_tame { Judge::Validator(Box::new(validator)) } else { Judge::Walk }
            }
        };
        let compiled = Compiled::new(nodes);
        let admits_every_object = compiled.admits_every_object(compiled.root());
        Ok(Self { compiled, judge, admits_every_object })
    }

    /// Does every JSON object fit, whatever is in it? Then nothing need be parsed to know.
    #[must_use]
    pub const fn admits_every_object(&self) -> bool {
        self.admits_every_object
    }

    /// Does the value fit?
    ///
    /// A value that cannot be judged in bounded time does not. That takes a schema that leads to
    /// itself in several ways at once, and a value that is nested deeply.
    #[must_use]
    pub fn admits(&self, value: &Value) -> bool {
        let validator = match &self.judge {
            Judge::Walk => None,
            Judge::Validator(validator) => Some(validator),
            Judge::Later { schema, dialect, built } => built
                .get_or_init(|| node::options(*dialect).build(schema).ok().map(Box::new))
                .as_ref(),
        };
        match validator {
            Some(validator) => validator.is_valid(value),
            None => Walk::new(&self.compiled, FUEL).judge(value).unwrap_or(false),
        }
    }

    /// Checks the arguments of a call.
    ///
    /// # Errors
    ///
    /// They do not fit. The complaint says what the model should send instead.
    pub fn check(&self, tool: &str, arguments: &Value) -> Result<(), Complaint> {
        if self.admits(arguments) {
            return Ok(());
        }
        Err(complaint::complain(&self.compiled, tool, arguments))
    }

    /// Which keywords a value breaks: none if it fits. For results, which no model can correct,
    /// and for logs.
    #[must_use]
    pub fn violations(&self, value: &Value) -> Vec<Violation> {
        if self.admits(value) {
            return Vec::new();
        }
        complaint::violations_of(&self.compiled, value)
    }

    /// Reads texts as what they spell, where the schema asks for that and not for text: `"2"` as
    /// 2, `"true"` as true, JSON in a string as the object or array that it is.
    ///
    /// All of it happens, if the value fits then, or nothing. Says what was read as what.
    ///
    /// ```
    /// # fn main() -> Result<(), candor_schema::SchemaError> {
    /// let schema = candor_schema::Schema::new(r#"{"properties": {"n": {"type": "integer"}}}"#)?;
    /// let mut arguments = serde_json::json!({"n": "2"});
    /// let coercions = schema.coerce(&mut arguments);
    /// assert_eq!(arguments, serde_json::json!({"n": 2}));
    /// assert_eq!((coercions[0].path.as_str(), coercions[0].to), ("n", "integer"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn coerce(&self, value: &mut Value) -> Vec<Coercion> {
        coerce::coerce(self, value)
    }
}

/// What the validator says of a schema, as ours.
fn refuse(error: &jsonschema::ValidationError<'_>) -> SchemaError {
    let at = error.instance_path().to_string();
    let value = error.instance();
    if let ValidationErrorKind::Format { format } = error.kind()
        && format == "regex"
    {
        return SchemaError::Pattern(value.as_str().unwrap_or_default().to_owned());
    }
    let why = if at.ends_with("/type") {
        format!(
            "{value} is no type; types are null, boolean, integer, number, string, array and object"
        )
    } else if at.is_empty() && !value.is_object() {
        "a schema is an object, or true or false".to_owned()
    } else {
        error.to_string()
    };
    SchemaError::NotASchema { at, why }
}

#[cfg(test)]
mod tests;

//! What one subschema says, read once.

use std::sync::OnceLock;

use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Number, Value};

use crate::dialect::Dialect;
use crate::number;

/// Where a subschema stands among all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub(crate) usize);

/// A subschema. What it does not say is `None`, or empty.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// The schema `false`.
    pub(crate) is_never: bool,
    /// Which resource (a document with an `$id`) it belongs to.
    pub(crate) resource: usize,
    pub(crate) types: Option<Types>,
    pub(crate) values: Option<Vec<Value>>,
    pub(crate) constant: Option<Value>,
    pub(crate) number: NumberRules,
    pub(crate) string: StringRules,
    pub(crate) array: ArrayRules,
    pub(crate) object: ObjectRules,
    pub(crate) all_of: Vec<Id>,
    pub(crate) any_of: Vec<Id>,
    pub(crate) one_of: Vec<Id>,
    pub(crate) not: Option<Id>,
    pub(crate) condition: Option<Condition>,
    pub(crate) references: Vec<Reference>,
    pub(crate) words: Words,
    pub(crate) is_write_only: bool,
}

#[derive(Debug, Default)]
pub(crate) struct NumberRules {
    pub(crate) minimum: Option<Number>,
    pub(crate) exclusive_minimum: Option<Number>,
    pub(crate) maximum: Option<Number>,
    pub(crate) exclusive_maximum: Option<Number>,
    pub(crate) multiple_of: Option<Leaf>,
}

#[derive(Debug, Default)]
pub(crate) struct StringRules {
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) pattern: Option<Leaf>,
    pub(crate) format: Option<Leaf>,
    /// `contentEncoding`, `contentMediaType`, where the dialect asserts them.
    pub(crate) content: Vec<Leaf>,
}

#[derive(Debug, Default)]
pub(crate) struct ArrayRules {
    pub(crate) prefix: Vec<Id>,
    /// `items` is an array, as it was before 2020-12.
    pub(crate) is_tuple: bool,
    /// The entries behind the prefix, and which keyword said it.
    pub(crate) items: Option<(Id, &'static str)>,
    pub(crate) min: Option<u64>,
    pub(crate) max: Option<u64>,
    pub(crate) is_unique: bool,
    pub(crate) contains: Option<Contains>,
    pub(crate) unevaluated: Option<Id>,
}

#[derive(Debug)]
pub(crate) struct Contains {
    pub(crate) node: Id,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
}

#[derive(Debug, Default)]
pub(crate) struct ObjectRules {
    pub(crate) properties: Vec<(String, Id)>,
    pub(crate) patterns: Vec<(Leaf, Id)>,
    pub(crate) additional: Option<Id>,
    pub(crate) names: Option<Id>,
    pub(crate) required: Vec<String>,
    pub(crate) min: Option<u64>,
    pub(crate) max: Option<u64>,
    pub(crate) dependent_required: Vec<(String, Vec<String>, &'static str)>,
    pub(crate) dependent_schemas: Vec<(String, Id)>,
    pub(crate) unevaluated: Option<Id>,
}

#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) test: Id,
    pub(crate) then: Option<Id>,
    pub(crate) otherwise: Option<Id>,
}

#[derive(Debug)]
pub(crate) enum Reference {
    To(Id),
    /// `$dynamicRef`, `$recursiveRef`: the outermost resource that was entered and has such an
    /// anchor; the node where none has.
    Dynamic {
        fallback: Id,
        anchors: Vec<(usize, Id)>,
    },
}

/// What the author says to readers.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    /// `examples`, then `default`.
    pub(crate) examples: Vec<Value>,
}

/// A set of JSON types.
#[expect(clippy::struct_excessive_bools, reason = "it is a set: one for each type")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Types {
    pub(crate) null: bool,
    pub(crate) boolean: bool,
    pub(crate) integer: bool,
    pub(crate) number: bool,
    pub(crate) string: bool,
    pub(crate) array: bool,
    pub(crate) object: bool,
    /// In draft-04, `2.0` is no integer.
    pub(crate) is_strict: bool,
}

impl Types {
    pub(crate) fn add(&mut self, name: &str) {
        match name {
            "null" => self.null = true,
            "boolean" => self.boolean = true,
            "integer" => self.integer = true,
            "number" => self.number = true,
            "string" => self.string = true,
            "array" => self.array = true,
            "object" => self.object = true,
            _ => {}
        }
    }

    pub(crate) const fn join(&mut self, other: Self) {
        self.null |= other.null;
        self.boolean |= other.boolean;
        self.integer |= other.integer;
        self.number |= other.number;
        self.string |= other.string;
        self.array |= other.array;
        self.object |= other.object;
        self.is_strict |= other.is_strict;
    }

    pub(crate) fn admit(self, value: &Value) -> bool {
        match value {
            Value::Null => self.null,
            Value::Bool(_) => self.boolean,
            Value::Number(number) => {
                self.number || (self.integer && is_integer(number, self.is_strict))
            }
            Value::String(_) => self.string,
            Value::Array(_) => self.array,
            Value::Object(_) => self.object,
        }
    }
}

/// Is it an integer? In draft-04, only if it is written as one; beyond 64 bits, where nobody knows
/// any more how it was written, it is.
fn is_integer(number: &Number, is_strict: bool) -> bool {
    if !is_strict {
        return number::is_whole(number);
    }
    number.is_i64()
        || number.is_u64()
        || (number::whole_beyond_64_bits(number) && number.to_string().contains('e'))
}

/// A keyword that is judged by the validator itself, so that there are not two readings of
/// regular expressions, formats and decimal fractions.
#[derive(Debug)]
pub(crate) struct Leaf {
    keyword: &'static str,
    value: Value,
    dialect: Dialect,
    /// Built when a call first breaks the schema. `None` if it cannot be.
    check: OnceLock<Option<Validator>>,
}

impl Leaf {
    pub(crate) const fn new(keyword: &'static str, value: Value, dialect: Dialect) -> Self {
        Self { keyword, value, dialect, check: OnceLock::new() }
    }

    pub(crate) const fn keyword(&self) -> &'static str {
        self.keyword
    }

    pub(crate) const fn value(&self) -> &Value {
        &self.value
    }

    pub(crate) fn text(&self) -> &str {
        self.value.as_str().unwrap_or_default()
    }

    pub(crate) fn admits(&self, value: &Value) -> bool {
        let check = self.check.get_or_init(|| {
            let schema =
                Value::Object(Map::from_iter([(self.keyword.to_owned(), self.value.clone())]));
            options(self.dialect).build(&schema).ok()
        });
        check.as_ref().is_none_or(|check| check.is_valid(value))
    }
}

/// How every validator of this crate is built.
pub(crate) fn options(dialect: Dialect) -> jsonschema::ValidationOptions<'static> {
    /// The most bytes that a compiled regular expression may take.
    const LARGEST_PATTERN: usize = 1024 * 1024;
    jsonschema::options()
        .offline()
        .with_draft(dialect.draft())
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(PatternOptions::regex().size_limit(LARGEST_PATTERN))
}

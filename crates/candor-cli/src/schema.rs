//! What a tool's `inputSchema` says, as far as someone at a terminal needs it.
//!
//! **What is not here:** no verdict on a value. The server judges; we only want to know how to
//! write what was typed, and how to describe what may be.

use serde_json::Value;

use crate::json;

/// References to references are followed so often.
const DEEPEST: usize = 16;

/// A schema within a document, to which its references refer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schema<'a> {
    document: &'a Value,
    here: &'a Value,
}

/// A type of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    String,
    Number,
    Boolean,
    Null,
    Array,
    Object,
}

impl<'a> Schema<'a> {
    pub(crate) const fn new(document: &'a Value) -> Self {
        Self { document, here: document }
    }

    fn at(self, here: &'a Value) -> Self {
        let mut here = here;
        for _ in 0..DEEPEST {
            let Some(pointer) = here.get("$ref").and_then(Value::as_str) else { break };
            let Some(there) = pointer.strip_prefix('#').and_then(|it| self.document.pointer(it))
            else {
                break;
            };
            here = there;
        }
        Self { here, ..self }
    }

    /// The schema of a member that is declared by its name.
    pub(crate) fn declared(self, name: &str) -> Option<Self> {
        self.here.get("properties")?.get(name).map(|here| self.at(here))
    }

    /// The schema of a member, declared or one of those that may be added.
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        self.declared(name).or_else(|| {
            let others = self.here.get("additionalProperties")?;
            others.is_object().then(|| self.at(others))
        })
    }

    /// The schema of the entries of an array.
    pub(crate) fn entries(self) -> Option<Self> {
        self.here.get("items").filter(|items| items.is_object()).map(|here| self.at(here))
    }

    /// May members be there that are not declared?
    pub(crate) fn is_open(self) -> bool {
        self.here.get("additionalProperties") != Some(&Value::Bool(false))
    }

    /// Must this member be there?
    pub(crate) fn requires(self, name: &str) -> bool {
        let required = self.here.get("required").and_then(Value::as_array);
        required.is_some_and(|names| names.iter().any(|it| it == name))
    }

    /// The types that a value may have; none if the schema does not say.
    pub(crate) fn kinds(self) -> Vec<Kind> {
        let mut kinds = Vec::new();
        self.add_kinds(&mut kinds, DEEPEST);
        kinds
    }

    fn add_kinds(self, kinds: &mut Vec<Kind>, deepest: usize) {
        let add = |kind| {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        };
        match self.here.get("type") {
            Some(Value::String(name)) => Kind::named(name).into_iter().for_each(add),
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).filter_map(Kind::named).for_each(add);
            }
            Some(_) | None => {
                if let Some(values) = self.values() {
                    values.into_iter().map(Kind::of).for_each(add);
                } else if deepest > 0 {
                    for branch in self.branches() {
                        branch.add_kinds(kinds, deepest - 1);
                    }
                }
            }
        }
    }

    /// The values that it must be one of.
    pub(crate) fn values(self) -> Option<Vec<&'a Value>> {
        match (self.here.get("enum"), self.here.get("const")) {
            (Some(Value::Array(values)), _) => Some(values.iter().collect()),
            (_, Some(only)) => Some(vec![only]),
            (_, None) => None,
        }
    }

    fn branches(self) -> impl Iterator<Item = Self> {
        ["anyOf", "oneOf"]
            .into_iter()
            .filter_map(move |key| self.here.get(key)?.as_array())
            .flatten()
            .map(move |here| self.at(here))
    }

    /// What someone should know who writes a value for it.
    pub(crate) fn description(self) -> &'a str {
        self.here.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// What it is if it is not sent, as JSON text.
    pub(crate) fn default(self) -> Option<String> {
        self.here.get("default").map(Value::to_string)
    }

    /// What a value must be, in words: `integer from 1 to 10`, `array of string`, `anything`.
    pub(crate) fn words(self) -> String {
        self.words_within(DEEPEST)
    }

    fn words_within(self, deepest: usize) -> String {
        if let Some(values) = self.values() {
            return one_of(&values);
        }
        let names: Vec<String> = match self.here.get("type") {
            Some(Value::String(name)) => vec![self.words_of(name, deepest)],
            Some(Value::Array(names)) => {
                let names = names.iter().filter_map(Value::as_str);
                names.map(|name| self.words_of(name, deepest)).collect()
            }
            Some(_) | None if deepest == 0 => Vec::new(),
            Some(_) | None => self.branches().map(|it| it.words_within(deepest - 1)).collect(),
        };
        if names.is_empty() { "anything".to_owned() } else { names.join(" or ") }
    }

    fn words_of(self, name: &str, deepest: usize) -> String {
        let number = |key| self.here.get(key).filter(|it| it.is_number());
        match name {
            "integer" | "number" => match (number("minimum"), number("maximum")) {
                (Some(least), Some(most)) => format!("{name} from {least} to {most}"),
                (Some(least), None) => format!("{name}, at least {least}"),
                (None, Some(most)) => format!("{name}, at most {most}"),
                (None, None) => name.to_owned(),
            },
            "array" => {
                let of = match self.entries().filter(|_| deepest > 0) {
                    Some(entries) => format!("array of {}", entries.words_within(deepest - 1)),
                    None => name.to_owned(),
                };
                match self.bounds("minItems", "maxItems") {
                    Some(bounds) => format!("{of}, {bounds} of them"),
                    None => of,
                }
            }
            "string" => self.words_of_string(),
            other => other.to_owned(),
        }
    }

    fn words_of_string(self) -> String {
        // What is longer is no help to anyone.
        const LONGEST: usize = 40;
        let pattern = self.here.get("pattern").and_then(Value::as_str);
        let bounds = self.bounds("minLength", "maxLength");
        match (pattern.filter(|pattern| pattern.len() <= LONGEST), bounds) {
            (Some(pattern), _) => format!("string like {pattern}"),
            (None, Some(bounds)) => format!("string of {bounds} characters"),
            (None, None) => "string".to_owned(),
        }
    }

    /// How many there may be, where that is limited.
    fn bounds(self, least: &str, most: &str) -> Option<String> {
        let number = |key| self.here.get(key).and_then(Value::as_u64);
        match (number(least).filter(|least| *least > 0), number(most)) {
            (Some(least), Some(most)) if least == most => Some(most.to_string()),
            (Some(least), Some(most)) => Some(format!("{least} to {most}")),
            (Some(least), None) => Some(format!("{least} or more")),
            (None, Some(most)) => Some(format!("up to {most}")),
            (None, None) => None,
        }
    }
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        match name {
            "string" => Some(Self::String),
            "integer" | "number" => Some(Self::Number),
            "boolean" => Some(Self::Boolean),
            "null" => Some(Self::Null),
            "array" => Some(Self::Array),
            "object" => Some(Self::Object),
            _ => None,
        }
    }

    const fn of(value: &Value) -> Self {
        match value {
            Value::String(_) => Self::String,
            Value::Number(_) => Self::Number,
            Value::Bool(_) => Self::Boolean,
            Value::Null => Self::Null,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// The kind of the value that a text writes in JSON, if it is one that nobody writes by
    /// accident when text is meant.
    pub(crate) fn of_plain(text: &str) -> Option<Self> {
        match text {
            "true" | "false" => Some(Self::Boolean),
            "null" => Some(Self::Null),
            _ => json::is_number(text).then_some(Self::Number),
        }
    }
}

/// `one of U, PG-13, A`; a text that reads like another value has its quotes.
fn one_of(values: &[&Value]) -> String {
    const MOST: usize = 10;
    let is_plain = |text: &str| {
        !text.is_empty() && !text.contains([',', '"', ' ', '\n']) && Kind::of_plain(text).is_none()
    };
    let written: Vec<String> = values
        .iter()
        .take(MOST)
        .map(|value| match value.as_str() {
            Some(text) if is_plain(text) => text.to_owned(),
            Some(_) | None => value.to_string(),
        })
        .collect();
    let more = values.len().saturating_sub(MOST);
    match (written.as_slice(), more) {
        ([only], _) => format!("only {only}"),
        (some, 0) => format!("one of {}", some.join(", ")),
        (some, more) => format!("one of {} and {more} more", some.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Kind, Schema};

    fn words(schema: &Value) -> String {
        Schema::new(schema).words()
    }

    #[test]
    fn a_schema_is_said_in_words() {
        for (schema, said) in [
            (json!({}), "anything"),
            (json!({"type": "string"}), "string"),
            (json!({"type": "integer", "minimum": 1, "maximum": 10}), "integer from 1 to 10"),
            (json!({"type": "number", "minimum": 0}), "number, at least 0"),
            (json!({"type": "array", "items": {"type": "string"}}), "array of string"),
            (json!({"type": "array", "maxItems": 5}), "array, up to 5 of them"),
            (
                json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
                "array of string, 1 or more of them",
            ),
            (
                json!({"type": "string", "minLength": 1, "maxLength": 64}),
                "string of 1 to 64 characters",
            ),
            (
                json!({"type": "string", "minLength": 0, "maxLength": 8}),
                "string of up to 8 characters",
            ),
            (json!({"type": "string", "minLength": 4, "maxLength": 4}), "string of 4 characters"),
            (
                json!({"type": "string", "pattern": "^BK\\d+$", "minLength": 1}),
                "string like ^BK\\d+$",
            ),
            (
                json!({"type": "string", "pattern": "(a|b|c|d|e){10}(a|b|c|d|e){10}(a|b|c|d|e){10}"}),
                "string",
            ),
            (json!({"type": ["string", "null"]}), "string or null"),
            (json!({"enum": ["U", "PG-13", "A"]}), "one of U, PG-13, A"),
            (json!({"enum": ["a b", "1", 1]}), "one of \"a b\", \"1\", 1"),
            (json!({"const": "x"}), "only x"),
            (json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}), "integer or null"),
        ] {
            assert_eq!(words(&schema), said, "{schema}");
        }
    }

    #[test]
    fn references_within_the_document_are_followed_and_circles_are_left() {
        let document = json!({
            "properties": {
                "seat": { "$ref": "#/$defs/seat" },
                "circle": { "$ref": "#/$defs/circle" },
                "tree": { "$ref": "#/$defs/tree" },
                "elsewhere": { "$ref": "https://example.com/schema" },
            },
            "$defs": {
                "seat": { "type": "integer" },
                "circle": { "$ref": "#/$defs/circle" },
                "tree": { "anyOf": [{ "$ref": "#/$defs/tree" }, { "type": "null" }] },
            },
        });
        let member = |name| Schema::new(&document).member(name).unwrap();

        assert_eq!(member("seat").kinds(), [Kind::Number]);
        assert_eq!(member("circle").kinds(), []);
        assert_eq!(member("tree").kinds(), [Kind::Null]);
        assert_eq!(member("elsewhere").words(), "anything");
        assert!(member("tree").words().ends_with("null"));
    }
}

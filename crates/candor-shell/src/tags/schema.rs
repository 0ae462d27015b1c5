//! A declaration to what is published of it: JSON text, members in the order of their author.

use std::fmt::{Display, Write as _};

use serde_json::Value;

use super::Declaration;
use super::does::Effect;
use super::field::{Argument, Field};
use super::kind::Kind;
use super::rule::Range;

impl Declaration {
    /// The JSON Schema of the arguments. It takes no others, unless the block has no tag at all:
    /// then it takes anything. `None` if a file holds the schema.
    pub(crate) fn input_schema(&self) -> Option<String> {
        if self.schema.is_some() {
            return None;
        }
        if !self.has_tags {
            return Some(r#"{"type":"object"}"#.to_owned());
        }
        let properties = self.arguments.iter().map(|argument| {
            let Argument { name, is_optional, kind, default, description } = argument;
            let mut schema = Members::of(kind);
            if let Some(default) = default {
                schema.add("default", default);
            }
            schema.describe(description.as_deref());
            (name.as_str(), *is_optional, schema.end())
        });
        Some(object(properties))
    }

    /// The JSON Schema of what the tool prints, if it says so.
    pub(crate) fn output_schema(&self) -> Option<String> {
        let fields = self.output.as_ref()?;
        Some(object(fields.iter().map(|field| {
            let Field { name, is_optional, kind, description } = field;
            let mut schema = Members::of(kind);
            schema.describe(description.as_deref());
            (name.as_str(), *is_optional, schema.end())
        })))
    }

    /// The hints of `@does`, and none that it does not give.
    pub(crate) fn annotations(&self) -> Option<String> {
        let mut hints = Members::default();
        match self.does.effect {
            None => {}
            Some(Effect::Read) => hints.add("readOnlyHint", true),
            Some(effect) => {
                hints.add("readOnlyHint", false);
                hints.add("destructiveHint", effect == Effect::Destroy);
            }
        }
        if self.does.is_idempotent {
            hints.add("idempotentHint", true);
        }
        if self.does.is_outside {
            hints.add("openWorldHint", true);
        }
        (!hints.0.is_empty()).then(|| hints.end())
    }
}

/// The schema of an object with these members: name, may it be left out, schema.
fn object<'a>(members: impl Iterator<Item = (&'a str, bool, String)>) -> String {
    let mut properties = Members::default();
    let mut required = Vec::new();
    for (name, is_optional, schema) in members {
        if !is_optional {
            required.push(name);
        }
        properties.add(name, schema);
    }
    let mut schema = Members::default();
    schema.add("type", r#""object""#);
    if !properties.0.is_empty() {
        schema.add("properties", properties.end());
    }
    if !required.is_empty() {
        schema.add("required", Value::from(required));
    }
    schema.add("additionalProperties", false);
    schema.end()
}

/// The members of a JSON object, without the braces.
#[derive(Default)]
struct Members(String);

impl Members {
    fn of(kind: &Kind) -> Self {
        let mut schema = Self::default();
        let name = match kind {
            Kind::String(_) | Kind::Pattern(_) | Kind::Choice(_) => "string",
            Kind::Integer(_) => "integer",
            Kind::Number(_) => "number",
            Kind::Boolean => "boolean",
            Kind::Object => "object",
            Kind::List(..) => "array",
            Kind::Json => return schema,
        };
        schema.add("type", Value::from(name));
        match kind {
            Kind::String(length) => schema.limit(length, "minLength", "maxLength"),
            Kind::Pattern(pattern) => schema.add("pattern", Value::from(pattern.as_str())),
            Kind::Choice(choices) => schema.add("enum", Value::from(choices.as_slice())),
            Kind::Integer(range) => schema.limit(range, "minimum", "maximum"),
            Kind::Number(range) => schema.limit(range, "minimum", "maximum"),
            Kind::List(of, count) => {
                schema.add("items", Self::of(of).end());
                schema.limit(count, "minItems", "maxItems");
            }
            Kind::Boolean | Kind::Object | Kind::Json => {}
        }
        schema
    }

    fn add(&mut self, name: &str, json: impl Display) {
        let comma = if self.0.is_empty() { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{comma}{}:{json}", Value::from(name));
    }

    fn limit<T: Display>(&mut self, range: &Range<T>, least: &str, most: &str) {
        if let Some(limit) = &range.least {
            self.add(least, limit);
        }
        if let Some(limit) = &range.most {
            self.add(most, limit);
        }
    }

    fn describe(&mut self, description: Option<&str>) {
        if let Some(description) = description {
            self.add("description", Value::from(description));
        }
    }

    fn end(self) -> String {
        format!("{{{}}}", self.0)
    }
}

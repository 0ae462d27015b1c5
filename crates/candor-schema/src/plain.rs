//! Tree to whether it is plainly a schema: most are, and then nobody need hold them against the
//! rules for schemas, which takes longer than everything else.
//!
//! What is not recognised here may be a schema all the same. Whoever asks then looks closer.

use crate::dialect::Dialect;
use crate::tree::Tree;

/// More levels than this are not looked at.
const MOST_LEVELS: usize = 32;

/// What is plainly a schema, by what it takes to judge a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plainly {
    /// Comparing and counting.
    Compares,
    /// Regular expressions, formats or decimal fractions, too.
    Matches,
}

/// Is it plainly a schema? `None` if that takes a closer look.
pub(crate) fn look(tree: &Tree, dialect: Dialect) -> Option<Plainly> {
    // In older ones some keywords have other shapes.
    if dialect < Dialect::Draft7 {
        return None;
    }
    let mut plainly = Plainly::Compares;
    schema(tree, MOST_LEVELS, &mut plainly).then_some(plainly)
}

fn schema(tree: &Tree, levels: usize, plainly: &mut Plainly) -> bool {
    match tree {
        Tree::Bool(_) => true,
        Tree::Object(members) => {
            levels > 0
                && members.iter().all(|(key, value)| keyword(key, value, levels - 1, plainly))
        }
        Tree::Null | Tree::Number(_) | Tree::String(_) | Tree::Array(_) => false,
    }
}

fn keyword(key: &str, value: &Tree, levels: usize, plainly: &mut Plainly) -> bool {
    match key {
        "title" | "description" | "$comment" => value.as_str().is_some(),
        "default" | "const" => true,
        "examples" => matches!(value, Tree::Array(_)),
        "enum" => matches!(value, Tree::Array(values) if !values.is_empty()),
        "readOnly" | "writeOnly" | "deprecated" | "uniqueItems" => value.as_bool().is_some(),
        "type" => value.as_str().is_some_and(is_type) || is_list_of_types(value),
        "properties" => {
            let Tree::Object(members) = value else { return false };
            members.iter().all(|(_, member)| schema(member, levels, plainly))
        }
        "required" => is_list_of_names(value),
        // An array of schemas was allowed once, and means something else.
        "items" | "additionalProperties" | "propertyNames" | "not" => {
            schema(value, levels, plainly)
        }
        "anyOf" | "oneOf" | "allOf" => {
            let Tree::Array(branches) = value else { return false };
            !branches.is_empty() && branches.iter().all(|it| schema(it, levels, plainly))
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            value.as_number().is_some()
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            value.as_number().is_some_and(serde_json::Number::is_u64)
        }
        "format" => {
            *plainly = Plainly::Matches;
            value.as_str().is_some()
        }
        "pattern" => {
            *plainly = Plainly::Matches;
            value.as_str().is_some_and(is_pattern)
        }
        _ => key.starts_with("x-") || key == "$schema",
    }
}

fn is_type(name: &str) -> bool {
    ["null", "boolean", "integer", "number", "string", "array", "object"].contains(&name)
}

fn is_list_of_types(value: &Tree) -> bool {
    is_list_of_names(value)
        && !value.entries().is_empty()
        && value.entries().iter().all(|it| it.as_str().is_some_and(is_type))
}

/// Texts, each once.
fn is_list_of_names(value: &Tree) -> bool {
    let Tree::Array(entries) = value else { return false };
    entries.iter().enumerate().all(|(at, entry)| {
        entry.as_str().is_some() && !entries.iter().take(at).any(|before| before == entry)
    })
}

/// A regular expression of signs that every engine reads alike.
fn is_pattern(text: &str) -> bool {
    const LONGEST: usize = 200;
    let is_usual =
        |byte: u8| byte.is_ascii_alphanumeric() || br"\^$.-_ /:@+*?()[]|,'".contains(&byte);
    text.len() <= LONGEST
        && text.bytes().all(is_usual)
        && !text.contains("(?")
        && escapes(text).all(|escaped| "dws.-/\\^$+*?()[]|".contains(escaped))
        && regex_syntax::parse(text).is_ok()
}

/// What stands behind each backslash.
fn escapes(text: &str) -> impl Iterator<Item = char> {
    let mut letters = text.chars();
    std::iter::from_fn(move || {
        letters.find(|letter| *letter == '\\')?;
        Some(letters.next().unwrap_or('\0'))
    })
}

#[cfg(test)]
mod tests {
    use super::{Plainly, look};
    use crate::dialect::Dialect;

    fn plainly(schema: &str) -> Option<Plainly> {
        look(&serde_json::from_str(schema).unwrap(), Dialect::Draft202012)
    }

    #[test]
    fn what_most_tools_publish_is_plainly_a_schema() {
        assert_eq!(plainly(r#"{"type":"object"}"#), Some(Plainly::Compares));
        assert_eq!(
            plainly(
                r#"{"type":"object","properties":{"a":{"type":"integer","minimum":1},
                    "b":{"enum":["x"]},"c":{"type":["string","null"],"minLength":1}},
                    "required":["a"],"additionalProperties":false}"#
            ),
            Some(Plainly::Compares)
        );
        assert_eq!(
            plainly(r#"{"properties":{"a":{"pattern":"^[A-Z]+-\\d*$"},"b":{"format":"date"}}}"#),
            Some(Plainly::Matches)
        );
    }

    #[test]
    fn what_is_not_needs_a_closer_look() {
        for schema in [
            r#"{"type":"int"}"#,
            r#"{"type":[]}"#,
            r#"{"type":["string","string"]}"#,
            r#"{"minimum":"1"}"#,
            r#"{"minLength":-1}"#,
            r#"{"minLength":1.5}"#,
            r#"{"required":"a"}"#,
            r#"{"required":["a","a"]}"#,
            r#"{"properties":[]}"#,
            r#"{"properties":{"a":1}}"#,
            r#"{"items":[{}]}"#,
            r#"{"anyOf":[]}"#,
            r#"{"enum":[]}"#,
            r#"{"pattern":"(?=a)"}"#,
            r#"{"pattern":"a{2,1}"}"#,
            r#"{"pattern":"\\1"}"#,
            r##"{"$ref":"#"}"##,
            r#"{"unevaluatedProperties":false}"#,
            r#"{"minimun":1}"#,
        ] {
            assert_eq!(plainly(schema), None, "{schema}");
        }
        assert_eq!(look(&serde_json::from_str("{}").unwrap(), Dialect::Draft4), None);
    }
}

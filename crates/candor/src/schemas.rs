//! A Rust type to the JSON Schema that a tool publishes of it.
//!
//! Models read these on every request, so they say what a caller needs and no more: no dialect, no
//! name of a Rust type, no width of an integer except as its bounds.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// What a tool takes. It is closed: a misspelt name is refused, not ignored.
pub(crate) fn input<T: JsonSchema>() -> Value {
    let settings = settings().for_deserialize();
    let mut schema = generate::<T>(settings);
    close(&mut schema);
    schema.into()
}

/// What a tool promises of its structured content.
pub(crate) fn output<T: JsonSchema>() -> Value {
    generate::<T>(settings().for_serialize()).into()
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    })
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Schema {
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    schema.remove("title");
    PlainNumbers.transform(&mut schema);
    schema
}

/// Widths of Rust numbers to the bounds that they mean.
struct PlainNumbers;

impl Transform for PlainNumbers {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(members) = schema.as_object_mut() {
            let bounds = match members.get("format").and_then(Value::as_str) {
                Some("int32") => Some((Some(i64::from(i32::MIN)), i64::from(i32::MAX))),
                Some("uint32") => Some((None, i64::from(u32::MAX))),
                Some(
                    "int" | "int8" | "int16" | "int64" | "int128" | "uint" | "uint8" | "uint16"
                    | "uint64" | "uint128" | "float" | "double",
                ) => None,
                Some(_) | None => {
                    transform_subschemas(self, schema);
                    return;
                }
            };
            members.remove("format");
            if let Some((minimum, maximum)) = bounds {
                bound(members, "minimum", "exclusiveMinimum", minimum);
                bound(members, "maximum", "exclusiveMaximum", Some(maximum));
            }
        }
        transform_subschemas(self, schema);
    }
}

/// Says a bound that follows from the type, unless the author says one.
fn bound(members: &mut Map<String, Value>, key: &str, exclusive: &str, bound: Option<i64>) {
    if let Some(bound) = bound.filter(|_| !members.contains_key(exclusive)) {
        members.entry(key).or_insert_with(|| bound.into());
    }
}

/// Closes an object, and those that stand in it by themselves. One that is put together from
/// several schemas is left as it is: none of them knows all of its members.
fn close(schema: &mut Schema) {
    let Some(members) = schema.as_object_mut() else { return };
    close_members(members);
}

fn close_members(members: &mut Map<String, Value>) {
    const COMPOSED: [&str; 9] = [
        "$ref",
        "allOf",
        "anyOf",
        "oneOf",
        "if",
        "not",
        "additionalProperties",
        "unevaluatedProperties",
        "patternProperties",
    ];
    let is_object =
        members.contains_key("properties") || members.get("type").is_some_and(|it| it == "object");
    if is_object && !COMPOSED.iter().any(|key| members.contains_key(*key)) {
        members.insert("additionalProperties".to_owned(), false.into());
    }
    let parts = members.get_mut("properties").and_then(Value::as_object_mut);
    let parts = parts.into_iter().flat_map(|parts| parts.values_mut());
    for part in parts.filter_map(Value::as_object_mut) {
        close_members(part);
    }
    if let Some(items) = members.get_mut("items").and_then(Value::as_object_mut) {
        close_members(items);
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    use super::{input, output};

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Booking {
        /// How many.
        #[schemars(range(min = 1, max = 9))]
        seats: u8,
        #[schemars(regex(pattern = "^[A-Z]$"))]
        row: Option<String>,
        #[serde(default)]
        price: f64,
        counts: Counts,
        guests: Vec<Guest>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Counts {
        small: i32,
        large: u64,
        some: u32,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Guest {
        name: String,
    }

    #[test]
    fn what_a_tool_takes_is_closed_and_says_what_a_caller_needs() {
        assert_eq!(
            input::<Booking>(),
            json!({
                "type": "object",
                "properties": {
                    "seats": {
                        "description": "How many.", "type": "integer", "minimum": 1, "maximum": 9
                    },
                    "row": { "type": ["string", "null"], "pattern": "^[A-Z]$" },
                    "price": { "type": "number", "default": 0.0 },
                    "counts": {
                        "type": "object",
                        "properties": {
                            "small": {
                                "type": "integer",
                                "minimum": -2_147_483_648_i64, "maximum": 2_147_483_647
                            },
                            "large": { "type": "integer", "minimum": 0 },
                            "some": {
                                "type": "integer", "minimum": 0, "maximum": 4_294_967_295_i64
                            }
                        },
                        "required": ["small", "large", "some"],
                        "additionalProperties": false
                    },
                    "guests": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": { "name": { "type": "string" } },
                            "required": ["name"],
                            "additionalProperties": false
                        }
                    }
                },
                "required": ["seats", "counts", "guests"],
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn what_is_put_together_from_several_schemas_stays_open() {
        #[derive(Deserialize, JsonSchema)]
        #[serde(tag = "kind")]
        #[expect(dead_code, reason = "only its schema is looked at")]
        enum Shape {
            Round { radius: f64 },
            Square { side: f64 },
        }
        let schema = input::<Shape>();
        assert_eq!(schema.get("additionalProperties"), None);
        assert!(schema.get("oneOf").is_some());
    }

    #[test]
    fn a_promise_is_of_any_value() {
        assert_eq!(
            output::<u32>(),
            json!({ "type": "integer", "minimum": 0, "maximum": 4_294_967_295_i64 })
        );
        assert_eq!(
            output::<Vec<String>>(),
            json!({ "type": "array", "items": { "type": "string" } })
        );
    }
}

//! For any schema and any value.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::complaint::suggested;
use crate::dialect::Dialect;
use crate::mend::{Change, apply};
use crate::walk::{FUEL, Walk};
use crate::{Schema, Violation, fault, node};

const NAMES: [&str; 4] = ["a", "b", "abc", "x y"];

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(NAMES.as_slice()).prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..12).prop_map(Value::from),
        prop::sample::select(vec![0.5, 2.0, 2.5, 1e20, -0.1]).prop_map(Value::from),
        prop::sample::select(vec![
            "",
            "a",
            "b",
            "abc",
            "ABC",
            "2",
            "2.0",
            "true",
            "null",
            "[1]",
            "{\"a\":1}",
            " a ",
            "2025-08-08",
            "2025/08/08",
            "x,y",
            "äö",
        ])
        .prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(name(), inner, 0..4).prop_map(|it| Value::Object(it.into_iter().collect())),
        ]
    })
}

fn assertion() -> impl Strategy<Value = (String, Value)> {
    let types = ["null", "boolean", "integer", "number", "string", "array", "object"];
    let of_type = prop::sample::select(types.to_vec());
    let keyword = |keyword: &'static str| move |value: Value| (keyword.to_owned(), value);
    let number = || prop_oneof![(-2_i64..6).prop_map(Value::from), Just(json!(1.5))];
    let count = || (0_u64..4).prop_map(Value::from);
    let names = || prop::sample::subsequence(NAMES.to_vec(), 0..3).prop_map(Value::from);
    prop_oneof![
        of_type.clone().prop_map(Value::from).prop_map(keyword("type")),
        vec(of_type, 1..3)
            .prop_map(|mut it| {
                it.sort_unstable();
                it.dedup();
                Value::from(it)
            })
            .prop_map(keyword("type")),
        vec(scalar(), 1..4).prop_map(Value::from).prop_map(keyword("enum")),
        scalar().prop_map(keyword("const")),
        number().prop_map(keyword("minimum")),
        number().prop_map(keyword("maximum")),
        number().prop_map(keyword("exclusiveMinimum")),
        number().prop_map(keyword("exclusiveMaximum")),
        prop::sample::select(vec![json!(2), json!(0.5), json!(0.1), json!(3.0)])
            .prop_map(keyword("multipleOf")),
        count().prop_map(keyword("minLength")),
        count().prop_map(keyword("maxLength")),
        prop::sample::select(vec!["^[a-z]{3}$", "b", "^\\d+$", "^a(b|c)+$"])
            .prop_map(|it| ("pattern".to_owned(), json!(it))),
        prop::sample::select(vec!["date", "uuid", "regex", "uri", "unknown"])
            .prop_map(|it| ("format".to_owned(), json!(it))),
        count().prop_map(keyword("minItems")),
        count().prop_map(keyword("maxItems")),
        any::<bool>().prop_map(Value::from).prop_map(keyword("uniqueItems")),
        count().prop_map(keyword("minContains")),
        count().prop_map(keyword("maxContains")),
        count().prop_map(keyword("minProperties")),
        count().prop_map(keyword("maxProperties")),
        names().prop_map(keyword("required")),
        (name(), names()).prop_map(|(name, needed)| {
            ("dependentRequired".to_owned(), json!({ name: needed }))
        }),
        vec(value(), 0..2).prop_map(Value::from).prop_map(keyword("examples")),
        value().prop_map(keyword("default")),
        Just(("description".to_owned(), json!("Some \u{202e}words"))),
        Just(("writeOnly".to_owned(), json!(true))),
        prop::sample::select(vec!["#", "#/$defs/a", "#/$defs/b", "#b"])
            .prop_map(|it| ("$ref".to_owned(), json!(it))),
        Just(("$dynamicRef".to_owned(), json!("#b"))),
        Just(("$recursiveRef".to_owned(), json!("#"))),
        Just(("$recursiveAnchor".to_owned(), json!(true))),
        (name(), names())
            .prop_map(|(name, needed)| { ("dependencies".to_owned(), json!({ name: needed })) }),
        any::<bool>().prop_map(Value::from).prop_map(keyword("exclusiveMaximum")),
        prop::sample::select(vec!["base64", "other"])
            .prop_map(|it| ("contentEncoding".to_owned(), json!(it))),
    ]
}

fn object(members: Vec<(String, Value)>) -> Value {
    Value::Object(members.into_iter().collect())
}

fn subschema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        8 => vec(assertion(), 0..4).prop_map(object),
        1 => any::<bool>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let keyword = |keyword: &'static str| move |value: Value| (keyword.to_owned(), value);
        let one = || inner.clone();
        let named = || btree_map(name(), inner.clone(), 0..3).prop_map(|it| json!(it));
        let list = || vec(inner.clone(), 1..3).prop_map(Value::from);
        let applicator = prop_oneof![
            3 => named().prop_map(keyword("properties")),
            1 => one().prop_map(keyword("additionalProperties")),
            1 => one().prop_map(|it| ("patternProperties".to_owned(), json!({ "^a": it }))),
            1 => one().prop_map(keyword("propertyNames")),
            1 => one().prop_map(keyword("unevaluatedProperties")),
            1 => named().prop_map(keyword("dependentSchemas")),
            1 => list().prop_map(keyword("prefixItems")),
            1 => list().prop_map(keyword("items")),
            1 => one().prop_map(keyword("additionalItems")),
            1 => named().prop_map(keyword("dependencies")),
            2 => one().prop_map(keyword("items")),
            1 => one().prop_map(keyword("contains")),
            1 => one().prop_map(keyword("unevaluatedItems")),
            1 => list().prop_map(keyword("allOf")),
            2 => list().prop_map(keyword("anyOf")),
            2 => list().prop_map(keyword("oneOf")),
            1 => one().prop_map(keyword("not")),
            1 => one().prop_map(keyword("if")),
            1 => one().prop_map(keyword("then")),
            1 => one().prop_map(keyword("else")),
        ];
        vec(prop_oneof![applicator, assertion()], 0..5).prop_map(object)
    })
}

/// A schema with definitions, of some dialect.
fn schema() -> impl Strategy<Value = Value> {
    let dialects = [
        None,
        Some("https://json-schema.org/draft/2020-12/schema"),
        Some("https://json-schema.org/draft/2019-09/schema"),
        Some("http://json-schema.org/draft-07/schema#"),
        Some("http://json-schema.org/draft-06/schema#"),
        Some("http://json-schema.org/draft-04/schema#"),
    ];
    (subschema(), subschema(), subschema(), prop::sample::select(dialects.to_vec())).prop_map(
        |(root, a, mut b, dialect)| {
            let mut schema = Map::new();
            if let Value::Object(root) = root {
                schema.extend(root);
            }
            if let Value::Object(b) = &mut b {
                b.insert("$dynamicAnchor".to_owned(), json!("b"));
            }
            schema.insert("$defs".to_owned(), json!({ "a": a, "b": b }));
            schema.extend(dialect.map(|it| ("$schema".to_owned(), json!(it))));
            Value::Object(schema)
        },
    )
}

/// Any JSON, with names that are keywords.
fn anything() -> impl Strategy<Value = Value> {
    let keywords = vec![
        "$ref",
        "$id",
        "$anchor",
        "$defs",
        "$schema",
        "type",
        "properties",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "enum",
        "const",
        "required",
        "pattern",
        "format",
        "minimum",
        "minLength",
        "contains",
        "minContains",
        "dependencies",
        "unevaluatedItems",
        "unevaluatedProperties",
        "description",
        "examples",
        "a",
    ];
    let texts = vec!["#", "#/$defs/a", "string", "object", "[", "date", "https://a.b/c", "é\u{7}"];
    let leaf = prop_oneof![
        scalar(),
        prop::sample::select(texts).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        let name = prop::sample::select(keywords.clone()).prop_map(str::to_owned);
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(name, inner, 0..5).prop_map(|it| Value::Object(it.into_iter().collect())),
        ]
    })
}

/// What holds for every complaint.
fn examine(schema: &Schema, value: &Value) -> Result<(), TestCaseError> {
    let Err(complaint) = schema.check("book_ticket", value) else {
        prop_assert!(schema.violations(value).is_empty());
        return Ok(());
    };
    prop_assert_eq!(&complaint, &schema.check("book_ticket", value).unwrap_err());
    let text = &complaint.text;
    prop_assert!(text.chars().count() <= 1_200, "{}", text);
    prop_assert!(text.starts_with("book_ticket did not run: "), "{}", text);
    prop_assert!(!text.contains(|it: char| it.is_control() && it != '\n'), "{:?}", text);
    prop_assert!(!text.contains('\u{202e}'), "{:?}", text);
    prop_assert!((3..=8).contains(&text.lines().count()), "{}", text);
    prop_assert!(!complaint.violations.is_empty());
    let keywords = |violations: Vec<Violation>| -> Vec<String> {
        violations.into_iter().map(|it| it.keyword).collect()
    };
    prop_assert_eq!(keywords(complaint.violations), keywords(schema.violations(value)));
    Ok(())
}

/// What others make of a schema.
fn validator(schema: &Value) -> Option<jsonschema::Validator> {
    let tree = serde_json::from_str(&schema.to_string()).unwrap();
    let dialect = Dialect::of(&tree).unwrap();
    node::options(dialect).build(schema).ok()
}

proptest! {
    #[test]
    fn the_explanation_finds_a_fault_where_the_validator_does(
        schema in schema(),
        values in vec(value(), 4),
    ) {
        let Ok(compiled) = Schema::new(&schema.to_string()) else { return Ok(()) };
        let validator = validator(&schema);
        prop_assert!(validator.is_some(), "only we hold it for a schema: {}", schema);
        for value in values {
            let mut walk = Walk::new(&compiled.compiled, FUEL);
            let faults = walk.explain(&value);
            if let (Some(validator), Some(faults)) = (&validator, &faults) {
                let is_valid = validator.is_valid(&value);
                prop_assert_eq!(faults.is_empty(), is_valid, "{} {} {:?}", schema, value, faults);
                let judged = Walk::new(&compiled.compiled, FUEL).judge(&value);
                prop_assert_eq!(judged.unwrap_or(is_valid), is_valid, "{} {}", schema, value);
            }
            examine(&compiled, &value)?;
        }
    }

    #[test]
    fn any_json_is_a_schema_or_refused(schema in anything(), value in anything()) {
        match Schema::new(&schema.to_string()) {
            Ok(compiled) => {
                prop_assert!(validator(&schema).is_some(), "only we hold it for a schema: {}", schema);
                examine(&compiled, &value)?;
            }
            Err(error) => {
                let said = error.to_string();
                prop_assert!(said.ends_with('.') && said.len() < 1_000, "{}", said);
            }
        }
    }

    #[test]
    fn what_is_suggested_mends_what_it_is_said_of(schema in schema(), values in vec(value(), 4)) {
        let Ok(schema) = Schema::new(&schema.to_string()) else { return Ok(()) };
        for value in values.into_iter().filter(|it| !schema.admits(it)) {
            let Some((faults, suggested)) = suggested(&schema.compiled, &value) else { continue };
            let mut all = value.clone();
            for (fault, changes) in &suggested {
                let change = changes.first().unwrap();
                apply(&mut all, &fault.path, change).unwrap();
            }
            // Each alternative of each suggestion does it alone, too.
            for (fault, change) in suggested.iter().flat_map(|(it, all)| all.iter().map(move |one| (it, one))) {
                let mut alone = value.clone();
                apply(&mut alone, &fault.path, change).unwrap();
                let left = Walk::new(&schema.compiled, FUEL).explain(&alone).unwrap();
                prop_assert!(
                    left.iter().all(|it| (&it.path, it.keyword) != (&fault.path, fault.keyword)),
                    "{:?} {:?}", fault, change
                );
            }
            let left = Walk::new(&schema.compiled, FUEL).explain(&all);
            // Nothing that was suggested breaks something else.
            for fault in left.iter().flatten() {
                prop_assert!(
                    faults.iter().any(|it| (&it.path, it.keyword) == (&fault.path, fault.keyword)),
                    "{:?}", fault
                );
                let key = (&fault.path, fault.keyword);
                prop_assert!(
                    suggested.iter().all(|(it, _)| (&it.path, it.keyword) != key),
                    "{} {:?}", fault::path(&fault.path), suggested
                );
            }
            if suggested.len() == faults.len() {
                prop_assert!(schema.admits(&all), "{} {}", value, all);
            }
        }
    }

    #[test]
    fn what_is_coerced_fits(schema in schema(), values in vec(value(), 4)) {
        let Ok(schema) = Schema::new(&schema.to_string()) else { return Ok(()) };
        for value in values {
            let mut coerced = value.clone();
            let coercions = schema.coerce(&mut coerced);
            if coercions.is_empty() {
                prop_assert_eq!(coerced, value);
            } else {
                prop_assert!(!schema.admits(&value) && schema.admits(&coerced));
            }
        }
    }

    #[test]
    fn a_schema_that_admits_every_object_does(schema in schema(), value in value()) {
        let Ok(schema) = Schema::new(&schema.to_string()) else { return Ok(()) };
        if schema.admits_every_object() && value.is_object() {
            prop_assert!(schema.admits(&value));
        }
    }
}

#[test]
fn every_suggestion_of_the_table_does_what_it_says() {
    let schema = Schema::new(
        r#"{"properties":{"a":{"type":"integer"},"b":{"enum":["x","y"]},"c":{"maxItems":1},
            "d":{"uniqueItems":true},"e":{"format":"date"},"f":false,"g":{"type":"array"}},
            "required":["a"],"additionalProperties":false}"#,
    )
    .unwrap();
    let arguments = json!({
        "A": 2, "b": "X", "c": [1, 2], "d": [1, 1], "e": "2025/01/02", "f": 1, "g": "q", "zzz": 1
    });
    let (faults, suggested) = suggested(&schema.compiled, &arguments).unwrap();
    assert_eq!(faults.len(), 9);
    assert_eq!(suggested.len(), 8, "the missing one is the misspelt one");
    let mut all = arguments.clone();
    for (fault, changes) in &suggested {
        let change = changes.first().unwrap();
        let mut alone = arguments.clone();
        apply(&mut alone, &fault.path, change).unwrap();
        let left = Walk::new(&schema.compiled, FUEL).explain(&alone).unwrap();
        assert!(left.iter().all(|it| it.path != fault.path), "{fault:?}");
        apply(&mut all, &fault.path, change).unwrap();
    }
    assert!(schema.admits(&all));
    assert_eq!(all, json!({"a": 2, "b": "x", "c": [1], "d": [1], "e": "2025-01-02", "g": ["q"]}));
    assert!(suggested.iter().any(|(_, changes)| *changes == [Change::Rename("a".to_owned())]));
}

//! What is refused when a tool is registered, and what never takes long.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::{Judge, Schema, SchemaError};

#[track_caller]
fn refused(schema: &str, sentence: &str) {
    let error = Schema::new(schema).expect_err("it is refused");
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn what_is_no_schema_is_refused_in_a_sentence() {
    refused("{", "The schema is not JSON: EOF while parsing an object at line 1 column 1.");
    refused("[]", "The schema is none, at its root: a schema is an object, or true or false.");
    refused(
        r#"{"properties":{"a":{"type":"int"}}}"#,
        "The schema is none, at /properties/a/type: \"int\" is no type; types are null, boolean, \
         integer, number, string, array and object.",
    );
    refused(
        r#"{"$schema":"https://example.com/mine"}"#,
        "$schema names the dialect \"https://example.com/mine\", which is not known here. Known \
         are 2020-12 (also without $schema), 2019-09, draft-07, draft-06 and draft-04.",
    );
    for pattern in ["(?=x)y", "(", r"(a)\1", "((a{200}){200}){200}"] {
        let sentence = format!(
            "The pattern {pattern} cannot be used. It is wrong or too large, or has look-around or \
             references to groups, for which no engine takes linear time."
        );
        for schema in [
            json!({"properties": {"a": {"pattern": pattern}}}),
            json!({"patternProperties": {pattern: {}}}),
            json!({"propertyNames": {"pattern": pattern}}),
        ] {
            refused(&schema.to_string(), &sentence);
        }
    }
    for (schema, sentence) in [
        (r#"{"minLength":-1}"#, "at /minLength: -1 is less than the minimum of 0."),
        (r#"{"required":"a"}"#, r#"at /required: "a" is not of type "array"."#),
        (r#"{"$ref":"%zz"}"#, r#"at its root: "%zz" is not a URI reference."#),
        (r#"{"$id":"not a uri"}"#, r#"at its root: "not a uri" is not a URI reference."#),
    ] {
        refused(schema, &format!("The schema is none, {sentence}"));
    }
    let long = format!(r#"{{"description":"{}"}}"#, "x".repeat(1024 * 1024));
    refused(&long, "The schema has 1048594 bytes; at most 1048576 are read.");
}

#[test]
fn nothing_outside_of_the_schema_is_read() {
    for uri in [
        "https://example.com/other.json",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "other.json",
        "http://json-schema.org/draft-07/schema",
    ] {
        let schema = json!({"properties": {"a": {"$ref": uri}}}).to_string();
        refused(
            &schema,
            &format!(
                "$ref leads to \"{uri}\", outside of the schema. Nothing is fetched from a network \
                 or a file: put what it names into $defs."
            ),
        );
    }
    for reference in ["#/$defs/b", "#anchor", "#/properties/0"] {
        let schema = json!({"$ref": reference}).to_string();
        refused(&schema, &format!("$ref leads to \"{reference}\", which is not there."));
    }
}

#[test]
fn a_reference_to_itself_is_refused() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}),
        json!({"anyOf": [{"type": "string"}, {"not": {"$ref": "#"}}]}),
    ] {
        let error = Schema::new(&schema.to_string()).expect_err("it is refused");
        assert!(matches!(error, SchemaError::Circular), "{error:?}");
    }
}

#[test]
fn depth_and_number_of_subschemas_are_bounded() {
    let nested =
        |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({"items": inner})).to_string();
    assert!(Schema::new(&nested(32)).is_ok());
    refused(
        &nested(33),
        "The schema nests more than 32 subschemas in each other. Make it flatter.",
    );
    let wide = |count: usize| {
        let members: Vec<String> = (1..count).map(|at| format!(r#""p{at}":{{}}"#)).collect();
        format!(r#"{{"properties":{{{}}}}}"#, members.join(","))
    };
    assert!(Schema::new(&wide(2_000)).is_ok());
    refused(
        &wide(2_001),
        "The schema has more than 2000 subschemas. Share some by $ref, or take fewer.",
    );
}

/// `anyOf` in `anyOf`, each with two ways to the next.
fn doubling(levels: usize, step: impl Fn(Value) -> Value) -> String {
    let mut definitions = String::new();
    for level in 0..levels {
        let next = step(json!({"$ref": format!("#/$defs/l{}", level + 1)}));
        let both = json!({"anyOf": [next.clone(), next]});
        write!(definitions, r#""l{level}":{both},"#).unwrap();
    }
    format!(
        r##"{{"$defs":{{{definitions}"l{levels}":{{"type":"integer"}}}},"$ref":"#/$defs/l0"}}"##
    )
}

#[test]
fn alternatives_that_double_are_bounded() {
    let sentence = "anyOf, oneOf, allOf and $ref multiply to more than 4096 ways to judge one \
                    value. Give the alternatives a property that tells them apart, or take fewer.";
    assert!(Schema::new(&doubling(9, |it| it)).is_ok());
    refused(&doubling(14, |it| it), sentence);
    let member = |next: Value| json!({"properties": {"a": next}});
    assert!(Schema::new(&doubling(10, member)).is_ok());
    refused(&doubling(18, member), sentence);
    // Different parts of a value are no alternatives.
    let members: Vec<Value> = (0..200).map(|_| json!({"$ref": "#/$defs/a"})).collect();
    let many: serde_json::Map<String, Value> =
        members.into_iter().enumerate().map(|(at, it)| (format!("p{at}"), it)).collect();
    let schema = json!({"$defs": {"a": {"type": "object", "properties": {"b": {}, "c": {}}}},
                        "properties": many});
    assert!(Schema::new(&schema.to_string()).is_ok());
}

/// A tree whose nodes are told apart by their kind, and lead on by the same member.
fn tree() -> Schema {
    Schema::new(
        r##"{"$ref":"#/$defs/node","$defs":{"node":{"oneOf":[
            {"properties":{"a":{"$ref":"#/$defs/node"},"kind":{"const":"x"}},"required":["kind"]},
            {"properties":{"a":{"$ref":"#/$defs/node"},"kind":{"const":"y"}},"required":["kind"]}
        ]}}}"##,
    )
    .unwrap()
}

fn branch(levels: usize, last: &str) -> Value {
    (0..levels).fold(
        json!({"kind": last}),
        |inner, at| json!({"kind": if at % 2 == 0 { "x" } else { "y" }, "a": inner}),
    )
}

#[test]
fn recursion_that_doubles_is_judged_all_the_same() {
    let schema = tree();
    assert!(matches!(schema.judge, Judge::Walk));
    assert!(schema.admits(&branch(100, "x")));
    assert!(!schema.admits(&branch(100, "z")));
    let complaint = schema.check("tool", &branch(3, "z")).unwrap_err();
    assert_eq!(
        complaint.text,
        "tool did not run: 1 argument needs changing.\n\
         a.a.a.kind: must be one of x, y. Got \"z\".\n\
         Correct it and call again."
    );
    assert!(schema.check("tool", &branch(100, "z")).is_err());
}

#[test]
fn a_recursion_in_one_way_is_left_to_the_validator() {
    for schema in [
        r##"{"properties":{"next":{"$ref":"#"},"children":{"items":{"$ref":"#"}}}}"##,
        r##"{"properties":{"next":{"anyOf":[{"type":"null"},{"$ref":"#"}]}},"additionalProperties":{"$ref":"#"}}"##,
        r##"{"anyOf":[{"type":"string"},{"properties":{"and":{"items":{"$ref":"#"}}}},{"properties":{"or":{"items":{"$ref":"#"}}}}]}"##,
    ] {
        let schema = Schema::new(schema).unwrap();
        assert!(matches!(schema.judge, Judge::Validator(_)), "{schema:?}");
    }
}

#[test]
fn what_cannot_be_explained_in_time_is_said_to_be_wrong_all_the_same() {
    let schema = Schema::new(r#"{"properties":{"rows":{"items":{"type":"integer"}},"name":{}}}"#);
    let mut rows: Vec<Value> = (0..300_000).map(Value::from).collect();
    rows.push(json!("x"));
    let complaint = schema.unwrap().check("tool", &json!({"rows": rows})).unwrap_err();
    assert_eq!(
        complaint.text,
        "tool did not run: its arguments need changing.\n\
         arguments: do not fit what tool takes, or are too large or too deeply nested to be \
         checked. It takes rows, name. Send less, and nest it less.\n\
         Correct them and call again."
    );
    assert_eq!(complaint.violations[0].keyword, "schema");
}

#[test]
fn a_thousand_faults_are_a_short_text() {
    let schema = Schema::new(r#"{"properties":{"rows":{"items":{"type":"integer"}}}}"#).unwrap();
    let rows: Vec<Value> = (0..5_000).map(|at| json!(format!("x{at}"))).collect();
    let complaint = schema.check("tool", &json!({"rows": rows})).unwrap_err();
    let lines: Vec<&str> = complaint.text.lines().collect();
    assert_eq!(lines[0], "tool did not run: 1000 or more arguments need changing.");
    assert_eq!(lines[1], "rows[0]: must be an integer. Got the string \"x0\". Send a number.");
    assert_eq!(lines[6], "And 995 or more, which are not shown.");
    assert_eq!(complaint.violations.len(), 20);
}

#[test]
fn long_texts_of_others_are_cut() {
    let word = "antidisestablishmentarianism";
    let names: Vec<String> = (0..60).map(|at| format!("{word}{at}")).collect();
    let properties: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| (name.clone(), json!({"type": "string", "description": word.repeat(90)})))
        .collect();
    let schema =
        json!({"properties": properties, "required": names, "additionalProperties": false});
    let schema = Schema::new(&schema.to_string()).unwrap();
    let arguments = json!({word.repeat(20): 1, "b": 2, "c": 3});
    let complaint = schema.check(&word.repeat(9), &arguments).unwrap_err();
    assert!(complaint.text.chars().count() <= 1_200, "{}", complaint.text);
}

#[test]
fn a_value_of_any_depth_is_judged() {
    let deep = |levels: usize| (0..levels).fold(json!("x"), |inner, _| json!({"a": inner}));
    let schema = Schema::new(
        r##"{"anyOf":[{"type":"integer"},{"allOf":[{"properties":{"a":{"$ref":"#"}},"type":"object"}]}]}"##,
    )
    .unwrap();
    for levels in [1, 60, 127] {
        assert!(schema.check("tool", &deep(levels)).is_err());
        assert!(!schema.violations(&deep(levels)).is_empty());
    }
}

#[test]
fn a_schema_that_admits_every_object_is_recognised() {
    for schema in [
        "true",
        "{}",
        r#"{"type":"object"}"#,
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{}}"#,
        r#"{"type":["object","null"],"properties":{"a":{"description":"x"}},"additionalProperties":true}"#,
        r#"{"type":"object","minLength":3,"items":false}"#,
    ] {
        assert!(Schema::new(schema).unwrap().admits_every_object(), "{schema}");
    }
    for schema in [
        "false",
        r#"{"type":"string"}"#,
        r#"{"properties":{"a":{"type":"string"}}}"#,
        r#"{"additionalProperties":false}"#,
        r#"{"required":["a"]}"#,
        r#"{"anyOf":[{}]}"#,
    ] {
        assert!(!Schema::new(schema).unwrap().admits_every_object(), "{schema}");
    }
}

#[test]
fn a_schema_is_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Schema>();
}

#[test]
fn what_is_wrong_with_a_result_is_said_without_values() {
    let schema =
        Schema::new(r#"{"properties":{"n":{"type":"integer"}},"minProperties":1}"#).unwrap();
    let said = |value: &Value| -> Vec<(String, String)> {
        schema.violations(value).into_iter().map(|it| (it.path, it.keyword)).collect()
    };
    assert_eq!(said(&json!({"n": 1})), []);
    assert_eq!(said(&json!({"n": "x"})), [("n".to_owned(), "type".to_owned())]);
    assert_eq!(said(&json!({})), [("structuredContent".to_owned(), "minProperties".to_owned())]);
}

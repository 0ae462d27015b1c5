//! A value that is not to be shown is nowhere in what is said.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::Schema;

const CANARY: &str = "Zq7canary";

/// Where a secret may be expected.
fn places() -> Vec<Value> {
    vec![
        json!({"type": "string", "writeOnly": true}),
        json!({"type": "string", "format": "password"}),
        json!({"allOf": [{"writeOnly": true}]}),
        json!({"$ref": "#/$defs/hidden"}),
        json!({"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/hidden"}]}),
        json!({"type": "array", "items": {"writeOnly": true}}),
        json!({"type": "object", "properties": {"password": {}}}),
        json!({"type": "object", "writeOnly": true, "properties": {"inner": {"type": "integer"}}}),
        json!({"oneOf": [
            {"properties": {"kind": {"const": "x"}, "key": {"writeOnly": true, "type": "integer"}}},
            {"properties": {"kind": {"const": "y"}, "key": {"writeOnly": true, "maxLength": 2}}},
        ]}),
    ]
}

/// Rules that a secret may break.
fn rules() -> Vec<Value> {
    vec![
        json!({}),
        json!({"type": "integer"}),
        json!({"type": "boolean"}),
        json!({"type": ["array", "object"]}),
        json!({"maxLength": 2}),
        json!({"minLength": 90}),
        json!({"pattern": "^\\d+$"}),
        json!({"format": "date"}),
        json!({"format": "uuid"}),
        json!({"enum": ["a", CANARY.to_lowercase()]}),
        json!({"const": "b"}),
        json!({"not": {"type": "string"}}),
        json!({"anyOf": [{"type": "integer"}, {"maxLength": 1}]}),
        json!({"oneOf": [{"type": "string"}, {"minLength": 1}]}),
        json!({"contains": {"type": "integer"}, "uniqueItems": true, "maxItems": 0}),
        json!({"if": {"const": CANARY}, "then": {"maxLength": 1}}),
    ]
}

/// How it may be sent.
fn sent() -> Vec<Value> {
    vec![
        json!(CANARY),
        json!([CANARY]),
        json!([CANARY, CANARY]),
        json!([1, CANARY]),
        json!({"password": CANARY}),
        json!({"inner": CANARY}),
        json!({"kind": "x", "key": CANARY}),
        json!({"kind": "y", "key": CANARY}),
        json!(format!("[\"{CANARY}\"]")),
        json!(format!("{{\"password\":\"{CANARY}\"}}")),
        json!(format!("{CANARY},{CANARY}")),
        json!(format!(" {CANARY} ")),
    ]
}

proptest! {
    #[test]
    fn a_secret_is_never_shown(
        name in prop::sample::select(vec!["a", "apiKey", "access_token", "PASSWORD", "clientSecret"]),
        place in prop::sample::select(places()),
        rule in prop::sample::select(rules()),
        sent in prop::sample::select(sent()),
        nested in any::<bool>(),
    ) {
        let mut schema = json!({
            "$defs": {"hidden": {"type": "string", "writeOnly": true}},
            "properties": {name: {"allOf": [place, rule]}},
            "additionalProperties": false,
        });
        let mut arguments = json!({name: sent});
        if nested {
            let defs = schema.as_object_mut().unwrap().remove("$defs");
            schema = json!({"$defs": defs, "properties": {"outer": {"items": schema}}});
            arguments = json!({"outer": [arguments]});
        }
        let schema = Schema::new(&schema.to_string()).unwrap();
        if let Err(complaint) = schema.check("tool", &arguments) {
            let said = format!("{complaint:?}");
            prop_assert!(!said.to_lowercase().contains("canary"), "{}", complaint.text);
        }
        let mut coerced = arguments;
        let coercions = format!("{:?}", schema.coerce(&mut coerced));
        prop_assert!(!coercions.contains("canary"), "{}", coercions);
    }
}

#[test]
fn a_name_tells_whether_its_value_is_shown() {
    for name in [
        "password",
        "userPassword",
        "api_key",
        "apiKey",
        "API-KEY",
        "X-Api-Key",
        "token",
        "accessToken",
        "client_secret",
        "Authorization",
        "credentials",
        "privateKey",
        "sessionCookie",
    ] {
        assert!(crate::shown::is_secret_name(name), "{name}");
    }
    for name in [
        "key",
        "name",
        "author",
        "max_tokens",
        "totalTokens",
        "tokenCount",
        "passenger",
        "monkey",
        "keyboard",
        "secretary",
        "pinned",
        "spine",
        "authored_by",
    ] {
        assert!(!crate::shown::is_secret_name(name), "{name}");
    }
}

#[test]
fn a_form_tells_whether_a_value_is_shown() {
    for text in [
        "sk-abcdefghijklmnop",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.e30.x",
        "Bearer abcdefgh",
        "postgres://ann:pw@db/x",
        "9f86d081884c7d659a2feaa0c55ad015",
    ] {
        assert!(crate::shown::is_secret_shaped(text), "{text}");
    }
    for text in [
        "economy",
        "2025-08-08T13:30:00Z",
        "https://example.com/a/long/path/to/some/page",
        "a sentence of several words, with 3 numbers",
        "/home/ann/projects/readme2.md",
        "123e4567-e89b-12d3-a456-426614174000",
        "12345678901234567890123456789",
        "SELECT name FROM users WHERE id = 12",
    ] {
        assert!(!crate::shown::is_secret_shaped(text), "{text}");
    }
}

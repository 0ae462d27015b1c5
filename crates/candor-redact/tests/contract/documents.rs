//! JSON stays JSON, and loses only what stands in its strings.

use candor_redact::{Profile, Redactor};

fn success(json: &str) -> String {
    Redactor::default().json(json, Profile::Success).into_owned()
}

#[test]
fn what_is_not_a_string_stays_to_the_letter() {
    assert_eq!(
        success(
            r#"{ "n" :1.0e+2,"big":123456789012345678901234567890, "password":"x7k2m9q4" , "t":[true,null]}"#
        ),
        r#"{ "n" :1.0e+2,"big":123456789012345678901234567890, "password":"[redacted:password#1]" , "t":[true,null]}"#
    );
    let harmless = r#"{"a":"b\u00e9\n\/","password":12345678,"n":-0.0}"#;
    assert_eq!(success(harmless), harmless);
}

#[test]
fn a_member_is_judged_by_its_name() {
    for (json, masked) in [
        (r#"{"apiKey":"x7k2m9q4w1"}"#, r#"{"apiKey":"[redacted:api-key#1]"}"#),
        (
            r#"{"tokens":["x7k2m9q4w1z8","y8L3n0r5x2a9"]}"#,
            r#"{"tokens":["[redacted:token#1]","[redacted:token#2]"]}"#,
        ),
        (
            r#"{"headers":{"Authorization":["Bearer x7k2m9q4w1z8"]}}"#,
            r#"{"headers":{"Authorization":["Bearer [redacted:bearer-token#1]"]}}"#,
        ),
        (
            r#"[{"name":"DB_PASSWORD","value":"x7k2m9q4"},{"name":"LANG","value":"x7k2m9q4"}]"#,
            r#"[{"name":"DB_PASSWORD","value":"[redacted:password#1]"},{"name":"LANG","value":"x7k2m9q4"}]"#,
        ),
        (
            r#"{"Cookie":"lang=en; sid=9f86d081884c7d65"}"#,
            r#"{"Cookie":"lang=en; sid=[redacted:cookie#1]"}"#,
        ),
        (
            r#"{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN","d":"X4cTteJY_gn4FYPsXB8rdXix"}"#,
            r#"{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN","d":"[redacted:private-key#1]"}"#,
        ),
        (
            r#"{"kind":"Secret","data":{"motto":"c3BlYWs="}}"#,
            r#"{"kind":"Secret","data":{"motto":"[redacted:kubernetes-secret#1]"}}"#,
        ),
        (
            r#"{"nextCursor":"eyJvZmZzZXQiOjEwMH0=","password":"<password>"}"#,
            r#"{"nextCursor":"eyJvZmZzZXQiOjEwMH0=","password":"<password>"}"#,
        ),
        (r#"{"password":{"value":"x7k2m9q4"}}"#, r#"{"password":{"value":"x7k2m9q4"}}"#),
    ] {
        assert_eq!(success(json), masked);
    }
}

#[test]
fn a_document_within_a_string_is_read_too() {
    assert_eq!(
        success(r#"{"body":"{\"password\":\"x7k2m9q4\"}"}"#),
        r#"{"body":"{\"password\":\"[redacted:password#1]\"}"}"#
    );
}

#[test]
fn what_is_no_document_is_masked_as_text() {
    assert_eq!(success(r#"{"password":"x7k2m9q4""#), r#"{"password":"[redacted:password#1]""#);
    assert_eq!(success("password=x7k2m9q4"), "password=[redacted:password#1]");
}

#[test]
fn the_strings_of_a_failure_lose_their_insides() {
    let json = r#"{"error":"cannot open /home/ada/x.db on 10.0.0.7:5432","traceback":"Traceback (most recent call last):\n  File \"/srv/a.py\", line 1, in f\nValueError: no","stackTrace":["at com.acme.Shop(Shop.java:1)"]}"#;
    let masked = r#"{"error":"cannot open x.db on [redacted:host#1]","traceback":"[redacted:stack-trace#2]","stackTrace":["[redacted:stack-trace#3]"]}"#;
    let redactor = Redactor::default();
    assert_eq!(redactor.json(json, Profile::Error), masked);
    // A failure that is told as a document is read as one.
    assert_eq!(redactor.error(json), masked);
}

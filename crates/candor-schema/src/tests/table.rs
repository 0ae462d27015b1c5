//! `table.txt`: schemas, calls, and what a model reads about them.
//!
//! A line that begins with `schema` holds for the calls below it, and so does `properties`, which
//! stands for an object schema with these properties. A line that begins with `call` is followed by
//! the complaint, without its head and its last line, which are checked here.
//! `CANDOR_TABLE=write` writes what is said now into the file, to be read and compared.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::Schema;

const TABLE: &str = include_str!("table.txt");

#[test]
fn a_model_reads_what_the_table_says() {
    let mut schema = String::new();
    let mut said = String::new();
    let mut rows = 0;
    for line in TABLE.lines() {
        if let Some(text) = line.strip_prefix("schema ") {
            text.clone_into(&mut schema);
        } else if let Some(text) = line.strip_prefix("properties ") {
            schema = format!(r#"{{"type":"object","properties":{text}}}"#);
        } else if let Some(text) = line.strip_prefix("call ") {
            writeln!(said, "{line}").unwrap();
            said.push_str(&middle(&schema, text));
            rows += 1;
            continue;
        } else if line.starts_with("    ") {
            continue;
        }
        writeln!(said, "{line}").unwrap();
    }
    if std::env::var("CANDOR_TABLE").is_ok_and(|it| it == "write") {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/table.txt");
        std::fs::write(file, &said).unwrap();
    }
    for (at, (now, then)) in said.lines().zip(TABLE.lines()).enumerate() {
        assert_eq!(now, then, "line {} of table.txt", at + 1);
    }
    assert_eq!(said.lines().count(), TABLE.lines().count());
    assert!(rows >= 150, "{rows} rows");
}

/// The complaint about a call, indented, without its first and its last line.
fn middle(schema: &str, call: &str) -> String {
    let schema = Schema::new(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
    let arguments: Value = serde_json::from_str(call).unwrap_or_else(|_| panic!("{call}"));
    let Err(complaint) = schema.check("book_ticket", &arguments) else {
        return "    fits\n".to_owned();
    };
    let lines: Vec<&str> = complaint.text.lines().collect();
    let [head, middle @ .., last] = lines.as_slice() else { panic!("{}", complaint.text) };
    let several = !head.contains(": 1 argument needs");
    assert!(
        head.starts_with("book_ticket did not run: ") && head.ends_with(" changing."),
        "{head}"
    );
    let next =
        if several { "Correct all of them in one call." } else { "Correct it and call again." };
    assert_eq!(*last, next, "{}", complaint.text);
    assert!(complaint.text.chars().count() <= 1_200);
    assert!(!complaint.violations.is_empty());
    middle.iter().fold(String::new(), |all, line| all + "    " + line + "\n")
}

#[test]
fn the_whole_text_has_a_head_and_says_what_is_next() {
    let schema = Schema::new(
        r#"{"type":"object","properties":{"n":{"type":"integer"},"c":{"enum":["a"]},"d":{"type":"string"}},"required":["d"]}"#,
    )
    .unwrap();
    let complaint = schema.check("book_ticket", &json!({"n": "2", "c": "b"})).unwrap_err();
    assert_eq!(
        complaint.text,
        "book_ticket did not run: 3 arguments need changing.\n\
         n: must be an integer. Got the string \"2\". Send 2 without quotes.\n\
         c: only \"a\" is accepted. Got \"b\".\n\
         d: is missing. Add a string.\n\
         Correct all of them in one call."
    );
    let violations: Vec<(&str, &str)> =
        complaint.violations.iter().map(|it| (it.path.as_str(), it.keyword.as_str())).collect();
    assert_eq!(violations, [("n", "type"), ("c", "enum"), ("d", "required")]);
}

//! What it costs to check a call: `cargo run --release -p candor-schema --example cost`.

#![expect(clippy::print_stdout, reason = "it is a program for people")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use candor_schema::{Schema, SchemaError};
use serde_json::{Value, json};

const SCHEMA: &str = r#"{
    "type": "object",
    "properties": {
        "movieId": {"type": "integer", "minimum": 1},
        "showTime": {"type": "string", "pattern": "^\\d{2}:\\d{2}$"},
        "numTickets": {"type": "integer", "minimum": 1, "maximum": 10, "examples": [2]},
        "cabin": {"enum": ["economy", "business"]},
        "date": {"type": "string", "format": "date"}
    },
    "required": ["movieId", "showTime", "numTickets"],
    "additionalProperties": false
}"#;

fn main() -> Result<(), SchemaError> {
    let start = Instant::now();
    let schema = Schema::new(SCHEMA)?;
    println!("the first schema compiled: {:?}", start.elapsed());
    let right = json!({"movieId": 1, "showTime": "13:30", "numTickets": 2, "cabin": "economy",
                       "date": "2025-08-08"});
    let wrong = json!({"movieId": "1", "showTime": "1:30pm", "ticketCount": 2, "cabin": "first"});
    say("a schema compiled", 300, || Schema::new(black_box(SCHEMA)).is_ok());
    say("a call that fits", 1_000_000, || schema.check("book", black_box(&right)).is_ok());
    say("a call that does not", 10_000, || schema.check("book", black_box(&wrong)).is_err());

    let rows: Vec<Value> = (0..100_000).map(|at| json!({"id": at.to_string()})).collect();
    let rows = json!({ "rows": rows });
    let schema = Schema::new(
        r#"{"properties":{"rows":{"items":{"properties":{"id":{"type":"integer"}}}}}}"#,
    )?;
    say("100,000 faults in one call", 5, || schema.check("load", black_box(&rows)).is_err());
    Ok(())
}

fn say(what: &str, times: u32, mut once: impl FnMut() -> bool) {
    let holds = (0..times / 10).all(|_| once());
    let start = Instant::now();
    let all = (0..times).all(|_| once());
    let each: Duration = start.elapsed() / times;
    println!("{what}: {each:?}{}", if holds && all { "" } else { ", and not as expected" });
}

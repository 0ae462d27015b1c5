//! Rows 19 and 24: what a tool publishes, held against what it is sent and what it says.

use candor::{Definition, Journal, Reply, Server, ToolError, tool};
use candor_testkit::message::{bare_call, call, initialize};
use candor_testkit::{ask, asks, fold_incidents};
use serde_json::value::RawValue;

use crate::said::{failed, stage};

const BOOK: &str = r#"{"name":"book","inputSchema":{"type":"object","properties":{
    "seats":{"type":"integer","minimum":1,"maximum":10},
    "row":{"enum":["front","back"]},
    "at":{"type":"object","properties":{"lat":{"type":"number","maximum":90}}}
  },"required":["seats"],"additionalProperties":false}}"#;

fn book() -> Server {
    let unreachable = tool::inline(|_| -> Result<&str, ToolError> { panic!("it ran") });
    let definition = Definition::from_json(BOOK).unwrap();
    Server::builder("stage", "1.0.0").tool(definition, unreachable).build().unwrap()
}

#[test]
fn arguments_that_do_not_fit_run_nothing_and_are_all_named() {
    let answer =
        ask(book().session(), &call("1", "book", r#"{"seat":2,"row":"middle","at":{"lat":91}}"#));
    assert_eq!(
        answer,
        failed(
            "1",
            "book did not run: 3 arguments need changing.\n\
             row: must be one of front, back. Got \"middle\".\n\
             at.lat: must be at most 90. Got 91.\n\
             seat: is not a parameter of book. Did you mean seats? It takes seats, row, at.\n\
             Correct all of them in one call.",
            r#"{"kind":"arguments","retry":"with_changes","fingerprint":"a244edf3a8d3d57b","violations":[{"path":"seats","keyword":"required"},{"path":"row","keyword":"enum"},{"path":"at.lat","keyword":"maximum"},{"path":"seat","keyword":"additionalProperties"}]}"#,
        )
    );
}

#[test]
fn arguments_are_checked_in_every_era() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let answers = asks(
            book().session(),
            &[initialize("0", version), bare_call("1", "book", r#"{"seats":"2"}"#)],
        );
        let said = r#""text":"book did not run: 1 argument needs changing.\nseats: must be an integer. Got the string \"2\". Send 2 without quotes.\nCorrect it and call again.""#;
        assert!(answers[1].contains(said), "{version}: {}", answers[1]);
        assert!(answers[1].contains(r#""isError":true"#), "{version}: {}", answers[1]);
    }
}

#[test]
fn what_fits_reaches_the_tool_to_the_letter() {
    let stage = stage();
    let answer = ask(stage.server.session(), &call("1", "book", r#"{"seats":2.0e0}"#));
    assert!(answer.contains("seats"), "the tool itself cannot read it so: {answer}");
    let answer = ask(stage.server.session(), &call("1", "book", r#"{"seats":2,"seats2":1e2}"#));
    assert!(answer.contains("Booked 2 seats."), "its schema is open: {answer}");
}

#[test]
fn a_number_that_nothing_can_hold_is_the_models_to_change() {
    let answer = ask(book().session(), &call("1", "book", r#"{"seats":1e400}"#));
    assert!(answer.contains("a number that is too large"), "{answer}");
    assert!(answer.contains(r#""kind":"arguments""#), "{answer}");
}

#[test]
fn an_answer_that_breaks_its_own_schema_is_a_broken_one() {
    let log = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let lines = std::sync::Arc::clone(&log);
    let journal = Journal::new(move |entry| lines.lock().unwrap().push(entry.text.to_owned()));
    let definition = Definition::from_json(
        r#"{"name":"seats","inputSchema":{"type":"object"},"outputSchema":{"type":"object",
            "properties":{"free":{"type":"integer"}},"required":["free"]},
            "annotations":{"readOnlyHint":true}}"#,
    );
    let structured =
        |json: &str| Reply::structured(RawValue::from_string(json.to_owned()).unwrap());
    let reply = structured(r#"{"free":"many"}"#);
    let server = Server::builder("stage", "1.0.0")
        .journal(journal)
        .tool(definition.unwrap(), tool::inline(move |_| reply.clone()))
        .build()
        .unwrap();
    assert_eq!(
        fold_incidents(&ask(server.session(), &call("1", "seats", "{}"))),
        failed(
            "1",
            "{\"free\":\"many\"}\n\nseats finished, but its answer is not what it promises \
             (incident 00000000). Changing the arguments will not help. Use another way.",
            r#"{"kind":"output","retry":"no","fingerprint":"28645cab71580782","incident":"00000000"}"#,
        )
    );
    let log = log.lock().unwrap();
    assert_eq!(*log, ["seats: the tool's answer is not what it promises: free breaks `type`"]);
}

#[test]
fn a_schema_that_cannot_be_held_against_anything_makes_no_server() {
    let refused = |schema: &str| {
        let definition = format!(r#"{{"name":"a","inputSchema":{schema}}}"#);
        let definition = Definition::from_json(&definition).unwrap();
        let built = Server::builder("stage", "1.0.0").tool(definition, tool::inline(|_| ""));
        built.build().map(drop).unwrap_err().to_string()
    };
    for (schema, part) in [
        (r#"{"type":"object","$ref":"https://example.com/s.json"}"#, "https://example.com/s.json"),
        (r#"{"type":"object","$schema":"https://example.com/mine"}"#, "https://example.com/mine"),
        (r#"{"type":"object","properties":{"a":{"type":"text"}}}"#, "`inputSchema`"),
        (r#"{"type":"object","properties":{"a":{"pattern":"(?=a)"}}}"#, "(?=a)"),
    ] {
        let why = refused(schema);
        assert!(why.starts_with("tool \"a\", `inputSchema`: ") && why.contains(part), "{why}");
    }
}

//! Section 4: what a model must never read, in whatever leaves.

use std::sync::{Arc, Mutex};

use candor::{Content, Definition, Journal, Redactor, Reply, Server, ToolError, tool};
use candor_testkit::ask;
use candor_testkit::message::call;
use serde_json::Value;
use serde_json::value::RawValue;

/// Assembled, so that this file holds nothing that looks like one.
fn token() -> String {
    ["xoxb", "123456789012", "1234567890123", "AbCdEfGhIjKlMnOpQrStUvWx"].join("-")
}

const INSIDES: &str = "cannot open /srv/billing/ledger.db on 10.1.2.3:5432\n\
                       Traceback (most recent call last):\n  File \"/srv/app.py\", line 3, in <module>\n\
                       ValueError: no such account\n";

type Lines = Arc<Mutex<Vec<String>>>;

fn server(redactor: Option<Redactor>) -> (Server, Lines) {
    let lines = Lines::default();
    let log = Arc::clone(&lines);
    let journal = Journal::new(move |entry| log.lock().unwrap().push(entry.text.to_owned()));
    let structured = |json: String| Reply::structured(RawValue::from_string(json).unwrap());
    let promises = Definition::from_json(
        r#"{"name":"promises","inputSchema":{"type":"object"},"outputSchema":{"type":"object",
            "properties":{"id":{"type":"string","maxLength":10}}}}"#,
    );
    let server = Server::builder("stage", "1.0.0")
        .journal(journal)
        .redactor(redactor)
        .tool(
            Definition::new("says"),
            tool::inline(|_| {
                let shown = Content::resource_text("x:notes", "text/plain", token());
                Reply::text(format!("{} and {}", token(), INSIDES)).and(shown)
            }),
        )
        .tool(
            Definition::new("gives"),
            tool::inline(move |_| structured(format!("{{\"n\": 1.0, \"key\": \"{}\"}}", token()))),
        )
        .tool(
            Definition::new("fails"),
            tool::inline(|_| -> Result<&str, ToolError> {
                Err(ToolError::tell(INSIDES).because(format!("{} at /srv/app.py", token())))
            }),
        )
        .tool(
            Definition::new("mute"),
            tool::inline(|_| -> Result<&str, ToolError> { Err(ToolError::tell(token())) }),
        )
        .tool(
            promises.unwrap(),
            tool::inline(|_| {
                Reply::structured(RawValue::from_string(r#"{"id":"pw-7731x"}"#.into()).unwrap())
            }),
        )
        .build()
        .unwrap();
    (server, lines)
}

fn result(server: &Server, tool: &str, arguments: &str) -> Value {
    let answer: Value =
        serde_json::from_str(&ask(server.session(), &call("1", tool, arguments))).unwrap();
    answer["result"].clone()
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn an_answer_loses_credentials_and_nothing_else_and_equal_ones_have_equal_marks() {
    let (server, _) = server(Some(Redactor::default()));
    let said = result(&server, "says", "{}");
    assert_eq!(text(&said), format!("[redacted:slack-token#1] and {INSIDES}"));
    assert_eq!(said["content"][1]["resource"]["text"], "[redacted:slack-token#1]");
}

#[test]
fn a_value_loses_credentials_and_stays_what_it_is() {
    let (server, _) = server(Some(Redactor::default()));
    let answer = ask(server.session(), &call("1", "gives", "{}"));
    assert!(
        answer.contains(r#""structuredContent":{"n": 1.0, "key": "[redacted:slack-token#1]"}"#),
        "{answer}"
    );
}

#[test]
fn a_failure_loses_its_insides_and_keeps_its_sentences() {
    let (server, log) = server(Some(Redactor::default()));
    let said = result(&server, "fails", "{}");
    let told = text(&said);
    assert!(told.starts_with("cannot open ledger.db on [redacted:host#1]"), "{told}");
    assert!(told.contains("no such account"), "{told}");
    for inside in ["/srv", "10.1.2.3", "5432", "Traceback", "line 3"] {
        assert!(!told.contains(inside), "{inside} is in {told}");
    }
    let log = log.lock().unwrap().join("\n");
    assert!(!log.contains(&token()) && log.contains("/srv/app.py"), "{log}");
}

#[test]
fn a_failure_of_which_nothing_can_be_shown_is_spoken_for() {
    let (server, _) = server(Some(Redactor::default()));
    assert_eq!(
        text(&result(&server, "mute", "{}")),
        "mute could not reach a service it needs. Changing the arguments will not help."
    );
}

#[test]
fn an_answer_that_only_masking_broke_says_that_something_was_withheld() {
    let (server, _) = server(Some(Redactor::builder().secret("ORDER_KEY", "pw-7731x").build()));
    let said = result(&server, "promises", "{}");
    assert_eq!(said["isError"], true);
    assert!(text(&said).contains("A credential was withheld from this answer."), "{said}");
    assert!(!text(&said).contains("pw-7731x"), "{said}");
}

#[test]
fn arguments_that_hold_a_mark_run_nothing() {
    let (server, _) = server(Some(Redactor::default()));
    let said = result(&server, "says", r#"{"auth":{"token":"[redacted:slack-token#1]"}}"#);
    assert_eq!(
        text(&said),
        "says did not run: 1 argument needs changing.\n\
         auth.token: holds a mark that stands for a value which was withheld. Leave it out, or ask \
         the user for the value.\n\
         Correct it and call again."
    );
}

#[test]
fn a_server_can_be_told_to_show_everything() {
    let (server, log) = server(None);
    assert_eq!(text(&result(&server, "says", "{}")), format!("{} and {INSIDES}", token()));
    assert_eq!(text(&result(&server, "fails", "{}")), INSIDES);
    assert!(log.lock().unwrap().join("\n").contains(&token()));
}

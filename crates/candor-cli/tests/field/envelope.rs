//! What is no message, what is none for us, and what must not run for it.

use candor_testkit::message::{META, call, cancelled, modern, refusal};

use crate::host::{Host, done};
use crate::stage::Folder;

const TOOLS: &str = "\
# Run.
tool_run() { echo ran >>ran; }
# Say what came.
tool_echo() { printf %s \"$1\"; }
# Wait for a file.
tool_wait() { until [[ -e go ]]; do sleep 0.01; done; printf %s \"$1\"; }
";

const NO_JSON: &str = "Parse error: a line is one JSON text";

/// B75: one line that was no JSON ended the server. It is refused once, a blank one is nothing, and
/// what follows is served.
#[test]
fn a_line_that_is_no_json_is_refused_and_the_next_is_served() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    let shell = "& \"$env:LOCALAPPDATA\\Programs\\thing.exe\" serve";
    for line in ["{this is not json", shell, "}", "{", "\"", "npm ERR! code E404"] {
        host.assert_answers(line, &refusal(None, -32700, NO_JSON));
        host.assert_answers(&call("1", "echo", "{}"), &done("1", "{}"));
    }
    for blank in ["", " ", "\t", "\r"] {
        host.say(blank);
        host.assert_answers(&call("1", "echo", "{}"), &done("1", "{}"));
    }
    host.end();
}

/// B76: two ends that answer whatever they cannot read answer each other for ever. What cannot be
/// read is answered once, and no answer is answered.
#[test]
fn two_servers_that_hear_each_other_fall_silent() {
    let folder = Folder::of(TOOLS);
    for garbage in ["garbage", "[]", "{}", "{\"jsonrpc\":\"2.0\",\"id\":1}", "{\"id\":1,"] {
        let mut one = Host::serve(&folder, &[]);
        let mut other = Host::serve(&folder, &[]);
        let answer = one.ask(garbage);
        assert!(answer.starts_with(r#"{"jsonrpc":"2.0","#), "{answer}");
        other.say(&answer);
        other.assert_answers(&call("1", "echo", "{}"), &done("1", "{}"));
        // The second half of an answer that was torn apart.
        one.say(&answer[..answer.len() - 1]);
        one.assert_answers(&call("1", "echo", "{}"), &done("1", "{}"));
        one.end();
        other.end();
    }
}

/// B80: a request whose id is null was taken for a notification, or run and answered. It is refused
/// without an id, and not run.
#[test]
fn a_request_whose_id_is_null_is_refused_and_does_not_run() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    let reason = "Invalid request: `id` must be a string or an integer";
    for line in [modern("null", "tools/list", ""), call("null", "run", "{}")] {
        host.assert_answers(&line, &refusal(None, -32600, reason));
    }
    host.end();
    assert!(!folder.path("ran").exists());
}

/// B82: a batch was called a parse error, or answered with an array, or run. It parses, and it is no
/// message: one refusal, no id, and nothing in it runs.
#[test]
fn nothing_in_a_batch_runs() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    let request = call("1", "run", "{}");
    let notification = request.replacen("\"id\":1,", "", 1);
    for batch in [
        "[]",
        "[1]",
        &format!("[{request}]"),
        &format!("[{notification}]"),
        &format!("[{request},{request}]"),
    ] {
        let reason = "Invalid request: a message is one JSON object, not an array";
        host.assert_answers(batch, &refusal(None, -32600, reason));
    }
    for scalar in ["\"x\"", "7", "null"] {
        let reason = "Invalid request: a message is a JSON object";
        host.assert_answers(scalar, &refusal(None, -32600, reason));
    }
    host.end();
    assert!(!folder.path("ran").exists());
}

/// B83: a batch was met with silence, and the client waited. It is answered, and so is what follows.
#[test]
fn a_batch_is_not_met_with_silence() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    let reason = "Invalid request: a message is one JSON object, not an array";
    let batch = format!("[{}]", modern("1", "tools/list", ""));
    host.assert_answers(&batch, &refusal(None, -32600, reason));
    host.assert_answers(&call("1", "echo", "{}"), &done("1", "{}"));
    host.end();
}

/// B85: a notification that nobody knew was answered with an error, and strict clients hung up. None
/// is answered, and a call without an id is none.
#[test]
fn no_notification_is_answered() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    let run = call("1", "run", "{}").replacen("\"id\":1,", "", 1);
    for line in [
        r#"{"jsonrpc":"2.0","method":"x"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        &cancelled("7"),
        &format!(r#"{{"jsonrpc":"2.0","method":"notifications/unheard","params":{{{META}}}}}"#),
        &run,
    ] {
        host.say(line);
    }
    host.assert_answers(&call("1", "echo", "{}"), &done("1", "{}"));
    host.end();
    assert!(!folder.path("ran").exists());
}

/// B87: an id that was used twice at once brought one caller the answer of another. The second use is
/// refused and does not run, and each answer belongs to its id.
#[test]
fn an_id_in_use_is_refused_and_no_two_answers_are_mixed_up() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    host.say(&call("1", "wait", r#"{"who":"first"}"#));
    host.assert_answers(
        &call("1", "run", "{}"),
        &refusal(
            Some("1"),
            -32600,
            "Invalid request: this id is in use by a request that is not answered yet",
        ),
    );
    std::fs::write(folder.path("go"), "").unwrap();
    assert_eq!(host.hear(), done("1", r#"{"who":"first"}"#));
    assert!(!folder.path("ran").exists());

    let ids = 0..500;
    for id in ids.clone() {
        host.say(&call(&id.to_string(), "wait", &format!("{{\"n\":{id}}}")));
    }
    let mut heard: Vec<_> = ids.clone().map(|_| host.hear()).collect();
    let mut expected: Vec<_> =
        ids.map(|id| done(&id.to_string(), &format!("{{\"n\":{id}}}"))).collect();
    heard.sort();
    expected.sort();
    assert_eq!(heard, expected);
    host.end();
}

//! `return 0`, `return 1`, and every other way for a function to end.

use serde_json::json;

use crate::{Script, done, error, failed, refused};

const CRASHED: &str = "crash failed inside the server (incident …). Changing the arguments will \
                       not help. It may have taken effect: check before calling it again.";

fn crash() -> serde_json::Value {
    json!({ "kind": "crash", "retry": "unknown_effect", "fingerprint": "…", "incident": "…" })
}

#[tokio::test]
async fn what_a_function_echoes_is_the_answer_without_its_last_line_ends() {
    let mut stage =
        Script::new("# Says two lines.\ntool_say() { printf 'a\\n\\nb\\n\\n\\n'; }").serve().await;

    assert_eq!(stage.call("say", json!({})).await, done("a\n\nb"));
}

#[tokio::test]
async fn a_function_that_says_nothing_answers_with_an_empty_text() {
    let mut stage = Script::new("# Says nothing.\ntool_say() { :; }").serve().await;

    assert_eq!(stage.call("say", json!({})).await, done(""));
}

#[tokio::test]
async fn the_arguments_arrive_to_the_letter_and_without_space_between_them() {
    let mut stage = Script::new("# Says them.\ntool_say() { printf '%s' \"$1\"; }").serve().await;
    let spaced = "{ \"big\" : 12345678901234567890,\t\"f\":1.0,\"e\":1e400,\"é\":\"\\u00e9 \\\" \\\\ 🎉\",\"n\":null }";
    let sent = r#"{"big":12345678901234567890,"f":1.0,"e":1e400,"é":"\u00e9 \" \\ 🎉","n":null}"#;
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let request = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"say","arguments":{spaced},{meta}}}}}"#
    );
    stage.wire.send(&request).await.unwrap();

    assert_eq!(stage.receive().await, done(sent));
}

#[tokio::test]
async fn no_arguments_and_null_arrive_as_an_empty_object() {
    let mut stage = Script::new("# Says them.\ntool_say() { echo \"$1\"; }").serve().await;

    assert_eq!(stage.ask("tools/call", json!({ "name": "say" })).await, done("{}"));
    assert_eq!(stage.call("say", json!(null)).await, done("{}"));
}

#[tokio::test]
async fn return_1_is_a_successful_response_that_the_model_reads_as_a_failure() {
    let mut stage =
        Script::new("# Refuses.\ntool_no() { echo 'No such film.'; return 1; }").serve().await;

    assert_eq!(stage.call("no", json!({})).await, refused("No such film."));
}

#[tokio::test]
async fn exit_ends_the_call_and_not_the_server() {
    let mut stage = Script::new("# Leaves.\ntool_no() { echo bye; exit 7; }").serve().await;

    assert_eq!(stage.call("no", json!({})).await, refused("bye"));
    assert_eq!(stage.call("no", json!({})).await, refused("bye"));
}

#[tokio::test]
async fn return_75_says_that_the_same_call_may_work_later() {
    let mut stage = Script::new("# Is busy.\ntool_no() { echo Busy.; return 75; }").serve().await;
    let later = json!({ "kind": "tool", "retry": "later", "fingerprint": "…" });

    assert_eq!(stage.call("no", json!({})).await, failed("Busy.", later));
}

#[tokio::test]
async fn a_failure_that_only_stderr_speaks_of_is_told_from_there() {
    let text = "# Fails.\ntool_no() { echo 'the printer is out of paper' >&2; return 3; }\n\
                # Fails.\ntool_mute() { return 9; }";
    let mut stage = Script::new(text).serve().await;

    assert_eq!(stage.call("no", json!({})).await, refused("the printer is out of paper"));
    assert_eq!(
        stage.call("mute", json!({})).await,
        refused("Tool 'mute' failed with exit status 9")
    );
    stage.log.assert_says("no on stderr: the printer is out of paper");
}

#[tokio::test]
async fn stderr_of_a_tool_that_says_something_stays_in_the_log() {
    let mut stage = Script::new("# Talks.\ntool_say() { echo secret >&2; echo hi; }").serve().await;

    assert_eq!(stage.call("say", json!({})).await, done("hi"));
    stage.log.assert_says("say on stderr: secret");
}

#[tokio::test]
async fn a_tool_that_breaks_keeps_its_words_and_gets_a_sentence_of_ours() {
    let text = "# Breaks.\ntool_crash() { echo half; kill -KILL $BASHPID; }";
    let mut stage = Script::new(text).serve().await;

    assert_eq!(
        stage.call("crash", json!({})).await,
        failed(&format!("half\n\n{CRASHED}"), crash())
    );
    stage.log.assert_says("the tool crashed: ended by signal 9");
}

#[tokio::test]
async fn a_command_that_is_not_there_is_a_crash_and_its_name_stays_in_the_log() {
    let mut stage = Script::new("# Breaks.\ntool_crash() { no_such_program; }").serve().await;

    assert_eq!(stage.call("crash", json!({})).await, failed(CRASHED, crash()));
    stage.log.assert_says("no_such_program: command not found");
}

#[tokio::test]
async fn a_tool_that_stops_its_own_server_process_has_crashed_and_the_next_call_is_served() {
    let text =
        "# Breaks.\ntool_crash() { kill -KILL $$; sleep 5; }\n# Works.\ntool_ok() { echo ok; }";
    let mut stage = Script::new(text).serve().await;

    assert_eq!(stage.call("crash", json!({})).await, failed(CRASHED, crash()));
    assert_eq!(stage.call("ok", json!({})).await, done("ok"));
    stage.log.assert_says("it stopped its own server process");
}

#[tokio::test]
async fn a_file_whose_shell_dies_again_and_again_is_the_operators_to_repair() {
    let text = "# Breaks.\ntool_crash() { echo run >>\"$PWD/runs\"; kill -KILL $$; sleep 5; }";
    let mut stage = Script::new(text).serve().await;
    let mut refusal = None;
    for _ in 0..20 {
        let answer = stage.call("crash", json!({})).await;
        if answer.get("error").is_some() {
            refusal = Some(answer);
            break;
        }
    }
    let runs = stage.read("runs");

    assert_eq!(refusal, Some(error(-32603, "Internal error (incident …)")));
    assert_eq!(stage.call("crash", json!({})).await["error"]["code"], -32603);
    assert_eq!(stage.read("runs"), runs, "a call that is refused does not run");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_a_broken_answer() {
    let text =
        "# Bytes.\ntool_nul() { printf 'a\\0b'; }\n# Bytes.\ntool_latin() { printf 'caf\\xe9'; }";
    let mut stage = Script::new(text).serve().await;

    assert_eq!(
        stage.call("nul", json!({})).await,
        failed(
            "nul finished, but its answer is not what it promises (incident …). Changing the \
             arguments will not help. It may have taken effect: check before calling it again.",
            json!({
                "kind": "output", "retry": "unknown_effect", "fingerprint": "…", "incident": "…",
            }),
        )
    );
    assert_eq!(stage.call("latin", json!({})).await, done("caf\u{fffd}"));
}

#[tokio::test]
async fn terminal_colours_do_not_reach_the_model() {
    let text = "# Colours.\ntool_say() { printf '\\033[1;31mred\\033[0m\\n'; }";
    let mut stage = Script::new(text).serve().await;

    assert_eq!(stage.call("say", json!({})).await, done("red"));
}

#[tokio::test]
async fn an_argument_that_no_shell_can_hold_is_the_models_to_change() {
    let text = "# Runs.\ntool_run() { echo ran >\"$PWD/ran\"; }";
    let mut stage = Script::new(text).serve().await;

    assert_eq!(
        stage.call("run", json!({ "a": { "b": "x\u{0}" } })).await,
        failed(
            "run did not run: 1 argument needs changing.\na.b: must not hold the character \
             U+0000, which a shell cannot be given. Send the text without it.\nCorrect it and \
             call again.",
            json!({ "kind": "arguments", "retry": "with_changes", "fingerprint": "…" }),
        )
    );
    assert_eq!(stage.read("ran"), "");
}

#[tokio::test]
async fn a_key_that_stands_twice_in_the_arguments_runs_nothing() {
    let script = Script::new("# Runs.\ntool_run() { echo ran >\"$PWD/ran\"; }");
    let mut stage = script.serve().await;
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let request = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"run","arguments":{{"a":{{"k":1,"k":2}}}},{meta}}}}}"#
    );
    stage.wire.send(&request).await.unwrap();

    assert_eq!(
        stage.receive().await,
        failed(
            "run did not run: 1 argument needs changing.\nk: stands twice in one object. Send it \
             once.\nCorrect it and call again.",
            json!({ "kind": "arguments", "retry": "with_changes", "fingerprint": "…" }),
        )
    );
    assert_eq!(stage.read("ran"), "");
}

#[tokio::test]
async fn what_is_no_tool_of_the_file_is_unknown() {
    let script = Script::new("# A.\ntool_a-b.c() { echo ok; }\nhelper() { echo helped; }");
    let mut stage = script.serve().await;

    assert_eq!(stage.call("a-b.c", json!({})).await, done("ok"));
    for name in ["helper", "", "a", "A-B.C", "a-b.c\n", "a b", "../a", "ls", "a/b"] {
        let unknown = error(-32602, &format!("Unknown tool: {}", name.replace('\n', " ")));
        assert_eq!(stage.call(name, json!({})).await, unknown);
    }
}

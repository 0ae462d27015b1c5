//! Time, output, and how many at once.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{Script, Stage, done, failed, until};

async fn served(text: &str, change: impl FnOnce(&mut Script)) -> Stage {
    let mut script = Script::new(text);
    change(&mut script);
    script.serve().await
}

#[tokio::test]
async fn a_call_that_overstays_is_stopped_with_all_it_started_and_keeps_its_words() {
    let text =
        "# Hangs.\ntool_hang() { echo half; echo $$ >pid; sleep 300 & echo $! >child; wait; }";
    let mut stage = served(text, |it| it.options.timeout = Duration::from_millis(200)).await;

    assert_eq!(
        stage.call("hang", json!({})).await,
        failed(
            "half\n\nhang did not finish within 200 ms and was stopped. It may have taken effect: \
             check before calling it again.",
            json!({ "kind": "timeout", "retry": "unknown_effect", "fingerprint": "…" }),
        )
    );
    let child = stage.read("child");
    until(|| !is_alive(&child), "the end of what it started").await;
}

#[tokio::test]
async fn a_tool_that_changes_nothing_may_be_called_once_more_after_it_was_stopped() {
    let list = r#"{"tools":[{"name":"hang","description":"Hangs.","inputSchema":{"type":"object"},
                   "annotations":{"readOnlyHint":true}}]}"#;
    let text = "MCP_TOOLS_LIST_FILE=$PWD/list.json\ntool_hang() { sleep 300; }";
    let mut script = Script::new(text).with("list.json", list);
    script.options.timeout = Duration::from_millis(200);
    let mut stage = script.serve().await;

    assert_eq!(
        stage.call("hang", json!({})).await,
        failed(
            "hang did not finish within 200 ms and was stopped. It changes nothing, so one more \
             call is reasonable.",
            json!({ "kind": "timeout", "retry": "later", "fingerprint": "…" }),
        )
    );
}

#[tokio::test]
async fn output_over_the_limit_is_cut_and_marked_and_is_no_failure() {
    let text = "# Floods.\ntool_flood() { printf '%0100d' 0; echo done >done; }";
    let mut stage = served(text, |it| it.options.max_output = 10).await;

    assert_eq!(
        stage.call("flood", json!({})).await,
        done("0000000000\n[cut here: 90 more bytes were written, and the limit is 10]")
    );
    stage.mark("done").await;
}

#[tokio::test]
async fn output_over_the_limit_breaks_the_promise_of_a_schema() {
    let list = r#"{"tools":[{"name":"flood","inputSchema":{"type":"object"},
                   "outputSchema":{"type":"object"}}]}"#;
    let text =
        "MCP_TOOLS_LIST_FILE=$PWD/list.json\ntool_flood() { printf '{\"a\":\"%0100d\"}' 0; }";
    let mut script = Script::new(text).with("list.json", list);
    script.options.max_output = 10;
    let mut stage = script.serve().await;
    let answer = stage.call("flood", json!({})).await;

    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(
        answer["result"]["_meta"]["dev.candor/failure"],
        json!({ "kind": "limit", "retry": "unknown_effect", "fingerprint": "…" })
    );
    assert!(answer["result"].get("structuredContent").is_none());
}

#[tokio::test]
async fn a_promise_of_structure_is_kept_by_printing_json() {
    let list = r#"{"tools":[{"name":"add","inputSchema":{"type":"object"},
                   "outputSchema":{"type":"object"}}]}"#;
    let text = "MCP_TOOLS_LIST_FILE=$PWD/list.json\ntool_add() { echo '{\"sum\": 3.0}'; }";
    let mut stage = Script::new(text).with("list.json", list).serve().await;
    let result = stage.call("add", json!({})).await["result"].clone();

    assert_eq!(result["structuredContent"].to_string(), r#"{"sum":3.0}"#);
    assert_eq!(result["content"], json!([{ "type": "text", "text": "{\"sum\": 3.0}" }]));
}

#[tokio::test]
async fn calls_overlap_and_a_slow_one_keeps_nobody_waiting() {
    let text = "# Waits.\ntool_slow() { until [ -e go ]; do sleep 0.02; done; echo slow; }\n\
                # Answers.\ntool_quick() { echo quick; }";
    let mut stage = served(text, |_| ()).await;
    stage.send(7, "tools/call", json!({ "name": "slow" })).await;
    assert_eq!(stage.call("quick", json!({})).await, done("quick"));
    std::fs::write(stage.path("go"), "").unwrap();

    assert_eq!(stage.receive().await["id"], 7);
}

#[tokio::test]
async fn in_order_each_call_is_answered_before_the_next_is_begun() {
    let text = "# Waits.\ntool_slow() { sleep 0.2; echo slow >>order; }\n\
                # Answers.\ntool_quick() { echo quick >>order; }";
    let mut stage = served(text, |it| it.policy.in_order = true).await;
    stage.send(7, "tools/call", json!({ "name": "slow" })).await;
    stage.send(8, "tools/call", json!({ "name": "quick" })).await;

    assert_eq!(stage.receive().await["id"], 7);
    assert_eq!(stage.receive().await["id"], 8);
    assert_eq!(stage.read("order"), "slow\nquick\n");
}

#[tokio::test]
async fn the_seventeenth_call_waits_for_a_place_and_runs_then() {
    let text = "# Waits.\ntool_slow() { echo x >>begun; until [ -e go ]; do sleep 0.02; done; }";
    let mut stage = served(text, |_| ()).await;
    for id in 1..=20 {
        stage.send(id, "tools/call", json!({ "name": "slow" })).await;
    }
    until(|| stage.read("begun").len() == 32, "sixteen calls").await;
    // A request that needs no place is answered meanwhile: the server has read all twenty.
    let listed = stage.ask("tools/list", json!({})).await;
    assert_eq!(
        listed["error"],
        json!({
            "code": -32600,
            "message": "Invalid request: this id is in use by a request that is not answered yet",
        })
    );
    assert_eq!(stage.read("begun").len(), 32);
    std::fs::write(stage.path("go"), "").unwrap();
    let mut ids = Vec::new();
    for _ in 1..=20 {
        ids.push(stage.receive().await["id"].as_u64().unwrap());
    }
    ids.sort_unstable();

    assert_eq!(ids, (1..=20).collect::<Vec<_>>());
    assert_eq!(stage.read("begun").len(), 40);
}

#[tokio::test]
async fn the_answer_comes_when_the_function_ends_not_when_its_children_do() {
    let text = "# Leaves one behind.\ntool_leave() { sleep 300 & echo $! >child; echo now; }";
    let mut stage = served(text, |_| ()).await;

    assert_eq!(stage.call("leave", json!({})).await, done("now"));
    let child = stage.read("child");
    until(|| !is_alive(&child), "the end of the child").await;
}

#[tokio::test]
async fn a_cancelled_call_is_stopped_and_never_answered() {
    let text = "# Hangs.\ntool_hang() { echo $BASHPID >pid; sleep 300; }\n# Works.\ntool_ok() { echo ok; }";
    let mut stage = served(text, |_| ()).await;
    stage.send(7, "tools/call", json!({ "name": "hang" })).await;
    until(|| stage.read("pid").ends_with('\n'), "the start of the call").await;
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
    stage.wire.send(cancel).await.unwrap();
    let pid = stage.read("pid");
    until(|| !is_alive(&pid), "the end of the call").await;

    assert_eq!(stage.call("ok", json!({})).await, done("ok"), "nothing comes before it");
}

#[tokio::test]
async fn a_tool_that_reads_its_input_finds_none_and_takes_nothing_from_the_wire() {
    let text = "# Reads.\ntool_read() { cat; read -r line; echo \"got:$line\"; }";
    let mut stage = served(text, |_| ()).await;
    stage.send(7, "tools/call", json!({ "name": "read" })).await;
    stage.send(8, "tools/call", json!({ "name": "read" })).await;
    let mut ids = [stage.receive().await["id"].clone(), stage.receive().await["id"].clone()];
    ids.sort_by_key(Value::as_u64);

    assert_eq!(ids, [json!(7), json!(8)]);
}

#[tokio::test]
async fn four_megabytes_go_in_and_come_out() {
    let mut stage = served("# Says it.\ntool_say() { printf '%s' \"$1\"; }", |it| {
        it.options.max_output = 8 * 1024 * 1024;
    })
    .await;
    let sent = json!({ "d": "x".repeat(4 * 1024 * 1024) });
    let text_sent = sent.to_string();
    let (text, is_error) = stage.says("say", sent).await;

    assert!(!is_error);
    assert!(text == text_sent, "what came back is not what was sent");
}

fn is_alive(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    // What has ended and is not yet waited for is a Z.
    state.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

#[tokio::test]
async fn a_tool_that_limits_itself_is_held_to_it_whatever_the_server_allows() {
    let text = "
        # Hangs.
        # @limit time=200ms output=4
        tool_hang() { echo halfway; sleep 300; }
        # Does not.
        tool_rest() { sleep 0.5; echo rested well; }
        # Fills memory.
        # @limit memory=16M
        tool_fill() { local x=x; for ((n = 0; n < 26; n++)); do x+=$x; done; echo ${#x}; }";
    let mut stage = served(text, |_| ()).await;

    let (said, _) = stage.says("hang", json!({})).await;
    assert_eq!(
        said,
        "half\n[cut here: 4 more bytes were written, and the limit is 4]\n\n\
         hang did not finish within 200 ms and was stopped. It may have taken effect: check before \
         calling it again."
    );
    assert_eq!(stage.call("rest", json!({})).await, done("rested well"));
    let (said, is_error) = stage.says("fill", json!({})).await;
    assert!(is_error && said.contains("cannot allocate"), "{said}");
}

#[tokio::test]
async fn calls_of_a_tool_that_runs_once_at_a_time_wait_for_their_turn() {
    let text = "
        # Alone.
        # @limit at-once=1
        tool_alone() { mkdir alone || return 3; sleep 0.05; rmdir alone; echo alone; }
        # Beside it.
        tool_other() { echo other; }";
    let mut stage = served(text, |_| ()).await;
    for id in 1..=5 {
        stage.send(id, "tools/call", json!({ "name": "alone" })).await;
    }
    stage.send(6, "tools/call", json!({ "name": "other" })).await;
    let mut answers = Vec::new();
    for _ in 1..=6 {
        answers.push(stage.receive().await);
    }
    assert_eq!(answers[0]["id"], 6, "the other tool waits for nobody");
    for answer in &answers[1..] {
        assert_eq!(answer["result"]["content"][0]["text"], "alone", "{answer}");
    }
}

#[tokio::test]
async fn more_calls_than_may_wait_are_told_the_limit() {
    let text = "
        # Alone.
        # @limit at-once=1
        tool_alone() { until [[ -e go ]]; do sleep 0.01; done; echo alone; }";
    let mut stage = served(text, |_| ()).await;
    for id in 2..=6 {
        stage.send(id, "tools/call", json!({ "name": "alone" })).await;
    }
    assert_eq!(
        stage.call("alone", json!({})).await,
        failed(
            "alone is limited to 1 call at once. Nothing ran. Call it again when one of them has \
             ended.",
            json!({ "kind": "limit", "retry": "later", "fingerprint": "…" }),
        )
    );
    std::fs::write(stage.path("go"), "").unwrap();
    for _ in 2..=6 {
        assert_eq!(stage.receive().await["result"]["isError"], false);
    }
}

#[tokio::test]
async fn calls_that_come_too_often_are_told_when_the_next_is_possible() {
    let text = "
        # Rarely.
        # @limit rate=2/h
        tool_rarely() { echo ran >>runs; echo once; }";
    let mut stage = served(text, |_| ()).await;
    for _ in 0..2 {
        assert_eq!(stage.call("rarely", json!({})).await, done("once"));
    }
    let answer = stage.call("rarely", json!({})).await;
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    let wait = text
        .strip_prefix(
            "rarely is limited to 2 calls an hour. Nothing ran. The next call is possible in ",
        )
        .unwrap_or_else(|| panic!("{text}"));
    let failure = &answer["result"]["_meta"]["dev.candor/failure"];
    assert_eq!(
        (failure["kind"].as_str(), failure["retry"].as_str()),
        (Some("limit"), Some("later"))
    );
    assert!(failure["retryAfterMs"].as_u64().unwrap() > 3_590_000, "{failure}");
    assert!(wait.ends_with("s.") || wait.ends_with("h."), "{wait}");
    assert_eq!(stage.read("runs"), "ran\nran\n");
}

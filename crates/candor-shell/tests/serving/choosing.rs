//! Which functions are tools, and for whom.

use serde_json::json;

use crate::{Script, done, error};

const TWO: &str = "# One.\ntool_one() { echo one; }\n# Two.\ntool_two() { echo two; }";

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[tokio::test]
async fn a_function_is_described_by_its_comment_and_takes_any_object() {
    let text = "# Book seats.\n# Takes many.\ntool_book() { :; }\n\n# Apart.\n\ntool_bare() { :; }";
    let mut stage = Script::new(text).serve().await;

    assert_eq!(
        stage.ask("tools/list", json!({})).await,
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "result": {
                "resultType": "complete",
                "tools": [{
                    "name": "book",
                    "description": "Book seats.\nTakes many.",
                    "inputSchema": { "type": "object" },
                }],
                "ttlMs": 60000,
                "cacheScope": "public",
                "_meta": {
                    "io.modelcontextprotocol/serverInfo": { "name": "tools", "version": "0.0.0" },
                },
            },
        })
    );
    stage.log.assert_says(
        "tool_bare (line 7) is not listed; write above it, in a comment, what it does",
    );
    assert_eq!(stage.call("bare", json!({})).await, error(-32602, "Unknown tool: bare"));
}

#[tokio::test]
async fn what_only_leaves_out_does_not_exist() {
    let mut script = Script::new(TWO);
    script.exposure.only = Some(named(&["two"]));
    let mut stage = script.serve().await;

    assert_eq!(stage.listed().await, ["two"]);
    assert_eq!(stage.call("one", json!({})).await, error(-32602, "Unknown tool: one"));
    assert_eq!(stage.call("two", json!({})).await, done("two"));
}

#[tokio::test]
async fn what_except_names_does_not_exist() {
    let mut script = Script::new(TWO);
    script.exposure.except = named(&["two"]);
    let mut stage = script.serve().await;

    assert_eq!(stage.listed().await, ["one"]);
    assert_eq!(stage.call("two", json!({})).await, error(-32602, "Unknown tool: two"));
}

#[tokio::test]
async fn a_choice_that_names_no_tool_is_a_mistake() {
    let mut script = Script::new(TWO);
    script.exposure.except = named(&["twoo"]);
    assert_eq!(script.refusal().await, "--except names twoo, and there is no such tool");

    let mut script = Script::new(TWO);
    script.exposure.only = Some(named(&["three"]));
    assert_eq!(script.refusal().await, "--only names three, and there is no such tool");
}

#[tokio::test]
async fn unlisted_functions_can_be_called_if_that_is_wanted() {
    let mut script = Script::new("# One.\ntool_one() { :; }\n\ntool_bare() { echo bare; }");
    script.exposure.callable_unlisted = true;
    let mut stage = script.serve().await;

    assert_eq!(stage.listed().await, ["one"]);
    assert_eq!(stage.call("bare", json!({})).await, done("bare"));
}

#[tokio::test]
async fn two_files_are_one_server_and_their_variables_do_not_meet() {
    let a = "x=a\n# From a.\ntool_a() { echo \"$x\"; }";
    let b = "x=b\n# From b.\ntool_b() { echo \"$x\"; }";
    let mut stage = Script::new(a).serving("more.sh", b).serve().await;

    assert_eq!(stage.listed().await, ["a", "b"]);
    let says = stage.says("b", json!({})).await;
    assert_eq!(says, ("b".to_owned(), false));
    let about = stage.ask("server/discover", json!({})).await;
    let info = &about["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(*info, json!({ "name": "candor", "version": "0.0.0" }));
}

#[tokio::test]
async fn the_same_tool_in_two_files_names_both() {
    let script = Script::new(TWO).serving("more.sh", "# Again.\ntool_two() { :; }");

    assert_eq!(script.refusal().await, "tools.sh and more.sh both define a tool named two");
}

#[tokio::test]
async fn a_file_without_tools_says_what_is_missing() {
    assert_eq!(
        Script::new("echo hi").refusal().await,
        "tools.sh defines no function named tool_NAME"
    );
    assert_eq!(
        Script::new("tool_a() { :; }").refusal().await,
        "tools.sh has no tool that says what it does; write a comment above each function tool_NAME"
    );
}

#[tokio::test]
async fn a_function_that_stands_in_no_file_line_of_its_own_has_no_comment_and_is_not_listed() {
    let text = "# One.\ntool_one() { echo one; }\neval 'tool_dynamic() { echo dynamic; }'";
    let mut stage = Script::new(text).serve().await;
    let unknown = error(-32602, "Unknown tool: dynamic");

    assert_eq!(stage.call("dynamic", json!({})).await, unknown);
    assert_eq!(stage.listed().await, ["one"]);
}

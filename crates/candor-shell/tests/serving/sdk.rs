//! Files written for the bash SDK, served unchanged, whether its core is there or not.

use serde_json::{Value, json};

use crate::{Script, done, error, until, write};

const FILE: &str = r#"#!/bin/bash
MCP_CONFIG_FILE="$(dirname "${BASH_SOURCE[0]}")/assets/config.json"
MCP_TOOLS_LIST_FILE="$(dirname "${BASH_SOURCE[0]}")/assets/tools.json"
MCP_LOG_FILE="$(dirname "${BASH_SOURCE[0]}")/logs/server.log"
source "$(dirname "${BASH_SOURCE[0]}")/mcpserver_core.sh"
tool_add() { log INFO adding; echo "sum of $1"; return 0; }
tool_hidden() { echo hidden; }
case "${1:-}" in
--http) shift; run_mcp_http_server "$@" ;;
*) run_mcp_server "$@" ;;
esac
echo "after the server" >after
"#;

const CONFIG: &str = r#"{
  "supportedVersions": ["2026-07-28"],
  "serverInfo": { "name": "Shop", "version": "0.3.0", "title": "The shop" },
  "capabilities": { "tools": { "listChanged": false } },
  "ttlMs": 3600000, "cacheScope": "private",
  "instructions": "Add things."
}"#;

const TOOLS: &str = r#"{ "tools": [
  { "name": "add", "x-kept": 1.0, "description": "Adds.",
    "inputSchema": { "type": "object", "properties": {}, "required": [] } }
], "ttlMs": 5 }"#;

/// Not the SDK's own: what a file sees of a core, and a marker that it was read.
const CORE: &str = r#"
SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
MCP_PROTOCOL_VERSION=2026-07-28
MCP_CONFIG_FILE="${MCP_CONFIG_FILE:-"$SCRIPT_DIR/assets/mcpserverconfig.json"}"
MCP_TOOLS_LIST_FILE="${MCP_TOOLS_LIST_FILE:-"$SCRIPT_DIR/assets/tools_list.json"}"
MCP_LOG_FILE="${MCP_LOG_FILE:-"$SCRIPT_DIR/mcpserver.log"}"
MCP_DEFAULT_TTL_MS="${MCP_DEFAULT_TTL_MS:-60000}"
MCP_DEFAULT_CACHE_SCOPE="${MCP_DEFAULT_CACHE_SCOPE:-public}"
log() { echo "real core: $2" >>"$SCRIPT_DIR/real"; }
run_mcp_server() { echo "the real loop runs" >>"$SCRIPT_DIR/real"; while read -r line; do :; done; }
run_mcp_http_server() { run_mcp_server; }
"#;

fn sdk() -> Script {
    Script::new(FILE).with("assets/config.json", CONFIG).with("assets/tools.json", TOOLS)
}

fn shop() -> Value {
    json!({ "name": "Shop", "version": "0.3.0", "title": "The shop" })
}

/// The answer, with the config's name for the server.
fn from_shop(mut answer: Value) -> Value {
    answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"] = shop();
    answer
}

#[tokio::test]
async fn a_file_is_served_unchanged_without_its_core() {
    let mut stage = sdk().serve().await;

    assert_eq!(
        stage.ask("server/discover", json!({})).await,
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "result": {
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": { "tools": {} },
                "ttlMs": 3_600_000,
                "cacheScope": "private",
                "instructions": "Add things.",
                "_meta": { "io.modelcontextprotocol/serverInfo": shop() },
            },
        })
    );
    assert_eq!(
        stage.ask("tools/list", json!({})).await,
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "result": {
                "resultType": "complete",
                "tools": [{
                    "name": "add",
                    "x-kept": 1.0,
                    "description": "Adds.",
                    "inputSchema": { "type": "object", "properties": {}, "required": [] },
                }],
                "ttlMs": 5,
                "cacheScope": "public",
                "_meta": { "io.modelcontextprotocol/serverInfo": shop() },
            },
        })
    );
    let answer = stage.call("add", json!({ "a": 1 })).await;
    assert_eq!(answer, from_shop(done("sum of {\"a\":1}")));
    assert!(stage.read("logs/server.log").contains("[INFO] adding"));
}

#[tokio::test]
async fn a_file_is_served_unchanged_with_its_core_and_the_cores_own_loop_never_runs() {
    let mut stage = sdk().with("mcpserver_core.sh", CORE).serve().await;

    assert_eq!(stage.call("add", json!({})).await, from_shop(done("sum of {}")));
    assert_eq!(stage.read("real"), "real core: adding\n");
}

#[tokio::test]
async fn a_function_that_the_list_leaves_out_cannot_be_called() {
    let mut stage = sdk().serve().await;
    let unknown = error(-32602, "Unknown tool: hidden");
    assert_eq!(stage.call("hidden", json!({})).await, unknown);

    let mut script = sdk();
    script.exposure.callable_unlisted = true;
    let mut stage = script.serve().await;
    assert_eq!(stage.call("hidden", json!({})).await, from_shop(done("hidden")));
    assert_eq!(stage.listed().await, ["add"]);
}

#[tokio::test]
async fn a_config_without_a_name_is_the_sdks_own() {
    let mut stage = sdk().with("assets/config.json", "{}").serve().await;
    let answer = stage.ask("server/discover", json!({})).await;

    assert_eq!(
        answer["result"],
        json!({
            "resultType": "complete",
            "supportedVersions": ["2026-07-28"],
            "capabilities": { "tools": {} },
            "ttlMs": 60000,
            "cacheScope": "public",
            "_meta": {
                "io.modelcontextprotocol/serverInfo": {
                    "name": "BashMCPServer", "version": "0.0.0",
                },
            },
        })
    );
}

#[tokio::test]
async fn a_file_that_names_no_json_is_described_by_the_files_beside_its_core() {
    let text = "source \"${BASH_SOURCE[0]%/*}/lib/mcpserver_core.sh\"\n\
                MCP_DEFAULT_TTL_MS=7\ntool_add() { :; }\nrun_mcp_server";
    let script = Script::new(text)
        .with("lib/assets/mcpserverconfig.json", r#"{"serverInfo":{"name":"Lib"}}"#)
        .with("lib/assets/tools_list.json", r#"{"tools":[{"name":"add"}]}"#);
    let mut stage = script.serve().await;
    let answer = stage.ask("tools/list", json!({})).await;

    assert_eq!(
        answer["result"]["tools"],
        json!([{ "name": "add", "inputSchema": { "type": "object" } }])
    );
    assert_eq!(answer["result"]["ttlMs"], 7);
    let info = &answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(*info, json!({ "name": "Lib", "version": "0.0.0" }));
}

#[tokio::test]
async fn what_is_written_and_cannot_be_used_is_said_in_a_sentence() {
    let why = sdk().with("assets/tools.json", "{").refusal().await;
    assert_eq!(
        why,
        "assets/tools.json is not what it should be: EOF while parsing an object at line 1 column 1"
    );
    let why = Script::new(FILE).with("assets/config.json", CONFIG).refusal().await;
    assert_eq!(why, "assets/tools.json cannot be read: No such file or directory (os error 2)");

    let why = sdk().with("assets/tools.json", r#"{"tools":[{"name":"gone"}]}"#).refusal().await;
    assert_eq!(
        why,
        "assets/tools.json lists the tool gone, and tools.sh defines no function tool_gone"
    );
    let why = sdk().with("assets/config.json", r#"{"supportedVersions":["1999-01-01"]}"#);
    assert_eq!(
        why.refusal().await,
        "assets/config.json supports only 1999-01-01, and candor speaks 2026-07-28"
    );
    let why = sdk().with("assets/tools.json", r#"{"tools":[{"name":"add","inputSchema":[]}]}"#);
    assert_eq!(
        why.refusal().await,
        "assets/tools.json: tool \"add\": `inputSchema` must be an object"
    );
}

#[tokio::test]
async fn a_list_that_is_edited_counts_at_once() {
    let mut stage = sdk().serve().await;
    assert_eq!(stage.listed().await, ["add"]);
    let list = r#"{"tools":[{"name":"hidden"},{"name":"add"},{"name":"gone"}]}"#;
    write(&stage.path("assets/tools.json"), list);
    for _ in 0..100 {
        if stage.listed().await.len() == 2 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }

    assert_eq!(stage.listed().await, ["hidden", "add"]);
    assert_eq!(stage.call("hidden", json!({})).await, from_shop(done("hidden")));
    stage.log.assert_says("lists the tool gone, and");
}

#[tokio::test]
async fn a_list_that_is_broken_by_an_edit_leaves_the_last_good_one_and_is_said_once() {
    let mut stage = sdk().serve().await;
    write(&stage.path("assets/tools.json"), "{ broken");
    let log = stage.log.clone();
    let said = || {
        let lines = log.lines();
        lines.iter().filter(|line| line.contains("what was served before stays")).count()
    };
    for _ in 0..100 {
        assert_eq!(stage.listed().await, ["add"]);
        if said() > 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(250)).await;
    assert_eq!(stage.listed().await, ["add"]);

    assert_eq!(said(), 1);
}

#[tokio::test]
async fn what_stands_behind_the_call_to_the_server_runs_when_it_ends() {
    let stage = sdk().serve().await;
    stage.tools.end().await;

    until(|| stage.path("after").exists(), "the rest of the file").await;
}

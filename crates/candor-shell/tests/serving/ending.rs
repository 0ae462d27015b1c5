//! The end: of the input, and of the server.

use serde_json::json;

use crate::{Script, done, until};

#[tokio::test]
async fn calls_that_are_in_flight_when_the_input_ends_are_answered() {
    let text = "# Takes a while.\ntool_slow() { sleep 0.3; echo slow; }";
    let mut stage = Script::new(text).serve().await;
    stage.send(1, "tools/call", json!({ "name": "slow" })).await;
    stage.wire.end_input().await.unwrap();

    assert_eq!(stage.receive().await, done("slow"));
    assert_eq!(stage.wire.receive().await.unwrap(), None);
}

#[tokio::test]
async fn a_server_that_ends_leaves_nothing_behind() {
    let text = "sleep 300 & echo $! >top\n\
                # Hangs.\ntool_hang() { sleep 300 & echo $! >child; echo $BASHPID >pid; wait; }";
    let mut stage = Script::new(text).serve().await;
    stage.send(1, "tools/call", json!({ "name": "hang" })).await;
    until(|| stage.read("pid").ends_with('\n'), "the start of the call").await;
    let started = [stage.read("child"), stage.read("pid")];
    stage.tools.end().await;

    for pid in started {
        let gone = || !std::path::Path::new(&format!("/proc/{}", pid.trim())).exists();
        until(gone, "the end of a process").await;
    }
}

#[tokio::test]
async fn requests_that_wait_for_a_file_that_cannot_be_served_are_answered() {
    let log = crate::Log::default();
    let script =
        Script::new("MCP_LOG_FILE=x # may be configured: nothing is known of it early\nexit 3");
    let (_folder, tools, policy) = script.open(&log);
    let server = candor::Server::from_source(tools as _, policy, log.journal());
    let mut wire = candor_transport::memory::connect(server.session(), candor::Limits::default());
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    for method in ["server/discover", "tools/list"] {
        let request =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{meta}}}}}"#);
        wire.send(&request).await.unwrap();
        let answer = wire.receive().await.unwrap().unwrap();

        assert_eq!(
            crate::fold(serde_json::from_str(&answer).unwrap()),
            crate::error(-32603, "Internal error (incident …)")
        );
    }
    log.assert_says("while it was loaded, before it got to run_mcp_server");
}

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

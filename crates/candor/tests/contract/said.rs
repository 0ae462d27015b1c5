//! What comes back from the stage, as whole messages.

use candor_testkit::message::refusal;
use candor_testkit::peer::Peer;
use candor_testkit::{ask, asks, fold_incidents};
use candor_transport::memory::{self, Wire};
use serde_json::Value;

use crate::stage::Stage;

/// A stage with everything as it is by default.
pub(crate) fn stage() -> Stage {
    Stage::new(candor::Policy::default())
}

/// The modern answer to a call of a tool that did what it was asked.
pub(crate) fn done(id: &str, text: &str) -> String {
    let text = Value::from(text);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":[{{"type":"text","text":{text}}}],"isError":false,"_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"stage","version":"1.0.0"}}}}}}}}"#
    )
}

/// The modern answer to a call of a tool that could not. `failure` is the JSON text of
/// `dev.candor/failure`.
pub(crate) fn failed(id: &str, text: &str, failure: &str) -> String {
    let text = Value::from(text);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":[{{"type":"text","text":{text}}}],"isError":true,"_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"stage","version":"1.0.0"}},"dev.candor/failure":{failure}}}}}}}"#
    )
}

/// Says a line to a new stage. Exactly this refusal comes back, and no tool has run.
pub(crate) fn assert_refused(line: &str, id: Option<&str>, code: i32, message: &str) {
    let stage = stage();
    assert_eq!(ask(stage.server.session(), line), refusal(id, code, message), "to {line}");
    assert_eq!(stage.effects.get(), 0, "something ran: {line}");
}

/// Says lines to a new stage. Nothing comes back, and no tool has run.
pub(crate) fn assert_silence(lines: &[&str]) {
    let stage = stage();
    assert_eq!(asks(stage.server.session(), lines), [""; 0]);
    assert_eq!(stage.effects.get(), 0, "something ran: {lines:?}");
}

/// Opens a connection in memory.
pub(crate) fn connect(stage: &Stage) -> Wire {
    memory::connect(stage.server.session(), candor::Limits::default())
}

/// Says one line.
pub(crate) async fn send(peer: &mut impl Peer, line: &str) {
    peer.send_bytes(format!("{line}\n").as_bytes()).await.unwrap();
}

/// The next line that comes back, incident references folded.
pub(crate) async fn next(peer: &mut impl Peer) -> String {
    fold_incidents(&peer.receive().await.unwrap().expect("an answer, not the end"))
}

/// Says that nothing follows, and gives what still comes back.
pub(crate) async fn rest(peer: &mut impl Peer) -> Vec<String> {
    peer.end_input().await.unwrap();
    let mut rest = Vec::new();
    while let Some(line) = peer.receive().await.unwrap() {
        rest.push(fold_incidents(&line));
    }
    rest
}

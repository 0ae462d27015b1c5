//! What an author writes with the library, and what then stands on the wire.

#![cfg(test)]

mod hanging;
mod limits;
mod macros;

use candor::tool::Workers;
use candor::{Builder, Journal, Limits, Server};
use candor_transport::memory::{self, Wire};
use serde_json::{Value, json};

/// A conversation with a server of these tools.
pub(crate) struct Host {
    wire: Wire,
    next: u32,
}

impl Host {
    pub(crate) fn of(fill: impl FnOnce(Builder) -> Builder) -> Self {
        Self::on(Workers::Own, fill)
    }

    pub(crate) fn on(workers: Workers, fill: impl FnOnce(Builder) -> Builder) -> Self {
        let builder = Server::builder("library", "1.0.0").journal(Journal::new(|_| ()));
        let session = fill(builder).build().unwrap().session().with_workers(workers);
        Self { wire: memory::connect(session, Limits::default()), next: 1 }
    }

    pub(crate) async fn ask(&mut self, method: &str, mut params: Value) -> Value {
        self.send(method, &mut params).await;
        self.heard().await
    }

    pub(crate) async fn send(&mut self, method: &str, params: &mut Value) {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
            "io.modelcontextprotocol/clientInfo": { "name": "desk", "version": "7" },
            "traceparent": "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
        });
        params.as_object_mut().unwrap().insert("_meta".to_owned(), meta);
        let id = self.next;
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.wire.send(&request.to_string()).await.unwrap();
    }

    pub(crate) async fn cancel(&mut self, id: u32) {
        let cancel = json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id }
        });
        self.wire.send(&cancel.to_string()).await.unwrap();
    }

    pub(crate) async fn heard(&mut self) -> Value {
        serde_json::from_str(&self.wire.receive().await.unwrap().unwrap()).unwrap()
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let mut answer = self.ask("tools/call", params).await;
        answer["result"].take()
    }

    /// The words of an answer, whichever way it went.
    pub(crate) async fn words(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn listed(&mut self) -> Value {
        let mut answer = self.ask("tools/list", json!({})).await;
        answer["result"]["tools"].take()
    }
}

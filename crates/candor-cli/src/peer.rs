//! A server, asked one thing at a time in the newest revision.

use candor_protocol::Version;
use candor_transport::memory::Wire;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The client's end of a connection.
pub(crate) struct Peer {
    wire: Wire,
    asked: u64,
    /// The call that is sent and not answered.
    in_flight: Option<u64>,
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum NoResult {
    /// The server sent an error, here in its own bytes.
    Error(Box<RawValue>),
    /// The request did not leave.
    NotSent,
    /// It left, and the server is gone.
    Lost,
}

#[derive(Serialize)]
struct Request<'a> {
    jsonrpc: &'a str,
    id: u64,
    method: &'a str,
    params: Params<'a>,
}

#[derive(Serialize)]
struct Params<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'a RawValue>,
    _meta: Meta,
}

/// What every request says of itself.
#[derive(Serialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: &'static str,
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    info: Info,
    /// Nobody can be asked for anything here.
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Nothing,
}

#[derive(Serialize)]
struct Info {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Nothing {}

/// A message of the server's; one that is no answer has neither a result nor an error.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

impl Peer {
    pub(crate) const fn new(wire: Wire) -> Self {
        Self { wire, asked: 0, in_flight: None }
    }

    /// Asks which tools there are.
    ///
    /// # Errors
    ///
    /// There is no result. One that was lost on its way is none that matters: nothing was done.
    pub(crate) async fn list_tools(&mut self) -> Result<Box<RawValue>, NoResult> {
        self.ask("tools/list", None, None).await.map_err(|why| match why {
            NoResult::Lost => NoResult::NotSent,
            NoResult::Error(_) | NoResult::NotSent => why,
        })
    }

    /// Calls a tool.
    ///
    /// # Errors
    ///
    /// There is no result.
    pub(crate) async fn call_tool(
        &mut self,
        name: &str,
        arguments: &RawValue,
    ) -> Result<Box<RawValue>, NoResult> {
        self.ask("tools/call", Some(name), Some(arguments)).await
    }

    async fn ask(
        &mut self,
        method: &str,
        name: Option<&str>,
        arguments: Option<&RawValue>,
    ) -> Result<Box<RawValue>, NoResult> {
        self.asked += 1;
        let id = self.asked;
        let version = Version::V2026_07_28.name();
        let info = Info { name: "candor", version: env!("CARGO_PKG_VERSION") };
        let params =
            Params { name, arguments, _meta: Meta { version, info, capabilities: Nothing {} } };
        let request = crate::json::write(&Request { jsonrpc: "2.0", id, method, params });
        self.wire.send(&request).await.map_err(|_| NoResult::NotSent)?;
        // A list can be given up without a word.
        self.in_flight = name.map(|_| id);
        let heard = self.answer(id).await;
        self.in_flight = None;
        heard
    }

    async fn answer(&mut self, id: u64) -> Result<Box<RawValue>, NoResult> {
        loop {
            let line = self.wire.receive().await.ok().flatten().ok_or(NoResult::Lost)?;
            let Ok(Message { id: heard, result, error }) = serde_json::from_str(&line) else {
                continue;
            };
            // An error without an id can only be about the one request that there is.
            let is_ours = heard.is_none_or(|heard| heard.get() == id.to_string());
            match (result, error) {
                (Some(result), _) if is_ours && heard.is_some() => {
                    return Ok(result.to_owned());
                }
                (_, Some(error)) if is_ours => return Err(NoResult::Error(error.to_owned())),
                _ => {}
            }
        }
    }

    /// Has a call begun that is not answered?
    pub(crate) const fn has_called(&self) -> bool {
        self.in_flight.is_some()
    }

    /// Cancels that call, and waits until the server has said its last.
    pub(crate) async fn cancel(&mut self) {
        let Some(id) = self.in_flight.take() else { return };
        let cancelled = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        );
        // If the server is gone, so is what it did.
        let _ = self.wire.send(&cancelled).await;
        let _ = self.wire.end_input().await;
        while let Ok(Some(_)) = self.wire.receive().await {}
    }
}

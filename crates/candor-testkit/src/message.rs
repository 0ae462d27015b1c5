//! Requests as a client would write them. Ids are JSON text, so that a test can say any.

/// What a modern request must say about itself.
pub const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// A modern request. `params` are members of the object, without braces; `_meta` is added.
///
/// ```
/// use candor_testkit::message::modern;
///
/// assert!(modern("7", "tools/list", "").starts_with(r#"{"jsonrpc":"2.0","id":7,"#));
/// ```
#[must_use]
pub fn modern(id: &str, method: &str, params: &str) -> String {
    let comma = if params.is_empty() { "" } else { "," };
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{comma}{META}}}}}"#
    )
}

/// A modern `tools/call`. `arguments` is the JSON text of the object.
#[must_use]
pub fn call(id: &str, tool: &str, arguments: &str) -> String {
    modern(id, "tools/call", &format!(r#""name":"{tool}","arguments":{arguments}"#))
}

/// A modern `tools/call` that wants to hear of its progress. The token is JSON text, as ids are.
#[must_use]
pub fn call_by(token: &str, id: &str, tool: &str, arguments: &str) -> String {
    let meta = format!(r#""_meta":{{"progressToken":{token},"#);
    call(id, tool, arguments).replacen(r#""_meta":{"#, &meta, 1)
}

/// A request that says nothing about itself, as legacy clients write them. `params` are members.
#[must_use]
pub fn bare(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#)
}

/// A legacy `tools/call`.
#[must_use]
pub fn bare_call(id: &str, tool: &str, arguments: &str) -> String {
    bare(id, "tools/call", &format!(r#""name":"{tool}","arguments":{arguments}"#))
}

/// The request that opens a legacy connection.
#[must_use]
pub fn initialize(id: &str, version: &str) -> String {
    bare(
        id,
        "initialize",
        &format!(
            r#""protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"test","version":"0"}}"#
        ),
    )
}

/// The notification that calls a request off.
#[must_use]
pub fn cancelled(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
    )
}

/// A refusal as a server writes it, without `data`. `None` for an id that could not be read.
#[must_use]
pub fn refusal(id: Option<&str>, code: i32, message: &str) -> String {
    let id = id.map(|id| format!("\"id\":{id},")).unwrap_or_default();
    let message = serde_json::Value::from(message);
    format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":{code},"message":{message}}}}}"#)
}

//! What the driver and the servers that it measures have in common.
#![forbid(unsafe_code)]

pub mod add;

/// The result that the floors give for every request, as `add` would for 1 and 2.
pub const PREPARED: &str = concat!(
    r#"{"resultType":"complete","content":[{"type":"text","text":"3"}],"#,
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"floor","version":"0.1.0"}}}"#,
);

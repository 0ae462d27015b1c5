//! Protocol errors are the server's to send, also where `#[tool]` writes the rest.

use candor::tool;
use candor_protocol::ProtocolError;

/// Says it again.
#[tool]
fn echo(text: String) -> Result<String, ProtocolError> {
    Ok(text)
}

fn main() {}

//! The codes are a closed set.

use candor::ToolError;
use candor_protocol::ProtocolError;

fn main() {
    let _ = ProtocolError::Other { code: -32_001, message: "mine".to_owned() };
    let _ = ToolError::tell("no such seat").with_code(-32_001);
}

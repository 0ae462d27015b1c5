//! Nothing turns one channel into the other.

use candor::ToolError;
use candor_protocol::ProtocolError;

fn main() {
    let _: ProtocolError = ToolError::tell("no such seat").into();
}

use candor::{ToolError, ToolOutcome};
use candor_protocol::ProtocolError;

fn main() {
    let _ = ToolOutcome::from(ProtocolError::IdInUse);
    let _ = ToolError::from(ProtocolError::IdInUse);
    let _ = ProtocolError::from(ToolError::tell("no such note"));
}

//! Nothing turns one channel into the other.

use candor::ToolOutcome;
use candor_protocol::ProtocolError;

fn main() {
    let _ = ToolOutcome::from(ProtocolError::IdInUse);
}

//! Protocol errors are the server's to send.

use candor::tool;
use candor_protocol::ProtocolError;

fn main() {
    let _ = tool::inline(|_| -> Result<&str, ProtocolError> { Err(ProtocolError::IdInUse) });
    let _ = tool::blocking(|_| -> Result<&str, ProtocolError> { Err(ProtocolError::IdInUse) });
    let _ = tool::asynchronous(|_| async { Err::<&str, _>(ProtocolError::IdInUse) });
}

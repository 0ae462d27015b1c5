use candor::tool;
use candor_protocol::ProtocolError;

fn main() {
    let _ = tool::inline(|_| ProtocolError::IdInUse);
    let _ = tool::inline(|_| Err::<String, _>(ProtocolError::IdInUse));
    let _ = tool::asynchronous(|_| async { Err::<String, _>(ProtocolError::IdInUse) });
}

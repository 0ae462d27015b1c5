use candor_protocol::ProtocolError;

fn main() {
    let _ = ProtocolError::Other { code: -32000, message: "mine" };
}

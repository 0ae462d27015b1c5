//! Failures of the request itself. The host repairs these; the model cannot.

use serde_json::{Value, json};

use crate::era::Version;
use crate::text::{LONGEST_NAME, cut};

/// A request that could not be served.
///
/// The set is closed: each variant is one row of the contract, so a code that the spec does not
/// define cannot be sent, and no author of a tool can send any. What is *heard* from other servers
/// is a different, lenient type.
///
/// Nothing turns one of these into an outcome of a tool, or back:
///
/// ```compile_fail,E0277
/// use candor_protocol::{ProtocolError, ToolError};
///
/// let failure: ToolError = ProtocolError::Parse { reason: "no" }.into();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the spec closes this set")]
pub enum ProtocolError {
    /// `-32700`: the bytes are not JSON text.
    Parse {
        /// What a line must be.
        reason: &'static str,
    },
    /// `-32600`: the JSON is not a JSON-RPC 2.0 request.
    InvalidRequest {
        /// What a request must look like.
        reason: &'static str,
    },
    /// `-32600`: the message is larger than the server reads.
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// `-32600`: a request with this id is still being answered.
    IdInUse,
    /// `-32601`: no such method, or none that this server offers.
    MethodNotFound {
        /// The method, as sent.
        method: String,
    },
    /// `-32602`: the parameters are not those of the method.
    InvalidParams {
        /// What the parameters must look like.
        reason: &'static str,
    },
    /// `-32602`: an object in the parameters says one key twice.
    RepeatedKey {
        /// The key.
        key: String,
    },
    /// `-32602`: no tool has this name, or none that this caller may know of.
    UnknownTool {
        /// The name, as sent.
        name: String,
    },
    /// `-32022`: a protocol version that is not spoken here.
    UnsupportedVersion {
        /// The version asked for, as sent.
        requested: String,
    },
    /// `-32603`: our fault, outside any tool. The cause is in the log, never on the wire.
    Internal {
        /// The key to the log entry.
        incident: String,
    },
}

/// How much of what a peer sent is given back to it whole, in bytes.
const LONGEST_DATA: usize = 2048;

impl ProtocolError {
    /// The JSON-RPC error code.
    #[must_use]
    pub const fn code(&self) -> i32 {
        match self {
            Self::Parse { .. } => -32700,
            Self::InvalidRequest { .. } | Self::TooLarge { .. } | Self::IdInUse => -32600,
            Self::MethodNotFound { .. } => -32601,
            Self::InvalidParams { .. } | Self::RepeatedKey { .. } | Self::UnknownTool { .. } => {
                -32602
            }
            Self::UnsupportedVersion { .. } => -32022,
            Self::Internal { .. } => -32603,
        }
    }

    /// One short sentence.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Parse { reason } => format!("Parse error: {reason}"),
            Self::InvalidRequest { reason } => format!("Invalid request: {reason}"),
            Self::TooLarge { limit } => {
                format!("Invalid request: the message is larger than {limit} bytes")
            }
            Self::IdInUse => {
                "Invalid request: this id is in use by a request that is not answered yet"
                    .to_owned()
            }
            Self::MethodNotFound { method } => {
                format!("Method not found: {}", cut(method, LONGEST_NAME))
            }
            Self::InvalidParams { reason } => format!("Invalid params: {reason}"),
            Self::RepeatedKey { key } => {
                format!("Invalid params: {:?} stands twice in one object", cut(key, LONGEST_NAME))
            }
            Self::UnknownTool { name } => format!("Unknown tool: {}", cut(name, LONGEST_NAME)),
            Self::UnsupportedVersion { .. } => {
                format!("Unsupported protocol version. Supported: {}", modern_names().join(", "))
            }
            Self::Internal { incident } => format!("Internal error (incident {incident})"),
        }
    }

    /// What a program can act on, beside the code.
    #[must_use]
    pub fn data(&self) -> Option<Value> {
        match self {
            Self::UnsupportedVersion { requested } if requested.len() <= LONGEST_DATA => {
                Some(json!({ "requested": requested, "supported": modern_names() }))
            }
            Self::UnsupportedVersion { .. } => Some(json!({ "supported": modern_names() })),
            Self::Parse { .. }
            | Self::InvalidRequest { .. }
            | Self::TooLarge { .. }
            | Self::IdInUse
            | Self::MethodNotFound { .. }
            | Self::InvalidParams { .. }
            | Self::RepeatedKey { .. }
            | Self::UnknownTool { .. }
            | Self::Internal { .. } => None,
        }
    }
}

fn modern_names() -> Vec<&'static str> {
    Version::MODERN.iter().map(|version| version.name()).collect()
}

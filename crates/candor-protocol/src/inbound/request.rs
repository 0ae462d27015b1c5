//! Admitted to request: which of the spec's methods was meant, and with what.

use std::borrow::Cow;

use super::admission::{Admitted, invalid, is_object};
use super::client::Client;
use super::envelope::Params;
use super::outline::{Flaw, Slot};
use crate::era::Version;
use crate::{ProtocolError, RequestId};

/// A request that a server can answer.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a new method asks every reader what to do")]
pub enum Request<'a> {
    /// `server/discover`: who are you, and what do you speak?
    Discover,
    /// `initialize`: the same question in the legacy era, and the agreement on a version. What the client
    /// says of itself holds for the connection.
    Initialize(Box<Client>),
    /// `ping`, legacy only.
    Ping,
    /// `tools/list`
    ListTools,
    /// `tools/call`
    CallTool(ToolCall<'a>),
}

/// `CallToolRequestParams`: a tool by name, and arguments that nobody has judged yet.
#[derive(Debug)]
pub struct ToolCall<'a> {
    /// The tool asked for.
    pub name: Cow<'a, str>,
    /// The arguments, as sent.
    pub arguments: Arguments<'a>,
    /// What the caller wants to hear of its progress by. A token is what an id is: a string or an
    /// integer, the peer's own bytes, compared by value.
    pub progress_token: Option<RequestId<'a>>,
    /// The text of its `_meta`; `{}` if it has none.
    pub meta: &'a str,
}

/// The arguments of a call: the text of a JSON object, as the peer wrote it.
///
/// Numbers keep their text, so what is not representable in a machine word is not rounded on the
/// way to the tool.
#[derive(Clone, Debug)]
pub struct Arguments<'a> {
    json: &'a str,
    repeated_key: Option<String>,
}

impl<'a> Arguments<'a> {
    /// Arguments from the text of a JSON object, trusted to be one.
    #[must_use]
    pub const fn from_json(json: &'a str) -> Self {
        Self { json, repeated_key: None }
    }

    /// The text of the object; `{}` if the request had none.
    #[must_use]
    pub const fn as_json(&self) -> &'a str {
        self.json
    }

    /// A key that some object in them says twice. What such arguments mean depends on who reads
    /// them, so no tool may run on them.
    #[must_use]
    pub fn repeated_key(&self) -> Option<&str> {
        self.repeated_key.as_deref()
    }
}

impl<'a> Request<'a> {
    /// Understands a method and its parameters.
    ///
    /// # Errors
    ///
    /// `-32601` for a method that the revision does not have or this server does not offer,
    /// `-32602` for parameters that are not the method's; `-32600` and `-32700` for nesting and
    /// text that must not be walked into.
    pub fn understand(admitted: &Admitted<'a>) -> Result<Self, ProtocolError> {
        let Admitted { method, version, params, .. } = admitted;
        let method = match (method.as_ref(), version.is_modern()) {
            ("tools/call", _) => Method::CallTool,
            ("tools/list", _) => Method::ListTools,
            ("server/discover", true) => Method::Discover,
            ("initialize", false) => Method::Initialize,
            ("ping", false) => Method::Ping,
            (unknown, _) => {
                return Err(ProtocolError::MethodNotFound { method: unknown.to_owned() });
            }
        };
        check(params, *version)?;
        match method {
            Method::Discover => Ok(Self::Discover),
            Method::Initialize => {
                Ok(Self::Initialize(Box::new(Client::of_handshake(params, *version))))
            }
            Method::Ping => Ok(Self::Ping),
            Method::ListTools => list(params),
            Method::CallTool => ToolCall::read(params).map(Self::CallTool),
        }
    }
}

enum Method {
    Discover,
    Initialize,
    Ping,
    ListTools,
    CallTool,
}

/// What holds for the parameters of every method.
fn check(params: &Params<'_>, version: Version) -> Result<(), ProtocolError> {
    match params.flaw() {
        Some(Flaw::TooDeep) => {
            return Err(ProtocolError::InvalidRequest {
                reason: "a message nests at most 128 levels deep",
            });
        }
        Some(Flaw::TooManyKeys) => {
            return Err(ProtocolError::InvalidRequest {
                reason: "an object has at most 100000 members",
            });
        }
        Some(Flaw::LoneSurrogate) => {
            return Err(ProtocolError::Parse { reason: "half a surrogate pair is no text" });
        }
        None => {}
    }
    if let Some(key) = params.repeated_key() {
        return Err(ProtocolError::RepeatedKey { key });
    }
    let is_token = |json: &str| json.starts_with('"') || RequestId::read(json).is_some();
    if params.optional(Slot::ProgressToken).is_some_and(|json| !is_token(json)) {
        return invalid("`progressToken` must be a string or an integer");
    }
    let is_level = |level: Option<Cow<'_, str>>| {
        level.is_some_and(|level| LOG_LEVELS.contains(&level.as_ref()))
    };
    if version.is_modern()
        && params.optional(Slot::LogLevel).is_some()
        && !is_level(params.string(Slot::LogLevel))
    {
        return invalid(
            "`logLevel` must be one of debug, info, notice, warning, error, critical, alert, \
             emergency",
        );
    }
    Ok(())
}

const LOG_LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// One page holds every tool, so there is no cursor that we could have given.
fn list<'a>(params: &Params<'a>) -> Result<Request<'a>, ProtocolError> {
    match params.optional(Slot::Cursor) {
        None => Ok(Request::ListTools),
        Some(cursor) if cursor.starts_with('"') => {
            invalid("`cursor` must be one that this server gave")
        }
        Some(_) => invalid("`cursor` must be a string"),
    }
}

impl<'a> ToolCall<'a> {
    fn read(params: &Params<'a>) -> Result<Self, ProtocolError> {
        let Some(name) = params.string(Slot::Name) else {
            return invalid("`name` must be a string");
        };
        let json = match params.optional(Slot::Arguments) {
            None => "{}",
            Some(json) if is_object(json) => json,
            Some(json) if json.starts_with('"') => {
                return invalid("`arguments` must be an object, not a string that holds one");
            }
            Some(_) => return invalid("`arguments` must be an object"),
        };
        if params.optional(Slot::RequestState).is_some_and(|json| !json.starts_with('"')) {
            return invalid("`requestState` must be a string");
        }
        if params.optional(Slot::InputResponses).is_some_and(|json| !is_object(json)) {
            return invalid("`inputResponses` must be an object");
        }
        let repeated_key = params.repeated_key_in_arguments();
        let progress_token = params.optional(Slot::ProgressToken).and_then(RequestId::read);
        let meta = params.json(Slot::Meta).filter(|json| is_object(json)).unwrap_or("{}");
        Ok(Self { name, arguments: Arguments { json, repeated_key }, progress_token, meta })
    }
}

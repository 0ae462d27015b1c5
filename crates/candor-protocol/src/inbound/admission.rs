//! Envelope to admitted: which revision judges this request, and may it come in at all.
//!
//! The era is decided per message. A request that carries a version is modern, whatever was said
//! before it; the connection's handshake only speaks for those that carry none.

use std::borrow::Cow;

use super::envelope::{Params, RequestEnvelope};
use super::outline::Slot;
use crate::era::Version;
use crate::{ProtocolError, RequestId};

/// What is known of a connection when a message arrives on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing {
    /// The version that `initialize` agreed on, if one came.
    pub initialized: Option<Version>,
    /// Legacy clients are refused.
    pub modern_only: bool,
}

/// A request that may come in.
#[derive(Debug)]
pub struct Admitted<'a> {
    /// Who to answer.
    pub id: RequestId<'a>,
    /// The method, as written.
    pub method: Cow<'a, str>,
    /// The revision that judges it. For a request that opens a handshake this is the one that
    /// the handshake will agree on.
    pub version: Version,
    /// The parameters, unread.
    pub params: Params<'a>,
}

/// Admits a request, or says why not.
///
/// # Errors
///
/// `-32602` if the request says nothing usable about itself, `-32022` if it asks for a version
/// that is not spoken.
pub fn admit(
    request: RequestEnvelope<'_>,
    standing: Standing,
) -> Result<Admitted<'_>, ProtocolError> {
    let RequestEnvelope { id, method, params } = request;
    let version = match (params.json(Slot::Version), standing.initialized) {
        (None, _) if method == "initialize" => handshake(&params, standing)?,
        (None, Some(agreed)) => agreed,
        // The one request that older revisions allow before the handshake.
        (None, None) if method == "ping" && !standing.modern_only => Version::NEWEST_LEGACY,
        (Some(_), _) | (None, None) => modern(&params)?,
    };
    Ok(Admitted { id, method, version, params })
}

fn modern(params: &Params<'_>) -> Result<Version, ProtocolError> {
    if let Some(key) = params.repeated_key() {
        return Err(ProtocolError::RepeatedKey { key });
    }
    if !params.json(Slot::Meta).is_some_and(is_object) {
        return invalid("`_meta` must be an object");
    }
    let Some(requested) = params.string(Slot::Version) else {
        return invalid("`_meta[\"io.modelcontextprotocol/protocolVersion\"]` must be a string");
    };
    let version = Version::named(&requested)
        .filter(|version| version.is_modern())
        .ok_or_else(|| ProtocolError::UnsupportedVersion { requested: requested.into_owned() })?;
    if !params.json(Slot::Capabilities).is_some_and(is_object) {
        return invalid(
            "`_meta[\"io.modelcontextprotocol/clientCapabilities\"]` must be an object",
        );
    }
    Ok(version)
}

/// `initialize`: a version that we speak is agreed on, for any other one is offered.
fn handshake(params: &Params<'_>, standing: Standing) -> Result<Version, ProtocolError> {
    let Some(requested) = params.string(Slot::HandshakeVersion) else {
        return invalid("`protocolVersion` must be a string");
    };
    if standing.modern_only {
        return Err(ProtocolError::UnsupportedVersion { requested: requested.into_owned() });
    }
    Ok(Version::named(&requested)
        .filter(|version| !version.is_modern())
        .unwrap_or(Version::NEWEST_LEGACY))
}

pub(super) fn is_object(json: &str) -> bool {
    json.starts_with('{')
}

pub(super) fn invalid<T>(reason: &'static str) -> Result<T, ProtocolError> {
    Err(ProtocolError::InvalidParams { reason })
}

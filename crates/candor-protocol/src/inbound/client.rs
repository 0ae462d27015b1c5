//! What a client says of itself, and where a request comes from. Whatever of it is malformed reads
//! as absent: nobody is refused for how they introduce themselves.

use serde_json::{Map, Value};

use super::envelope::Params;
use super::outline::Slot;
use crate::era::Version;

/// Who asks: the spec's `Implementation` and `ClientCapabilities`.
///
/// In the modern era every request says it anew, in the older ones `initialize` says it for the
/// connection. It is heard, not verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Client {
    protocol_version: Version,
    info: Map<String, Value>,
    capabilities: Map<String, Value>,
}

/// Something that a client may be able to do for a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// To put a form to the user. A bare `elicitation` means this.
    ElicitationForm,
    /// To send the user to a web page.
    ElicitationUrl,
    /// To ask a model.
    Sampling,
    /// To let that model use tools.
    SamplingTools,
    /// To say in which folders it works.
    Roots,
}

/// Where a request belongs in a [trace](https://www.w3.org/TR/trace-context/): what its `_meta`
/// says, to the letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trace {
    /// Which trace, and which part of it caused this.
    pub traceparent: Option<String>,
    /// What the systems on the way have to add.
    pub tracestate: Option<String>,
    /// What the caller wants carried along.
    pub baggage: Option<String>,
}

impl Client {
    /// A client of which nothing is known but the revision that it speaks.
    #[must_use]
    pub fn unknown(protocol_version: Version) -> Self {
        Self { protocol_version, info: Map::new(), capabilities: Map::new() }
    }

    /// What the `_meta` of a modern request says.
    #[must_use]
    pub fn of_meta(meta: &str, protocol_version: Version) -> Self {
        let mut meta = object(meta);
        let mut take = |key| match meta.remove(key) {
            Some(Value::Object(members)) => members,
            Some(_) | None => Map::new(),
        };
        let info = take("io.modelcontextprotocol/clientInfo");
        let capabilities = take("io.modelcontextprotocol/clientCapabilities");
        Self { protocol_version, info, capabilities }
    }

    /// What `initialize` says.
    pub(super) fn of_handshake(params: &Params<'_>, protocol_version: Version) -> Self {
        let mut members = params.whole().map(object).unwrap_or_default();
        let mut take = |key| match members.remove(key) {
            Some(Value::Object(members)) => members,
            Some(_) | None => Map::new(),
        };
        let (info, capabilities) = (take("clientInfo"), take("capabilities"));
        Self { protocol_version, info, capabilities }
    }

    /// Its name, for programs.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.info.get("name")?.as_str()
    }

    /// Its name, for people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.info.get("title")?.as_str()
    }

    /// Its own version.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.info.get("version")?.as_str()
    }

    /// The revision of the protocol that judges the request.
    #[must_use]
    pub const fn protocol_version(&self) -> Version {
        self.protocol_version
    }

    /// Does it say that it can do this?
    ///
    /// ```
    /// use candor_protocol::inbound::{Capability, Client};
    /// use candor_protocol::Version;
    ///
    /// let meta = r#"{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}"#;
    /// let client = Client::of_meta(meta, Version::V2026_07_28);
    /// assert!(client.can(Capability::ElicitationForm));
    /// assert!(!client.can(Capability::ElicitationUrl));
    /// ```
    #[must_use]
    pub fn can(&self, capability: Capability) -> bool {
        let has = |key: &str| self.capabilities.get(key).and_then(Value::as_object);
        match capability {
            Capability::ElicitationForm => has("elicitation")
                .is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url")),
            Capability::ElicitationUrl => has("elicitation")
                .is_some_and(|modes| modes.get("url").is_some_and(Value::is_object)),
            Capability::Sampling => has("sampling").is_some(),
            Capability::SamplingTools => has("sampling")
                .is_some_and(|parts| parts.get("tools").is_some_and(Value::is_object)),
            Capability::Roots => has("roots").is_some(),
        }
    }

    /// All that it says it can do: the spec's `ClientCapabilities`.
    #[must_use]
    pub const fn capabilities(&self) -> &Map<String, Value> {
        &self.capabilities
    }
}

impl Trace {
    /// What the `_meta` of a request says.
    #[must_use]
    pub fn of_meta(meta: &str) -> Self {
        // Most requests belong to none.
        if !["traceparent", "tracestate", "baggage"].iter().any(|key| meta.contains(key)) {
            return Self::default();
        }
        let meta = object(meta);
        let text = |key| meta.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            traceparent: text("traceparent"),
            tracestate: text("tracestate"),
            baggage: text("baggage"),
        }
    }
}

impl<'a> Params<'a> {
    /// The text of the whole.
    fn whole(&self) -> Option<&'a str> {
        self.json(Slot::Params)
    }
}

fn object(json: &str) -> Map<String, Value> {
    match serde_json::from_str(json) {
        Ok(Value::Object(members)) => members,
        Ok(_) | Err(_) => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Capability, Client, Trace};
    use crate::era::Version;

    fn client(capabilities: &str) -> Client {
        let meta = format!(
            r#"{{"io.modelcontextprotocol/clientInfo":{{"name":"desk","version":"2"}},"io.modelcontextprotocol/clientCapabilities":{capabilities}}}"#
        );
        Client::of_meta(&meta, Version::V2026_07_28)
    }

    #[test]
    fn a_client_says_who_it_is() {
        let client = client("{}");
        assert_eq!(client.name(), Some("desk"));
        assert_eq!(client.version(), Some("2"));
        assert_eq!(client.title(), None);
    }

    #[test]
    fn a_bare_elicitation_means_forms() {
        assert!(client(r#"{"elicitation":{}}"#).can(Capability::ElicitationForm));
        let url = client(r#"{"elicitation":{"url":{}}}"#);
        assert!(url.can(Capability::ElicitationUrl) && !url.can(Capability::ElicitationForm));
        let both = client(r#"{"elicitation":{"url":{},"form":{}}}"#);
        assert!(both.can(Capability::ElicitationUrl) && both.can(Capability::ElicitationForm));
        assert!(!client("{}").can(Capability::ElicitationForm));
    }

    #[test]
    fn what_is_malformed_reads_as_absent() {
        let client = client(r#"{"sampling":true,"roots":[]}"#);
        assert!(!client.can(Capability::Sampling) && !client.can(Capability::Roots));
        let client =
            Client::of_meta(r#"{"io.modelcontextprotocol/clientInfo":7}"#, Version::V2026_07_28);
        assert_eq!(client.name(), None);
    }

    #[test]
    fn a_trace_is_carried_to_the_letter() {
        let parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
        let trace = Trace::of_meta(&format!(r#"{{"traceparent":"{parent}","baggage":"a=b"}}"#));
        assert_eq!(trace.traceparent.as_deref(), Some(parent));
        assert_eq!(trace.baggage.as_deref(), Some("a=b"));
        assert_eq!(trace.tracestate, None);
        assert_eq!(Trace::of_meta("{}"), Trace::default());
    }
}

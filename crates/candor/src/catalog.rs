//! What a server offers, who it says it is, and where both come from.
//!
//! A catalog never changes. A server whose tools change has a [`Source`] that gives another one.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use candor_protocol::era::{Feature, Version};
use serde::Serialize;
use serde_json::{Value, json};

use crate::toolset::Toolset;

/// Who a server says it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct About {
    /// The spec's `Implementation`: at least `name` and `version`.
    pub server_info: Value,
    /// What the model should know about the server as a whole.
    pub instructions: Option<String>,
    /// How long all this may be kept, and by whom.
    pub hints: Hints,
}

/// How long an answer may be kept, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the spec has these two")]
pub struct Hints {
    /// In milliseconds.
    pub ttl_ms: u64,
    /// Who may share it.
    pub cache_scope: CacheScope,
}

impl Default for Hints {
    /// A minute, by everyone.
    fn default() -> Self {
        Self { ttl_ms: 60_000, cache_scope: CacheScope::Public }
    }
}

/// Who may share what a cache keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "the spec closes this set")]
pub enum CacheScope {
    /// Everyone.
    Public,
    /// Only the caller it was given to.
    Private,
}

impl CacheScope {
    const fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

impl About {
    /// A server of this name and version.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        Self {
            server_info: json!({ "name": name, "version": version }),
            instructions: None,
            hints: Hints::default(),
        }
    }

    /// The server's name, as each revision can carry it.
    fn server_info(&self, version: Version) -> Value {
        let mut info = self.server_info.clone();
        if let Some(info) = info.as_object_mut() {
            info.retain(|key, _| match key.as_str() {
                "title" => version.knows(Feature::Titles),
                "icons" | "description" | "websiteUrl" => version.knows(Feature::Icons),
                _ => true,
            });
        }
        info
    }

    /// The result of `server/discover`.
    pub(crate) fn discovered(&self) -> Vec<u8> {
        encode(&Discovered {
            result_type: "complete",
            supported_versions: Version::MODERN.iter().map(|version| version.name()).collect(),
            capabilities: Capabilities::default(),
            ttl_ms: self.hints.ttl_ms,
            cache_scope: self.hints.cache_scope,
            meta: Meta { server_info: &self.server_info },
            instructions: self.instructions.as_deref(),
        })
    }

    /// The result of `initialize`, agreeing on a version.
    pub(crate) fn initialized(&self, version: Version) -> Vec<u8> {
        encode(&Initialized {
            protocol_version: version.name(),
            capabilities: Capabilities::default(),
            server_info: self.server_info(version),
            instructions: self.instructions.as_deref(),
        })
    }
}

/// The spec's `DiscoverResult`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Discovered<'a> {
    result_type: &'static str,
    supported_versions: Vec<&'static str>,
    capabilities: Capabilities,
    ttl_ms: u64,
    cache_scope: CacheScope,
    #[serde(rename = "_meta")]
    meta: Meta<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
}

/// The spec's `InitializeResult`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Initialized<'a> {
    protocol_version: &'static str,
    capabilities: Capabilities,
    server_info: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
}

/// The spec's `ServerCapabilities`: what is served, and nothing else.
#[derive(Default, Serialize)]
struct Capabilities {
    tools: Tools,
}

#[derive(Default, Serialize)]
struct Tools {}

/// `_meta` of every result.
#[derive(Serialize)]
struct Meta<'a> {
    #[serde(rename = "io.modelcontextprotocol/serverInfo")]
    server_info: &'a Value,
}

/// Strings, numbers and JSON values: nothing that serialising could refuse.
fn encode(result: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(result).unwrap_or_else(|_| b"{}".to_vec())
}

/// What a server offers.
pub struct Catalog {
    about: Arc<About>,
    tools: Toolset,
    /// For the list of tools.
    hints: Hints,
    server_info: String,
    /// The result of `tools/list`, by revision, made when first asked for.
    lists: [OnceLock<Vec<u8>>; Version::ALL.len()],
}

impl Catalog {
    /// These tools, of this server.
    #[must_use]
    pub fn new(about: Arc<About>, tools: Toolset) -> Self {
        let server_info = about.server_info.to_string();
        let lists = [const { OnceLock::new() }; Version::ALL.len()];
        Self { hints: about.hints, about, tools, server_info, lists }
    }

    /// The same, with hints of its own for the list of tools.
    #[must_use]
    pub const fn list_hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// Who the server says it is.
    #[must_use]
    pub fn about(&self) -> &Arc<About> {
        &self.about
    }

    /// The tools.
    #[must_use]
    pub const fn tools(&self) -> &Toolset {
        &self.tools
    }

    pub(crate) fn server_info(&self) -> &str {
        &self.server_info
    }

    /// The result of `tools/list`.
    pub(crate) fn list(&self, version: Version) -> &[u8] {
        let make = || self.make_list(version);
        self.lists.get(version as usize).map_or(b"{\"tools\":[]}", |list| list.get_or_init(make))
    }

    fn make_list(&self, version: Version) -> Vec<u8> {
        let describes_itself = version.knows(Feature::SelfDescribingResults);
        let mut out = Vec::new();
        out.extend_from_slice(if describes_itself {
            b"{\"resultType\":\"complete\",\"tools\":"
        } else {
            b"{\"tools\":"
        });
        self.tools.write_list(&mut out, version);
        if describes_itself {
            let Hints { ttl_ms, cache_scope } = self.hints;
            let hints = format!(
                ",\"ttlMs\":{ttl_ms},\"cacheScope\":\"{}\",\"_meta\":{{\
                 \"io.modelcontextprotocol/serverInfo\":{}}}",
                cache_scope.name(),
                self.server_info
            );
            out.extend_from_slice(hints.as_bytes());
        }
        out.push(b'}');
        out
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalog")
            .field("about", &self.about)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}

/// What a request that needs the catalog waits for.
pub type Loading = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Where a server's catalog comes from.
///
/// Asked at every request, so what it gives must be ready; a source that has to load something
/// first says so by giving nothing, and requests wait.
pub trait Source: Send + Sync + 'static {
    /// Who the server says it is, as soon as that is known.
    fn about(&self) -> Option<Arc<About>>;

    /// What it offers now; `None` while that is not known.
    fn catalog(&self) -> Option<Arc<Catalog>>;

    /// Comes to an end once both are known, or never will be.
    fn loaded(&self) -> Loading;

    /// Why there will be nothing to offer until someone acts, for the log. Whoever asks meanwhile
    /// is told that the fault is ours.
    fn fault(&self) -> Option<String> {
        None
    }
}

/// A catalog that stays what it is.
pub(crate) struct Fixed(pub(crate) Arc<Catalog>);

impl Source for Fixed {
    fn about(&self) -> Option<Arc<About>> {
        Some(Arc::clone(self.0.about()))
    }

    fn catalog(&self) -> Option<Arc<Catalog>> {
        Some(Arc::clone(&self.0))
    }

    fn loaded(&self) -> Loading {
        Box::pin(std::future::ready(()))
    }
}

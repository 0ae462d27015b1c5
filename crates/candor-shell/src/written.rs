//! What a tools file says about its server in JSON: the config, and the list of tools.
//!
//! Both are written by people, and are the truth where they are given. What cannot be used is
//! said in one sentence that names the file.

use std::path::Path;

use candor::{About, CacheScope, Hints, Version};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::findings;

/// A config, as the bash SDK has it: the body of `server/discover`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Config {
    supported_versions: Option<Vec<String>>,
    server_info: Option<Map<String, Value>>,
    capabilities: Option<Map<String, Value>>,
    instructions: Option<String>,
    ttl_ms: Option<u64>,
    cache_scope: Option<Scope>,
}

/// A list of tools, as the bash SDK has it: the body of `tools/list`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct List<'a> {
    #[serde(borrow, default)]
    tools: Vec<&'a RawValue>,
    ttl_ms: Option<u64>,
    cache_scope: Option<Scope>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scope {
    Public,
    Private,
}

impl From<Scope> for CacheScope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Public => Self::Public,
            Scope::Private => Self::Private,
        }
    }
}

/// Reads a config. What it leaves out is as the bash SDK has it.
///
/// The second half names the capabilities that it claims and nothing here serves.
pub(crate) fn about(file: &Path, usual: Hints) -> Result<(About, Vec<String>), String> {
    let text = read(file)?;
    let config: Config = serde_json::from_str(&text).map_err(|cause| not_json(file, &cause))?;
    if let Some(versions) = config.supported_versions {
        let is_spoken = |name: &String| Version::named(name).is_some_and(Version::is_modern);
        // Versions of a config written for an older server are no reason to refuse it; a list
        // that leaves nothing to speak is.
        if !versions.is_empty() && !versions.iter().any(is_spoken) {
            return Err(format!(
                "{} supports only {}, and candor speaks {}",
                file.display(),
                versions.join(", "),
                Version::MODERN.iter().map(|it| it.name()).collect::<Vec<_>>().join(", ")
            ));
        }
    }
    let info = config.server_info.filter(|info| info.contains_key("name"));
    let mut info =
        info.map_or_else(|| json!({ "name": "BashMCPServer", "version": "0.0.0" }), Value::Object);
    if let Some(info) = info.as_object_mut() {
        info.entry("version").or_insert_with(|| "0.0.0".into());
    }
    let mut about = About::new("", "");
    about.server_info = info;
    about.instructions = config.instructions;
    about.hints = hints(config.ttl_ms, config.cache_scope, usual);
    let claimed = config.capabilities.unwrap_or_default();
    let unserved = claimed.into_iter().map(|(name, _)| name).filter(|name| name != "tools");
    Ok((about, unserved.collect()))
}

/// Reads a list of tools: each as it was written, and how long the list may be kept.
pub(crate) fn tools(file: &Path, usual: Hints) -> Result<(Vec<Box<RawValue>>, Hints), String> {
    let text = read(file)?;
    let list: List<'_> = serde_json::from_str(&text).map_err(|cause| not_json(file, &cause))?;
    let tools = list.tools.into_iter().map(ToOwned::to_owned).collect();
    Ok((tools, hints(list.ttl_ms, list.cache_scope, usual)))
}

/// Reads what is written beside a program about the tool that it is, if anything.
pub(crate) fn tool(file: &Path, name: &str) -> Result<Option<String>, String> {
    if !file.exists() {
        return Ok(None);
    }
    let text = read(file)?;
    let tool: Map<String, Value> =
        serde_json::from_str(&text).map_err(|cause| not_json(file, &cause))?;
    if let Some(other) = tool.get("name") {
        if *other == name {
            return Ok(Some(text));
        }
        let file = file.display();
        return Err(format!("{file} names its tool {other}, and its own name makes it {name:?}"));
    }
    if !["description", "inputSchema"].iter().any(|member| tool.contains_key(*member)) {
        return Err(format!(
            "{} does not say what the tool {name} does; add a member \"description\", or rename \
             the file if it is about something else",
            file.display()
        ));
    }
    let rest = text.trim_start().strip_prefix('{').unwrap_or_default();
    Ok(Some(format!("{{\"name\":\"{name}\",{rest}")))
}

fn hints(ttl_ms: Option<u64>, cache_scope: Option<Scope>, usual: Hints) -> Hints {
    Hints {
        ttl_ms: ttl_ms.unwrap_or(usual.ttl_ms),
        cache_scope: cache_scope.map_or(usual.cache_scope, Into::into),
    }
}

fn read(file: &Path) -> Result<String, String> {
    findings::read(file).map_err(|cause| format!("{} cannot be read: {cause}", file.display()))
}

fn not_json(file: &Path, cause: &serde_json::Error) -> String {
    format!("{} is not what it should be: {cause}", file.display())
}

//! The loader's records to what a file holds.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::comments::Comment;
use crate::{Options, environment};

/// Functions of these names would stand in the way of the loader.
const NEEDED: [&str; 3] = ["builtin", "command", "local"];

/// What a file turned out to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// The functions that can be called.
    pub functions: Vec<Function>,
    /// What the file and its core say about the server.
    pub settings: Settings,
    /// Where the core it was written for came from.
    pub core: Core,
    /// The other files that were read, each once; they change what the file is.
    pub sourced: Vec<PathBuf>,
    /// Variables of ours that the file reads and does not get.
    pub withheld: Vec<String>,
    /// The end of what the file printed while it was loaded.
    pub said: Vec<u8>,
}

/// A function that can be called: `tool_NAME` in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// Its name, without `tool_`.
    pub name: String,
    /// The file that defines it.
    pub file: PathBuf,
    /// The line, counted from one.
    pub line: usize,
    /// The comment above it.
    pub(crate) comment: Option<Comment>,
}

/// The variables by which a file describes its server, where set; paths are absolute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// `MCP_CONFIG_FILE`.
    pub config_file: Option<PathBuf>,
    /// `MCP_TOOLS_LIST_FILE`.
    pub tools_list_file: Option<PathBuf>,
    /// `MCP_LOG_FILE`.
    pub log_file: Option<PathBuf>,
    /// `MCP_DEFAULT_TTL_MS`, as written.
    pub default_ttl_ms: Option<String>,
    /// `MCP_DEFAULT_CACHE_SCOPE`, as written.
    pub default_cache_scope: Option<String>,
    /// `MCP_PROTOCOL_VERSION`, as written.
    pub protocol_version: Option<String>,
}

/// Where a file's core, `mcpserver_core.sh`, came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Core {
    /// The file asked for none.
    None,
    /// It was missing, and ours stood in for it.
    StandIn,
    /// It was there, and was read.
    Real,
}

/// The loader's records, sorted.
pub(crate) struct Told<'a> {
    /// With which the file ended.
    pub(crate) status: u8,
    core: Core,
    settings: Settings,
    sourced: Vec<PathBuf>,
    functions: Vec<Place<'a>>,
}

struct Place<'a> {
    name: &'a str,
    line: usize,
    file: PathBuf,
}

impl<'a> Told<'a> {
    pub(crate) fn read(told: &'a [u8]) -> Self {
        let records = || {
            told.split(|&byte| byte == 0).filter_map(|record| {
                let at = record.iter().position(|&byte| byte == b'=')?;
                Some((std::str::from_utf8(record.get(..at)?).ok()?, record.get(at + 1..)?))
            })
        };
        let word = |name: &str| {
            let (_, value) = records().find(|(said, _)| *said == name)?;
            Some(String::from_utf8_lossy(value).into_owned())
        };
        let folder = word("folder").map(PathBuf::from).unwrap_or_default();
        let path = |value: &[u8]| folder.join(OsStr::from_bytes(value));
        let file = |name: &str| {
            let (_, value) = records().find(|(said, value)| *said == name && !value.is_empty())?;
            Some(path(value))
        };
        let functions: Vec<_> = records()
            .filter(|(name, _)| *name == "functions")
            .flat_map(|(_, list)| list.split(|&byte| byte == b'\n'))
            .filter_map(|line| {
                let mut parts = line.splitn(3, |&byte| byte == b' ');
                let name = std::str::from_utf8(parts.next()?).ok()?;
                let line = std::str::from_utf8(parts.next()?).ok()?.parse().ok()?;
                let file = parts.next()?;
                // So bash calls what is in no file: our own loader's.
                (file != b"environment").then(|| Place { name, line, file: path(file) })
            })
            .collect();
        let mut sourced: Vec<PathBuf> = Vec::new();
        let told_of = records().filter(|(name, _)| *name == "sourced").map(|(_, it)| path(it));
        for path in told_of.chain(functions.iter().map(|place| place.file.clone())) {
            if !sourced.contains(&path) && path.is_file() {
                sourced.push(path);
            }
        }
        Self {
            status: word("status").and_then(|status| status.parse().ok()).unwrap_or(0),
            core: match word("core").as_deref() {
                Some("real") => Core::Real,
                Some("stub") => Core::StandIn,
                _ => Core::None,
            },
            settings: Settings {
                config_file: file("MCP_CONFIG_FILE"),
                tools_list_file: file("MCP_TOOLS_LIST_FILE"),
                log_file: file("MCP_LOG_FILE"),
                default_ttl_ms: word("MCP_DEFAULT_TTL_MS"),
                default_cache_scope: word("MCP_DEFAULT_CACHE_SCOPE"),
                protocol_version: word("MCP_PROTOCOL_VERSION"),
            },
            sourced,
            functions,
        }
    }

    /// A function that would stand in the way of the loader.
    pub(crate) fn hides(&self) -> Option<&str> {
        self.functions
            .iter()
            .map(|place| place.name)
            .find(|name| NEEDED.contains(name) || name.starts_with("__candor_"))
    }

    /// What `file`, which reads `text`, holds.
    pub(crate) fn loaded(self, file: &Path, text: String, options: &Options) -> Loaded {
        let mut texts = BTreeMap::from([(file.to_path_buf(), text)]);
        for path in &self.sourced {
            if let Ok(bytes) = std::fs::read(path) {
                texts.insert(path.clone(), String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        let names = || std::env::vars_os().map(|(name, _)| name);
        let withheld: BTreeSet<String> = texts
            .values()
            .flat_map(|text| environment::withheld(text, names(), &options.environment))
            .collect();
        Loaded {
            functions: self.tools(&texts),
            settings: self.settings,
            core: self.core,
            sourced: self.sourced.into_iter().filter(|path| path != file).collect(),
            withheld: withheld.into_iter().collect(),
            said: Vec::new(),
        }
    }

    fn tools(&self, texts: &BTreeMap<PathBuf, String>) -> Vec<Function> {
        let mut tools: Vec<Function> = self
            .functions
            .iter()
            .filter_map(|place| {
                let name = place
                    .name
                    .strip_prefix("tool_")
                    .filter(|name| candor::Definition::is_name(name))?;
                let text = texts.get(&place.file);
                Some(Function {
                    name: name.to_owned(),
                    file: place.file.clone(),
                    line: place.line,
                    comment: text.and_then(|text| Comment::above(text, place.line, place.name)),
                })
            })
            .collect();
        tools.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        tools
    }
}

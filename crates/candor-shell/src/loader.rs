//! A file of functions to a warm shell that holds them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout_at};

use crate::channels::Channels;
use crate::output::Tail;
use crate::{Options, comments, environment};

/// What the shell runs, before and around the file.
const LOADER: &str = include_str!("loader.bash");

/// How much of what a file says while it loads is kept.
const SAID: usize = 64 * 1024;

/// No handshake is as long as this; what is, does not come from our loader.
const HANDSHAKE: usize = 16 * 1024 * 1024;

/// Functions of these names would stand in the way of the loader.
const NEEDED: [&str; 2] = ["builtin", "command"];

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
    pub description: Option<String>,
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

/// Why a file cannot be served, in a sentence for who wrote it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no such file.
    #[error("{} is not there; check the path", file.display())]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// It is a folder, or something else that is not a file.
    #[error("{} is not a file of shell functions", file.display())]
    NotAFile {
        /// The file.
        file: PathBuf,
    },
    /// It cannot be read.
    #[error("{} cannot be read: {cause}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// There is no bash.
    #[error("bash was not found on PATH; {} needs it", file.display())]
    NoBash {
        /// The file.
        file: PathBuf,
    },
    /// Bash does not understand it.
    #[error("{} is not valid bash: {complaint}", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// What bash says: the line, and what is wrong there.
        complaint: String,
    },
    /// It ended before its functions could be served.
    #[error(
        "{} ended with {status} while it was loaded, before it got to run_mcp_server{}",
        file.display(), last_words(said)
    )]
    Ended {
        /// The file.
        file: PathBuf,
        /// How bash ended.
        status: ExitStatus,
        /// The end of what it printed.
        said: Vec<u8>,
    },
    /// It did not get to its end in time.
    #[error(
        "{} did not get to run_mcp_server within {} s; it waits for something, or has started a \
         server of its own{}",
        file.display(), within.as_secs_f32(), last_words(said)
    )]
    Hangs {
        /// The file.
        file: PathBuf,
        /// How long it had.
        within: Duration,
        /// The end of what it printed.
        said: Vec<u8>,
    },
    /// It calls `run_mcp_server` where nothing it sets would last.
    #[error(
        "{} calls run_mcp_server in a pipeline, in the background or in parentheses; call it by \
         itself",
        file.display()
    )]
    Subshell {
        /// The file.
        file: PathBuf,
    },
    /// It defines a function that hides a part of bash which the loader needs.
    #[error("{} defines a function named `{name}`, which hides bash's own; rename it", file.display())]
    Hides {
        /// The file.
        file: PathBuf,
        /// The function.
        name: String,
    },
    /// It can be loaded, and what it offers cannot be served.
    #[error("{0}")]
    Unservable(String),
    /// The system refused us something.
    #[error("{} could not be loaded: {cause}", file.display())]
    System {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

fn last_words(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    said.lines().rev().find(|line| !line.trim().is_empty()).map_or_else(String::new, |line| {
        format!("; it said: {}", line.trim().chars().take(200).collect::<String>())
    })
}

/// A shell that has read its file and waits for requests.
pub(crate) struct Warm {
    pub(crate) child: Child,
    pub(crate) pid: Pid,
    pub(crate) requests: OwnedFd,
    /// What the file left running may still write here, and must not block on it.
    pub(crate) stderr: pipe::Receiver,
    pub(crate) loaded: Loaded,
}

/// Loads `file`, an absolute path.
pub(crate) async fn load(
    file: &Path,
    options: &Options,
    channels: &Channels,
) -> Result<Warm, LoadError> {
    let text = read(file)?;
    let deadline = Instant::now() + options.load_timeout;
    let mut loading = Loading::start(file, options, channels)?;
    let heard = timeout_at(deadline, loading.listen()).await;
    let loaded = match heard {
        Ok(Ok(Heard::Ready)) => match loading.loaded(&text, options) {
            // A file with a mistake in its grammar ends where the mistake is.
            Ok((loaded, status)) if status != 0 => {
                complaint(file, options, deadline).await.map_or(Ok(loaded), Err)
            }
            loaded => loaded.map(|(loaded, _)| loaded),
        },
        Ok(Ok(Heard::Subshell)) => Err(LoadError::Subshell { file: file.into() }),
        Ok(Ok(Heard::Ended(status))) => {
            let said = loading.said.bytes();
            let ended = LoadError::Ended { file: file.into(), status, said };
            Err(complaint(file, options, deadline).await.unwrap_or(ended))
        }
        Ok(Err(cause)) => Err(system(file)(cause)),
        Err(_) => Err(LoadError::Hangs {
            file: file.into(),
            within: options.load_timeout,
            said: loading.said.bytes(),
        }),
    };
    match loaded {
        Ok(loaded) => {
            loading.doomed.0 = None;
            let Loading { child, pid, requests, stderr, .. } = loading;
            Ok(Warm { child, pid, requests, stderr, loaded })
        }
        Err(failure) => {
            let Loading { mut child, doomed, .. } = loading;
            drop(doomed);
            let _ = child.wait().await;
            Err(failure)
        }
    }
}

fn read(file: &Path) -> Result<String, LoadError> {
    let unreadable = |cause: io::Error| {
        if cause.kind() == io::ErrorKind::NotFound {
            LoadError::Missing { file: file.into() }
        } else {
            LoadError::Unreadable { file: file.into(), cause }
        }
    };
    let about = std::fs::metadata(file).map_err(unreadable)?;
    if !about.is_file() {
        return Err(LoadError::NotAFile { file: file.into() });
    }
    let bytes = std::fs::read(file).map_err(unreadable)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn system(file: &Path) -> impl Fn(io::Error) -> LoadError {
    move |cause| LoadError::System { file: file.into(), cause }
}

enum Heard {
    Ready,
    Subshell,
    Ended(ExitStatus),
}

/// What goes, with all that it started, unless it loads.
struct Doomed(Option<Pid>);

impl Drop for Doomed {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            // Not yet waited for, or only just: the number is still its own.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

struct Loading<'a> {
    file: &'a Path,
    child: Child,
    pid: Pid,
    doomed: Doomed,
    requests: OwnedFd,
    status: pipe::Receiver,
    stderr: pipe::Receiver,
    told: Vec<u8>,
    said: Tail,
}

impl<'a> Loading<'a> {
    fn start(file: &'a Path, options: &Options, channels: &Channels) -> Result<Self, LoadError> {
        let system = system(file);
        let (stdin, mut requests) = io::pipe().map_err(&system)?;
        let (status, stdout) = io::pipe().map_err(&system)?;
        let (stderr, stderr_of_shell) = io::pipe().map_err(&system)?;
        writeln!(requests, "{}", channels.prefix()).map_err(&system)?;
        // A shell that does not read must not hold us up.
        rustix::io::ioctl_fionbio(&requests, true).map_err(|cause| system(cause.into()))?;
        let mut bash = bash(options);
        bash.args(["--norc", "--noprofile", "-p", "-c", LOADER])
            .arg(file)
            .stdin(stdin)
            .stdout(stdout)
            .stderr(stderr_of_shell)
            // An interrupt typed at our terminal is ours to act on.
            .process_group(0);
        let child = bash.spawn().map_err(|cause| not_started(file, options, cause))?;
        // The command holds the shell's ends of the pipes.
        drop(bash);
        let pid = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let doomed = Doomed(pid);
        Ok(Self {
            file,
            child,
            pid: pid.ok_or_else(|| system(io::ErrorKind::NotFound.into()))?,
            doomed,
            requests: requests.into(),
            status: pipe::Receiver::from_owned_fd(status.into()).map_err(&system)?,
            stderr: pipe::Receiver::from_owned_fd(stderr.into()).map_err(&system)?,
            told: Vec::new(),
            said: Tail::new(SAID),
        })
    }

    async fn listen(&mut self) -> io::Result<Heard> {
        let (mut telling, mut saying) = (true, true);
        loop {
            tokio::select! {
                biased;
                ready = self.status.readable(), if telling => {
                    ready?;
                    telling = self.hear()?;
                    if let Some(heard) = self.heard() {
                        return Ok(heard);
                    }
                }
                ready = self.stderr.readable(), if saying => {
                    ready?;
                    saying = self.said.take_from(&self.stderr)?;
                }
                status = self.child.wait() => {
                    let status = status?;
                    self.hear_rest();
                    self.said.take_rest(&self.stderr);
                    return Ok(match self.heard() {
                        Some(Heard::Subshell) => Heard::Subshell,
                        Some(Heard::Ready | Heard::Ended(_)) | None => Heard::Ended(status),
                    });
                }
            }
        }
    }

    /// Takes what the shell has told by now; false once it cannot tell more.
    fn hear(&mut self) -> io::Result<bool> {
        while self.told.len() <= HANDSHAKE {
            match self.status.try_read_buf(&mut self.told) {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => return Ok(true),
                Err(cause) => return Err(cause),
            }
        }
        Err(io::Error::other("something in it writes to the loader's own pipe"))
    }

    /// Takes the rest past the runtime, which may not yet have noticed it.
    fn hear_rest(&mut self) {
        let mut chunk = [0; 4096];
        while let Ok(taken @ 1..) = rustix::io::read(&self.status, &mut chunk) {
            self.told.extend_from_slice(chunk.get(..taken).unwrap_or_default());
        }
    }

    fn heard(&mut self) -> Option<Heard> {
        if self.told.ends_with(b"\0ready\0") {
            self.said.take_rest(&self.stderr);
            return Some(Heard::Ready);
        }
        self.told.ends_with(b"subshell\0").then_some(Heard::Subshell)
    }

    /// What the shell told, and the status with which the file ended.
    fn loaded(&self, text: &str, options: &Options) -> Result<(Loaded, u8), LoadError> {
        let told = Told::read(&self.told);
        if let Some(name) = told.functions.iter().find(|it| NEEDED.contains(&it.name)) {
            return Err(LoadError::Hides { file: self.file.into(), name: name.name.into() });
        }
        let mut texts = BTreeMap::from([(self.file.to_path_buf(), text.to_owned())]);
        for path in &told.sourced {
            if let Ok(bytes) = std::fs::read(path) {
                texts.insert(path.clone(), String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        let withheld = texts
            .values()
            .flat_map(|text| {
                let names = std::env::vars_os().map(|(name, _)| name);
                environment::withheld(text, names, &options.environment)
            })
            .collect::<BTreeSet<_>>();
        let loaded = Loaded {
            functions: told.tools(&texts),
            settings: told.settings,
            core: told.core,
            sourced: told.sourced.into_iter().filter(|path| path != self.file).collect(),
            withheld: withheld.into_iter().collect(),
            said: self.said.bytes(),
        };
        Ok((loaded, told.status))
    }
}

fn bash(options: &Options) -> Command {
    let mut bash = Command::new("bash");
    bash.env_clear().envs(environment::passed(std::env::vars_os(), &options.environment));
    if let Some(folder) = &options.folder {
        bash.current_dir(folder);
    }
    bash
}

fn not_started(file: &Path, options: &Options, cause: io::Error) -> LoadError {
    let folder_is_there = options.folder.as_ref().is_none_or(|folder| folder.is_dir());
    if folder_is_there && cause.kind() == io::ErrorKind::NotFound {
        LoadError::NoBash { file: file.into() }
    } else {
        system(file)(cause)
    }
}

/// What bash finds wrong with the grammar of `file`, if anything.
async fn complaint(file: &Path, options: &Options, deadline: Instant) -> Option<LoadError> {
    let mut bash = bash(options);
    // `extglob` only allows more: a file may turn it on before it needs it.
    bash.args(["--norc", "--noprofile", "-p", "-O", "extglob", "-n"])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true);
    let output = timeout_at(deadline, bash.output()).await.ok()?.ok()?;
    if output.status.success() {
        return None;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().next().unwrap_or("bash does not say why");
    let prefix = format!("{}: ", file.display());
    let complaint = line.strip_prefix(&prefix).unwrap_or(line).to_owned();
    Some(LoadError::Syntax { file: file.into(), complaint })
}

/// The loader's records, sorted.
struct Told<'a> {
    status: u8,
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
    fn read(told: &'a [u8]) -> Self {
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

    fn tools(&self, texts: &BTreeMap<PathBuf, String>) -> Vec<Function> {
        let mut tools: Vec<Function> = self
            .functions
            .iter()
            .filter_map(|place| {
                let name = place.name.strip_prefix("tool_").filter(|name| callable(name))?;
                let text = texts.get(&place.file);
                Some(Function {
                    name: name.to_owned(),
                    file: place.file.clone(),
                    line: place.line,
                    description: text
                        .and_then(|text| comments::above(text, place.line, place.name)),
                })
            })
            .collect();
        tools.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        tools
    }
}

/// The names a tool may have in the protocol; none of these has a meaning to the shell.
fn callable(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

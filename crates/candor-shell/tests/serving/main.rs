//! Tools files on the wire: what a host gets from functions of a bash file, written fresh or for
//! the bash SDK. Whole messages are compared; only incidents and the fingerprints of failures,
//! which have tests of their own, are folded.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "the lints know tests, but not what tests share"
)]

mod choosing;
mod declared;
mod ending;
mod failing;
mod limits;
mod programs;
mod reloading;
mod sdk;
mod speaking;

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use candor::{Entry, Journal, Limits, Policy, Server};
use candor_shell::{Exposure, Options, Tools};
use candor_transport::memory::{self, Wire};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder of files, served.
struct Stage {
    folder: TempDir,
    tools: Arc<Tools>,
    wire: Wire,
    log: Log,
}

/// What the log was told, a line each.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn journal(&self) -> Journal {
        let lines = Arc::clone(&self.0);
        Journal::new(move |entry: &Entry<'_>| lines.lock().unwrap().push(entry.to_string()))
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    #[track_caller]
    fn assert_says(&self, part: &str) {
        let lines = self.lines();
        assert!(lines.iter().any(|line| line.contains(part)), "{part:?} is not in {lines:#?}");
    }
}

/// What is written before anything is served.
struct Script {
    folder: TempDir,
    files: Vec<PathBuf>,
    options: Options,
    exposure: Exposure,
    policy: Policy,
}

impl Script {
    /// A file that defines these functions, served in the folder in which it stands.
    fn new(text: &str) -> Self {
        Self::bare().serving("tools.sh", text)
    }

    /// A folder `tools`, which is served.
    fn of_programs() -> Self {
        let mut script = Self::bare();
        let path = script.folder.path().join("tools");
        std::fs::create_dir(&path).unwrap();
        script.files.push(path);
        script
    }

    fn bare() -> Self {
        let folder = TempDir::new().unwrap();
        let mut options = Options::default();
        options.folder = Some(folder.path().into());
        Self {
            folder,
            files: Vec::new(),
            options,
            exposure: Exposure::default(),
            policy: Policy::default(),
        }
    }

    /// Another file beside it.
    fn with(self, name: &str, text: &str) -> Self {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// A program in the folder `tools`.
    fn program(self, name: &str, text: &str) -> Self {
        let script = self.with(&format!("tools/{name}"), text);
        make_executable(&script.folder.path().join("tools").join(name));
        script
    }

    /// Another file that is served.
    fn serving(self, name: &str, text: &str) -> Self {
        let mut script = self.with(name, text);
        script.files.push(script.folder.path().join(name));
        script
    }

    fn open(self, log: &Log) -> (TempDir, Arc<Tools>, Policy) {
        let Self { folder, files, options, exposure, policy } = self;
        let tools = Tools::open(&files, options, exposure, log.journal());
        (folder, Arc::new(tools), policy)
    }

    async fn serve(self) -> Stage {
        let log = Log::default();
        let (folder, tools, policy) = self.open(&log);
        tools.ready().await.unwrap();
        let server = Server::from_source(Arc::clone(&tools) as _, policy, log.journal());
        let wire = memory::connect(server.session(), Limits::default());
        Stage { folder, tools, wire, log }
    }

    /// The sentence that says why it cannot be served, the folder left out.
    async fn refusal(self) -> String {
        let (folder, tools, _) = self.open(&Log::default());
        let why = tools.ready().await.expect_err("it can be served").to_string();
        why.replace(&format!("{}/", folder.path().display()), "")
    }
}

impl Stage {
    /// Sends a request of the newest revision and gives the answer, folded.
    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(1, method, params).await;
        self.receive().await
    }

    async fn send(&mut self, id: u64, method: &str, mut params: Value) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.wire.send(&request.to_string()).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        let line = self.wire.receive().await.unwrap().expect("the server is gone");
        fold(serde_json::from_str(&line).unwrap())
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// The text of a call's result, and whether it is an error.
    async fn says(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.call(tool, arguments).await;
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("no text in {answer}")).to_owned();
        (text, result["isError"] == true)
    }

    /// The names of the tools that are listed, in order.
    async fn listed(&mut self) -> Vec<String> {
        let answer = self.ask("tools/list", json!({})).await;
        let tools = answer["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// What the log was told, without the folder.
    fn logged(&self) -> Vec<String> {
        let folder = format!("{}/", self.folder.path().display());
        self.log.lines().into_iter().map(|line| line.replace(&folder, "")).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Waits until a tool has left a mark.
    async fn mark(&self, name: &str) {
        until(|| self.path(name).exists(), name).await;
    }
}

/// Waits for something that happens elsewhere; gives up after ten seconds.
async fn until(mut happened: impl FnMut() -> bool, what: &str) {
    for _ in 0..1000 {
        if happened() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("{what} did not happen");
}

/// Replaces what no two runs have in common.
fn fold(mut answer: Value) -> Value {
    let failure = answer.pointer_mut("/result/_meta/dev.candor~1failure");
    if let Some(failure) = failure.and_then(Value::as_object_mut) {
        for (key, value) in failure {
            if key == "fingerprint" || key == "incident" {
                *value = "…".into();
            }
        }
    }
    let text = answer.to_string();
    let mut folded = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("(incident ") {
        let (before, after) = rest.split_at(at + "(incident ".len());
        folded.push_str(before);
        folded.push('…');
        rest = &after[8..];
    }
    folded.push_str(rest);
    serde_json::from_str(&folded).unwrap()
}

const SERVER: &str = "tools";

/// The answer to a call that went well.
fn done(text: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "resultType": "complete",
            "content": [{ "type": "text", "text": text }],
            "isError": false,
            "_meta": {
                "io.modelcontextprotocol/serverInfo": { "name": SERVER, "version": "0.0.0" },
            },
        },
    })
}

/// The answer to a call that failed.
fn failed(text: &str, failure: Value) -> Value {
    let mut answer = done(text);
    answer["result"]["isError"] = true.into();
    answer["result"]["_meta"]["dev.candor/failure"] = failure;
    answer
}

/// The tool says in its own words that it failed.
fn refused(text: &str) -> Value {
    failed(text, json!({ "kind": "tool", "retry": "no", "fingerprint": "…" }))
}

/// The request was refused.
fn error(code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": code, "message": message } })
}

fn make_executable(path: &Path) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn write(path: &Path, text: &str) {
    // Another time than the one it had, however coarse the clock of the file system.
    let mut file = std::fs::File::create(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
    file.set_modified(later).unwrap();
}

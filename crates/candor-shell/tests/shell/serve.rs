//! A file served from a folder of its own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use candor_shell::{Attached, Ended, LoadError, Loaded, Options, Ran, Work, Worker};
use tempfile::TempDir;
use tokio::sync::watch;

pub(crate) struct Served {
    pub(crate) folder: TempDir,
    pub(crate) worker: Worker,
    pub(crate) loaded: Loaded,
    pub(crate) stop: watch::Sender<bool>,
}

/// Serves `script`, whose folder bash and test both know.
pub(crate) async fn serve(script: &str) -> Served {
    serve_with(script, &options()).await
}

pub(crate) async fn serve_with(script: &str, options: &Options) -> Served {
    serve_in(folder(script), options).await
}

pub(crate) async fn serve_in(folder: TempDir, options: &Options) -> Served {
    let mut options = options.clone();
    options.folder.get_or_insert(folder.path().into());
    let (worker, loaded) = Worker::start(&folder.path().join("tools.sh"), &options).await.unwrap();
    Served { folder, worker, loaded, stop: watch::Sender::new(false) }
}

/// Serves `script` in both ways to meet a shell, one after the other.
pub(crate) async fn everywhere(script: &str, test: impl AsyncFn(Served)) {
    for named_pipes in [false, true] {
        let mut options = options();
        options.named_pipes = named_pipes;
        test(serve_with(script, &options).await).await;
    }
}

/// Why `script` cannot be served.
pub(crate) async fn refused(script: &str) -> String {
    refused_with(&folder(script), &options()).await
}

pub(crate) async fn refused_with(folder: &TempDir, options: &Options) -> String {
    let file = folder.path().join("tools.sh");
    let refusal = load_error(&file, options).await.to_string();
    refusal.replace(&format!("{}/", folder.path().display()), "")
}

pub(crate) async fn load_error(file: &Path, options: &Options) -> LoadError {
    Worker::start(file, options).await.unwrap_err()
}

pub(crate) fn folder(script: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tools.sh"), script).unwrap();
    folder
}

/// Patient, because a busy machine is no reason to fail.
pub(crate) fn options() -> Options {
    let mut options = Options::default();
    options.load_timeout = Duration::from_mins(1);
    options.timeout = Duration::from_mins(1);
    options
}

impl Served {
    pub(crate) async fn call(&self, tool: &str) -> Ran {
        self.call_with(tool, b"{}").await
    }

    pub(crate) async fn call_with(&self, tool: &str, arguments: &[u8]) -> Ran {
        self.worker.call(Work::function(tool, arguments), self.stop.subscribe(), ()).await.unwrap()
    }

    /// What it printed, once it returned 0 and complained of nothing.
    pub(crate) async fn said(&self, tool: &str) -> String {
        self.said_with(tool, b"{}").await
    }

    pub(crate) async fn said_with(&self, tool: &str, arguments: &[u8]) -> String {
        let ran = self.call_with(tool, arguments).await;
        assert_eq!(ran.ended, Ended::Returned(0), "{}", text(&ran.stderr));
        assert_eq!(text(&ran.stderr), "");
        text(&ran.stdout.bytes)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits for a file that a function makes.
    pub(crate) async fn marker(&self, name: &str) -> String {
        marker(&self.path(name)).await
    }
}

pub(crate) async fn marker(path: &Path) -> String {
    until(&format!("{} is there", path.display()), || {
        std::fs::read_to_string(path).is_ok_and(|text| text.ends_with('\n'))
    })
    .await;
    std::fs::read_to_string(path).unwrap().trim_end().to_owned()
}

pub(crate) async fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..3_000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("in vain: {what}");
}

/// Waits until the process with this number, as text, is gone.
pub(crate) async fn gone(pid: &str) {
    until(&format!("{pid} is gone"), || !lives(pid)).await;
}

pub(crate) fn lives(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid.trim()));
    status.is_ok_and(|status| !status.contains("State:\tZ") && !status.contains("State:\tX"))
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.into()).unwrap()
}

/// What is attached, as name, type and text.
pub(crate) fn attached(ran: &Ran) -> Vec<(&str, Option<&str>, Option<String>)> {
    let shown = |it: &Attached| it.bytes.as_ref().map(|bytes| text(bytes));
    ran.attached.iter().map(|it| (&*it.name, it.media_type.as_deref(), shown(it))).collect()
}

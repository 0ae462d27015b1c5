//! A copy of the repository in which commands may leave files behind.
//!
//! It always lies at the same path, and its files keep their times, so that cargo builds in it
//! once and then only what changed.

use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::house::House;

/// The longest that one command may take, a first release build included.
const PATIENCE: Duration = Duration::from_mins(10);

pub(crate) struct Scratch {
    root: PathBuf,
    target: PathBuf,
    path: std::ffi::OsString,
}

/// What a command left: what it wrote to stdout and stderr, as it came, and its exit status.
pub(crate) struct Left {
    pub(crate) output: String,
    /// None if a signal ended it.
    pub(crate) exit: Option<i32>,
}

impl Scratch {
    /// Copies every file that git knows or would add, in the place of the last copy.
    pub(crate) fn lay(house: &House, target: &Path) -> Result<Self, String> {
        let root = target.join("commands");
        let failed = |what: &str, cause: io::Error| format!("{what}: {cause}");
        match fs::remove_dir_all(&root) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                return Err(failed("the old scratch copy cannot be removed", cause));
            }
            Ok(()) | Err(_) => {}
        }
        for file in files(house)? {
            copy(&house.root().join(&file), &root.join(&file))
                .map_err(|cause| failed(&format!("{} cannot be copied", file.display()), cause))?;
        }
        let before = std::env::var_os("PATH").unwrap_or_default();
        // Not where the checkout is built: to cargo the copy is the same workspace, and each would
        // be taken for the other, however old it is.
        let target = target.join("commands-target");
        let ours = [target.join("release")];
        let path = std::env::join_paths(ours.into_iter().chain(std::env::split_paths(&before)))
            .map_err(|cause| format!("PATH cannot be extended: {cause}"))?;
        Ok(Self { root, target, path })
    }

    /// Writes a file that a document shows.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(format!("`file={name}` must name a file inside the repository"));
        }
        let path = self.root.join(name);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(|cause| format!("{name} cannot be written: {cause}"))
    }

    /// Runs one command line as a reader would type it, with `candor` on `PATH`.
    pub(crate) fn run(&self, line: &str) -> Result<Left, String> {
        let mut command = Command::new("bash");
        command
            .arg("-c")
            .arg(format!("exec 2>&1\n{line}"))
            .current_dir(&self.root)
            .env("PATH", &self.path)
            .env("CARGO_TARGET_DIR", &self.target)
            // What a document shows is the program's output, not cargo's, and has no colours.
            .env("CARGO_TERM_QUIET", "true")
            .env("CARGO_TERM_COLOR", "never")
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .env_remove("CANDOR_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        // So that what hangs can be ended with everything that it started.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|cause| format!("bash: {cause}"))?;

        let (send, receive) = mpsc::channel();
        if let Some(mut stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut output = Vec::new();
                let read = io::Read::read_to_end(&mut stdout, &mut output).map(|_| output);
                // Nobody listens any more if the command took too long.
                let _ = send.send(read);
            });
        }
        let Ok(read) = receive.recv_timeout(PATIENCE) else {
            let group = format!("-{}", child.id());
            let ended = Command::new("kill").args(["-KILL", "--", &group]).status();
            let _ = child.wait();
            let how = if ended.is_ok_and(|status| status.success()) { "" } else { "not " };
            return Err(format!("took over {} s and was {how}ended", PATIENCE.as_secs()));
        };
        let output = read.map_err(|cause| format!("its output cannot be read: {cause}"))?;
        let status = child.wait().map_err(|cause| format!("bash: {cause}"))?;
        Ok(Left { output: String::from_utf8_lossy(&output).into_owned(), exit: status.code() })
    }
}

/// Tracked files, and new ones that are not ignored: what a commit would hold.
fn files(house: &House) -> Result<Vec<PathBuf>, String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(house.root())
        .output()
        .map_err(|cause| format!("git: {cause}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let names = String::from_utf8(output.stdout).map_err(|cause| format!("git: {cause}"))?;
    let paths = names.split_terminator('\0').map(PathBuf::from);
    // A tracked file may be deleted and not yet committed.
    Ok(paths.filter(|path| house.root().join(path).symlink_metadata().is_ok()).collect())
}

/// Copies contents, permissions and time.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    if from.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(from)?, to);
    }
    fs::copy(from, to)?;
    let modified = from.metadata()?.modified()?;
    File::options().append(true).open(to)?.set_times(FileTimes::new().set_modified(modified))
}

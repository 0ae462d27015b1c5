//! What the tests share: the program, and folders with files to serve.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

use candor_testkit::fold_incidents;
use tempfile::TempDir;

/// A run of the program that is over.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    fn new(output: &Output) -> Self {
        let text = |bytes| fold_incidents(&String::from_utf8_lossy(bytes));
        Self {
            status: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    #[track_caller]
    pub(crate) fn assert(&self, status: i32, stdout: &str, stderr: &str) {
        let expected =
            Self { status: Some(status), stdout: stdout.to_owned(), stderr: stderr.to_owned() };
        assert!(*self == expected, "expected {expected:#?}\ngot {self:#?}");
    }
}

/// The root of the repository, where the examples are.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program in a folder, with nothing on standard input and an environment that says nothing.
pub(crate) fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_candor"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("CANDOR_LOG")
        .env_remove("NO_COLOR")
        .env("COLUMNS", "100")
        .stdin(Stdio::null());
    command
}

/// Runs the program in the root of the repository.
pub(crate) fn candor(arguments: &[&str]) -> Ran {
    run(&mut program(&repository(), arguments))
}

pub(crate) fn run(command: &mut Command) -> Ran {
    Ran::new(&command.output().unwrap())
}

/// A folder with files in it.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn empty() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// With one file, `tools.sh`.
    pub(crate) fn of(tools: &str) -> Self {
        Self::empty().with("tools.sh", tools)
    }

    pub(crate) fn with(self, name: &str, text: &str) -> Self {
        std::fs::write(self.path(name), text).unwrap();
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Waits until a file is there, and gives its text.
    #[track_caller]
    pub(crate) fn wait_for(&self, name: &str) -> String {
        wait(|| std::fs::read_to_string(self.path(name)).ok().filter(|text| text.ends_with('\n')))
    }

    pub(crate) fn program(&self, arguments: &[&str]) -> Command {
        program(self.0.path(), arguments)
    }

    /// Runs the program in this folder, which is called `FOLDER` in what it says.
    pub(crate) fn candor(&self, arguments: &[&str]) -> Ran {
        self.tidy(run(&mut self.program(arguments)))
    }

    pub(crate) fn tidy(&self, ran: Ran) -> Ran {
        let folder = self.0.path().display().to_string();
        let tidy = |text: String| text.replace(&folder, "FOLDER");
        Ran { stdout: tidy(ran.stdout), stderr: tidy(ran.stderr), ..ran }
    }
}

/// Asks again and again, for as long as anything may take on a machine that is busy.
#[track_caller]
pub(crate) fn wait<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "it does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a process is no more.
#[track_caller]
pub(crate) fn wait_for_end(pid: &str) {
    wait(|| {
        let output = Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
        let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        // One that nobody has asked after yet has ended all the same.
        (state.is_empty() || state.starts_with('Z')).then_some(())
    });
}

pub(crate) fn signal(name: &str, child: &Child) {
    let status = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

/// The program, serving; we are its host.
pub(crate) struct Host {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Host {
    pub(crate) fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { input: child.stdin.take(), output, child }
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.input.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    pub(crate) fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        fold_incidents(line.trim_end_matches('\n'))
    }

    #[track_caller]
    pub(crate) fn assert_answers(&mut self, line: &str, answer: &str) {
        self.say(line);
        assert_eq!(self.hear(), answer);
    }

    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// How it ended, and what it had said that was not heard yet.
    pub(crate) fn end(mut self) -> Ran {
        self.hang_up();
        let mut stdout = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut stdout).unwrap();
        let ran = Ran::new(&self.child.wait_with_output().unwrap());
        Ran { stdout: fold_incidents(&stdout), ..ran }
    }
}

//! The program, serving, with the test at the other end of its pipes. No test waits for ever, and
//! nothing that it started outlives it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use candor_testkit::fold_incidents;
use serde_json::Value;

use crate::stage::Folder;

/// As long as anything may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Host {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<String>,
}

impl Host {
    /// Serves `tools.sh` of a folder. The log is the file `log` beside it.
    pub(crate) fn serve(folder: &Folder, options: &[&str]) -> Self {
        let mut command = folder.program(&[&["serve", "tools.sh"], options].concat());
        let log = std::fs::File::create(folder.path("log")).unwrap();
        Self::start(command.stderr(log))
    }

    /// Starts a server whose standard error is wherever the command says.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (hear, heard) = mpsc::channel();
        // All is read at once, so that a server is never kept by a test that is still writing.
        std::thread::spawn(move || {
            for line in output.split(b'\n') {
                let line = String::from_utf8(line.unwrap()).unwrap();
                if hear.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, input, heard }
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn say_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// The next line to the letter; `None` at the end.
    #[track_caller]
    pub(crate) fn hear_exactly(&mut self) -> Option<String> {
        match self.heard.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("the server says nothing"),
        }
    }

    /// The next line, without what no two runs have in common.
    #[track_caller]
    pub(crate) fn hear(&mut self) -> String {
        fold(&self.hear_exactly().expect("the server is still there"))
    }

    #[track_caller]
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.hear()
    }

    /// Says a line, and this comes back before anything else does.
    #[track_caller]
    pub(crate) fn assert_answers(&mut self, line: &str, answer: &str) {
        assert_eq!(self.ask(line), answer, "to {}", &line[..line.len().min(300)]);
    }

    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Hangs up. Gives how it ended, and what it still had to say.
    #[track_caller]
    pub(crate) fn rest(mut self) -> (Option<i32>, Vec<String>) {
        self.hang_up();
        let mut lines = Vec::new();
        while let Some(line) = self.hear_exactly() {
            lines.push(fold(&line));
        }
        (self.child.wait().unwrap().code(), lines)
    }

    /// Hangs up. Nothing more comes, and all is well.
    #[track_caller]
    pub(crate) fn end(self) {
        assert_eq!(self.rest(), (Some(0), Vec::new()));
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // One that has ended is not there to be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder `programs` with programs in it, beside the file.
pub(crate) trait WithProgram {
    fn with_program(self, name: &str, text: &str) -> Self;
}

impl WithProgram for Folder {
    fn with_program(self, name: &str, text: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;

        std::fs::create_dir_all(self.path("programs")).unwrap();
        let name = format!("programs/{name}");
        let folder = self.with(&name, text);
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(&name), executable).unwrap();
        folder
    }
}

/// Writes zeros where no two runs agree, and for fingerprints, which have tests of their own.
pub(crate) fn fold(line: &str) -> String {
    const MARK: &str = "\"fingerprint\":\"";
    let mut folded = fold_incidents(line);
    if let Some(at) = folded.find(MARK).map(|at| at + MARK.len()) {
        folded.replace_range(at..at + 16, "0");
    }
    folded
}

const INFO: &str = r#""io.modelcontextprotocol/serverInfo":{"name":"tools","version":"0.0.0"}"#;

/// The answer to a call that went well.
pub(crate) fn done(id: &str, text: &str) -> String {
    let text = Value::from(text);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":[{{"type":"text","text":{text}}}],"isError":false,"_meta":{{{INFO}}}}}}}"#
    )
}

/// The answer to a call that failed. `failure` begins `dev.candor/failure`: the kind and the retry.
pub(crate) fn failed(id: &str, text: &str, kind: &str, retry: &str) -> String {
    let text = Value::from(text);
    let incident =
        if ["crash", "output"].contains(&kind) { r#","incident":"00000000""# } else { "" };
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":[{{"type":"text","text":{text}}}],"isError":true,"_meta":{{{INFO},"dev.candor/failure":{{"kind":"{kind}","retry":"{retry}","fingerprint":"0"{incident}}}}}}}}}"#
    )
}

/// The answer to a call of a tool that said in its own words that it failed.
pub(crate) fn refused(id: &str, text: &str) -> String {
    failed(id, text, "tool", "no")
}

/// The answer to a call whose arguments do not fit: what is told, and which path breaks which keyword.
pub(crate) fn unfit(id: &str, tool: &str, told: &str, path: &str, keyword: &str) -> String {
    let text = format!(
        "{tool} did not run: 1 argument needs changing.\n{told}\nCorrect it and call again."
    );
    let violations =
        format!(r#""fingerprint":"0","violations":[{{"path":"{path}","keyword":"{keyword}"}}]"#);
    failed(id, &text, "arguments", "with_changes").replace(r#""fingerprint":"0""#, &violations)
}

/// The answer to a call of a tool that broke, after what it had printed.
pub(crate) fn crashed(id: &str, tool: &str, printed: &str) -> String {
    let gap = if printed.is_empty() { "" } else { "\n\n" };
    let text = format!(
        "{printed}{gap}{tool} failed inside the server (incident 00000000). Changing the arguments \
         will not help. It may have taken effect: check before calling it again."
    );
    failed(id, &text, "crash", "unknown_effect")
}

/// The answer to a call of a tool whose time was over, after what it had printed.
pub(crate) fn timed_out(id: &str, tool: &str, printed: &str, after: &str) -> String {
    let gap = if printed.is_empty() { "" } else { "\n\n" };
    let text = format!(
        "{printed}{gap}{tool} did not finish within {after} and was stopped. It may have taken \
         effect: check before calling it again."
    );
    failed(id, &text, "timeout", "unknown_effect")
}

/// The text of the first block of an answer.
#[track_caller]
pub(crate) fn text(answer: &str) -> String {
    let answer: Value = serde_json::from_str(answer).unwrap();
    answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

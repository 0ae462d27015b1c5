//! What a tool says by commands: inside a call, and when its author runs it by hand.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::stage::{Folder, Ran, run};

/// A call that we play the server of: `pipe` is what a tool writes to, `call` its folder.
struct Call {
    folder: Folder,
    pipe: File,
}

impl Call {
    fn begin() -> Self {
        let folder = Folder::empty();
        let made = Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap();
        assert!(made.success());
        // For reading and writing, so that neither end waits for the other.
        let pipe = File::options().read(true).write(true).open(folder.path("pipe")).unwrap();
        Self { folder, pipe }
    }

    /// Runs a line of shell in the folder, as a tool would.
    fn run(&self, line: &str) -> Ran {
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("exec 9>>pipe\n{line}")])
            .current_dir(self.folder.path(""))
            .env("PATH", path())
            .env("CANDOR_FD", "9")
            .env("CANDOR_FOLDER", self.folder.path("call"))
            .env("CANDOR_OUTPUT", "8")
            .stdin(Stdio::null())
            .process_group(0);
        self.folder.tidy(run(&mut bash))
    }

    /// What was said since.
    fn heard(&mut self) -> String {
        self.pipe.write_all(b"end\n").unwrap();
        let mut heard = Vec::new();
        let mut byte = [0];
        while !heard.ends_with(b"end\n") {
            self.pipe.read_exact(&mut byte).unwrap();
            heard.push(byte[0]);
        }
        let heard = String::from_utf8(heard).unwrap();
        heard.strip_suffix("end\n").unwrap().to_owned()
    }

    /// Where a copy is that was heard of.
    fn copy(&self, heard: &str) -> Vec<u8> {
        let name = heard.split(' ').nth(1).unwrap();
        std::fs::read(self.folder.path("call/attached").join(name)).unwrap()
    }
}

/// A search path on which the program is.
fn path() -> String {
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_candor")).parent().unwrap();
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())
}

#[test]
fn each_verb_is_a_line_on_the_channel_of_the_call() {
    let mut call = Call::begin();
    for (line, status, heard) in [
        ("candor progress 1 2 holding seats", 0, "progress 1 2 holding seats\n"),
        ("candor progress 1 'holding  seats'", 0, "progress 1 - holding  seats\n"),
        ("candor progress 0.5", 0, "progress 0.5 - \n"),
        ("candor progress 1 2 -- -x", 0, "progress 1 2 -- -x\n"),
        ("candor log notice -v $'a\\nb\\tc'", 0, "log notice -v a b c\n"),
        ("candor log emergency ''", 0, "log emergency \n"),
        ("candor ask sure:boolean 'Book 8 seats?'", 10, "ask sure:boolean Book 8 seats?\n"),
    ] {
        call.run(line).assert(status, "", "");
        assert_eq!(call.heard(), heard, "{line}");
    }
    assert!(!call.folder.path("call").exists(), "nothing needed a folder");
}

#[test]
fn a_long_text_is_cut_so_that_its_line_is_written_whole() {
    let mut call = Call::begin();
    call.run("text=$(printf '%2000s' x); candor log info \"a$text\"").assert(0, "", "");
    assert_eq!(call.heard(), format!("log info a{}\n", " ".repeat(999)));

    // As much as a pipe holds, and more: whoever writes waits until it is read.
    let writer = std::thread::scope(|scope| {
        let line = "for n in {1..100}; do candor log info \"$(printf %990s x)\"; done";
        let folder = &call.folder;
        let writer = scope.spawn(move || {
            let mut bash = Command::new("bash");
            bash.args(["-c", &format!("exec 9>>pipe\n{line}")]).env("PATH", path());
            run(bash.current_dir(folder.path("")).env("CANDOR_FD", "9").process_group(0))
        });
        let mut heard = vec![0; 100 * 1000];
        call.pipe.read_exact(&mut heard).unwrap();
        assert!(heard.chunks(1000).all(|line| line.ends_with(b"x\n")));
        writer.join().unwrap()
    });
    writer.assert(0, "", "");
}

#[test]
fn a_file_is_copied_before_the_command_ends() {
    let mut call = Call::begin();
    call.run("echo one >'my plot.txt'; candor attach 'my plot.txt'; rm 'my plot.txt'")
        .assert(0, "", "");
    let heard = call.heard();
    assert!(heard.starts_with("attach ") && heard.ends_with(" - my plot.txt\n"), "{heard}");
    assert_eq!(call.copy(&heard), b"one\n");
    let mode = std::fs::metadata(call.folder.path("call")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);

    // Twice the same file is two copies; of one that is too much there is what shows that.
    call.run("printf 1234567890 >a.png; candor attach a.png image/png; candor attach ./a.png");
    let heard = call.heard();
    let (first, second) = heard.split_once('\n').unwrap();
    assert!(first.ends_with(" image/png a.png") && second.ends_with(" - a.png\n"), "{heard}");
    assert_ne!(first.split(' ').nth(1), second.split(' ').nth(1));
    assert_eq!(call.copy(first), b"123456789");
}

#[test]
fn what_cannot_be_attached_is_said_and_sends_nothing() {
    let mut call = Call::begin();
    std::fs::write(call.folder.path("a.png"), "x").unwrap();
    for (line, status, said) in [
        ("candor attach nowhere.png", 1, "attach: nowhere.png is not a file that can be read"),
        ("candor attach .", 1, "attach: . is not a file that can be read"),
        ("candor attach pipe", 1, "attach: pipe is not a file that can be read"),
        ("candor attach a.png png", 2, "attach: \"png\" is no type; write image/png, for example"),
        (
            "CANDOR_FOLDER=nowhere/call candor attach a.png",
            1,
            "nowhere/call cannot be made: No such file or directory (os error 2)",
        ),
        (
            "CANDOR_FOLDER= candor attach a.png",
            1,
            "CANDOR_FOLDER is not set, so there is no place for files",
        ),
        ("CANDOR_OUTPUT=much candor attach a.png", 1, "CANDOR_OUTPUT is no number"),
    ] {
        call.run(line).assert(status, "", &format!("candor: {said}\n"));
        assert_eq!(call.heard(), "", "{line}");
    }
}

#[test]
fn a_folder_that_someone_else_has_put_there_is_not_used() {
    let mut call = Call::begin();
    std::fs::create_dir(call.folder.path("elsewhere")).unwrap();
    symlink(call.folder.path("elsewhere"), call.folder.path("call")).unwrap();

    for line in ["candor temp", "echo x >a; candor attach a"] {
        call.run(line).assert(
            1,
            "",
            "candor: FOLDER/call cannot be made: something else is there\n",
        );
    }
    assert_eq!(call.heard(), "");
    assert_eq!(std::fs::read_dir(call.folder.path("elsewhere")).unwrap().count(), 0);
}

#[test]
fn a_call_has_one_folder_for_itself() {
    let call = Call::begin();
    let line =
        "one=$(candor temp) && other=$(candor temp) && echo x >\"$one/file\" && ls \"$other\"
        echo \"$one\"";
    call.run(line).assert(0, "file\nFOLDER/call/temp\n", "");
}

#[test]
fn a_verb_that_is_misused_says_how_it_is_used() {
    let mut call = Call::begin();
    for (line, said) in [
        (
            "candor progress lots",
            "progress: \"lots\" is not a number; write candor progress 1 3 \"first of three\", for \
             example",
        ),
        ("candor progress", "DONE is missing; candor progress --help says more"),
        (
            "candor log loud text",
            "log: \"loud\" is no level; write debug, info, notice, warning, error, critical, alert \
             or emergency",
        ),
        ("candor log info", "TEXT is missing; candor log --help says more"),
        ("candor attach", "FILE is missing; candor attach --help says more"),
        (
            "candor ask sure Book?",
            "ask: \"sure\" is not KEY:TYPE; write candor ask sure:boolean \"Book 8 seats?\", for \
             example",
        ),
        ("candor ask sure:boolean", "TEXT is missing; candor ask --help says more"),
    ] {
        call.run(line).assert(2, "", &format!("candor: {said}\n"));
        assert_eq!(call.heard(), "", "{line}");
    }
}

#[test]
fn a_server_that_does_not_listen_holds_nobody_up() {
    let call = Call::begin();
    call.run("CANDOR_FD=what candor progress 1").assert(
        1,
        "",
        "candor: CANDOR_FD is what, which is no descriptor\n",
    );
    call.run("CANDOR_FD=77 candor progress 1").assert(
        1,
        "",
        "candor: the server does not hear this: No such file or directory (os error 2)\n",
    );
    // The last reader goes after the tool has begun.
    let Call { folder, pipe } = call;
    assert!(pipe.metadata().unwrap().file_type().is_fifo());
    let mut bash = Command::new("bash");
    let mut child = bash
        .args(["-c", "exec 9>>pipe; echo began; read -r; candor progress 1"])
        .current_dir(folder.path(""))
        .env("PATH", path())
        .env("CANDOR_FD", "9")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 6]).unwrap();
    drop(pipe);
    child.stdin.take().unwrap().write_all(b"\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
        (
            Some(1),
            "candor: the server does not hear this: No such device or address (os error 6)\n"
        )
    );
}

#[test]
fn what_has_the_number_by_chance_is_not_written_to() {
    let call = Call::begin();
    std::fs::write(call.folder.path("mine"), "text\n").unwrap();
    call.run("CANDOR_FD=8 candor progress 1 8>>mine").assert(
        1,
        "",
        "candor: the server does not hear this: something else has its number\n",
    );
    assert_eq!(call.folder.read("mine"), "text\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_closes_what_it_inherits_is_heard_all_the_same() {
    let mut call = Call::begin();
    let line = "exec 3>&9 9>&-; export CANDOR_FD=3
        bash -c 'candor progress 1; :' 3>&-
        bash -c 'candor progress 2 3>mine; :'";
    call.run(line).assert(0, "", "");
    assert_eq!(call.heard(), "progress 1 - \nprogress 2 - \n");
    assert_eq!(call.folder.read("mine"), "");

    // What is outside of the call is not asked.
    call.run("set -m; (exec 9>&-; candor progress 1; exit)").assert(
        1,
        "",
        "candor: the server does not hear this: No such file or directory (os error 2)\n",
    );
    assert_eq!(call.heard(), "");
}

#[test]
fn helpers_of_a_tool_speak_for_it() {
    // `command` passes by the function of the same name that a shell has.
    let folder = Folder::of(
        "# Show.\ntool_show() { printf x >a.png; command candor attach a.png; echo Shown.; }\n\
         # Ask.\ntool_ask() { command candor ask sure:boolean 'Sure?'; }\n\
         # Warn.\ntool_warn() { bash -c 'candor log warning from afar'; }\n",
    );
    let call = |tool: &str| folder.candor(&["call", "tools.sh", tool]);

    call("show").assert(0, "Shown.\n[image, image/png, 1 bytes]\n", "");
    call("warn").assert(0, "", "candor: warning: warn: from afar\n");
    let ran = call("ask");
    assert_eq!(ran.status, Some(1));
    assert!(ran.stdout.contains("an answer from the user to \"Sure?\""), "{}", ran.stdout);
}

/// Runs a line of shell as someone who has started a tool by hand.
fn by_hand(folder: &Folder, line: &str) -> Command {
    let mut bash = Command::new("bash");
    bash.args(["-c", line])
        .current_dir(folder.path(""))
        .env("PATH", path())
        .env("TMPDIR", folder.path(""))
        .stdin(Stdio::null());
    bash
}

#[test]
fn by_hand_a_person_reads_what_a_server_would_hear() {
    let folder = Folder::empty().with("a.png", "12345");
    for (line, said) in [
        ("candor progress 1 2 $'holding\\nseats'", "1 of 2: holding seats\n"),
        ("candor progress 1", "1\n"),
        ("candor log warning it is late", "warning: it is late\n"),
        ("candor attach a.png", "would go with the answer: a.png (5 bytes)\n"),
        ("CANDOR_FD= candor progress 3", "3\n"),
    ] {
        run(&mut by_hand(&folder, line)).assert(0, "", said);
    }
    run(&mut by_hand(&folder, "candor attach nowhere.png")).assert(
        1,
        "",
        "candor: attach: nowhere.png is not a file that can be read\n",
    );
    let line =
        "one=$(candor temp) && [[ -d $one && $one != $(candor temp) ]] && echo \"${one%-*}\"";
    folder.tidy(run(&mut by_hand(&folder, line))).assert(0, "FOLDER/candor\n", "");
    run(&mut by_hand(&folder, "candor ask sure:boolean 'Book 8 seats?'")).assert(
        10,
        "",
        "would ask the user: Book 8 seats?\n",
    );
}

/// Asks someone at a terminal, who types this.
fn typed(line: &str, keys: &str) -> Ran {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let end = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    File::from(terminal.try_clone().unwrap()).write_all(keys.as_bytes()).unwrap();
    let folder = Folder::empty();
    run(by_hand(&folder, line).stdin(end))
}

#[test]
fn by_hand_a_question_is_put_at_the_terminal() {
    typed("candor ask sure:boolean 'Book 8 seats?'", "perhaps\nYes\n").assert(
        0,
        "true\n",
        "Book 8 seats? (yes or no)\nThe answer has to be yes or no.\n",
    );
    typed("candor ask 'row:front|back' 'Which row?'", "back\n").assert(
        0,
        "back\n",
        "Which row? (one of front, back)\n",
    );
    typed("candor ask name:string 'What is your name?'", " Ada Lovelace \n").assert(
        0,
        "Ada Lovelace\n",
        "What is your name?\n",
    );
    typed("candor ask sure:boolean 'Book?'", "\u{4}").assert(
        1,
        "",
        "Book? (yes or no)\nNot done: the user declined.\n",
    );
}

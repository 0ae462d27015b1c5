//! What tools and their children do with the streams that they were born with.

use std::fmt::Write;
use std::process::Stdio;

use candor_testkit::message::{call, modern};

use crate::host::{Host, WithProgram, done};
use crate::stage::{Folder, wait_for_end};

/// B89: one line on standard output that was no message ended the connection. Whatever a file prints
/// while it is read stands in the log, and never among the messages.
#[test]
fn what_a_file_prints_while_it_loads_is_never_among_the_messages() {
    for lines in [1, 100, 100_000] {
        let folder = Folder::of(&format!(
            "printf 'Server mode: STDIO\\n\\n🎉 ready\\n[INFO] {{\"jsonrpc\":\"2.0\"}}\\n'\n\
             yes 'noise 🎉' | head -n {lines}\n\
             # Answer.\ntool_ok() {{ echo ok; }}\n"
        ));
        let mut host = Host::serve(&folder, &[]);
        host.assert_answers(&call("1", "ok", "{}"), &done("1", "ok"));
        host.end();
        let log = folder.read("log");
        let last = "candor: warning: tools.sh said while it was loaded: noise 🎉\n";
        assert!(log.ends_with(last), "{log}");
        // The end of it is enough.
        assert!(log.len() < 1_000_000, "{} bytes", log.len());
    }
}

/// B91: whatever wrote to standard error was taken for broken, or blocked once the pipe was full.
/// A mebibyte of it harms no call, read or not.
#[test]
fn what_is_written_to_standard_error_is_no_failure_and_blocks_nothing() {
    let folder = Folder::of(
        "\
echo 'INFO up and running' >&2
# Warn at length.
tool_warn() { for ((i = 0; i < 16384; i++)); do printf '%-63s\\n' 'WARNING: all is well' >&2; done; echo ok; }
",
    );
    // Nobody reads it.
    let mut host = Host::start(folder.program(&["serve", "-v", "tools.sh"]).stderr(Stdio::piped()));
    for id in ["1", "2", "3"] {
        host.assert_answers(&call(id, "warn", "{}"), &done(id, "ok"));
    }
    host.end();
    let ran = folder.candor(&["call", "-q", "tools.sh", "warn"]);
    ran.assert(0, "ok\n", "");
}

/// B92: a child of a tool inherited standard input, and ate the next request or waited for it. There
/// is nothing on it, for tools and for what stands outside of them.
#[test]
fn nothing_that_a_tool_starts_can_read_the_next_request() {
    let mut tools = String::from("read -r first; echo \"$first\" >first\n");
    let bodies = [
        "cat",
        "read -r line; echo \"$line\"",
        "bash -c 'cat; read -r line'",
        "head -c 100000 </dev/stdin",
        "cat | cat",
        "(cat &) ; wait",
        "command -v python3 >/dev/null && python3 -c 'import sys; print(sys.stdin.read())'",
        "command -v ssh >/dev/null && ssh -o BatchMode=yes -o ConnectTimeout=1 -p 9 127.0.0.1 cat",
        "cat /dev/fd/0; cat <&0",
    ];
    for (number, body) in bodies.iter().enumerate() {
        writeln!(tools, "# Read.\ntool_{number}() {{ {body}; echo over; }} 2>/dev/null").unwrap();
    }
    let folder = Folder::of(&tools);
    let mut host = Host::serve(&folder, &["--in-order"]);
    // All of it is there to be eaten before the first is begun.
    let mut said = String::new();
    for number in 0..bodies.len() {
        writeln!(said, "{}", call(&number.to_string(), &number.to_string(), "{}")).unwrap();
        writeln!(said, "{}", modern(&format!("\"after {number}\""), "nonsense", "")).unwrap();
    }
    host.say_bytes(said.as_bytes());
    for number in 0..bodies.len() {
        let answer = host.hear();
        assert!(
            answer.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{number},"result":"#)),
            "{answer}"
        );
        assert_eq!(crate::host::text(&answer).trim(), "over");
        assert!(host.hear().contains(&format!(r#""id":"after {number}","error""#)));
    }
    host.end();
    assert_eq!(folder.read("first"), "\n");
}

/// B92: a program reads its arguments, and nothing that comes after them.
#[test]
fn a_program_reads_its_arguments_and_no_request() {
    let folder =
        Folder::of("").with_program("read", "#!/bin/bash\n# Read.\ncat; cat; echo ' over'\n");
    let mut host = Host::start(&mut folder.program(&["serve", "--in-order", "programs"]));
    host.say_bytes(
        format!("{}\n{}\n", call("1", "read", r#"{"n":1}"#), call("2", "read", r#"{"n":2}"#))
            .as_bytes(),
    );
    for id in ["1", "2"] {
        let expected = done(id, &format!("{{\"n\":{id}}}\n over"));
        assert_eq!(host.hear(), expected.replace("\"tools\"", "\"programs\""));
    }
    host.end();
}

/// B94: what a child printed late, after the answer of its tool, stood among the messages. It goes
/// nowhere, from a child that is left behind and from one that got away.
#[test]
fn what_is_printed_after_the_answer_goes_nowhere() {
    let folder = Folder::of(
        "\
# Leave a child behind.
tool_leave() { ( trap '' PIPE TERM HUP; echo \"$BASHPID\" >left; until [[ -e go ]]; do sleep 0.01; done; echo late ) & until [[ -s left ]]; do sleep 0.01; done; echo now; }
# Let one get away.
tool_flee() {
  setsid bash -c 'trap \"\" PIPE; echo $$ >fled; until [[ -e go ]]; do sleep 0.01; done; echo late; echo late >/dev/stdout; echo late >&2; echo >over' &
  until [[ -s fled ]]; do sleep 0.01; done
  echo now
}
# Answer.
tool_ok() { echo ok; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(&call("1", "leave", "{}"), &done("1", "now"));
    wait_for_end(&folder.wait_for("left"));
    host.assert_answers(&call("2", "flee", "{}"), &done("2", "now"));
    std::fs::write(folder.path("go"), "").unwrap();
    folder.wait_for("over");
    host.assert_answers(&call("3", "ok", "{}"), &done("3", "ok"));
    wait_for_end(&folder.wait_for("fled"));
    host.end();
}

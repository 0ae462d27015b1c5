//! A tool that fails answers with a result; only what no tool was asked is an error of the
//! protocol.

use candor_testkit::message::call;

use crate::host::{Host, WithProgram, crashed, done, refused, timed_out};
use crate::stage::{Folder, wait_for_end};

/// B01: a failure inside a tool came out as an internal error of the server. However a function
/// fails, the answer is a result, and what it said is its text.
#[test]
fn however_a_function_fails_the_answer_is_a_result_with_its_words() {
    let folder = Folder::of(
        "\
# Return 1.
tool_return() { echo 'No record 404.'; return 1; }
# Exit.
tool_exit() { echo 'No record 404.'; exit 3; }
# Stop at the first command that fails.
tool_errexit() { set -e; echo 'No record 404.'; false; echo 'Found.'; }
# Use a variable that is not there.
tool_unset() { set -u; echo 'No record 404.'; echo \"$nothing\"; }
# Fail in a child.
tool_child() { bash -c 'echo No record 404.; exit 7'; }
# Divide by zero.
tool_divide() { echo 'No record 404.'; echo $((1 / 0)); }
# Be killed.
tool_killed() { echo 'No record 404.'; kill -KILL \"$BASHPID\"; }
# Run what is not there.
tool_missing() { echo 'No record 404.'; no_such_command; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    for tool in ["return", "exit", "errexit", "unset", "child", "divide"] {
        host.assert_answers(&call("4", tool, r#"{"id":404}"#), &refused("4", "No record 404."));
    }
    for tool in ["killed", "missing"] {
        host.assert_answers(
            &call("4", tool, r#"{"id":404}"#),
            &crashed("4", tool, "No record 404."),
        );
    }
    host.end();
}

/// B01: a program that ends with a status of its own is a tool that fails like any other.
#[test]
fn a_program_that_fails_answers_with_a_result() {
    let folder = Folder::of("").with_program(
        "fetch",
        "#!/bin/bash\n# Fetch.\necho 'No record 404.'; echo Traceback >&2; exit 3\n",
    );
    let mut host = Host::start(&mut folder.program(&["serve", "-q", "programs"]));
    host.assert_answers(
        &call("4", "fetch", r#"{"id":404}"#),
        &refused("4", "No record 404.").replace("\"tools\"", "\"programs\""),
    );
    host.end();
}

/// B05: what a call ran on died or hung, and the answer was a shape that nobody could read, or none.
/// One answer comes, with the id; it names the tool and says that the effect is unknown.
#[test]
fn whatever_becomes_of_the_process_of_a_call_it_is_answered_once() {
    let folder = Folder::of(
        "\
echo \"$$\" >shell
# Wait.
tool_wait() { echo half; echo \"$BASHPID\" >began; sleep 1000; }
# Answer.
tool_ok() { echo ok; }
",
    );
    let mut host = Host::serve(&folder, &["--timeout", "2s"]);

    // Killed in the middle of a call.
    host.say(&call("\"a\"", "wait", "{}"));
    kill(&folder.wait_for("began"));
    assert_eq!(host.hear(), crashed("\"a\"", "wait", "half"));

    // Killed before a call: another shell takes it.
    let shell = folder.wait_for("shell");
    kill(&shell);
    wait_for_end(&shell);
    host.assert_answers(&call("2", "ok", "{}"), &done("2", "ok"));

    // Beyond its time.
    host.assert_answers(&call("3", "wait", "{}"), &timed_out("3", "wait", "half", "2 s"));
    host.end();
}

fn kill(pid: &str) {
    let status = std::process::Command::new("kill").args(["-KILL", pid.trim()]).status();
    assert!(status.unwrap().success());
}

//! Arguments in the shapes in which they are really sent.

use candor_testkit::message::{call, modern, refusal};

use crate::host::{Host, done};
use crate::stage::Folder;

const TOOLS: &str = "\
# Run, and say what came.
tool_run() { echo ran >>ran; printf %s \"$1\"; }
";

/// B152: a client left the arguments out, and the tool that takes none was not called. Left out, null
/// and empty are the same.
#[test]
fn arguments_that_are_left_out_or_null_are_an_empty_object() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(&modern("1", "tools/call", r#""name":"run""#), &done("1", "{}"));
    host.assert_answers(&call("2", "run", "{}"), &done("2", "{}"));
    host.assert_answers(&call("3", "run", "null"), &done("3", "{}"));
    host.end();
    folder.candor(&["call", "tools.sh", "run"]).assert(0, "{}\n", "");
    assert_eq!(folder.read("ran"), "ran\n".repeat(4));
}

/// B153: arguments that were no object became an empty one, and the tool ran. The request is refused,
/// and nothing runs.
#[test]
fn arguments_that_are_no_object_are_refused_and_nothing_runs() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    let reason = "Invalid params: `arguments` must be an object";
    for arguments in ["[]", "5", "true", "false", "0.5", "[{}]"] {
        host.assert_answers(&call("1", "run", arguments), &refusal(Some("1"), -32602, reason));
    }
    host.end();
    assert!(!folder.path("ran").exists());
}

/// B154: a client wrote the arguments as a string that holds JSON, and the server took the blame. It
/// is refused, and told what it has sent.
#[test]
fn arguments_that_are_a_string_are_told_so() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    let reason = "Invalid params: `arguments` must be an object, not a string that holds one";
    host.assert_answers(
        &call("1", "run", r#""{\"host\":\"localhost\"}""#),
        &refusal(Some("1"), -32602, reason),
    );
    host.end();
    folder.candor(&["call", "tools.sh", "run", "--arguments", r#""{}""#]).assert(
        3,
        "",
        &format!("protocol error -32602: the host has to repair this: {reason}\n"),
    );
    assert!(!folder.path("ran").exists());
}

//! Calls that come again, and calls that must not.

use candor_testkit::message::call;

use crate::host::{Host, crashed, done};
use crate::stage::{Folder, wait_for_end};

/// B121: the same call again and again was judged a loop, though each answer was another. Nothing
/// counts calls that go well.
#[test]
fn the_same_call_may_come_as_often_as_it_goes_well() {
    let folder =
        Folder::of("# Count.\ntool_count() { echo x >>count; wc -l <count | tr -d ' '; }\n");
    let mut host = Host::serve(&folder, &[]);
    for n in 1..=30 {
        host.assert_answers(&call("1", "count", "{}"), &done("1", &n.to_string()));
    }
    host.end();
}

/// B122: one call was sent twice, and whoever merged them without a word guessed. Two requests with
/// ids of their own are two calls.
#[test]
fn two_requests_that_are_alike_are_two_calls() {
    let folder = Folder::of("# Count.\ntool_count() { echo x >>count; echo counted; }\n");
    let mut host = Host::serve(&folder, &[]);
    host.say_bytes(
        format!("{}\n{}\n", call("1", "count", "{}"), call("2", "count", "{}")).as_bytes(),
    );
    let mut answers = [host.hear(), host.hear()];
    answers.sort();
    assert_eq!(answers, [done("1", "counted"), done("2", "counted")]);
    host.end();
    assert_eq!(folder.read("count"), "x\nx\n");
}

/// B123: a call whose answer was lost was sent again, and written twice. Nothing is run a second time
/// by itself, and who is answered reads that it may have taken effect.
#[test]
fn a_call_whose_answer_is_lost_is_not_run_again() {
    let folder = Folder::of(
        "\
# Write, and take the shell along.
tool_write() { echo x >>count; kill -KILL \"$$\"; kill -KILL \"$BASHPID\"; }
# Write, and go on.
tool_go_on() { echo x >>count; echo \"$BASHPID\" >began; sleep 1000; }
# Answer.
tool_ok() { echo ok; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(&call("1", "write", "{}"), &crashed("1", "write", ""));
    host.assert_answers(&call("2", "ok", "{}"), &done("2", "ok"));
    assert_eq!(folder.read("count"), "x\n");

    // The connection is cut while it runs.
    host.say(&call("3", "go_on", "{}"));
    let began = folder.wait_for("began");
    drop(host);
    wait_for_end(&began);
    assert_eq!(folder.read("count"), "x\nx\n");

    let ran = folder.candor(&["call", "-q", "tools.sh", "write"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("same call again: unknown_effect"), "{}", ran.stderr);
    assert_eq!(folder.read("count"), "x\nx\nx\n");
}

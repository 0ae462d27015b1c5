//! Whether a call failed is what the tool says by its status, never what its words look like.

use candor_testkit::message::call;

use crate::host::{Host, done, refused};
use crate::stage::Folder;

/// Texts that look like failures, and must not be read.
const TEXTS: [&str; 5] = [
    r#"{"success":false,"error_code":"SQL_ERROR","error":"no such table"}"#,
    "ServiceList error: 'NoneType' object has no attribute 'strip'",
    r#"{"status":"error","reason":"1 validation error for WorkLifecycle"}"#,
    r#"{"status":"error","reason":"falta el campo «nombre»"}"#,
    r#"{"status":"error","reason":"名前がありません"}"#,
];

fn says(text: &str) -> Folder {
    let tools = "\
# Say it, and that all is well.
tool_well() { cat text; }
# Say it, and that it failed.
tool_badly() { cat text; return 1; }
";
    Folder::of(tools).with("text", text)
}

/// B08: a failure was told in the body alone, and the flag never set. The flag is the status of the
/// function, and the body is left as it is.
/// B11: what failed was found out by looking for English words. The language makes no difference.
#[test]
fn the_status_says_whether_it_failed_in_any_language_and_the_text_is_left_alone() {
    for text in TEXTS {
        let folder = says(text);
        let mut host = Host::serve(&folder, &[]);
        host.assert_answers(&call("1", "badly", "{}"), &refused("1", text));
        host.assert_answers(&call("2", "well", "{}"), &done("2", text));
        host.end();
    }
}

/// B10: the same failure came out in three shapes, one for each tool. It has one shape, whichever
/// way a tool takes to say it.
#[test]
fn the_same_failure_has_the_same_shape_in_every_tool() {
    let folder = Folder::of(
        "\
fail() { echo 'No such table.'; return 1; }
# One.
tool_a() { fail; }
# Two.
tool_b() { fail || exit 2; }
# Three.
tool_c() { echo 'No such table.' >&2; false; }
# Four.
tool_d() ( set -e; fail; echo found )
# Five.
tool_e() { bash -c 'echo No such table.; exit 9'; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    for tool in ["a", "b", "c", "d", "e"] {
        host.assert_answers(&call("1", tool, "{}"), &refused("1", "No such table."));
    }
    host.end();
}

/// B13: a status that is no failure, such as that of a search without a match, was taken for one, or
/// all failures for none. Any status but 0 is a failure that keeps what was printed, and an author
/// has a way to say that one is an answer.
#[test]
fn a_status_is_a_failure_unless_the_author_says_that_it_is_an_answer() {
    let folder = Folder::of(
        "\
# Count.
tool_count() { grep -c foo /dev/null; }
# Complain.
tool_bad() { printf 'bad\\n'; return 1; }
# Leave.
tool_leave() { exit 2; }
# Count, and take no match for an answer.
tool_counted() { grep -c foo /dev/null || return 0; }
# Count, and take no match for an answer, but not what else may happen.
tool_counted_there() { grep -c foo /dev/null || [[ $? == 1 ]]; }
# The same where there is nothing to be read.
tool_counted_nowhere() { grep -c foo nowhere 2>/dev/null || [[ $? == 1 ]]; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(&call("1", "count", "{}"), &refused("1", "0"));
    host.assert_answers(&call("2", "bad", "{}"), &refused("2", "bad"));
    host.assert_answers(
        &call("3", "leave", "{}"),
        &refused("3", "Tool 'leave' failed with exit status 2"),
    );
    host.assert_answers(&call("4", "counted", "{}"), &done("4", "0"));
    host.assert_answers(&call("5", "counted_there", "{}"), &done("5", "0"));
    host.assert_answers(
        &call("6", "counted_nowhere", "{}"),
        &refused("6", "Tool 'counted_nowhere' failed with exit status 1"),
    );
    host.end();
}

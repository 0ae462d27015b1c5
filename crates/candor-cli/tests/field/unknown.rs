//! A tool that is not there.

use candor_testkit::message::{bare_call, call, initialize, modern, refusal};

use crate::host::{Host, refused};
use crate::stage::Folder;

const TOOLS: &str = "\
# Run.
tool_run() { echo ran >ran; }
# Find nothing.
tool_find() { echo \"MCP error -32602: Tool draft not found\"; return 1; }
";

/// B15: an unknown tool was a result, with the error of the protocol as its text. It is an error of
/// the protocol with the id of the request, whatever the name is, and nothing runs.
#[test]
fn an_unknown_tool_is_invalid_params_whatever_its_name_is() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    let long = "x".repeat(200);
    let longer = "x".repeat(201);
    for (name, told) in [
        ("draft", "draft"),
        ("", ""),
        ("RUN", "RUN"),
        ("tool_run", "tool_run"),
        (" run", " run"),
        ("run; touch ran", "run; touch ran"),
        (r"run\nrun", "run run"),
        ("🎉", "🎉"),
        (&long, &long),
        (&longer, &format!("{long}…")),
    ] {
        host.assert_answers(
            &call("\"3\"", name, "{}"),
            &refusal(Some("\"3\""), -32602, &format!("Unknown tool: {told}")),
        );
    }
    assert!(!folder.path("ran").exists());
    host.end();
}

/// B16: whether a tool is known was told from the text of an answer. A tool that is listed and says
/// that something was not found has failed as any other.
#[test]
fn a_tool_that_speaks_of_an_unknown_tool_is_a_known_one() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(
        &call("1", "find", "{}"),
        &refused("1", "MCP error -32602: Tool draft not found"),
    );
    host.end();
}

/// B17: an unknown tool was a method not found, as if there were no tools at all. That code is for
/// methods only.
#[test]
fn a_method_that_is_not_found_is_never_a_tool() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(
        &call("1", "draft", "{}"),
        &refusal(Some("1"), -32602, "Unknown tool: draft"),
    );
    host.assert_answers(
        &modern("2", "tools/draft", ""),
        &refusal(Some("2"), -32601, "Method not found: tools/draft"),
    );
    host.end();
}

/// B19: a tool that was hidden read otherwise than one that never was, so that its name could be
/// guessed. To the letter they read the same, in either era.
#[test]
fn a_tool_that_is_hidden_reads_to_the_letter_like_one_that_never_was() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &["--only", "find"]);
    let modern = host.ask(&call("1", "run", "{}"));
    assert_eq!(modern, refusal(Some("1"), -32602, "Unknown tool: run"));
    assert_eq!(host.ask(&call("1", "ran", "{}")).replace("ran", "run"), modern);

    host.ask(&initialize("1", "2025-06-18"));
    let legacy = host.ask(&bare_call("1", "run", "{}"));
    assert_eq!(legacy, refusal(Some("1"), -32602, "Unknown tool: run"));
    assert_eq!(host.ask(&bare_call("1", "ran", "{}")).replace("ran", "run"), legacy);
    assert!(!folder.path("ran").exists());
    host.end();
}

//! Tools that promise structure.

use candor_testkit::message::call;

use crate::host::{Host, failed, refused};
use crate::stage::Folder;

const LIST: &str = r#"{"tools":[
  {"name":"find","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}},
  {"name":"talk","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}
]}"#;

const TOOLS: &str = "\
MCP_TOOLS_LIST_FILE=list.json
tool_find() { echo 'There is no film 7. Send the id of a film, from get_movies.'; return 1; }
tool_talk() { echo 'All is well.'; echo ran >>ran; }
";

/// B50: a tool with an output schema could not say that it found nothing: its sentence was replaced
/// by one about missing structure. Its sentence is kept, and no structure is asked of a failure.
#[test]
fn a_tool_that_promises_structure_fails_in_its_own_words() {
    let folder = Folder::of(TOOLS).with("list.json", LIST);
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(
        &call("1", "find", r#"{"id":7}"#),
        &refused("1", "There is no film 7. Send the id of a film, from get_movies."),
    );
    host.end();
}

/// B56: a tool promised structure, gave none, and that passed for valid. It has finished with a
/// broken answer, and what it printed is kept.
#[test]
fn a_promise_of_structure_that_is_not_kept_is_a_failure() {
    let folder = Folder::of(TOOLS).with("list.json", LIST);
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(
        &call("1", "talk", "{}"),
        &failed(
            "1",
            "All is well.\n\ntalk finished, but its answer is not what it promises (incident \
             00000000). Changing the arguments will not help. It may have taken effect: check \
             before calling it again.",
            "output",
            "unknown_effect",
        ),
    );
    assert_eq!(folder.read("ran"), "ran\n");
    host.end();
}

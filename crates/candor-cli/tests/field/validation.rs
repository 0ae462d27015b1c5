//! Arguments that a tool cannot take: on which channel, and in which words.

use candor_testkit::message::{bare_call, call, initialize};

use crate::host::{Host, unfit};
use crate::stage::Folder;

const LIST: &str = r#"{"tools":[{"name":"search","inputSchema":{
  "type":"object",
  "properties":{
    "query":{"type":"string"},
    "tags":{"type":"array","items":{"type":"string"},"minItems":1},
    "ecosystem":{"enum":["npm","cargo"]},
    "limit":{"type":"integer","minimum":1,"maximum":50},
    "level":{"anyOf":[{"enum":["auto","none"]},{"const":false},{"type":"object","properties":{"level":{"type":"string"}}}]}
  },
  "required":["query"],
  "additionalProperties":false
}}]}"#;

const TOOLS: &str = "MCP_TOOLS_LIST_FILE=list.json\ntool_search() { echo ran >>ran; }\n";

fn folder() -> Folder {
    Folder::of(TOOLS).with("list.json", LIST)
}

/// Arguments, what is told of them, and which path breaks which keyword.
const UNFIT: [(&str, &str, &str, &str); 9] = [
    ("{}", "query: is missing. Add a string.", "query", "required"),
    (r#"{"query":null}"#, "query: must be a string. Got null.", "query", "type"),
    (r#"{"query":5}"#, "query: must be a string. Got 5. Send \"5\", in quotes.", "query", "type"),
    (r#"{"query":[]}"#, "query: must be a string. Got an empty array.", "query", "type"),
    (r#"{"query":{}}"#, "query: must be a string. Got an empty object.", "query", "type"),
    (r#"{"query":"x","tags":[]}"#, "tags: needs at least 1 entry. Got none.", "tags", "minItems"),
    (
        r#"{"query":"x","ecosystem":"TODO"}"#,
        "ecosystem: must be one of npm, cargo. Got \"TODO\".",
        "ecosystem",
        "enum",
    ),
    (r#"{"query":"x","limit":51}"#, "limit: must be at most 50. Got 51.", "limit", "maximum"),
    (r#"{"query":"x","limit":0}"#, "limit: must be at least 1. Got 0.", "limit", "minimum"),
];

/// B03: what was missing, empty or unknown came out as a crash of the server. It is told to the model,
/// with the name of the argument, and nothing runs.
/// B21: what could not be read as the tool's own type left as an error of the protocol, which no model
/// reads. It is told what must be, and what came.
/// B27: the rule that was broken was known, and only prose was kept. Its path and its keyword stand
/// beside the text.
#[test]
fn arguments_that_do_not_fit_are_told_to_the_model_and_nothing_runs() {
    let folder = folder();
    let mut host = Host::serve(&folder, &[]);
    for (arguments, told, path, keyword) in UNFIT {
        host.assert_answers(
            &call("1", "search", arguments),
            &unfit("1", "search", told, path, keyword),
        );
    }
    host.end();
    assert!(!folder.path("ran").exists());
}

/// B22: an argument that nobody knows was an error with code 0 and the words of a decoder. It is named,
/// and so are those that there are.
#[test]
fn an_argument_that_nobody_knows_is_named_beside_those_that_there_are() {
    let folder = folder();
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(
        &call("1", "search", r#"{"query":"x","foobar":1}"#),
        &unfit(
            "1",
            "search",
            "foobar: is not a parameter of search. Remove it. It takes query, tags, ecosystem, \
             limit, level.",
            "foobar",
            "additionalProperties",
        ),
    );
    host.end();
    assert!(!folder.path("ran").exists());
}

/// B25: a value that fits no branch of a union got a message for each branch, and none said what had
/// come. One line says what came, what may come, and how to send it.
#[test]
fn a_value_that_fits_no_branch_gets_one_line() {
    let folder = folder();
    let mut host = Host::serve(&folder, &[]);
    let told = "level: must be one of auto, none, false or an object. Got a string that holds JSON. \
                Send the object itself, without quotes around it.";
    assert!(told.len() <= 300);
    host.assert_answers(
        &call("1", "search", r#"{"query":"x","level":"{\"level\":\"checked\"}"}"#),
        &unfit("1", "search", told, "level", "anyOf"),
    );
    host.end();
    assert!(!folder.path("ran").exists());
}

/// B28: with a new revision arguments that do not fit moved to the other channel. They are on the same
/// one, in the same words, in every revision.
#[test]
fn arguments_that_do_not_fit_are_on_the_same_channel_in_every_revision() {
    let folder = folder();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut host = Host::serve(&folder, &[]);
        host.ask(&initialize("1", version));
        for (arguments, told, path, keyword) in UNFIT {
            let modern = unfit("2", "search", told, path, keyword);
            let legacy = modern.replace(r#""resultType":"complete","#, "").replace(
                r#""io.modelcontextprotocol/serverInfo":{"name":"tools","version":"0.0.0"},"#,
                "",
            );
            host.assert_answers(&call("2", "search", arguments), &modern);
            host.assert_answers(&bare_call("2", "search", arguments), &legacy);
        }
        host.end();
    }
    assert!(!folder.path("ran").exists());
}

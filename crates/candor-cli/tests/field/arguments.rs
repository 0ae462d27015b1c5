//! Arguments in the shapes in which they are really sent.

use candor_testkit::message::{call, modern, refusal};

use crate::host::{Host, done, unfit};
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

/// What is written where is told by its arguments.
const EXPORT: &str = "\
MCP_TOOLS_LIST_FILE=list.json
tool_export() { echo ran >>ran; printf %s \"$1\"; }
tool_open() { printf %s \"$1\"; }
";

const LIST: &str = r#"{"tools":[
  {"name":"export","inputSchema":{"type":"object","properties":{
    "vault_dir":{"type":"string"},
    "maxDepth":{"type":"integer"},
    "country":{"type":"string"},
    "anything":{"type":["string","null"]}
  },"additionalProperties":false}},
  {"name":"open","inputSchema":{"type":"object","properties":{"maxDepth":{"type":"integer"}}}}
]}"#;

fn export() -> Folder {
    Folder::of(EXPORT).with("list.json", LIST)
}

/// B150: numbers came as texts, and each server had its own way to read them. They are told how to be
/// written, and a number that is whole is an integer however it is written.
#[test]
fn a_number_in_quotes_is_told_how_to_be_written() {
    let folder = export();
    let mut host = Host::serve(&folder, &[]);
    for (sent, fix) in [
        ("12345", "Send 12345 without quotes."),
        ("3", "Send 3 without quotes."),
        (" 5", "Send 5 without quotes."),
        ("5.0", "Send 5 without quotes."),
        ("1e3", "Send 1000 without quotes."),
        ("0x10", "Send a number."),
        ("5a", "Send a number."),
    ] {
        let told = format!("maxDepth: must be an integer. Got the string \"{sent}\". {fix}");
        host.assert_answers(
            &call("1", "export", &format!(r#"{{"maxDepth":"{sent}"}}"#)),
            &unfit("1", "export", &told, "maxDepth", "type"),
        );
    }
    assert!(!folder.path("ran").exists());
    for whole in [r#"{"maxDepth":5.0}"#, r#"{"maxDepth":1e3}"#] {
        host.assert_answers(&call("2", "export", whole), &done("2", whole));
    }
    host.end();
}

/// B155: null came for what may be left out. Where it is no value, it is told to be left out; where it
/// is one, it is kept.
#[test]
fn null_for_what_may_be_left_out_is_told_so() {
    let folder = export();
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(
        &call("1", "export", r#"{"country":null}"#),
        &unfit(
            "1",
            "export",
            "country: must be a string. Got null. Leave it out.",
            "country",
            "type",
        ),
    );
    assert!(!folder.path("ran").exists());
    host.assert_answers(
        &call("2", "export", r#"{"anything":null}"#),
        &done("2", r#"{"anything":null}"#),
    );
    host.end();
}

/// B156: a misspelt name was ignored, and a plausible answer came. A tool whose arguments are closed
/// says which name is meant; one that takes any gets it as it was sent.
#[test]
fn a_misspelt_name_is_told_which_is_meant() {
    let folder = export();
    let mut host = Host::serve(&folder, &[]);
    let told = "depth: is not a parameter of export. Did you mean maxDepth? It takes vault_dir, \
                maxDepth, country, anything.";
    host.assert_answers(
        &call("1", "export", r#"{"depth":3}"#),
        &unfit("1", "export", told, "depth", "additionalProperties"),
    );
    assert!(!folder.path("ran").exists());
    host.assert_answers(&call("2", "open", r#"{"depth":3}"#), &done("2", r#"{"depth":3}"#));
    host.end();
}

/// B159: a folder of the wrong type became a default, and the wrong place was written. Nothing is
/// written.
#[test]
fn a_value_of_the_wrong_type_is_no_default() {
    let folder = export();
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(
        &call("1", "export", r#"{"vault_dir":5}"#),
        &unfit(
            "1",
            "export",
            "vault_dir: must be a string. Got 5. Send \"5\", in quotes.",
            "vault_dir",
            "type",
        ),
    );
    host.end();
    assert!(!folder.path("ran").exists());
}

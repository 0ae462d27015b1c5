//! What a failure says: enough, once, and nothing of what is inside.

use candor_testkit::message::call;

use crate::host::{Host, refused, text};
use crate::stage::Folder;

/// B68: all that was said was that an error had occurred, so the same call came again. What the
/// caller can mend is said in full; for the rest there is a reference, and one line of the log has it.
#[test]
fn what_is_not_told_is_found_in_the_log_by_its_reference() {
    let folder = Folder::of(
        "\
# Refuse.
tool_refuse() { echo 'age: is missing. Add a whole number, for example \"age\": 21.'; return 1; }
# Break.
tool_break() { no_such_command --key canary; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(
        &call("1", "refuse", "{}"),
        &refused("1", "age: is missing. Add a whole number, for example \"age\": 21."),
    );
    let mut references = Vec::new();
    for id in ["2", "3"] {
        host.say(&call(id, "break", "{}"));
        let told = text(&host.hear_exactly().unwrap());
        let (before, reference) = told.split_once("(incident ").unwrap();
        assert_eq!(before, "break failed inside the server ");
        references.push(reference[..8].to_owned());
    }
    host.end();
    let log = folder.read("log");
    for reference in &references {
        let lines = log.lines().filter(|line| line.contains(reference.as_str())).count();
        assert_eq!(lines, 1, "{log}");
    }
    assert_ne!(references[0], references[1]);
}

/// B65: the words of an unexpected failure went out as they were. What a tool that broke has written
/// to standard error is for the log.
#[test]
fn what_broke_inside_a_tool_stays_inside() {
    let folder = Folder::of(
        "\
# Break.
tool_break() { echo 'undefined method canary for class Tools::X' >&2; no_such_canary; }
# Be killed.
tool_die() { echo 'key=canary' >&2; kill -SEGV \"$BASHPID\"; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    for tool in ["break", "die"] {
        let answer = host.ask(&call("1", tool, "{}"));
        assert_eq!(answer, crate::host::crashed("1", tool, ""));
        assert!(!answer.contains("canary"));
    }
    host.end();
    assert!(folder.read("log").contains("undefined method canary"));
}

/// B70: each layer put its own prefix before a message, and a reader saw three. Words are passed on
/// as they came, and what is added stands elsewhere.
#[test]
fn no_prefix_is_put_before_words() {
    let said = "MCP error -32602: MCP error -32602: No film 7.";
    let folder = Folder::of(&format!("# Fail.\ntool_fail() {{ echo '{said}'; return 1; }}\n"));
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(&call("1", "fail", "{}"), &refused("1", said));
    host.end();
    folder.candor(&["call", "tools.sh", "fail"]).assert(
        1,
        &format!("{said}\n"),
        "tool error: the model can act on this (kind tool, same call again: no)\n",
    );
}

/// B73: a failure was cleaned until nothing was left to act on. What names the caller's own mistake
/// is kept.
#[test]
fn what_the_caller_can_act_on_is_kept() {
    let said = "Invalid object name 'NonexistentTable'.";
    let folder = Folder::of(&format!(
        "# Fail.\ntool_out() {{ echo \"{said}\"; return 1; }}\n\
         # Fail, and say it elsewhere.\ntool_err() {{ echo \"{said}\" >&2; return 1; }}\n"
    ));
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(&call("1", "out", "{}"), &refused("1", said));
    host.assert_answers(&call("2", "err", "{}"), &refused("2", said));
    host.end();
}

/// B74: the same sentence came ten times, without saying where. It comes once, with the name, the
/// place, and how many more there are.
#[test]
fn what_is_wrong_in_many_places_is_said_once() {
    let list = r#"{"tools":[{"name":"many","inputSchema":{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"a":{}},"additionalProperties":false}}}}}]}"#;
    let folder = Folder::of("MCP_TOOLS_LIST_FILE=list.json\ntool_many() { echo ran >ran; }\n")
        .with("list.json", list);
    let mut host = Host::serve(&folder, &[]);
    let items = [r#"{"x":1}"#; 10].join(",");
    let answer = host.ask(&call("1", "many", &format!(r#"{{"items":[{items}]}}"#)));
    assert_eq!(
        text(&answer),
        "many did not run: 10 arguments need changing.\n\
         items[0].x: is not known here. Remove it. Known here: a. The same holds for items[1].x, \
         items[2].x, items[3].x and 6 more.\n\
         Correct all of them in one call."
    );
    assert!(answer.contains(r#""isError":true"#), "{answer}");
    host.end();
    assert!(!folder.path("ran").exists());
}

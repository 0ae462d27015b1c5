//! Tools that promise structure.

use candor_testkit::message::call;

use crate::host::{Host, failed, refused, unfit};
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

/// B52: a null in an answer became a dump of a validator, in the language of the machine. The model
/// reads one sentence, in any language of the machine; the log has where, and no more than it takes.
#[test]
fn an_answer_that_does_not_fit_is_one_sentence_in_every_locale() {
    let properties: Vec<_> = (0..50).map(|n| format!("\"d{n}\":{{\"type\":\"string\"}}")).collect();
    let list = format!(
        r#"{{"tools":[{{"name":"talk","inputSchema":{{"type":"object","properties":{{"n":{{"type":"integer"}}}}}},"outputSchema":{{"type":"object","properties":{{{}}}}}}}]}}"#,
        properties.join(",")
    );
    let nulls: Vec<_> = (0..50).map(|n| format!("\"d{n}\":null")).collect();
    let answer = format!("{{{}}}", nulls.join(","));
    let tools = format!("MCP_TOOLS_LIST_FILE=list.json\ntool_talk() {{ printf %s '{answer}'; }}\n");
    let folder = Folder::of(&tools).with("list.json", &list);
    for locale in ["C", "fr_FR.UTF-8", "ja_JP.UTF-8"] {
        let mut command = folder.program(&["serve", "--log", "my.log", "tools.sh"]);
        let mut host = Host::start(
            command.env("LANG", locale).env("LC_ALL", locale).stderr(std::process::Stdio::null()),
        );
        host.assert_answers(
            &call("1", "talk", "{}"),
            &failed(
                "1",
                &format!(
                    "{answer}\n\ntalk finished, but its answer is not what it promises (incident \
                     00000000). Changing the arguments will not help. It may have taken effect: \
                     check before calling it again."
                ),
                "output",
                "unknown_effect",
            ),
        );
        host.assert_answers(
            &call("2", "talk", r#"{"n":"x"}"#),
            &unfit(
                "2",
                "talk",
                "n: must be an integer. Got the string \"x\". Send a number.",
                "n",
                "type",
            ),
        );
        host.end();
        let log = folder.read("my.log");
        assert!(log.contains("d0 breaks `type`"), "{log}");
        assert!(log.matches("breaks").count() <= 5, "{log}");
        std::fs::remove_file(folder.path("my.log")).unwrap();
    }
}

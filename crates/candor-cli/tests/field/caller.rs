//! What a caller makes of a failure.

use candor_testkit::message::call;

use crate::host::{Host, done, refused};
use crate::stage::{Folder, repository};

const TOOLS: &str = "\
# Find it.
tool_find() { echo 'no such file'; }
# Find nothing.
tool_miss() { echo 'no such file'; return 1; }
";

/// B31: one failure of three calls at once took the other two along. Each call has its own outcome, and
/// one that said nothing is spoken for.
#[test]
fn each_of_several_calls_has_an_outcome_of_its_own() {
    let folder =
        Folder::of(&format!("{TOOLS}# Fail without a word.\ntool_mute() {{ return 9; }}\n"));
    let mut host = Host::serve(&folder, &[]);
    for (id, tool) in [("1", "find"), ("2", "miss"), ("3", "mute"), ("4", "find")] {
        host.say(&call(id, tool, "{}"));
    }
    let mut answers: Vec<_> = (0..4).map(|_| host.hear()).collect();
    answers.sort();
    assert_eq!(
        answers,
        [
            done("1", "no such file"),
            refused("2", "no such file"),
            refused("3", "Tool 'mute' failed with exit status 9"),
            done("4", "no such file"),
        ]
    );
    host.end();
}

/// B36: a step of a workflow was green although its tool had failed. A script sees the failure by
/// the status, without reading anything.
#[test]
fn a_script_does_not_go_on_after_a_tool_that_failed() {
    let folder = Folder::of(TOOLS);
    let script = "set -e; for tool in find miss find; do \"$0\" call tools.sh \"$tool\"; done";
    let mut bash = std::process::Command::new("bash");
    bash.args(["-c", script, env!("CARGO_BIN_EXE_candor")]).current_dir(folder.path(""));

    crate::stage::run(&mut bash).assert(
        1,
        "no such file\nno such file\n",
        "tool error: the model can act on this (kind tool, same call again: no)\n",
    );
}

/// B38: a success was unwrapped and a failure was the whole result as JSON. Both are the text of the
/// tool.
#[test]
fn a_failure_is_unwrapped_like_a_success() {
    let folder = Folder::of(TOOLS);
    folder.candor(&["call", "tools.sh", "find"]).assert(0, "no such file\n", "");
    folder.candor(&["call", "tools.sh", "miss"]).assert(
        1,
        "no such file\n",
        "tool error: the model can act on this (kind tool, same call again: no)\n",
    );
}

/// B166: an example taught to go without approval by what a tool says of itself. No document of ours
/// speaks of a hint and of approval in one breath.
#[test]
fn no_document_takes_a_hint_for_an_approval() {
    let hints = ["readonlyhint", "destructivehint", "idempotenthint", "openworldhint", "@does"];
    let approvals = ["approv", "confirm", "permission", "consent", "without asking", "auto-"];
    let documents = documents();
    assert!(documents.len() > 5, "{documents:?}");
    for document in documents {
        let text = std::fs::read_to_string(&document).unwrap().to_lowercase();
        for paragraph in text.split("\n\n") {
            let speaks_of = |words: &[&str]| words.iter().any(|word| paragraph.contains(word));
            assert!(
                !(speaks_of(&hints) && speaks_of(&approvals)),
                "{}: {paragraph}",
                document.display()
            );
        }
    }
}

/// The documents, and the examples.
fn documents() -> Vec<std::path::PathBuf> {
    let mut folders = vec![repository().join("docs"), repository().join("examples")];
    let mut documents = vec![repository().join("README.md")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { documents.push(path) }
        }
    }
    documents
}

//! What a shell script sees of a call.

use std::process::Stdio;

use serde_json::Value;

use crate::stage::{Folder, Ran, run, signal};

const TOOLS: &str = "\
# Work.
tool_work() { echo done; }
# Fail.
tool_fail() { echo 'No such film.'; return 1; }
# Break.
tool_break() { return 127; }
# Take too long.
tool_hang() { echo began >began; sleep 1000; }
";

/// B170: a failure was printed like an answer, and the status was 0. Each end has a status of its own,
/// the reason is on standard error, and `--json` has the flag.
#[test]
fn each_way_to_end_has_a_status_and_its_reason_on_standard_error() {
    let folder = Folder::of(TOOLS);
    for (arguments, status, stdout, reason) in [
        (&["tools.sh", "work"][..], 0, "done\n", ""),
        (
            &["tools.sh", "fail"],
            1,
            "No such film.\n",
            "tool error: the model can act on this (kind tool, same call again: no)\n",
        ),
        (&["nowhere.sh", "work"], 2, "", "candor: nowhere.sh is not there; check the path\n"),
        (
            &["tools.sh", "work", "two"],
            2,
            "",
            "candor: \"two\" is not key=value, such as numTickets=2\n",
        ),
        (
            &["tools.sh", "wrok"],
            3,
            "",
            "protocol error -32602: the host has to repair this: Unknown tool: wrok\n\
             Did you mean work? There are: work, fail, break, hang\n",
        ),
        (
            &["tools.sh", "work", "--arguments", "5"],
            3,
            "",
            "protocol error -32602: the host has to repair this: Invalid params: `arguments` must \
             be an object\n",
        ),
    ] {
        folder.candor(&[&["call"], arguments].concat()).assert(status, stdout, reason);
    }
    for (arguments, told) in [
        (&["tools.sh", "break"][..], "kind crash, same call again: unknown_effect"),
        (
            &["--timeout", "200ms", "tools.sh", "hang"],
            "kind timeout, same call again: unknown_effect",
        ),
    ] {
        let ran = folder.candor(&[&["call"], arguments].concat());
        assert_eq!(ran.status, Some(1));
        assert!(ran.stderr.contains(told), "{ran:?}");
        assert!(ran.stdout.contains("It may have taken effect"), "{ran:?}");
    }

    let flag = |tool: &str| {
        let ran = folder.candor(&["call", "--json", "tools.sh", tool]);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        (ran.status, answer["isError"].clone(), answer["code"].clone())
    };
    assert_eq!(flag("work"), (Some(0), false.into(), Value::Null));
    assert_eq!(flag("fail"), (Some(1), true.into(), Value::Null));
    assert_eq!(flag("break"), (Some(1), true.into(), Value::Null));
    assert_eq!(flag("wrok"), (Some(3), Value::Null, (-32602).into()));
}

/// B170: a status was overruled on the way out. It is kept where the answer cannot be written, and
/// where the call is interrupted.
#[test]
fn no_way_to_end_early_looks_like_success() {
    let folder = Folder::of(TOOLS);
    let mut command = folder.program(&["call", "tools.sh", "hang"]);
    std::fs::remove_file(folder.path("began")).ok();
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    folder.wait_for("began");
    signal("INT", &child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));

    // A pipeline shows the status of its last command, unless the script asks for more.
    let script = "set -o pipefail; \"$0\" call -q tools.sh fail | cat";
    let mut bash = std::process::Command::new("bash");
    bash.args(["-c", script, env!("CARGO_BIN_EXE_candor")]).current_dir(folder.path(""));
    assert_eq!(
        run(&mut bash),
        Ran {
            status: Some(1),
            stdout: "No such film.\n".to_owned(),
            stderr: "tool error: the model can act on this (kind tool, same call again: no)\n"
                .to_owned(),
        }
    );
}

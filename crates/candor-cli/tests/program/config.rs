//! `candor config`.

use candor_testkit::message::call;
use serde_json::Value;

use crate::stage::{Folder, Host, Ran, program, repository, run};

const TOOLS: &str =
    "# A.\ntool_a() { echo \"${CANDOR_TEST_KEY-unset}\"; }\n# B.\ntool_b() { :; }\n";

/// Runs it in the folder; this program is called `PROGRAM` in what it says.
fn config(folder: &Folder, arguments: &[&str]) -> Ran {
    let ran = folder.candor(&[&["config"], arguments].concat());
    let stdout = ran.stdout.replace(env!("CARGO_BIN_EXE_candor"), "PROGRAM");
    Ran { stdout, ..ran }
}

#[test]
fn a_host_is_told_where_everything_is() {
    config(&Folder::of(TOOLS), &["tools.sh"]).assert(
        0,
        r#"{
  "mcpServers": {
    "tools": {
      "command": "PROGRAM",
      "args": ["serve", "FOLDER/tools.sh"]
    }
  }
}
"#,
        "",
    );
}

#[test]
fn what_serve_would_be_told_is_passed_on_as_it_was_typed() {
    let folder = Folder::of(TOOLS).with("my other.sh", "# C.\ntool_c() { :; }\n");
    config(
        &folder,
        &[
            "--name=two",
            "tools.sh",
            "--timeout=2m",
            "my other.sh",
            "--only",
            "a,c",
            "--cwd",
            ".",
            "--log",
            "it.log",
            "--in-order",
            "--env",
            "*",
            "-q",
        ],
    )
    .assert(
        0,
        r#"{
  "mcpServers": {
    "two": {
      "command": "PROGRAM",
      "args": ["serve", "--timeout", "2m", "--env", "*", "--cwd", "FOLDER", "--in-order", "--only", "a,c", "--log", "FOLDER/it.log", "--quiet", "FOLDER/tools.sh", "FOLDER/my other.sh"]
    }
  }
}
"#,
        "",
    );
    assert!(!folder.path("it.log").exists(), "nothing has been served yet");
}

#[test]
fn a_variable_has_a_place_and_its_value_stays_here() {
    let folder = Folder::of(TOOLS);
    let mut command = folder.program(&[
        "config",
        "--env",
        "CANDOR_TEST_KEY",
        "--env",
        "CANDOR_TEST_ID",
        "--env",
        "CANDOR_TEST_KEY",
        "tools.sh",
    ]);
    let ran = folder.tidy(run(command.env("CANDOR_TEST_KEY", "secret")));
    let stdout = ran.stdout.replace(env!("CARGO_BIN_EXE_candor"), "PROGRAM");
    Ran { stdout, ..ran }.assert(
        0,
        r#"{
  "mcpServers": {
    "tools": {
      "command": "PROGRAM",
      "args": ["serve", "--env", "CANDOR_TEST_KEY", "--env", "CANDOR_TEST_ID", "--env", "CANDOR_TEST_KEY", "FOLDER/tools.sh"],
      "env": { "CANDOR_TEST_KEY": "${CANDOR_TEST_KEY}", "CANDOR_TEST_ID": "${CANDOR_TEST_ID}" }
    }
  }
}
"#,
        "candor: a host that does not fill in ${CANDOR_TEST_KEY} and ${CANDOR_TEST_ID} itself needs \
         the value there\n",
    );
}

#[test]
fn a_host_that_reads_it_is_served() {
    let folder = Folder::of(TOOLS);
    let text = folder.candor(&["config", "-q", "--env", "CANDOR_TEST_KEY", "tools.sh"]).stdout;
    let text = text.replace("FOLDER", folder.path("").to_str().unwrap());
    let document: Value = serde_json::from_str(&text).unwrap();
    let server = &document["mcpServers"]["tools"];
    let args: Vec<_> =
        server["args"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(server["command"], env!("CARGO_BIN_EXE_candor"));

    let mut host = Host::start(program(&repository(), &args).env("CANDOR_TEST_KEY", "key"));
    host.say(&call("1", "a", "{}"));
    assert!(host.hear().contains(r#""text":"key""#));
    host.end().assert(0, "", "");
}

#[test]
fn a_variable_that_is_withheld_is_said() {
    let folder = Folder::of(TOOLS);
    let mut command = folder.program(&["config", "tools.sh"]);
    let ran = run(command.env("CANDOR_TEST_KEY", "secret"));

    assert_eq!(ran.status, Some(0));
    assert_eq!(
        ran.stderr,
        "candor: warning: tools.sh: CANDOR_TEST_KEY is not passed on; add --env CANDOR_TEST_KEY\n"
    );
}

#[test]
fn what_cannot_be_served_is_no_configuration() {
    let folder = Folder::of(TOOLS)
        .with("none.sh", "a() { :; }\n")
        .with("list.sh", "MCP_TOOLS_LIST_FILE=list.json\ntool_a() { :; }\n")
        .with("list.json", r#"{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}"#);

    for (arguments, said) in [
        (&["nowhere.sh"][..], "nowhere.sh is not there; check the path"),
        (&["none.sh"], "none.sh defines no function named tool_NAME"),
        (&["--only", "x", "tools.sh"], "--only names x, and there is no such tool"),
        (
            &["list.sh"],
            "this works only in this folder, and a host may start it in another: /list.json cannot \
             be read: No such file or directory (os error 2); add --cwd .",
        ),
    ] {
        config(&folder, arguments).assert(2, "", &format!("candor: {said}\n"));
    }
    assert_eq!(config(&folder, &["--cwd", ".", "list.sh"]).status, Some(0));
}

#[test]
fn a_program_on_the_search_path_keeps_the_name_by_which_it_is_found() {
    let folder = Folder::of(TOOLS);
    std::fs::create_dir(folder.path("bin")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_candor"), folder.path("bin/candor")).unwrap();
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap());
    let ran = folder.tidy(run(folder.program(&["config", "tools.sh"]).env("PATH", path)));

    assert!(ran.stdout.contains(r#""command": "FOLDER/bin/candor""#), "{}", ran.stdout);
}

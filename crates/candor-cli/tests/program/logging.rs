//! The log: how much of it there is, and where.

use std::os::unix::fs::PermissionsExt;

use crate::stage::{Folder, run};

/// One warning (`b`), one incident (`c`), and one line for those who look for it (`a`).
const TOOLS: &str = "\
# A.
tool_a() { echo noise >&2; }
tool_b() { :; }
# C.
tool_c() { return 127; }
";

const WARNING: &str = "candor: warning: tools.sh: tool_b (line 3) is not listed; write above it, in \
                       a comment, what it does\n";

fn said(options: &[&str], environment: Option<&str>, tool: &str) -> String {
    let folder = Folder::of(TOOLS);
    let mut program = folder.program(&[&["call", "tools.sh", tool], options].concat());
    if let Some(level) = environment {
        program.env("CANDOR_LOG", level);
    }
    run(&mut program).stderr
}

#[test]
fn as_much_is_said_as_is_asked_for() {
    let noise = format!("{WARNING}candor: a on stderr: noise\n");

    assert_eq!(said(&[], None, "a"), WARNING);
    assert_eq!(said(&[], Some("warning"), "a"), WARNING);
    assert_eq!(said(&[], Some(""), "a"), WARNING);
    assert_eq!(said(&["-v"], None, "a"), noise);
    assert_eq!(said(&[], Some("debug"), "a"), noise);
    assert_eq!(said(&["-q"], None, "a"), "");
    assert_eq!(said(&[], Some("error"), "a"), "");
    assert_eq!(said(&["-q"], Some("debug"), "a"), "", "what is typed counts more");
    assert!(said(&["-q"], None, "c").starts_with("candor: error: incident 00000000: c: "));
}

#[test]
fn a_level_that_there_is_none_of_is_told_which_there_are() {
    assert_eq!(
        said(&[], Some("loud"), "a"),
        "candor: CANDOR_LOG=\"loud\" is no level; write error, warning, info or debug\n"
    );
}

#[test]
fn a_log_in_a_file_has_times_and_is_for_its_owner_alone() {
    let folder = Folder::of(TOOLS);
    for _ in 0..2 {
        folder.candor(&["call", "--log", "my.log", "tools.sh", "a"]).assert(0, "", "");
    }
    let log = folder.read("my.log");
    let lines: Vec<_> = log.lines().collect();

    assert_eq!(lines.len(), 2, "the second run adds to it: {log}");
    for line in lines {
        let (time, rest) = line.split_once(' ').unwrap();
        assert_eq!(time.len(), "2026-07-28T13:30:00Z".len(), "{line}");
        assert_eq!(format!("{rest}\n"), WARNING);
    }
    let mode = std::fs::metadata(folder.path("my.log")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_log_that_cannot_be_written_is_on_standard_error_and_says_why_once() {
    let folder = Folder::of(TOOLS);

    folder.candor(&["call", "--log", "nowhere/my.log", "tools.sh", "a"]).assert(
        0,
        "",
        &format!(
            "candor: warning: the log cannot be written to nowhere/my.log, so it is here: No such \
             file or directory (os error 2)\n{WARNING}"
        ),
    );
}

#[test]
fn a_file_that_cannot_be_served_is_in_the_log_as_well() {
    let folder = Folder::of(TOOLS);
    let said = "nowhere.sh is not there; check the path\n";

    folder.candor(&["serve", "--log", "my.log", "nowhere.sh"]).assert(
        2,
        "",
        &format!("candor: {said}"),
    );
    assert!(folder.read("my.log").contains("Z candor: error: "));
}

#[test]
fn a_variable_that_is_passed_on_and_not_there_is_said() {
    let folder = Folder::of("# A.\ntool_a() { :; }\n");
    let said = |command: &[&str], value: Option<&str>| {
        let mut program = folder.program(&[command, &["--env", "CANDOR_TEST_KEY"]].concat());
        if let Some(value) = value {
            program.env("CANDOR_TEST_KEY", value);
        }
        run(&mut program).stderr
    };
    for command in [&["serve", "tools.sh"][..], &["list", "tools.sh"], &["call", "tools.sh", "a"]] {
        assert_eq!(
            said(command, None),
            "candor: warning: --env CANDOR_TEST_KEY passes nothing on: CANDOR_TEST_KEY is not set\n"
        );
        assert_eq!(
            said(command, Some("${CANDOR_TEST_KEY}")),
            "candor: warning: CANDOR_TEST_KEY is ${CANDOR_TEST_KEY} to the letter: the host has not \
             filled it in\n"
        );
        assert_eq!(said(command, Some("key")), "");
    }
}

#[test]
fn an_author_who_watches_is_told_what_became_of_an_edit() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let folder = Folder::of("# A.\ntool_a() { echo a; }\n");
    let mut server = folder.program(&["serve", "--watch", "tools.sh"]);
    let mut server =
        server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(server.stderr.take().unwrap()).lines();
    let mut answers = BufReader::new(server.stdout.take().unwrap()).lines();
    // A list comes when the file is loaded. Until then an edit would be no edit.
    let mut input = server.stdin.take().unwrap();
    writeln!(input, "{}", candor_testkit::message::modern("1", "tools/list", "")).unwrap();
    assert!(answers.next().unwrap().unwrap().contains("tool"));

    std::fs::write(folder.path("tools.sh"), "# A.\ntool_a() { echo a; \n").unwrap();
    let broken =
        "candor: error: tools.sh is not valid bash: line 3: syntax error: unexpected end of file";
    assert_eq!(log.next().unwrap().unwrap(), broken);
    assert_eq!(
        log.next().unwrap().unwrap(),
        "candor: error: tools.sh: what was served before stays"
    );
    std::fs::write(folder.path("tools.sh"), "# A.\ntool_a() { echo b; }\n").unwrap();
    let takes_over = "candor: tools.sh has changed, and is served as it is now";
    assert_eq!(log.next().unwrap().unwrap(), takes_over);
    // The end of its input ends it.
    drop(input);
    assert!(server.wait().unwrap().success());
}

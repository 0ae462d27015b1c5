//! What a model may read, and what an operator may choose about it.

use crate::stage::{Folder, run};

const LEAKY: &str = "
# Shows a variable, plain and in base64.
tool_show() { echo \"$CANDOR_TEST_KEY $(printf %s \"$CANDOR_TEST_KEY\" | base64)\"; }
# Fails.
tool_fail() { echo \"cannot open $PWD/data/x.db, /opt/other/y.db\"; return 1; }
# Whom to write to.
tool_person() { echo 'Write to ada@example.org.'; }
";

fn call(folder: &Folder, arguments: &[&str]) -> (String, String) {
    let arguments = [&["call", "tools.sh"], arguments].concat();
    let mut program = folder.program(&arguments);
    let ran = folder.tidy(run(program.env("CANDOR_TEST_KEY", "s3cr3t-of-the-test")));
    (ran.stdout, ran.stderr)
}

#[test]
fn the_value_of_a_variable_that_is_a_secret_is_found_in_every_form() {
    let folder = Folder::of(LEAKY);
    let (said, _) = call(&folder, &["show", "--env", "CANDOR_TEST_KEY"]);
    assert_eq!(said, "[redacted:candor-test-key#1] [redacted:candor-test-key#1]\n");
}

#[test]
fn a_failure_names_only_what_lies_below_a_folder_that_may_be_known() {
    let folder = Folder::of(LEAKY);
    assert_eq!(call(&folder, &["fail"]).0, "cannot open data/x.db, y.db\n");
    assert_eq!(
        call(&folder, &["fail", "--allow-root", "/opt"]).0,
        "cannot open data/x.db, other/y.db\n"
    );
}

#[test]
fn persons_are_withheld_if_that_is_wanted() {
    let folder = Folder::of(LEAKY);
    assert_eq!(call(&folder, &["person"]).0, "Write to ada@example.org.\n");
    assert_eq!(call(&folder, &["person", "--pii"]).0, "Write to [redacted:email#1].\n");
}

#[test]
fn everything_is_shown_if_that_is_wanted_and_said() {
    let folder = Folder::of(LEAKY);
    let (said, log) = call(&folder, &["show", "--env", "CANDOR_TEST_KEY", "--no-redact"]);
    assert!(said.starts_with("s3cr3t-of-the-test "), "{said}");
    assert_eq!(
        log,
        "candor: warning: --no-redact: secrets, paths and stack traces are shown to the model\n"
    );
}

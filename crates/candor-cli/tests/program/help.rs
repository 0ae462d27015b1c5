//! `--help` and `--version`.

use std::process::{Command, Stdio};

use crate::stage::{candor, repository, run};

/// What is stored, and the arguments that print it.
const TEXTS: [(&str, &str, &[&str]); 6] = [
    ("candor.txt", include_str!("help/candor.txt"), &["--help"]),
    ("new.txt", include_str!("help/new.txt"), &["new", "--help"]),
    ("serve.txt", include_str!("help/serve.txt"), &["serve", "--help"]),
    ("list.txt", include_str!("help/list.txt"), &["list", "--help"]),
    ("call.txt", include_str!("help/call.txt"), &["call", "--help"]),
    ("config.txt", include_str!("help/config.txt"), &["config", "--help"]),
];

#[test]
fn help_says_what_is_stored() {
    for (file, stored, arguments) in TEXTS {
        let ran = candor(arguments);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
        assert!(
            ran.stdout == stored,
            "if this is meant, store it in tests/program/help/{file}:\n{}",
            ran.stdout
        );
    }
}

#[test]
fn the_short_flag_says_the_same() {
    for (_, stored, arguments) in TEXTS {
        let arguments: Vec<_> =
            arguments.iter().map(|&it| if it == "--help" { "-h" } else { it }).collect();
        candor(&arguments).assert(0, stored, "");
    }
}

#[test]
fn every_example_works() {
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_candor")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    // Some write files.
    let folder = tempfile::tempdir().unwrap();
    let examples = repository().join("examples");
    std::os::unix::fs::symlink(examples, folder.path().join("examples")).unwrap();
    let mut tried = 0;
    for line in TEXTS.iter().flat_map(|(_, stored, _)| stored.lines()) {
        let Some(example) = line.strip_prefix("  candor ") else { continue };
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("candor {example}")]).env("PATH", &path).env("API_KEY", "key");
        let ran = run(bash.current_dir(folder.path()).stdin(Stdio::null()));
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{example}");
        tried += 1;
    }
    assert_eq!(tried, 12);
}

#[test]
fn the_version_names_the_commit_and_the_revisions() {
    let ran = candor(&["--version"]);
    let (first, second) = ran.stdout.split_once('\n').unwrap();
    let commit = first
        .strip_prefix(concat!("candor ", env!("CARGO_PKG_VERSION"), " (commit "))
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap();

    assert!(commit == "unknown" || commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{first}");
    assert_eq!(
        second,
        "protocol revisions 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05\n"
    );
    assert_eq!(candor(&["-V"]), ran);
}

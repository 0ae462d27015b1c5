//! `--help` and `--version`.

use std::process::{Command, Stdio};

use crate::stage::{candor, repository, run};

/// What is stored, and the arguments that print it.
const TEXTS: [(&str, &str, &[&str]); 11] = [
    ("candor.txt", include_str!("help/candor.txt"), &["--help"]),
    ("new.txt", include_str!("help/new.txt"), &["new", "--help"]),
    ("serve.txt", include_str!("help/serve.txt"), &["serve", "--help"]),
    ("list.txt", include_str!("help/list.txt"), &["list", "--help"]),
    ("call.txt", include_str!("help/call.txt"), &["call", "--help"]),
    ("config.txt", include_str!("help/config.txt"), &["config", "--help"]),
    ("progress.txt", include_str!("help/progress.txt"), &["progress", "--help"]),
    ("log.txt", include_str!("help/log.txt"), &["log", "--help"]),
    ("attach.txt", include_str!("help/attach.txt"), &["attach", "--help"]),
    ("temp.txt", include_str!("help/temp.txt"), &["temp", "--help"]),
    ("ask.txt", include_str!("help/ask.txt"), &["ask", "--help"]),
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
    std::fs::write(folder.path().join("README.md"), "text\n").unwrap();
    let mut said = Vec::new();
    let mut tried = 0;
    for line in TEXTS.iter().flat_map(|(_, stored, _)| stored.lines()) {
        let line = line.trim_start();
        let Some(at) = line.find("candor ").filter(|_| !line.starts_with("Usage")) else {
            continue;
        };
        if !matches!(line.get(..at), Some("" | "cd \"$(")) {
            continue;
        }
        let mut bash = Command::new("bash");
        bash.args(["-c", line])
            .env("PATH", &path)
            .env("API_KEY", "key")
            .env("TMPDIR", folder.path());
        let ran = run(bash.current_dir(folder.path()).stdin(Stdio::null()));
        // Where there is nobody to ask, the tool ends.
        let status = if line.starts_with("candor ask") { 10 } else { 0 };
        assert_eq!(ran.status, Some(status), "{line}: {}", ran.stderr);
        said.extend(ran.stderr.lines().map(str::to_owned));
        tried += 1;
    }
    assert_eq!(tried, 22);
    assert_eq!(
        said,
        [
            "1 of 3: first of three",
            "250: rows read",
            "warning: the cache is empty",
            "debug: 3 rows read",
            "would go with the answer: README.md (5 bytes)",
            "would go with the answer: README.md (text/markdown, 5 bytes)",
            "would ask the user: Book 8 seats?",
            "would ask the user: Which row?",
        ]
    );
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

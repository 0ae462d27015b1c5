//! The steps of `cargo xtask test`: each is a few commands, and says how it came out.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use crate::house::House;
use crate::{arrows, commands};

/// How a step came out.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    Passed,
    /// With what failed, in a line.
    Failed(String),
    /// With a sentence: what is missing, and how to get it.
    LeftOut(String),
}

/// One thing that a change must pass.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// Whether the inner loop runs it too.
    pub(crate) quick: bool,
    pub(crate) run: fn(&House) -> Outcome,
}

/// In the order they run: what fails soonest and reads shortest comes first.
pub(crate) const STEPS: &[Step] = &[
    Step { name: "format", quick: true, run: format },
    Step { name: "clippy", quick: true, run: clippy },
    Step { name: "arrows", quick: true, run: arrows },
    Step { name: "licences", quick: false, run: licences },
    Step { name: "tests", quick: true, run: tests },
    Step { name: "what examples need", quick: true, run: needs },
    Step { name: "doc tests", quick: false, run: doc_tests },
    Step { name: "documentation", quick: false, run: documentation },
    Step { name: "commands of the documents", quick: false, run: shown_commands },
];

fn format(house: &House) -> Outcome {
    all([
        house.cargo(&["fmt", "--all", "--check"]),
        house.cargo(&["fmt", "--check", "--manifest-path=bench/Cargo.toml"]),
        house.cargo(&["fmt", "--check", "--manifest-path=fuzz/Cargo.toml"]),
    ])
}

fn clippy(house: &House) -> Outcome {
    let bench = "--manifest-path=bench/Cargo.toml";
    all([
        house.cargo(&["clippy", "--workspace", "--all-targets", "--", "-Dwarnings"]),
        house.cargo(&["clippy", bench, "--all-targets", "--", "-Dwarnings"]),
    ])
}

fn arrows(house: &House) -> Outcome {
    read(arrows::check(house))
}

/// Without the advisories: their database is not reachable everywhere, and a change is not at
/// fault for what was found out about its dependencies yesterday.
fn licences(house: &House) -> Outcome {
    if !house.has("deny") {
        return Outcome::LeftOut(
            "cargo-deny is not installed (`cargo install --locked cargo-deny` brings it)".into(),
        );
    }
    all([house.cargo(&["deny", "check", "bans", "licenses", "sources"])])
}

fn tests(house: &House) -> Outcome {
    all([if house.has("nextest") {
        house.cargo(&["nextest", "run", "--workspace"])
    } else {
        house.cargo(&["test", "--workspace", "--lib", "--bins", "--tests"])
    }])
}

/// A test of an example passes over it where the program that it needs is missing. Here that is
/// said.
fn needs(_house: &House) -> Outcome {
    let is_missing = |name: &&&str| {
        let mut version = Command::new(name);
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        !version.status().is_ok_and(|status| status.success())
    };
    let missing: Vec<_> =
        ["curl", "git", "node", "python3"].iter().filter(is_missing).copied().collect();
    if missing.is_empty() {
        return Outcome::Passed;
    }
    let missing = missing.join(" and no ");
    Outcome::LeftOut(format!("there is no {missing} here, so examples that need it were not tried"))
}

fn doc_tests(house: &House) -> Outcome {
    all([house.cargo(&["test", "--workspace", "--doc"])])
}

fn documentation(house: &House) -> Outcome {
    let mut doc = house.cargo(&["doc", "--no-deps", "--workspace"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    all([doc])
}

fn shown_commands(house: &House) -> Outcome {
    read(commands::check(house))
}

/// Runs them all, so that one run shows everything that is wrong.
fn all<const N: usize>(commands: [Command; N]) -> Outcome {
    let failed: Vec<String> =
        commands.into_iter().filter_map(|command| run(command).err()).collect();
    read(if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) })
}

/// Its output streams through.
fn run(mut command: Command) -> Result<(), String> {
    let arguments: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    let shown = format!("cargo {}", arguments.join(" "));
    println!("$ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}`: {status}")),
        Err(cause) => Err(format!("`{shown}` could not be started: {cause}")),
    }
}

fn read(checked: Result<(), String>) -> Outcome {
    checked.map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

//! The chores of this repository: `cargo xtask CHORE`.
//!
//! **What is not here:** nothing that a user of candor runs, and no dependency but `serde_json`,
//! so that the first chore on a fresh clone starts within seconds.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "chores talk to a terminal")]

mod arrows;
mod bench;
mod commands;
mod house;
mod score;
mod scratch;
mod steps;
mod test;

use std::process::ExitCode;

use house::House;

const USAGE: &str = "\
Chores of this repository.

  cargo xtask test                     everything that a change must pass
  cargo xtask test --quick             format, clippy, arrows and tests only
  cargo xtask test --nothing-left-out  fails if a step has to be left out
  cargo xtask arrows                   which crate may depend on which
  cargo xtask commands                 runs the commands of README.md and docs/*.md
  cargo xtask bench serve [OPTION…]    `candor serve` and the library, beside their floors
  cargo xtask bench shell [OPTION…]    calls of shell functions, beside theirs
                                       (`cargo xtask bench serve --help` for the options)
  cargo xtask score redact [OPTION…]   how well the redactor masks, in tables
                                       (`cargo xtask score redact --help` for the options)

Exit status: 0 passed, 1 failed, 2 usage.
";

fn main() -> ExitCode {
    let said: Vec<String> = std::env::args().skip(1).collect();
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    let house = House::here();
    match said.as_slice() {
        ["test", flags @ ..] => match test::Plan::read(flags) {
            Ok(plan) => test::run(&house, &plan),
            Err(why) => usage(&why),
        },
        ["arrows"] => told(arrows::check(&house), "every arrow is allowed"),
        ["commands"] => told(commands::check(&house), "every command prints what is shown"),
        ["bench", what @ ("serve" | "shell"), options @ ..] => bench::run(&house, what, options),
        ["score", "redact", options @ ..] => score::redact(&house, options),
        ["--help" | "-h" | "help"] => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        [] => usage("which chore?"),
        other => usage(&format!("no such chore: {}", other.join(" "))),
    }
}

fn told(checked: Result<(), String>, passed: &str) -> ExitCode {
    match checked {
        Ok(()) => {
            println!("{passed}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn usage(why: &str) -> ExitCode {
    eprint!("{why}\n\n{USAGE}");
    ExitCode::from(2)
}

//! `bench serve` and `bench shell`: measure servers over stdio beside their floors, in one run with
//! one client.
//!
//! Each figure is measured in rounds, and in each round one target after the other. A round in which
//! the host took more than 2 % of the machine's time is dropped and measured again. Linux only: it
//! reads `/proc`.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the driver talks to a terminal")]

mod client;
mod cores;
mod elsewhere;
mod figure;
mod goals;
mod machine;
mod memory;
mod plan;
mod rounds;
mod server;
mod table;
mod targets;
mod wire;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use plan::Plan;

fn main() -> ExitCode {
    let said: Vec<String> = std::env::args().skip(1).collect();
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    if said.contains(&"--help") {
        print!("{}", plan::USAGE);
        return ExitCode::SUCCESS;
    }
    let asked = match said.as_slice() {
        ["serve", options @ ..] => Plan::read(options).map(|plan| (rounds::serve as Bench, plan)),
        ["shell", options @ ..] => Plan::read(options).map(|plan| (rounds::shell as Bench, plan)),
        _ => Err("which bench?".to_owned()),
    };
    let Ok((bench, plan)) = asked.inspect_err(|why| eprint!("{why}\n\n{}", plan::USAGE)) else {
        return ExitCode::from(2);
    };
    match measured(bench, &plan) {
        Ok(table) => {
            println!("{table}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Plan and scratch folder to report.
type Bench = fn(&Plan, &Path) -> Result<String, String>;

fn measured(bench: Bench, plan: &Plan) -> Result<String, String> {
    let scratch = std::env::temp_dir().join(format!("candor-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let table = server::adopt_orphans()
        .map_err(|error| error.to_string())
        .and_then(|()| bench(plan, &scratch));
    // What stays behind is a few small files in the folder for such.
    let _ = fs::remove_dir_all(&scratch);
    table
}

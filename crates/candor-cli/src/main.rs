//! The program `candor`: its command line, and what is printed.
//!
//! ```text
//! command line ─▶ options ─▶ serve ──────────────────────────────▶ exit
//!                    │                                              ▲
//!                    └─▶ list, call ─▶ target ─▶ peer ─▶ verdict ───┘
//! ```

#![forbid(unsafe_code)]

mod arguments;
mod ask;
mod call;
mod exit;
mod interrupt;
mod json;
mod list;
mod log;
mod options;
mod page;
mod peer;
mod schema;
mod serve;
mod target;
mod terminal;
mod usage;
mod values;
mod verdict;

use std::process::ExitCode;

use clap::Parser;

use exit::Exit;
use options::{Command, Program};

fn main() -> ExitCode {
    let exit = match Program::try_parse() {
        Ok(program) => run(program),
        Err(error) => usage::report(&error),
    };
    exit.into()
}

fn run(program: Program) -> Exit {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(cause) => {
            terminal::complain(&format!("cannot start: {cause}"));
            return Exit::Unusable;
        }
    };
    let exit = runtime.block_on(async {
        match program.command {
            Command::Serve(serve) => serve::run(serve).await,
            Command::List(list) => list::run(list).await,
            Command::Call(call) => call::run(call).await,
        }
    });
    // A thread that waits for a terminal must not keep us.
    runtime.shutdown_background();
    exit
}

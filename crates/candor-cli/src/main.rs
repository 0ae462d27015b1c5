//! The program `candor`: its command line, and what is printed.
//!
//! ```text
//! command line ─▶ options ─▶ new, serve, config, verb ────────────▶ exit
//!                    │                                              ▲
//!                    └─▶ list, call ─▶ target ─▶ peer ─▶ verdict ───┘
//! ```

#![forbid(unsafe_code)]

mod arguments;
mod ask;
mod call;
mod config;
mod exit;
mod interrupt;
mod json;
mod list;
mod log;
mod new;
mod options;
mod page;
mod peer;
mod redaction;
mod schema;
mod serve;
mod target;
mod terminal;
mod usage;
mod values;
mod verb;
mod verdict;

use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches};

use exit::Exit;
use options::{Command, Program};

fn main() -> ExitCode {
    let read = Program::command()
        .try_get_matches()
        .and_then(|matches| Ok((Program::from_arg_matches(&matches)?, matches)));
    match read {
        Ok((program, matches)) => run(program, &matches),
        Err(error) => usage::report(&error).into(),
    }
}

fn run(program: Program, matches: &ArgMatches) -> ExitCode {
    let exit = match program.command {
        Command::New(new) => new::run(&new),
        Command::Serve(serve) => in_time(serve::run(serve)),
        Command::List(list) => in_time(list::run(list)),
        Command::Call(call) => in_time(call::run(call)),
        Command::Config(config) => {
            let typed = matches.subcommand().map(|(_, of_it)| options::typed(of_it));
            in_time(config::run(config, typed.unwrap_or_default()))
        }
        Command::Verb(verb) => return verb::run(&verb).into(),
    };
    exit.into()
}

/// Does what waits for others.
fn in_time(work: impl Future<Output = Exit>) -> Exit {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(cause) => {
            terminal::complain(&format!("cannot start: {cause}"));
            return Exit::Unusable;
        }
    };
    let exit = runtime.block_on(work);
    // A thread that waits for a terminal must not keep us.
    runtime.shutdown_background();
    exit
}

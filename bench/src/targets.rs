//! What is measured, and beside which floor.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use crate::server::Target;
use crate::wire::{self, Answer, Speech};

pub(crate) const ECHO: &str = "floor: line echo";
pub(crate) const FORK: &str = "floor: fork of a warm bash";
pub(crate) const FORKS: &str = "floor: two warm bashes";
pub(crate) const LIBRARY: &str = "library, `add`";
pub(crate) const SHORT: &str = "serve, 1 line";
pub(crate) const LONG: &str = "serve, 2,000 lines";
pub(crate) const SHORT_WORKERS: &str = "serve --workers 2, 1 line";
pub(crate) const LONG_WORKERS: &str = "serve --workers 2, 2,000 lines";

/// Reads ids and answers each from a subshell: what any server with a warm bash does at least.
const WARM_BASH: &str = r#"while IFS= read -r id; do ( printf "$0" "$id" ); done"#;

/// The targets that share a floor.
pub(crate) struct Family {
    pub(crate) targets: Vec<Target>,
    pub(crate) windows: &'static [usize],
    /// Whether it says something to put client and server on one core.
    pub(crate) together: bool,
}

/// The line floor, and the library server that lies beside this program.
pub(crate) fn library(own: &Path) -> Family {
    let targets = vec![
        beside(own, ECHO, "floor-echo", Answer::Text("3")),
        beside(own, LIBRARY, "add", Answer::Sum),
    ];
    Family { targets, windows: &[1, 16, 64, 256], together: true }
}

/// The library server again, built so that it counts its allocations.
pub(crate) fn counted(own: &Path) -> Target {
    beside(own, LIBRARY, "add-counted", Answer::Sum)
}

fn beside(own: &Path, name: &'static str, file: &str, answer: Answer) -> Target {
    let command = vec![own.join(file).into()];
    Target { name, command, lanes: 1, speech: Speech::Calls, answer }
}

/// The forking floors, and `candor serve` with a short and a long file of functions.
pub(crate) fn shell(candor: Option<&Path>, scratch: &Path) -> io::Result<Family> {
    let floor = |name, lanes| Target {
        name,
        command: ["bash", "--norc", "--noprofile", "-c", WARM_BASH]
            .map(OsString::from)
            .into_iter()
            .chain([wire::prepared_for_printf().into()])
            .collect(),
        lanes,
        speech: Speech::Ids,
        answer: Answer::Text("3"),
    };
    let mut targets = vec![floor(FORK, 1), floor(FORKS, 2)];
    if let Some(candor) = candor {
        let short = scratch.join("short.sh");
        fs::write(&short, "tool_add() { echo 3; }\n")?;
        let long = scratch.join("long.sh");
        fs::write(&long, long_file(2_000))?;
        let serve = |name, file: &Path, more: &[&str]| Target {
            name,
            command: [candor.into(), "serve".into(), file.into()]
                .into_iter()
                .chain(more.iter().map(OsString::from))
                .collect(),
            lanes: 1,
            speech: Speech::Calls,
            answer: Answer::Text("3"),
        };
        let workers = ["--workers", "2"];
        targets.extend([
            serve(SHORT, &short, &[]),
            serve(LONG, &long, &[]),
            serve(SHORT_WORKERS, &short, &workers),
            serve(LONG_WORKERS, &long, &workers),
        ]);
    }
    Ok(Family { targets, windows: &[1, 16], together: false })
}

/// The floor that a target's ratios are taken against.
pub(crate) fn floor_of(name: &str) -> Option<&'static str> {
    match name {
        LIBRARY => Some(ECHO),
        SHORT | LONG => Some(FORK),
        SHORT_WORKERS | LONG_WORKERS => Some(FORKS),
        _ => None,
    }
}

/// A file of functions such as grows over years, with the tool in its last line.
fn long_file(lines: usize) -> String {
    let mut file = String::from("#!/usr/bin/env bash\n");
    let mut count = 1;
    while count + 10 < lines {
        let _ = write!(
            file,
            "\n# Gives how long the words of a line are, and line {count} as a name.\n\
             helper_{count}() {{\n  \
               local -r line=$1\n  \
               local word total=0\n  \
               for word in $line; do\n    \
                 (( total += ${{#word}} ))\n  \
               done\n  \
               printf '%s\\n' \"$total in line_{count}\"\n\
             }}\n"
        );
        count += 10;
    }
    file.extend(std::iter::repeat_n("\n", lines - count - 1));
    file.push_str("tool_add() { echo 3; }\n");
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_file_has_so_many_lines() {
        let file = long_file(2_000);
        assert_eq!(file.lines().count(), 2_000);
        assert_eq!(file.lines().last(), Some("tool_add() { echo 3; }"));
    }
}

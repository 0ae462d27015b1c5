//! What is measured, and beside which floor.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::figure::Figure;
use crate::server::Target;
use crate::wire::{self, Answer, Arguments, Speech};

pub(crate) const ECHO: &str = "floor: line echo";
pub(crate) const FORK: &str = "floor: fork of a warm bash";
pub(crate) const FORKS: &str = "floor: two warm bashes";
pub(crate) const LIBRARY: &str = "library, `add`";
pub(crate) const SHORT: &str = "serve, 1 line";
pub(crate) const MIDDLE: &str = "serve, 200 lines";
pub(crate) const LONG: &str = "serve, 2,000 lines";
pub(crate) const PAIR: &str = "serve, two files";
pub(crate) const DECLARED: &str = "serve, three arguments";
pub(crate) const TALKING: &str = "serve, progress and log";
pub(crate) const FILE: &str = "floor: a forked bash prints a file";
pub(crate) const TEXT: &str = "serve, 4 MB echoed";
pub(crate) const SHORT_READ: &str = "floor: bash reads 1 line";
pub(crate) const MIDDLE_READ: &str = "floor: bash reads 200 lines";
pub(crate) const LONG_READ: &str = "floor: bash reads 2,000 lines";

/// Reads ids and answers each from a subshell: what any server with a warm bash does at least.
const WARM_BASH: &str = r#"while IFS= read -r id; do ( printf "$0" "$id" ); done"#;

/// The same with a file in each answer.
const PRINTING_BASH: &str = r#"while IFS= read -r id; do
  ( IFS= read -r -d "" text <"$1"; printf "$0" "$id" "$text" )
done"#;

/// Reads a file of functions, then answers ids.
const READING_BASH: &str = r#"source "$1"; while IFS= read -r id; do printf "$0" "$id"; done"#;

const ADD: &str = "# Adds.\ntool_add() { echo 3; }\n";

const ADD_DECLARED: &str = r"# Adds.
# @arg a:integer  The first number.
# @arg b:integer  The second.
# @arg c:east|west=east  Where.
tool_add() { [[ $arg_b == 2 && $arg_c == west ]] && echo 3; }
";

const ADD_TALKING: &str = "# Adds.
tool_add() { candor progress 1 2 adding; candor log info added; echo 3; }
";

/// The length of the text that is echoed.
const MUCH: usize = 4_000_000;

/// The targets that share a floor.
pub(crate) struct Family {
    pub(crate) targets: Vec<Target>,
    pub(crate) windows: &'static [usize],
    /// The windows at which the CPU time of a call is shown.
    pub(crate) costed: &'static [usize],
    /// Whether it says something to put client and server on one core.
    pub(crate) together: bool,
}

/// The line floor, and the library server that lies beside this program.
pub(crate) fn library(own: &Path) -> Family {
    let targets = vec![
        beside(own, ECHO, "floor-echo", Answer::Text("3")),
        beside(own, LIBRARY, "add", Answer::Sum),
    ];
    Family { targets, windows: &[1, 16, 64, 256], costed: &[256], together: true }
}

/// The library server again, built so that it counts its allocations.
pub(crate) fn counted(own: &Path) -> Target {
    beside(own, LIBRARY, "add-counted", Answer::Sum)
}

fn beside(own: &Path, name: &'static str, file: &str, answer: Answer) -> Target {
    let command = vec![own.join(file).into()];
    Target { name, command, lanes: 1, speech: Speech::ADD, answer }
}

/// The forking floors, and `candor serve` with a short and a long file of functions.
pub(crate) fn shell(candor: Option<&Path>, scratch: &Path) -> io::Result<Family> {
    let mut targets = vec![forking(FORK, 1), forking(FORKS, 2)];
    if let Some(candor) = candor {
        let short = write(scratch, "short.sh", ADD)?;
        let long = write(scratch, "long.sh", &long_file(2_000))?;
        targets.extend([serve(candor, SHORT, &[&short]), serve(candor, LONG, &[&long])]);
    }
    Ok(Family { targets, windows: &[1, 16], costed: &[16], together: false })
}

/// The same, and `candor serve` with tools that do more or are kept apart.
pub(crate) fn calls(candor: &Path, scratch: &Path) -> io::Result<Family> {
    let mut family = shell(Some(candor), scratch)?;
    let one = write(scratch, "one.sh", ADD)?;
    let other = write(scratch, "other.sh", &ADD.replace("tool_add", "tool_add_too"))?;
    let declared = write(scratch, "declared.sh", ADD_DECLARED)?;
    let talking = write(scratch, "talking.sh", ADD_TALKING)?;
    family.targets.extend([
        Target {
            speech: Speech::Calls { tools: &["add", "add_too"], with: Arguments::Two },
            ..serve(candor, PAIR, &[&one, &other])
        },
        Target {
            speech: Speech::Calls { tools: &["add"], with: Arguments::Three },
            ..serve(candor, DECLARED, &[&declared])
        },
        serve(candor, TALKING, &[&talking]),
    ]);
    family.costed = family.windows;
    Ok(family)
}

/// A tool that prints the long text that it is called with, and a floor that has it in a file.
pub(crate) fn texts(candor: &Path, scratch: &Path) -> io::Result<Family> {
    let text = "x".repeat(MUCH);
    // As it stands in the answer.
    let file = write(scratch, "text", &format!(r#"{{\"text\":\"{text}\"}}"#))?;
    let answer = Answer::Arguments(MUCH);
    let prepared = wire::prepared_for_printf().replace(r#""text":"3""#, r#""text":"%s""#);
    let floor =
        Target { command: bash(PRINTING_BASH, prepared, Some(&file)), answer, ..forking(FILE, 1) };
    let echo = write(scratch, "echo.sh", "# Says it again.\ntool_echo() { echo \"$1\"; }\n")?;
    let mut served = Target {
        speech: Speech::Calls { tools: &["echo"], with: Arguments::Text(MUCH) },
        answer,
        ..serve(candor, TEXT, &[&echo])
    };
    served.command.extend(["--max-output", "16M"].map(OsString::from));
    Ok(Family { targets: vec![floor, served], windows: &[1], costed: &[1], together: false })
}

/// Files of three lengths, and bashes that read them.
pub(crate) fn starts(candor: &Path, scratch: &Path) -> io::Result<Family> {
    let mut targets = Vec::new();
    for (floor, name, file, text) in [
        (SHORT_READ, SHORT, "short.sh", ADD.to_owned()),
        (MIDDLE_READ, MIDDLE, "middle.sh", long_file(200)),
        (LONG_READ, LONG, "long.sh", long_file(2_000)),
    ] {
        let file = write(scratch, file, &text)?;
        let command = bash(READING_BASH, wire::prepared_for_printf(), Some(&file));
        targets.push(Target { command, ..forking(floor, 1) });
        targets.push(serve(candor, name, &[&file]));
    }
    Ok(Family { targets, windows: &[], costed: &[], together: false })
}

fn write(scratch: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let path = scratch.join(name);
    fs::write(&path, text)?;
    Ok(path)
}

fn forking(name: &'static str, lanes: usize) -> Target {
    let command = bash(WARM_BASH, wire::prepared_for_printf(), None);
    Target { name, command, lanes, speech: Speech::Ids, answer: Answer::Text("3") }
}

/// A bash that runs `script`, with a format for `printf` as `$0`.
fn bash(script: &str, format: String, file: Option<&Path>) -> Vec<OsString> {
    let start = ["bash", "--norc", "--noprofile", "-c", script].map(OsString::from);
    start.into_iter().chain([format.into()]).chain(file.map(OsString::from)).collect()
}

fn serve(candor: &Path, name: &'static str, files: &[&Path]) -> Target {
    let start = [candor.into(), "serve".into()];
    Target {
        name,
        command: start.into_iter().chain(files.iter().map(OsString::from)).collect(),
        lanes: 1,
        speech: Speech::ADD,
        answer: Answer::Text("3"),
    }
}

/// The floor that a target's ratios are taken against.
pub(crate) fn floor_of(name: &str, figure: Figure) -> Option<&'static str> {
    match (name, figure) {
        (LIBRARY, _) => Some(ECHO),
        (TEXT, _) => Some(FILE),
        (SHORT, Figure::FirstAnswer | Figure::FirstList) => Some(SHORT_READ),
        (MIDDLE, _) => Some(MIDDLE_READ),
        (LONG, Figure::FirstAnswer | Figure::FirstList) => Some(LONG_READ),
        // Many calls at once have all cores.
        (SHORT | LONG | PAIR | DECLARED | TALKING, Figure::CallsPerSecond { window: 2.. }) => {
            Some(FORKS)
        }
        (SHORT | LONG | PAIR | DECLARED | TALKING, _) => Some(FORK),
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
    file.extend(std::iter::repeat_n("\n", lines - count - 2));
    file.push_str(ADD);
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

//! What can be written on the command line.

#![expect(clippy::doc_markdown, reason = "these are read at a terminal, in --help")]

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use candor_protocol::Version;
use candor_shell::Rates;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Args, Parser, Subcommand};

use crate::{exit, values};

const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}

{before-help}{all-args}{after-help}
";

const UNITS: &str = "A TIME is a number with its unit: 500ms, 30s, 2m. A SIZE is a number of \
                     bytes; K, M and G stand for 1024 of them, and so on. A RATE is a number of \
                     calls in a second, a minute or an hour: 5/s, 10/m, 100/h.";

const BY_HAND: &str = "If no server has called the tool, this is said on stderr instead.";

const VERBS: &str = "\
Inside a tool:
  progress DONE [TOTAL] [TEXT]  Says how far it is
  log LEVEL TEXT                Says something to the log
  attach FILE [TYPE]            Sends a file with its answer
  temp                          Prints a folder that goes when the call ends
  ask KEY:TYPE TEXT             Asks the user";

/// Serves shell functions and programs as MCP tools, and calls them.
#[derive(Debug, Parser)]
#[command(
    name = "candor",
    version = version(),
    help_template = TEMPLATE,
    before_help = "\
Examples:
  candor serve examples/cinema.sh
  candor call examples/cinema.sh book_ticket movieId=1 showTime=13:30 numTickets=2",
    after_help = format!("{VERBS}\n\n{}", exit::table()),
    max_term_width = 100,
    disable_help_subcommand = true,
)]
pub(crate) struct Program {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
#[command(subcommand_value_name = "COMMAND")]
pub(crate) enum Command {
    New(New),
    Serve(Serve),
    List(List),
    Call(Call),
    Config(Config),
    #[command(flatten)]
    Verb(Verb),
}

/// What a tool says while it runs. For authors of tools, not for whoever calls them.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    #[command(hide = true)]
    Progress(Progress),
    #[command(hide = true)]
    Log(Log),
    #[command(hide = true)]
    Attach(Attach),
    #[command(hide = true)]
    Temp(Temp),
    #[command(hide = true)]
    Ask(Ask),
}

/// Writes a tools file to start from.
#[derive(Debug, Args)]
#[command(
    help_template = TEMPLATE,
    before_help = "\
Examples:
  candor new breakfast.sh
  candor new hello.sh && candor list hello.sh",
)]
pub(crate) struct New {
    /// Where to write it; a file that is there already is left alone
    pub(crate) file: PathBuf,
}

/// Serves the functions of bash files, and programs, as MCP tools over stdin and stdout.
#[derive(Debug, Args)]
#[command(
    help_template = TEMPLATE,
    before_help = "\
Examples:
  candor serve examples/cinema.sh
  candor serve --env API_KEY --timeout 2m examples/cinema.sh",
    after_help = UNITS,
)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) serving: Serving,
}

/// Shows the tools of a server as a model would see them.
#[derive(Debug, Args)]
#[command(
    help_template = TEMPLATE,
    before_help = "\
Examples:
  candor list examples/cinema.sh
  candor list examples/programs",
)]
pub(crate) struct List {
    /// A file that defines functions named tool_NAME, or a folder of programs
    pub(crate) target: String,
    /// Print the array of tools as the server sent it, on one line
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) running: Running,
    #[command(flatten)]
    pub(crate) choice: Choice,
    #[command(flatten)]
    pub(crate) logging: Logging,
}

/// Calls a tool, prints what a model would read, and says who should act if it failed.
#[derive(Debug, Args)]
#[command(
    help_template = TEMPLATE,
    before_help = "\
Examples:
  candor call examples/cinema.sh book_ticket movieId=1 showTime=13:30 numTickets=2
  candor call examples/cinema.sh validate_age --arguments '{\"age\":21,\"movieRating\":\"A\"}'",
    after_help = "\
How to write an argument:
  key=value      of the type that the tool's schema says, else text; where the schema says
                 nothing, 2, true and null are what they are in JSON, and all else is text
  key:=JSON      exactly this JSON
  key=@FILE      the text of a file, key:=@FILE its JSON; - is stdin
  key[]=value    one more entry of an array
  a.b=value      a member of an object",
)]
pub(crate) struct Call {
    /// A file that defines functions named tool_NAME, or a folder of programs
    pub(crate) target: String,
    /// The tool to call
    pub(crate) tool: String,
    /// Its arguments
    #[arg(value_name = "key=value")]
    pub(crate) words: Vec<String>,
    /// All arguments as one JSON object; @FILE reads it from a file, - from stdin
    #[arg(
        long,
        value_name = "JSON",
        allow_hyphen_values = true,
        conflicts_with = "words",
        help_heading = "Input and output"
    )]
    pub(crate) arguments: Option<String>,
    /// Print the whole result as the server sent it, on one line; of a protocol error, the error
    #[arg(long, help_heading = "Input and output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) running: Running,
    #[command(flatten)]
    pub(crate) choice: Choice,
    #[command(flatten)]
    pub(crate) logging: Logging,
}

/// Prints the JSON with which a host is told what to serve, once it is sure that it can be.
#[derive(Debug, Args)]
#[command(
    help_template = TEMPLATE,
    before_help = "\
Examples:
  candor config examples/cinema.sh
  candor config --name box-office --timeout 2m examples/cinema.sh",
    after_help = UNITS,
)]
pub(crate) struct Config {
    /// What the host is to call the server [default: after the first TARGET]
    #[arg(long, value_parser = values::server, help_heading = "Server")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) serving: Serving,
}

// What `serve` can be told, and `config` tells it. (A line of documentation would be theirs.)
#[derive(Debug, Args)]
pub(crate) struct Serving {
    /// Files that define functions named tool_NAME, and folders of programs
    #[arg(value_name = "TARGET", required = true)]
    pub(crate) targets: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) running: Running,
    /// How often a tool may be called that does not say; off: as often as anyone likes
    #[arg(long, value_name = "RATE", value_parser = values::rates, help_heading = "How tools run")]
    pub(crate) rate: Option<Rates>,
    /// Answer each request before the next is begun
    #[arg(long, help_heading = "How tools run")]
    pub(crate) in_order: bool,
    /// Look at edits as they are made, and say on the log what became of them
    #[arg(long, help_heading = "How tools run")]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) choice: Choice,
    /// How long a message may be
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = values::size,
        help_heading = "Protocol")]
    pub(crate) max_message: usize,
    /// Speak revision 2026-07-28 only
    #[arg(long, help_heading = "Protocol")]
    pub(crate) modern_only: bool,
    #[command(flatten)]
    pub(crate) logging: Logging,
}

/// Says how far a tool is, to whoever waits for its answer.
#[derive(Debug, Args)]
#[command(
    help_template = TEMPLATE,
    override_usage = "candor progress <DONE> [TOTAL] [TEXT]...",
    before_help = "\
Examples:
  candor progress 1 3 'first of three'
  candor progress 250 'rows read'",
    after_help = BY_HAND,
)]
pub(crate) struct Progress {
    /// How much is done, in digits
    #[arg(allow_hyphen_values = true)]
    pub(crate) done: OsString,
    /// How much there is to do, in digits, if that is known; and what is being done
    #[arg(value_name = "TOTAL TEXT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
}

/// Says something to the log of the server, not to the model.
#[derive(Debug, Args)]
#[command(
    help_template = TEMPLATE,
    before_help = "\
Examples:
  candor log warning the cache is empty
  candor log debug 3 rows read",
    after_help = BY_HAND,
)]
pub(crate) struct Log {
    /// debug, info, notice, warning, error, critical, alert or emergency
    #[arg(allow_hyphen_values = true)]
    pub(crate) level: OsString,
    /// What to say
    #[arg(
        value_name = "TEXT",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) words: Vec<OsString>,
}

/// Sends a file as it is now with the answer of a tool: a picture, a sound, or any other.
#[derive(Debug, Args)]
#[command(
    help_template = TEMPLATE,
    before_help = "\
Examples:
  candor attach README.md
  candor attach README.md text/markdown",
    after_help = "If no server has called the tool, this only says what would be sent.",
)]
pub(crate) struct Attach {
    /// The file; it may be removed right after
    pub(crate) file: OsString,
    /// What it holds, such as image/png [default: after its name]
    #[arg(value_name = "TYPE")]
    pub(crate) media_type: Option<OsString>,
}

/// Prints a folder for a tool's own use, which goes when the call ends.
#[derive(Debug, Args)]
#[command(
    help_template = TEMPLATE,
    before_help = "\
Examples:
  candor temp
  cd \"$(candor temp)\"",
    after_help = "If no server has called the tool, the folder stays.",
)]
pub(crate) struct Temp {}

/// Asks the user something before a tool acts.
#[derive(Debug, Args)]
#[command(
    help_template = TEMPLATE,
    before_help = "\
Examples:
  candor ask sure:boolean 'Book 8 seats?' || exit
  candor ask 'row:front|middle|back' 'Which row?' || exit",
    after_help = "It ends with 10, and the tool has to end with 10 as well. If no server has \
                  called the tool, whoever sits at the terminal is asked, and the answer is \
                  printed.",
)]
pub(crate) struct Ask {
    /// A name for the answer; and boolean, integer, number, string, or choices a|b
    #[arg(value_name = "KEY:TYPE", allow_hyphen_values = true)]
    pub(crate) about: OsString,
    /// The question
    #[arg(
        value_name = "TEXT",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) words: Vec<OsString>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "How tools run")]
pub(crate) struct Running {
    /// How long a call may take
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = values::time)]
    pub(crate) timeout: Duration,
    /// How much a call may print
    #[arg(long, value_name = "SIZE", default_value = "1M", value_parser = values::size)]
    pub(crate) max_output: usize,
    /// Pass this variable on to the tools; may be repeated, and '*' passes on all
    #[arg(long, value_name = "NAME", value_parser = values::variable)]
    pub(crate) env: Vec<String>,
    /// Read files and run tools in this folder [default: the current one]
    #[arg(long, value_name = "DIR", value_parser = values::folder)]
    pub(crate) cwd: Option<PathBuf>,
    /// Show paths below this folder to the model, too; may be repeated
    #[arg(long, value_name = "DIR", value_parser = values::folder,
        help_heading = "What a model may read")]
    pub(crate) allow_root: Vec<PathBuf>,
    /// Withhold addresses, telephone, card and account numbers of persons
    #[arg(long, help_heading = "What a model may read")]
    pub(crate) pii: bool,
    /// Show everything, secrets too
    #[arg(long, help_heading = "What a model may read")]
    pub(crate) no_redact: bool,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Which tools there are")]
pub(crate) struct Choice {
    /// Only these
    #[arg(long, value_name = "TOOL,…", value_delimiter = ',', value_parser = values::tool)]
    pub(crate) only: Vec<String>,
    /// All but these
    #[arg(long, value_name = "TOOL,…", value_delimiter = ',', value_parser = values::tool)]
    pub(crate) except: Vec<String>,
    /// Functions that the tools JSON does not list can be called too
    #[arg(long)]
    pub(crate) callable_unlisted: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Log")]
pub(crate) struct Logging {
    /// Append warnings, errors and incidents to this file [default: stderr]
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Say more, as CANDOR_LOG=debug does
    #[arg(short, long, action = ArgAction::SetTrue)]
    pub(crate) verbose: bool,
    /// Say errors only, as CANDOR_LOG=error does
    #[arg(short, long, action = ArgAction::SetTrue, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

/// One option of `serve` as it was typed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Typed {
    /// `--timeout`
    pub(crate) option: String,
    pub(crate) value: Option<OsString>,
    /// Is the value the path of something?
    pub(crate) is_path: bool,
}

/// The options of `serve` that were typed, in the order of `--help`.
pub(crate) fn typed(matches: &ArgMatches) -> Vec<Typed> {
    let serving = Serving::augment_args(clap::Command::new("serve"));
    let mut typed = Vec::new();
    for argument in serving.get_arguments() {
        let id = argument.get_id().as_str();
        let Some(name) = argument.get_long() else { continue };
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let option = format!("--{name}");
        let is_path = matches!(id, "cwd" | "log");
        if matches!(argument.get_action(), ArgAction::SetTrue) {
            typed.push(Typed { option, value: None, is_path });
            continue;
        }
        for values in matches.get_raw_occurrences(id).into_iter().flatten() {
            let value = values.collect::<Vec<_>>().join(OsStr::new(","));
            typed.push(Typed { option: option.clone(), value: Some(value), is_path });
        }
    }
    typed
}

/// What `--version` says after the name.
fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let newest_first = Version::ALL.iter().rev().map(|version| version.name());
        format!(
            "{} (commit {})\nprotocol revisions {}",
            env!("CARGO_PKG_VERSION"),
            env!("CANDOR_COMMIT"),
            newest_first.collect::<Vec<_>>().join(", ")
        )
    });
    &VERSION
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{Program, typed};

    #[test]
    fn the_command_line_does_not_contradict_itself() {
        Program::command().debug_assert();
    }

    #[test]
    fn what_was_typed_is_what_a_host_types() {
        let line = "candor config --only b,a --only c --env X -q --timeout=2m --cwd . t.sh --env Y";
        let matches = Program::command().try_get_matches_from(line.split(' ')).unwrap();
        let typed = typed(matches.subcommand_matches("config").unwrap()).into_iter();
        let words = typed.map(|it| match (it.option, it.value) {
            (option, Some(value)) => format!("{option} {}", value.to_str().unwrap()),
            (option, None) => option,
        });

        assert_eq!(
            words.collect::<Vec<_>>().join(" "),
            "--timeout 2m --env X --env Y --cwd . --only b,a --only c --quiet"
        );
    }
}

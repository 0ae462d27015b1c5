//! Documents to verdict: every command that README.md and docs/*.md show is run, and what it
//! prints is compared with what they show.
//!
//! In a fence whose info string begins with `console`,
//!
//! * a line `$ COMMAND` is run by `bash -c` in the root of a scratch copy of the repository, with
//!   `candor` on `PATH`; where it ends in `\`, it goes on in the next line,
//! * the lines up to the next command are what it prints, stdout and stderr as they come; none:
//!   only its exit status is looked at,
//! * a line `…` stands for any lines, and `incident` numbers may differ,
//! * `console exit=1`: each command of this fence must exit with 1 instead of 0,
//! * `console ignore: REASON`: nothing is run, and the reason is listed.
//!
//! A fence with `file=NAME` in its info string, as in `bash file=tools.sh`, is written to that file
//! before the commands below it run. Each document begins with a fresh copy.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::house::House;
use crate::scratch::Scratch;

/// They would run this program within itself, or change the machine.
const NEVER: [&str; 3] = ["cargo xtask test", "cargo xtask commands", "cargo install"];

/// A fence that means something to this chore.
#[derive(Debug, PartialEq)]
enum Block {
    Commands { exit: i32, commands: Vec<Shown> },
    File { name: String, text: String },
    Ignored { line: usize, reason: String },
}

/// A command, and what the document says it prints.
#[derive(Debug, PartialEq)]
struct Shown {
    line: usize,
    command: String,
    prints: Vec<String>,
}

/// Runs them all.
///
/// # Errors
///
/// One paragraph for each command that does something else than its document shows.
pub(crate) fn check(house: &House) -> Result<(), String> {
    let documents = documents(house.root())?;
    if documents.is_empty() {
        println!("there is no README.md and no docs/*.md");
        return Ok(());
    }
    let target = house.target()?;
    let mut complaints = Vec::new();
    for (name, text) in documents {
        match read(&text) {
            Ok(blocks) if blocks.is_empty() => {}
            Ok(blocks) => {
                let scratch = Scratch::lay(house, &target)?;
                build(&scratch)?;
                for block in &blocks {
                    complaints.extend(play(&scratch, &name, block));
                }
            }
            Err(mistakes) => {
                complaints.extend(mistakes.iter().map(|mistake| format!("{name}:{mistake}")));
            }
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n\n")) }
}

/// README.md, then docs in the order of their names.
fn documents(root: &Path) -> Result<Vec<(String, String)>, String> {
    let mut paths = vec![PathBuf::from("README.md")];
    if let Ok(entries) = fs::read_dir(root.join("docs")) {
        let mut docs: Vec<PathBuf> = entries
            .filter_map(|entry| Some(Path::new("docs").join(entry.ok()?.file_name())))
            .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
            .collect();
        docs.sort();
        paths.extend(docs);
    }
    paths.retain(|path| root.join(path).exists());
    paths
        .into_iter()
        .map(|path| {
            let name = path.display().to_string();
            let text = fs::read_to_string(root.join(&path));
            text.map_err(|cause| format!("{name}: {cause}")).map(|text| (name, text))
        })
        .collect()
}

/// Finds the fences of a document.
///
/// # Errors
///
/// Everything that is written so that it would not be run, each as `LINE: what is wrong`.
fn read(document: &str) -> Result<Vec<Block>, Vec<String>> {
    let mut blocks = Vec::new();
    let mut mistakes = Vec::new();
    let mut lines = (1..).zip(document.lines());
    while let Some((line, text)) = lines.next() {
        let indent = text.len() - text.trim_start().len();
        let ticks = text.trim_start().chars().take_while(|&mark| mark == '`').count();
        if ticks < 3 {
            continue;
        }
        let info = text.trim().trim_start_matches('`');
        let body: Vec<(usize, &str)> = lines
            .by_ref()
            .take_while(|(_, text)| !closes(text, ticks))
            .map(|(line, text)| (line, text.get(indent..).unwrap_or_default()))
            .collect();
        match block(line, info, &body) {
            Ok(block) => blocks.extend(block),
            Err(why) => mistakes.push(format!("{line}: {why}")),
        }
    }
    if mistakes.is_empty() { Ok(blocks) } else { Err(mistakes) }
}

fn closes(text: &str, ticks: usize) -> bool {
    let text = text.trim();
    text.len() >= ticks && text.bytes().all(|mark| mark == b'`')
}

fn block(line: usize, info: &str, body: &[(usize, &str)]) -> Result<Option<Block>, String> {
    let mut words = info.split_whitespace();
    let language = words.next().unwrap_or_default();
    if let Some(name) = words.clone().find_map(|word| word.strip_prefix("file=")) {
        let text = body.iter().flat_map(|(_, text)| [*text, "\n"]).collect();
        return Ok(Some(Block::File { name: name.to_owned(), text }));
    }
    if language != "console" {
        let unseen = body.iter().any(|(_, text)| text.starts_with("$ "));
        return if unseen {
            Err("a command in a fence that is not `console` is never run".to_owned())
        } else {
            Ok(None)
        };
    }
    let mut exit = 0;
    while let Some(word) = words.next() {
        if word == "ignore:" {
            let reason = words.by_ref().collect::<Vec<_>>().join(" ");
            if reason.is_empty() {
                return Err("`ignore:` needs a reason".to_owned());
            }
            return Ok(Some(Block::Ignored { line, reason }));
        }
        exit = word
            .strip_prefix("exit=")
            .and_then(|status| status.parse().ok())
            .ok_or_else(|| format!("`console` has no setting `{word}`"))?;
    }
    Ok(Some(Block::Commands { exit, commands: shown(body)? }))
}

fn shown(body: &[(usize, &str)]) -> Result<Vec<Shown>, String> {
    let mut commands: Vec<Shown> = Vec::new();
    let mut goes_on = false;
    for &(line, text) in body {
        if let Some(command) = text.strip_prefix("$ ") {
            goes_on = command.ends_with('\\');
            commands.push(Shown { line, command: command.to_owned(), prints: Vec::new() });
            continue;
        }
        let Some(last) = commands.last_mut() else {
            return Err("a `console` fence begins with `$ COMMAND`".to_owned());
        };
        if goes_on {
            goes_on = text.ends_with('\\');
            last.command.push('\n');
            last.command.push_str(text);
        } else {
            last.prints.push(text.to_owned());
        }
    }
    let never = commands
        .iter()
        .find_map(|shown| NEVER.iter().find(|never| shown.command.contains(**never)));
    match never {
        Some(never) => Err(format!("`{never}` is not run in a test: `console ignore: REASON`")),
        None if commands.is_empty() => Err("an empty `console` fence".to_owned()),
        None => Ok(commands),
    }
}

/// The `candor` that the commands find is the one of this very copy, as `cargo run` builds it.
/// Built before the first command, so that no command's time hides it.
fn build(scratch: &Scratch) -> Result<(), String> {
    let left = scratch.run("cargo build --release --package candor-cli")?;
    if left.exit == Some(0) { Ok(()) } else { Err(left.output) }
}

/// Runs a block, and says what came out other than shown.
fn play(scratch: &Scratch, document: &str, block: &Block) -> Vec<String> {
    match block {
        Block::File { name, text } => scratch
            .write(name, text)
            .err()
            .map(|why| format!("{document}: {why}"))
            .into_iter()
            .collect(),
        Block::Ignored { line, reason } => {
            println!("{document}:{line}: not run: {reason}");
            Vec::new()
        }
        Block::Commands { exit, commands } => commands
            .iter()
            .filter_map(|shown| {
                let started = Instant::now();
                let verdict = compare(scratch, *exit, shown);
                let word = if verdict.is_ok() { "ok" } else { "FAILED" };
                let (Shown { line, command, .. }, took) = (shown, started.elapsed().as_secs_f64());
                println!("{document}:{line}: {word} in {took:.1} s: {command}");
                verdict.err().map(|why| format!("{document}:{line}: `{command}` {why}"))
            })
            .collect(),
    }
}

fn compare(scratch: &Scratch, exit: i32, shown: &Shown) -> Result<(), String> {
    let left = scratch.run(&shown.command)?;
    let printed: Vec<String> = left.output.lines().map(folded).collect();
    let printed = trimmed(&printed);
    let expected: Vec<String> = shown.prints.iter().map(|line| folded(line)).collect();
    let expected = trimmed(&expected);
    let as_printed = || format!("it printed:\n{}", indented(printed));
    if left.exit != Some(exit) {
        let how = left.exit.map_or("by a signal".to_owned(), |exit| format!("with {exit}"));
        return Err(format!("ended {how}, not with {exit}; {}", as_printed()));
    }
    if expected.is_empty() || matches(expected, printed) {
        return Ok(());
    }
    Err(format!("should print:\n{}\n  {}", indented(expected), as_printed()))
}

/// Whether these are the lines expected, where `…` stands for any number of lines.
fn matches(expected: &[String], printed: &[String]) -> bool {
    match (expected.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((any, expected)), _) if any == "…" => (0..=printed.len())
            .any(|from| matches(expected, printed.get(from..).unwrap_or_default())),
        (Some((one, expected)), Some((other, printed))) => {
            one == other && matches(expected, printed)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// A line without trailing space, and without the digits of an incident.
fn folded(line: &str) -> String {
    const DIGITS: usize = 8;
    let mut parts = line.trim_end().split("incident ");
    let mut folded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        folded.push_str("incident ");
        let (number, rest) = part.split_at_checked(DIGITS).unwrap_or((part, ""));
        let is_one =
            number.len() == DIGITS && number.bytes().all(|digit| digit.is_ascii_hexdigit());
        folded.push_str(if is_one { "########" } else { number });
        folded.push_str(rest);
    }
    folded
}

/// Without empty lines at its ends.
fn trimmed(lines: &[String]) -> &[String] {
    let full = |line: &String| !line.is_empty();
    let from = lines.iter().position(full).unwrap_or(lines.len());
    let to = lines.iter().rposition(full).map_or(from, |last| last + 1);
    lines.get(from..to).unwrap_or_default()
}

fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: usize, command: &str, prints: &[&str]) -> Shown {
        let prints = prints.iter().map(ToString::to_string).collect();
        Shown { line, command: command.to_owned(), prints }
    }

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_command_is_followed_by_what_it_prints() {
        let document = "\
Text with `$ code`.

```console
$ candor list tools.sh
add  Adds.

$ candor --version
```

```json
{}
```
";
        assert_eq!(
            read(document),
            Ok(vec![Block::Commands {
                exit: 0,
                commands: vec![
                    shown(4, "candor list tools.sh", &["add  Adds.", ""]),
                    shown(7, "candor --version", &[]),
                ],
            }])
        );
    }

    #[test]
    fn a_command_goes_on_after_a_backslash() {
        let document = "```console\n$ candor call a.sh \\\n    b c=1\nd\n```\n";
        let commands = vec![shown(2, "candor call a.sh \\\n    b c=1", &["d"])];
        assert_eq!(read(document), Ok(vec![Block::Commands { exit: 0, commands }]));
    }

    #[test]
    fn another_exit_status_can_be_shown() {
        let document = "```console exit=1\n$ false\n```\n";
        let commands = vec![shown(2, "false", &[])];
        assert_eq!(read(document), Ok(vec![Block::Commands { exit: 1, commands }]));
    }

    #[test]
    fn an_ignored_fence_has_a_reason() {
        let reason = "runs this".to_owned();
        assert_eq!(
            read("```console ignore: runs this\n$ cargo xtask test\n```\n"),
            Ok(vec![Block::Ignored { line: 1, reason }])
        );
        assert_mistake("```console ignore:\n$ true\n```\n", "1: `ignore:` needs a reason");
    }

    #[test]
    fn a_shown_file_is_written() {
        let text = "tool_a() {\n  echo b\n}\n".to_owned();
        assert_eq!(
            read("1. so:\n\n   ```bash file=a.sh\n   tool_a() {\n     echo b\n   }\n   ```\n"),
            Ok(vec![Block::File { name: "a.sh".to_owned(), text }])
        );
    }

    #[test]
    fn a_fence_within_a_longer_fence_is_text() {
        assert_eq!(
            read("````markdown\n```console\n$ false\n```\n````\n"),
            mistake_of_hidden_command()
        );
        assert_eq!(read("````markdown\n```\ntext\n```\n````\n"), Ok(Vec::new()));
    }

    fn mistake_of_hidden_command() -> Result<Vec<Block>, Vec<String>> {
        Err(vec!["1: a command in a fence that is not `console` is never run".to_owned()])
    }

    #[test]
    fn what_would_not_be_run_is_a_mistake() {
        assert_eq!(read("```\n$ candor list\n```\n"), mistake_of_hidden_command());
        assert_eq!(read("```sh\n# so\n$ candor list\n```\n"), mistake_of_hidden_command());
        assert_mistake("```console\n```\n", "1: an empty `console` fence");
        assert_mistake("```console\ncandor\n```\n", "1: a `console` fence begins with `$ COMMAND`");
        assert_mistake("```console quiet\n$ a\n```\n", "1: `console` has no setting `quiet`");
        assert_mistake(
            "```console\n$ cargo install candor-cli\n```\n",
            "1: `cargo install` is not run in a test: `console ignore: REASON`",
        );
    }

    fn assert_mistake(document: &str, mistake: &str) {
        assert_eq!(read(document), Err(vec![mistake.to_owned()]));
    }

    #[test]
    fn an_ellipsis_stands_for_any_lines() {
        let expected = lines("first\n…\nlast");
        assert!(matches(&expected, &lines("first\nlast")));
        assert!(matches(&expected, &lines("first\nlast\nand more\nlast")));
        assert!(!matches(&expected, &lines("first\nlast\nand more")));
        assert!(!matches(&lines("a"), &lines("a\nb")));
        assert!(!matches(&lines("a\nb"), &lines("a")));
    }

    #[test]
    fn incident_numbers_may_differ() {
        assert_eq!(folded("(incident 0a1b2c3d), on stderr  "), "(incident ########), on stderr");
        assert_eq!(folded("incident 0a1b"), "incident 0a1b");
        assert_eq!(folded("no incident at all"), "no incident at all");
    }

    #[test]
    fn empty_lines_at_the_ends_do_not_count() {
        assert_eq!(trimmed(&lines("\n\na\n\nb\n\n")), lines("a\n\nb"));
        assert_eq!(trimmed(&lines("\n\n")), lines(""));
    }
}

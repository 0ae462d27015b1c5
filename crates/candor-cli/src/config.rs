//! `candor config`: a command line for `serve` to the JSON with which a host starts it.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf, absolute};

use candor::Journal;
use candor_shell::Rates;

use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::options::{Choice, Config, Logging, Running, Serving, Typed};
use crate::terminal::{complain, print};
use crate::{json, log, target};

/// What a server is called whose target has no name that every host takes.
const NAMELESS: &str = "tools";

pub(crate) async fn run(config: Config, typed: Vec<Typed>) -> Exit {
    let Config { name, serving } = config;
    let Serving { targets, running, choice, logging, .. } = serving;
    let variables = named(&running.env);
    let text = match written(name, &targets, &variables, typed) {
        Ok(text) => text,
        Err(why) => return refuse(&why),
    };
    // The log is where the host's server will keep its own.
    let ours = Logging { log: None, ..logging };
    let opened = log::open(&ours).and_then(|journal| Ok((journal, Interrupt::listen()?)));
    let (journal, mut interrupt) = match opened {
        Ok(opened) => opened,
        Err(why) => return refuse(&why),
    };
    let checked = tokio::select! {
        biased;
        () = interrupt.comes() => return Exit::Interrupted,
        checked = check(&targets, running, choice, &journal) => checked,
    };
    if let Err(why) = checked {
        return refuse(&why);
    }
    if !variables.is_empty() && !ours.quiet {
        let places: Vec<_> = variables.iter().map(|name| place(name)).collect();
        let places = places.join(" and ");
        complain(&format!("a host that does not fill in {places} itself needs the value there"));
    }
    print(&text, Exit::Done)
}

fn refuse(why: &str) -> Exit {
    why.lines().for_each(complain);
    Exit::Unusable
}

/// Can the targets be served, by a host that starts servers anywhere?
async fn check(
    targets: &[PathBuf],
    running: Running,
    choice: Choice,
    journal: &Journal,
) -> Result<(), String> {
    let is_anywhere = running.cwd.is_none();
    load(targets, running.clone(), choice.clone(), journal).await?;
    if is_anywhere {
        let paths: Result<Vec<_>, _> = targets.iter().map(absolute).collect();
        let paths = paths.map_err(|cause| cause.to_string())?;
        let elsewhere = Running { cwd: Some("/".into()), ..running };
        // What there is to warn of has been said.
        let nobody = Journal::new(|_| ());
        load(&paths, elsewhere, choice, &nobody).await.map_err(|why| {
            format!("this works only in this folder, and a host may start it in another: {why}; add --cwd .")
        })?;
    }
    Ok(())
}

async fn load(
    targets: &[PathBuf],
    running: Running,
    choice: Choice,
    journal: &Journal,
) -> Result<(), String> {
    let tools = target::load(targets, running, Rates::AsDeclared, choice, journal);
    let ready = tools.ready().await.map_err(|why| why.to_string());
    tools.end().await;
    ready
}

/// The JSON, in lines.
fn written(
    name: Option<String>,
    targets: &[PathBuf],
    variables: &[String],
    typed: Vec<Typed>,
) -> Result<String, String> {
    let mut words = vec!["serve".to_owned()];
    for Typed { option, value, is_path } in typed {
        words.push(option);
        words.extend(match value {
            Some(path) if is_path => Some(anywhere(Path::new(&path))?),
            Some(value) => Some(unicode(&value)?),
            None => None,
        });
    }
    for target in targets {
        words.push(anywhere(target)?);
    }
    let name = name.or_else(|| targets.first().map(|target| after(target)));
    let name = name.unwrap_or_else(|| NAMELESS.to_owned());
    let words: Vec<_> = words.iter().map(json::write).collect();
    let mut text = format!(
        "{{\n  \"mcpServers\": {{\n    {}: {{\n      \"command\": {},\n      \"args\": [{}]",
        json::write(&name),
        json::write(&anywhere(&program()?)?),
        words.join(", ")
    );
    if !variables.is_empty() {
        let member =
            |name: &String| format!("{}: {}", json::write(name), json::write(&place(name)));
        let members: Vec<_> = variables.iter().map(member).collect();
        // Writing to a string cannot fail.
        let _ = write!(text, ",\n      \"env\": {{ {} }}", members.join(", "));
    }
    text.push_str("\n    }\n  }\n}\n");
    Ok(text)
}

/// The variables that are passed on by name, each once.
fn named(environment: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in environment.iter().filter(|name| *name != "*") {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// What stands for the value of a variable. The value may be a secret, and this may go anywhere.
fn place(variable: &str) -> String {
    format!("${{{variable}}}")
}

/// The name of a server, after its file or folder.
fn after(target: &Path) -> String {
    let path = absolute(target).unwrap_or_else(|_| target.to_owned());
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name = name.unwrap_or_default().to_string_lossy().replace(|c| !is_plain(c), "-");
    let name = name.trim_matches('-');
    if name.is_empty() { NAMELESS.to_owned() } else { name.to_owned() }
}

/// Where this program lies: under the name by which it is found, if that is on the search path.
/// Behind it may be a link to a place that changes with every version.
fn program() -> Result<PathBuf, String> {
    let here = std::env::current_exe()
        .map_err(|cause| format!("the system does not say where candor is: {cause}"))?;
    let Some(name) = here.file_name() else { return Ok(here) };
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.canonicalize().is_ok_and(|path| path == here));
    Ok(found.unwrap_or(here))
}

/// A path that means the same wherever a host starts.
fn anywhere(path: &Path) -> Result<String, String> {
    let path = absolute(path).map_err(|cause| format!("{}: {cause}", path.display()))?;
    unicode(path.as_os_str())
}

fn unicode(word: &OsStr) -> Result<String, String> {
    let text = word.to_str().map(str::to_owned);
    text.ok_or_else(|| format!("{} is not UTF-8, and JSON is", word.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::after;

    #[test]
    fn a_server_is_called_after_what_it_serves() {
        assert_eq!(after(Path::new("tools/cinema.sh")), "cinema");
        assert_eq!(after(Path::new("my tools.v2.sh")), "my-tools-v2");
        assert_eq!(after(Path::new("src/")), "src");
        assert_eq!(after(Path::new(".")), "candor-cli");
        assert_eq!(after(Path::new("/")), "tools");
        assert_eq!(after(Path::new("日本.sh")), "tools");
    }
}

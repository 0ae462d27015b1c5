//! TARGET to a server that can be asked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use candor::{Journal, Level, Limits, Policy, Server};
use candor_shell::{Exposure, Options, Rates, Tools};
use candor_transport::memory;

use crate::options::{Choice, Running};
use crate::peer::Peer;
use crate::redaction;

/// A server, and what there is to end once it is no longer asked.
pub(crate) struct Opened {
    pub(crate) tools: Arc<Tools>,
    pub(crate) peer: Peer,
}

/// What a word on the command line means as a server.
///
/// # Errors
///
/// Anything but a file or a folder.
pub(crate) fn read(target: &str) -> Result<PathBuf, String> {
    const ONLY: &str = "only a file that defines functions named tool_NAME, or a folder of \
                        programs, is understood here";
    let path = Path::new(target);
    if ["http://", "https://"].iter().any(|scheme| target.starts_with(scheme)) {
        return Err(format!("{target} is a URL, and {ONLY}"));
    }
    if !path.exists() && target.contains(' ') {
        return Err(format!("{target:?} looks like a command line, and {ONLY}"));
    }
    Ok(path.to_owned())
}

/// Starts a server for a file or a folder in this process.
pub(crate) fn open(path: PathBuf, running: Running, choice: Choice, journal: &Journal) -> Opened {
    warn_of_unset(&running.env, journal);
    let redactor = redaction::redactor(&running, journal);
    let tools = load(
        &[path],
        running,
        Rates::AsDeclared,
        choice,
        &redaction::of_log(journal, redactor.as_ref()),
    );
    let source = Arc::clone(&tools) as Arc<dyn candor::Source>;
    let server = Server::from_source(source, Policy::default(), journal.clone());
    let server = server.redacting(redactor);
    let peer = Peer::new(memory::connect(server.session(), Limits::default()));
    Opened { tools, peer }
}

/// Tells the log which variables are to be passed on and hold nothing to pass.
pub(crate) fn warn_of_unset(names: &[String], journal: &Journal) {
    for name in names.iter().filter(|name| *name != "*") {
        let text = match std::env::var_os(name) {
            None => format!("--env {name} passes nothing on: {name} is not set"),
            Some(value) if value.to_str() == Some(&format!("${{{name}}}")) => {
                format!("{name} is ${{{name}}} to the letter: the host has not filled it in")
            }
            Some(_) => continue,
        };
        journal.note(Level::Warning, &text);
    }
}

/// Starts loading files and folders.
pub(crate) fn load(
    paths: &[PathBuf],
    running: Running,
    rates: Rates,
    choice: Choice,
    journal: &Journal,
) -> Arc<Tools> {
    let Running { timeout, max_output, env, cwd, .. } = running;
    let mut options = Options::default();
    options.environment = env;
    options.folder = cwd;
    options.timeout = timeout;
    options.max_output = max_output;
    options.rates = rates;
    // Where programs find `candor progress` and its like.
    options.commands =
        std::env::current_exe().ok().and_then(|program| Some(program.parent()?.to_owned()));
    let Choice { only, except, callable_unlisted } = choice;
    let mut exposure = Exposure::default();
    exposure.only = (!only.is_empty()).then_some(only);
    exposure.except = except;
    exposure.callable_unlisted = callable_unlisted;
    Arc::new(Tools::open(paths, options, exposure, journal.clone()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::read;

    #[test]
    fn what_candor_cannot_serve_is_named_in_one_sentence() {
        const ONLY: &str = "only a file that defines functions named tool_NAME, or a folder of \
                            programs, is understood here";

        assert_eq!(
            read("https://example.com/mcp"),
            Err(format!("https://example.com/mcp is a URL, and {ONLY}"))
        );
        assert_eq!(
            read("npx some-server"),
            Err(format!("\"npx some-server\" looks like a command line, and {ONLY}"))
        );
        for path in ["tools.sh", "src"] {
            assert_eq!(read(path), Ok(PathBuf::from(path)));
        }
    }
}

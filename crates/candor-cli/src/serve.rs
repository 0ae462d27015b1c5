//! `candor serve`: tools files, served on standard input and output.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;

use candor::{Level, Limits, Policy, Server};
use candor_shell::Tools;
use candor_transport::stdio;

use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::options::Serve;
use crate::terminal::complain;
use crate::{log, target};

pub(crate) async fn run(serve: Serve) -> Exit {
    let Serve { files, running, in_order, choice, max_message, modern_only, logging } = serve;
    let journal = match log::open(&logging) {
        Ok(journal) => journal,
        Err(why) => {
            complain(&why);
            return Exit::Unusable;
        }
    };
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(cause) => {
            complain(&format!("signals cannot be listened for: {cause}"));
            return Exit::Unusable;
        }
    };
    if std::io::stdin().is_terminal() && !logging.quiet {
        greet(&files);
    }
    let tools = target::load(&files, running, choice, &journal);
    let mut policy = Policy::default();
    policy.in_order = in_order;
    policy.modern_only = modern_only;
    let mut limits = Limits::default();
    limits.max_message = max_message;
    let source = Arc::clone(&tools) as Arc<dyn candor::Source>;
    let server = Server::from_source(source, policy, journal.clone());

    let exit = tokio::select! {
        end = stdio::serve(server.session(), limits) => match end {
            Ok(()) => served_to_the_end(&tools, interrupt).await,
            Err(cause) => Err(format!("the messages cannot be read: {cause}")),
        },
        why = unservable(&tools) => Err(why),
    };
    tools.end().await;
    match exit {
        Ok(()) => Exit::Done,
        Err(why) => {
            if logging.log.is_some() {
                journal.note(Level::Error, &why);
            }
            complain(&why);
            Exit::Unusable
        }
    }
}

/// Comes to an end only if a file cannot be served, with the reason.
async fn unservable(tools: &Tools) -> String {
    match tools.ready().await {
        Err(why) => why.to_string(),
        Ok(()) => std::future::pending().await,
    }
}

/// A host that hung up early is still told whether there was anything to serve, but one that told
/// us to stop does not wait for it.
async fn served_to_the_end(tools: &Tools, mut interrupt: Interrupt) -> Result<(), String> {
    tokio::select! {
        biased;
        () = interrupt.comes() => Ok(()),
        ready = tools.ready() => ready.map_err(|why| why.to_string()),
    }
}

/// Someone has started us by hand, and looks at a cursor.
fn greet(files: &[PathBuf]) {
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    let names = names.join(" ");
    complain(&format!("serving {names} here: one JSON message a line, Ctrl-D ends it"));
}

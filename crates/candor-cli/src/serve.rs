//! `candor serve`: tools, served on standard input and output.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use candor::{Level, Limits, Policy, Server};
use candor_shell::{Rates, Tools};
use candor_transport::stdio;
use tokio::time::sleep;

use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::options::{Serve, Serving};
use crate::terminal::complain;
use crate::{log, redaction, target};

/// What is left of the half second in which a server that is told to stop has to be gone.
const SOON: Duration = Duration::from_millis(50);

pub(crate) async fn run(serve: Serve) -> Exit {
    let Serve { serving } = serve;
    let Serving { targets, running, rate, in_order, watch, choice, .. } = serving;
    let Serving { max_message, modern_only, logging, .. } = serving;
    let least = if watch { Level::Info } else { Level::Warning };
    let opened =
        log::open_for(&logging, least).and_then(|journal| Ok((journal, Interrupt::listen()?)));
    let (journal, mut interrupt) = match opened {
        Ok(opened) => opened,
        Err(why) => {
            complain(&why);
            return Exit::Unusable;
        }
    };
    if std::io::stdin().is_terminal() && !logging.quiet {
        greet(&targets);
    }
    target::warn_of_unset(&running.env, &journal);
    let redactor = redaction::redactor(&running, &journal);
    let for_tools = redaction::of_log(&journal, redactor.as_ref());
    let rates = rate.unwrap_or(Rates::AsDeclared);
    if rates == Rates::Off {
        let text = "--rate off: tools are called as often as anyone likes, whatever they declare";
        journal.note(Level::Warning, text);
    }
    let tools = target::load(&targets, running, rates, choice, &for_tools);
    if watch {
        tools.watch();
    }
    let mut policy = Policy::default();
    policy.in_order = in_order;
    policy.modern_only = modern_only;
    let mut limits = Limits::default();
    limits.max_message = max_message;
    let source = Arc::clone(&tools) as Arc<dyn candor::Source>;
    let server = Server::from_source(source, policy, journal.clone()).redacting(redactor);

    // If a file cannot be served, whoever asked meanwhile is answered before the end.
    let end = stdio::serve(server.session(), limits, unservable(&tools)).await;
    let end = end.map_err(|cause| format!("the messages cannot be read: {cause}"));
    let is_told_to_stop = interrupt.has_come().await;
    let end = match end {
        // A host that hung up early is told all the same whether there was anything to serve.
        Ok(()) if !is_told_to_stop => tokio::select! {
            () = interrupt.comes() => Ok(()),
            ready = tools.ready() => ready.map_err(|why| why.to_string()),
        },
        end => end,
    };
    tokio::select! {
        () = tools.end() => {}
        () = interrupt.comes() => {}
        () = sleep(SOON), if is_told_to_stop => {}
    }
    match end {
        Ok(()) => Exit::Done,
        Err(why) => {
            if logging.log.is_some() {
                journal.note(Level::Error, &why);
            }
            why.lines().for_each(complain);
            Exit::Unusable
        }
    }
}

/// Comes to an end only if a file cannot be served.
async fn unservable(tools: &Tools) {
    if tools.ready().await.is_ok() {
        std::future::pending::<()>().await;
    }
}

/// Someone has started us by hand, and looks at a cursor.
fn greet(targets: &[PathBuf]) {
    let names: Vec<_> = targets.iter().map(|target| target.display().to_string()).collect();
    let (first, names) = (names.first().cloned().unwrap_or_default(), names.join(" "));
    complain(&format!("serving {names} here: one JSON message a line, Ctrl-D ends it"));
    complain(&format!("to try a tool, use candor list {first} and candor call {first} TOOL …"));
}

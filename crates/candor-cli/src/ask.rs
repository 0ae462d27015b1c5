//! A server that is opened, asked, told of, and ended: what `list` and `call` have in common.

use std::io;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use tokio::time::{sleep, timeout};

use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::options::{Choice, Logging, Running};
use crate::peer::Peer;
use crate::target::Opened;
use crate::terminal::{complain, print, say, style};
use crate::verdict::{Remark, Verdict};
use crate::{log, target};

/// How long a tool that was cancelled may clear up.
const CLEARING_UP: Duration = Duration::from_millis(500);

/// Asks a server, and tells what it said.
pub(crate) async fn ask(
    target: &str,
    running: Running,
    choice: Choice,
    logging: &Logging,
    talk: impl AsyncFnOnce(&mut Peer) -> Verdict,
) -> Exit {
    let opened = target::read(target).and_then(|file| {
        let journal = log::open(logging)?;
        let interrupt = Interrupt::listen()?;
        Ok((target::open(file, running, choice, &journal), interrupt))
    });
    let (opened, mut interrupt) = match opened {
        Ok(opened) => opened,
        Err(why) => {
            complain(&why);
            return Exit::Unusable;
        }
    };
    let Opened { tools, mut peer } = opened;
    let asked = async {
        let ready = tools.ready().await;
        ready.map_err(|why| why.to_string())?;
        Ok::<Verdict, String>(talk(&mut peer).await)
    };
    let told = tokio::select! {
        biased;
        () = interrupt.comes() => None,
        asked = asked => Some(asked),
    };
    let exit = match told {
        Some(Ok(verdict)) => tell(verdict),
        Some(Err(why)) => {
            why.lines().for_each(complain);
            Exit::Unusable
        }
        None => Exit::Interrupted,
    };
    let end = async {
        if exit == Exit::Interrupted && peer.has_called() {
            say("interrupted: the call was cancelled; it may have taken effect");
            // A server that does not end by itself is about to be ended.
            let _ = timeout(CLEARING_UP, peer.cancel()).await;
            sleep(CLEARING_UP).await;
        }
        tools.end().await;
    };
    tokio::select! {
        biased;
        // Whoever asks twice does not want to wait.
        () = interrupt.comes() => Exit::Interrupted,
        () = end => exit,
    }
}

fn tell(verdict: Verdict) -> Exit {
    let Verdict { answer, remark, exit } = verdict;
    let exit = print(&answer, exit);
    if let Some(Remark { channel, text, help }) = remark {
        let colour = if exit == Exit::ToolError { AnsiColor::Yellow } else { AnsiColor::Red };
        let style = style(&io::stderr(), Style::new().bold().fg_color(Some(colour.into())));
        say(&format!("{style}{channel}{style:#}: {text}"));
        if let Some(help) = help {
            say(&help);
        }
    }
    exit
}

//! A call that has to wait until others of the same tool are over.
//!
//! It is admitted and its arguments fit; only its turn has not come. The message is gone by then,
//! so what the tool needs of it is kept. Its time begins with its turn.

use std::sync::Arc;
use std::time::Duration;

use candor_protocol::inbound::Client;
use candor_protocol::{Arguments, ToolCall, ToolError, ToolOutcome, Version, Why};
use tokio::sync::watch;

use crate::answer::{begin, time};
use crate::guard::guarded;
use crate::progress::Progress;
use crate::seats::{Seat, Seating};
use crate::tool::{Call, Calling, Cancelling, Ending, States, Surroundings, Workers};
use crate::toolset::Entry;
use crate::turns::Place;

/// What a call happens in, but for what is its own.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) ending: &'a Ending,
    pub(crate) progress: &'a Progress,
    pub(crate) cancelling: &'a Cancelling,
    pub(crate) states: &'a Arc<States>,
    pub(crate) workers: Workers,
    pub(crate) version: Version,
    pub(crate) opened_by: Option<&'a Arc<Client>>,
}

impl<'a> Around<'a> {
    pub(crate) const fn with(self, seating: &'a Seating<'a>, meta: &'a str) -> Surroundings<'a> {
        let Self { ending, progress, cancelling, states, workers, version, opened_by } = self;
        Surroundings {
            ending,
            seating,
            progress,
            cancelling,
            states,
            workers,
            version,
            meta,
            opened_by,
        }
    }
}

/// A call that waits for its turn.
pub(crate) struct Waiting {
    entry: Arc<Entry>,
    place: Place,
    seat: Seat,
    name: String,
    arguments: String,
    meta: String,
    ending: Ending,
    progress: Progress,
    awaited: Arc<watch::Sender<bool>>,
    states: Arc<States>,
    workers: Workers,
    version: Version,
    opened_by: Option<Arc<Client>>,
}

impl Waiting {
    pub(crate) fn new(
        entry: &Arc<Entry>,
        call: &ToolCall<'_>,
        place: Place,
        seat: Seat,
        around: Around<'_>,
    ) -> Self {
        Self {
            entry: Arc::clone(entry),
            place,
            seat,
            name: call.name.as_ref().to_owned(),
            arguments: call.arguments.as_json().to_owned(),
            meta: call.meta.to_owned(),
            ending: around.ending.clone(),
            progress: around.progress.clone(),
            awaited: Arc::clone(around.cancelling.teller()),
            states: Arc::clone(around.states),
            workers: around.workers,
            version: around.version,
            opened_by: around.opened_by.cloned(),
        }
    }

    /// Waits, and calls the tool.
    pub(crate) async fn call(self) -> ToolOutcome {
        let Self { entry, place, seat, name, arguments, meta, mut ending, .. } = self;
        let patience = guarded(|| entry.tool.patience()).unwrap_or(Duration::ZERO);
        let turn = tokio::select! {
            turn = place.turn(patience) => turn,
            () = ending.reached() => Err(Why::Unavailable),
        };
        let seat = match turn {
            Ok(turn) => seat.with_turn(turn),
            Err(why) => return ToolOutcome::Failed(ToolError::seen(why)),
        };
        let calling = {
            let cancelling = Cancelling::of(self.awaited);
            let around = Around {
                ending: &ending,
                progress: &self.progress,
                cancelling: &cancelling,
                states: &self.states,
                workers: self.workers,
                version: self.version,
                opened_by: self.opened_by.as_ref(),
            };
            let (seating, arguments) = (Seating::taken(seat), Arguments::from_json(&arguments));
            let surroundings = around.with(&seating, &meta);
            begin(&entry, Call::new(&name, &arguments, &surroundings))
        };
        match calling {
            Calling::Done(outcome) => outcome,
            Calling::Running(running) => within(time(&entry), running).await,
        }
    }
}

async fn within(time: Option<Duration>, running: impl Future<Output = ToolOutcome>) -> ToolOutcome {
    let Some(after) = time else { return running.await };
    tokio::time::timeout(after, running).await.unwrap_or_else(|_| {
        ToolOutcome::Failed(ToolError::seen(Why::TimedOut { after, said: String::new() }))
    })
}

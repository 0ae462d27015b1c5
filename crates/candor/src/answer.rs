//! One message in, and what becomes of it. This file is the failure contract.
//!
//! Everything above the line is the host's to repair and becomes a [`ProtocolError`]; everything
//! below it is the model's, and becomes an outcome. `?` above the line is the protocol channel;
//! below it there is none to use.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use candor_protocol::inbound::{Admitted, Client, RequestEnvelope, Standing, admit};
use candor_protocol::{
    IdValue, ProtocolError, Request, RequestId, ToolCall, ToolError, ToolOutcome, Version, Why,
};

use crate::arguments;
use crate::catalog::Catalog;
use crate::guard::{guarded, panicked};
use crate::progress::Reports;
use crate::seats::{Seat, Seats};
use crate::shared::Shared;
use crate::tool::{Availability, Awaited, Call, Calling, Cancelling, Ending, Workers};
use crate::toolset::Entry;
use crate::turns::Admission;
use crate::waiting::{Around, Waiting};

/// What becomes of a request.
pub(crate) enum Answer<'a> {
    /// Its result, encoded: there is nothing to do but to send it.
    Result(RequestId<'a>, Encoded),
    /// A tool was called.
    Call(Called<'a>),
    /// It must wait.
    Wait(RequestId<'a>, WaitFor),
}

/// What a request waits for.
pub(crate) enum WaitFor {
    /// The catalog is being loaded.
    Catalog,
    /// All seats are taken.
    Seat,
}

/// A result as JSON text.
pub(crate) enum Encoded {
    Own(Vec<u8>),
    /// The list of tools as this revision carries it.
    List(Arc<Catalog>, Version),
}

/// A tool that was called, and how far it has got.
pub(crate) struct Called<'a> {
    pub(crate) id: RequestId<'a>,
    pub(crate) version: Version,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) entry: Arc<Entry>,
    pub(crate) calling: Calling,
    /// How long it may go on, and the seat it has meanwhile; of no meaning if it is over.
    pub(crate) time: Option<Duration>,
    pub(crate) seat: Option<Seat>,
    /// What it reports, if anyone wants to know.
    pub(crate) reports: Option<Reports>,
    /// Tells what goes on elsewhere when nobody waits any more.
    pub(crate) awaited: Option<Awaited>,
}

/// What a connection knows when it asks.
pub(crate) struct Situation<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) initialized: &'a mut Option<Version>,
    /// Who opened the connection, where that is said once.
    pub(crate) opened_by: &'a mut Option<Arc<Client>>,
    pub(crate) workers: Workers,
    pub(crate) ending: &'a Ending,
    pub(crate) seats: &'a Seats,
    /// Does a call in flight report its progress by this token?
    pub(crate) is_token_in_use: &'a dyn Fn(&IdValue) -> bool,
}

/// Answers a request, or says why not.
///
/// # Errors
///
/// The request cannot be served, and the host must know why.
pub(crate) fn answer<'a>(
    request: RequestEnvelope<'a>,
    situation: Situation<'_>,
) -> Result<Answer<'a>, ProtocolError> {
    let Situation { shared, initialized, opened_by, workers, ending, seats, is_token_in_use } =
        situation;
    let modern_only = shared.policy.modern_only;
    let admitted = admit(request, Standing { initialized: *initialized, modern_only })?;
    let Admitted { id, version, .. } = admitted;
    let call = match Request::understand(&admitted)? {
        Request::Ping => return Ok(Answer::Result(id, Encoded::Own(b"{}".to_vec()))),
        Request::Discover => {
            let Some(about) = shared.source.about() else { return wait(shared, id) };
            return Ok(Answer::Result(id, Encoded::Own(about.discovered())));
        }
        Request::Initialize(client) => {
            *initialized = Some(version);
            *opened_by = Some(Arc::from(client));
            let Some(about) = shared.source.about() else { return wait(shared, id) };
            return Ok(Answer::Result(id, Encoded::Own(about.initialized(version))));
        }
        Request::ListTools => {
            let Some(catalog) = shared.source.catalog() else { return wait(shared, id) };
            return Ok(Answer::Result(id, Encoded::List(catalog, version)));
        }
        Request::CallTool(call) => call,
    };
    let Some(catalog) = shared.source.catalog() else { return wait(shared, id) };
    let entry = Arc::clone(catalog.tools().find(&call.name)?);
    let availability = guarded(|| entry.tool.availability()).unwrap_or_else(Availability::Broken);
    if let Availability::Broken(why) = &availability {
        let incident = shared.journal.incident(&format!("{}: {why}", call.name));
        return Err(ProtocolError::Internal { incident });
    }
    // A call that will not run needs no seat.
    let will_run = availability == Availability::Ready && !ending.is_reached();
    if will_run && !seats.is_any_free() {
        return Ok(Answer::Wait(id, WaitFor::Seat));
    }

    // ─────────────── The line. Above it the host repairs, below it the model. ───────────────

    let cancelling = Cancelling::default();
    let token = call.progress_token.filter(|_| will_run);
    let reports =
        token.and_then(|token| Reports::begin(token, version, &shared.masking, is_token_in_use));
    let progress = reports.as_ref().map(Reports::progress).unwrap_or_default();
    let around = Around {
        ending,
        progress: &progress,
        cancelling: &cancelling,
        states: &shared.states,
        workers,
        version,
        opened_by: opened_by.as_ref(),
    };
    let (calling, time, seat) = if will_run {
        enter(&entry, &call, seats, around).unwrap_or_else(refused)
    } else {
        refused(ToolError::seen(Why::Unavailable))
    };
    let awaited = cancelling.awaited();
    Ok(Answer::Call(Called { id, version, catalog, entry, calling, time, seat, reports, awaited }))
}

/// What the request needs is not there yet, or never will be.
fn wait<'a>(shared: &Shared, id: RequestId<'a>) -> Result<Answer<'a>, ProtocolError> {
    match shared.source.fault() {
        None => Ok(Answer::Wait(id, WaitFor::Catalog)),
        Some(why) => Err(ProtocolError::Internal { incident: shared.journal.incident(&why) }),
    }
}

/// How far a call has got when it has been entered, how long it may go on, and its seat meanwhile.
type Entered = (Calling, Option<Duration>, Option<Seat>);

/// Limits, then arguments, then the tool.
///
/// # Errors
///
/// Nothing has run, and the model is told why.
fn enter(
    entry: &Arc<Entry>,
    call: &ToolCall<'_>,
    seats: &Seats,
    around: Around<'_>,
) -> Result<Entered, ToolError> {
    let admission =
        if entry.turns.is_limited() { entry.turns.admit() } else { Ok(Admission::free()) };
    let admission = admission.map_err(ToolError::seen)?;
    arguments::check(entry, &call.arguments)?;
    let turn = match admission {
        Admission::Begins(turn) => turn,
        Admission::Waits(place) => {
            let seat = seats.seating(None).seat();
            let waiting = Waiting::new(entry, call, place, seat.clone(), around);
            return Ok((Calling::Running(Box::pin(waiting.call())), None, Some(seat)));
        }
    };
    let seating = seats.seating(Some(turn));
    let surroundings = around.with(&seating, call.meta);
    let calling = begin(entry, Call::new(&call.name, &call.arguments, &surroundings));
    Ok(match calling {
        Calling::Running(_) => (calling, time(entry), Some(seating.seat())),
        Calling::Done(_) => (calling, None, None),
    })
}

fn refused(failure: ToolError) -> Entered {
    (Calling::Done(ToolOutcome::Failed(failure)), None, None)
}

pub(crate) fn begin(entry: &Entry, call: Call<'_>) -> Calling {
    catch_unwind(AssertUnwindSafe(|| entry.tool.call(call)))
        .unwrap_or_else(|panic| Calling::Done(panicked(panic)))
}

pub(crate) fn time(entry: &Entry) -> Option<Duration> {
    guarded(|| entry.tool.time()).unwrap_or(Some(Duration::ZERO))
}

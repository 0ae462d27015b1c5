//! One connection: what is in progress on it, what waits, and who is answered when.

use std::collections::VecDeque;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use candor_protocol::inbound::{
    Batch, Client, Notification, Params, Refusal, RequestEnvelope, Skim,
};
use candor_protocol::outbound::response;
use candor_protocol::{
    Envelope, IdValue, ProtocolError, Reader, RequestId, ToolError, ToolOutcome, Version, Why,
};
use candor_transport::{Answerer, HowItEnds, Outbox};
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};

use crate::answer::{self, Answer, Called, Encoded, Situation, WaitFor};
use crate::catalog::{Catalog, Loading};
use crate::guard::{let_go, panicked};
use crate::journal::Level;
use crate::outbox;
use crate::policy::WAITING_BYTES;
use crate::progress::Reports;
use crate::seats::{Seat, Seats, Vacancy};
use crate::shared::Shared;
use crate::tool::{Awaited, Calling, Ending, Running, Workers};
use crate::toolset::Entry;

/// How long calls have to come to an end once they are told that the server is ending. After
/// that they are answered for.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// One connection to a server, from the server's side. A transport serves it.
pub struct Session {
    shared: Arc<Shared>,
    reader: Reader,
    initialized: Option<Version>,
    opened_by: Option<Arc<Client>>,
    workers: Workers,
    flights: Vec<Flight>,
    waiting: VecDeque<Waiting>,
    waiting_bytes: usize,
    batches: Vec<Option<Joined>>,
    seats: Seats,
    /// What requests that wait, wait for.
    loading: Option<Loading>,
    vacancy: Option<Vacancy>,
    /// Something has happened that may let one of them get on.
    is_stirred: bool,
    ending: Ending,
    tell_ending: watch::Sender<bool>,
    /// When whatever is unfinished is answered for.
    last_call: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

/// A call in flight.
struct Flight {
    id: Box<str>,
    value: IdValue,
    place: Place,
    version: Version,
    catalog: Arc<Catalog>,
    entry: Arc<Entry>,
    running: Running,
    deadline: Option<(Instant, Duration)>,
    reports: Option<Reports>,
    /// Others may keep it for longer.
    _seat: Option<Seat>,
    _awaited: Option<Awaited>,
}

/// A request that waits for the catalog, for a seat or for its turn.
struct Waiting {
    value: IdValue,
    place: Place,
    message: Box<[u8]>,
    handshake: Handshake,
}

/// Which handshake judges a request that waits.
#[derive(Clone, Copy)]
enum Handshake {
    /// The one that had been made when it came.
    Made(Option<Version>),
    /// The last one before it; that may be waiting too.
    LastBefore,
}

/// Where an answer goes.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// On a line of its own.
    Line,
    /// Into the answer to a batch.
    Batch(usize),
}

/// The answer to a batch, while some of it is missing.
#[derive(Default)]
struct Joined {
    answers: Vec<u8>,
    missing: usize,
}

impl Session {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        let (tell_ending, ending) = watch::channel(false);
        Self {
            seats: Seats::new(shared.policy.at_once()),
            shared,
            reader: Reader::new(),
            initialized: None,
            opened_by: None,
            workers: Workers::Own,
            flights: Vec::new(),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            batches: Vec::new(),
            loading: None,
            vacancy: None,
            is_stirred: false,
            ending: Ending::new(ending),
            tell_ending,
            last_call: None,
            timer: None,
        }
    }

    /// The same, with work that is not done at once done there.
    #[must_use]
    pub const fn with_workers(mut self, workers: Workers) -> Self {
        self.workers = workers;
        self
    }

    fn hear(&mut self, context: &mut Context<'_>, message: &[u8], place: Place, out: &mut Outbox) {
        // The reader lends its memory to the envelope, so it steps out of `self` meanwhile.
        let mut reader = std::mem::take(&mut self.reader);
        match Envelope::read(&mut reader, message) {
            Ok(Envelope::Request(request)) => {
                self.requested(context, request, message, place, out);
            }
            Ok(Envelope::Notification(notification)) => self.notified(&notification, out),
            Ok(Envelope::Response) => {
                self.shared.journal.note(Level::Debug, "ignored an answer to nothing we asked");
            }
            Ok(Envelope::Batch(batch)) => self.heard_batch(context, &batch, place, out),
            Err(Refusal { id, error }) => self.refuse(id, &error, place, out),
        }
        self.reader = reader;
    }

    fn requested(
        &mut self,
        context: &mut Context<'_>,
        request: RequestEnvelope<'_>,
        message: &[u8],
        place: Place,
        out: &mut Outbox,
    ) {
        let id = request.id;
        if !self.is_idle() && self.is_in_use(&id.value()) {
            self.refuse(Some(id), &ProtocolError::IdInUse, place, out);
        } else if self.shared.policy.in_order && !self.is_idle() {
            self.wait(id, message, place, Handshake::LastBefore);
        } else {
            self.answer(context, request, message, place, out);
        }
    }

    /// Answers a request, or has it wait.
    fn answer(
        &mut self,
        context: &mut Context<'_>,
        request: RequestEnvelope<'_>,
        message: &[u8],
        place: Place,
        out: &mut Outbox,
    ) {
        let id = request.id;
        let flights = &self.flights;
        let is_token_in_use = |token: &IdValue| {
            let mut reports = flights.iter().filter_map(|flight| flight.reports.as_ref());
            reports.any(|reports| reports.are_for(token))
        };
        let situation = Situation {
            seats: &self.seats,
            is_token_in_use: &is_token_in_use,
            shared: &self.shared,
            initialized: &mut self.initialized,
            opened_by: &mut self.opened_by,
            workers: self.workers,
            ending: &self.ending,
        };
        match answer::answer(request, situation) {
            Ok(Answer::Result(id, Encoded::Own(result))) => {
                self.send(place, out, |out| response::answer(out, id, &result));
            }
            Ok(Answer::Result(id, Encoded::List(catalog, version))) => {
                self.send(place, out, |out| response::answer(out, id, catalog.list(version)));
            }
            Ok(Answer::Call(called)) => self.called(context, called, place, out),
            Ok(Answer::Wait(id, what_for)) => {
                match what_for {
                    WaitFor::Catalog => {
                        self.loading.get_or_insert_with(|| self.shared.source.loaded());
                    }
                    WaitFor::Seat => {
                        self.vacancy.get_or_insert_with(|| self.seats.vacancy());
                    }
                }
                self.wait(id, message, place, Handshake::Made(self.initialized));
            }
            Err(error) => self.refuse(Some(id), &error, place, out),
        }
    }

    fn called(
        &mut self,
        context: &mut Context<'_>,
        called: Called<'_>,
        place: Place,
        out: &mut Outbox,
    ) {
        let Called { id, version, catalog, entry, calling, time, seat, mut reports, awaited } =
            called;
        let calling = match calling {
            // Many are over at the first look, and then need no place.
            Calling::Running(mut running) => match poll_running(&mut running, context) {
                Poll::Ready(outcome) => {
                    let_go(running);
                    Calling::Done(outcome)
                }
                Poll::Pending => Calling::Running(running),
            },
            done @ Calling::Done(_) => done,
        };
        match calling {
            Calling::Done(outcome) => {
                report_last(reports, out);
                self.tell(id, version, &catalog, &entry, outcome, place, out);
            }
            Calling::Running(running) => {
                // A time too long to be told is none.
                let deadline =
                    time.and_then(|time| Some((Instant::now().checked_add(time)?, time)));
                let (value, id) = (id.value(), id.as_json().into());
                if let Some(reports) = &mut reports {
                    reports.send(Instant::now(), out);
                }
                let flight = Flight {
                    id,
                    value,
                    place,
                    version,
                    catalog,
                    entry,
                    running,
                    deadline,
                    reports,
                    _seat: seat,
                    _awaited: awaited,
                };
                self.flights.push(flight);
                self.expect(place);
            }
        }
    }

    /// Sends the outcome of a call.
    #[expect(clippy::too_many_arguments, reason = "what a flight holds, and a call that took none")]
    fn tell(
        &mut self,
        id: RequestId<'_>,
        version: Version,
        catalog: &Catalog,
        entry: &Entry,
        outcome: ToolOutcome,
        place: Place,
        out: &mut Outbox,
    ) {
        let shared = Arc::clone(&self.shared);
        outbox::finish(outcome, entry, &shared, |finished| {
            self.send(place, out, |out| {
                response::answer_call(out, id, finished, version, catalog.server_info());
            });
        });
    }

    fn land(&mut self, flight: Flight, outcome: ToolOutcome, out: &mut Outbox) {
        let Flight { id, place, version, catalog, entry, running, reports, .. } = flight;
        self.is_stirred = true;
        report_last(reports, out);
        let_go(running);
        if let Some(id) = RequestId::read(&id) {
            self.tell(id, version, &catalog, &entry, outcome, place, out);
        }
        self.arrived(place, out);
    }

    fn refuse(
        &mut self,
        id: Option<RequestId<'_>>,
        error: &ProtocolError,
        place: Place,
        out: &mut Outbox,
    ) {
        self.send(place, out, |out| response::refuse(out, id, error));
    }

    fn send(&mut self, place: Place, out: &mut Outbox, write: impl FnOnce(&mut Vec<u8>)) {
        match place {
            Place::Line => out.send(write),
            Place::Batch(at) => {
                if let Some(Some(joined)) = self.batches.get_mut(at) {
                    joined.answers.push(if joined.answers.is_empty() { b'[' } else { b',' });
                    write(&mut joined.answers);
                }
            }
        }
    }

    // ── Batches, which only revision 2025-03-26 knows ──

    fn heard_batch(
        &mut self,
        context: &mut Context<'_>,
        batch: &Batch<'_>,
        place: Place,
        out: &mut Outbox,
    ) {
        use candor_protocol::era::Feature;

        let is_known = self.initialized.is_some_and(|version| version.knows(Feature::Batches));
        let elements = match (place, batch.elements()) {
            (Place::Line, Ok(elements)) if is_known => elements,
            (Place::Line, Err(error)) if is_known => return self.refuse(None, &error, place, out),
            _ => {
                let reason = "a message is one JSON object, not an array";
                let error = ProtocolError::InvalidRequest { reason };
                return self.refuse(None, &error, place, out);
            }
        };
        let at = self.batches.iter().position(Option::is_none).unwrap_or_else(|| {
            self.batches.push(None);
            self.batches.len() - 1
        });
        if let Some(free) = self.batches.get_mut(at) {
            // One is missing until all elements have been heard.
            *free = Some(Joined { missing: 1, ..Joined::default() });
        }
        for element in elements {
            self.hear(context, element, Place::Batch(at), out);
        }
        self.arrived(Place::Batch(at), out);
    }

    /// An answer will come later.
    fn expect(&mut self, place: Place) {
        if let Place::Batch(at) = place
            && let Some(Some(joined)) = self.batches.get_mut(at)
        {
            joined.missing += 1;
        }
    }

    /// An answer that was to come later has come, or never will.
    fn arrived(&mut self, place: Place, out: &mut Outbox) {
        let Place::Batch(at) = place else { return };
        let Some(batch) = self.batches.get_mut(at) else { return };
        let Some(joined) = batch else { return };
        joined.missing -= 1;
        if joined.missing > 0 {
            return;
        }
        if let Some(joined) = batch.take().filter(|joined| !joined.answers.is_empty()) {
            out.send(|out| {
                out.extend_from_slice(&joined.answers);
                out.push(b']');
            });
        }
    }

    // ── Cancelling ──

    fn notified(&mut self, notification: &Notification<'_>, out: &mut Outbox) {
        if notification.method != "notifications/cancelled" {
            return;
        }
        let id = notification.params.as_ref().and_then(Params::request_id);
        let Some(value) = id.map(RequestId::value) else { return };
        let place = if let Some(at) = self.flights.iter().position(|it| it.value == value) {
            let Flight { place, running, .. } = self.flights.swap_remove(at);
            self.is_stirred = true;
            let_go(running);
            place
        } else if let Some(at) = self.waiting.iter().position(|it| it.value == value) {
            let Some(waiting) = self.waiting.remove(at) else { return };
            self.waiting_bytes -= waiting.message.len();
            self.is_stirred = true;
            waiting.place
        } else {
            return;
        };
        self.arrived(place, out);
    }

    // ── Waiting ──

    fn wait(&mut self, id: RequestId<'_>, message: &[u8], place: Place, handshake: Handshake) {
        self.waiting_bytes += message.len();
        let (value, message) = (id.value(), message.into());
        self.waiting.push_back(Waiting { value, place, message, handshake });
        self.expect(place);
    }

    /// Gives requests that wait another try, in their order.
    fn retry_waiting(&mut self, context: &mut Context<'_>, out: &mut Outbox) {
        let tries = self.waiting.len();
        // Whoever must wait on asks for them again; a seat that is kept for nobody is free.
        (self.loading, self.vacancy) = (None, None);
        for _ in 0..tries {
            if self.shared.policy.in_order && !self.flights.is_empty() {
                break;
            }
            let Some(waiting) = self.waiting.pop_front() else { break };
            let Waiting { place, message, handshake, .. } = waiting;
            self.waiting_bytes -= message.len();
            let still_waiting = self.waiting.len();
            let mut reader = std::mem::take(&mut self.reader);
            // It was a request when it came; only what it waits for has changed.
            if let Ok(Envelope::Request(request)) = Envelope::read(&mut reader, &message) {
                let now = self.initialized;
                match handshake {
                    Handshake::LastBefore => self.answer(context, request, &message, place, out),
                    Handshake::Made(then) => {
                        self.initialized = then;
                        self.answer(context, request, &message, place, out);
                        self.initialized = now;
                    }
                }
            }
            self.reader = reader;
            // Whether it got on or waits again, what it was expected by has been counted anew.
            self.arrived(place, out);
            if self.waiting.len() > still_waiting {
                // It keeps its place, and so do those behind it.
                self.waiting.rotate_right(1);
                break;
            }
        }
    }

    // ── In flight ──

    fn is_idle(&self) -> bool {
        self.flights.is_empty() && self.waiting.is_empty()
    }

    fn is_in_use(&self, value: &IdValue) -> bool {
        self.flights.iter().any(|it| it.value == *value)
            || self.waiting.iter().any(|it| it.value == *value)
    }

    /// Is it time to answer for whatever is unfinished?
    fn is_over(&self, now: Instant) -> bool {
        self.last_call.is_some_and(|last_call| last_call <= now)
    }

    fn poll_flights(&mut self, context: &mut Context<'_>, out: &mut Outbox) {
        let now = Instant::now();
        let is_over = self.is_over(now);
        let mut at = 0;
        while let Some(flight) = self.flights.get_mut(at) {
            let outcome = match poll_running(&mut flight.running, context) {
                Poll::Ready(outcome) => outcome,
                Poll::Pending if is_over => failed(Why::ServerEnded { said: String::new() }),
                Poll::Pending => match flight.deadline {
                    Some((deadline, after)) if deadline <= now => {
                        failed(Why::TimedOut { after, said: String::new() })
                    }
                    Some(_) | None => {
                        if let Some(reports) = &mut flight.reports {
                            reports.send(now, out);
                        }
                        at += 1;
                        continue;
                    }
                },
            };
            let flight = self.flights.swap_remove(at);
            self.land(flight, outcome, out);
        }
    }

    /// The end has come before what these waited for.
    fn give_up_waiting(&mut self, out: &mut Outbox) {
        if self.waiting.is_empty() {
            return;
        }
        let incident = self.shared.journal.incident("the server ended before it was ready");
        let error = ProtocolError::Internal { incident };
        for Waiting { place, message, .. } in std::mem::take(&mut self.waiting) {
            let mut reader = std::mem::take(&mut self.reader);
            if let Ok(Envelope::Request(request)) = Envelope::read(&mut reader, &message) {
                self.refuse(Some(request.id), &error, place, out);
            }
            self.reader = reader;
            self.arrived(place, out);
        }
        self.waiting_bytes = 0;
    }

    /// Polls what requests wait for.
    fn poll_awaited(&mut self, context: &mut Context<'_>) {
        for awaited in [&mut self.loading, &mut self.vacancy] {
            let has_come = awaited.as_mut().is_some_and(|it| it.as_mut().poll(context).is_ready());
            if has_come {
                *awaited = None;
                self.is_stirred = true;
                // Come back at once.
                context.waker().wake_by_ref();
            }
        }
    }

    /// Has the task woken when the next deadline is reached, or the time for a report has come.
    fn poll_timer(&mut self, context: &mut Context<'_>, out: &Outbox) {
        let now = Instant::now();
        let deadlines = self.flights.iter().filter_map(|flight| flight.deadline);
        let reports = self.flights.iter().filter_map(|flight| flight.reports.as_ref());
        let reports = reports.filter_map(|reports| reports.await_next(context, now, out));
        let deadlines = deadlines.map(|(deadline, _)| deadline);
        let nearest = deadlines.chain(reports).chain(self.last_call).min();
        let Some(nearest) = nearest else { return };
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(nearest)));
        if timer.deadline() != nearest {
            timer.as_mut().reset(nearest);
        }
        if timer.as_mut().poll(context).is_ready() {
            context.waker().wake_by_ref();
        }
    }
}

impl Answerer for Session {
    fn receive(&mut self, context: &mut Context<'_>, message: &[u8], out: &mut Outbox) {
        self.hear(context, message, Place::Line, out);
    }

    fn receive_oversized(&mut self, message: &Skim, limit: usize, out: &mut Outbox) {
        if let Some((id, error)) = message.refusal(limit) {
            self.refuse(id, &error, Place::Line, out);
        }
    }

    fn has_room(&self) -> bool {
        self.waiting.len() < self.shared.policy.waiting.max(1) && self.waiting_bytes < WAITING_BYTES
    }

    fn poll_answers(&mut self, context: &mut Context<'_>, out: &mut Outbox) -> Poll<()> {
        loop {
            if self.is_idle() {
                return Poll::Ready(());
            }
            self.poll_flights(context, out);
            if !std::mem::take(&mut self.is_stirred) {
                break;
            }
            self.retry_waiting(context, out);
        }
        // Only now: a call that had to wait for its turn has just had it, and was told why it
        // does not run.
        if self.is_over(Instant::now()) {
            self.give_up_waiting(out);
        }
        if self.is_idle() {
            return Poll::Ready(());
        }
        self.poll_awaited(context);
        self.poll_timer(context, out);
        Poll::Pending
    }

    fn end(&mut self, how: HowItEnds) {
        if how == HowItEnds::Now && self.last_call.is_none() {
            self.last_call = Some(Instant::now() + LAST_WORDS);
            // The session keeps a receiver of its own, so somebody always hears it.
            let _ = self.tell_ending.send(true);
            self.is_stirred = true;
        }
    }
}

/// The last report of a call that is over leaves before its answer, or never.
fn report_last(reports: Option<Reports>, out: &mut Outbox) {
    if let Some(mut reports) = reports {
        reports.send(Instant::now(), out);
    }
}

fn failed(why: Why) -> ToolOutcome {
    ToolOutcome::Failed(ToolError::seen(why))
}

fn poll_running(running: &mut Running, context: &mut Context<'_>) -> Poll<ToolOutcome> {
    catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(context)))
        .unwrap_or_else(|panic| Poll::Ready(panicked(panic)))
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("initialized", &self.initialized)
            .field("in_flight", &self.flights.len())
            .field("waiting", &self.waiting.len())
            .finish_non_exhaustive()
    }
}

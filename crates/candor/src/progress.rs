//! What a tool reports of its progress to what its caller hears: ever further, and not too often.
//!
//! A call keeps its newest report and no other, so reports cost no memory, however many there are
//! and however little the peer reads. Whoever reports only leaves it there and wakes the session,
//! which takes it when its time has come, and never once the call is answered or called off.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::time::Duration;

use candor_protocol::era::{Feature, Version};
use candor_protocol::outbound::notification;
use candor_protocol::text::cut;
use candor_protocol::{IdValue, RequestId};
use candor_transport::Outbox;
use tokio::time::Instant;

use crate::masking::Masking;
use crate::outbox::clean;

/// So many reports may leave at once, if none has left for a while.
const AT_ONCE: u32 = 3;
/// From then on they leave so far apart. With [`AT_ONCE`] this is ten in any second.
const APART: Duration = Duration::from_millis(125);
/// The most characters of a message.
const LONGEST_MESSAGE: usize = 1000;
/// While the peer leaves so many bytes unread, no report is added to them.
const UNREAD: usize = 16 * 1024;

/// Tells the caller how far a call has got: the spec's `notifications/progress`.
///
/// Cheap to clone, and good on any thread and task for as long as anyone likes. Nothing is sent
/// unless the request has a `progressToken`, and nothing after its answer.
///
/// ```
/// use std::time::Duration;
///
/// let copy = candor::tool::asynchronous(|call| {
///     let progress = call.progress();
///     async move {
///         for page in 1..=10 {
///             tokio::time::sleep(Duration::from_millis(50)).await;
///             progress.report(f64::from(page), Some(10.0), Some("copying pages"));
///         }
///         "Copied 10 pages."
///     }
/// });
/// # let _ = copy;
/// ```
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Slot>>);

/// The session's end of it, for as long as the call is in flight.
pub(crate) struct Reports {
    slot: Arc<Slot>,
    /// When as many reports may leave at once as ever.
    rested: Option<Instant>,
}

/// Between the two ends: the newest report.
struct Slot {
    token: Box<str>,
    value: IdValue,
    version: Version,
    masking: Masking,
    state: Mutex<State>,
}

struct State {
    reached: f64,
    newest: Option<Report>,
    waker: Option<Waker>,
    is_over: bool,
}

struct Report {
    total: Option<f64>,
    message: Option<String>,
}

impl Progress {
    /// Says that so much is done, of so much, and what is being done.
    ///
    /// Reports leave as they come, but not more than ten in a second; of those in between, only the
    /// newest is sent when the time has come. One whose time has not come when the call ends is not
    /// sent: the answer says more.
    ///
    /// What is not more than was reported before is dropped, and so is what is no number. A `total`
    /// that is no number is left out. The message is cut at 1000 characters, and left out in
    /// revision 2024-11-05, which has no place for it.
    pub fn report(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let Some(slot) = self.0.as_ref().filter(|_| self.is_wanted()) else { return };
        let message = message.filter(|_| slot.version.knows(Feature::ProgressMessages));
        let message =
            message.map(|text| cut(&clean(&slot.masking.text(text)), LONGEST_MESSAGE).into_owned());
        let report = Report { total: total.filter(|total| total.is_finite()), message };
        let waker = slot.state().accept(done, report);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Does anyone want to know? Not if the request has no token, and not once it is over.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.0.as_ref().is_some_and(|slot| !slot.state().is_over)
    }
}

impl Slot {
    /// Nothing that is done under the lock can panic half-way.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Keeps a report that goes further than the last. Gives whom to wake: a session that knows of
    /// a report comes back for the newest by itself, and has left nobody.
    fn accept(&mut self, done: f64, report: Report) -> Option<Waker> {
        if self.is_over || !done.is_finite() || done <= self.reached {
            return None;
        }
        self.reached = done;
        self.newest = Some(report);
        self.waker.take()
    }
}

impl Reports {
    /// The reports of a call that has begun, unless another call goes by its token.
    pub(crate) fn begin(
        token: RequestId<'_>,
        version: Version,
        masking: &Masking,
        is_in_use: impl FnOnce(&IdValue) -> bool,
    ) -> Option<Self> {
        let value = token.value();
        if is_in_use(&value) {
            return None;
        }
        let state = State { reached: f64::NEG_INFINITY, newest: None, waker: None, is_over: false };
        let (token, state) = (token.as_json().into(), Mutex::new(state));
        let masking = masking.clone();
        Some(Self { slot: Arc::new(Slot { token, value, version, masking, state }), rested: None })
    }

    /// The tool's end.
    pub(crate) fn progress(&self) -> Progress {
        Progress(Some(Arc::clone(&self.slot)))
    }

    pub(crate) fn are_for(&self, token: &IdValue) -> bool {
        self.slot.value == *token
    }

    /// Sends the newest report if its time has come.
    pub(crate) fn send(&mut self, now: Instant, out: &mut Outbox) {
        if self.next().is_some_and(|next| next > now) || !may_add(out) {
            return;
        }
        let mut state = self.slot.state();
        let done = state.reached;
        let Some(Report { total, message }) = state.newest.take() else { return };
        drop(state);
        self.rested = Some(self.rested.map_or(now, |rested| rested.max(now)) + APART);
        let Slot { token, .. } = &*self.slot;
        out.send(|out| notification::progress(out, token, done, total, message.as_deref()));
    }

    /// Has the session woken by the next report. Gives when to send the one that is there, which may
    /// be now; one that only waits for the peer to read is sent when it has.
    pub(crate) fn await_next(
        &self,
        context: &Context<'_>,
        now: Instant,
        out: &Outbox,
    ) -> Option<Instant> {
        let mut state = self.slot.state();
        if state.newest.is_some() {
            let next = self.next().unwrap_or(now);
            return Some(next).filter(|next| *next > now || may_add(out));
        }
        match &mut state.waker {
            Some(waker) => waker.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        None
    }

    /// When a report may leave; `None` if at any time.
    fn next(&self) -> Option<Instant> {
        self.rested.and_then(|rested| rested.checked_sub(APART * (AT_ONCE - 1)))
    }
}

impl Drop for Reports {
    /// The call is answered, or called off: from now on nobody wants to know.
    fn drop(&mut self) {
        let mut state = self.slot.state();
        state.is_over = true;
        let left = (state.newest.take(), state.waker.take());
        drop(state);
        drop(left);
    }
}

/// Does the peer read what it is sent?
fn may_add(out: &Outbox) -> bool {
    out.len() < UNREAD
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("is_wanted", &self.is_wanted()).finish()
    }
}

//! What is served, kept up to date: an edit becomes the next version, which takes over once it is
//! ready.
//!
//! Calls in flight end on the version on which they began; its worker ends after the last of them.
//! Whatever cannot be served leaves what was served before.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use candor::{Catalog, Level};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};

use crate::assembled::Assembly;
use crate::offered::Strictness;
use crate::seen::Seen;
use crate::target::{Reading, Refusal, Target};
use crate::worker::Worker;

/// Requests have nobody look more often than this.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// An author who watches is told so soon.
const WATCH_EVERY: Duration = Duration::from_millis(100);

/// A request waits for the next version so long. After that, the one before answers.
const PATIENCE: Duration = Duration::from_millis(500);

/// Editors take a file away before they put another in its place.
const AWAY: Duration = Duration::from_secs(1);

/// What is half written cannot be served, and is whole before long.
const HALF_WRITTEN: Duration = Duration::from_millis(100);

/// What was written this moment gets so many short pauses.
const PAUSES: usize = 10;
const PAUSE: Duration = Duration::from_millis(5);

/// What is changed while it is loaded is loaded again, but not for ever: loading may be what
/// changes it.
const ATTEMPTS: usize = 3;
const REST: Duration = Duration::from_secs(1);

/// So often nobody is told of what cannot be served and was changed again meanwhile.
const DOUBTS: usize = 5;

/// What is served.
#[derive(Debug)]
pub(crate) struct Kept {
    /// Requests may come from elsewhere.
    runtime: Handle,
    assembly: Assembly,
    state: Mutex<State>,
    /// Counts the searches for a next version that are over.
    over: watch::Sender<usize>,
}

#[derive(Debug)]
struct State {
    catalog: Arc<Catalog>,
    slots: Vec<Slot>,
    looked: Instant,
    /// Since when something that was there is not.
    away: Option<Instant>,
    search: Option<Search>,
    /// The workers of earlier versions, some of which may still have calls.
    past: Vec<Weak<Worker>>,
    has_ended: bool,
}

/// A next version is being made.
#[derive(Debug)]
struct Search {
    patience: Instant,
    task: JoinHandle<()>,
}

/// The place of a file or folder.
#[derive(Clone, Debug)]
struct Slot {
    target: Arc<Target>,
    /// What everything looked like when it was last read, well or not.
    tried: Seen,
    /// Why what was read last is not what is served, until that is told.
    refused: Option<Arc<Refusal>>,
    /// How often what was refused had been changed before that could be told.
    doubts: usize,
}

impl Slot {
    const fn new(target: Arc<Target>, tried: Seen) -> Self {
        Self { target, tried, refused: None, doubts: 0 }
    }

    fn is_stale(&self) -> bool {
        self.tried.again() != self.tried
    }

    /// What was changed again will be judged again, and so is not spoken of.
    fn doubt(&mut self) {
        if self.refused.is_some() && self.doubts < DOUBTS && self.is_stale() {
            self.refused = None;
            self.doubts += 1;
        }
    }

    async fn read_again(&mut self, reading: &Reading) {
        let mut now = self.tried.again();
        for _ in 0..PAUSES {
            if !now.is_fresh() {
                break;
            }
            sleep(PAUSE).await;
            now = self.tried.again();
        }
        match self.target.again(reading).await {
            Ok(target) => {
                let tried = target.seen.clone();
                *self = Self::new(Arc::new(target), tried);
            }
            Err(refusal) => {
                self.tried = refusal.seen.clone();
                // What is served would do, if it came back.
                self.tried.add(now);
                self.refused = Some(Arc::from(refusal));
            }
        }
    }
}

impl Kept {
    pub(crate) fn new(assembly: Assembly, targets: Vec<Arc<Target>>, catalog: Catalog) -> Self {
        let slot = |target: Arc<Target>| {
            let tried = target.seen.clone();
            Slot::new(target, tried)
        };
        let state = State {
            catalog: Arc::new(catalog),
            slots: targets.into_iter().map(slot).collect(),
            looked: Instant::now(),
            away: None,
            search: None,
            past: Vec::new(),
            has_ended: false,
        };
        Self {
            runtime: Handle::current(),
            assembly,
            state: Mutex::new(state),
            over: watch::Sender::new(0),
        }
    }

    /// What is served now; `None` for a little while after an edit, in which the next version may
    /// become ready.
    pub(crate) fn current(self: &Arc<Self>) -> Option<Arc<Catalog>> {
        self.look(LOOK_EVERY);
        let state = self.state();
        let waits = state.search.as_ref().is_some_and(|search| Instant::now() < search.patience);
        (!waits).then(|| Arc::clone(&state.catalog))
    }

    /// Comes to an end when [`current`](Self::current) has something to give.
    pub(crate) async fn settled(&self) {
        let mut over = self.over.subscribe();
        let patience = self.state().search.as_ref().map(|search| search.patience);
        if let Some(patience) = patience {
            tokio::select! {
                // It cannot fail: the sender is ours.
                _ = over.changed() => {}
                () = sleep_until(patience) => {}
            }
        }
    }

    /// Looks for edits without being asked, for as long as it is there.
    pub(crate) fn watch(self: &Arc<Self>) {
        let kept = Arc::downgrade(self);
        self.runtime.spawn(async move {
            loop {
                sleep(WATCH_EVERY).await;
                let Some(kept) = kept.upgrade() else { return };
                kept.look(WATCH_EVERY / 2);
            }
        });
    }

    /// Starts a search for the next version if something has changed, unless that was looked at
    /// only just now.
    fn look(self: &Arc<Self>, every: Duration) {
        let mut state = self.state();
        if state.has_ended || state.search.is_some() || state.looked.elapsed() < every {
            return;
        }
        state.looked = Instant::now();
        let now: Vec<_> = state.slots.iter().map(|slot| slot.tried.again()).collect();
        let pairs = || now.iter().zip(state.slots.iter().map(|slot| &slot.tried));
        if pairs().all(|(now, tried)| now == tried) {
            state.away = None;
            return;
        }
        if pairs().any(|(now, tried)| now.lacks(tried)) {
            let looked = state.looked;
            let since = *state.away.get_or_insert(looked);
            if since.elapsed() < AWAY {
                return;
            }
        }
        state.away = None;
        let task = self.runtime.spawn(search(Arc::clone(self), state.slots.clone()));
        let patience = state.looked + PATIENCE;
        state.search = Some(Search { patience, task });
    }

    /// Puts into place what a search has found.
    fn take_over(&self, slots: Vec<Slot>) {
        let mut state = self.state();
        if state.has_ended {
            return;
        }
        let mut told = Vec::new();
        let targets: Vec<_> = slots.iter().map(|slot| Arc::clone(&slot.target)).collect();
        let mut served = std::mem::take(&mut state.slots);
        match self.assembly.catalog(&targets, Strictness::Later) {
            Ok(catalog) => {
                state.catalog = Arc::new(catalog);
                for (slot, before) in slots.iter().zip(&served) {
                    told.extend(self.tell(slot, &before.target));
                    if !slot.target.shares_worker(&before.target) {
                        state.past.push(Arc::downgrade(&before.target.worker));
                    }
                }
                state.slots = slots;
            }
            Err(problem) => {
                // One at a time, each may be served.
                for (before, slot) in served.iter_mut().zip(slots) {
                    before.tried = slot.tried;
                }
                told.push((Level::Error, format!("{problem}; what was served before stays")));
                state.slots = served;
            }
        }
        for slot in &mut state.slots {
            slot.refused = None;
        }
        state.past.retain(|worker| worker.strong_count() > 0);
        state.search = None;
        // Whoever waited for this is answered from it, whatever has changed meanwhile.
        let rest = if state.slots.iter().any(Slot::is_stale) { REST } else { Duration::ZERO };
        state.looked = Instant::now() + rest;
        drop(state);
        for (level, text) in told {
            self.assembly.journal.note(level, &text);
        }
        self.over.send_modify(|over| *over += 1);
    }

    /// What is to be said of what became of one target.
    fn tell(&self, slot: &Slot, before: &Arc<Target>) -> Vec<(Level, String)> {
        let name = slot.target.name.display();
        if let Some(refusal) = &slot.refused {
            refusal.tell(&self.assembly.journal);
            let why = refusal.why.to_string();
            let lines = why.lines().map(|line| (Level::Error, line.to_owned()));
            let stays = (Level::Error, format!("{name}: what was served before stays"));
            return lines.chain([stays]).collect();
        }
        if Arc::ptr_eq(&slot.target, before) {
            return Vec::new();
        }
        slot.target.tell(&self.assembly.journal, Some(before));
        vec![(Level::Info, format!("{name} has changed, and is served as it is now"))]
    }

    /// Ends the workers of all versions.
    pub(crate) async fn end(&self) {
        let (search, workers) = {
            let mut state = self.state();
            state.has_ended = true;
            let now = state.slots.iter().map(|slot| Arc::clone(&slot.target.worker));
            let workers: Vec<_> = state.past.iter().filter_map(Weak::upgrade).chain(now).collect();
            (state.search.take(), workers)
        };
        if let Some(search) = search {
            search.task.abort();
            // Whether it was too late for that or not, it is over.
            let _ = search.task.await;
        }
        let mut ending = JoinSet::new();
        for worker in workers {
            ending.spawn(async move { worker.end().await });
        }
        ending.join_all().await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the next version.
async fn search(kept: Arc<Kept>, mut slots: Vec<Slot>) {
    let reading = kept.assembly.reading(Strictness::Later);
    for _ in 0..ATTEMPTS {
        for slot in slots.iter_mut().filter(|slot| slot.is_stale()) {
            slot.read_again(&reading).await;
        }
        if slots.iter().any(|slot| slot.refused.is_some()) {
            sleep(HALF_WRITTEN).await;
        }
        if !slots.iter().any(Slot::is_stale) {
            break;
        }
    }
    slots.iter_mut().for_each(Slot::doubt);
    kept.take_over(slots);
}

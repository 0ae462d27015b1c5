//! How much of one caller's work goes on at once.
//!
//! A call can be over while its work is not: it was cancelled and clears up, or it sits in a loop
//! that nobody can stop. Such work keeps its seat, or a caller that cancels what it starts could
//! have any number of them going.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::turns::Turn;

/// The seats of one caller.
pub(crate) struct Seats(Arc<Semaphore>);

/// Comes to an end when a seat is free.
pub(crate) type Vacancy = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A seat, taken for as long as one of its clones is kept. With it goes the call's turn, where its
/// tool gives turns.
#[derive(Clone)]
pub struct Seat(Arc<Taken>);

/// What a call has taken.
struct Taken {
    seat: Option<OwnedSemaphorePermit>,
    turn: OnceLock<Turn>,
}

/// The seat of a call that is being entered: taken only if its work goes on.
pub(crate) struct Seating<'a> {
    seats: Option<&'a Seats>,
    turn: Cell<Option<Turn>>,
    seat: OnceCell<Seat>,
}

impl Seats {
    pub(crate) fn new(count: usize) -> Self {
        Self(Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS))))
    }

    pub(crate) fn is_any_free(&self) -> bool {
        self.0.available_permits() > 0
    }

    pub(crate) fn vacancy(&self) -> Vacancy {
        let seats = Arc::clone(&self.0);
        Box::pin(async move {
            // It is never closed.
            drop(seats.acquire_owned().await);
        })
    }

    pub(crate) const fn seating(&self, turn: Option<Turn>) -> Seating<'_> {
        Seating { seats: Some(self), turn: Cell::new(turn), seat: OnceCell::new() }
    }
}

impl Seat {
    /// The same, with the turn that the call has waited for.
    pub(crate) fn with_turn(self, turn: Turn) -> Self {
        // It waits for one only.
        let _ = self.0.turn.set(turn);
        self
    }
}

impl Seating<'static> {
    /// A seat that is taken already.
    pub(crate) fn taken(seat: Seat) -> Self {
        Self { seats: None, turn: Cell::new(None), seat: OnceCell::from(seat) }
    }
}

impl Seating<'_> {
    pub(crate) fn seat(&self) -> Seat {
        let take = || {
            let seat = self.seats.and_then(|seats| Arc::clone(&seats.0).try_acquire_owned().ok());
            let turn = self.turn.take().map(OnceLock::from).unwrap_or_default();
            Seat(Arc::new(Taken { seat, turn }))
        };
        self.seat.get_or_init(take).clone()
    }
}

impl fmt::Debug for Seating<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seating").field("is_taken", &self.seat.get().is_some()).finish()
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Seat").field(&self.0.seat.is_some()).finish()
    }
}

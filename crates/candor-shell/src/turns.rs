//! How often a tool may be called, and how many of its calls go on at once.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use candor::Why;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::tags::{Limits, Rate};

/// So many calls may wait for each one that may go on. A caller's other tools need places, too.
const WAITING: usize = 4;

/// Says whether and when a call may begin.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    rate: Option<Window>,
    places: Option<Places>,
}

/// The right of a call to go on, for as long as it is kept.
#[derive(Debug)]
pub(crate) struct Turn(#[expect(dead_code, reason = "kept to be dropped")] Option<Permits>);

type Permits = [OwnedSemaphorePermit; 2];

/// When the last calls began.
#[derive(Debug)]
struct Window {
    rate: Rate,
    began: Mutex<VecDeque<Instant>>,
}

#[derive(Debug)]
struct Places {
    at_once: NonZeroU32,
    /// For calls that go on.
    running: Arc<Semaphore>,
    /// For these, and those that wait.
    all: Arc<Semaphore>,
}

impl Turns {
    pub(crate) fn new(limits: &Limits) -> Self {
        let rate = limits.rate.map(|rate| Window { rate, began: Mutex::default() });
        let places = limits.at_once.map(|at_once| {
            let running = usize::try_from(at_once.get()).unwrap_or(usize::MAX);
            let semaphore =
                |places: usize| Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS)));
            let all = running.saturating_mul(1 + WAITING);
            Places { at_once, running: semaphore(running), all: semaphore(all) }
        });
        Self { rate, places }
    }

    /// Waits for a turn for as long as the tool may take.
    ///
    /// # Errors
    ///
    /// The limit that is in the way.
    pub(crate) async fn take(&self, patience: Duration) -> Result<Turn, Why> {
        if let Some(window) = &self.rate {
            window.take(Instant::now())?;
        }
        let Some(places) = &self.places else { return Ok(Turn(None)) };
        let over = || Why::OverLimit {
            limit: match places.at_once.get() {
                1 => "1 call at once".to_owned(),
                many => format!("{many} calls at once"),
            },
            after: None,
        };
        let place = Arc::clone(&places.all).try_acquire_owned().map_err(|_| over())?;
        let turn = tokio::time::timeout(patience, Arc::clone(&places.running).acquire_owned());
        // Neither is ever closed.
        let turn = turn.await.map_err(|_| over())?.map_err(|_| over())?;
        Ok(Turn(Some([place, turn])))
    }
}

impl Window {
    fn take(&self, now: Instant) -> Result<(), Why> {
        let mut began = self.began.lock().unwrap_or_else(PoisonError::into_inner);
        while began.front().is_some_and(|first| now.duration_since(*first) >= self.rate.per) {
            began.pop_front();
        }
        let most = usize::try_from(self.rate.calls.get()).unwrap_or(usize::MAX);
        match began.front() {
            Some(first) if began.len() >= most => Err(Why::OverLimit {
                limit: self.rate.to_string(),
                after: Some(self.rate.per.saturating_sub(now.duration_since(*first))),
            }),
            Some(_) | None => {
                began.push_back(now);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::{Duration, Instant};

    use candor::Why;

    use super::{Turns, Window};
    use crate::tags::{Limits, Rate};

    const PATIENCE: Duration = Duration::from_secs(5);

    fn at_once(count: u32) -> Turns {
        Turns::new(&Limits { at_once: NonZeroU32::new(count), ..Limits::default() })
    }

    fn over(limit: &str, after: Option<Duration>) -> Why {
        Why::OverLimit { limit: limit.to_owned(), after }
    }

    #[test]
    fn a_rate_says_when_the_next_call_is_possible() {
        let rate = Rate { calls: NonZeroU32::new(2).unwrap(), per: Duration::from_mins(1) };
        let window = Window { rate, began: std::sync::Mutex::default() };
        let start = Instant::now();
        let at = |seconds| window.take(start + Duration::from_secs(seconds));
        assert_eq!(at(0), Ok(()));
        assert_eq!(at(20), Ok(()));
        let refused = over("2 calls a minute", Some(Duration::from_secs(15)));
        assert_eq!(at(45), Err(refused));
        assert_eq!(at(60), Ok(()), "what was refused does not count");
        assert_eq!(at(61), Err(over("2 calls a minute", Some(Duration::from_secs(19)))));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_waits_for_its_turn_and_not_for_ever() {
        let turns = at_once(1);
        let first = turns.take(PATIENCE).await.unwrap();
        let second = turns.take(PATIENCE);
        tokio::pin!(second);
        assert!(tokio::time::timeout(Duration::from_secs(4), &mut second).await.is_err());
        drop(first);
        let second = second.await.unwrap();
        assert_eq!(turns.take(PATIENCE).await.unwrap_err(), over("1 call at once", None));
        drop(second);
        assert!(turns.take(PATIENCE).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn only_so_many_calls_wait() {
        let turns = at_once(2);
        let mut going =
            vec![turns.take(PATIENCE).await.unwrap(), turns.take(PATIENCE).await.unwrap()];
        let turns = std::sync::Arc::new(turns);
        let waiting: Vec<_> = (0..8)
            .map(|_| {
                let turns = std::sync::Arc::clone(&turns);
                tokio::spawn(async move { turns.take(PATIENCE).await.map(drop) })
            })
            .collect();
        tokio::task::yield_now().await;
        assert_eq!(turns.take(PATIENCE).await.unwrap_err(), over("2 calls at once", None));
        going.clear();
        for waits in waiting {
            assert_eq!(waits.await.unwrap(), Ok(()));
        }
    }
}

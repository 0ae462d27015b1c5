//! How often a tool may be called, and how many of its calls go on at once.

use std::collections::VecDeque;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use candor_protocol::Why;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// So many calls may wait for each one that may go on. A caller's other tools need places, too.
const WAITING: usize = 4;

/// So many calls in a second, a minute or an hour.
///
/// ```
/// use candor::Rate;
///
/// let rate: Rate = "10/m".parse()?;
/// assert_eq!(rate.to_string(), "10 calls a minute");
/// # Ok::<(), candor::NoRate>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    calls: NonZeroU32,
    per: Duration,
}

impl Rate {
    /// So many calls in a second.
    #[must_use]
    pub const fn per_second(calls: NonZeroU32) -> Self {
        Self { calls, per: Duration::from_secs(1) }
    }

    /// So many calls in a minute.
    #[must_use]
    pub const fn per_minute(calls: NonZeroU32) -> Self {
        Self { calls, per: Duration::from_mins(1) }
    }

    /// So many calls in an hour.
    #[must_use]
    pub const fn per_hour(calls: NonZeroU32) -> Self {
        Self { calls, per: Duration::from_hours(1) }
    }
}

/// A text that is no [`Rate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoRate;

impl fmt::Display for NoRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a rate is a number of calls in a second, a minute or an hour: 5/s, 10/m, 100/h",
        )
    }
}

impl std::error::Error for NoRate {}

impl FromStr for Rate {
    type Err = NoRate;

    fn from_str(text: &str) -> Result<Self, NoRate> {
        let (calls, per) = text.split_once('/').ok_or(NoRate)?;
        if !calls.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NoRate);
        }
        let calls = calls.parse().map_err(|_| NoRate)?;
        match per {
            "s" => Ok(Self::per_second(calls)),
            "m" => Ok(Self::per_minute(calls)),
            "h" => Ok(Self::per_hour(calls)),
            _ => Err(NoRate),
        }
    }
}

impl fmt::Display for Rate {
    /// As the end of a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per = match self.per.as_secs() {
            1 => "a second",
            60 => "a minute",
            _ => "an hour",
        };
        let calls = self.calls.get();
        write!(f, "{calls} call{} {per}", if calls == 1 { "" } else { "s" })
    }
}

/// Says whether and when a call of a tool may begin. Clones count the same calls.
///
/// A rate is a sliding window: no stretch of that length sees more calls begin. Where a number of
/// calls may go on at once, up to four times as many wait, in their order. Whatever is beyond is
/// told to the model, and nothing runs.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    rate: Option<Arc<Window>>,
    places: Option<Places>,
}

/// The right of a call to go on, for as long as it is kept.
#[derive(Debug, Default)]
pub(crate) struct Turn(#[expect(dead_code, reason = "kept to be dropped")] Option<Permits>);

/// What a call that may begin has to do first.
#[derive(Debug)]
pub(crate) enum Admission {
    /// Nothing.
    Begins(Turn),
    /// To wait until another is over.
    Waits(Place),
}

/// A place among those that wait.
#[derive(Debug)]
pub(crate) struct Place {
    place: OwnedSemaphorePermit,
    places: Places,
}

type Permits = [OwnedSemaphorePermit; 2];

/// When the last calls began.
#[derive(Debug)]
struct Window {
    rate: Rate,
    began: Mutex<VecDeque<Instant>>,
}

#[derive(Clone, Debug)]
struct Places {
    at_once: NonZeroU32,
    /// For calls that go on.
    running: Arc<Semaphore>,
    /// For these, and those that wait.
    all: Arc<Semaphore>,
}

impl Turns {
    /// No limit.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Not more often than this.
    #[must_use]
    pub fn rate(mut self, rate: Rate) -> Self {
        self.rate = Some(Arc::new(Window { rate, began: Mutex::default() }));
        self
    }

    /// Not more than so many at once.
    #[must_use]
    pub fn at_once(mut self, at_once: NonZeroU32) -> Self {
        let running = usize::try_from(at_once.get()).unwrap_or(usize::MAX);
        let semaphore =
            |places: usize| Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS)));
        let all = running.saturating_mul(1 + WAITING);
        self.places = Some(Places { at_once, running: semaphore(running), all: semaphore(all) });
        self
    }

    /// Does it limit anything?
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.rate.is_some() || self.places.is_some()
    }

    /// Admits a call.
    ///
    /// # Errors
    ///
    /// The limit that is in the way.
    pub(crate) fn admit(&self) -> Result<Admission, Why> {
        // A call that finds no place does not count.
        let place = match &self.places {
            Some(places) => {
                let place = Arc::clone(&places.all).try_acquire_owned();
                Some((place.map_err(|_| places.over())?, places))
            }
            None => None,
        };
        if let Some(window) = &self.rate {
            window.take(Instant::now())?;
        }
        let Some((place, places)) = place else { return Ok(Admission::Begins(Turn(None))) };
        Ok(match Arc::clone(&places.running).try_acquire_owned() {
            Ok(turn) => Admission::Begins(Turn(Some([place, turn]))),
            Err(_) => Admission::Waits(Place { place, places: places.clone() }),
        })
    }
}

impl Admission {
    /// Where there is no limit.
    pub(crate) fn free() -> Self {
        Self::Begins(Turn::default())
    }
}

impl Place {
    /// Waits for a turn, for so long.
    ///
    /// # Errors
    ///
    /// It did not come.
    pub(crate) async fn turn(self, patience: Duration) -> Result<Turn, Why> {
        let turn = Arc::clone(&self.places.running).acquire_owned();
        let turn = tokio::time::timeout(patience, turn).await;
        // It is never closed.
        let turn = turn.map_err(|_| self.places.over())?.map_err(|_| self.places.over())?;
        Ok(Turn(Some([self.place, turn])))
    }
}

impl Places {
    fn over(&self) -> Why {
        let limit = match self.at_once.get() {
            1 => "1 call at once".to_owned(),
            many => format!("{many} calls at once"),
        };
        Why::OverLimit { limit, after: None }
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
    use std::time::Duration;

    use candor_protocol::Why;

    use super::{Admission, NoRate, Place, Rate, Turn, Turns};

    const PATIENCE: Duration = Duration::from_secs(5);

    fn over(limit: &str, after: Option<Duration>) -> Why {
        Why::OverLimit { limit: limit.to_owned(), after }
    }

    fn begins(turns: &Turns) -> Turn {
        match turns.admit() {
            Ok(Admission::Begins(turn)) => turn,
            other => panic!("{other:?}"),
        }
    }

    fn waits(turns: &Turns) -> Place {
        match turns.admit() {
            Ok(Admission::Waits(place)) => place,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_rate_is_read_and_said() {
        let said = |text: &str| text.parse::<Rate>().map(|rate| rate.to_string());
        assert_eq!(said("1/s").unwrap(), "1 call a second");
        assert_eq!(said("10/m").unwrap(), "10 calls a minute");
        assert_eq!(said("100/h").unwrap(), "100 calls an hour");
        for no_rate in ["", "10", "/m", "0/m", "+1/m", "10/d", "10/ m", "10/mm", "4294967296/s"] {
            assert_eq!(said(no_rate), Err(NoRate), "{no_rate}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_rate_says_when_the_next_call_is_possible() {
        let turns = Turns::new().rate("2/m".parse().unwrap());
        let at = |seconds| {
            let turns = turns.clone();
            async move {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                turns.admit().map(drop)
            }
        };
        assert_eq!(at(0).await, Ok(()));
        assert_eq!(at(20).await, Ok(()));
        assert_eq!(at(25).await, Err(over("2 calls a minute", Some(Duration::from_secs(15)))));
        assert_eq!(at(15).await, Ok(()), "what was refused does not count");
        assert_eq!(at(1).await, Err(over("2 calls a minute", Some(Duration::from_secs(19)))));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_waits_for_its_turn_and_not_for_ever() {
        let turns = Turns::new().at_once(NonZeroU32::new(1).unwrap());
        let first = begins(&turns);
        let second = waits(&turns).turn(PATIENCE);
        tokio::pin!(second);
        assert!(tokio::time::timeout(Duration::from_secs(4), &mut second).await.is_err());
        drop(first);
        let second = second.await.unwrap();
        let third = waits(&turns).turn(PATIENCE).await;
        assert_eq!(third.unwrap_err(), over("1 call at once", None));
        drop(second);
        begins(&turns);
    }

    #[test]
    fn no_more_wait_than_have_a_place() {
        let turns = Turns::new().at_once(NonZeroU32::new(2).unwrap());
        let _running = [begins(&turns), begins(&turns)];
        let _waiting: Vec<_> = (0..8).map(|_| waits(&turns)).collect();
        assert_eq!(turns.admit().unwrap_err(), over("2 calls at once", None));
    }

    #[test]
    fn a_call_that_finds_no_place_does_not_count_for_the_rate() {
        let one = NonZeroU32::new(1).unwrap();
        let turns = Turns::new().at_once(one).rate("6/h".parse().unwrap());
        let running = begins(&turns);
        let waiting: Vec<_> = (0..4).map(|_| waits(&turns)).collect();
        for _ in 0..9 {
            assert_eq!(turns.admit().unwrap_err(), over("1 call at once", None));
        }
        drop((running, waiting));
        begins(&turns);
        assert!(matches!(turns.admit(), Err(Why::OverLimit { after: Some(_), .. })));
    }
}

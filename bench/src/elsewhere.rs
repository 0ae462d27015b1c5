//! How much of the machine went elsewhere meanwhile: to the host, and to other processes.

use std::fs;
use std::io;
use std::time::Duration;

use crate::server::{children_cpu, own_cpu};

/// A round in which the host took more than this share is measured again.
pub(crate) const TOO_MUCH: f64 = 0.02;

/// The kernel counts in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

/// What has been counted so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent {
    ticks: Ticks,
    /// By this process and the servers that it started and waited for.
    ours: Duration,
}

/// Of `/proc/stat`, over all cores.
#[derive(Clone, Copy, Debug)]
struct Ticks {
    all: u32,
    busy: u32,
    stolen: u32,
}

/// Shares of all cores' time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Elsewhere {
    pub(crate) stolen: f64,
    pub(crate) strangers: f64,
}

impl Spent {
    /// When no server runs: those that run are not counted as ours yet.
    pub(crate) fn until_now() -> io::Result<Self> {
        let stat = fs::read_to_string("/proc/stat")?;
        let ticks = Ticks::read(&stat)
            .ok_or_else(|| io::Error::other("/proc/stat has no line for all cores"))?;
        Ok(Self { ticks, ours: own_cpu()? + children_cpu()? })
    }

    pub(crate) fn elsewhere_since(self, then: Self) -> Elsewhere {
        let since = |now: u32, then: u32| f64::from(now.wrapping_sub(then));
        let all = since(self.ticks.all, then.ticks.all).max(1.0);
        let ours = self.ours.saturating_sub(then.ours).as_secs_f64() * TICKS_PER_SECOND;
        let busy = since(self.ticks.busy, then.ticks.busy);
        Elsewhere {
            stolen: since(self.ticks.stolen, then.ticks.stolen) / all,
            strangers: (busy - ours).max(0.0) / all,
        }
    }
}

impl Ticks {
    fn read(stat: &str) -> Option<Self> {
        let ticks: Vec<u32> = stat
            .lines()
            .next()?
            .strip_prefix("cpu ")?
            .split_whitespace()
            // Only differences matter: the lower half is enough.
            .map_while(|number| u32::try_from(number.parse::<u64>().ok()? & 0xffff_ffff).ok())
            .collect();
        // Guests are in user and nice already.
        let &[user, nice, system, idle, iowait, irq, softirq, stolen, ..] = ticks.as_slice() else {
            return None;
        };
        let sum = |ticks: &[u32]| ticks.iter().copied().fold(0, u32::wrapping_add);
        let busy = sum(&[user, nice, system, irq, softirq]);
        Some(Self { all: sum(&[busy, idle, iowait, stolen]), busy, stolen })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_elsewhere_is_found() {
        let spent = |stat, ours| {
            Ticks::read(stat).map(|ticks| Spent { ticks, ours: Duration::from_millis(ours) })
        };
        let then = spent("cpu  10 0 10 80 0 0 0 0 0 0\ncpu0 1", 0);
        let now = spent("cpu  25 0 20 145 0 0 0 10 0 0\ncpu0 1", 200);
        let elsewhere = now.zip(then).map(|(now, then)| now.elsewhere_since(then));
        assert_eq!(elsewhere, Some(Elsewhere { stolen: 0.1, strangers: 0.05 }));
    }
}

//! What is to be reached.

use std::fmt;

use crate::figure::{Figure, number};
use crate::targets::{LIBRARY, LONG, MIDDLE, PAIR, SHORT};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    AtMost(f64),
    AtLeast(f64),
    /// Against the floor of the same run.
    RatioAtMost(f64),
    RatioAtLeast(f64),
}

impl Goal {
    /// None if there is no floor to compare with.
    pub(crate) fn is_reached(self, measured: f64, ratio: Option<f64>) -> Option<bool> {
        match self {
            Self::AtMost(most) => Some(measured <= most),
            Self::AtLeast(least) => Some(measured >= least),
            Self::RatioAtMost(most) => ratio.map(|ratio| ratio <= most),
            Self::RatioAtLeast(least) => ratio.map(|ratio| ratio >= least),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most) => write!(to, "≤ {}", number(*most)),
            Self::AtLeast(least) => write!(to, "≥ {}", number(*least)),
            Self::RatioAtMost(most) => write!(to, "≤ {} × floor", number(*most)),
            Self::RatioAtLeast(least) => write!(to, "≥ {} × floor", number(*least)),
        }
    }
}

pub(crate) fn find(target: &str, figure: Figure) -> &'static [Goal] {
    match (target, figure) {
        (LIBRARY, Figure::RoundTrip { percent: 50 }) => &[Goal::RatioAtMost(1.5)],
        (LIBRARY, Figure::CallsPerSecond { window: 64 | 256 }) => &[Goal::RatioAtLeast(0.3)],
        (LIBRARY, Figure::CpuPerCall { .. }) => &[Goal::AtMost(5.0)],
        (LIBRARY, Figure::FirstAnswer) | (LIBRARY | SHORT | LONG, Figure::FloodPeakRatio) => {
            &[Goal::AtMost(2.0)]
        }
        (LIBRARY | SHORT | LONG, Figure::AtRest) => &[Goal::AtMost(6.0)],
        // Twice the default of `--max-message`.
        (LIBRARY | SHORT | LONG, Figure::LongLine) => &[Goal::AtMost(32.0)],
        (LIBRARY, Figure::Allocations { .. }) => &[Goal::AtMost(20.0)],
        (SHORT | LONG, Figure::RoundTrip { percent: 99 }) => &[Goal::AtMost(3_000.0)],
        (SHORT | LONG | PAIR, Figure::CallsPerSecond { window: 16 }) => {
            &[Goal::AtLeast(1_100.0), Goal::RatioAtLeast(0.8)]
        }
        (SHORT | MIDDLE, Figure::FirstAnswer | Figure::FirstList) => &[Goal::AtMost(30.0)],
        (LONG, Figure::FirstAnswer | Figure::FirstList) => &[Goal::AtMost(100.0)],
        _ => &[],
    }
}

//! Verdicts to numbers.

use std::time::Instant;

use super::samples::{Clean, HeldOut, Sample};
use super::subject::Subject;
use super::verdict::{Verdict, judge};

/// What became of a sample.
pub(crate) struct Scored<'a> {
    pub(crate) sample: &'a Sample,
    pub(crate) masked: String,
    pub(crate) verdict: Verdict,
    pub(crate) seconds: f64,
}

/// Masks each sample.
pub(crate) fn score<'a>(subject: &dyn Subject, samples: &'a [Sample]) -> Vec<Scored<'a>> {
    let scored = samples.iter().map(|sample| {
        let (masked, seconds) = timed(subject, &sample.written.text);
        let verdict = judge(&sample.written, &masked);
        Scored { sample, masked, verdict, seconds }
    });
    scored.collect()
}

/// What became of a harmless text.
pub(crate) struct Checked<'a> {
    pub(crate) clean: &'a Clean,
    pub(crate) masked: String,
    pub(crate) seconds: f64,
}

impl Checked<'_> {
    pub(crate) fn is_false(&self) -> bool {
        self.masked != self.clean.text
    }
}

pub(crate) fn check<'a>(subject: &dyn Subject, clean: &'a [Clean]) -> Vec<Checked<'a>> {
    let checked = clean.iter().map(|clean| {
        let (masked, seconds) = timed(subject, &clean.text);
        Checked { clean, masked, seconds }
    });
    checked.collect()
}

/// How often a text is masked: the quickest time counts, since a machine has other things to do.
const TIMES: usize = if cfg!(debug_assertions) { 1 } else { 3 };

fn timed(subject: &dyn Subject, text: &str) -> (String, f64) {
    let mut masked = String::new();
    let mut quickest = f64::MAX;
    for _ in 0..TIMES {
        let start = Instant::now();
        masked = subject.success(text);
        quickest = quickest.min(start.elapsed().as_secs_f64());
    }
    (masked, quickest)
}

/// Some samples in numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) count: usize,
    recalled: usize,
    full: usize,
    kept: f64,
    bytes: usize,
    seconds: f64,
}

impl Tally {
    pub(crate) fn add(&mut self, scored: &Scored<'_>) {
        self.count += 1;
        self.recalled += usize::from(scored.verdict.recalled);
        self.full += usize::from(scored.verdict.full);
        self.kept += scored.verdict.kept;
        self.bytes += scored.sample.written.text.len();
        self.seconds += scored.seconds;
    }

    pub(crate) fn add_checked(&mut self, checked: &Checked<'_>) {
        self.count += 1;
        self.recalled += usize::from(!checked.is_false());
        self.bytes += checked.clean.text.len();
        self.seconds += checked.seconds;
    }

    pub(crate) fn recall(&self) -> f64 {
        share(self.recalled, self.count)
    }

    pub(crate) fn full(&self) -> f64 {
        share(self.full, self.count)
    }

    pub(crate) fn kept(&self) -> f64 {
        if self.count == 0 { 1.0 } else { self.kept / self.count as f64 }
    }

    /// Of harmless texts.
    pub(crate) fn false_positives(&self) -> f64 {
        1.0 - self.recall()
    }

    pub(crate) fn micros_per_kib(&self) -> f64 {
        if self.bytes == 0 { 0.0 } else { self.seconds * 1e6 / (self.bytes as f64 / 1024.0) }
    }
}

/// All of these, or 1 if there are none.
pub(crate) fn share(part: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { part as f64 / all as f64 }
}

/// The tally of those that are wanted.
pub(crate) fn tally<'a>(
    scored: impl IntoIterator<Item = &'a Scored<'a>>,
    wanted: impl Fn(HeldOut) -> bool,
) -> Tally {
    let mut tally = Tally::default();
    for one in scored.into_iter().filter(|one| wanted(one.sample.held_out)) {
        tally.add(one);
    }
    tally
}

//! Plan to report: every figure of every target, in rounds.

use std::path::Path;
use std::time::Duration;

use crate::client;
use crate::cores::Cores;
use crate::elsewhere::{Spent, TOO_MUCH};
use crate::figure::Figure;
use crate::machine;
use crate::memory;
use crate::plan::Plan;
use crate::server::Target;
use crate::table::{Table, median};
use crate::targets::{self, ECHO, Family};
use crate::wire::{Asked, Speech};

/// Starts in one round; with five rounds, 25.
const STARTS: usize = 5;

/// Calls to the server that counts its allocations.
const COUNTED_CALLS: usize = 10_000;

/// What is measured now, and what came of it so far.
struct Bench<'a> {
    plan: &'a Plan,
    scratch: &'a Path,
    /// On what it is measured, as it was before.
    head: String,
    table: Table,
    /// What is measured to its end, as it will be shown.
    shown: Vec<String>,
    notes: Vec<String>,
    dropped: usize,
    /// For each round that counts, what other processes took of the machine.
    strangers: Vec<f64>,
    /// Targets that could not be measured, and are not tried again.
    failed: Vec<&'static str>,
}

/// Lines, calls and memory: the library, and files of functions.
pub(crate) fn serve(plan: &Plan, scratch: &Path) -> Result<String, String> {
    let text = |error: std::io::Error| error.to_string();
    let own = std::env::current_exe().map_err(text)?;
    let own = own.parent().ok_or("this program lies nowhere")?;
    let (library, counted) = (targets::library(own), targets::counted(own));
    let shell = targets::shell(plan.candor.as_deref(), scratch).map_err(text)?;
    let free = Cores::free().map_err(text)?;
    let mut bench = Bench::new(plan, scratch);
    for family in [&library, &shell] {
        let together = free.together().filter(|_| family.together);
        for cores in free.apart().into_iter().chain([free]).chain(together) {
            bench.calls(family, cores)?;
        }
        bench.first_answers(family, free, Asked::Discover)?;
        if plan.memory {
            bench.memory(family, free);
        }
    }
    bench.allocations(&counted, free);
    bench.show(&[&library, &shell]);
    Ok(bench.report())
}

/// What a call of a shell function costs, and what makes it cost more.
pub(crate) fn shell(plan: &Plan, scratch: &Path) -> Result<String, String> {
    let text = |error: std::io::Error| error.to_string();
    let candor = plan.candor.as_deref().ok_or("which candor? Say --candor PATH.")?;
    let calls = targets::calls(candor, scratch).map_err(text)?;
    let texts = targets::texts(candor, scratch).map_err(text)?;
    let starts = targets::starts(candor, scratch).map_err(text)?;
    let free = Cores::free().map_err(text)?;
    let mut bench = Bench::new(plan, scratch);
    bench.calls(&calls, free)?;
    bench.show(&[&calls]);
    bench.long_calls(&texts, free)?;
    bench.show(&[&texts]);
    for asked in [Asked::Discover, Asked::List] {
        bench.first_answers(&starts, free, asked)?;
    }
    bench.show(&[&starts]);
    Ok(bench.report())
}

impl<'a> Bench<'a> {
    fn new(plan: &'a Plan, scratch: &'a Path) -> Self {
        Self {
            plan,
            scratch,
            head: machine::describe(plan),
            table: Table::default(),
            shown: Vec::new(),
            notes: Vec::new(),
            dropped: 0,
            strangers: Vec::new(),
            failed: Vec::new(),
        }
    }

    fn calls(&mut self, family: &Family, cores: Cores) -> Result<(), String> {
        for &window in family.windows {
            self.rounds(family, cores, &format!("{window} in flight"), |bench, target| {
                if window < target.lanes {
                    return Ok(Vec::new());
                }
                let run = client::run(target, cores, bench.scratch, window, bench.plan.time)?;
                let mut values = Vec::new();
                if window == 1 {
                    for percent in [50, 99] {
                        let trip = percentile(&run.round_trips, percent);
                        values.push((Figure::RoundTrip { percent }, micros(trip)));
                    }
                }
                values.push((Figure::CallsPerSecond { window }, run.per_second));
                if family.costed.contains(&window) {
                    values.push((Figure::CpuPerCall { window }, micros(run.cpu_per_call)));
                    values.push((Figure::OwnCpuPerCall { window }, micros(run.own_cpu_per_call)));
                }
                Ok(values)
            })?;
        }
        Ok(())
    }

    /// One after the other, each so long that it is told in milliseconds.
    fn long_calls(&mut self, family: &Family, cores: Cores) -> Result<(), String> {
        self.rounds(family, cores, "long calls", |bench, target| {
            let run = client::run(target, cores, bench.scratch, 1, bench.plan.time)?;
            Ok(vec![
                (Figure::LongCall, micros(percentile(&run.round_trips, 50)) / 1_000.0),
                (Figure::CpuPerCall { window: 1 }, micros(run.cpu_per_call)),
                (Figure::OwnCpuPerCall { window: 1 }, micros(run.own_cpu_per_call)),
            ])
        })
    }

    fn first_answers(&mut self, family: &Family, cores: Cores, asked: Asked) -> Result<(), String> {
        let figure = match asked {
            Asked::Discover => Figure::FirstAnswer,
            Asked::List => Figure::FirstList,
        };
        self.rounds(family, cores, &figure.name(), |bench, target| {
            let mut times = Vec::new();
            for _ in 0..STARTS {
                let first = client::first_answer(target, cores, bench.scratch, asked)?;
                times.push(micros(first) / 1_000.0);
            }
            Ok(median(&times).map(|time| (figure, time)).into_iter().collect())
        })
    }

    /// Repeats until enough rounds count, or as many again were dropped.
    fn rounds(
        &mut self,
        family: &Family,
        cores: Cores,
        what: &str,
        measure: impl Fn(&Self, &Target) -> Result<Vec<(Figure, f64)>, String>,
    ) -> Result<(), String> {
        let mut counted = 0;
        for _ in 0..2 * self.plan.rounds {
            if counted == self.plan.rounds {
                return Ok(());
            }
            eprintln!("{what}, {}: round {}", cores.name(), counted + 1);
            let before = Spent::until_now().map_err(|error| error.to_string())?;
            let mut round = Vec::new();
            for target in &family.targets {
                if !self.wants(target) {
                    continue;
                }
                match measure(self, target) {
                    Ok(values) => round.push((target.name, values)),
                    Err(why) => self.fail(target, what, &why),
                }
            }
            let after = Spent::until_now().map_err(|error| error.to_string())?;
            let elsewhere = after.elsewhere_since(before);
            if elsewhere.stolen > TOO_MUCH {
                self.dropped += 1;
                continue;
            }
            counted += 1;
            self.strangers.push(elsewhere.strangers);
            for (target, values) in round {
                for (figure, value) in values {
                    self.table.add(target, figure, cores.name(), value);
                }
            }
        }
        if counted < self.plan.rounds {
            self.notes.push(format!(
                "{what}, {}: only {counted} rounds without stolen time.",
                cores.name()
            ));
        }
        Ok(())
    }

    fn memory(&mut self, family: &Family, cores: Cores) {
        for target in &family.targets {
            if target.speech == Speech::Ids || !self.wants(target) {
                continue;
            }
            eprintln!("memory of {}", target.name);
            if let Err(why) = self.memory_of(target, cores) {
                self.fail(target, "memory", &why);
            }
        }
    }

    fn memory_of(&mut self, target: &Target, cores: Cores) -> Result<(), String> {
        let (scratch, name) = (self.scratch, cores.name());
        let rest = memory::at_rest(target, cores, scratch)?;
        self.table.add(target.name, Figure::AtRest, name, of_1024(rest.own));
        if rest.below > 0 {
            self.table.add(target.name, Figure::BelowAtRest, name, of_1024(rest.below));
        }
        let flooded = memory::flood(target, cores, scratch)?;
        self.table.add(target.name, Figure::FloodPeak, name, of_1024(flooded.peak));
        let ratio = of_1024(flooded.peak) / of_1024(rest.own);
        self.table.add(target.name, Figure::FloodPeakRatio, name, ratio);
        let taken = u64::try_from(flooded.taken).unwrap_or(u64::MAX);
        self.table.add(target.name, Figure::FloodTaken, name, of_1024(taken));
        if flooded.taken == flooded.written {
            self.notes.push(format!("{} took all 100,000 calls unread.", target.name));
        }
        // The floor keeps a whole line, however long.
        if target.name != ECHO {
            let peak = memory::long_line(target, cores, scratch)?;
            let cost = of_1024(peak.saturating_sub(rest.own));
            self.table.add(target.name, Figure::LongLine, name, cost);
        }
        Ok(())
    }

    /// The server counts them itself and says so on stderr when it ends.
    fn allocations(&mut self, target: &Target, cores: Cores) {
        if !self.wants(target) {
            return;
        }
        for window in [1, 64] {
            let counted = client::calls(target, cores, self.scratch, window, COUNTED_CALLS)
                .and_then(|log| counts(&log).ok_or(format!("it did not say: {log}")));
            match counted {
                Ok((allocations, bytes)) => {
                    let (name, cores) = (target.name, cores.name());
                    self.table.add(name, Figure::Allocations { window }, cores, allocations);
                    self.table.add(name, Figure::Allocated { window }, cores, bytes);
                }
                Err(why) => return self.fail(target, "allocations", &why),
            }
        }
    }

    fn wants(&self, target: &Target) -> bool {
        let asked = self.plan.only.as_ref().is_none_or(|only| {
            target.name.starts_with("floor") || target.name.contains(only.as_str())
        });
        asked && !self.failed.contains(&target.name)
    }

    fn fail(&mut self, target: &Target, what: &str, why: &str) {
        eprintln!("{} failed ({what}): {why}", target.name);
        self.notes.push(format!("{} was not measured further ({what}): {why}", target.name));
        self.failed.push(target.name);
    }

    /// Makes a table for each of these, of all that was measured since the last.
    fn show(&mut self, families: &[&Family]) {
        let table = std::mem::take(&mut self.table);
        for family in families {
            let names: Vec<&str> = family.targets.iter().map(|target| target.name).collect();
            self.shown.push(table.to_markdown(&names));
        }
    }

    fn report(self) -> String {
        let mut parts = vec![self.head];
        parts.extend(self.shown);
        parts.extend(self.notes);
        if self.plan.candor.is_none() {
            parts.push("`candor serve` was not measured: no --candor.".to_owned());
        }
        let most = self.strangers.iter().copied().fold(0.0, f64::max) * 100.0;
        let half = median(&self.strangers).unwrap_or_default() * 100.0;
        parts.push(format!(
            "{} rounds were dropped because the host took over 2 %. Other processes took {half:.0} % \
             of the machine in the median round, {most:.0} % in the worst.",
            self.dropped
        ));
        parts.join("\n\n")
    }
}

/// The line `allocations per call: N, bytes per call: N`.
fn counts(log: &str) -> Option<(f64, f64)> {
    let line = log.lines().find_map(|line| line.strip_prefix("allocations per call: "))?;
    let (allocations, bytes) = line.split_once(", bytes per call: ")?;
    Some((allocations.parse().ok()?, bytes.parse().ok()?))
}

/// Of values in order.
fn percentile(values: &[Duration], percent: usize) -> Duration {
    let at = values.len().saturating_sub(1) * percent / 100;
    values.get(at).copied().unwrap_or_default()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000_000.0
}

/// KiB to MiB, or bytes to KiB.
fn of_1024(count: u64) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from) / 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values: Vec<Duration> = (1..=100).map(Duration::from_micros).collect();
        assert_eq!(percentile(&values, 50), Duration::from_micros(50));
        assert_eq!(percentile(&values, 99), Duration::from_micros(99));
        assert_eq!(percentile(&[], 50), Duration::ZERO);
    }

    #[test]
    fn what_the_counting_server_says_is_read() {
        let log = "something\nallocations per call: 12.5, bytes per call: 900.0\n";
        assert_eq!(counts(log), Some((12.5, 900.0)));
        assert_eq!(counts("nothing"), None);
    }
}

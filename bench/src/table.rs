//! Measured values to a Markdown table: medians, ratios to the floor, and what was to be reached.

use std::fmt::Write;

use crate::figure::{Figure, number};
use crate::goals;
use crate::targets::floor_of;

/// One figure of one target: a value for each round that counted.
struct Series {
    target: &'static str,
    figure: Figure,
    cores: &'static str,
    values: Vec<f64>,
}

#[derive(Default)]
pub(crate) struct Table {
    series: Vec<Series>,
}

impl Table {
    pub(crate) fn add(
        &mut self,
        target: &'static str,
        figure: Figure,
        cores: &'static str,
        value: f64,
    ) {
        let known = self.series.iter_mut().find(|series| series.is(target, figure, cores));
        if let Some(series) = known {
            series.values.push(value);
        } else {
            self.series.push(Series { target, figure, cores, values: vec![value] });
        }
    }

    /// A column for each of these targets that was measured, a row for each figure and cores.
    pub(crate) fn to_markdown(&self, targets: &[&'static str]) -> String {
        let ours: Vec<&Series> =
            self.series.iter().filter(|series| targets.contains(&series.target)).collect();
        let columns: Vec<&str> = targets
            .iter()
            .copied()
            .filter(|target| ours.iter().any(|series| series.target == *target))
            .collect();
        let mut rows: Vec<(Figure, &str)> = Vec::new();
        for series in &ours {
            if !rows.contains(&(series.figure, series.cores)) {
                rows.push((series.figure, series.cores));
            }
        }
        rows.sort_by_key(|(figure, _)| *figure);

        let mut text = format!("| figure | cores | {} | to reach |\n", columns.join(" | "));
        let _ = writeln!(text, "|---|---|{}---|", "--:|".repeat(columns.len()));
        for (figure, cores) in rows {
            let cells: Vec<String> =
                columns.iter().map(|target| self.cell(target, figure, cores)).collect();
            let mut goals: Vec<String> = Vec::new();
            for goal in columns.iter().flat_map(|target| goals::find(target, figure)) {
                let goal = goal.to_string();
                if !goals.contains(&goal) {
                    goals.push(goal);
                }
            }
            let (name, goals) = (figure.name(), goals.join(", "));
            let _ = writeln!(text, "| {name} | {cores} | {} | {goals} |", cells.join(" | "));
        }
        text
    }

    /// The median, how far the rounds lie apart, the ratio to the floor, whether it is reached.
    fn cell(&self, target: &str, figure: Figure, cores: &str) -> String {
        let Some(series) = self.find(target, figure, cores) else { return String::new() };
        let Some(measured) = median(&series.values) else { return String::new() };
        let mut cell = format!("{}{}", number(measured), figure.unit());
        if series.values.len() > 1 {
            let _ = write!(cell, " ±{:.0} %", series.spread() / measured * 100.0);
        }
        let floor = floor_of(target, figure).and_then(|floor| self.find(floor, figure, cores));
        let ratio = floor.and_then(|floor| series.ratio_to(floor));
        if let Some(ratio) = ratio {
            let _ = write!(cell, ", {} ×", number(ratio));
        }
        let goals = goals::find(target, figure).iter();
        let reached: Vec<bool> =
            goals.filter_map(|goal| goal.is_reached(measured, ratio)).collect();
        if !reached.is_empty() {
            cell.push_str(if reached.contains(&false) { " ✗" } else { " ✓" });
        }
        cell
    }

    fn find(&self, target: &str, figure: Figure, cores: &str) -> Option<&Series> {
        self.series.iter().find(|series| series.is(target, figure, cores))
    }
}

impl Series {
    fn is(&self, target: &str, figure: Figure, cores: &str) -> bool {
        self.target == target && self.figure == figure && self.cores == cores
    }

    /// Round by round, so that what slows a whole round slows both sides of its ratio.
    fn ratio_to(&self, floor: &Self) -> Option<f64> {
        let ratios: Vec<f64> =
            self.values.iter().zip(&floor.values).map(|(own, floor)| own / floor).collect();
        median(&ratios)
    }

    /// Half of what lies between the lowest and the highest round.
    fn spread(&self) -> f64 {
        let low = self.values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = self.values.iter().copied().fold(0.0, f64::max);
        (high - low) / 2.0
    }
}

/// The middle value.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        return values.get(middle).copied();
    }
    let low = values.get(middle.checked_sub(1)?)?;
    Some(f64::midpoint(*low, *values.get(middle)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::{ECHO, LIBRARY, LONG};

    #[test]
    fn medians_and_ratios_are_taken_round_by_round() {
        let mut table = Table::default();
        let figure = Figure::CallsPerSecond { window: 64 };
        for (echo, library) in [(1_000.0, 500.0), (400.0, 160.0), (1_200.0, 240.0)] {
            table.add(ECHO, figure, "apart", echo);
            table.add(LIBRARY, figure, "apart", library);
        }
        table.add(LIBRARY, Figure::RoundTrip { percent: 99 }, "free", 12.5);
        let expected = "\
| figure | cores | floor: line echo | library, `add` | to reach |
|---|---|--:|--:|---|
| round trip, p99 | free |  | 12.5 µs |  |
| calls, 64 in flight | apart | 1,000/s ±40 % | 240/s ±71 %, 0.40 × ✓ | ≥ 0.30 × floor |
";
        assert_eq!(table.to_markdown(&[ECHO, LIBRARY, LONG]), expected);
    }

    #[test]
    fn an_even_count_has_its_median_between() {
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }
}

//! Flags to verdict: runs the steps, all of them whatever fails, and prints what became of each.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::house::House;
use crate::steps::{Outcome, STEPS, Step};

/// What was asked for.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Plan {
    quick: bool,
    nothing_left_out: bool,
}

impl Plan {
    pub(crate) fn read(flags: &[&str]) -> Result<Self, String> {
        let mut plan = Self::default();
        for flag in flags {
            match *flag {
                "--quick" => plan.quick = true,
                "--nothing-left-out" => plan.nothing_left_out = true,
                other => return Err(format!("test has no flag {other}")),
            }
        }
        if plan.quick && plan.nothing_left_out {
            return Err("--quick leaves steps out".to_owned());
        }
        Ok(plan)
    }
}

/// A step that was run.
struct Ran {
    name: &'static str,
    took: Duration,
    outcome: Outcome,
}

pub(crate) fn run(house: &House, plan: &Plan) -> ExitCode {
    let started = Instant::now();
    let ran: Vec<Ran> = STEPS
        .iter()
        .filter(|step| step.quick || !plan.quick)
        .map(|step| take(house, step))
        .collect();
    let passed = ran.iter().filter(|step| step.outcome == Outcome::Passed).count();
    let left_out = ran.iter().filter(|step| matches!(step.outcome, Outcome::LeftOut(_))).count();
    let failed = ran.len() - passed - left_out;
    println!("\n{}", table(&ran, started.elapsed()));
    println!("{}", closing(passed, failed, left_out, plan.nothing_left_out));
    if failed == 0 && (left_out == 0 || !plan.nothing_left_out) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn take(house: &House, step: &Step) -> Ran {
    println!("\n== {}", step.name);
    let started = Instant::now();
    let outcome = (step.run)(house);
    match &outcome {
        Outcome::Passed => {}
        Outcome::Failed(why) => println!("{} failed: {why}", step.name),
        Outcome::LeftOut(why) => println!("{} left out: {why}", step.name),
    }
    Ran { name: step.name, took: started.elapsed(), outcome }
}

fn table(ran: &[Ran], whole: Duration) -> String {
    let mut lines: Vec<String> = ran
        .iter()
        .map(|step| {
            let outcome = match &step.outcome {
                Outcome::Passed => "passed".to_owned(),
                Outcome::Failed(why) => {
                    format!("FAILED: {}", why.lines().next().unwrap_or_default())
                }
                Outcome::LeftOut(why) => format!("left out: {why}"),
            };
            row(step.name, step.took, &outcome)
        })
        .collect();
    lines.push(row("all", whole, ""));
    lines.join("\n")
}

fn row(name: &str, took: Duration, outcome: &str) -> String {
    format!("{name:<26}{:>8.1} s  {outcome}", took.as_secs_f64()).trim_end().to_owned()
}

/// The last line, in the form that test runners close with.
fn closing(passed: usize, failed: usize, left_out: usize, nothing_left_out: bool) -> String {
    match (left_out, nothing_left_out) {
        (0, _) => format!("{passed} passed, {failed} failed"),
        (_, true) => format!("{passed} passed, {} failed", failed + left_out),
        (_, false) => format!("{passed} passed, {failed} failed, {left_out} skipped"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read() {
        assert_eq!(Plan::read(&[]), Ok(Plan::default()));
        assert_eq!(Plan::read(&["--quick"]), Ok(Plan { quick: true, nothing_left_out: false }));
        assert_eq!(Plan::read(&["--fast"]), Err("test has no flag --fast".to_owned()));
        assert_eq!(
            Plan::read(&["--quick", "--nothing-left-out"]),
            Err("--quick leaves steps out".to_owned())
        );
    }

    #[test]
    fn the_table_has_one_line_for_each_step() {
        let second = Duration::from_secs(1);
        let ran = [
            Ran { name: "format", took: second, outcome: Outcome::Passed },
            Ran { name: "tests", took: second, outcome: Outcome::Failed("two\nlines".into()) },
            Ran { name: "licences", took: second, outcome: Outcome::LeftOut("no deny".into()) },
        ];
        assert_eq!(
            table(&ran, second * 3),
            "\
format                         1.0 s  passed
tests                          1.0 s  FAILED: two
licences                       1.0 s  left out: no deny
all                            3.0 s"
        );
    }

    #[test]
    fn the_last_line_counts_steps() {
        assert_eq!(closing(8, 0, 0, true), "8 passed, 0 failed");
        assert_eq!(closing(6, 1, 1, false), "6 passed, 1 failed, 1 skipped");
        assert_eq!(closing(6, 1, 1, true), "6 passed, 2 failed");
    }
}

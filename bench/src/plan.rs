//! Options to plan.

use std::path::PathBuf;
use std::time::Duration;

pub(crate) const USAGE: &str = "\
Measures `candor serve` and the library over stdio, beside their floors.

  bench serve [OPTION…]    lines, calls, memory: the library, and a short and a long file
  bench shell [OPTION…]    what calls of shell functions cost, and what they cost it for

  --candor PATH   the program; without it, only the library and the floors
  --rounds N      rounds that count, for each figure (default 5)
  --seconds S     length of each measurement of calls (default 1)
  --only WORD     only targets with this in their name, and the floors
  --quick         the same as --rounds 1 --seconds 0.2
  --no-memory     serve without the figures of memory, which take a few minutes
";

pub(crate) struct Plan {
    pub(crate) candor: Option<PathBuf>,
    pub(crate) rounds: usize,
    pub(crate) time: Duration,
    pub(crate) only: Option<String>,
    pub(crate) memory: bool,
}

impl Plan {
    pub(crate) fn read(options: &[&str]) -> Result<Self, String> {
        let mut plan = Self {
            candor: None,
            rounds: 5,
            time: Duration::from_secs(1),
            only: None,
            memory: true,
        };
        let mut options = options.iter();
        while let Some(option) = options.next() {
            if *option == "--no-memory" {
                plan.memory = false;
                continue;
            }
            if *option == "--quick" {
                (plan.rounds, plan.time) = (1, Duration::from_millis(200));
                continue;
            }
            let value = options.next().ok_or_else(|| format!("no value for {option}"))?;
            let wrong = || format!("{option} cannot be {value}");
            match *option {
                "--candor" => plan.candor = Some(PathBuf::from(value)),
                "--rounds" => {
                    let rounds = value.parse().ok().filter(|rounds| (1..=100).contains(rounds));
                    plan.rounds = rounds.ok_or_else(wrong)?;
                }
                "--seconds" => {
                    let seconds =
                        value.parse().ok().filter(|seconds| (0.01..=60.0).contains(seconds));
                    plan.time = Duration::from_secs_f64(seconds.ok_or_else(wrong)?);
                }
                "--only" => plan.only = Some((*value).to_owned()),
                _ => return Err(format!("no such option: {option}")),
            }
        }
        Ok(plan)
    }
}

//! `@limit`: how much a call may use, and how often it may come.

use std::num::NonZeroU32;
use std::time::Duration;

use candor::Rate;

use super::mistake::{Flaw, perhaps, quoted};
use super::text::{Cursor, Spot, Word};

/// What a tool limits itself to. What it does not say is the server's to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    /// How long a call may take.
    pub(crate) time: Option<Duration>,
    /// How many bytes a call may print.
    pub(crate) output: Option<u64>,
    /// How many bytes of memory each process of a call may have.
    pub(crate) memory: Option<u64>,
    /// How many calls may run at the same time.
    pub(crate) at_once: Option<NonZeroU32>,
    /// How many calls may come in a time.
    pub(crate) rate: Option<Rate>,
}

const KNOWN: &str = "Limits are time, output, memory, at-once, rate.";
const EXAMPLES: [(&str, &str); 5] = [
    ("time", "time=20s"),
    ("output", "output=256K"),
    ("memory", "memory=512M"),
    ("at-once", "at-once=4"),
    ("rate", "rate=10/m"),
];
const TIMES: &str = "Write 500ms, 20s or 2m; a day, 1440m, is the most.";
const SIZES: &str = "Write a number of bytes, or 64K, 1M or 1G.";

/// The limits of all `@limit` tags of a block.
#[derive(Debug, Default)]
pub(super) struct Reading {
    limits: Limits,
    /// Those that are set, and on which line.
    set: Vec<(String, Spot)>,
}

impl Reading {
    pub(super) fn into_limits(self) -> Limits {
        self.limits
    }

    /// Reads the rest of a `@limit`, which adds to what others said.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_>, flaws: &mut Vec<Flaw>) {
        let mut is_empty = true;
        loop {
            cursor.until(|letter| letter != ',' && !letter.is_whitespace());
            if cursor.peek().is_none() {
                break;
            }
            is_empty = false;
            let key = cursor.until(|it| it == '=' || it == ',' || it.is_whitespace());
            let value = cursor.eat('=').then(|| cursor.until(|it| it == ',' || it.is_whitespace()));
            if let Err(flaw) = self.add(&key, value.as_ref()) {
                flaws.push(flaw);
            }
        }
        if is_empty {
            let right = format!("Write @limit time=20s, for example. {KNOWN}");
            flaws.push(Flaw::new(cursor.spot(), "@limit sets nothing.", right));
        }
    }

    fn add(&mut self, key: &Word, value: Option<&Word>) -> Result<(), Flaw> {
        let name = key.text.as_str();
        let Some((_, example)) = EXAMPLES.iter().find(|(known, _)| *known == name) else {
            let said = format!("{} is not a limit.", quoted(name));
            let right = format!("{}{KNOWN}", perhaps(name, EXAMPLES.map(|(known, _)| known)));
            return Err(Flaw::new(key.spot, said, right));
        };
        let Some(value) = value.filter(|value| !value.text.is_empty()) else {
            let right = format!("Write {example}, for example.");
            return Err(Flaw::new(key.spot, format!("{} has no value.", quoted(name)), right));
        };
        if let Some((_, first)) = self.set.iter().find(|(set, _)| set == name) {
            let said = format!("{} is set twice, first on line {}.", quoted(name), first.line);
            return Err(Flaw::new(key.spot, said, "Set it once."));
        }
        self.set.push((name.to_owned(), key.spot));
        let text = value.text.as_str();
        let limits = &mut self.limits;
        let read = match name {
            "time" => time(text).map(|time| limits.time = Some(time)),
            "output" => size(text).map(|size| limits.output = Some(size)),
            "memory" => size(text).map(|size| limits.memory = Some(size)),
            "at-once" => count(text).map(|count| limits.at_once = Some(count)),
            _ => text.parse().ok().map(|rate| limits.rate = Some(rate)),
        };
        let (what, right) = match name {
            "time" => ("a time", TIMES),
            "output" | "memory" => ("a size", SIZES),
            "at-once" => ("a number of calls", "Write a whole number from 1."),
            _ => ("a rate", "Write 5/s, 10/m or 100/h, with a whole number from 1."),
        };
        let unread = || Flaw::new(value.spot, format!("{} is not {what}.", quoted(text)), right);
        read.ok_or_else(unread)
    }
}

/// `500ms`, `20s`, `2m`.
fn time(text: &str) -> Option<Duration> {
    const DAY: Duration = Duration::from_hours(24);
    let (number, unit) = split(text)?;
    let time = match unit {
        "ms" => Duration::from_millis(number),
        "s" => Duration::from_secs(number),
        "m" => Duration::from_secs(number.checked_mul(60)?),
        _ => return None,
    };
    (!time.is_zero() && time <= DAY).then_some(time)
}

/// `1048576`, `1024K`, `1M`, `1G`.
fn size(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let unit = match unit {
        "" => 1,
        "K" | "k" => 1 << 10,
        "M" | "m" => 1 << 20,
        "G" | "g" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(unit).filter(|size| *size > 0)
}

fn count(text: &str) -> Option<NonZeroU32> {
    let (number, unit) = split(text)?;
    let number = u32::try_from(number).ok()?;
    NonZeroU32::new(number).filter(|_| unit.is_empty())
}

/// The number at the start, and the rest.
fn split(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit))
}

//! Scores to tables for a reader.
//!
//! Parts that are held out are shown by numbers, and what was missed of them is not shown, unless
//! the reader asks to see everything. Whoever writes rules does not ask.

use std::collections::BTreeMap;

use candor_redact::Redactor;

use super::errors::{self, CASES};
use super::exact::{self, WAYS};
use super::held_out;
use super::real::{self, Judged, Packages};
use super::samples::{self, HeldOut};
use super::tally::{Checked, Scored, Tally, check, score, share, tally};

/// What to show.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Wish {
    pub(crate) seed: u64,
    /// Samples that came out wrong, too.
    pub(crate) misses: bool,
    /// What is held out, too.
    pub(crate) everything: bool,
}

impl Wish {
    /// Words such as `misses seed=7`.
    pub(crate) fn read(words: &str) -> Result<Self, String> {
        let mut wish = Self::default();
        for word in words.split_whitespace() {
            match (word, word.strip_prefix("seed=")) {
                ("misses", _) => wish.misses = true,
                ("everything", _) => wish.everything = true,
                (_, Some(seed)) => {
                    wish.seed = seed.parse().map_err(|_| format!("`{seed}` is no seed"))?;
                }
                (other, None) => return Err(format!("no such wish: {other}")),
            }
        }
        Ok(wish)
    }
}

pub(crate) fn print(wish: Wish) {
    let redactor = Redactor::default();
    let positive = samples::positive(wish.seed);
    let negative = samples::negative(wish.seed);
    let scored = score(&redactor, &positive);
    let checked = check(&redactor, &negative);
    print_parts("kind", &scored, wish, |one| (one.sample.kind, one.sample.held_out.kind));
    print_parts("context", &scored, wish, |one| (one.sample.context, one.sample.held_out.context));
    print_parts("encoding", &scored, wish, |one| {
        (one.sample.encoding, one.sample.held_out.encoding)
    });
    print_negatives(&checked, wish);
    print_exact(wish);
    print_errors(wish);
    print_real(&redactor);
    print_all(&scored, &checked);
    if wish.misses {
        print_misses(&scored, &checked, wish);
    }
}

/// A row for each part: what was seen of it, and what is held out by some other part.
fn print_parts<'a>(
    title: &str,
    scored: &'a [Scored<'a>],
    wish: Wish,
    part: impl Fn(&Scored<'a>) -> (&'static str, bool),
) {
    println!("\n{}", head(title, &["recall", "full", "kept", "µs/KiB", "held", "recall", "full"]));
    let mut seen: BTreeMap<&str, Vec<&Scored<'_>>> = BTreeMap::new();
    let mut held: BTreeMap<&str, Vec<&Scored<'_>>> = BTreeMap::new();
    for one in scored {
        let (name, is_held) = part(one);
        let rows = if is_held { &mut held } else { &mut seen };
        rows.entry(name).or_default().push(one);
    }
    for (name, rows) in &seen {
        let open = tally(rows.iter().copied(), |held_out| !held_out.any());
        let closed = tally(rows.iter().copied(), HeldOut::any);
        println!("{}  {:>7}  {}", row(name, &open), closed.count, rates(&closed));
    }
    for (number, (name, rows)) in (1..).zip(&held) {
        let name = if wish.everything { (*name).to_owned() } else { format!("held out {number}") };
        let closed = tally(rows.iter().copied(), HeldOut::any);
        println!("{}", row(&name, &closed));
    }
}

fn head(title: &str, columns: &[&str]) -> String {
    let mut head = format!("{title:<38}  {:>7}", "samples");
    for column in columns {
        head.push_str(&format!("  {column:>7}"));
    }
    head
}

fn row(name: &str, tally: &Tally) -> String {
    let count = tally.count;
    let (kept, speed) = (tally.kept(), tally.micros_per_kib());
    format!("{name:<38}  {count:>7}  {}  {kept:>7.3}  {speed:>7.1}", rates(tally))
}

fn rates(tally: &Tally) -> String {
    format!("{:>7.3}  {:>7.3}", tally.recall(), tally.full())
}

fn print_negatives(checked: &[Checked<'_>], wish: Wish) {
    println!("\n{}", head("harmless", &["changed", "µs/KiB"]));
    let mut seen: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut held: BTreeMap<&str, Tally> = BTreeMap::new();
    for one in checked {
        let own = held_out::NEGATIVES.iter().any(|negative| negative.name == one.clean.kind);
        let rows = if own { &mut held } else { &mut seen };
        rows.entry(one.clean.kind).or_default().add_checked(one);
    }
    let show = |name: &str, tally: &Tally| {
        let (changed, speed) = (tally.false_positives(), tally.micros_per_kib());
        println!("{name:<38}  {:>7}  {changed:>7.3}  {speed:>7.1}", tally.count);
    };
    for (name, tally) in &seen {
        show(name, tally);
    }
    for (number, (name, tally)) in (1..).zip(&held) {
        show(
            &if wish.everything { (*name).to_owned() } else { format!("held out {number}") },
            tally,
        );
    }
}

fn print_exact(wish: Wish) {
    println!("\n{}", head("a value that the redactor knows", &["recall", "full"]));
    for way in WAYS {
        let found = exact::judged(wish.seed, way, exact::told);
        let count = |good: fn(&exact::Found) -> bool| {
            share(found.iter().filter(|one| good(one)).count(), found.len())
        };
        let (recall, full) = (count(|one| one.verdict.recalled), count(|one| one.verdict.full));
        println!("{:<38}  {:>7}  {recall:>7.3}  {full:>7.3}", way.name, found.len());
        let wrong = found.iter().find(|one| !one.verdict.full && wish.misses);
        if let Some(wrong) = wrong {
            println!("  {:?}\n  {:?}", wrong.text, wrong.masked);
        }
    }
}

fn print_errors(wish: Wish) {
    let redactor = Redactor::builder().root(errors::ROOT).build();
    println!("\n{}", head("failures", &["gone", "stayed"]));
    for case in CASES {
        let (tally, wrong) = errors::judged(wish.seed, case, &redactor);
        let (gone, stayed) = (share(tally.gone, tally.to_go), share(tally.stayed, tally.to_stay));
        println!("{:<38}  {:>7}  {gone:>7.3}  {stayed:>7.3}", case.name, 20);
        if let Some(wrong) = wrong.filter(|_| wish.misses) {
            println!("  left {:?}, lost {:?}", wrong.left, wrong.lost);
            println!("  {:?}\n  {:?}", wrong.text, wrong.masked);
        }
    }
}

/// As much of the cache as is read.
pub(crate) const MOST: usize = 20 << 20;

fn print_real(redactor: &Redactor) {
    let judged = Judged::read(include_str!("judged.txt"));
    let reading = real::read(redactor, Packages::All, MOST);
    let mib = reading.bytes as f64 / 1_048_576.0;
    println!("\nfiles that others wrote: {} files, {mib:.1} MiB", reading.files);
    if reading.bytes < MOST {
        println!(
            "  the cache of cargo holds no more: a smaller test than the 20 MiB that were meant"
        );
    }
    let unjudged = judged.unjudged(&reading);
    let per_mib = if reading.bytes == 0 { 0.0 } else { reading.count as f64 / mib };
    println!("  {} marks, {per_mib:.2} in a MiB; {} lines unjudged", reading.count, unjudged.len());
    for mark in &reading.marks {
        let verdict = judged.verdict(mark).unwrap_or("unjudged");
        println!("{verdict}\t{}\t{}", mark.file, mark.line);
    }
}

fn print_all(scored: &[Scored<'_>], checked: &[Checked<'_>]) {
    println!("\n{}", head("all", &["recall", "full", "kept", "µs/KiB"]));
    let show = |name: &str, wanted: fn(HeldOut) -> bool| {
        println!("{}", row(name, &tally(scored, wanted)));
    };
    show("seen", |held_out| !held_out.any());
    show("held out", HeldOut::any);
    let only = |kind, context, encoding| HeldOut { kind, context, encoding };
    println!(
        "{}",
        row("  by its kind alone", &tally(scored, |one| one == only(true, false, false)))
    );
    println!(
        "{}",
        row("  by its context alone", &tally(scored, |one| one == only(false, true, false)))
    );
    println!(
        "{}",
        row("  by its encoding alone", &tally(scored, |one| one == only(false, false, true)))
    );
    for (name, held_out) in [("harmless, seen", false), ("harmless, held out", true)] {
        let mut tally = Tally::default();
        for one in checked.iter().filter(|one| one.clean.held_out == held_out) {
            tally.add_checked(one);
        }
        let changed = checked.iter().filter(|one| one.clean.held_out == held_out && one.is_false());
        let (share, changed) = (tally.false_positives() * 100.0, changed.count());
        let speed = tally.micros_per_kib();
        println!(
            "{name:<38}  {:>7}  {changed} changed: {share:.2} %, {speed:.1} µs/KiB",
            tally.count
        );
    }
}

/// A few of each kind and encoding.
fn print_misses(scored: &[Scored<'_>], checked: &[Checked<'_>], wish: Wish) {
    let mut shown: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    println!("\nmissed");
    for one in scored {
        let (sample, verdict) = (one.sample, one.verdict);
        let hidden = sample.held_out.any() && !wish.everything;
        if hidden || (verdict.full && verdict.recalled) {
            continue;
        }
        let times = shown.entry((sample.kind, sample.encoding)).or_default();
        *times += 1;
        if *times <= 2 {
            let what = if verdict.recalled { "not all of it" } else { "leak" };
            println!("{what}: {}, {}, {}", sample.kind, sample.context, sample.encoding);
            println!("  {:?}\n  {:?}", sample.written.text, one.masked);
        }
    }
    println!("\nchanged though harmless");
    for one in checked {
        if one.is_false() && (wish.everything || !one.clean.held_out) {
            println!("{}\n  {:?}\n  {:?}", one.clean.kind, one.clean.text, one.masked);
        }
    }
}

#[test]
fn a_wish_is_read_from_words() {
    assert_eq!(Wish::read(""), Ok(Wish::default()));
    let wish = Wish { seed: 7, misses: true, everything: false };
    assert_eq!(Wish::read("misses seed=7"), Ok(wish));
    assert_eq!(Wish::read("mises"), Err("no such wish: mises".to_owned()));
}

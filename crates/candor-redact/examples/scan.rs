//! Files to the marks that they would get, with what is around them, for a reader to judge.
//!
//! `cargo run --release -p candor-redact --example scan -- [--error] [--pii] PATH…`

#![expect(clippy::print_stdout, reason = "it is a program")]
#![expect(clippy::cast_precision_loss, reason = "figures for people")]

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use candor_redact::Redactor;

/// So much of the text before and behind a mark is shown.
const AROUND: usize = 70;
/// Longer files are data.
const LONGEST: u64 = 4 << 20;

#[derive(Default)]
struct Seen {
    files: usize,
    bytes: usize,
    marks: usize,
    nanoseconds: u128,
}

fn main() {
    let mut paths = Vec::new();
    let (mut is_error, mut pii) = (false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--error" => is_error = true,
            "--pii" => pii = true,
            _ => paths.push(PathBuf::from(argument)),
        }
    }
    let redactor = Redactor::builder().pii(pii).build();
    let mut seen = Seen::default();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            paths.extend(
                entries.filter(|entry| !entry.path().is_symlink()).map(|entry| entry.path()),
            );
        } else if fs::metadata(&path).is_ok_and(|file| file.len() <= LONGEST) {
            file(&path, &redactor, is_error, &mut seen);
        }
    }
    let microseconds = seen.nanoseconds as f64 / 1000.0 / (seen.bytes.max(1) as f64 / 1024.0);
    println!(
        "{} marks in {} files, {:.1} MB: {:.2} per MB, {microseconds:.1} µs/KiB",
        seen.marks,
        seen.files,
        seen.bytes as f64 / 1e6,
        seen.marks as f64 * 1e6 / seen.bytes.max(1) as f64,
    );
}

fn file(path: &Path, redactor: &Redactor, is_error: bool, seen: &mut Seen) {
    let Ok(text) = fs::read_to_string(path) else { return };
    seen.files += 1;
    seen.bytes += text.len();
    let before = std::time::Instant::now();
    let masked = if is_error { redactor.error(&text) } else { redactor.success(&text) };
    seen.nanoseconds += before.elapsed().as_nanos();
    let Cow::Owned(masked) = masked else { return };
    // What is the same on both sides of a mark leads from one text to the other.
    let (mut old, mut new) = (text.as_str(), masked.as_str());
    while let Some(place) = difference(old, new) {
        let (shared, _) = old.split_at(place);
        let from = shared.floor_char_boundary(shared.len().saturating_sub(AROUND));
        let after = new.get(place..).unwrap_or_default();
        let mark = after.find(']').map_or(after.len(), |end| end + 1);
        let mark_text = after.get(..mark).unwrap_or_default();
        let rest = after.get(mark..).unwrap_or_default();
        let anchor_end = rest.floor_char_boundary(rest.len().min(12));
        let anchor = rest.get(..anchor_end).unwrap_or_default();
        let old_rest = old.get(place..).unwrap_or_default();
        let skipped = if anchor.is_empty() {
            old_rest.len()
        } else {
            old_rest.find(anchor).unwrap_or(old_rest.len())
        };
        let value = old_rest.get(..skipped).unwrap_or_default();
        let value =
            value.get(..value.floor_char_boundary(value.len().min(160))).unwrap_or_default();
        seen.marks += 1;
        println!(
            "{}\n    {:?} {mark_text} <{value:?}> {anchor:?}",
            path.display(),
            shared.get(from..).unwrap_or_default(),
        );
        old = old_rest.get(skipped..).unwrap_or_default();
        new = rest;
    }
}

/// Where two texts first differ.
fn difference(old: &str, new: &str) -> Option<usize> {
    let place = old.bytes().zip(new.bytes()).position(|(old, new)| old != new);
    let place = place.or((old.len() != new.len()).then_some(old.len().min(new.len())))?;
    // A mark and the value may begin with the same letter.
    let back = old.floor_char_boundary(place);
    let opening = new.get(..back.min(new.len()))?.rfind('[').filter(|at| back - at < 10);
    Some(match opening {
        Some(opening) if new.get(opening..)?.starts_with("[redacted:") => opening,
        _ => back,
    })
}

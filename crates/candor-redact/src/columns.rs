//! Tables whose head names a secret: the cells below it.

use crate::bytes::{is_quote, part};
use crate::finding::Certainty;
use crate::keys::{Sense, sense};
use crate::scan::Scan;
use crate::value::{Setting, is_secret};

const LONGEST_HEAD: usize = 1024;
const MOST_CELLS: usize = 32;
const MOST_ROWS: usize = 100_000;

/// Looks for heads of tables: short lines with separators, in which one cell is a sensitive name.
pub(crate) fn look(scan: &mut Scan<'_>) {
    let text = scan.text;
    if !has_name(scan) {
        return;
    }
    let mut start = 0;
    while start < text.len() {
        let end = memchr::memchr(b'\n', part(text, start, text.len()))
            .map_or(text.len(), |at| start + at);
        let line = part(text, start, end);
        start = end + 1;
        if line.len() > LONGEST_HEAD || line.len() < 5 {
            continue;
        }
        if !scan.effort.spend(line.len()) {
            return scan.effort.cut(start);
        }
        let Some((separator, columns)) = head(line) else { continue };
        start = rows(scan, start, separator, &columns);
    }
}

/// Did any sensitive word stand in the text? Then a table may have it in its head.
fn has_name(scan: &Scan<'_>) -> bool {
    scan.named_until > 0
}

type Columns = Vec<(usize, Sense)>;

/// How the cells are separated, and which hold secrets.
fn head(line: &[u8]) -> Option<(u8, Columns)> {
    let separator = [b'|', b'\t', b',', b';'].into_iter().find(|sign| line.contains(sign))?;
    let is_cell = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-' | b' ' | b'.' | b'"' | b'\'' | b'\r' | b'(' | b')')
    };
    let mut cells = line.split(|byte| *byte == separator);
    if !cells.clone().all(|cell| cell.len() < 48 && cell.iter().all(is_cell)) {
        return None;
    }
    let first = cells.clone().next()?;
    if separator != b'|' && first.trim_ascii().is_empty() || cells.clone().count() > MOST_CELLS {
        return None;
    }
    let columns: Columns = cells
        .by_ref()
        .enumerate()
        .filter_map(|(place, cell)| Some((place, sense(bare(cell))?)))
        .filter(|(_, sense)| !matches!(sense, Sense::Auth | Sense::Code))
        .collect();
    (!columns.is_empty()).then_some((separator, columns))
}

fn bare(cell: &[u8]) -> &[u8] {
    let cell = cell.trim_ascii();
    let quoted = cell.len() >= 2
        && cell.first().is_some_and(|first| is_quote(*first) && cell.last() == Some(first));
    if quoted { part(cell, 1, cell.len() - 1) } else { cell }
}

/// Masks the cells of the rows below. Gives where the table ends.
fn rows(scan: &mut Scan<'_>, from: usize, separator: u8, columns: &Columns) -> usize {
    let text = scan.text;
    let mut start = from;
    for _ in 0..MOST_ROWS {
        let end = memchr::memchr(b'\n', part(text, start, text.len()))
            .map_or(text.len(), |at| start + at);
        let line = part(text, start, end);
        if !scan.effort.spend(line.len() * (columns.len() + 1)) {
            scan.effort.cut(start);
            return text.len();
        }
        let is_rule =
            line.iter().all(|byte| matches!(byte, b'-' | b'+' | b'|' | b':' | b' ' | b'=' | b'\r'));
        if is_rule && !line.trim_ascii().is_empty() {
            start = end + 1;
            continue;
        }
        if !line.contains(&separator) {
            return start;
        }
        let mut place = start;
        let mut number = 0;
        while place <= end {
            let to = cell_end(text, place, end, separator);
            if let Some((_, sense)) = columns.iter().find(|(column, _)| *column == number) {
                let cell = bare(part(text, place, to));
                let lead = part(text, place, to)
                    .windows(cell.len().max(1))
                    .position(|window| window == cell);
                let from = place + lead.unwrap_or_default();
                if is_secret(cell, *sense, Setting::Tight) && !cell.contains(&b'(') {
                    scan.mark(from, from + cell.len(), sense.kind(), Certainty::Named);
                }
            }
            place = to + 1;
            number += 1;
        }
        start = end + 1;
        if start >= text.len() {
            break;
        }
    }
    start
}

fn cell_end(text: &[u8], start: usize, end: usize, separator: u8) -> usize {
    let is_quoted = text.get(start) == Some(&b'"');
    let from = if is_quoted {
        part(text, start + 1, end)
            .iter()
            .position(|byte| *byte == b'"')
            .map_or(start, |at| start + at + 2)
    } else {
        start
    };
    part(text, from, end).iter().position(|byte| *byte == separator).map_or(end, |at| from + at)
}

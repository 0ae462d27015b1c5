//! Tables whose head names a secret: the cells below it.

use memchr::memchr;

use crate::bytes::{is_blank, is_quote, part};
use crate::finding::Certainty;
use crate::keys::{Sense, sense};
use crate::scan::Scan;
use crate::value::{Setting, is_secret};

const LONGEST_HEAD: usize = 1024;
const MOST_CELLS: usize = 32;
const SHORTEST_HEAD: usize = 5;

/// Looks for heads of tables: short lines with separators, in which one cell is a sensitive name.
pub(crate) fn look(scan: &mut Scan<'_>) {
    let text = scan.text;
    if !has_name(scan) {
        return;
    }
    let mut start = 0;
    while start < text.len() {
        let end = line_end(text, start);
        let line = part(text, start, end);
        if !scan.effort.spend(line.len()) {
            return scan.effort.cut(start);
        }
        start = end + 1;
        if line.len() > LONGEST_HEAD || line.len() < SHORTEST_HEAD {
            continue;
        }
        let next = part(text, start, line_end(text, start).min(start + LONGEST_HEAD));
        if let Some(head) = head(line, next) {
            start = rows(scan, start, &head);
        }
    }
}

fn line_end(text: &[u8], start: usize) -> usize {
    memchr(b'\n', part(text, start, text.len())).map_or(text.len(), |end| start + end)
}

/// Did any sensitive word stand in the text? Then a table may have it in its head.
fn has_name(scan: &Scan<'_>) -> bool {
    scan.named_until > 0
}

type Columns = Vec<(usize, Sense)>;

/// How the cells are separated, how many there are, and which of them hold secrets.
struct Head {
    separator: u8,
    count: usize,
    columns: Columns,
}

/// A head has nothing but names in it, and what follows it has as many cells.
fn head(line: &[u8], next: &[u8]) -> Option<Head> {
    // A text that stands in quotes as a whole begins and ends with them.
    let line = line.trim_ascii_end();
    let line = if line.starts_with(b"\"") && line.iter().skip(1).all(|byte| *byte != b'"') {
        part(line, 1, line.len())
    } else {
        line
    };
    let separator = [b'|', b'\t', b',', b';'].into_iter().find(|sign| line.contains(sign))?;
    let is_name = |cell: &[u8]| {
        let cell = bare(cell);
        cell.len() < 40
            && cell.first().is_some_and(u8::is_ascii_alphabetic)
            && cell.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_- .".contains(byte))
    };
    // Only tables in frames have an empty cell at their edges.
    let framed = line.starts_with(b"|") && line.ends_with(b"|") && line.len() > 2;
    let cells = if framed { part(line, 1, line.len() - 1) } else { line };
    if is_blank(line.first().copied().unwrap_or_default()) && !line.contains(&b'|')
        || !cells.split(|byte| *byte == separator).all(is_name)
    {
        return None;
    }
    let count = line.split(|byte| *byte == separator).count();
    let is_followed = next.split(|byte| *byte == separator).count() == count
        || separator == b'|' && is_rule(next);
    let columns: Columns = line
        .split(|byte| *byte == separator)
        .enumerate()
        .filter_map(|(place, cell)| Some((place, sense(bare(cell))?)))
        .filter(|(_, sense)| !matches!(sense, Sense::Auth | Sense::Code | Sense::Signature))
        .collect();
    let is_table = is_followed && !columns.is_empty() && (2..=MOST_CELLS).contains(&count);
    is_table.then_some(Head { separator, count, columns })
}

/// The line between a head and its rows.
fn is_rule(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.len() > 2 && line.iter().all(|byte| b"-+|: =".contains(byte))
}

fn bare(cell: &[u8]) -> &[u8] {
    let cell = cell.trim_ascii();
    let quoted = cell.len() >= 2
        && cell.first().is_some_and(|first| is_quote(*first) && cell.last() == Some(first));
    if quoted { part(cell, 1, cell.len() - 1) } else { cell }
}

/// Masks the cells of the rows below. Gives where the table ends.
fn rows(scan: &mut Scan<'_>, from: usize, head: &Head) -> usize {
    let text = scan.text;
    let mut start = from;
    while start < text.len() {
        let end = line_end(text, start);
        let line = part(text, start, end);
        if !scan.effort.spend(line.len() * (head.columns.len() + 1)) {
            scan.effort.cut(start);
            return text.len();
        }
        if !is_rule(line) {
            let mut place = start;
            let mut number = 0;
            let first = scan.found.len();
            while place <= end {
                let to = cell_end(text, place, end, head.separator);
                if let Some((_, sense)) = head.columns.iter().find(|(column, _)| *column == number)
                {
                    cell(scan, place, to, *sense);
                }
                place = to + 1;
                number += 1;
            }
            if number != head.count {
                // It was no row of this table.
                scan.found.truncate(first);
                return start;
            }
        }
        start = end + 1;
    }
    start
}

fn cell(scan: &mut Scan<'_>, start: usize, end: usize, sense: Sense) {
    let whole = part(scan.text, start, end);
    let value = bare(whole);
    let lead = whole.len() - whole.trim_ascii_start().len();
    let from = start + lead + usize::from(value.len() < whole.trim_ascii().len());
    if is_secret(value, sense, Setting::Tight) && !value.contains(&b'(') && !value.ends_with(b";") {
        scan.mark(from, from + value.len(), sense.kind(), Certainty::Named);
    }
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

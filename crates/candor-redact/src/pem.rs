//! Private keys in their frames: PEM, OpenSSH, PGP, `PuTTY`.

use memchr::memmem;

use crate::bytes::{line_end, part, run};
use crate::finding::Certainty;
use crate::scan::Scan;

pub(crate) const ANCHORS: &[&str] =
    &["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "PRIVATE KEY ----", "Private-Lines:"];

const LONGEST_FRAME: usize = 64;
const LONGEST: usize = 1 << 15;

/// From the frame's beginning to its end, or as far as the key goes on.
pub(crate) fn look(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    if part(text, start, end).ends_with(b":") {
        return putty(scan, end);
    }
    let from = start.saturating_sub(LONGEST_FRAME);
    let head = part(text, from, start);
    let Some(begin) = memmem::rfind(head, b"BEGIN ") else { return };
    let opening = from + begin;
    let is_frame =
        text.get(..opening).is_some_and(|before| before.trim_ascii_end().ends_with(b"----"));
    if !is_frame || head.get(begin..).is_some_and(|head| head.contains(&b'\n')) {
        return;
    }
    let dashes = text.get(..opening).unwrap_or_default().trim_ascii_end();
    let dashes = dashes.iter().rev().take_while(|byte| **byte == b'-').count();
    let blanks = usize::from(text.get(opening - 1) == Some(&b' '));
    let first = opening - dashes.min(opening) - blanks;
    let window = part(text, end, end + LONGEST);
    let closing = memmem::find(window, b"----END").or_else(|| memmem::find(window, b"---- END"));
    let next = memmem::find(window, b"-BEGIN");
    let closed = closing.filter(|closing| next.is_none_or(|next| *closing < next));
    let to = match closed {
        Some(closing) => {
            let frame = end + closing + 4;
            let words = run(text, frame, LONGEST_FRAME, |byte| {
                byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' '
            });
            run(text, words, 5, |byte| byte == b'-')
        }
        None => body_end(text, end),
    };
    if !scan.effort.spend(to - first) {
        return scan.effort.cut(first);
    }
    // A frame around nothing, as in the texts of programs that look for one.
    let letters = part(text, end, to).iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    if letters >= 40 {
        scan.mark(first, to, "private-key", Certainty::SelfEvident);
    }
}

/// Base64 with its line breaks, as they are or escaped, and the headers of older keys.
fn body_end(text: &[u8], from: usize) -> usize {
    let mut to = from;
    while to < text.len() && to - from < LONGEST {
        let end = line_end(text, to, LONGEST);
        let line = part(text, to, end).trim_ascii();
        let is_header = line.starts_with(b"Proc-Type:") || line.starts_with(b"DEK-Info:");
        let belongs =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\\');
        if !is_header && !line.iter().all(belongs) {
            return to + line.iter().take_while(|byte| belongs(byte)).count();
        }
        to = end + 1;
    }
    to.min(text.len())
}

/// The lines that follow, as many as it says.
fn putty(scan: &mut Scan<'_>, from: usize) {
    let text = scan.text;
    let first = line_end(text, from, LONGEST_FRAME);
    let count = std::str::from_utf8(part(text, from, first)).ok();
    let Some(count) = count.and_then(|count| count.trim().parse::<usize>().ok()) else { return };
    let mut to = first;
    for _ in 0..count.min(200) {
        to = line_end(text, to + 1, LONGEST_FRAME * 2);
    }
    if !scan.effort.spend(to - from) {
        return scan.effort.cut(from);
    }
    scan.mark(first + 1, to.min(text.len()), "private-key", Certainty::SelfEvident);
}

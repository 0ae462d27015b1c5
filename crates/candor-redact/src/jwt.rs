//! JSON Web Tokens: three parts of base64, of which the first is a header that names an algorithm.

use memchr::{memchr_iter, memmem};

use crate::bytes::{at, before, is_web, part, run};
use crate::checks::base64;
use crate::finding::Certainty;
use crate::scan::Scan;

/// `{"` and `{ "` in base64, as far as they do not depend on what follows.
pub(crate) const ANCHORS: &[&str] = &["eyJ", "ewog", "eyAi"];

const LONGEST: usize = 1 << 16;
const LONGEST_HEADER: usize = 4096;

pub(crate) fn look(scan: &mut Scan<'_>, start: usize, _: usize) {
    let text = scan.text;
    if is_web(before(text, start)) && start > 0 {
        return;
    }
    let header = run(text, start, LONGEST_HEADER, is_web);
    if !scan.effort.spend(header - start) {
        return scan.effort.cut(start);
    }
    if at(text, header) != b'.' || !is_web(at(text, header + 1)) || header - start < 12 {
        return;
    }
    let Some(head) = base64(part(text, start, header)) else { return };
    if memmem::find(&head, b"\"alg\"").is_none() {
        return;
    }
    let end = run(text, header, LONGEST, |byte| is_web(byte) || byte == b'.');
    // A full stop that ends a sentence is no part of it, but the one before no signature is.
    let whole = part(text, start, end);
    let is_unsigned = memchr_iter(b'.', whole).count() == 2;
    let trailing = whole.iter().rev().take_while(|byte| **byte == b'.').count();
    let end = if is_unsigned { end } else { end - trailing };
    if !scan.effort.spend(end - header) {
        return scan.effort.cut(start);
    }
    scan.mark(start, end, "jwt", Certainty::SelfEvident);
}

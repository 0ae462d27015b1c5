//! Names of classes with all that they are nested in: the message stays, or the last name.

use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::bytes::{at, before, is_word, part};
use crate::scan::Scan;

static CHAINS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?-u)(?:(?:[A-Za-z_]\w*\.){2,}[A-Z]\w*(?:[$.][A-Z]\w*)*",
        r"|(?:[A-Za-z_]\w*\.)+[A-Z]\w*(?:Error|Exception|Warning|Fault|Failure|Timeout|Interrupt|Exit)",
        r"|(?:[A-Z]\w*::)+[A-Z]\w*|\\?(?:[A-Z]\w*\\){1,}[A-Z]\w*)",
    ))
    .ok()
});

pub(super) fn look(scan: &mut Scan<'_>) {
    let text = scan.text;
    if !scan.effort.spend(text.len()) {
        return scan.effort.cut(0);
    }
    let Some(chains) = &*CHAINS else { return scan.effort.cut(0) };
    for found in chains.find_iter(text) {
        let (start, end) = (found.start(), found.end());
        let previous = before(text, start);
        if is_word(previous)
            || matches!(previous, b'.' | b'/' | b':' | b'\\' | b'@' | b'-')
            || matches!(at(text, end), b'/' | b'@' | b'(')
        {
            continue;
        }
        let is_told = at(text, end) == b':'
            && at(text, end + 1) == b' '
            && !part(text, end + 2, end + 3).iter().all(u8::is_ascii_whitespace);
        let is_set_off = previous == b'(' && at(text, end) == b')';
        if is_set_off {
            let to = end + 1 + usize::from(at(text, end + 1) == b' ');
            super::keep(scan, (start - 1, to), (to, to));
        } else if is_told {
            super::keep(scan, (start, end + 2), (end + 2, end + 2));
        } else {
            let last = found.as_bytes().iter().rposition(|byte| !is_word(*byte));
            super::keep(scan, (start, end), (last.map_or(start, |last| start + last + 1), end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_is_one() {
        assert!(CHAINS.is_some());
    }
}

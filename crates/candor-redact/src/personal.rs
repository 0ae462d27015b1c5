//! What points to a person, if asked for: e-mail addresses, telephone numbers, cards, accounts.

use memchr::memchr_iter;

use crate::bytes::{at, before, is_word, part, run, run_back};
use crate::checks::{luhn, mod97};
use crate::finding::Certainty;
use crate::scan::Scan;

pub(crate) fn look(scan: &mut Scan<'_>) {
    scan.effort.sweep(scan.text.len());
    let text = scan.text;
    for sign in memchr_iter(b'@', text) {
        if !scan.effort.spend(16) {
            return scan.effort.cut(sign);
        }
        email(scan, sign);
    }
    let mut place = 0;
    while place < text.len() {
        let next = run(text, place, text.len(), |byte| !byte.is_ascii_digit());
        if next >= text.len() {
            return;
        }
        let end = number(scan, next);
        if !scan.effort.spend(end - next + 40) {
            return scan.effort.cut(next);
        }
        place = end.max(next + 1);
    }
}

fn email(scan: &mut Scan<'_>, sign: usize) {
    let text = scan.text;
    let is_local = |byte: u8| is_word(byte) || matches!(byte, b'.' | b'%' | b'+' | b'-');
    let start = run_back(text, sign, 64, is_local);
    let end = run(text, sign + 1, 255, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
    });
    let end = run_back(text, end, 2, |byte| matches!(byte, b'.' | b'-'));
    let domain = part(text, sign + 1, end);
    let last = domain.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_domain =
        domain.contains(&b'.') && last.len() >= 2 && last.iter().all(u8::is_ascii_alphabetic);
    // `git@host:path` and `scheme://user@host` are addresses of machines.
    let is_machine = matches!(before(text, start), b'/' | b':')
        || at(text, end) == b':' && at(text, end + 1) != b' ';
    if start < sign && is_domain && !is_machine {
        scan.mark(start, end, "email", Certainty::Internal);
    }
}

/// A number of some kind that begins here. Gives where to go on.
fn number(scan: &mut Scan<'_>, start: usize) -> usize {
    let text = scan.text;
    let previous = before(text, start);
    let belongs =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b' ' | b'-' | b'(' | b')' | b'.');
    let mut end = run(text, start, 40, belongs);
    while end > start && !before(text, end).is_ascii_digit() {
        end -= 1;
    }
    let account = account(text, start);
    if let Some((from, to)) = account {
        scan.mark(from, to, "bank-account", Certainty::Internal);
        return to;
    }
    if is_word(previous)
        || is_word(at(text, end))
        || matches!(previous, b'.' | b'-' | b'/' | b'#' | b'$')
    {
        return end;
    }
    let digits: Vec<u8> =
        part(text, start, end).iter().copied().filter(u8::is_ascii_digit).collect();
    let groups = part(text, start, end).split(|byte| !byte.is_ascii_digit());
    let lengths: Vec<usize> = groups.map(<[u8]>::len).filter(|length| *length > 0).collect();
    let is_grouped =
        matches!(lengths.as_slice(), [13..=19] | [4, 4, 4, 4] | [4, 6, 5] | [4, 4, 4, 4, 3]);
    let is_issued = matches!(digits.first(), Some(b'2'..=b'6'));
    if is_grouped
        && is_issued
        && luhn(&digits)
        && digits.iter().any(|digit| Some(digit) != digits.first())
    {
        scan.mark(start, end, "card-number", Certainty::Internal);
        return end;
    }
    let opens = previous == b'(' && lengths == [3, 3, 4];
    let is_national = lengths == [3, 3, 4]
        && !part(text, start, end).contains(&b' ')
        && !part(text, start, end).contains(&b'.')
        || opens;
    let is_international =
        previous == b'+' && (8..=15).contains(&digits.len()) && digits.first() != Some(&b'0');
    if is_international || is_national {
        let from = start - usize::from(is_international || opens);
        scan.mark(from, end, "phone", Certainty::Internal);
    }
    end
}

/// Two letters, two digits that check, and up to thirty more, in groups of four perhaps.
fn account(text: &[u8], digits: usize) -> Option<(usize, usize)> {
    let start = digits.checked_sub(2)?;
    let country = part(text, start, digits);
    let is_start = country.iter().all(u8::is_ascii_uppercase) && !is_word(before(text, start));
    if !is_start || !at(text, digits + 1).is_ascii_digit() {
        return None;
    }
    let belongs = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' ';
    let end = run(text, digits, 42, belongs);
    // Words in capitals may follow: try the longest that checks.
    let mut to = end;
    while to > start + 14 {
        let iban: Vec<u8> =
            part(text, start, to).iter().copied().filter(|byte| *byte != b' ').collect();
        let is_length = (15..=34).contains(&iban.len()) && before(text, to) != b' ';
        if is_length && !is_word(at(text, to)) && mod97(&iban) {
            return Some((start, to));
        }
        to -= 1;
    }
    None
}

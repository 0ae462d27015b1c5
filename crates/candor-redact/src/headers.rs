//! HTTP headers that carry a login: schemes with what follows them, and cookies.

use crate::bytes::{at, before, contains, is_blank, is_web, is_word, line_end, part, run};
use crate::checks::base64;
use crate::finding::Certainty;
use crate::randomness::Makeup;
use crate::scan::Scan;
use crate::standins::{is_common, is_placeholder};

pub(crate) const SCHEMES: &[&str] = &["bearer ", "bearer%20", "basic "];
pub(crate) const COOKIES: &[&str] =
    &["cookie:", "cookie\":", "cookie\", \"", "cookie': '", "cookie=\""];

const LONGEST: usize = 1 << 14;

const fn is_token(byte: u8) -> bool {
    is_web(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'=' | b':' | b'|')
}

/// `Bearer …` and `Basic …`, wherever they stand.
pub(crate) fn scheme(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    if is_word(before(text, start)) {
        return;
    }
    let from = run(text, end, 4, is_blank);
    let mut to = run(text, from, LONGEST, is_token);
    if !scan.effort.spend(to - from + 8) {
        return scan.effort.cut(start);
    }
    while to > from && matches!(at(text, to - 1), b'.' | b':' | b'|') {
        to -= 1;
    }
    let value = part(text, from, to);
    if value.len() < 6 || is_placeholder(value) {
        return;
    }
    let makeup = Makeup::of(value);
    if part(text, start, end).eq_ignore_ascii_case(b"basic ") {
        let decoded = base64(value).filter(|decoded| {
            decoded.contains(&b':') && decoded.iter().all(|byte| (b' '..=b'~').contains(byte))
        });
        let Some(decoded) = decoded else { return };
        let mut halves = decoded.splitn(2, |byte| *byte == b':');
        let (user, password) = (halves.next(), halves.next());
        let is_stand_in = password.is_some_and(is_placeholder)
            || user.is_some_and(is_common) && password.is_some_and(is_common);
        if !is_stand_in {
            scan.mark(from, to, "basic-auth", Certainty::Placed);
        }
        return;
    }
    // A word after "bearer" is prose; a token is long, or holds digits.
    let is_token = value.len() >= 8 && makeup.digits > 0 && makeup.letters() > 0 && !is_name(value)
        || value.len() >= 20 && makeup.is_random()
        || value.len() >= 24 && makeup.joints < 2;
    if is_token {
        scan.mark(from, to, "bearer-token", Certainty::Placed);
    }
}

/// `RFC6750`, `oauth2`: words with a number.
fn is_name(value: &[u8]) -> bool {
    let letters = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    part(value, letters, value.len()).iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
        && value.len() < 12
}

/// `Cookie: a=b; c=d` and `Set-Cookie: a=b; Path=/`.
pub(crate) fn cookies(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    let is_header = !is_word(before(text, start));
    if !is_header || start < scan.cookies_until {
        return;
    }
    let quoted = run(text, end, 4, |byte| is_blank(byte) || matches!(byte, b'"' | b'\''));
    let limit = line_end(text, quoted, LONGEST);
    let limit = run(text, quoted, limit - quoted, |byte| !matches!(byte, b'"' | b'\''));
    if !scan.effort.spend(limit - end) {
        return scan.effort.cut(end);
    }
    scan.cookies_until = limit;
    let mut place = quoted;
    while place < limit {
        let to = run(text, place, limit - place, |byte| !matches!(byte, b';' | b'\\'));
        let pair = part(text, place, to);
        if let Some(sign) = pair.iter().position(|byte| *byte == b'=') {
            let (name, from) = (part(pair, 0, sign).trim_ascii(), place + sign + 1);
            let value = part(text, from, to);
            if is_session(name, value) {
                let to = from + value.trim_ascii_end().len();
                scan.mark(from, to, "cookie", Certainty::Placed);
            }
        }
        place = to + 1;
    }
}

fn is_session(name: &[u8], value: &[u8]) -> bool {
    const SETTINGS: &[&[u8]] = &[
        b"path",
        b"domain",
        b"expires",
        b"max-age",
        b"samesite",
        b"priority",
        b"lang",
        b"locale",
        b"theme",
        b"timezone",
        b"tz",
        b"currency",
        b"consent",
    ];
    const LOGINS: &[&[u8]] = &[
        b"sess",
        b"sid",
        b"auth",
        b"token",
        b"jwt",
        b"csrf",
        b"xsrf",
        b"login",
        b"remember",
        b"secret",
        b"key",
        b"pass",
        b"user",
    ];
    let makeup = Makeup::of(value);
    let is_setting = SETTINGS.iter().any(|word| name.eq_ignore_ascii_case(word));
    let is_login = LOGINS.iter().any(|word| contains(name, word));
    !is_setting
        && !is_placeholder(value)
        && !is_common(value)
        && (is_login && value.len() >= 6 && (makeup.digits > 0 || makeup.is_random())
            || makeup.is_random()
            || value.len() >= 12 && makeup.is_mixed())
}

//! URLs that carry a credential before their host, and logins written like one.

use crate::bytes::{at, is_web, is_word, part, run, run_back};
use crate::finding::Certainty;
use crate::randomness::{Makeup, is_made_up};
use crate::scan::Scan;
use crate::standins::{is_common, is_placeholder};

pub(crate) const ANCHORS: &[&str] = &["://", "@tcp(", "@unix(", "@"];

/// Shorter ones are what tests of parsers hold.
const SHORTEST: usize = 3;
const LONGEST: usize = 1024;
const LONGEST_HOST: usize = 255;

pub(crate) fn look(scan: &mut Scan<'_>, start: usize, end: usize) {
    match at(scan.text, start) {
        b':' => authority(scan, start, end),
        _ if end - start > 1 => data_source(scan, start),
        _ => login(scan, start, end),
    }
}

/// `scheme://user:password@host`.
fn authority(scan: &mut Scan<'_>, start: usize, from: usize) {
    let text = scan.text;
    if !at(text, start.saturating_sub(1)).is_ascii_alphanumeric() {
        return;
    }
    let belongs = |byte: u8| {
        byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b'\\')
            || byte >= 0x80
    };
    let whole = run(text, from, LONGEST, belongs);
    // Most URLs have none. Look at the authority first.
    let near =
        run(text, from, LONGEST, |byte| belongs(byte) && !matches!(byte, b'/' | b'?' | b'#'));
    if !scan.effort.spend(near - from + 1) {
        return scan.effort.cut(start);
    }
    let authority = part(text, from, near);
    let end = match authority.iter().rposition(|byte| *byte == b'@') {
        Some(at) => from + at,
        // A password may hold a slash that nobody escaped.
        None if authority.contains(&b':') => {
            let Some(end) = late_end(scan, from, near, whole) else { return };
            end
        }
        None => return,
    };
    let info = part(text, from, end);
    let colon = info.iter().position(|byte| *byte == b':');
    let (secret, user) = match colon {
        Some(colon) => (from + colon + 1, part(text, from, from + colon)),
        None => (from, &[][..]),
    };
    let value = part(text, secret, end);
    let host =
        part(text, end + 1, run(text, end + 1, LONGEST_HOST, |byte| is_web(byte) || byte == b'.'));
    if value.len() < SHORTEST
        || is_placeholder(value)
        || is_common(value) && is_stand_in(user, host)
    {
        return;
    }
    if colon.is_none() {
        // The public half of an address that a browser sends to.
        let is_public = crate::bytes::contains(host, b"sentry") || host.starts_with(b"ingest");
        if is_public || !Makeup::of(value).is_random() || is_made_up(value) {
            return;
        }
    }
    scan.mark(secret, end, "url-password", Certainty::Placed);
}

/// The end of a password with slashes: the last `@` that a host follows.
fn late_end(scan: &mut Scan<'_>, from: usize, near: usize, whole: usize) -> Option<usize> {
    let text = scan.text;
    if !scan.effort.spend(whole - near) {
        scan.effort.cut(from);
        return None;
    }
    let colon = from + part(text, from, near).iter().position(|byte| *byte == b':')?;
    let is_port = part(text, colon + 1, near).iter().all(u8::is_ascii_digit);
    let sign = near + part(text, near, whole).iter().rposition(|byte| *byte == b'@')?;
    let host = run(text, sign + 1, LONGEST_HOST, |byte| is_web(byte) || byte == b'.');
    let ends = matches!(at(text, host), b':' | b'/' | 0) || host == whole;
    (!is_port && host > sign + 1 && ends).then_some(sign)
}

/// `user:password@tcp(host:3306)/name`, as Go writes it.
fn data_source(scan: &mut Scan<'_>, sign: usize) {
    let text = scan.text;
    let belongs = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`');
    let start = run_back(text, sign, 256, belongs);
    if !scan.effort.spend(sign - start) {
        return scan.effort.cut(start);
    }
    let Some(colon) = part(text, start, sign).iter().position(|byte| *byte == b':') else { return };
    let value = part(text, start + colon + 1, sign);
    if !value.is_empty() && !is_placeholder(value) && !value.starts_with(b"//") {
        scan.mark(start + colon + 1, sign, "password", Certainty::Placed);
    }
}

/// `user:password@host` and `user/password@host` without a scheme: only if the password was drawn.
fn login(scan: &mut Scan<'_>, sign: usize, from: usize) {
    let text = scan.text;
    if !at(text, from).is_ascii_alphanumeric() {
        return;
    }
    let belongs = |byte: u8| {
        byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'(' | b',' | b'=')
    };
    let start = run_back(text, sign, 128, belongs);
    let start = run(text, start, 2, |byte| byte == b'/');
    if !scan.effort.spend(sign - start) {
        return scan.effort.cut(start);
    }
    let info = part(text, start, sign);
    let Some(colon) = info.iter().position(|byte| matches!(byte, b':' | b'/')) else { return };
    let (user, value) = (part(info, 0, colon), part(info, colon + 1, info.len()));
    let is_user = (2..=32).contains(&user.len())
        && user.first().is_some_and(u8::is_ascii_alphabetic)
        && user.iter().all(|byte| is_word(*byte) || *byte == b'-');
    let host_end = run(text, from, LONGEST_HOST, |byte| is_web(byte) || byte == b'.');
    let host = part(text, from, host_end);
    let is_host = host == b"localhost"
        || host.contains(&b'.')
            && host
                .rsplit(|byte| *byte == b'.')
                .next()
                .is_some_and(|last| last.len() >= 2 && last.iter().all(u8::is_ascii_alphabetic))
        || at(text, host_end) == b':' && at(text, host_end + 1).is_ascii_digit();
    let makeup = Makeup::of(value);
    let is_value = (makeup.is_mixed() || makeup.signs > 0 && makeup.is_gibberish())
        && !value.contains(&b'/')
        && !value.contains(&b'@')
        && !is_placeholder(value);
    if is_user && is_host && is_value {
        scan.mark(start + colon + 1, sign, "password", Certainty::Placed);
    }
}

/// `postgres:postgres@localhost`, `user:password@host`: what examples hold.
fn is_stand_in(user: &[u8], host: &[u8]) -> bool {
    is_common(user)
        || user.is_empty()
        || [&b"localhost"[..], b"127.0.0.1", b"host", b"hostname", b"db"].contains(&host)
        || crate::bytes::contains(host, b"example")
}

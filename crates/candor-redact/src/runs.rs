//! Long runs of letters and digits: what is encoded in them, and what they are by themselves.

use memchr::memmem;

use crate::bytes::{at, is_blank, is_web, part, run, run_back};
use crate::checks::{base62_crc32, base64, hex};
use crate::finding::{Certainty, Cure, Finding, identity};
use crate::randomness::{Makeup, is_made_up};
use crate::scan::Scan;

/// Shorter runs hold nothing that is worth decoding.
const SHORTEST: usize = 20;
const LONGEST: usize = 1 << 17;

const fn belongs(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'_' | b'-')
}

/// Looks at every long run. A byte that belongs to none lets us skip all windows that hold it.
pub(crate) fn look(scan: &mut Scan<'_>) {
    let text = scan.text;
    let mut from = 0;
    while from + SHORTEST <= text.len() {
        let start = run_back(text, from + SHORTEST, SHORTEST, belongs);
        if start > from {
            from = start;
            continue;
        }
        let end = run(text, start, LONGEST, belongs);
        if !scan.effort.spend(end - start) {
            return scan.effort.cut(start);
        }
        from = one(scan, start, end).max(end);
    }
}

/// One run. Gives where to go on.
fn one(scan: &mut Scan<'_>, start: usize, end: usize) -> usize {
    let text = scan.text;
    let value = part(text, start, end);
    let mut place = start;
    for value in value.split(|byte| *byte == b'/') {
        if value.len() >= SHORTEST && issued(scan, place, value) {
            return end;
        }
        place += value.len() + 1;
    }
    if value.len().is_multiple_of(2)
        && value.len() >= 32
        && value.iter().all(u8::is_ascii_hexdigit)
        && let Some(decoded) = readable(value, hex)
    {
        encoded(scan, start, end, &decoded);
        return end;
    }
    // A path or a name with hyphens holds too few letters between its signs to be base64.
    let end = wrapped(text, start, end);
    let value = part(text, start, end);
    if let Some(decoded) = readable(value, base64) {
        let padded = run(text, end, 2, |byte| byte == b'=');
        encoded(scan, start, padded, &decoded);
    } else if is_private_key(value) {
        let padded = run(text, end, 2, |byte| byte == b'=');
        scan.mark(start, padded, "private-key", Certainty::SelfEvident);
    } else if let Some(known) = scan.known
        && value.len() > 64
        && let Some(decoded) = base64(&unwrapped(value))
    {
        let mut found = Vec::new();
        known.find(&decoded, &mut found);
        if let Some(first) = found.first() {
            scan.found.push(Finding { start, end, ..*first });
        }
    }
    end
}

/// Where base64 ends that was broken into lines of one length.
fn wrapped(text: &[u8], start: usize, end: usize) -> usize {
    let width = end - start;
    let mut end = end;
    if !(60..=128).contains(&width) {
        return end;
    }
    loop {
        let newline = run(text, end, 2, |byte| matches!(byte, b'\r' | b'\n'));
        let next = run(text, newline, 16, is_blank);
        let to = run(text, next, width + 1, belongs);
        if newline == end || to - next > width || to == next {
            return end;
        }
        let is_last = to - next < width;
        let stands_alone = matches!(at(text, to), b'\r' | b'\n' | b'=' | b'"' | b'\'' | 0);
        if is_last && !stands_alone {
            return end;
        }
        end = to;
        if is_last {
            return end;
        }
    }
}

fn unwrapped(value: &[u8]) -> Vec<u8> {
    value.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// What is encoded here, if it is text.
fn readable(value: &[u8], decode: fn(&[u8]) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    // Look at the beginning first: most runs are no text.
    let head: Vec<u8> = value.iter().copied().take(16).collect();
    if !is_text(&decode(&head)?) {
        return None;
    }
    let decoded = decode(&unwrapped(value))?;
    let decoded: Vec<u8> = if at(&decoded, 1) == 0 {
        decoded.into_iter().filter(|byte| *byte != 0).collect()
    } else {
        decoded
    };
    is_text(&decoded).then_some(decoded)
}

fn is_text(bytes: &[u8]) -> bool {
    let is_wide = bytes.len() > 3 && at(bytes, 1) == 0 && at(bytes, 3) == 0;
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t' | 0x80..);
    let high = bytes.iter().filter(|byte| **byte >= 0x80).count();
    is_wide && bytes.iter().step_by(2).all(is_plain)
        || bytes.iter().all(is_plain) && high * 4 <= bytes.len()
}

/// Masks the run if a credential is encoded in it.
fn encoded(scan: &mut Scan<'_>, start: usize, end: usize, decoded: &[u8]) {
    let found = scan.within(decoded, start);
    let credential = found.iter().min_by_key(|finding| finding.certainty);
    if let Some(finding) = credential {
        let certainty = finding.certainty.min(Certainty::Placed);
        let cure = match finding.cure {
            Cure::Keep(..) => return,
            mark @ Cure::Mark(_) => mark,
        };
        let identity = finding.identity;
        scan.found.push(Finding { start, end, cure, certainty, identity });
    } else if is_login(scan.text, start, decoded) {
        let (cure, identity) =
            (Cure::Mark(crate::finding::Label::Kind("basic-auth")), identity(decoded));
        let certainty = Certainty::Placed;
        scan.found.push(Finding { start, end, cure, certainty, identity });
    }
}

/// `user:password`, where something says that one logs in with it.
fn is_login(text: &[u8], start: usize, decoded: &[u8]) -> bool {
    let Some(colon) = decoded.iter().position(|byte| *byte == b':') else { return false };
    let (user, rest) = decoded.split_at(colon);
    let is_user = !user.is_empty()
        && user.iter().all(|byte| is_web(*byte) || matches!(byte, b'.' | b'@' | b'+' | b'$'));
    let is_password = rest.len() >= 4 && rest.iter().all(u8::is_ascii_graphic);
    let near = part(text, start.saturating_sub(24), start);
    let is_called = [&b"auth"[..], b"basic", b"login", b"cred"]
        .iter()
        .any(|word| crate::bytes::contains(near, word));
    is_user && is_password && is_called && !rest.contains(&b'/')
}

/// Tokens whose beginning nobody told us, but which were issued as such things are: words that say
/// what it is, joined to a value that was drawn, or any word joined to one with a checksum.
fn issued(scan: &mut Scan<'_>, start: usize, value: &[u8]) -> bool {
    let Some(joint) = value.iter().rposition(|byte| matches!(byte, b'_' | b'-')) else {
        return false;
    };
    let (prefix, drawn) = value.split_at(joint);
    let drawn = drawn.get(1..).unwrap_or_default();
    let is_prefix =
        (2..=32).contains(&prefix.len()) && prefix.first().is_some_and(u8::is_ascii_alphabetic);
    if !is_prefix {
        return false;
    }
    let checked = drawn.len() == 36 && base62_crc32(drawn);
    let makeup = Makeup::of(drawn);
    let is_drawn = drawn.len() >= 16
        && makeup.is_random()
        && (makeup.digits > 0 || makeup.lower > 0 && makeup.upper > 0)
        && drawn.iter().all(u8::is_ascii_alphanumeric)
        // So many digits of a hash stand in many names.
        && (drawn.len() >= 24 || !drawn.iter().all(u8::is_ascii_hexdigit))
        && !is_made_up(drawn);
    let is_token = checked || is_drawn && says_secret(prefix);
    if !is_token {
        return false;
    }
    let end = start + value.len();
    scan.mark(start, end, "token", Certainty::Placed);
    true
}

/// Do the words before a drawn value say that it is a secret, and none that it is not?
fn says_secret(prefix: &[u8]) -> bool {
    let mut secret = false;
    for word in prefix.split(|byte| matches!(byte, b'_' | b'-')) {
        match word.to_ascii_lowercase().as_slice() {
            b"pk" | b"pub" | b"public" | b"publishable" | b"id" | b"ref" | b"name" | b"hash"
            | b"sha256" | b"sha1" | b"sha512" | b"md5" | b"csrf" | b"page" | b"next"
            | b"cursor" | b"cache" | b"kid" | b"idempotency" => return false,
            b"sk" | b"key" | b"apikey" | b"token" | b"tok" | b"pat" | b"secret" | b"sec"
            | b"live" | b"private" | b"priv" | b"password" | b"pass" | b"pwd" | b"cred"
            | b"creds" | b"credential" | b"auth" | b"oauth" | b"access" | b"refresh"
            | b"bearer" | b"api" | b"rk" | b"ak" | b"sat" | b"bot" | b"admin" | b"svcacct"
            | b"webhook" | b"whsec" | b"apitoken" | b"accesstoken" | b"secretkey" | b"tkn" => {
                secret = true;
            }
            _ => {}
        }
    }
    secret
}

/// A private key without its frame: what ASN.1 puts at its beginning, or the name of its format.
fn is_private_key(value: &[u8]) -> bool {
    if !matches!(at(value, 0), b'M' | b'b') {
        return false;
    }
    let Some(head) = base64(part(value, 0, 64)) else { return false };
    if head.starts_with(b"openssh-key-v1") {
        return true;
    }
    let body = match (at(&head, 0), at(&head, 1)) {
        (0x30, 0x82) => part(&head, 4, head.len()),
        (0x30, 0x81) => part(&head, 3, head.len()),
        (0x30, ..=0x7f) => part(&head, 2, head.len()),
        _ => return false,
    };
    // A version, and then the algorithm, the modulus, or the key itself.
    body.starts_with(&[2, 1, 0, 0x30])
        || body.starts_with(&[2, 1, 0, 2])
        || body.starts_with(&[2, 1, 1, 0x30])
        || body.starts_with(&[2, 1, 1, 4])
        // Encrypted: an algorithm that derives a key from a password.
        || memmem::find(part(body, 0, 24), b"\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0d").is_some()
}

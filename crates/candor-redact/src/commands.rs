//! Command lines and statements that take a password without naming it.

use crate::bytes::{at, before, contains, is_blank, is_quote, is_web, line_start, part, run};
use crate::finding::Certainty;
use crate::randomness::Makeup;
use crate::scan::Scan;
use crate::standins::{is_common, is_placeholder};

const LONGEST: usize = 256;
/// How far back a command may stand that an option belongs to.
const LONGEST_COMMAND: usize = 512;

/// The next word of a command line: where it begins and ends, without its quotes.
fn word(text: &[u8], from: usize) -> (usize, usize) {
    let from = run(text, from, 8, is_blank);
    let quote = at(text, from);
    if is_quote(quote) {
        return (from + 1, run(text, from + 1, LONGEST, |byte| byte != quote && byte != b'\n'));
    }
    let belongs = |byte: u8| {
        byte.is_ascii_graphic() && !is_quote(byte) && !matches!(byte, b';' | b'|' | b'>' | b')')
            || byte >= 0x80
    };
    (from, run(text, from, LONGEST, belongs))
}

/// Is one of these commands on the line, before this place?
fn follows(scan: &mut Scan<'_>, place: usize, commands: &[&[u8]]) -> bool {
    let start = line_start(scan.text, place, LONGEST_COMMAND);
    if !scan.effort.spend((place - start) * 2) {
        scan.effort.cut(start);
        return false;
    }
    let line = part(scan.text, start, place);
    commands.iter().any(|command| memchr::memmem::find(line, command).is_some())
}

fn secret(scan: &mut Scan<'_>, from: usize, to: usize) {
    let value = part(scan.text, from, to);
    if value.len() >= 3 && !is_placeholder(value) {
        scan.mark(from, to, "password", Certainty::Placed);
    }
}

/// `curl -u user:password`.
pub(crate) fn login(scan: &mut Scan<'_>, start: usize, end: usize) {
    let (from, to) = word(scan.text, end);
    let value = part(scan.text, from, to);
    let sign = |sign: u8| value.iter().position(|byte| *byte == sign);
    let Some(colon) = sign(b':').or_else(|| sign(b'%')) else { return };
    let user = part(value, 0, colon);
    let is_user =
        !user.is_empty() && user.iter().all(|byte| is_web(*byte) || b".@\\${}%+/=".contains(byte));
    let password = part(value, colon + 1, value.len());
    let names =
        [&b"curl"[..], b"wget", b"http ", b"https ", b"smbclient", b"rpcclient", b"xh ", b"ab "];
    // The key of some services is the name, and the password stays empty.
    if is_user && password.is_empty() && Makeup::of(user).is_random() {
        if follows(scan, start, &names) {
            secret(scan, from, from + colon);
        }
        return;
    }
    if !is_user || is_common(password) && is_common(user) || password.starts_with(b"//") {
        return;
    }
    let is_number = password.iter().all(u8::is_ascii_digit);
    if !is_number && follows(scan, start, &names) {
        secret(scan, from + colon + 1, to);
    }
}

/// `curl -uuser:password`.
pub(crate) fn login_attached(scan: &mut Scan<'_>, start: usize, end: usize) {
    if at(scan.text, end).is_ascii_alphanumeric() || is_quote(at(scan.text, end)) {
        login(scan, start, end);
    }
}

/// `mysql -pVALUE`, `sshpass -p VALUE`, `docker login -p VALUE`.
pub(crate) fn password_option(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    let next = at(text, end);
    if !is_blank(next) {
        let clients = [&b"mysql"[..], b"mariadb", b"sshpass", b"7z"];
        if (next.is_ascii_graphic()) && next != b'-' && follows(scan, start, &clients) {
            let (from, to) = word(text, end);
            let is_option = part(text, from, to).iter().all(u8::is_ascii_lowercase)
                && to - from < 8
                && [&b"assword"[..], b"ort", b"rotocol", b"ager", b"lugin"]
                    .iter()
                    .any(|rest| part(text, from, to).starts_with(rest));
            if !is_option && !part(text, from, to).starts_with(b"assword=") {
                secret(scan, from, to);
            }
        }
        return;
    }
    let clients = [
        &b"sshpass"[..],
        b"docker login",
        b"podman login",
        b"mongo",
        b"az login",
        b"helm registry login",
        b"oc login",
        b"ldapsearch",
        b"smbmap",
    ];
    if follows(scan, start, &clients) {
        let (from, to) = word(text, end);
        if !part(text, from, to).starts_with(b"-") {
            secret(scan, from, to);
        }
    }
}

/// `echo VALUE | sudo -S`, `echo VALUE | docker login --password-stdin`.
pub(crate) fn sudo(scan: &mut Scan<'_>, start: usize, _: usize) {
    let line = line_start(scan.text, start, LONGEST);
    let lead = part(scan.text, line, start);
    let Some(echo) = memchr::memmem::rfind(lead, b"echo ") else { return };
    if memchr::memmem::find(part(lead, echo, lead.len()), b"|").is_none()
        && at(scan.text, start) != b'|'
    {
        return;
    }
    let (from, to) = word(scan.text, line + echo + 5);
    if !scan.effort.spend(to.saturating_sub(line)) {
        return scan.effort.cut(line);
    }
    if to < start {
        secret(scan, from, to);
    }
}

/// `redis-cli -a VALUE`.
pub(crate) fn redis(scan: &mut Scan<'_>, start: usize, end: usize) {
    if follows(scan, start, &[b"redis-cli"]) {
        let (from, to) = word(scan.text, end);
        secret(scan, from, to);
    }
}

/// `openssl … -passin pass:VALUE`.
pub(crate) fn openssl(scan: &mut Scan<'_>, start: usize, end: usize) {
    if is_blank(before(scan.text, start)) && follows(scan, start, &[b"-pass"]) {
        let (from, to) = word(scan.text, end);
        secret(scan, from, to);
    }
}

/// `IDENTIFIED WITH plugin BY 'value'`.
pub(crate) fn plugin(scan: &mut Scan<'_>, _: usize, end: usize) {
    let plugin = run(scan.text, end, 64, |byte| is_web(byte) || is_quote(byte));
    if part(scan.text, plugin, plugin + 4).eq_ignore_ascii_case(b" by ") {
        quoted(scan, plugin, plugin + 4);
    }
}

/// `htpasswd -b FILE USER VALUE`.
pub(crate) fn htpasswd(scan: &mut Scan<'_>, _: usize, end: usize) {
    let mut place = end;
    let mut count = 0;
    for _ in 0..8 {
        let (from, to) = word(scan.text, place);
        if from == to || !scan.effort.spend(to - place) {
            return;
        }
        count += usize::from(at(scan.text, from) != b'-');
        if count == 3 {
            return secret(scan, from, to);
        }
        place = to + usize::from(is_quote(at(scan.text, to)));
    }
}

/// `net use … /user:NAME VALUE`.
pub(crate) fn net_use(scan: &mut Scan<'_>, start: usize, end: usize) {
    if follows(scan, start, &[b"net use"]) {
        let (_, name) = word(scan.text, end);
        let (from, to) = word(scan.text, name);
        secret(scan, from, to);
    }
}

/// `.login("bob", "value")`.
pub(crate) fn log_in(scan: &mut Scan<'_>, _: usize, end: usize) {
    let text = scan.text;
    let (from, to) = word(text, end);
    let gap = run(text, to + 1, 3, |byte| is_blank(byte) || byte == b',');
    if is_quote(before(text, from)) && is_quote(at(text, to)) && is_quote(at(text, gap)) {
        quoted_at_once(scan, gap, gap + 1);
    }
}

/// `IDENTIFIED BY 'value'`.
pub(crate) fn quoted(scan: &mut Scan<'_>, _: usize, end: usize) {
    let text = scan.text;
    let from = run(text, end, LONGEST, |byte| is_blank(byte) || byte.is_ascii_alphabetic());
    let from = if contains(part(text, end, from), b"password") { from } else { end };
    if matches!(at(text, from), b'"' | b'\'') {
        quoted_at_once(scan, from, from + 1);
    }
}

/// `PASSWORD 'value'`.
pub(crate) fn quoted_at_once(scan: &mut Scan<'_>, _: usize, from: usize) {
    let text = scan.text;
    let quote = before(text, from);
    let to = run(text, from, LONGEST, |byte| byte != quote && byte != b'\n');
    let value = part(text, from, to);
    if !scan.effort.spend(to - from) {
        return scan.effort.cut(from);
    }
    if at(text, to) == quote && !value.contains(&b' ') && !is_common(value) {
        secret(scan, from, to);
    }
}

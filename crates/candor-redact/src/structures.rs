//! Files and formats in which a place, not a name, says that a value is secret.

use crate::anchors::Look;
use crate::bytes::{
    at, before, contains, is_blank, is_quote, is_web, is_word, line_end, line_start, part, run,
    run_back, says,
};
use crate::checks::base64;
use crate::commands;
use crate::finding::Certainty;
use crate::keys::sense;
use crate::named;
use crate::randomness::{Makeup, is_made_up};
use crate::scan::Scan;
use crate::standins::{is_common, is_placeholder};
use crate::value::{Setting, is_secret};

pub(crate) const ANCHORS: &[(&str, Look)] = &[
    ("kind: Secret", kubernetes_yaml),
    ("kind\":\"Secret\"", kubernetes_json),
    ("kind\": \"Secret\"", kubernetes_json),
    ("\"kty\"", json_web_key),
    ("Q~", azure_secret),
    ("machine ", netrc),
    (":5432:", pgpass),
    (":AA", telegram),
    ("$1$", crypt),
    ("$2a$", crypt),
    ("$2b$", crypt),
    ("$2y$", crypt),
    ("$5$", crypt),
    ("$6$", crypt),
    ("$y$", crypt),
    ("$apr1$", crypt),
    ("$argon2", crypt),
    ("$scrypt$", crypt),
    ("pbkdf2_sha", crypt),
    ("{SSHA", crypt),
    ("identified by ", commands::quoted),
    ("password '", commands::quoted_at_once),
    ("password N'", commands::quoted_at_once),
    (" -u ", commands::login),
    (" -u", commands::login_attached),
    (" --user ", commands::login),
    (" --proxy-user ", commands::login),
    (" -p", commands::password_option),
    (" -a ", commands::redis),
    ("pass:", commands::openssl),
    ("| sudo -S", commands::sudo),
    ("--password-stdin", commands::sudo),
    ("identified with ", commands::plugin),
    ("htpasswd ", commands::htpasswd),
    ("login with ", named::login),
    ("log in with ", named::login),
    ("login: ", named::login),
    ("/user:", commands::net_use),
    (".login(", commands::log_in),
    ("values (", inserted),
    ("values(", inserted),
];

const LONGEST: usize = 1 << 15;

/// The values under `data` of a Kubernetes secret.
fn kubernetes_yaml(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    let after = at(text, end);
    if !matches!(after, b'\n' | b'\r' | 0 | b' ') {
        return;
    }
    let first = line_start(text, start, 256);
    let indent = start - first;
    let is_listed = part(text, first, start).ends_with(b"- ");
    let is_blank_line =
        part(text, first, start).iter().all(|byte| is_blank(*byte) || *byte == b'-');
    if !is_blank_line || start < scan.documents_until {
        return;
    }
    let mut top = first;
    while !is_listed && top > 0 && start - top < LONGEST {
        let line = line_start(text, top - 1, LONGEST);
        let shown = part(text, line, top);
        let dash = shown.trim_ascii_start().starts_with(b"- ");
        if shown.starts_with(b"---") || depth(shown) + if dash { 2 } else { 0 } < indent {
            break;
        }
        top = line;
        if dash && depth(shown) + 2 == indent {
            break;
        }
    }
    let mut inside = false;
    let mut line = top;
    while line < text.len() && line - top < LONGEST {
        let to = line_end(text, line, LONGEST);
        let shown = part(text, line, to);
        let content = shown.trim_ascii();
        let depth = depth(shown) + if content.starts_with(b"- ") { 2 } else { 0 };
        if line > first && (shown.starts_with(b"---") || !content.is_empty() && depth < indent) {
            break;
        }
        if depth == indent && !content.is_empty() {
            let key = content.strip_prefix(b"- ").unwrap_or(content);
            inside = matches!(key, b"data:" | b"stringData:");
        } else if inside && let Some(colon) = shown.iter().position(|byte| *byte == b':') {
            let from = run(text, line + colon + 1, 8, |byte| is_blank(byte) || is_quote(byte));
            let value = part(text, from, to).trim_ascii_end();
            let value = value.strip_suffix(b"\"").or(value.strip_suffix(b"'")).unwrap_or(value);
            if value.len() > 2 && !is_placeholder(value) && !value.starts_with(b"|") {
                scan.mark(from, from + value.len(), "kubernetes-secret", Certainty::Placed);
            }
        } else if inside && content.len() > 2 && !content.starts_with(b"#") {
            let from = line + (shown.len() - shown.trim_ascii_start().len());
            scan.mark(from, from + content.len(), "kubernetes-secret", Certainty::Placed);
        }
        line = to + 1;
    }
    scan.documents_until = line;
    if !scan.effort.spend(line - top) {
        scan.effort.cut(top);
    }
}

fn depth(line: &[u8]) -> usize {
    line.iter().take_while(|byte| is_blank(**byte)).count()
}

/// The same in JSON, before or after the word.
fn kubernetes_json(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    let from = start.saturating_sub(LONGEST);
    let to = (end + LONGEST).min(text.len());
    if start < scan.documents_until {
        return;
    }
    scan.documents_until = to;
    if !scan.effort.spend(to - from) {
        return scan.effort.cut(start);
    }
    for key in [&b"\"data\""[..], b"\"stringData\""] {
        for place in memchr::memmem::find_iter(part(text, from, to), key) {
            let open = from + place + key.len();
            let open = run(text, open, 8, |byte| is_blank(byte) || matches!(byte, b':' | b'\n'));
            if at(text, open) != b'{' {
                continue;
            }
            let close = run(text, open, LONGEST, |byte| byte != b'}');
            let mut quoted = part(text, open, close).split(|byte| *byte == b'"');
            let mut place = open + quoted.next().map_or(0, <[u8]>::len) + 1;
            let mut is_value = false;
            while let (Some(string), Some(gap)) = (quoted.next(), quoted.next()) {
                if is_value && string.len() > 2 && !is_placeholder(string) {
                    let end = place + string.len();
                    scan.mark(place, end, "kubernetes-secret", Certainty::Placed);
                }
                is_value = gap.contains(&b':');
                place += string.len() + gap.len() + 2;
            }
        }
    }
}

/// `INSERT INTO users (name, password) VALUES ('bob', 'value')`.
fn inserted(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    let close = start - usize::from(before(text, start) == b' ');
    if before(text, close) != b')' {
        return;
    }
    let open = run_back(text, close - 1, 512, |byte| byte != b'(');
    let limit = line_end(text, end, 1024);
    if !scan.effort.spend(limit - open) {
        return scan.effort.cut(open);
    }
    let names = part(text, open, close - 1).split(|byte| *byte == b',');
    let mut place = end;
    for name in names {
        let from = run(text, place, 8, |byte| is_blank(byte) || byte == b',');
        let quote = at(text, from);
        let to = if is_quote(quote) {
            run(text, from + 1, limit.saturating_sub(from), |byte| byte != quote)
        } else {
            run(text, from, limit.saturating_sub(from), |byte| !matches!(byte, b',' | b')'))
        };
        if let Some(sense) = sense(name.trim_ascii())
            && is_quote(quote)
            && is_secret(part(text, from + 1, to), sense, Setting::Member)
        {
            scan.mark(from + 1, to, sense.kind(), Certainty::Placed);
        }
        place = to + usize::from(is_quote(quote));
    }
}

/// The private members of a JSON Web Key.
fn json_web_key(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    let from = run_back(text, start, 4096, |byte| byte != b'{');
    let to = run(text, end, 4096, |byte| byte != b'}');
    if start < scan.documents_until {
        return;
    }
    scan.documents_until = to;
    if !scan.effort.spend(to - from) {
        return scan.effort.cut(start);
    }
    let is_symmetric = contains(part(text, end, (end + 16).min(to)), b"\"oct\"");
    let mut place = from;
    while place < to {
        let quote = run(text, place, to - place, |byte| byte != b'"');
        let close = run(text, quote + 1, to.saturating_sub(quote + 1), |byte| byte != b'"');
        let name = part(text, quote + 1, close);
        let is_private = matches!(name, b"d" | b"p" | b"q" | b"dp" | b"dq" | b"qi")
            || is_symmetric && name == b"k";
        let value =
            run(text, close + 1, 8, |byte| is_blank(byte) || matches!(byte, b':' | b'"' | b'\n'));
        place = close + 1;
        if is_private && value > close + 1 {
            let end = run(text, value, 4096, is_web);
            if end - value >= 20 {
                scan.mark(value, end, "private-key", Certainty::SelfEvident);
            }
        }
    }
}

/// Three characters, a digit, `Q~`, and some thirty more.
fn azure_secret(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    let belongs = |byte: u8| is_web(byte) || matches!(byte, b'.' | b'~');
    let from = run_back(text, start, 5, belongs);
    let to = run(text, end, 48, belongs);
    if !scan.effort.spend(to - from) {
        return scan.effort.cut(start);
    }
    if start - from == 4 && before(text, start).is_ascii_digit() && (31..=36).contains(&(to - end))
    {
        scan.mark(from, to, "azure-secret", Certainty::SelfEvident);
    }
}

/// `machine HOST login USER password VALUE`, on one line or on several.
fn netrc(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    if is_word(before(text, start)) {
        return;
    }
    let mut place = end;
    let mut is_value = false;
    let mut has_login = false;
    for _ in 0..12 {
        let from = run(text, place, 64, |byte| byte.is_ascii_whitespace());
        let to = run(text, from, 512, |byte| !byte.is_ascii_whitespace());
        let word = part(text, from, to);
        if !scan.effort.spend(to - place) {
            return scan.effort.cut(start);
        }
        if is_value && has_login {
            if word.len() > 2 && !is_placeholder(word) && !is_common(word) {
                scan.mark(from, to, "password", Certainty::Placed);
            }
            return;
        }
        match word {
            b"machine" | b"" => return,
            b"login" => has_login = true,
            b"password" => is_value = true,
            _ => {}
        }
        place = to;
    }
}

/// `host:5432:database:user:password`.
fn pgpass(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    let to = line_end(text, end, 512);
    if !scan.effort.spend(to - end) {
        return scan.effort.cut(start);
    }
    let mut fields = part(text, end, to).splitn(3, |byte| *byte == b':');
    let (Some(database), Some(user), Some(value)) = (fields.next(), fields.next(), fields.next())
    else {
        return;
    };
    let is_name = |name: &[u8]| {
        !name.is_empty() && name.iter().all(|byte| is_web(*byte) || matches!(byte, b'*' | b'.'))
    };
    let value = value.trim_ascii_end();
    if is_name(database) && is_name(user) && !value.is_empty() && !is_placeholder(value) {
        let from = end + database.len() + user.len() + 2;
        scan.mark(from, from + value.len(), "password", Certainty::Placed);
    }
}

/// The number of a bot, and 35 characters.
fn telegram(scan: &mut Scan<'_>, start: usize, _: usize) {
    let text = scan.text;
    let from = run_back(text, start, 12, |byte| byte.is_ascii_digit());
    let to = run(text, start + 1, 40, is_web);
    if !scan.effort.spend(to - from) {
        return scan.effort.cut(start);
    }
    let value = part(text, start + 1, to);
    let is_number = (8..=11).contains(&(start - from)) && !is_word(before(text, from))
        || says(text, from.saturating_sub(3), b"bot");
    if is_number && (33..=36).contains(&value.len()) && !is_made_up(value) {
        scan.mark(from, to, "telegram-token", Certainty::SelfEvident);
    }
}

/// Hashed passwords as systems keep them: they can be tried out at leisure.
fn crypt(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    if is_word(before(text, start)) {
        return;
    }
    let belongs = |byte: u8| {
        is_web(byte) || matches!(byte, b'$' | b'/' | b'.' | b'+' | b'=' | b',' | b'{' | b'}')
    };
    let mut to = run(text, end, 512, belongs);
    if !scan.effort.spend(to - start) {
        return scan.effort.cut(start);
    }
    while to > end && matches!(before(text, to), b',' | b'}' | b'.') && at(text, to) != b':' {
        to -= 1;
    }
    let value = part(text, end, to);
    let makeup = Makeup::of(value);
    let is_salted = part(text, start, end) == b"$2a$"
        || part(text, start, end) == b"$2b$"
        || part(text, start, end) == b"$2y$"
        || at(text, start) == b'{'
        || value.contains(&b'$');
    if is_salted && value.len() >= 25 && makeup.distinct >= 12 && makeup.digits > 0 {
        scan.mark(start, to, "password-hash", Certainty::SelfEvident);
    }
}

/// After the id of an AWS key, its secret: forty letters of base64 that decode to thirty bytes.
pub(crate) fn aws_secret_near(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    let (from, to) = (start.saturating_sub(160), (end + 320).min(text.len()));
    let from = from.max(scan.aws_until);
    scan.aws_until = to;
    if !scan.effort.spend(to - from) {
        return scan.effort.cut(start);
    }
    let belongs = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut place = from;
    while place < to {
        let next = run(text, place, to - place, |byte| !belongs(byte));
        let run_end = run(text, next, 64, belongs);
        let value = part(text, next, run_end);
        let makeup = Makeup::of(value);
        if value.len() == 40
            && makeup.upper > 4
            && makeup.lower > 4
            && makeup.is_random()
            && !is_made_up(value)
            && base64(value).is_some()
        {
            scan.mark(next, run_end, "aws-secret", Certainty::SelfEvident);
        }
        place = run_end.max(next + 1);
    }
}

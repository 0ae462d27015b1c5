//! A name that promises a secret, to the value that it names.
//!
//! Names and values stand in many ways: `KEY=value`, `key: value`, `"key": "value"`,
//! `<key>value</key>`, `--key value`, `key => 'value'`, `key("value")`, "the key is value",
//! `name="key" value="value"`. This reads from the name to the value without asking which
//! language it is.

use crate::bytes::{
    at, before, is_blank, is_quote, is_word, line_end, line_start, part, run, run_back, says,
};
use crate::finding::Certainty;
use crate::keys::{Sense, sense};
use crate::scan::Scan;
use crate::value::{Setting, is_secret};

/// What sensitive names hold.
pub(crate) const ANCHORS: &[&str] = &[
    "pass",
    "psk",
    "pw is",
    "pwd",
    "pswd",
    "secret",
    "token",
    "key",
    "auth",
    "cred",
    "signature",
    "sig=",
    "pepper",
    "mnemonic",
    "phrase",
    "otp",
    "code",
    "senha",
    "kennwort",
    "contrase",
    "clave",
    "wachtwoord",
    "parola",
    "jwt",
    "bearer_",
    "sas",
    "sessid",
    "sessionid",
    "pat=",
    "_pw",
    "-pw",
    "rootpw",
    "bindpw",
    "psw",
    "hmac",
    " pw",
    "mdp",
    "pw=",
    "pw:",
    "haslo",
    "mot de passe",
    "hasło",
    "şifre",
    "lösenord",
    "salasana",
    "пароль",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
    "كلمة المرور",
];

const LONGEST_NAME: usize = 64;
const LONGEST_VALUE: usize = 8192;
/// And so short where it stands within another.
const SHORT_VALUE: usize = 128;
const MOST_CHILDREN: usize = 64;
const LONGEST_GAP: usize = 48;

/// Reads the name around a place, and judges what it names.
pub(crate) fn look(scan: &mut Scan<'_>, start: usize, end: usize) {
    let text = scan.text;
    if start < scan.named_until {
        return;
    }
    // Some words are looked for with the sign that must stand beside them.
    let start = start + usize::from(at(text, start) == b' ');
    let end = if part(text, start, end).ends_with(b" is") { end - 3 } else { end };
    let end = end - usize::from(matches!(before(text, end), b'=' | b':'));
    let is_name = |byte: u8| is_word(byte) || matches!(byte, b'-' | b'.');
    let is_foreign = part(text, start, end).iter().any(|byte| *byte >= 0x80);
    let first = run_back(text, start, LONGEST_NAME, is_name);
    let first = run(text, first, end - first, |byte| matches!(byte, b'-' | b'.'));
    let mut last =
        run(text, end, LONGEST_NAME, |byte| is_name(byte) || byte >= 0x80 && byte != 0xef);
    while last > end && matches!(before(text, last), b'-' | b'.') {
        last -= 1;
    }
    // Where words are not parted by blanks, the name is what was looked for.
    let last = if is_foreign { end } else { last };
    scan.named_until = last;
    if !scan.effort.spend(last - first + 2) {
        return scan.effort.cut(first);
    }
    let name = part(text, first, last);
    let is_french = name == b"passe" && says(text, first.saturating_sub(7), b"mot de ");
    let sense = if is_foreign
        || is_french
        || says(text, start, b"contrase")
        || says(text, start, b"mot de passe")
    {
        Some(Sense::Password)
    } else {
        sense(name)
            .map(|found| with_word_before(text, first, found))
            .or_else(|| spaced(text, first, name))
    };
    let Some(sense) = sense else { return };
    // `arn:aws:secretsmanager:…:secret:name`: a part of an address.
    if before(text, first) == b':' && at(text, last) == b':' {
        return;
    }
    if sense == Sense::Words {
        return words(scan, last);
    }
    if name.ends_with(b"s") && !name.ends_with(b"ss") && at(text, last) == b':' {
        children(scan, first, last, sense);
    }
    if sense == Sense::Auth && pair_of_strings(scan, last)
        || sense != Sense::Key && said_before(scan, first, sense)
    {
        return;
    }
    // Within a value that was read already, another one is short.
    let most = if last < scan.valued_until { SHORT_VALUE } else { LONGEST_VALUE + LONGEST_GAP };
    let Some(value) = value(part(text, 0, last + most), first, last) else { return };
    scan.valued_until = scan.valued_until.max(value.end);
    if !scan.effort.spend(value.end.saturating_sub(last)) {
        return scan.effort.cut(first);
    }
    judge(scan, name, sense, value);
}

/// Judges a text that is the whole value of a member with such a name.
pub(crate) fn member(scan: &mut Scan<'_>, sense: Sense) {
    let end = scan.text.len();
    judge(scan, b"", sense, Value { start: 0, end, setting: Setting::Member });
}

/// Where a value stands, and how.
#[derive(Clone, Copy, Debug)]
struct Value {
    start: usize,
    end: usize,
    setting: Setting,
}

fn judge(scan: &mut Scan<'_>, name: &[u8], sense: Sense, value: Value) {
    let text = scan.text;
    let Value { start, end, setting } = value;
    // A sign of HTML ends what stands in a sentence.
    let shown = part(text, start, end);
    let entity = [&b"&quot;"[..], b"&lt;", b"&gt;", b"&#"]
        .iter()
        .filter_map(|entity| memchr::memmem::find(shown, entity))
        .min();
    let end = entity.map_or(end, |entity| start + entity);
    let value = Value { start, end, setting };
    let shown = part(text, start, end);
    let near = part(text, start.saturating_sub(48), start);
    let is_login = memchr::memmem::find(near, b"user").is_some()
        || memchr::memmem::find(near, b"login").is_some();
    if sense == Sense::Auth {
        return authorization(scan, value);
    }
    if is_secret(shown, sense, setting) && !is_other_use(name, sense, shown, setting, is_login) {
        scan.mark(start, end, sense.kind(), Certainty::Named);
    }
}

/// `secrets:`, `tokens:` and the lines below them that stand further in.
fn children(scan: &mut Scan<'_>, first: usize, last: usize, sense: Sense) {
    let text = scan.text;
    let head = line_end(text, last, LONGEST_GAP);
    if !part(text, last + 1, head).trim_ascii().is_empty() || at(text, head) != b'\n' {
        return;
    }
    let indent = first - line_start(text, first, 256);
    let mut line = head + 1;
    for _ in 0..MOST_CHILDREN {
        let end = line_end(text, line, 1024);
        let start = run(text, line, 256, is_blank);
        if !scan.effort.spend(end - line) {
            return scan.effort.cut(line);
        }
        let is_item = at(text, start) == b'-' && at(text, start + 1) == b' ';
        if start == end || start - line < indent || start - line == indent && !is_item {
            return;
        }
        let colon = part(text, start, end).windows(2).position(|pair| pair == b": ");
        let from = start + colon.map_or(if is_item { 2 } else { end - start }, |colon| colon + 2);
        let from = run(text, from, 8, |byte| is_blank(byte) || is_quote(byte));
        let to = run(text, from, end.saturating_sub(from), |byte| {
            !is_quote(byte) && !byte.is_ascii_whitespace()
        });
        let kind = if sense.is_password() { sense } else { Sense::Token };
        if is_secret(part(text, from, to), kind, Setting::Line) {
            scan.mark(from, to, sense.kind(), Certainty::Named);
        }
        line = end + 1;
    }
}

/// `auth=('bob', 'password')`, `BasicAuth("bob", "password")`, `credentials: bob / password`.
fn pair_of_strings(scan: &mut Scan<'_>, last: usize) -> bool {
    let text = scan.text;
    let open = run(text, last, 4, |byte| is_blank(byte) || matches!(byte, b'=' | b':'));
    let value = if at(text, open) == b'(' {
        let first = quoted_here(text, open + 1, Setting::Quoted);
        let first = first.filter(|first| first.end - first.start < 64);
        let gap = |first: Value| run(text, first.end + 1, 4, |byte| byte == b',' || is_blank(byte));
        first.and_then(|first| quoted_here(text, gap(first), Setting::Quoted))
    } else {
        let user = run(text, open, 64, |byte| is_word(byte) || matches!(byte, b'.' | b'@' | b'-'));
        let slash = run(text, user, 3, |byte| is_blank(byte) || matches!(byte, b'/' | b':'));
        let is_path = part(text, user, slash) == b"::";
        let is_pair = !is_path
            && open > last
            && user > open
            && slash > user
            && part(text, user, slash).iter().any(|byte| matches!(byte, b'/' | b':'));
        let end = run(text, slash, 256, |byte| {
            byte.is_ascii_graphic() && !is_quote(byte) && !matches!(byte, b',' | b';' | b')')
        });
        is_pair.then_some(Value { start: slash, end, setting: Setting::Prose })
    };
    let Some(Value { start, end, setting }) = value else { return false };
    if !scan.effort.spend(end - last) {
        scan.effort.cut(last);
        return true;
    }
    let is_one = !part(text, start, end).contains(&b'/');
    let found = is_one && is_secret(part(text, start, end), Sense::Password, setting);
    if found {
        scan.mark(start, end, "password", Certainty::Named);
    }
    found
}

/// "log in with bob / password".
pub(crate) fn login(scan: &mut Scan<'_>, _: usize, end: usize) {
    pair_of_strings(scan, end - 1);
}

/// "use x7k2m9q4 as the password".
fn said_before(scan: &mut Scan<'_>, first: usize, sense: Sense) -> bool {
    const PHRASES: [&[u8]; 5] = [b" as the ", b" as a ", b" as my ", b" as your ", b" as "];
    let text = scan.text;
    let lead = part(text, first.saturating_sub(12), first);
    let Some(phrase) = PHRASES.iter().find(|phrase| lead.ends_with(phrase)) else {
        return false;
    };
    let end = first - phrase.len();
    let start = run_back(text, end, 128, |byte| byte.is_ascii_graphic() && !is_quote(byte));
    let end = run_back(text, end, 1, is_quote);
    let start =
        start.min(run_back(text, end, 128, |byte| byte.is_ascii_graphic() && !is_quote(byte)));
    if !scan.effort.spend(end - start) {
        scan.effort.cut(start);
        return true;
    }
    let found = is_secret(part(text, start, end), sense, Setting::Loose);
    if found {
        scan.mark(start, end, sense.kind(), Certainty::Named);
    }
    found
}

/// Words that mean something else as often: to pass a thing, a test that passes, a key of a map.
fn is_other_use(name: &[u8], sense: Sense, value: &[u8], setting: Setting, is_login: bool) -> bool {
    let last = name.rsplit(|byte| matches!(byte, b'-' | b'.')).next().unwrap_or_default();
    let is_told = matches!(setting, Setting::Loose | Setting::Prose);
    let is_pass = matches!(last, b"pass" | b"passes" | b"Pass");
    let is_hash = value.iter().all(u8::is_ascii_hexdigit);
    let last_word =
        name.rsplit(|byte| matches!(byte, b'-' | b'.' | b'_')).next().unwrap_or_default();
    let is_key = sense == Sense::Key
        && (name.eq_ignore_ascii_case(b"key") || last_word.eq_ignore_ascii_case(b"keys"));
    is_pass && setting == Setting::Loose && !is_login
        || is_key && (is_hash && setting != Setting::Query || is_told)
}

/// Twelve words or more, which make a wallet.
fn words(scan: &mut Scan<'_>, last: usize) {
    let text = scan.text;
    let start = run(text, last, LONGEST_GAP, |byte| !byte.is_ascii_lowercase());
    let start = if part(text, start, start + 3) == b"is " {
        run(text, start + 3, LONGEST_GAP, |byte| !byte.is_ascii_lowercase())
    } else {
        start
    };
    let end =
        run(text, start, 512, |byte| byte.is_ascii_lowercase() || is_blank(byte) || byte == b',');
    let end = start + part(text, start, end).trim_ascii_end().len();
    if !scan.effort.spend(end - last) {
        return scan.effort.cut(last);
    }
    if is_secret(part(text, start, end), Sense::Words, Setting::Quoted) {
        scan.mark(start, end, Sense::Words.kind(), Certainty::Named);
    }
}

/// A header's value: a scheme, and what proves the caller.
fn authorization(scan: &mut Scan<'_>, value: Value) {
    let text = scan.text;
    let Value { start, end, setting } = value;
    let limit = if matches!(setting, Setting::Member | Setting::Quoted) {
        end
    } else {
        let line = line_end(text, start, LONGEST_VALUE);
        run(text, start, line - start, |byte| !is_quote(byte))
    };
    let scheme = run(text, start, 24, |byte| is_word(byte) || byte == b'-');
    let next = run(text, scheme, 2, is_blank);
    let has_scheme = next > scheme && next < limit && scheme > start;
    let (from, to) = if has_scheme {
        (
            next,
            run(text, next, limit - next, |byte| {
                !is_blank(byte) && !matches!(byte, b'\r' | b'\n' | b'\\')
            }),
        )
    } else {
        (start, end)
    };
    let known = [
        &b"bearer"[..],
        b"basic",
        b"token",
        b"apikey",
        b"key",
        b"digest",
        b"negotiate",
        b"ntlm",
        b"bot",
        b"hmac",
    ]
    .iter()
    .any(|name| part(text, start, scheme).eq_ignore_ascii_case(name));
    let sense = if has_scheme && known { Sense::Secret } else { Sense::Token };
    let setting = if has_scheme && !known { Setting::Loose } else { setting };
    let setting = if has_scheme && known { Setting::Quoted } else { setting };
    let shown = part(text, from, to);
    if is_secret(shown, sense, setting) && !shown.ends_with(b"=\"") && !shown.ends_with(b"name=") {
        scan.mark(from, to, "authorization", Certainty::Named);
    }
}

/// `API key`, `secret access key`, `private key`: names with blanks.
fn with_word_before(text: &[u8], first: usize, found: Sense) -> Sense {
    if !matches!(found, Sense::Key | Sense::Token) {
        return found;
    }
    spaced(text, first, if found == Sense::Key { b"key" } else { b"token" }).unwrap_or(found)
}

fn spaced(text: &[u8], first: usize, name: &[u8]) -> Option<Sense> {
    if before(text, first) != b' ' {
        return None;
    }
    let start = run_back(text, first - 1, LONGEST_NAME / 2, |byte| byte.is_ascii_alphanumeric());
    let word = part(text, start, first - 1);
    if word.is_empty() || name.len() > 12 {
        return None;
    }
    let points = [&b"this"[..], b"your", b"following", b"my", b"new"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known));
    if points && name == b"key" {
        return Some(Sense::ApiKey);
    }
    let mut joined = [b' '; LONGEST_NAME];
    let both = word.iter().copied().chain(std::iter::once(b'_')).chain(name.iter().copied());
    let mut length = 0;
    for (letter, byte) in joined.iter_mut().zip(both) {
        *letter = byte.to_ascii_lowercase();
        length += 1;
    }
    sense(part(&joined, 0, length)).filter(|sense| !matches!(sense, Sense::Key | Sense::Token))
}

/// From the end of a name to its value.
fn value(text: &[u8], first: usize, last: usize) -> Option<Value> {
    // `"--password", "value"`
    let dashes = run_back(text, first, 2, |byte| byte == b'-');
    let is_flag = dashes < first;
    let opening = before(text, dashes);
    if opening == b'<' && at(text, last) == b'>' {
        return element(text, last + 1);
    }
    if opening == b'>' && at(text, last) == b'<' && at(text, last + 1) == b'/' {
        return element_after_name(text, last);
    }
    // What closes the name: a quote, an index, emphasis.
    let mut place = last;
    let mut quotes = 0;
    for _ in 0..4 {
        match at(text, place) {
            b'"' | b'\'' | b'`' if opening != b' ' || quotes > 0 || is_quote(opening) => {
                quotes += 1;
                place += 1;
            }
            b']' | b')' if quotes > 0 => place += 1,
            b'*' | b'_' if at(text, place + 1) == at(text, place) => place += 2,
            b'?' | b'!' if at(text, place + 1) == b':' => place += 1,
            _ => break,
        }
    }
    let is_member = quotes > 0 && is_quote(opening);
    let blanks = run(text, place, LONGEST_GAP, is_blank);
    let is_spaced = blanks > place;
    match at(text, blanks) {
        b'=' | b':' => signed(text, first, last, blanks, is_member, is_spaced),
        b'-' | b'~' if at(text, blanks + 1) == b'>' => {
            after_sign(text, blanks + 2, first, is_member, true, true)
        }
        b'|' if is_spaced && is_row(text, first) => cell(text, blanks + 1, Setting::Tight),
        b'|' if is_spaced && line_start(text, first, 2) == first => {
            cell(text, blanks + 1, Setting::Loose)
        }
        b',' if is_member => pair(text, blanks + 1),
        b'(' if !is_spaced && is_quote(at(text, place + 1)) => {
            quoted(text, place + 1, Setting::Loose)
        }
        b'>' if is_member => element_after_attribute(text, blanks + 1),
        _ if is_member => pair(text, blanks),
        b'\r' | b'\n' => pair(text, blanks),
        0xef if part(text, blanks, blanks + 3) == "：".as_bytes() => {
            after_sign(text, blanks + 3, first, false, true, false)
        }
        _ if is_flag && is_spaced => flag(text, blanks),
        _ if is_spaced => sentence(text, blanks),
        0xe6 if part(text, blanks, blanks + 3) == "是".as_bytes() => sentence(text, blanks + 3),
        _ => None,
    }
}

/// After `=`, `:`, `:=`, `=>`, `==` and the types that some languages put between.
fn signed(
    text: &[u8],
    first: usize,
    last: usize,
    sign: usize,
    is_member: bool,
    is_spaced: bool,
) -> Option<Value> {
    let mut place = sign;
    let colon = at(text, place) == b':';
    place += 1;
    let is_comparison = at(text, place) == b'=' && !colon;
    if colon && at(text, place) == b':' {
        // `Token::new` is a path; `key::value` is nothing.
        return None;
    }
    if matches!(at(text, place), b'=' | b'>') {
        place += 1;
        if at(text, place) == b'=' {
            place += 1;
        }
    }
    // `**Key:** value`
    if part(text, place, place + 2) == b"**" {
        place += 2;
    }
    let blanks = run(text, place, LONGEST_GAP, is_blank);
    // A type, and then the value: `KEY: &str = "…"`.
    if colon && let Some(typed) = after_type(text, blanks) {
        return quoted_here(text, run(text, typed, LONGEST_GAP, is_blank), Setting::Quoted);
    }
    if is_comparison {
        return quoted_here(text, blanks, Setting::Quoted);
    }
    let _ = last;
    after_sign(text, place, first, is_member, is_spaced || blanks > place, colon)
}

/// Where the value begins after `: Type =`.
fn after_type(text: &[u8], from: usize) -> Option<usize> {
    let is_type = |byte: u8| {
        is_word(byte)
            || matches!(
                byte,
                b'&' | b'\'' | b'<' | b'>' | b' ' | b':' | b'[' | b']' | b'|' | b'?' | b'.' | b'*'
            )
    };
    let first = at(text, from);
    if !(first.is_ascii_alphabetic() || first == b'&' || first == b'[' || first == b'*') {
        return None;
    }
    let end = run(text, from, LONGEST_GAP, is_type);
    (at(text, end) == b'=' && at(text, end + 1) != b'=' && is_blank(before(text, end)))
        .then_some(end + 1)
}

fn after_sign(
    text: &[u8],
    from: usize,
    first: usize,
    is_member: bool,
    is_spaced: bool,
    colon: bool,
) -> Option<Value> {
    let place = run(text, from, LONGEST_GAP, is_blank);
    // `${NAME:-value}`
    let is_default = at(text, from) == b'-' && before(text, first) == b'{';
    let place = place + usize::from(is_default);
    let setting = if is_member { Setting::Member } else { Setting::Quoted };
    if let Some(value) = quoted_here(text, place, setting) {
        return Some(value);
    }
    match at(text, place) {
        b'\r' | b'\n' | 0 => return next_line(text, first, place, colon),
        b'|' | b'>' if matches!(at(text, place + 1), b'\n' | b'\r' | b'-' | b'+') => {
            return block(text, first, place);
        }
        // `"password": {"value": "…"}`
        b'{' if is_member => return pair(text, place + 1),
        b'[' => {
            let open = run(text, place + 1, LONGEST_GAP, |byte| byte.is_ascii_whitespace());
            return quoted_here(text, open, setting);
        }
        _ => {}
    }
    let is_query = matches!(before(text, first), b'?' | b'&') && !is_spaced && !colon;
    if is_query {
        let end = run(text, place, LONGEST_VALUE, |byte| {
            byte.is_ascii_graphic()
                && !matches!(
                    byte,
                    b'&' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'`' | b')' | b';' | b',' | b'\\'
                )
        });
        return Some(Value { start: place, end, setting: Setting::Query });
    }
    if let Some(value) = otherwise(text, place) {
        return Some(value);
    }
    bare(text, place, first, is_spaced, colon)
}

/// `process.env.KEY || 'value'`, `os.getenv("KEY") or "value"`: what holds if nobody says more.
fn otherwise(text: &[u8], from: usize) -> Option<Value> {
    if !at(text, from).is_ascii_alphabetic() {
        return None;
    }
    let end = line_end(text, from, 120);
    let line = part(text, from, end);
    let sign = line.windows(4).position(|window| {
        window.starts_with(b"|| ") || window.starts_with(b"?? ") || window == b" or "
    })?;
    let is_asked = [&b"env"[..], b"ENV", b"config", b"get"]
        .iter()
        .any(|word| memchr::memmem::find(part(line, 0, sign), word).is_some());
    let open = run(text, from + sign, 4, |byte| !is_quote(byte));
    if is_asked { quoted_here(text, open, Setting::Quoted) } else { None }
}

/// A value without quotes.
fn bare(text: &[u8], start: usize, first: usize, is_spaced: bool, colon: bool) -> Option<Value> {
    let graphic = |byte: u8| byte.is_ascii_graphic() || byte >= 0x80;
    let mut end = start;
    let limit = run(text, start, LONGEST_VALUE, graphic);
    // A sign ends the value if another name, or nothing, follows it.
    while end < limit {
        let byte = at(text, end);
        if is_quote(byte) || byte == b'<' || byte == b'>' && end > start {
            break;
        }
        if matches!(byte, b',' | b';' | b'&' | b'|' | b')' | b']' | b'}') {
            // `;User ID=`, `, user: `, `&user=`
            let gap = usize::from(byte == b',' && at(text, end + 1) == b' ');
            let next = run(text, end + 1 + gap, 32, |next| {
                is_word(next) || matches!(next, b'-' | b'.') || next == b' ' && byte == b';'
            });
            let is_pair = matches!(at(text, next), b'=' | b':') && next > end + 1;
            if end + 1 >= limit
                || is_pair
                || is_quote(at(text, end + 1))
                || byte == b')'
                || byte == b'}' && at(text, end + 1) == b'}'
            {
                break;
            }
        }
        end += 1;
    }
    while end > start && matches!(before(text, end), b',' | b';' | b'.' | b':') {
        end -= 1;
    }
    if end == start {
        return None;
    }
    let line_from = line_start(text, first, 256);
    let lead = part(text, line_from, first);
    let rest = part(text, limit, line_end(text, limit, 8));
    let ends_line =
        limit == end && rest.trim_ascii().is_empty() || rest.trim_ascii_start().starts_with(b"#");
    let opens_line = lead
        .iter()
        .all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'"' | b'\'' | b'*' | b'_' | b'>'))
        || [&b"export "[..], b"set ", b"ENV ", b"ARG ", b"SET ", b"setx ", b"declare -x "]
            .iter()
            .any(|word| lead.trim_ascii_start().starts_with(word));
    let setting = if !is_spaced && !colon {
        Setting::Tight
    } else if opens_line && ends_line {
        Setting::Line
    } else if is_spaced && !colon {
        Setting::Loose
    } else {
        Setting::Prose
    };
    Some(Value { start, end, setting })
}

/// A string in quotes, or none. `String::from("…")` and `b"…"` are such too.
fn quoted_here(text: &[u8], place: usize, setting: Setting) -> Option<Value> {
    let first = at(text, place);
    if is_quote(first) {
        return quoted(text, place, setting);
    }
    if part(text, place, place + 3) == "“".as_bytes() {
        let end = run(text, place + 3, 256, |byte| byte != b'\n' && byte != 0xe2);
        return Some(Value { start: place + 3, end, setting });
    }
    let secure = b"ConvertTo-SecureString ";
    if part(text, place, place + secure.len()) == secure {
        let place = run(text, place + secure.len(), 12, |byte| !is_quote(byte) && byte != b'\n');
        return if is_quote(at(text, place)) { quoted(text, place, setting) } else { None };
    }
    let head = run(text, place, LONGEST_GAP, |byte| {
        is_word(byte) || matches!(byte, b':' | b'.' | b'$' | b'@' | b' ' | b'&' | b'!')
    });
    let inside = run(text, head, 2, |byte| byte == b'(');
    let is_prefix =
        head - place <= 2 && inside == head && head > place && at(text, head - 1) != b' ';
    let is_wrapped = inside > head
        && head > place
        && [
            "from",
            "new",
            "Some",
            "into",
            "b64",
            "String",
            "str",
            "Secret",
            "of",
            "wrap",
            "to_string",
            "SecureString",
            "Buffer.from",
        ]
        .iter()
        .any(|word| part(text, place, head).ends_with(word.as_bytes()));
    if is_quote(at(text, inside)) && (is_prefix || is_wrapped) {
        return quoted(text, inside, setting);
    }
    None
}

fn quoted(text: &[u8], open: usize, setting: Setting) -> Option<Value> {
    let quote = at(text, open);
    let triple = at(text, open + 1) == quote && at(text, open + 2) == quote;
    let start = open + if triple { 3 } else { 1 };
    let mut end = start;
    let limit = text.len().min(start + LONGEST_VALUE);
    while end < limit {
        match at(text, end) {
            b'\\' => end += 1,
            b'\n' if !triple => return None,
            byte if byte == quote => break,
            _ => {}
        }
        end += 1;
    }
    let end = end.min(text.len());
    (end > start).then_some(Value { start, end, setting })
}

/// `<key>value</key>`.
fn element(text: &[u8], from: usize) -> Option<Value> {
    let start = run(text, from, LONGEST_GAP, |byte| byte.is_ascii_whitespace());
    let (start, closes) = if part(text, start, start + 9) == b"<![CDATA[" {
        (start + 9, b']')
    } else {
        (start, b'<')
    };
    let end = run(text, start, LONGEST_VALUE, |byte| byte != closes && byte != b'\n');
    (at(text, end) == closes && end > start).then_some(Value {
        start,
        end,
        setting: Setting::Member,
    })
}

/// `<string name="key">value<`, `<key>name</key><string>value<`.
fn element_after_attribute(text: &[u8], from: usize) -> Option<Value> {
    element(text, from)
}

/// `<key>password</key><string>value</string>`.
fn element_after_name(text: &[u8], from: usize) -> Option<Value> {
    let close = run(text, from, 24, |byte| byte != b'>');
    let open = run(text, close + 1, LONGEST_GAP, |byte| byte.is_ascii_whitespace());
    let end = run(text, open, 24, |byte| byte != b'>');
    (at(text, open) == b'<' && at(text, end) == b'>').then(|| element(text, end + 1)).flatten()
}

/// `"key", "value"` and `name="key" value="value"`, `name: key` and `value: value`.
fn pair(text: &[u8], from: usize) -> Option<Value> {
    let gap =
        |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'"' | b'\'' | b'-' | b'{');
    let place = run(text, from, LONGEST_GAP, gap);
    let word = run(text, place, 24, |byte| is_word(byte) || byte == b':');
    let names = [
        &b"value"[..],
        b"val",
        b"secret",
        b"default",
        b"string_value",
        b"defaultvalue",
        b"content",
        b"secretvalue",
    ];
    let is_value = names.iter().any(|name| {
        part(text, place, word)
            .to_ascii_lowercase()
            .trim_ascii_end()
            .strip_suffix(b":")
            .unwrap_or(&part(text, place, word).to_ascii_lowercase())
            .eq_ignore_ascii_case(name)
    });
    if is_value {
        let closed = if before(text, word) == b':' { word - 1 } else { word };
        let sign = run(text, closed, 6, |byte| is_blank(byte) || is_quote(byte));
        if matches!(at(text, sign), b'=' | b':') {
            let open = run(text, sign + 1, LONGEST_GAP, is_blank);
            if let Some(value) = quoted_here(text, open, Setting::Member) {
                return Some(value);
            }
            return bare(text, open, place, true, true);
        }
    }
    // A form in parts: a blank line, and the value.
    let line = run(text, from, 4, |byte| matches!(byte, b'\r' | b'\n'));
    if is_quote(before(text, from)) && matches!(part(text, from, line), b"\n\n" | b"\r\n\r\n") {
        let end = run(text, line, LONGEST_VALUE, |byte| byte.is_ascii_graphic());
        return (end > line).then_some(Value { start: line, end, setting: Setting::Tight });
    }
    // Two strings next to each other: an argument list, a tuple, a row.
    let open = run(text, from, LONGEST_GAP, |byte| is_blank(byte) || byte == b',');
    let is_listed = at(text, from) == b',' || before(text, from) == b',';
    if is_listed { quoted_here(text, open, Setting::Loose) } else { None }
}

/// Does the line begin as a row of a table does?
fn is_row(text: &[u8], place: usize) -> bool {
    let start = line_start(text, place, 256);
    part(text, start, place).trim_ascii_start().starts_with(b"|")
}

/// A cell of a table, next to its name.
fn cell(text: &[u8], from: usize, setting: Setting) -> Option<Value> {
    let start = run(text, from, LONGEST_GAP, |byte| is_blank(byte) || byte == b'`');
    let end = run(text, start, 512, |byte| !matches!(byte, b'|' | b'\n' | b'`'));
    let end = start + part(text, start, end).trim_ascii_end().len();
    (end > start).then_some(Value { start, end, setting })
}

/// `--key value`.
fn flag(text: &[u8], from: usize) -> Option<Value> {
    if at(text, from) == b'-' {
        return None;
    }
    if let Some(value) = quoted_here(text, from, Setting::Quoted) {
        return Some(value);
    }
    let end = run(text, from, LONGEST_VALUE, |byte| {
        (byte.is_ascii_graphic() || byte >= 0x80)
            && !is_quote(byte)
            && !matches!(byte, b';' | b'|' | b')' | b'>' | b'<')
    });
    (end > from).then_some(Value { start: from, end, setting: Setting::Tight })
}

/// "the password is value", "password for bob: value", "key value".
fn sentence(text: &[u8], from: usize) -> Option<Value> {
    let mut place = from;
    let mut said = false;
    for count in 0..6 {
        let end = run(text, place, 40, |byte| byte.is_ascii_graphic() || byte >= 0x80);
        let word = part(text, place, end);
        if word.is_empty() {
            return None;
        }
        let bare_word = word.strip_suffix(b":").unwrap_or(word);
        let lowered = bare_word.to_ascii_lowercase();
        let bare_word = if bare_word.len() < 12 { lowered.as_slice() } else { bare_word };
        let is_verb = matches!(
            bare_word,
            b"is"
                | b"was"
                | b"are"
                | b"to"
                | b"="
                | b":"
                | b"be"
                | b"ist"
                | b"lautet"
                | b"est"
                | b"es"
                | b"\xc3\xa8"
                | b"\xe2\x86\x92"
                | b"->"
                | b"=>"
                | b"set"
        );
        let ends_phrase = word.len() > 1
            && word.ends_with(b":")
            && (count > 0 || bare_word.iter().all(u8::is_ascii_lowercase));
        let is_filler = matches!(
            bare_word,
            b"for"
                | b"of"
                | b"the"
                | b"a"
                | b"an"
                | b"your"
                | b"my"
                | b"our"
                | b"this"
                | b"now"
                | b"currently"
                | b"user"
                | b"account"
                | b"value"
                | b"used"
                | b"string"
                | b"type"
        ) || count > 0
            && bare_word
                .iter()
                .all(|byte| byte.is_ascii_lowercase() || *byte == b'_' || *byte == b'-');
        if said || count == 0 && !is_verb && !is_filler {
            break;
        }
        if !is_verb && !ends_phrase && !is_filler {
            return None;
        }
        said = is_verb || ends_phrase;
        place = run(text, end, 4, is_blank);
        if said && matches!(bare_word, b"is" | b"was" | b"set") {
            // "is set to", "is now", "is:"
            let next = run(text, place, 12, |byte| byte.is_ascii_graphic());
            if matches!(part(text, place, next), b"set" | b"now" | b"to" | b"currently" | b"still")
            {
                said = false;
            }
        }
    }
    // "is generated for root: value": what matters comes after the colon.
    if said && part(text, place, place + 1).iter().all(u8::is_ascii_lowercase) {
        let line = line_end(text, place, 80);
        let colon = part(text, place, line).windows(2).position(|pair| pair == b": ");
        let is_phrase = |colon: &usize| {
            part(text, place, place + colon)
                .iter()
                .all(|byte| byte.is_ascii_lowercase() || b" @.-_".contains(byte))
        };
        if let Some(colon) = colon.filter(is_phrase) {
            place = run(text, place + colon + 2, 4, is_blank);
        }
    }
    if let Some(value) = quoted_here(text, place, Setting::Loose) {
        let is_short = !part(text, value.start, value.end).contains(&b' ');
        let setting = if said { Setting::Prose } else { Setting::Loose };
        return is_short.then_some(Value { setting, ..value });
    }
    let end = run(text, place, 512, |byte| {
        (byte.is_ascii_graphic() || byte >= 0x80) && !is_quote(byte) && !matches!(byte, b'<' | b'>')
    });
    let mut end = end;
    while end > place && matches!(before(text, end), b'.' | b',' | b';' | b':' | b')' | b'?') {
        end -= 1;
    }
    let setting = if said { Setting::Prose } else { Setting::Loose };
    (end > place).then_some(Value { start: place, end, setting })
}

/// The value stands alone on the next line, as answers to prompts do.
fn next_line(text: &[u8], first: usize, end: usize, colon: bool) -> Option<Value> {
    if !colon {
        return None;
    }
    let start = run(text, end, 128, |byte| byte.is_ascii_whitespace() || byte == b'`');
    let to = run(text, start, LONGEST_VALUE, |byte| byte.is_ascii_graphic() && byte != b'`');
    let rest = part(text, to, line_end(text, to, 16)).trim_ascii();
    let stands_alone = rest.is_empty() || rest == b"`" || rest == b"```";
    let is_quoted = is_quote(at(text, start));
    let _ = first;
    if is_quoted {
        return quoted(text, start, Setting::Quoted);
    }
    (stands_alone && to > start).then_some(Value { start, end: to, setting: Setting::Prose })
}

/// The indented lines after `key: |`.
fn block(text: &[u8], first: usize, sign: usize) -> Option<Value> {
    let indent = first - line_start(text, first, 256);
    let start = line_end(text, sign, 16) + 1;
    let begin = run(text, start, 256, is_blank);
    let mut end = start;
    loop {
        let to = line_end(text, end, LONGEST_VALUE);
        let depth = run(text, end, 256, is_blank) - end;
        let is_empty = part(text, end, to).trim_ascii().is_empty();
        if (depth <= indent && !is_empty) || end - start > LONGEST_VALUE || end >= text.len() {
            break;
        }
        end = to + 1;
    }
    let shown = part(text, begin, end.saturating_sub(1)).trim_ascii_end();
    let is_one = !shown.contains(&b'\n');
    let value = Value {
        start: begin,
        end: begin + shown.len(),
        setting: if is_one { Setting::Line } else { Setting::Quoted },
    };
    (!shown.is_empty()).then_some(value)
}

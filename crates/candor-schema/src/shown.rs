//! What may be shown of a name, a value, or a text that others wrote.

use std::fmt::Write as _;

use serde_json::Value;

/// The most characters of a name that are repeated.
pub(crate) const LONGEST_NAME: usize = 60;
/// The most characters of a value that are repeated.
pub(crate) const LONGEST_VALUE: usize = 40;

/// Words in a name that say: not for other eyes.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "secrets",
    "token",
    "tokens",
    "apikey",
    "apikeys",
    "credential",
    "credentials",
    "authorization",
    "bearer",
    "jwt",
    "cookie",
    "cookies",
    "privatekey",
    "accesskey",
    "secretkey",
    "signingkey",
    "encryptionkey",
    "pin",
    "otp",
    "cvv",
    "cvc",
    "ssn",
];

/// How credentials begin that are known by their form.
const SECRET_STARTS: &[&str] = &[
    "sk-",
    "sk_",
    "pk_live",
    "rk_live",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xox",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29.",
    "eyJ",
    "npm_",
    "pypi-",
    "SG.",
    "hf_",
    "-----BEGIN",
    "Bearer ",
    "Basic ",
];

/// Does the name say that its value is not to be shown?
///
/// `max_tokens` counts tokens and holds none; that is told by the word before it.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let words = words(name);
    let counts = ["max", "min", "num", "total", "count", "limit", "next", "page"];
    let is_count = words.iter().any(|word| counts.contains(&word.as_str()));
    let pairs = words.windows(2).map(<[String]>::concat);
    pairs.chain(words.iter().cloned()).any(|word| {
        SECRET_WORDS.contains(&word.as_str()) && !(is_count && word.starts_with("token"))
    }) || SECRET_WORDS.iter().any(|secret| secret.len() > 6 && name.to_lowercase().contains(secret))
}

/// Splits `apiKey`, `api_key`, `API-Key` into lower-case words.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_new = true;
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() {
            is_new = true;
            continue;
        }
        is_new |= letter.is_uppercase() && was_lower;
        was_lower = !letter.is_uppercase();
        if is_new {
            words.push(String::new());
            is_new = false;
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

/// Does it look like a credential, whatever it is called?
pub(crate) fn is_secret_shaped(text: &str) -> bool {
    const LONG: usize = 20;
    if text.len() < 12 {
        return false;
    }
    if SECRET_STARTS.iter().any(|start| text.starts_with(start)) {
        return true;
    }
    if text.contains("://") && text.split("://").nth(1).is_some_and(|rest| rest.contains('@')) {
        return true;
    }
    // A long run of letters and digits that is no word: mixed, without a separator.
    text.split(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '+' | '_' | '=')).any(
        |run| {
            let changes = run
                .as_bytes()
                .windows(2)
                .filter(|pair| kind(pair.first()) != kind(pair.last()))
                .count();
            run.len() >= LONG
                && run.bytes().any(|it| it.is_ascii_digit())
                && run.bytes().any(|it| it.is_ascii_alphabetic())
                && changes * 5 >= run.len()
        },
    )
}

fn kind(byte: Option<&u8>) -> u8 {
    match byte {
        Some(b'0'..=b'9') => 0,
        Some(b'a'..=b'z') => 1,
        Some(b'A'..=b'Z') => 2,
        _ => 3,
    }
}

/// Text of others on one line, without control characters, cut after so many characters.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let mut shown = String::new();
    let mut count = 0;
    for word in text.split(|it: char| it.is_whitespace() || is_hidden(it)) {
        if word.is_empty() {
            continue;
        }
        let space = usize::from(!shown.is_empty());
        let length = word.chars().count();
        if count + space + length > most {
            if shown.is_empty() {
                shown.extend(word.chars().take(most));
            }
            shown.push('…');
            break;
        }
        if space == 1 {
            shown.push(' ');
        }
        shown.push_str(word);
        count += space + length;
    }
    shown
}

/// A text of ours, cut after so many characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let mut letters = text.chars();
    let mut kept: String = letters.by_ref().take(most).collect();
    if letters.next().is_some() {
        kept.push('…');
    }
    kept
}

/// Controls, and what is not seen or turns the direction of writing.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Text in quotes, as JSON writes it, with everything hidden made visible.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => shown.push_str("\\\""),
            '\\' => shown.push_str("\\\\"),
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            _ if is_hidden(letter) => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    let _ = write!(shown, "\\u{unit:04x}");
                }
            }
            _ => shown.push(letter),
        }
    }
    shown.push('"');
    shown
}

/// A name in quotes, cut.
pub(crate) fn name(name: &str) -> String {
    if is_secret_shaped(name) {
        return "\"…\"".to_owned();
    }
    quoted(&cut(name, LONGEST_NAME))
}

/// JSON on one line, if it is short enough and no secret.
pub(crate) fn json(value: &Value, most: usize) -> Option<String> {
    let shown = match value {
        Value::String(text) if is_secret_shaped(text) => return None,
        Value::String(text) => quoted(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(entries) => {
            let entries: Option<Vec<String>> =
                entries.iter().take(most).map(|entry| json(entry, most)).collect();
            format!("[{}]", entries?.join(", "))
        }
        Value::Object(members) => {
            let members: Option<Vec<String>> = members
                .iter()
                .take(most)
                .map(|(name, value)| {
                    let value = json(value, most).filter(|_| !is_secret_name(name))?;
                    Some(format!("{}: {value}", quoted(name)))
                })
                .collect();
            format!("{{{}}}", members?.join(", "))
        }
    };
    (shown.chars().count() <= most).then_some(shown)
}

/// What was received: the value if it is a scalar that may be shown, else its type and length.
pub(crate) fn got(value: &Value, may_show: bool) -> String {
    let hidden = if may_show { "" } else { " (value not shown)" };
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) if may_show => value.to_string(),
        Value::Bool(_) => format!("a boolean{hidden}"),
        Value::Number(_) => format!("a number{hidden}"),
        Value::String(text) if text.is_empty() => "an empty string".to_owned(),
        Value::String(text) => {
            let short = text.chars().count() <= LONGEST_VALUE;
            match json(value, usize::MAX).filter(|_| may_show && short) {
                Some(text) => text,
                None => format!(
                    "a string of {}{}",
                    text.chars().count(),
                    if short { " (value not shown)" } else { hidden }
                ),
            }
        }
        Value::Array(entries) if entries.is_empty() => "an empty array".to_owned(),
        Value::Array(entries) => format!("an array of {}", counted(entries.len() as u64, "entry")),
        Value::Object(members) if members.is_empty() => "an empty object".to_owned(),
        Value::Object(members) => {
            format!("an object with {}", counted(members.len() as u64, "member"))
        }
    }
}

/// `1 entry`, `2 entries`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn joined(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

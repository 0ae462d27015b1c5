//! Bytes to tokens: the grammar of JSON, below the level at which values hold each other.

/// The bytes are not one JSON text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotJson;

/// The text of a JSON string's inside, escapes resolved; half a surrogate pair becomes U+FFFD.
pub(crate) fn unescape(raw: &[u8]) -> String {
    let mut text = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        at += 1;
        if byte != b'\\' {
            text.push(byte);
            continue;
        }
        let escape = raw.get(at).copied().unwrap_or(b'\\');
        at += 1;
        let plain = match escape {
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let (character, length) = unicode_escape(raw, at);
                at += length;
                let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            other => other,
        };
        text.push(plain);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Reads what follows `\u`: the character, and how many bytes it took (the low half included).
fn unicode_escape(bytes: &[u8], at: usize) -> (Option<char>, usize) {
    let Some(first) = hex4(bytes, at) else { return (None, 0) };
    if let Some(character) = char::from_u32(first) {
        return (Some(character), 4);
    }
    let is_high = (0xd800..0xdc00).contains(&first);
    let low = (bytes.get(at + 4..at + 6) == Some(b"\\u")).then(|| hex4(bytes, at + 6)).flatten();
    match low {
        Some(low) if is_high && (0xdc00..0xe000).contains(&low) => {
            (char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00)), 10)
        }
        Some(_) | None => (None, 4),
    }
}

fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..at + 4)?
        .iter()
        .try_fold(0, |value, &digit| char::from(digit).to_digit(16).map(|digit| value * 16 + digit))
}

/// Is this one JSON string, and Unicode text?
pub(crate) fn is_text(json: &str) -> bool {
    json.starts_with('"')
        && string(json.as_bytes(), 0)
            .is_ok_and(|string| string.end == json.len() && !string.has_lone_surrogate)
}

/// Is this one JSON number?
pub(crate) fn is_number(json: &str) -> bool {
    number(json.as_bytes(), 0) == Ok(json.len())
}

/// The first byte from `at` that is no white space.
pub(super) fn skip_space(line: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = line.get(at) {
        at += 1;
    }
    at
}

/// Walks over a word.
pub(super) fn literal(line: &[u8], at: usize, word: &[u8]) -> Result<usize, NotJson> {
    let end = at + word.len();
    if line.get(at..end) == Some(word) { Ok(end) } else { Err(NotJson) }
}

fn digits(line: &[u8], mut at: usize) -> Result<usize, NotJson> {
    let start = at;
    while line.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at == start { Err(NotJson) } else { Ok(at) }
}

/// Walks over a number, whatever its value.
pub(super) fn number(line: &[u8], mut at: usize) -> Result<usize, NotJson> {
    if line.get(at) == Some(&b'-') {
        at += 1;
    }
    at = if line.get(at) == Some(&b'0') { at + 1 } else { digits(line, at)? };
    if line.get(at) == Some(&b'.') {
        at = digits(line, at + 1)?;
    }
    if let Some(b'e' | b'E') = line.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = line.get(at) {
            at += 1;
        }
        at = digits(line, at)?;
    }
    Ok(at)
}

/// Where a string ends, and what was met in it.
pub(super) struct StringEnd {
    /// Behind the closing quote.
    pub(super) end: usize,
    pub(super) is_escaped: bool,
    pub(super) has_lone_surrogate: bool,
}

/// Walks over the string that begins at `start`.
pub(super) fn string(line: &[u8], start: usize) -> Result<StringEnd, NotJson> {
    let mut at = start + 1;
    let (mut is_escaped, mut has_lone_surrogate) = (false, false);
    loop {
        at = plain_end(line, at);
        match line.get(at) {
            Some(b'"') => return Ok(StringEnd { end: at + 1, is_escaped, has_lone_surrogate }),
            Some(b'\\') => {
                is_escaped = true;
                at += match line.get(at + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                    Some(b'u') => {
                        hex4(line, at + 2).ok_or(NotJson)?;
                        let (character, length) = unicode_escape(line, at + 2);
                        has_lone_surrogate |= character.is_none();
                        2 + length
                    }
                    Some(_) | None => return Err(NotJson),
                };
            }
            Some(_) | None => return Err(NotJson),
        }
    }
}

/// The first byte from `at` that is a quote, a backslash or a control character, eight at a time.
fn plain_end(line: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES * 0x80;
    let zero_in = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    while let Some(chunk) = line.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let below_space = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        let found = below_space
            | zero_in(word ^ (ONES * u64::from(b'"')))
            | zero_in(word ^ (ONES * u64::from(b'\\')));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while line.get(at).is_some_and(|&byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(unescape(br#"a\"\\\/\b\n\u00e9\ud83c\udf89\ud800"#), "a\"\\/\u{8}\né🎉\u{fffd}");
    }
}

//! Text that knows where its secrets stand, whatever is done to it: encoded, escaped, split, put
//! into other text.

use std::ops::Range;

use super::random::{BASE64, BASE64_URL, CAPITAL_HEX, HEX};

/// A text, and the places of its secrets.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// What has to go altogether.
    pub(crate) whole: Vec<Range<usize>>,
    /// The part of it that nobody could guess.
    pub(crate) core: Vec<Range<usize>>,
}

impl Written {
    pub(crate) fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Adds what anybody may read.
    pub(crate) fn then(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    /// Adds what has to go, although it tells nothing: the prefix of a token.
    pub(crate) fn known(mut self, text: &str) -> Self {
        let start = self.text.len();
        self.text.push_str(text);
        self.whole.push(start..self.text.len());
        self
    }

    /// Adds what nobody may read.
    pub(crate) fn secret(self, text: &str) -> Self {
        let start = self.text.len();
        let mut longer = self.known(text);
        longer.core.push(start..longer.text.len());
        longer
    }

    /// Adds another one.
    pub(crate) fn with(mut self, other: &Self) -> Self {
        let start = self.text.len();
        let moved = |range: &Range<usize>| range.start + start..range.end + start;
        self.text.push_str(&other.text);
        self.whole.extend(other.whole.iter().map(moved));
        self.core.extend(other.core.iter().map(moved));
        self
    }

    /// Writes each character in another way.
    pub(crate) fn each(&self, write: impl Fn(char, &mut String)) -> Self {
        let mut text = String::new();
        let mut moved = vec![0; self.text.len() + 1];
        for (at, mark) in self.text.char_indices() {
            moved[at] = text.len();
            write(mark, &mut text);
        }
        moved[self.text.len()] = text.len();
        self.moved(text, |range| moved[range.start]..moved[range.end])
    }

    /// Puts a text in at these places, which cut a secret in two where they are inside it.
    pub(crate) fn broken(&self, places: &[usize], by: &str) -> Self {
        let mut pieces = Vec::new();
        let mut start = 0;
        for &place in places {
            pieces.push(self.cut(start..place));
            start = place;
        }
        let end = self.cut(start..self.text.len());
        let mut all = Self::default();
        for piece in pieces {
            all = all.with(&piece).then(by);
        }
        all.with(&end)
    }

    /// A piece of it.
    fn cut(&self, piece: Range<usize>) -> Self {
        let inside = |ranges: &[Range<usize>]| {
            ranges
                .iter()
                .map(|range| range.start.max(piece.start)..range.end.min(piece.end))
                .filter(|range| range.start < range.end)
                .map(|range| range.start - piece.start..range.end - piece.start)
                .collect()
        };
        let text = self.text[piece.clone()].to_owned();
        Self { text, whole: inside(&self.whole), core: inside(&self.core) }
    }

    /// Base64. A character at the edge that holds bits of something else may stay.
    pub(crate) fn base64(&self) -> Self {
        self.in_sixes(BASE64, true)
    }

    /// The alphabet of URLs, without padding.
    pub(crate) fn base64_url(&self) -> Self {
        self.in_sixes(BASE64_URL, false)
    }

    fn in_sixes(&self, alphabet: &str, padded: bool) -> Self {
        let text = sixes(self.text.as_bytes(), alphabet, padded);
        self.moved(text, |range| {
            let start = (range.start * 8).div_ceil(6);
            start..(range.end * 8 / 6).max(start)
        })
    }

    pub(crate) fn hex(&self) -> Self {
        self.in_fours(HEX)
    }

    pub(crate) fn capital_hex(&self) -> Self {
        self.in_fours(CAPITAL_HEX)
    }

    fn in_fours(&self, digits: &str) -> Self {
        let mut text = String::new();
        for byte in self.text.bytes() {
            push_hex(byte, digits, &mut text);
        }
        self.moved(text, |range| range.start * 2..range.end * 2)
    }

    /// As in the value of a parameter of a URL.
    pub(crate) fn percent(&self) -> Self {
        self.each(|mark, text| push_percent(mark, CAPITAL_HEX, text))
    }

    pub(crate) fn small_percent(&self) -> Self {
        self.each(|mark, text| push_percent(mark, HEX, text))
    }

    /// As inside a JSON string.
    pub(crate) fn json(&self) -> Self {
        self.each(|mark, text| match mark {
            '"' | '\\' => text.extend(['\\', mark]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            other => text.push(other),
        })
    }

    /// As some encoders write a JSON string: every character with a meaning elsewhere by its
    /// number, and slashes behind backslashes.
    pub(crate) fn careful_json(&self) -> Self {
        self.each(|mark, text| match mark {
            '/' => text.push_str("\\/"),
            '\n' => text.push_str("\\n"),
            '"' | '\\' => text.extend(['\\', mark]),
            '=' | '+' | '&' | '<' | '>' | '\'' | '@' | '-' => {
                text.push_str(&format!("\\u{:04x}", u32::from(mark)));
            }
            other => text.push(other),
        })
    }

    pub(crate) fn xml(&self) -> Self {
        self.each(|mark, text| match mark {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            other => text.push(other),
        })
    }

    /// As inside a quoted text of SQL.
    pub(crate) fn sql(&self) -> Self {
        self.each(|mark, text| match mark {
            '\'' => text.push_str("''"),
            other => text.push(other),
        })
    }

    /// As inside `'…'` of Python and JavaScript.
    pub(crate) fn quoted(&self) -> Self {
        self.each(|mark, text| match mark {
            '\'' | '\\' => text.extend(['\\', mark]),
            '\n' => text.push_str("\\n"),
            other => text.push(other),
        })
    }

    /// As a word between single quotes of a shell.
    pub(crate) fn shell_single(&self) -> Self {
        let inside = self.each(|mark, text| match mark {
            '\'' => text.push_str("'\\''"),
            other => text.push(other),
        });
        Self::plain("'").with(&inside).then("'")
    }

    /// As a word between double quotes of a shell.
    pub(crate) fn shell_double(&self) -> Self {
        let inside = self.each(|mark, text| match mark {
            '"' | '\\' | '$' | '`' => text.extend(['\\', mark]),
            other => text.push(other),
        });
        Self::plain("\"").with(&inside).then("\"")
    }

    /// As `printf %q` writes a word: a backslash before whatever a shell would take for its own.
    pub(crate) fn shell_bare(&self) -> Self {
        self.each(|mark, text| {
            if !mark.is_ascii_alphanumeric() && !"_-.,/:=@%+\n".contains(mark) {
                text.push('\\');
            }
            text.push(mark);
        })
    }

    /// On one line, as it is logged.
    pub(crate) fn one_line(&self) -> Self {
        self.each(|mark, text| match mark {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            other => text.push(other),
        })
    }

    /// Each further line begins with this.
    pub(crate) fn indented(&self, by: &str) -> Self {
        self.each(|mark, text| {
            text.push(mark);
            if mark == '\n' {
                text.push_str(by);
            }
        })
    }

    /// In lines of so many bytes.
    pub(crate) fn wrapped(&self, width: usize, by: &str) -> Self {
        let places: Vec<usize> = (1..self.text.len().div_ceil(width))
            .map(|line| line * width)
            .filter(|&place| self.text.is_char_boundary(place))
            .collect();
        self.broken(&places, by)
    }

    fn moved(&self, text: String, moved: impl Fn(&Range<usize>) -> Range<usize>) -> Self {
        let whole = self.whole.iter().map(&moved).collect();
        Self { text, whole, core: self.core.iter().map(&moved).collect() }
    }
}

/// Bytes to characters of six bits each.
pub(crate) fn sixes(bytes: &[u8], alphabet: &str, padded: bool) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let mut bits = 0_usize;
        for place in 0..3 {
            bits = bits << 8 | three.get(place).map_or(0, |&byte| usize::from(byte));
        }
        for place in 0..=three.len() {
            text.push(alphabet[bits >> (18 - 6 * place) & 63]);
        }
        if padded {
            text.push_str(&"=="[..3 - three.len()]);
        }
    }
    text
}

fn push_hex(byte: u8, digits: &str, text: &mut String) {
    let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
    text.push_str(&digits[high..=high]);
    text.push_str(&digits[low..=low]);
}

fn push_percent(mark: char, digits: &str, text: &mut String) {
    if mark.is_ascii_alphanumeric() || "-_.~".contains(mark) {
        text.push(mark);
        return;
    }
    for &byte in mark.encode_utf8(&mut [0; 4]).as_bytes() {
        text.push('%');
        push_hex(byte, digits, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(written: &Written) -> Vec<&str> {
        written.whole.iter().map(|range| &written.text[range.clone()]).collect()
    }

    #[test]
    fn base64_is_as_the_standard_has_it() {
        for (plain, encoded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(sixes(plain.as_bytes(), BASE64, true), encoded);
        }
        assert_eq!(sixes(&[0xfb, 0xff], BASE64_URL, false), "-_8");
    }

    #[test]
    fn a_secret_is_found_again_in_each_phase_of_base64() {
        for (before, inside) in [("", "c2VjcmV0"), ("x", "NlY3Jld"), ("xy", "zZWNyZX")] {
            let written = Written::plain(before).secret("secret").base64();
            assert_eq!(told(&written), [inside], "{}", written.text);
        }
    }

    #[test]
    fn a_place_moves_with_its_text() {
        let written = Written::plain("a\"").secret("b&\"c").then("\"d");
        assert_eq!(told(&written.json()), ["b&\\\"c"]);
        assert_eq!(told(&written.json().json()), ["b&\\\\\\\"c"]);
        assert_eq!(told(&written.percent()), ["b%26%22c"]);
        assert_eq!(told(&written.small_percent().percent()), ["b%2526%2522c"]);
        assert_eq!(told(&written.xml()), ["b&amp;&quot;c"]);
        assert_eq!(told(&written.hex()), ["62262263"]);
        assert_eq!(told(&Written::plain(">").with(&written)), ["b&\"c"]);
    }

    #[test]
    fn what_is_broken_inside_a_secret_cuts_it_in_two() {
        let written = Written::plain("=").secret("abcdef").then(";");
        let broken = written.broken(&[4], "\\\n");
        assert_eq!(broken.text, "=abc\\\ndef;");
        assert_eq!(told(&broken), ["abc", "def"]);
        assert_eq!(told(&written.wrapped(3, "\n")), ["ab", "cde", "f"]);
    }
}

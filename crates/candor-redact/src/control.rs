//! Text for a terminal to text for a reader: nothing that moves, colours or hides.

use std::borrow::Cow;

/// Removes terminal sequences, control characters, and signs that turn or hide what a person would
/// see. Line breaks and tabs stay, and a carriage return is a line break.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unwanted) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find(is_unwanted) {
        let (plain, from) = rest.split_at(place);
        cleaned.push_str(plain);
        if from.starts_with('\r') && !from.starts_with("\r\n") {
            cleaned.push('\n');
        }
        // The tags that follow a black flag say whose it is.
        let is_flag = cleaned.ends_with('\u{1f3f4}') && from.starts_with(is_tag);
        let length = if is_flag { tags(from) } else { unwanted(from) };
        if is_flag {
            cleaned.push_str(from.get(..length).unwrap_or_default());
        }
        rest = from.get(length..).unwrap_or_default();
    }
    cleaned.push_str(rest);
    Cow::Owned(cleaned)
}

fn is_unwanted(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}')
        || is_tag(c)
}

const fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

fn tags(text: &str) -> usize {
    text.find(|c| !is_tag(c)).unwrap_or(text.len())
}

/// How many bytes to drop where an unwanted character stands: it, or the whole sequence that it
/// opens. What opens a sequence that never becomes one goes alone, so that no text is lost.
fn unwanted(text: &str) -> usize {
    let mut characters = text.chars();
    let first = characters.next().unwrap_or_default();
    let sequence = match (first, characters.next()) {
        ('\u{1b}', Some('[')) => control_sequence(text, 2),
        ('\u{9b}', _) => control_sequence(text, first.len_utf8()),
        ('\u{1b}', Some(']' | 'P' | '^' | '_' | 'X')) => control_string(text),
        ('\u{1b}', Some('(' | ')' | '*' | '+' | '#' | '%')) => {
            text.is_char_boundary(3).then_some(3)
        }
        ('\u{1b}', Some(' '..='~')) => Some(2),
        _ => None,
    };
    sequence.unwrap_or(first.len_utf8())
}

/// CSI: parameters and signs, then one letter or sign that ends it.
fn control_sequence(text: &str, opening: usize) -> Option<usize> {
    let inside = text.as_bytes().get(opening..)?;
    let length = inside.iter().take_while(|byte| (0x20..=0x3f).contains(*byte)).count();
    let ends = inside.get(length).is_some_and(|byte| (0x40..=0x7e).contains(byte));
    ends.then_some(opening + length + 1)
}

/// OSC and its kin: a text on the same line, ended by BEL or by another escape.
fn control_string(text: &str) -> Option<usize> {
    let line = text.get(2..)?;
    let end = line.find(['\u{7}', '\u{1b}', '\n'])?;
    match line.get(end..)? {
        rest if rest.starts_with('\u{7}') => Some(2 + end + 1),
        rest if rest.starts_with("\u{1b}\\") => Some(2 + end + 2),
        rest if rest.starts_with('\u{1b}') => Some(2 + end),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn terminal_sequences_go_whole() {
        assert_eq!(clean("\u{1b}[1;31mred\u{1b}[0m and\tblue\n"), "red and\tblue\n");
        assert_eq!(clean("\u{1b}]0;title\u{7}text"), "text");
        assert_eq!(clean("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\"), "link");
        assert_eq!(clean("a\u{1b}(Bb\u{9b}2Jc"), "abc");
    }

    #[test]
    fn what_opens_no_sequence_takes_no_text_with_it() {
        assert_eq!(clean("price: 5\n\u{1b}[\n12 345"), "price: 5\n[\n12 345");
        assert_eq!(clean("a\u{1b}]never ended"), "a]never ended");
    }

    #[test]
    fn signs_that_nobody_sees_go_and_scripts_and_emoji_stay() {
        assert_eq!(clean("a\u{202e}b\u{200b}c\u{e0041}d\u{feff}"), "abcd");
        let text = "مرحبا 👩‍👩‍👧 می‌خواهم é 🏴\u{e0067}\u{e0062}\u{e007f} end\n";
        assert_eq!(clean(text), text);
    }

    #[test]
    fn a_carriage_return_is_a_line_break() {
        assert_eq!(clean("id\r\n1\r\n10%\r100%"), "id\n1\n10%\n100%");
    }
}

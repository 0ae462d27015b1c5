//! Regular expression to words, where it is simple enough: `^[A-Z]{3}-\d{4}$` is "three capital
//! letters, a hyphen and four digits".

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use crate::shown;

/// More parts than this are no sentence.
const MOST_PARTS: usize = 6;
const LONGEST: usize = 140;

/// What a whole text must consist of. `None` if that cannot be said shortly.
pub(crate) fn words(pattern: &str) -> Option<String> {
    let parts = parts(pattern)?;
    let mut words = Vec::new();
    for part in &parts {
        words.push(part.words()?);
    }
    let words = shown::joined(&words, "and");
    (words.len() <= LONGEST).then_some(words)
}

/// A text that fits. It is to be checked: it may break other rules.
pub(crate) fn sample(pattern: &str) -> Option<String> {
    let mut sample = String::new();
    let mut next = Next::default();
    for part in parts(pattern)? {
        part.sample(&mut next, &mut sample);
    }
    (!sample.is_empty()).then_some(sample)
}

enum Part {
    Text(String),
    OneOf(Vec<String>),
    Letters { set: Set, least: u32, most: Option<u32> },
    Perhaps(String),
}

/// A set of ASCII characters.
#[expect(clippy::struct_excessive_bools, reason = "it is a set: one for each kind")]
#[derive(Default)]
struct Set {
    capitals: bool,
    smalls: bool,
    digits: bool,
    others: Vec<char>,
    /// Hexadecimal digits, of one case or both.
    is_hex: bool,
}

/// Which letter and which digit comes next in a sample.
#[derive(Default)]
struct Next {
    letter: u8,
    digit: u8,
}

fn parts(pattern: &str) -> Option<Vec<Part>> {
    // As in the dialect of JSON Schema, `\d` and `\w` are ASCII.
    let hir = ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern).ok()?;
    let HirKind::Concat(all) = hir.kind() else { return None };
    let [first, inner @ .., last] = all.as_slice() else { return None };
    if !matches!(first.kind(), HirKind::Look(Look::Start))
        || !matches!(last.kind(), HirKind::Look(Look::End))
    {
        return None;
    }
    let mut parts = Vec::new();
    inner.iter().try_for_each(|hir| add(hir, &mut parts))?;
    ((1..=MOST_PARTS).contains(&parts.len())).then_some(parts)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "whatever else there is has no words")]
fn add(hir: &Hir, parts: &mut Vec<Part>) -> Option<()> {
    match hir.kind() {
        HirKind::Capture(capture) => add(&capture.sub, parts)?,
        HirKind::Concat(all) => all.iter().try_for_each(|hir| add(hir, parts))?,
        HirKind::Literal(literal) => {
            parts.push(Part::Text(String::from_utf8(literal.0.to_vec()).ok()?));
        }
        HirKind::Class(class) => {
            parts.push(Part::Letters { set: Set::of(class)?, least: 1, most: Some(1) });
        }
        HirKind::Repetition(repetition) => match repetition.sub.kind() {
            HirKind::Class(class) => parts.push(Part::Letters {
                set: Set::of(class)?,
                least: repetition.min,
                most: repetition.max,
            }),
            HirKind::Literal(literal) if (repetition.min, repetition.max) == (0, Some(1)) => {
                parts.push(Part::Perhaps(String::from_utf8(literal.0.to_vec()).ok()?));
            }
            _ => return None,
        },
        HirKind::Alternation(all) => {
            let texts: Option<Vec<String>> = all
                .iter()
                .map(|hir| match hir.kind() {
                    HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).ok(),
                    _ => None,
                })
                .collect();
            parts.push(Part::OneOf(texts?));
        }
        HirKind::Empty | HirKind::Look(_) => return None,
    }
    Some(())
}

impl Part {
    fn words(&self) -> Option<String> {
        Some(match self {
            Self::Text(text) => spelt(text),
            Self::Perhaps(text) => format!("perhaps {}", spelt(text)),
            Self::OneOf(texts) if texts.len() <= 10 => {
                let texts: Vec<String> = texts.iter().map(|text| shown::quoted(text)).collect();
                format!("one of {}", texts.join(", "))
            }
            Self::OneOf(_) => return None,
            Self::Letters { set, least, most } => match (*least, *most) {
                (1, Some(1)) => set.noun(false),
                (0, Some(1)) => format!("perhaps {}", set.noun(false)),
                (least, Some(most)) if least == most => {
                    format!("{} {}", count(least), set.noun(true))
                }
                (0, Some(most)) => format!("at most {most} {}", set.noun(true)),
                (least, Some(most)) => format!("{least} to {most} {}", set.noun(true)),
                (0, None) => format!("any number of {}", set.noun(true)),
                (1, None) => format!("one or more {}", set.noun(true)),
                (least, None) => format!("at least {} {}", count(least), set.noun(true)),
            },
        })
    }

    fn sample(&self, next: &mut Next, sample: &mut String) {
        match self {
            Self::Text(text) => sample.push_str(text),
            Self::Perhaps(_) => {}
            Self::OneOf(texts) => texts.first().into_iter().for_each(|text| sample.push_str(text)),
            Self::Letters { set, least, most } => {
                let usual = if *least <= 1 && *most != Some(1) { 3 } else { *least };
                let count = most.map_or(usual, |most| usual.min(most)).min(64);
                (0..count).for_each(|_| sample.push(set.letter(next)));
            }
        }
    }
}

impl Set {
    fn of(class: &Class) -> Option<Self> {
        const MOST_OTHERS: usize = 6;
        let Class::Bytes(class) = class else { return None };
        let mut set = Self::default();
        let mut loose: Vec<u8> = Vec::new();
        for range in class.ranges() {
            if range.end() > 0x7e || range.start() < b' ' {
                return None;
            }
            loose.extend(range.start()..=range.end());
        }
        set.capitals = take(&mut loose, b'A'..=b'Z');
        set.smalls = take(&mut loose, b'a'..=b'z');
        set.digits = take(&mut loose, b'0'..=b'9');
        if set.digits && !set.capitals && !set.smalls {
            let capitals = take(&mut loose, b'A'..=b'F');
            set.is_hex = take(&mut loose, b'a'..=b'f') || capitals;
        }
        set.others = loose.into_iter().map(char::from).collect();
        (set.others.len() <= MOST_OTHERS).then_some(set)
    }

    fn noun(&self, is_plural: bool) -> String {
        let mut nouns = Vec::new();
        let mut add = |noun: &str| {
            nouns.push(if is_plural { format!("{noun}s") } else { format!("a {noun}") });
        };
        match (self.capitals, self.smalls) {
            (true, true) => add("letter"),
            (true, false) => add("capital letter"),
            (false, true) => add("small letter"),
            (false, false) => {}
        }
        if self.is_hex {
            add("hexadecimal digit");
        } else if self.digits {
            add("digit");
        }
        let others = self.others.iter().map(char::to_string);
        nouns.extend(others.map(|it| if it == " " { "spaces".to_owned() } else { it }));
        shown::joined(&nouns, "or")
    }

    fn letter(&self, next: &mut Next) -> char {
        if self.capitals || self.smalls {
            let first = if self.capitals { b'A' } else { b'a' };
            next.letter += 1;
            return char::from(first + (next.letter - 1) % 26);
        }
        if self.digits {
            next.digit = next.digit % 9 + 1;
            return char::from(b'0' + next.digit);
        }
        self.others.first().copied().unwrap_or('x')
    }
}

/// Takes a range out of the bytes, if it is in there as a whole.
fn take(bytes: &mut Vec<u8>, range: std::ops::RangeInclusive<u8>) -> bool {
    let is_whole = range.clone().all(|byte| bytes.contains(&byte));
    if is_whole {
        bytes.retain(|byte| !range.contains(byte));
    }
    is_whole
}

fn count(count: u32) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let word = usize::try_from(count).ok().and_then(|at| WORDS.get(at));
    word.map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

fn spelt(text: &str) -> String {
    match text {
        "-" => "a hyphen".to_owned(),
        "." => "a dot".to_owned(),
        "_" => "an underscore".to_owned(),
        "/" => "a slash".to_owned(),
        ":" => "a colon".to_owned(),
        "," => "a comma".to_owned(),
        "@" => "an at sign".to_owned(),
        "+" => "a plus sign".to_owned(),
        " " => "a space".to_owned(),
        _ => shown::quoted(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{sample, words};

    #[test]
    fn simple_patterns_are_said_in_words() {
        for (pattern, said, like) in [
            (r"^[A-Z]{3}-\d{4}$", "three capital letters, a hyphen and four digits", "ABC-1234"),
            (r"^[a-z0-9_]+$", "one or more small letters, digits or _", "abc"),
            (r"^(asc|desc)$", "one of \"asc\", \"desc\"", "asc"),
            (r"^#[0-9a-fA-F]{6}$", "\"#\" and six hexadecimal digits", "#123456"),
            (r"^v\d+\.\d+$", "\"v\", one or more digits, a dot and one or more digits", "v123.456"),
            (r"^\+?[0-9]{7,15}$", "perhaps a plus sign and 7 to 15 digits", "1234567"),
        ] {
            assert_eq!(words(pattern).as_deref(), Some(said), "{pattern}");
            assert_eq!(sample(pattern).as_deref(), Some(like), "{pattern}");
        }
    }

    #[test]
    fn others_are_left_to_their_description() {
        for pattern in ["[a-z]", "^(a+)+$", r"^\S+$", "^(?:a|b+)$", "(", "^$", ""] {
            assert_eq!(words(pattern), None, "{pattern}");
        }
    }
}

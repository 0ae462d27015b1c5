//! `integer(1..10)[]` to what a value may be.

use std::fmt;

use super::mistake::{Flaw, nearest, perhaps, quoted};
use super::pattern::Pattern;
use super::rule::{self, Range, Rule};
use super::text::{Cursor, Word};

/// What a value may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A text of so many characters.
    String(Range<u64>),
    /// A text that holds a pattern.
    Pattern(Pattern),
    Integer(Range<i64>),
    Number(Range<Decimal>),
    Boolean,
    /// An object with any members.
    Object,
    /// Any JSON value.
    Json,
    /// One of these texts.
    Choice(Vec<String>),
    /// A list of so many values of one kind, which is no list.
    List(Box<Self>, Range<u64>),
}

/// A number, and how its author wrote it.
#[derive(Clone, Debug)]
pub(crate) struct Decimal {
    text: String,
    value: f64,
}

/// The names of types, as a sentence lists them.
const NAMES: [&str; 6] = ["string", "integer", "number", "boolean", "object", "json"];
const TYPES: &str = "Types are string, integer, number, boolean, object, json, one of a|b|c, \
                     or any of these with [].";

/// What others call a type.
const OTHERS: &[(&[&str], &str)] = &[
    (&["int", "long", "whole", "count"], "integer"),
    (&["float", "double", "decimal", "num"], "number"),
    (&["str", "text", "char", "date", "path", "file", "url"], "string"),
    (&["bool", "flag"], "boolean"),
    (&["dict", "map", "hash", "struct", "record"], "object"),
    (&["any", "value", "null", "none"], "json"),
    (&["array", "list", "strings"], "string[]"),
    (&["enum", "choice", "choices"], "a|b|c"),
];

impl Decimal {
    pub(super) fn read(text: &str) -> Option<Self> {
        let value = serde_json::from_str::<serde_json::Number>(text).ok()?.as_f64()?;
        value.is_finite().then(|| Self { text: text.to_owned(), value })
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.value.total_cmp(&other.value).is_eq()
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Is this the name of a type?
pub(super) fn is_name(word: &str) -> bool {
    NAMES.contains(&word)
}

/// Reads the type of `name`, its rule and its brackets. `None` if it is none.
pub(super) fn read(cursor: &mut Cursor<'_>, name: &str, flaws: &mut Vec<Flaw>) -> Option<Kind> {
    let word = cursor.until(|c| c.is_whitespace() || matches!(c, '(' | ')' | '[' | '='));
    let next = {
        let mut ahead = cursor.clone();
        ahead.skip_spaces();
        ahead.word().text
    };
    let plain = plain(&word, name, &next, flaws);
    let kind = match rule::read(cursor, flaws) {
        None => plain,
        Some(rule) => plain.and_then(|plain| ruled(plain, &word.text, rule, flaws)),
    };
    let bracket = cursor.spot();
    if !cursor.eat('[') {
        return kind;
    }
    if !cursor.eat(']') {
        let right = format!("Write {}[] for a list.", word.text);
        flaws.push(Flaw::new(bracket, "\"[\" stands without \"]\".", right));
        return None;
    }
    let count = match rule::read(cursor, flaws) {
        None => Some(Range::any()),
        Some(rule) => rule::count(rule, "the count of a list", flaws),
    };
    let again = cursor.spot();
    if cursor.eat('[') {
        let right = "Use json, or describe the arguments in a file with @schema.";
        flaws.push(Flaw::new(again, "lists of lists are not known here.", right));
        cursor.word();
        return None;
    }
    Some(Kind::List(Box::new(kind?), count?))
}

/// A type without rule and brackets. What stands next is asked only to guess what was meant.
fn plain(word: &Word, name: &str, next: &str, flaws: &mut Vec<Flaw>) -> Option<Kind> {
    let said = || format!("{} is not a type.", quoted(&word.text));
    let flaw = match word.text.as_str() {
        "string" => return Some(Kind::String(Range::any())),
        "integer" => return Some(Kind::Integer(Range::any())),
        "number" => return Some(Kind::Number(Range::any())),
        "boolean" => return Some(Kind::Boolean),
        "object" => return Some(Kind::Object),
        "json" => return Some(Kind::Json),
        "" => {
            let said = format!("no type stands right behind {}.", quoted(&format!("{name}:")));
            let right = if NAMES.iter().any(|it| next.starts_with(it)) {
                format!("Write {name}:{next}, without a space.")
            } else {
                format!("Write {name}:string, for example. {TYPES}")
            };
            Flaw::new(word.spot, said, right)
        }
        text if text.contains('|') => return choices(word, flaws),
        text if next.starts_with('|') => {
            let right = format!("Write choices without spaces: {text}|other.");
            Flaw::new(word.spot, said(), right)
        }
        text if text.ends_with('?') => {
            let of = text.trim_end_matches('?');
            Flaw::new(word.spot, said(), format!("To make it optional, write {name}?:{of}."))
        }
        text => {
            let other = OTHERS.iter().find(|(words, _)| words.contains(&text));
            let other = other.map(|(_, right)| *right).or_else(|| nearest(text, NAMES));
            let meant = other.map_or_else(String::new, |it| format!("Did you mean {it}? "));
            Flaw::new(word.spot, said(), format!("{meant}{TYPES}"))
        }
    };
    flaws.push(flaw);
    None
}

fn choices(word: &Word, flaws: &mut Vec<Flaw>) -> Option<Kind> {
    let choices: Vec<&str> = word.text.split('|').collect();
    let flaw = if choices.contains(&"") {
        Flaw::new(
            word.spot,
            format!("{} has an empty choice.", quoted(&word.text)),
            "Write a|b|c, or make the argument optional.",
        )
    } else if choices.iter().all(|choice| is_name(choice) || *choice == "null") {
        Flaw::new(
            word.spot,
            format!("{} would be a choice of these words.", quoted(&word.text)),
            "Write json for a value of more than one type; write name?:type for one that may be \
             left out.",
        )
    } else if let Some(twice) =
        choices.iter().enumerate().find(|(at, it)| choices.iter().take(*at).any(|one| one == *it))
    {
        Flaw::new(
            word.spot,
            format!("the choice {} is there twice.", quoted(twice.1)),
            "Write it once.",
        )
    } else {
        return Some(Kind::Choice(choices.into_iter().map(str::to_owned).collect()));
    };
    flaws.push(flaw);
    None
}

/// A type with its rule.
fn ruled(plain: Kind, word: &str, rule: Rule, flaws: &mut Vec<Flaw>) -> Option<Kind> {
    match (plain, rule) {
        (_, Rule::Nothing(_)) => None,
        (Kind::String(_), Rule::Pattern(read, _)) => read.map(Kind::Pattern),
        (Kind::String(_), rule) => {
            rule::count(rule, "the length of a string", flaws).map(Kind::String)
        }
        (Kind::Integer(_), Rule::Range(text)) => {
            let read = |text: &str| text.parse().ok().filter(|_| Decimal::read(text).is_some());
            rule::range(&text, "an integer", read, flaws).map(Kind::Integer)
        }
        (Kind::Number(_), Rule::Range(text)) => {
            rule::range(&text, "a number", Decimal::read, flaws).map(Kind::Number)
        }
        (Kind::Integer(_) | Kind::Number(_), Rule::Pattern(_, spot)) => {
            flaws.push(Flaw::new(
                spot,
                format!("a /pattern/ is a rule for strings, not for {word}."),
                format!("Write string, or a range: {word}(1..10)."),
            ));
            None
        }
        (Kind::Choice(_), rule) => {
            let right = "Leave the rule out; the choices are the rule.";
            flaws.push(Flaw::new(rule.spot(), "choices take no rule.", right));
            None
        }
        (_, rule) => {
            let said = format!("{word} takes no rule.");
            let right = "Leave it out; string, integer, number and lists take one.";
            flaws.push(Flaw::new(rule.spot(), said, right));
            None
        }
    }
}

impl fmt::Display for Kind {
    /// As the end of "is not …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::String(_) | Self::Pattern(_) => "a string",
            Self::Integer(_) => "an integer",
            Self::Number(_) => "a number",
            Self::Boolean => "a boolean",
            Self::Object => "an object",
            Self::Json => "JSON",
            Self::Choice(_) => "one of the choices",
            Self::List(..) => "a list",
        })
    }
}

/// What to say of a word that is not among the choices.
pub(super) fn choose(said: &str, choices: &[String]) -> String {
    let meant = perhaps(said, choices.iter().map(String::as_str));
    format!("{meant}Choices are {}.", choices.join(", "))
}

//! `@arg` and `@out`: names, each with its type.

use super::kind::{self, Kind};
use super::mistake::{Flaw, quoted};
use super::text::{Cursor, Spot, Word};
use super::value;

/// An argument of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) name: String,
    /// A default makes it so, too.
    pub(crate) is_optional: bool,
    pub(crate) kind: Kind,
    /// JSON text.
    pub(crate) default: Option<String>,
    pub(crate) description: Option<String>,
}

/// A member of the object that a tool prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) is_optional: bool,
    pub(crate) kind: Kind,
    pub(crate) description: Option<String>,
}

impl Argument {
    /// Can `$arg_<name>` hold it?
    pub(crate) fn has_variable(&self) -> bool {
        !self.name.starts_with(|first: char| first.is_ascii_digit())
            && self.name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
    }
}

/// A name with its type, before it is known whether an argument or a field is meant.
struct Item {
    name: String,
    spot: Spot,
    is_optional: bool,
    kind: Option<Kind>,
    default: Option<String>,
    /// Where a default stands.
    sign: Option<Spot>,
}

/// Something with a name, which no other may have.
pub(super) struct Named<T> {
    pub(super) name: String,
    pub(super) spot: Spot,
    /// `None` if it had a flaw.
    pub(super) what: Option<T>,
}

/// Reads the rest of an `@arg`.
pub(super) fn argument(cursor: &mut Cursor<'_>, flaws: &mut Vec<Flaw>) -> Option<Named<Argument>> {
    cursor.skip_spaces();
    if cursor.peek().is_none() {
        let right = "Write @arg name:string, for example.";
        flaws.push(Flaw::new(cursor.spot(), "@arg declares nothing.", right));
        return None;
    }
    let found = flaws.len();
    let Item { name, spot, is_optional, kind, default, .. } = item(cursor, flaws)?;
    // Behind a flaw nobody knows where the description begins.
    let description = if flaws.len() == found { described(cursor, flaws) } else { None };
    let what = kind.map(|kind| Argument {
        name: name.clone(),
        is_optional: is_optional || default.is_some(),
        kind,
        default,
        description,
    });
    Some(Named { name, spot, what })
}

/// Reads the rest of an `@out`.
pub(super) fn fields(cursor: &mut Cursor<'_>, flaws: &mut Vec<Flaw>) -> Vec<Named<Field>> {
    let mut fields: Vec<Named<Field>> = Vec::new();
    let before = flaws.len();
    loop {
        cursor.skip_spaces();
        if cursor.peek().is_none() {
            break;
        }
        if !fields.is_empty() && !is_field(cursor) {
            describe(&mut fields, cursor, flaws);
            break;
        }
        let found = flaws.len();
        let Some(item) = item(cursor, flaws) else {
            cursor.skip_spaces();
            // One word without a type among fields, or words that are no fields at all?
            if is_field(cursor) {
                continue;
            }
            break;
        };
        let Item { name, spot, is_optional, kind, sign, .. } = item;
        if let Some(sign) = sign {
            let right = format!("Leave it out; {name}?: is a field that may be missing.");
            flaws.push(Flaw::new(sign, "a field of @out has no default.", right));
        }
        if flaws.len() > found {
            cursor.word();
        }
        let name_of = name.clone();
        let what = kind.map(|kind| Field { name: name_of, is_optional, kind, description: None });
        fields.push(Named { name, spot, what });
    }
    if fields.is_empty() && flaws.len() == before {
        let right = "Write @out name:string, for example.";
        flaws.push(Flaw::new(cursor.spot(), "@out declares nothing.", right));
    }
    fields
}

/// Does the next word look like `name:type`?
fn is_field(cursor: &Cursor<'_>) -> bool {
    let word = cursor.clone().word().text;
    word.split_once(':').is_some_and(|(name, kind)| {
        let name = name.strip_suffix('?').unwrap_or(name);
        !kind.is_empty() && !name.is_empty() && name.chars().all(is_letter)
    })
}

/// What follows the only field describes it. Behind several, nobody could tell which one.
fn describe(fields: &mut [Named<Field>], cursor: &mut Cursor<'_>, flaws: &mut Vec<Flaw>) {
    let word = cursor.clone().word();
    let rest = cursor.rest();
    let flaw = match fields {
        [only] if rest.contains(char::is_whitespace) => {
            let description = described(cursor, flaws);
            if let Some(field) = &mut only.what {
                field.description = description;
            }
            return;
        }
        [only] => Flaw::new(
            word.spot,
            format!("{} has no type.", quoted(&word.text)),
            format!(
                "Write {}:string for a field; describe {} in two words or more.",
                word.text, only.name
            ),
        ),
        _ => Flaw::new(
            word.spot,
            format!("{} is no field.", quoted(&word.text)),
            "Write name:type for a field; a field with a description has an @out of its own.",
        ),
    };
    flaws.push(flaw);
}

/// The description, which is all the rest.
fn described(cursor: &mut Cursor<'_>, flaws: &mut Vec<Flaw>) -> Option<String> {
    cursor.skip_spaces();
    let word = cursor.clone().word();
    let key = word.text.split_once('=').map(|(key, _)| key);
    if key.is_some_and(|key| !key.is_empty() && key.chars().all(is_letter)) {
        let right = "Behind the type stands a description, which cannot begin so.";
        flaws.push(Flaw::new(
            word.spot,
            format!("{} is not known here.", quoted(&word.text)),
            right,
        ));
        return None;
    }
    let rest = cursor.rest();
    cursor.until(|_| false);
    (!rest.is_empty()).then_some(rest)
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.')
}

/// Reads `name[?]:type[=default]`. `None` if there is no telling what it would be.
fn item(cursor: &mut Cursor<'_>, flaws: &mut Vec<Flaw>) -> Option<Item> {
    let word = cursor.until(|letter| letter.is_whitespace() || letter == ':');
    let spot = word.spot;
    let (name, is_optional) = match word.text.strip_suffix('?') {
        Some(name) => (name.to_owned(), true),
        None => (word.text.clone(), false),
    };
    if !cursor.eat(':') {
        flaws.push(untyped(&word, &name));
        return None;
    }
    let is_named = name_is_one(&name, spot, flaws);
    let kind = kind::read(cursor, &word.text, flaws);
    let sign = cursor.spot();
    let has_default = cursor.peek() == Some('=');
    let default = value::read(cursor, kind.as_ref(), flaws);
    if !cursor.is_between_words() {
        let rest = cursor.word();
        flaws.push(glued(&rest, &name));
    }
    Some(Item {
        kind: kind.filter(|_| is_named),
        name,
        spot,
        is_optional,
        default,
        sign: has_default.then_some(sign),
    })
}

fn untyped(word: &Word, name: &str) -> Flaw {
    let said = format!("{} has no type.", quoted(&word.text));
    let optional = if word.text.ends_with('?') { "?" } else { "" };
    let letters = name.chars().skip_while(|it| !is_letter(*it)).take_while(|it| is_letter(*it));
    let name: String = letters.collect();
    let name = if name.chars().all(|it| it.is_ascii_digit()) { "name" } else { &name };
    Flaw::new(word.spot, said, format!("Write {name}{optional}:string, for example."))
}

fn name_is_one(name: &str, spot: Spot, flaws: &mut Vec<Flaw>) -> bool {
    const LONGEST: usize = 64;
    let said = match name.chars().find(|letter| !is_letter(*letter)) {
        _ if name.is_empty() => "no name stands before \":\".".to_owned(),
        Some(letter) => {
            format!("{} has {} in its name.", quoted(name), quoted(&letter.to_string()))
        }
        None if name.len() > LONGEST => format!("{} is too long for a name.", quoted(name)),
        None => return true,
    };
    let right = "A name has 1 to 64 letters (a to z, A to Z), digits, _, - and .; some hosts take \
                 no others.";
    flaws.push(Flaw::new(spot, said, right));
    false
}

fn glued(rest: &Word, name: &str) -> Flaw {
    let said = format!("{} stands right behind the type.", quoted(&rest.text));
    let right = if rest.text.starts_with('?') {
        format!("To make it optional, write {name}?: before the type.")
    } else {
        "Put a space between the type and its description.".to_owned()
    };
    Flaw::new(rest.spot, said, right)
}

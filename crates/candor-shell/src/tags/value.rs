//! What stands behind `=` to a value of its type, as JSON text.

use std::fmt::Display;

use serde_json::Value;
use serde_json::value::RawValue;

use super::kind::{self, Decimal, Kind};
use super::mistake::{Flaw, cut};
use super::rule::Range;
use super::text::{Cursor, Word};

/// Reads a default, if one follows. Without a kind, only its end is found.
pub(super) fn read(
    cursor: &mut Cursor<'_>,
    kind: Option<&Kind>,
    flaws: &mut Vec<Flaw>,
) -> Option<String> {
    let sign = cursor.spot();
    if !cursor.eat('=') {
        return None;
    }
    let is_text = matches!(kind, Some(Kind::String(_) | Kind::Pattern(_) | Kind::Choice(_)));
    let is_json = match cursor.peek() {
        Some('"') => true,
        Some('[' | '{') => !is_text,
        _ => false,
    };
    let word = if is_json { json(cursor) } else { Some(cursor.word()) };
    let Some(word) = word else {
        let right = r#"Write it as in =["a", "b"], ={"a": 1} or ="two words"."#;
        flaws.push(Flaw::new(sign, "the default is not JSON.", right));
        cursor.until(|_| false);
        return None;
    };
    let kind = kind?;
    let flaw = if word.text.is_empty() {
        let right = r#"Write the default right behind it; an empty text is =""."#;
        Flaw::new(sign, "no default stands behind \"=\".", right)
    } else {
        match judge(&word, kind, is_text && !is_json) {
            Ok(json) => return Some(json),
            Err(Unfit { said, right }) => Flaw::new(word.spot, said, right),
        }
    };
    flaws.push(flaw);
    None
}

/// Reads one JSON value.
fn json(cursor: &mut Cursor<'_>) -> Option<Word> {
    let rest = cursor.rest();
    let mut values = serde_json::Deserializer::from_str(&rest).into_iter::<&RawValue>();
    let value = values.next()?.ok()?;
    Some(cursor.take(value.get().chars().count()))
}

/// Why a value is not one of its kind, and what would be.
struct Unfit {
    said: String,
    right: String,
}

fn judge(word: &Word, kind: &Kind, is_bare_text: bool) -> Result<String, Unfit> {
    let said = format!("the default {}", cut(&word.text));
    let value = if is_bare_text {
        Value::from(word.text.as_str())
    } else {
        let Ok(value) = serde_json::from_str(&word.text) else { return unfit(&said, kind) };
        value
    };
    fits(&value, kind, &said)?;
    Ok(if is_bare_text { value.to_string() } else { word.text.clone() })
}

fn unfit<T>(said: &str, kind: &Kind) -> Result<T, Unfit> {
    Err(Unfit { said: format!("{said} is not {kind}."), right: example(kind) })
}

/// A default of that kind.
fn example(kind: &Kind) -> String {
    let written = match kind {
        Kind::String(_) | Kind::Pattern(_) => r#"="two words""#,
        Kind::Integer(_) => "=2",
        Kind::Number(_) => "=0.5",
        Kind::Boolean => "=true or =false",
        Kind::Object => r#"={"a": 1}"#,
        Kind::Json => r#"="text", =2, =true, =null, =[1] or ={"a": 1}"#,
        Kind::Choice(choices) => return kind::choose("", choices),
        Kind::List(..) => r#"=["a", "b"]"#,
    };
    format!("Write {written}, for example.")
}

/// Is this value one of the kind?
fn fits(value: &Value, kind: &Kind, said: &str) -> Result<(), Unfit> {
    match (kind, value) {
        (Kind::Json, _) | (Kind::Boolean, Value::Bool(_)) | (Kind::Object, Value::Object(_)) => {
            Ok(())
        }
        (Kind::String(length), Value::String(text)) => {
            let have = text.chars().count();
            within(length, &(have as u64), || have_outside(said, have, "character"))
        }
        (Kind::Pattern(pattern), Value::String(text)) if pattern.is_in(text) => Ok(()),
        (Kind::Pattern(pattern), Value::String(_)) => Err(Unfit {
            said: format!("{said} does not match /{}/.", pattern.as_str()),
            right: "Write one that does, or change the pattern.".to_owned(),
        }),
        (Kind::Choice(choices), Value::String(text)) if choices.contains(text) => Ok(()),
        (Kind::Choice(choices), Value::String(text)) => Err(Unfit {
            said: format!("{said} is not {kind}."),
            right: kind::choose(text, choices),
        }),
        (Kind::Integer(range), Value::Number(number)) => match number.as_i64() {
            Some(number) => within(range, &number, || format!("{said} is")),
            None => unfit(said, kind),
        },
        (Kind::Number(range), Value::Number(number)) => match Decimal::read(&number.to_string()) {
            Some(number) => within(range, &number, || format!("{said} is")),
            None => unfit(said, kind),
        },
        (Kind::List(of, count), Value::Array(values)) => {
            let have = values.len();
            within(count, &(have as u64), || have_outside(said, have, "value"))?;
            values.iter().try_for_each(|value| {
                let value_said = format!("{} in {said}", cut(&value.to_string()));
                fits(value, of, &value_said)
            })
        }
        _ => unfit(said, kind),
    }
}

fn have_outside(said: &str, count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{said} has {count} {what}{plural}, which is")
}

fn within<T: PartialOrd + Display>(
    range: &Range<T>,
    value: &T,
    said: impl Fn() -> String,
) -> Result<(), Unfit> {
    if range.holds(value) {
        return Ok(());
    }
    let said = format!("{} outside ({range}).", said());
    Err(Unfit { said, right: "Write a default within the rule, or change the rule.".to_owned() })
}

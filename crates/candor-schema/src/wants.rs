//! Nodes to a noun: what kind of value is wanted, as one says it.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use crate::compiled::Compiled;
use crate::fault::label;
use crate::formats;
use crate::node::{Id, Leaf, Node, Types};
use crate::number::order;
use crate::pattern;
use crate::shown;

/// What nodes that hold together ask of one value.
#[derive(Clone, Default)]
pub(crate) struct Wants<'a> {
    pub(crate) types: Option<Types>,
    pub(crate) values: Option<Vec<&'a Value>>,
    minimum: Option<(&'a Number, bool)>,
    maximum: Option<(&'a Number, bool)>,
    multiple_of: Option<&'a Leaf>,
    min_length: Option<u64>,
    max_length: Option<u64>,
    pattern: Option<&'a Leaf>,
    format: Option<&'a Leaf>,
    entries: Option<Id>,
    has_members: bool,
    required: Vec<&'a str>,
    pub(crate) description: Option<&'a str>,
    pub(crate) examples: Vec<&'a Value>,
    any_of: Vec<Id>,
}

impl<'a> Wants<'a> {
    /// What these nodes, with all that must hold beside them, say.
    pub(crate) fn of(schema: &'a Compiled, ids: &[Id]) -> Self {
        let mut wants = Self::default();
        let mut seen: Vec<Id> = Vec::new();
        for id in ids.iter().flat_map(|id| schema.always(*id)) {
            if !seen.contains(&id) {
                seen.push(id);
                wants.add(schema.node(id));
            }
        }
        wants
    }

    fn add(&mut self, node: &'a Node) {
        if let Some(types) = node.types {
            self.types = Some(self.types.map_or(types, |before| meet(before, types)));
        }
        if let Some(constant) = &node.constant {
            self.values = Some(vec![constant]);
        }
        if let Some(values) = &node.values
            && self.values.is_none()
        {
            self.values = Some(values.iter().collect());
        }
        let number = &node.number;
        let least = [(&number.minimum, true), (&number.exclusive_minimum, false)];
        for (limit, is_in) in least {
            if let Some(limit) = limit {
                self.minimum = Some(tighter(self.minimum, (limit, is_in), Ordering::Greater));
            }
        }
        let most = [(&number.maximum, true), (&number.exclusive_maximum, false)];
        for (limit, is_in) in most {
            if let Some(limit) = limit {
                self.maximum = Some(tighter(self.maximum, (limit, is_in), Ordering::Less));
            }
        }
        self.multiple_of = self.multiple_of.or(number.multiple_of.as_ref());
        let string = &node.string;
        self.min_length = self.min_length.max(string.min_length);
        self.max_length = match (self.max_length, string.max_length) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        self.pattern = self.pattern.or(string.pattern.as_ref());
        self.format = self.format.or(string.format.as_ref());
        self.entries = self.entries.or(node.array.items.map(|(id, _)| id));
        let object = &node.object;
        self.has_members |= !object.properties.is_empty() || !object.required.is_empty();
        self.required.extend(object.required.iter().map(String::as_str));
        self.description = self.description.or(node.words.description.as_deref());
        self.description = self.description.or(node.words.title.as_deref());
        self.examples.extend(&node.words.examples);
        if self.any_of.is_empty() {
            let choices = if node.any_of.is_empty() { &node.one_of } else { &node.any_of };
            self.any_of.clone_from(choices);
        }
    }

    /// Leaves out the values that the schema has.
    pub(crate) fn hide(&mut self) {
        self.values = None;
        self.examples.clear();
    }

    /// What is wanted, by its type alone: `an integer`.
    pub(crate) fn bare(&self) -> Option<String> {
        if let Some(values) = &self.values {
            return listed(values, true);
        }
        let types = self.kinds();
        let nouns: Vec<String> = [
            (types.integer && !types.number, "an integer"),
            (types.number, "a number"),
            (types.string, "a string"),
            (types.boolean, "true or false"),
            (types.array, "an array"),
            (types.object, "an object"),
            (types.null, "null"),
        ]
        .into_iter()
        .filter(|(is, _)| *is)
        .map(|(_, noun)| noun.to_owned())
        .collect();
        (!nouns.is_empty()).then(|| shown::joined(&nouns, "or"))
    }

    /// The types that are wanted, said or implied.
    pub(crate) fn kinds(&self) -> Types {
        self.types.unwrap_or_else(|| {
            let number = self.minimum.is_some() || self.maximum.is_some();
            Types {
                number: number || self.multiple_of.is_some(),
                string: self.min_length.is_some()
                    || self.max_length.is_some()
                    || self.pattern.is_some()
                    || self.format.is_some(),
                array: self.entries.is_some(),
                object: self.has_members,
                ..Types::default()
            }
        })
    }

    /// What is wanted, as a noun: `an integer from 1 to 10`. `None` where nothing is said.
    pub(crate) fn noun(&self, schema: &Compiled) -> Option<String> {
        if let Some(values) = &self.values {
            return listed(values, true);
        }
        let types = self.kinds();
        let mut nouns = Vec::new();
        if types.integer || types.number {
            nouns.push(self.number_noun(types.number));
        }
        if types.string {
            nouns.push(self.string_noun());
        }
        if types.boolean {
            nouns.push("true or false".to_owned());
        }
        if types.array {
            nouns.push(self.array_noun(schema));
        }
        if types.object {
            nouns.push(self.object_noun());
        }
        if types.null {
            nouns.push("null".to_owned());
        }
        if nouns.is_empty() && !self.any_of.is_empty() {
            let kinds: Vec<String> = self
                .any_of
                .iter()
                .filter_map(|id| {
                    Wants { any_of: Vec::new(), ..Wants::of(schema, &[*id]) }.noun(schema)
                })
                .take(4)
                .collect();
            if kinds.len() == self.any_of.len() {
                nouns = kinds;
                nouns.dedup();
            }
        }
        (!nouns.is_empty()).then(|| shown::joined(&nouns, "or"))
    }

    fn number_noun(&self, any: bool) -> String {
        let noun = if any { "a number" } else { "an integer" };
        let noun = match (self.minimum, self.maximum) {
            (Some((least, true)), Some((most, true))) => format!("{noun} from {least} to {most}"),
            (least, most) => {
                let mut limits = Vec::new();
                limits.extend(least.map(|(limit, is_in)| {
                    format!("{} {limit}", if is_in { "of at least" } else { "greater than" })
                }));
                limits.extend(most.map(|(limit, is_in)| {
                    let of = if limits.is_empty() { "of at most" } else { "at most" };
                    format!("{} {limit}", if is_in { of } else { "less than" })
                }));
                match limits.as_slice() {
                    [] => noun.to_owned(),
                    limits => format!("{noun} {}", shown::joined(limits, "and")),
                }
            }
        };
        match self.multiple_of {
            None => noun,
            Some(leaf) if noun == "a number" => format!("a multiple of {}", leaf.value()),
            Some(leaf) => format!("{noun} that is a multiple of {}", leaf.value()),
        }
    }

    fn string_noun(&self) -> String {
        if let Some(noun) = self.format.and_then(|it| formats::noun(it.text())) {
            return noun.to_owned();
        }
        if let Some(words) = self.pattern.and_then(|it| pattern::words(it.text())) {
            return words;
        }
        if let (Some(pattern), None) = (self.pattern, self.description) {
            return format!("a string that matches {}", shown::plain(pattern.text(), 60));
        }
        match (self.min_length, self.max_length) {
            (Some(least), Some(most)) if least == most => format!("a string of {least} characters"),
            (Some(least), Some(most)) if least > 0 => {
                format!("a string of {least} to {most} characters")
            }
            (_, Some(most)) => format!("a string of at most {most} characters"),
            (Some(1), None) => "a string that is not empty".to_owned(),
            (Some(least), None) if least > 0 => format!("a string of at least {least} characters"),
            _ => "a string".to_owned(),
        }
    }

    fn object_noun(&self) -> String {
        const MOST: usize = 5;
        let names: Vec<String> = self.required.iter().take(MOST).map(|name| label(name)).collect();
        match self.required.len() {
            0 => "an object".to_owned(),
            count if count > MOST => {
                format!("an object with {} and {} more", names.join(", "), count - MOST)
            }
            _ => format!("an object with {}", shown::joined(&names, "and")),
        }
    }

    fn array_noun(&self, schema: &Compiled) -> String {
        let kinds = self.entries.map(|id| Wants::of(schema, &[id]));
        let of = kinds.filter(|it| it.values.is_none()).and_then(|it| plural(it.kinds()));
        of.map_or("an array".to_owned(), |of| format!("an array of {of}"))
    }
}

/// The plural of a single type.
const fn plural(types: Types) -> Option<&'static str> {
    match types {
        Types {
            string: true,
            integer: false,
            number: false,
            array: false,
            object: false,
            boolean: false,
            null: false,
            ..
        } => Some("strings"),
        Types {
            integer: true,
            number: false,
            string: false,
            array: false,
            object: false,
            boolean: false,
            null: false,
            ..
        } => Some("integers"),
        Types {
            number: true,
            string: false,
            array: false,
            object: false,
            boolean: false,
            null: false,
            ..
        } => Some("numbers"),
        Types {
            object: true,
            string: false,
            integer: false,
            number: false,
            array: false,
            boolean: false,
            null: false,
            ..
        } => Some("objects"),
        _ => None,
    }
}

/// The types that both admit.
fn meet(one: Types, other: Types) -> Types {
    Types {
        null: one.null && other.null,
        boolean: one.boolean && other.boolean,
        integer: (one.integer || one.number)
            && (other.integer || other.number)
            && !(one.number && other.number),
        number: one.number && other.number,
        string: one.string && other.string,
        array: one.array && other.array,
        object: one.object && other.object,
        is_strict: one.is_strict,
    }
}

/// The limit that leaves less.
fn tighter<'a>(
    before: Option<(&'a Number, bool)>,
    limit: (&'a Number, bool),
    is_tighter: Ordering,
) -> (&'a Number, bool) {
    match before.map(|before| (before, order(limit.0, before.0))) {
        Some((_, ordering)) if ordering == is_tighter => limit,
        Some((before, Ordering::Equal)) => (before.0, before.1 && limit.1),
        Some((before, _)) => before,
        None => limit,
    }
}

/// Values in a row: `one of economy, business`. Bare where they are plain words.
pub(crate) fn listed(values: &[&Value], with_head: bool) -> Option<String> {
    const MOST: usize = 10;
    const LONGEST: usize = 240;
    let shown: Vec<&&Value> = values.iter().filter(|it| shown::json(it, 60).is_some()).collect();
    let is_bare = shown.iter().all(|value| match value {
        Value::String(text) => is_word(text),
        Value::Number(_) => !shown.iter().any(|it| it.is_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    });
    let mut parts: Vec<String> = Vec::new();
    let mut length = 0;
    for value in shown.into_iter().take(MOST) {
        let bare = value.as_str().filter(|_| is_bare).map(str::to_owned);
        let part = bare.or_else(|| shown::json(value, 60))?;
        length += part.chars().count() + 2;
        if length > LONGEST {
            break;
        }
        parts.push(part);
    }
    let head = match (with_head, values.len(), parts.as_slice()) {
        (_, _, []) => return None,
        (true, 1, [only]) => {
            let quoted = values.first().and_then(|it| shown::json(it, 60));
            return Some(quoted.unwrap_or_else(|| only.clone()));
        }
        (true, ..) => "one of ",
        (false, ..) => "",
    };
    let more = match values.len() - parts.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("{head}{}{more}", parts.join(", ")))
}

/// Can a text stand in a list without quotes, and be read as what it is?
fn is_word(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && text.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '/'))
        && !text.ends_with('.')
        && !matches!(text, "true" | "false" | "null")
}

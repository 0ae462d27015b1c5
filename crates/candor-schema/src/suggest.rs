//! A fault to what may be suggested, the likeliest first. Each is tried before it is said.

#![expect(clippy::wildcard_enum_match_arm, reason = "for most faults nothing can be suggested")]

use serde_json::{Number, Value};

use crate::fault::{Because, Fault, Step, What, label};
use crate::formats;
use crate::mend::{Change, Mend, reread};
use crate::names;
use crate::node::{Id, Leaf, Types};
use crate::number::{double, from_double, same};
use crate::shown::{self, plain};
use crate::wants::Wants;
use crate::words::{LONGEST_DESCRIPTION, Speaker};

/// The most characters of a value that is suggested.
const LONGEST: usize = 60;

impl Speaker<'_> {
    pub(crate) fn mends(&self, fault: &Fault) -> Vec<Mend> {
        if let What::Unknown(holder) = &fault.what {
            let (declared, patterns) = self.schema.names(*holder, fault.keyword);
            return self.for_name(fault, &declared, &patterns);
        }
        if let What::Missing(would_be) = &fault.what {
            return self.for_missing(fault, would_be);
        }
        let Some(value) = self.value(fault) else {
            return match &fault.what {
                What::NoTagOf(values) => self.for_tag(fault, values),
                _ => Vec::new(),
            };
        };
        let node = self.node(fault);
        let mut mends = match &fault.what {
            What::Type => self.for_type(value, self.wants(fault).kinds(), fault),
            What::NoTypeOf(ids) => self.for_kinds(value, ids, fault),
            What::Values => self.for_values(value, node.values.iter().flatten(), fault),
            What::Constant => self.for_values(value, node.constant.iter(), fault),
            What::NoTagOf(values) => self.for_values(value, values.iter(), fault),
            What::MultipleOf => {
                let of = node.number.multiple_of.as_ref().and_then(|leaf| leaf.value().as_f64());
                of.zip(value.as_f64()).map_or_else(Vec::new, |(of, value)| multiples(value, of))
            }
            What::MaxLength | What::MinLength | What::Pattern => self.for_text(value, fault),
            What::Format => {
                let format = node.string.format.as_ref().map(Leaf::text).unwrap_or_default();
                let text = value.as_str().unwrap_or_default();
                formats::meant(format, text)
                    .into_iter()
                    .filter_map(|meant| self.dated(meant, text, fault))
                    .collect()
            }
            What::MaxEntries => too_many(value, node.array.max.unwrap_or_default()),
            What::Extra(most) => too_many(value, *most as u64),
            What::Twins(pairs) => vec![Self::without_twins(pairs, fault)],
            What::Never => vec![Mend::new(Change::Remove, "Remove it.")],
            _ => Vec::new(),
        };
        if matches!(value, Value::Null) || value.as_str().is_some_and(|text| text.trim().is_empty())
        {
            mends.push(Mend::new(Change::Remove, "Leave it out."));
        }
        if matches!(fault.what, What::Type | What::NoTypeOf(_) | What::Format | What::MinLength) {
            mends.extend(Self::examples(&self.wants(fault)).into_iter().map(|(example, text)| {
                let kinds = self.wants(fault).kinds();
                let noun = noun(kinds).filter(|_| !kinds.admit(value));
                let say = match noun {
                    Some(noun) => format!("Send {noun}, for example {text}."),
                    None => format!("Send {text}, for example."),
                };
                Mend::new(Change::Set(example), say)
            }));
        }
        mends
    }

    /// What to say where nothing can be suggested that would surely do.
    pub(crate) fn advice(&self, fault: &Fault) -> Option<Mend> {
        if let Some(mend) = self.itself(fault) {
            return Some(mend);
        }
        let say = self.advised(fault)?;
        Some(Mend { say, ..Mend::default() })
    }

    /// The value that a text holds, if that is what is wanted, and has faults of its own.
    fn itself(&self, fault: &Fault) -> Option<Mend> {
        let kinds = match &fault.what {
            What::Type => self.wants(fault).kinds(),
            What::NoTypeOf(ids) => self.kinds_of(ids),
            _ => return None,
        };
        let kinds = Types { integer: false, number: false, boolean: false, null: false, ..kinds };
        let meant = reread(self.value(fault)?.as_str()?, kinds)?;
        Some(Mend { is_plain: false, ..Self::unquoted(meant, true) })
    }

    fn have_values(&self, ids: &[Id]) -> bool {
        ids.iter().any(|id| Wants::of(self.schema, &[*id]).values.is_some())
    }

    fn kinds_of(&self, ids: &[Id]) -> Types {
        let mut kinds = Types::default();
        for wants in ids.iter().map(|id| Wants::of(self.schema, &[*id])) {
            if wants.values.is_none() {
                kinds.join(wants.kinds());
            }
        }
        kinds
    }

    fn advised(&self, fault: &Fault) -> Option<String> {
        let value = self.value(fault);
        match &fault.what {
            What::Type | What::NoTypeOf(_) => {
                let kinds = match &fault.what {
                    // With values among the alternatives, a number is not all that may be sent.
                    What::NoTypeOf(ids) if self.have_values(ids) => return None,
                    What::NoTypeOf(ids) => self.kinds_of(ids),
                    _ => self.wants(fault).kinds(),
                };
                match value {
                    Some(Value::String(_)) if !kinds.string && (kinds.integer || kinds.number) => {
                        Some("Send a number.".to_owned())
                    }
                    Some(Value::Array(entries)) if entries.len() > 1 && !kinds.array => {
                        let is_one = entries.iter().all(|entry| kinds.admit(entry));
                        is_one.then(|| "Send one of them, without brackets.".to_owned())
                    }
                    _ => None,
                }
            }
            What::Missing(would_be) => Some(self.add(fault, would_be)),
            What::Unknown(holder) => {
                let (declared, patterns) = self.schema.names(*holder, fault.keyword);
                let near = names::closest(last(fault), &declared);
                let near = near
                    .map_or("Remove it.".to_owned(), |it| format!("Did you mean {}?", label(it)));
                Some(format!("{near} {}", Self::takes(fault, &declared, &patterns)))
            }
            What::NoTagOf(values) if value.is_none() => {
                let list = crate::wants::listed(&values.iter().collect::<Vec<_>>(), true);
                list.filter(|_| self.may_show(fault)).map(|list| format!("Add {list}."))
            }
            What::Never => Some("Remove it.".to_owned()),
            What::Name(_) => Some("Rename it.".to_owned()),
            What::MaxMembers => {
                let most = self.node(fault).object.max.unwrap_or_default();
                let count = value.and_then(Value::as_object).map_or(0, serde_json::Map::len) as u64;
                Some(format!("Remove {}.", count.saturating_sub(most)))
            }
            What::ManyOf(ids) if self.schema.keys(ids).iter().any(Vec::is_empty) => {
                Some("Change it so that only one of them fits.".to_owned())
            }
            What::Not(id) => match self.schema.required(*id).as_slice() {
                [_] => Some("Remove it.".to_owned()),
                _ => None,
            },
            _ => None,
        }
    }

    fn for_name(&self, fault: &Fault, declared: &[String], patterns: &[String]) -> Vec<Mend> {
        let rest = Self::takes(fault, declared, patterns);
        let mut mends = Vec::new();
        if let Some(near) = names::closest(last(fault), declared) {
            let given = fault
                .path
                .split_last()
                .and_then(|(_, parent)| crate::mend::part(self.arguments, parent)?.get(near));
            if given.is_some() {
                let say = format!("{} is given already: remove this one. {rest}", label(near));
                mends.push(Mend::new(Change::Remove, say));
            } else {
                let say = format!("Did you mean {}? {rest}", label(near));
                mends.push(Mend::new(Change::Rename(near.to_owned()), say));
                return mends;
            }
        }
        mends.push(Mend::new(Change::Remove, format!("Remove it. {rest}")));
        mends
    }

    /// The names that are declared, in the order of the schema.
    fn takes(fault: &Fault, declared: &[String], patterns: &[String]) -> String {
        let is_root = fault.path.len() == 1;
        let mut list = listed_names(declared);
        if let Some(pattern) = patterns.first() {
            let names = format!("names that match {}", plain(pattern, 60));
            list = if list.is_empty() { names } else { format!("{list} and {names}") };
        }
        match (is_root, list.is_empty()) {
            (true, true) => "It takes none.".to_owned(),
            (true, false) => format!("It takes {list}."),
            (false, true) => "Nothing may be here.".to_owned(),
            (false, false) => format!("Known here: {list}."),
        }
    }

    fn for_missing(&self, fault: &Fault, would_be: &[Id]) -> Vec<Mend> {
        let mut wants = Wants::of(self.schema, would_be);
        if !self.may_show(fault) {
            wants.hide();
        }
        let name = shown::name(last(fault));
        if let Some([only]) = wants.values.as_deref() {
            return shown::json(only, LONGEST)
                .map(|text| Mend::new(Change::Set((*only).clone()), format!("Add {name}: {text}.")))
                .into_iter()
                .collect();
        }
        let noun = wants.noun(self.schema);
        let add = noun.as_ref().map_or("Add it".to_owned(), |noun| format!("Add {noun}"));
        if let Some(values) = &wants.values {
            return values
                .first()
                .filter(|_| noun.is_some())
                .map(|first| Mend::new(Change::Set((*first).clone()), format!("{add}.")))
                .into_iter()
                .collect();
        }
        Self::examples(&wants)
            .into_iter()
            .map(|(example, text)| {
                Mend::new(Change::Set(example), format!("{add}, for example {name}: {text}."))
            })
            .collect()
    }

    /// `Add an integer from 1 to 10.`
    fn add(&self, fault: &Fault, would_be: &[Id]) -> String {
        let mut wants = Wants::of(self.schema, would_be);
        if !self.may_show(fault) {
            wants.hide();
        }
        let noun = wants.noun(self.schema);
        let is_plain = noun.is_none() || noun == wants.bare();
        let words = wants.description.filter(|_| is_plain);
        let words = words.map(|it| plain(it, LONGEST_DESCRIPTION)).filter(|it| !it.is_empty());
        let add = noun.unwrap_or_else(|| "it".to_owned());
        let words = words.map(|it| format!(" ({it})")).unwrap_or_default();
        let or = match &fault.because {
            Some(Because::Given(by)) => Some(format!(", or remove {}", label(by))),
            _ => None,
        };
        format!("Add {add}{words}{}.", or.unwrap_or_default())
    }

    fn for_tag(&self, fault: &Fault, values: &[Value]) -> Vec<Mend> {
        match values {
            [only] if self.may_show(fault) => {
                let name = shown::name(last(fault));
                let text = shown::json(only, LONGEST);
                text.map(|text| {
                    Mend::new(Change::Set(only.clone()), format!("Add {name}: {text}."))
                })
                .into_iter()
                .collect()
            }
            _ => Vec::new(),
        }
    }

    /// What the author gave as examples, as far as it can be shown.
    fn examples(wants: &Wants<'_>) -> Vec<(Value, String)> {
        const MOST: usize = 3;
        let examples = wants.examples.iter().take(MOST);
        examples
            .filter_map(|example| Some(((*example).clone(), shown::json(example, LONGEST)?)))
            .collect()
    }

    fn for_kinds(&self, value: &Value, ids: &[Id], fault: &Fault) -> Vec<Mend> {
        let mut mends = Vec::new();
        for wants in ids.iter().map(|id| Wants::of(self.schema, &[*id])) {
            mends.extend(self.for_values(value, wants.values.into_iter().flatten(), fault));
        }
        let kinds = self.kinds_of(ids);
        mends.extend(self.for_type(value, kinds, fault));
        mends
    }

    fn for_type(&self, value: &Value, kinds: Types, fault: &Fault) -> Vec<Mend> {
        // What is made of a secret would be one.
        let is_shown = self.may_show(fault) && !is_secret(value);
        let sent = |value: &Value| shown::json(value, LONGEST).filter(|_| is_shown);
        let mut mends = Vec::new();
        match value {
            Value::String(text) => {
                if let Some(meant) = reread(text, kinds) {
                    mends.push(Self::unquoted(meant, is_shown));
                } else if let Ok(number) = text.trim().parse::<Number>()
                    && !kinds.string
                {
                    mends.extend(Self::for_number(&number, kinds, is_shown));
                }
                let yes =
                    ["yes", "on", "y", "1"].iter().any(|it| text.trim().eq_ignore_ascii_case(it));
                let no =
                    ["no", "off", "n", "0"].iter().any(|it| text.trim().eq_ignore_ascii_case(it));
                if kinds.boolean && (yes || no) {
                    let say = if is_shown {
                        format!("Send {yes} without quotes.")
                    } else {
                        String::new()
                    };
                    mends.push(Mend::plain(Change::Set(Value::Bool(yes)), say));
                }
                if kinds.array && text.contains(',') {
                    let parts = text.split(',').map(|part| Value::String(part.trim().to_owned()));
                    let list: Value = parts.collect();
                    let say = sent(&list).map_or_else(
                        || "Send an array with one string for each.".to_owned(),
                        |text| format!("Send {text}."),
                    );
                    mends.push(Mend::plain(Change::Set(list), say));
                }
            }
            Value::Number(number) => {
                mends.extend(Self::for_number(number, kinds, is_shown));
            }
            Value::Bool(is) if kinds.string => {
                let text = Value::String(is.to_string());
                let say =
                    sent(&text).map_or_else(String::new, |it| format!("Send {it}, in quotes."));
                mends.push(Mend::plain(Change::Set(text), say));
            }
            Value::Array(entries) if !kinds.array => match entries.as_slice() {
                [only] => {
                    let say = sent(only).map_or_else(
                        || "Send the entry alone, without brackets.".to_owned(),
                        |text| format!("Send {text} alone, without brackets."),
                    );
                    mends.push(Mend::plain(Change::Set(only.clone()), say));
                }
                [] => mends.push(Mend::new(Change::Remove, "Leave it out.")),
                _ => {}
            },
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {}
        }
        if kinds.array && !matches!(value, Value::Null | Value::Array(_)) {
            let list = Value::Array(vec![value.clone()]);
            let say = sent(&list).filter(|_| !value.is_object()).map_or_else(
                || "Send it in an array: put brackets around it.".to_owned(),
                |text| format!("Send {text}."),
            );
            mends.push(Mend::plain(Change::Set(list), say));
        }
        mends
    }

    fn for_number(number: &Number, kinds: Types, is_shown: bool) -> Vec<Mend> {
        let mut mends = Vec::new();
        if kinds.integer && !kinds.number {
            let value = double(number);
            mends.extend(either(from_double(value.floor()), from_double(value.ceil())));
        }
        if kinds.boolean && (double(number) == 0.0 || (double(number) - 1.0).abs() < f64::EPSILON) {
            let is = double(number) != 0.0;
            mends.push(Mend::plain(Change::Set(Value::Bool(is)), format!("Send {is}.")));
        }
        if kinds.string {
            let text = Value::String(number.to_string());
            mends.push(Mend::plain(Change::Set(text), format!("Send \"{number}\", in quotes.")));
        }
        if !is_shown {
            for mend in &mut mends {
                mend.say.clear();
            }
        }
        mends
    }

    /// What a text spells, to be sent as what it is.
    fn unquoted(meant: Value, is_shown: bool) -> Mend {
        let holds = "a string that holds JSON".to_owned();
        let (say, got) = match &meant {
            Value::Object(_) => {
                ("Send the object itself, without quotes around it.".to_owned(), Some(holds))
            }
            Value::Array(_) => {
                ("Send the array itself, without quotes around it.".to_owned(), Some(holds))
            }
            _ if !is_shown => ("Send it without quotes.".to_owned(), None),
            _ => (format!("Send {meant} without quotes."), None),
        };
        Mend { got, ..Mend::plain(Change::Set(meant), say) }
    }

    fn for_values<'v>(
        &self,
        value: &Value,
        values: impl Iterator<Item = &'v Value>,
        fault: &Fault,
    ) -> Vec<Mend> {
        let values: Vec<&Value> = values.collect();
        let is_shown = self.may_show(fault);
        let set = |meant: &Value, how: &str| {
            let text = shown::json(meant, LONGEST).filter(|_| is_shown)?;
            Some(Mend::new(Change::Set(meant.clone()), format!("Send {text}{how}.")))
        };
        let mut mends = Vec::new();
        if let Value::String(text) = value {
            let spelt = values.iter().find(|it| {
                !it.is_string()
                    && serde_json::from_str(text).is_ok_and(|read: Value| same(&read, it))
            });
            mends.extend(spelt.map(|it| {
                Mend {
                    got: matches!(it, Value::Array(_) | Value::Object(_))
                        .then(|| "a string that holds JSON".to_owned()),
                    ..set(it, " without quotes").unwrap_or_default()
                }
            }));
            let texts: Vec<&str> = values.iter().filter_map(|it| it.as_str()).collect();
            let inner = text.trim().trim_matches('"');
            let near = names::near(inner, texts.iter().copied());
            mends.extend(near.and_then(|near| set(&Value::String(near.to_owned()), "")));
        } else {
            let text = value.to_string();
            let spelt = values.iter().find(|it| it.as_str() == Some(&text));
            mends.extend(spelt.and_then(|it| set(it, ", in quotes")));
        }
        if let Value::Array(entries) = value
            && let [only] = entries.as_slice()
            && values.iter().any(|it| same(it, only))
        {
            mends.extend(set(only, " alone, without brackets"));
        }
        if let ([only], false) = (values.as_slice(), matches!(fault.what, What::NoTypeOf(_))) {
            // The constraint names it.
            mends.push(Mend::new(Change::Set((*only).clone()), String::new()));
        }
        mends.retain(|mend| !mend.changes.is_empty());
        mends
    }

    /// Spaces around a text, or capitals, are the whole fault surprisingly often.
    fn for_text(&self, value: &Value, fault: &Fault) -> Vec<Mend> {
        let Some(text) = value.as_str() else { return Vec::new() };
        let is_shown = self.may_show(fault) && !is_secret(value);
        let mut meant = vec![text.trim().to_owned()];
        if matches!(fault.what, What::Pattern) {
            meant.push(text.trim().to_uppercase());
            meant.push(text.trim().to_lowercase());
            meant.push(text.trim().replace([' ', '_'], "-"));
            meant.push(text.trim().replace([' ', '-'], "_"));
        }
        meant
            .into_iter()
            .filter(|it| it != text)
            .filter_map(|it| {
                let value = Value::String(it);
                let say = shown::json(&value, LONGEST).filter(|_| is_shown)?;
                Some(Mend::new(Change::Set(value), format!("Send {say}.")))
            })
            .collect()
    }

    fn dated(&self, meant: Value, text: &str, fault: &Fault) -> Option<Mend> {
        let is_zoned = meant.as_str().is_some_and(|it| it.ends_with('Z')) && !text.ends_with('Z');
        let shown = shown::json(&meant, LONGEST)
            .filter(|_| self.may_show(fault) && !shown::is_secret_shaped(text))?;
        let or = if is_zoned { ", or with the offset that is meant instead of Z" } else { "" };
        (meant.as_str() != Some(text))
            .then(|| Mend::new(Change::Set(meant), format!("Send {shown}{or}.")))
    }

    fn without_twins(pairs: &[(usize, usize)], fault: &Fault) -> Mend {
        const MOST: usize = 5;
        let mut entries: Vec<usize> = pairs.iter().map(|(_, later)| *later).collect();
        entries.sort_unstable();
        entries.dedup();
        let mut names: Vec<String> = entries
            .iter()
            .take(MOST)
            .map(|at| {
                let mut steps = fault.path.clone();
                steps.push(Step::Entry(*at));
                crate::fault::path(&steps)
            })
            .collect();
        if entries.len() > MOST {
            names.push(format!("{} more", entries.len() - MOST));
        }
        let say = format!("Remove {}.", shown::joined(&names, "and"));
        Mend::new(Change::Thin(entries), say)
    }
}

fn is_secret(value: &Value) -> bool {
    value.as_str().is_some_and(shown::is_secret_shaped)
}

/// The name at the end of the path.
fn last(fault: &Fault) -> &str {
    match fault.path.last() {
        Some(Step::Member(name)) => name,
        _ => "",
    }
}

/// `numTickets, cabin, date`, and how many more there are.
pub(crate) fn listed_names(names: &[String]) -> String {
    const MOST: usize = 20;
    const LONGEST: usize = 300;
    let mut shown: Vec<String> = Vec::new();
    let mut length = 0;
    for name in names.iter().take(MOST).map(|name| label(name)) {
        length += name.chars().count() + 2;
        if length > LONGEST {
            break;
        }
        shown.push(name);
    }
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn noun(kinds: Types) -> Option<&'static str> {
    match kinds {
        Types { integer: true, .. } | Types { number: true, .. } => Some("a number"),
        Types { string: true, .. } => Some("a string"),
        Types { boolean: true, .. } => Some("true or false"),
        Types { array: true, .. } => Some("an array"),
        Types { object: true, .. } => Some("an object"),
        _ => None,
    }
}

/// Both, or else the one that fits.
fn either(low: Option<Number>, high: Option<Number>) -> Vec<Mend> {
    let (Some(low), Some(high)) = (low, high) else { return Vec::new() };
    let set = |number: &Number| Change::Set(Value::Number(number.clone()));
    let one = |number: &Number| Mend::plain(set(number), format!("Send {number}."));
    if low == high {
        return vec![one(&low)];
    }
    let both = Mend {
        changes: vec![set(&low), set(&high)],
        ..Mend::plain(set(&low), format!("Send {low} or {high}."))
    };
    vec![both, one(&low), one(&high)]
}

/// The multiples on either side.
fn multiples(value: f64, of: f64) -> Vec<Mend> {
    let near = |count: f64| {
        // As many decimals as the step has: 3 * 0.1 is 0.3.
        let decimals = of.to_string().split_once('.').map_or(0, |(_, it)| it.len());
        let text = format!("{:.decimals$}", count * of);
        text.parse::<f64>().ok().filter(|it| it.is_finite()).and_then(from_double)
    };
    let count = value / of;
    if !count.is_finite() {
        return Vec::new();
    }
    either(near(count.floor()), near(count.ceil()))
}

fn too_many(value: &Value, most: u64) -> Vec<Mend> {
    let count = value.as_array().map_or(0, Vec::len) as u64;
    let say = match most {
        0 => "Send an empty array.".to_owned(),
        _ => format!("Remove {}.", count.saturating_sub(most)),
    };
    usize::try_from(most)
        .map_or_else(|_| Vec::new(), |most| vec![Mend::new(Change::Truncate(most), say)])
}

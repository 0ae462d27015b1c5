//! A fault to a sentence: what is asked for, and what was received.

#![expect(clippy::wildcard_enum_match_arm, reason = "each function has the words for some")]

use serde_json::Value;

use crate::compiled::Compiled;
use crate::fault::{Because, Fault, Step, What, label};
use crate::formats;
use crate::mend::part;
use crate::node::{Id, Leaf, Node};
use crate::pattern;
use crate::shown::{self, counted, cut, got, joined, plain};
use crate::walk::{FUEL, Walk};
use crate::wants::{Wants, listed};

/// The most characters of a text that the schema's author wrote.
pub(crate) const LONGEST_DESCRIPTION: usize = 80;

/// Puts the faults of one call into words.
pub(crate) struct Speaker<'a> {
    pub(crate) schema: &'a Compiled,
    pub(crate) tool: &'a str,
    pub(crate) arguments: &'a Value,
}

impl<'a> Speaker<'a> {
    pub(crate) fn node(&self, fault: &Fault) -> &'a Node {
        let id = fault.site.last().copied();
        self.schema.node(id.unwrap_or(Id(usize::MAX)))
    }

    pub(crate) fn value(&self, fault: &Fault) -> Option<&'a Value> {
        part(self.arguments, &fault.path)
    }

    /// May values be shown, those that were received and those that the schema has?
    pub(crate) fn may_show(&self, fault: &Fault) -> bool {
        let may_hide = |ids: &[Id]| ids.iter().any(|id| self.schema.hides(*id));
        let alternatives = match &fault.what {
            What::NoneOf(ids) | What::NoTypeOf(ids) | What::ManyOf(ids) => may_hide(ids),
            What::Missing(would_be) => may_hide(would_be),
            _ => false,
        };
        !fault.is_sensitive && !may_hide(&fault.site) && !alternatives
    }

    pub(crate) fn wants(&self, fault: &Fault) -> Wants<'a> {
        let mut wants = Wants::of(self.schema, &fault.site);
        if !self.may_show(fault) {
            wants.hide();
        }
        wants
    }

    /// What is asked for, without a full stop.
    pub(crate) fn constraint(&self, fault: &Fault, is_plain: bool) -> String {
        let node = self.node(fault);
        let mut said = match &fault.what {
            What::Name(inner) => format!("its name {}", self.constraint(inner, false)),
            What::Missing(_) => "is missing".to_owned(),
            What::Unknown(_) if fault.path.len() == 1 => {
                format!("is not a parameter of {}", self.tool)
            }
            What::Unknown(_) => "is not known here".to_owned(),
            What::Never => "is not accepted".to_owned(),
            What::Not(id) => self.forbidden(*id),
            What::NoTagOf(values) => match self.value(fault) {
                None => "is missing".to_owned(),
                Some(_) => self.choice(&values.iter().collect::<Vec<_>>(), fault),
            },
            _ => self.of_value(fault, node, is_plain),
        };
        if let Some(because) = fault.because.as_ref().and_then(|it| self.because(it)) {
            let word = if matches!(fault.what, What::Missing(_)) {
                ", and needed because"
            } else {
                ", because"
            };
            said = format!("{said}{word} {because}");
        }
        said
    }

    fn of_value(&self, fault: &Fault, node: &Node, is_plain: bool) -> String {
        match &fault.what {
            What::Type => {
                let wants = self.wants(fault);
                let noun = if is_plain { wants.bare() } else { wants.noun(self.schema) };
                format!("must be {}", noun.unwrap_or_else(|| "of another type".to_owned()))
            }
            What::Values => self.choice(&node.values.iter().flatten().collect::<Vec<_>>(), fault),
            What::Constant => self.choice(&node.constant.iter().collect::<Vec<_>>(), fault),
            What::NoTypeOf(ids) => self.kinds(ids, fault, is_plain),
            What::NoneOf(ids) => {
                let forms: Vec<String> = ids.iter().map(|id| self.form(*id, ids)).collect();
                format!("must be one of these: {}", cut(&forms.join("; "), 240))
            }
            What::NoKeyOf { keys, is_one, .. } => {
                let keys: Vec<String> = keys.iter().map(|names| together(names)).collect();
                let many = if *is_one { "exactly" } else { "at least" };
                format!("give {many} one of {}", cut(&keys.join(", "), 240))
            }
            What::ManyOf(ids) => self.excluding(ids),
            What::MinEntries
            | What::MaxEntries
            | What::Extra(_)
            | What::Twins(_)
            | What::TooFew(_)
            | What::TooMany(_)
            | What::MinMembers
            | What::MaxMembers => self.of_many(fault, node),
            _ => self.of_one(fault, node),
        }
    }

    /// Numbers and texts.
    fn of_one(&self, fault: &Fault, node: &Node) -> String {
        let rules = &node.number;
        let length = |count: Option<u64>| counted(count.unwrap_or_default(), "character");
        let said = |limit: &Option<_>| limit.as_ref().map(ToString::to_string).unwrap_or_default();
        match &fault.what {
            What::Minimum => format!("must be at least {}", said(&rules.minimum)),
            What::ExclusiveMinimum => {
                format!("must be greater than {}", said(&rules.exclusive_minimum))
            }
            What::Maximum => format!("must be at most {}", said(&rules.maximum)),
            What::ExclusiveMaximum => {
                format!("must be less than {}", said(&rules.exclusive_maximum))
            }
            What::MultipleOf => {
                let of = rules.multiple_of.as_ref().map(|leaf| leaf.value().to_string());
                format!("must be a multiple of {}", of.unwrap_or_default())
            }
            What::MinLength | What::MaxLength
                if node.string.min_length == node.string.max_length =>
            {
                format!("must be {}", length(node.string.max_length))
            }
            What::MinLength if node.string.min_length == Some(1) => "must not be empty".to_owned(),
            What::MinLength => format!("must have at least {}", length(node.string.min_length)),
            What::MaxLength => format!("must have at most {}", length(node.string.max_length)),
            What::Pattern => self.pattern(fault, node),
            What::Format => {
                let format = node.string.format.as_ref().map(Leaf::text).unwrap_or_default();
                let noun = formats::noun(format);
                format!("must be {}", noun.map_or_else(|| plain(format, 40), str::to_owned))
            }
            What::Content(at) => {
                let leaf = node.string.content.get(*at);
                let kind = leaf.map(Leaf::text).unwrap_or_default();
                let manner =
                    if fault.keyword == "contentEncoding" { "encoded as" } else { "text of type" };
                format!("must be {manner} {}", plain(kind, 40))
            }
            _ => "does not fit".to_owned(),
        }
    }

    /// Arrays and objects.
    fn of_many(&self, fault: &Fault, node: &Node) -> String {
        let array = &node.array;
        let entries = |count: Option<u64>| counted(count.unwrap_or_default(), "entry");
        let members = |count: Option<u64>| counted(count.unwrap_or_default(), "member");
        match &fault.what {
            What::MinEntries => format!("needs at least {}", entries(array.min)),
            What::MaxEntries | What::Extra(_) => {
                let most = match fault.what {
                    What::Extra(most) => most as u64,
                    _ => array.max.unwrap_or_default(),
                };
                match most {
                    0 => "must be empty".to_owned(),
                    most => format!("takes at most {}", counted(most, "entry")),
                }
            }
            What::Twins(_) => "must not hold the same entry twice".to_owned(),
            What::TooFew(_) | What::TooMany(_) => {
                let Some(contains) = &array.contains else { return "does not fit".to_owned() };
                let noun = self.of_contained(contains.node);
                match (&fault.what, contains.min) {
                    (What::TooFew(_), 1) => format!("needs an entry that is {noun}"),
                    (What::TooFew(_), least) => {
                        format!("needs at least {least} entries that are each {noun}")
                    }
                    _ => {
                        let most = contains.max.unwrap_or_default();
                        format!(
                            "takes at most {} that {} {noun}",
                            counted(most, "entry"),
                            if most == 1 { "is" } else { "are each" }
                        )
                    }
                }
            }
            What::MinMembers => format!("needs at least {}", members(node.object.min)),
            What::MaxMembers if node.object.max == Some(0) => "must be empty".to_owned(),
            What::MaxMembers => format!("takes at most {}", members(node.object.max)),
            _ => "does not fit".to_owned(),
        }
    }

    fn of_contained(&self, id: Id) -> String {
        let mut wants = Wants::of(self.schema, &[id]);
        if self.schema.hides(id) {
            wants.hide();
        }
        let noun = wants.noun(self.schema);
        noun.or_else(|| wants.description.map(|it| plain(it, LONGEST_DESCRIPTION)))
            .unwrap_or_else(|| "as the schema describes".to_owned())
    }

    fn choice(&self, values: &[&Value], fault: &Fault) -> String {
        let shown = listed(values, true).filter(|_| self.may_show(fault));
        match (shown, values.len()) {
            (Some(only), 1) => format!("only {only} is accepted"),
            (Some(list), _) => format!("must be {list}"),
            (None, 0) => "has no accepted value".to_owned(),
            (None, 1) => "only one value is accepted, which is not shown".to_owned(),
            (None, _) => "must be one of the accepted values, which are not shown".to_owned(),
        }
    }

    /// The types, or the values, that some alternatives take.
    fn kinds(&self, ids: &[Id], fault: &Fault, is_plain: bool) -> String {
        let wants: Vec<Wants<'_>> = ids
            .iter()
            .map(|id| {
                let mut wants = Wants::of(self.schema, &[*id]);
                if !self.may_show(fault) {
                    wants.hide();
                }
                wants
            })
            .collect();
        let values: Option<Vec<&Value>> = wants
            .iter()
            .map(|it| it.values.clone())
            .collect::<Option<Vec<_>>>()
            .map(|all| all.into_iter().flatten().collect());
        if let Some(values) = values {
            return self.choice(&values, fault);
        }
        let mut nouns: Vec<String> = Vec::new();
        for wants in wants {
            let noun = if is_plain { wants.bare() } else { wants.noun(self.schema) };
            let noun = noun.or_else(|| wants.description.map(|it| plain(it, 40)));
            nouns.extend(noun.filter(|it| !nouns.contains(it)));
        }
        if nouns.is_empty() {
            return "does not fit".to_owned();
        }
        format!("must be {}", cut(&joined(&nouns, "or"), 240))
    }

    /// An alternative, by what tells it from the others.
    fn form(&self, id: Id, among: &[Id]) -> String {
        let at = among.iter().position(|it| *it == id).unwrap_or_default();
        let keys = self.schema.keys(among).into_iter().nth(at).unwrap_or_default();
        if !keys.is_empty() {
            return format!("an object with {}", together(&keys));
        }
        let mut wants = Wants::of(self.schema, &[id]);
        if self.schema.hides(id) {
            wants.hide();
        }
        let noun = wants.noun(self.schema);
        let words = wants.description.map(|it| plain(it, 40)).filter(|it| !it.is_empty());
        match (noun, words) {
            (Some(noun), Some(words)) => format!("{noun} ({words})"),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => format!("form {} of the schema", at + 1),
        }
    }

    fn excluding(&self, ids: &[Id]) -> String {
        let keys: Vec<String> = self
            .schema
            .keys(ids)
            .iter()
            .filter(|names| !names.is_empty())
            .map(|names| together(names))
            .collect();
        if keys.len() == ids.len() {
            return format!("{} exclude each other", cut(&joined(&keys, "and"), 240));
        }
        let forms: Vec<String> = ids.iter().map(|id| self.form(*id, ids)).collect();
        format!(
            "fits more than one of these, and may fit only one: {}",
            cut(&forms.join("; "), 200)
        )
    }

    fn forbidden(&self, id: Id) -> String {
        let names = self.schema.required(id);
        let mut wants = Wants::of(self.schema, &[id]);
        if self.schema.hides(id) {
            wants.hide();
        }
        match names.as_slice() {
            [] => {}
            [only] => {
                return format!("must not have {}", together(std::slice::from_ref(only)));
            }
            _ => return format!("{} exclude each other", cut(&together(&names), 240)),
        }
        match (wants.noun(self.schema), wants.description) {
            (Some(noun), _) => format!("must not be {}", cut(&noun, 240)),
            (None, Some(words)) => format!("must not be: {}", plain(words, LONGEST_DESCRIPTION)),
            (None, None) => "is of a form that is excluded".to_owned(),
        }
    }

    fn because(&self, because: &Because) -> Option<String> {
        match because {
            Because::Given(name) => Some(format!("{} is given", label(name))),
            Because::Holds(id) => self.condition(*id),
        }
    }

    /// `kind is "transfer"`, if the condition is that simple.
    fn condition(&self, id: Id) -> Option<String> {
        let mut parts = Vec::new();
        for (name, id) in self
            .schema
            .always(id)
            .into_iter()
            .flat_map(|it| &self.schema.node(it).object.properties)
        {
            if self.schema.hides(*id) || shown::is_secret_name(name) {
                return None;
            }
            let values = Wants::of(self.schema, &[*id]).values?;
            let name = label(name);
            parts.push(format!("{name} is {}", listed(&values, true)?));
        }
        (1..=2).contains(&parts.len()).then(|| cut(&parts.join(" and "), 120))
    }

    fn pattern(&self, fault: &Fault, node: &Node) -> String {
        let text = node.string.pattern.as_ref().map(Leaf::text).unwrap_or_default();
        let wants = self.wants(fault);
        let is_shown = self.may_show(fault);
        let mut examples: Vec<Value> = wants.examples.iter().copied().cloned().collect();
        examples.extend(pattern::sample(text).filter(|_| is_shown).map(Value::String));
        let fits = |value: &Value| {
            let mut walk = Walk::new(self.schema, FUEL / 16);
            fault.site.iter().all(|id| walk.admits(*id, value))
        };
        let like = examples.into_iter().find(fits).and_then(|it| match it {
            Value::String(text) if shown::json(&Value::String(text.clone()), 62).is_some() => {
                Some(text)
            }
            _ => None,
        });
        let like = like.map(|text| {
            let is_bare = !text.is_empty() && text.chars().all(|it| it.is_ascii_graphic());
            format!(", like {}", if is_bare { text } else { shown::quoted(&text) })
        });
        let like = like.unwrap_or_default();
        if let Some(words) = pattern::words(text) {
            return format!("must be {words}{like}");
        }
        let words =
            wants.description.map(|it| plain(it, LONGEST_DESCRIPTION)).filter(|it| !it.is_empty());
        let words = words.map(|it| format!(" ({it})")).unwrap_or_default();
        format!("must match the pattern {}{words}{like}", plain(text, 80))
    }

    /// What was received, without a full stop. `None` where there is nothing to say.
    pub(crate) fn got(&self, fault: &Fault) -> Option<String> {
        let value = self.value(fault);
        let is_shown = self.may_show(fault);
        match &fault.what {
            What::Missing(_) | What::Unknown(_) => None,
            What::Name(_) => match fault.path.last() {
                Some(Step::Member(name)) => Some(shown::name(name)),
                _ => None,
            },
            What::MinEntries | What::MaxEntries | What::Extra(_) => {
                let count = value.and_then(Value::as_array).map_or(0, Vec::len);
                Some(if count == 0 { "none".to_owned() } else { count.to_string() })
            }
            What::MinMembers | What::MaxMembers => {
                let count = value.and_then(Value::as_object).map_or(0, serde_json::Map::len);
                Some(if count == 0 { "none".to_owned() } else { count.to_string() })
            }
            What::TooFew(found) | What::TooMany(found) => {
                Some(if *found == 0 { "none".to_owned() } else { found.to_string() })
            }
            What::Twins(pairs) => {
                pairs.first().map(|(one, other)| format!("the same at {one} and {other}"))
            }
            What::NoKeyOf { keys, extra, .. } => Some(match (extra.as_slice(), value) {
                ([], Some(Value::Object(object))) if object.is_empty() => {
                    "an empty object".to_owned()
                }
                ([], _) => "none of them".to_owned(),
                (extra, _) => {
                    let is = if extra.len() == 1 { "is" } else { "are" };
                    let none = if keys.len() == 2 { "neither" } else { "none of them" };
                    format!("{}, which {is} {none}", cut(&together(extra), 120))
                }
            }),
            What::ManyOf(ids) if self.schema.keys(ids).iter().all(|names| !names.is_empty()) => {
                Some(
                    if ids.len() == 2 { "both; remove one" } else { "several; keep one" }
                        .to_owned(),
                )
            }
            What::Not(id) if self.schema.required(*id).len() == 1 => None,
            What::Not(id) if self.schema.required(*id).len() == 2 => {
                Some("both; remove one".to_owned())
            }
            What::Not(id) if self.schema.required(*id).len() > 2 => {
                Some("all of them; remove one".to_owned())
            }
            What::Type | What::NoTypeOf(_) => value.map(|value| match value {
                Value::String(text)
                    if !text.is_empty() && got(value, is_shown).starts_with('"') =>
                {
                    format!("the string {}", shown::quoted(text))
                }
                _ => got(value, is_shown),
            }),
            What::MinLength | What::MaxLength => value.map(|value| {
                let shown = got(value, is_shown);
                match value.as_str() {
                    Some(text) if shown.starts_with('"') => {
                        format!("{shown}, which has {}", text.chars().count())
                    }
                    _ => shown,
                }
            }),
            _ => value.map(|value| got(value, is_shown)),
        }
    }
}

/// Names that belong together.
fn together(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| label(name)).collect();
    joined(&names, "and")
}

//! Value to faults: which rules are broken, and where.
//!
//! It stops after a number of steps, not after a time, so that the same value always gets the same
//! answer. Whoever reads the faults asks `is_exhausted` first.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::compiled::Compiled;
use crate::fault::{Because, Fault, Step, What};
use crate::node::{Contains, Id, Node, Reference};
use crate::number::{order, same};
use crate::shown;

/// How many steps may be taken to judge and to explain one value. A step takes well under a
/// microsecond.
pub(crate) const FUEL: usize = 200_000;
/// How deep the judging may go, so that the stack holds.
const MOST_LEVELS: usize = 384;
/// More faults than this are not collected.
pub(crate) const MOST_FAULTS: usize = 1_000;

pub(crate) struct Walk<'a> {
    pub(super) schema: &'a Compiled,
    pub(crate) fuel: usize,
    pub(super) faults: Vec<Fault>,
    pub(super) path: Vec<Step>,
    pub(super) site: Vec<Id>,
    pub(super) is_sensitive: bool,
    pub(super) because: Option<Because>,
    level: usize,
    is_exhausted: bool,
    /// In how many questions of mere validity we are. There the first fault ends it.
    quiet: usize,
    pub(super) failed: bool,
    /// What is known of a node and a part of the value, which stays where it is meanwhile.
    known: BTreeMap<(Id, *const Value), bool>,
    /// The resources that were entered, the outermost first.
    scope: Vec<usize>,
}

/// What of a value has been evaluated, for `unevaluatedProperties` and `unevaluatedItems`.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    all_members: bool,
    members: BTreeSet<String>,
    all_entries: bool,
    /// So many from the front.
    front: usize,
    entries: BTreeSet<usize>,
}

impl Seen {
    fn join(&mut self, other: Self) {
        self.all_members |= other.all_members;
        self.members.extend(other.members);
        self.all_entries |= other.all_entries;
        self.front = self.front.max(other.front);
        self.entries.extend(other.entries);
    }
}

impl<'a> Walk<'a> {
    pub(crate) const fn new(schema: &'a Compiled, fuel: usize) -> Self {
        Self {
            schema,
            fuel,
            faults: Vec::new(),
            path: Vec::new(),
            site: Vec::new(),
            is_sensitive: false,
            because: None,
            level: 0,
            is_exhausted: false,
            quiet: 0,
            failed: false,
            known: BTreeMap::new(),
            scope: Vec::new(),
        }
    }

    /// All faults in the order of the schema, or `None` where it had to stop.
    pub(crate) fn explain(&mut self, value: &Value) -> Option<Vec<Fault>> {
        self.visit(self.schema.root(), value);
        let faults = std::mem::take(&mut self.faults);
        (!self.is_exhausted).then_some(faults)
    }

    /// Is the value valid? `None` where it had to stop.
    pub(crate) fn judge(&mut self, value: &Value) -> Option<bool> {
        let is_valid = self.admits(self.schema.root(), value);
        (!self.is_exhausted).then_some(is_valid)
    }

    pub(super) fn admits(&mut self, id: Id, value: &Value) -> bool {
        self.test(id, value).0
    }

    /// Is the value valid against this node, and what has it evaluated?
    fn test(&mut self, id: Id, value: &Value) -> (bool, Seen) {
        // Only what has parts is worth remembering, and only where nothing else plays a part.
        let is_plain = self.schema.composes && !self.schema.tracks && !self.schema.is_dynamic;
        let key = (is_plain && (value.is_array() || value.is_object()))
            .then(|| (id, std::ptr::from_ref(value)));
        if let Some(is_valid) = key.and_then(|key| self.known.get(&key)) {
            return (*is_valid, Seen::default());
        }
        self.quiet += 1;
        let failed = std::mem::take(&mut self.failed);
        let seen = self.visit(id, value);
        let is_valid = !self.failed;
        self.failed = failed;
        self.quiet -= 1;
        if let Some(key) = key.filter(|_| !self.is_exhausted) {
            self.known.insert(key, is_valid);
        }
        (is_valid, seen)
    }

    /// Takes so many steps, if there are as many left.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        if let Some(left) = self.fuel.checked_sub(steps) {
            self.fuel = left;
        } else {
            self.fuel = 0;
            self.is_exhausted = true;
        }
        !self.is_exhausted
    }

    /// Is nothing more to be found out?
    fn is_done(&self) -> bool {
        self.is_exhausted || (self.quiet > 0 && self.failed)
    }

    /// Is it enough to know that there is a fault?
    fn is_enough(&self) -> bool {
        self.quiet > 0 || self.faults.len() >= MOST_FAULTS
    }

    pub(super) fn fault(&mut self, keyword: &'static str, what: What) {
        self.failed = true;
        if !self.is_enough() {
            self.faults.push(Fault {
                path: self.path.clone(),
                keyword,
                what,
                site: self.site.clone(),
                is_sensitive: self.is_sensitive,
                because: self.because.clone(),
            });
        }
    }

    /// The faults that something finds, kept apart.
    pub(super) fn apart(&mut self, find: impl FnOnce(&mut Self)) -> Vec<Fault> {
        let outer = std::mem::take(&mut self.faults);
        find(self);
        std::mem::replace(&mut self.faults, outer)
    }

    /// Goes to a part of the value.
    pub(super) fn descend<T>(&mut self, step: Step, go: impl FnOnce(&mut Self) -> T) -> T {
        let site = std::mem::take(&mut self.site);
        let was = self.is_sensitive;
        if let Step::Member(name) = &step {
            self.is_sensitive |= shown::is_secret_name(name);
        }
        self.path.push(step);
        let given = go(self);
        self.path.pop();
        self.site = site;
        self.is_sensitive = was;
        given
    }

    fn member(&mut self, name: &str, id: Id, value: &Value) {
        if self.quiet > 0 {
            self.visit(id, value);
            return;
        }
        self.descend(Step::Member(name.to_owned()), |walk| walk.visit(id, value));
    }

    fn entry(&mut self, at: usize, id: Id, value: &Value) {
        if self.quiet > 0 {
            self.visit(id, value);
            return;
        }
        self.descend(Step::Entry(at), |walk| walk.visit(id, value));
    }

    /// Judges a value by a node.
    pub(super) fn visit(&mut self, id: Id, value: &Value) -> Seen {
        let mut seen = Seen::default();
        if self.is_done() || !self.spend(1) {
            return seen;
        }
        if self.level >= MOST_LEVELS {
            self.is_exhausted = true;
            return seen;
        }
        let node = self.schema.node(id);
        let was_sensitive = self.is_sensitive;
        self.level += 1;
        self.site.push(id);
        self.scope.push(node.resource);
        self.is_sensitive |= self.schema.is_secret(id);
        if node.is_never {
            self.fault("false", What::Never);
        } else {
            let is_of_type = self.alone(node, value);
            match value {
                Value::Object(object) => self.object(node, object, &mut seen),
                Value::Array(array) => self.array(node, array, &mut seen),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
            // Of a value of another type, nothing more is worth knowing.
            if is_of_type {
                self.in_place(node, value, &mut seen);
                self.unevaluated(node, value, &mut seen);
            }
        }
        self.is_sensitive = was_sensitive;
        self.scope.pop();
        self.site.pop();
        self.level -= 1;
        seen
    }

    /// Keywords that need no other node. Is it of a type that the node admits?
    fn alone(&mut self, node: &Node, value: &Value) -> bool {
        let mut is_told = false;
        if let Some(values) = &node.values {
            self.spend(values.len() / 4);
            if !values.iter().any(|it| same(it, value)) {
                self.fault("enum", What::Values);
                is_told = true;
            }
        }
        if let Some(constant) = &node.constant
            && !same(constant, value)
        {
            self.fault("const", What::Constant);
            is_told = true;
        }
        // Whoever reads which values there are, knows their type.
        if let Some(types) = node.types
            && !types.admit(value)
        {
            if is_told {
                self.failed = true;
            } else {
                self.fault("type", What::Type);
            }
            return false;
        }
        if !is_told {
            self.number(node, value);
            self.string(node, value);
        }
        true
    }

    fn number(&mut self, node: &Node, value: &Value) {
        let Value::Number(number) = value else { return };
        let rules = &node.number;
        if rules.minimum.as_ref().is_some_and(|least| order(number, least).is_lt()) {
            self.fault("minimum", What::Minimum);
        }
        if rules.exclusive_minimum.as_ref().is_some_and(|least| order(number, least).is_le()) {
            self.fault("exclusiveMinimum", What::ExclusiveMinimum);
        }
        if rules.maximum.as_ref().is_some_and(|most| order(number, most).is_gt()) {
            self.fault("maximum", What::Maximum);
        }
        if rules.exclusive_maximum.as_ref().is_some_and(|most| order(number, most).is_ge()) {
            self.fault("exclusiveMaximum", What::ExclusiveMaximum);
        }
        if rules.multiple_of.as_ref().is_some_and(|leaf| !leaf.admits(value)) {
            self.fault("multipleOf", What::MultipleOf);
        }
    }

    fn string(&mut self, node: &Node, value: &Value) {
        let Value::String(text) = value else { return };
        let rules = &node.string;
        if rules.min_length.is_some() || rules.max_length.is_some() {
            self.spend(text.len() / 64);
            let length = text.chars().count() as u64;
            if rules.min_length.is_some_and(|least| length < least) {
                self.fault("minLength", What::MinLength);
            }
            if rules.max_length.is_some_and(|most| length > most) {
                self.fault("maxLength", What::MaxLength);
            }
        }
        if let Some(leaf) = &rules.pattern
            && self.spend(1 + text.len() / 16)
            && !leaf.admits(value)
        {
            self.fault("pattern", What::Pattern);
        }
        if let Some(leaf) = &rules.format
            && self.spend(1 + text.len() / 16)
            && !leaf.admits(value)
        {
            self.fault("format", What::Format);
        }
        for (at, leaf) in rules.content.iter().enumerate() {
            if self.spend(1 + text.len() / 16) && !leaf.admits(value) {
                self.fault(leaf.keyword(), What::Content(at));
            }
        }
    }

    fn object(&mut self, node: &Node, object: &Map<String, Value>, seen: &mut Seen) {
        let rules = &node.object;
        for (name, id) in &rules.properties {
            if self.is_done() {
                return;
            }
            if let Some(value) = object.get(name) {
                self.member(name, *id, value);
                self.mark(seen, name);
            } else if rules.required.contains(name) {
                self.missing(name, "required", vec![*id]);
            }
        }
        for name in &rules.required {
            if !object.contains_key(name) && rules.properties.iter().all(|(it, _)| it != name) {
                self.missing(name, "required", Vec::new());
            }
        }
        for (name, needed, keyword) in &rules.dependent_required {
            if object.contains_key(name) {
                let given = Some(Because::Given(name.clone()));
                let before = std::mem::replace(&mut self.because, given);
                for other in needed.iter().filter(|it| !object.contains_key(*it)) {
                    self.missing(other, keyword, Vec::new());
                }
                self.because = before;
            }
        }
        if !rules.patterns.is_empty() || rules.additional.is_some() {
            self.others(node, object, seen);
        }
        if let Some(id) = rules.names {
            for name in object.keys() {
                self.name(id, name);
            }
        }
        let count = object.len() as u64;
        if rules.min.is_some_and(|least| count < least) {
            self.fault("minProperties", What::MinMembers);
        }
        if rules.max.is_some_and(|most| count > most) {
            self.fault("maxProperties", What::MaxMembers);
        }
    }

    /// Members that `properties` does not declare, and patterns for those that it does.
    fn others(&mut self, node: &Node, object: &Map<String, Value>, seen: &mut Seen) {
        let rules = &node.object;
        for (name, value) in object {
            if self.is_done() {
                return;
            }
            let mut is_declared = rules.properties.iter().any(|(it, _)| it == name);
            self.spend(rules.properties.len() / 16);
            if !rules.patterns.is_empty() {
                let text = Value::String(name.clone());
                for (pattern, id) in &rules.patterns {
                    if self.spend(1 + name.len() / 16) && pattern.admits(&text) {
                        self.member(name, *id, value);
                        self.mark(seen, name);
                        is_declared = true;
                    }
                }
            }
            if let Some(id) = rules.additional.filter(|_| !is_declared) {
                if self.schema.node(id).is_never {
                    self.unknown(name, "additionalProperties");
                } else {
                    self.member(name, id, value);
                }
                self.mark(seen, name);
            }
        }
    }

    fn mark(&self, seen: &mut Seen, name: &str) {
        if self.schema.tracks {
            seen.members.insert(name.to_owned());
        }
    }

    pub(super) fn missing(&mut self, name: &str, keyword: &'static str, mut would_be: Vec<Id>) {
        if self.is_enough() {
            self.failed = true;
            return;
        }
        if would_be.is_empty() {
            would_be = self.schema.declared(&self.site, name);
        }
        self.descend(Step::Member(name.to_owned()), |walk| {
            walk.site.clone_from(&would_be);
            walk.fault(keyword, What::Missing(would_be));
        });
    }

    fn unknown(&mut self, name: &str, keyword: &'static str) {
        if self.is_enough() {
            self.failed = true;
            return;
        }
        let holder = self.site.last().copied().unwrap_or(self.schema.root());
        self.descend(Step::Member(name.to_owned()), |walk| {
            walk.fault(keyword, What::Unknown(holder));
        });
    }

    fn name(&mut self, id: Id, name: &str) {
        let value = Value::String(name.to_owned());
        if self.is_enough() {
            self.failed |= !self.is_done() && !self.admits(id, &value);
            return;
        }
        let faults = self.apart(|walk| {
            walk.descend(Step::Member(name.to_owned()), |walk| {
                walk.is_sensitive = false;
                walk.visit(id, &value);
            });
        });
        if let Some(fault) = faults.into_iter().next() {
            self.failed = true;
            let Fault { path, .. } = fault.clone();
            self.faults.push(Fault {
                path,
                keyword: "propertyNames",
                what: What::Name(Box::new(fault)),
                site: Vec::new(),
                is_sensitive: false,
                because: self.because.clone(),
            });
        }
    }

    fn array(&mut self, node: &Node, array: &[Value], seen: &mut Seen) {
        let rules = &node.array;
        for ((at, value), id) in array.iter().enumerate().zip(&rules.prefix) {
            self.entry(at, *id, value);
        }
        seen.front = seen.front.max(rules.prefix.len());
        // Behind no array of `items`, `additionalItems` says nothing.
        let items =
            rules.items.filter(|(_, keyword)| *keyword != "additionalItems" || rules.is_tuple);
        if let Some((id, keyword)) = items {
            if self.schema.node(id).is_never {
                if array.len() > rules.prefix.len() {
                    self.fault(keyword, What::Extra(rules.prefix.len()));
                }
            } else {
                for (at, value) in array.iter().enumerate().skip(rules.prefix.len()) {
                    if self.is_done() {
                        return;
                    }
                    self.entry(at, id, value);
                }
            }
            seen.all_entries = true;
        }
        if let Some(contains) = &rules.contains {
            self.contains(contains, array, seen);
        }
        let count = array.len() as u64;
        if rules.min.is_some_and(|least| count < least) {
            self.fault("minItems", What::MinEntries);
        }
        if rules.max.is_some_and(|most| count > most) {
            self.fault("maxItems", What::MaxEntries);
        }
        if rules.is_unique {
            let twins = self.twins(array);
            if !twins.is_empty() {
                self.fault("uniqueItems", What::Twins(twins));
            }
        }
    }

    fn contains(&mut self, contains: &Contains, array: &[Value], seen: &mut Seen) {
        let mut found = 0;
        for (at, value) in array.iter().enumerate() {
            if self.admits(contains.node, value) {
                found += 1;
                if self.schema.tracks {
                    seen.entries.insert(at);
                }
            }
        }
        if found < contains.min {
            self.fault(
                if contains.min == 1 { "contains" } else { "minContains" },
                What::TooFew(found),
            );
        } else if contains.max.is_some_and(|most| found > most) {
            self.fault("maxContains", What::TooMany(found));
        }
    }

    /// Pairs of equal entries: the first such one, and each later one.
    fn twins(&mut self, array: &[Value]) -> Vec<(usize, usize)> {
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        let mut twins = Vec::new();
        for (at, value) in array.iter().enumerate() {
            let mut text = String::new();
            fold(value, &mut text);
            if !self.spend(1 + text.len() / 32) {
                break;
            }
            match first.get(&text) {
                Some(before) => twins.push((*before, at)),
                None => {
                    first.insert(text, at);
                }
            }
        }
        twins
    }

    /// Keywords that apply other nodes to the same value.
    fn in_place(&mut self, node: &Node, value: &Value, seen: &mut Seen) {
        for reference in &node.references {
            let id = self.target(reference);
            let more = self.visit(id, value);
            seen.join(more);
        }
        for id in &node.all_of {
            let more = self.visit(*id, value);
            seen.join(more);
        }
        if let Value::Object(object) = value {
            for (name, id) in &node.object.dependent_schemas {
                if object.contains_key(name) {
                    let given = Some(Because::Given(name.clone()));
                    let before = std::mem::replace(&mut self.because, given);
                    let more = self.visit(*id, value);
                    seen.join(more);
                    self.because = before;
                }
            }
        }
        if let Some(condition) = &node.condition {
            let (holds, more) = self.test(condition.test, value);
            let (next, because) = if holds {
                seen.join(more);
                (condition.then, Some(Because::Holds(condition.test)))
            } else {
                (condition.otherwise, self.because.clone())
            };
            if let Some(id) = next {
                let before = std::mem::replace(&mut self.because, because);
                let more = self.visit(id, value);
                seen.join(more);
                self.because = before;
            }
        }
        if let Some(id) = node.not
            && !self.is_done()
            && self.admits(id, value)
            && !self.is_exhausted
        {
            self.fault("not", What::Not(id));
        }
        if !node.any_of.is_empty() {
            self.alternatives(&node.any_of, false, value, seen);
        }
        if !node.one_of.is_empty() {
            self.alternatives(&node.one_of, true, value, seen);
        }
    }

    fn target(&self, reference: &Reference) -> Id {
        match reference {
            Reference::To(id) => *id,
            Reference::Dynamic { fallback, anchors } => self
                .scope
                .iter()
                .find_map(|entered| anchors.iter().find(|(resource, _)| resource == entered))
                .map_or(*fallback, |(_, id)| *id),
        }
    }

    fn alternatives(&mut self, ids: &[Id], is_one: bool, value: &Value, seen: &mut Seen) {
        let mut fitting = Vec::new();
        for id in ids {
            if self.is_exhausted || (self.quiet > 0 && self.failed) {
                return;
            }
            let (is_valid, more) = self.test(*id, value);
            if is_valid {
                seen.join(more);
                fitting.push(*id);
                if !is_one && !self.schema.tracks {
                    return;
                }
            }
        }
        if self.is_exhausted {
            return;
        }
        match fitting.len() {
            0 if self.is_enough() => self.failed = true,
            0 => {
                // None fits, so nothing is evaluated; but it is no news that a member of one of
                // them is not declared elsewhere.
                seen.all_members = true;
                seen.all_entries = true;
                self.closest(ids, is_one, value);
            }
            1 => {}
            _ if is_one => self.fault("oneOf", What::ManyOf(fitting)),
            _ => {}
        }
    }

    fn unevaluated(&mut self, node: &Node, value: &Value, seen: &mut Seen) {
        match value {
            Value::Object(object) => {
                let Some(id) = node.object.unevaluated else { return };
                for (name, value) in object {
                    if seen.all_members || seen.members.contains(name) {
                        continue;
                    }
                    if self.schema.node(id).is_never {
                        self.unknown(name, "unevaluatedProperties");
                    } else {
                        self.member(name, id, value);
                    }
                }
                seen.all_members = true;
            }
            Value::Array(array) => {
                let Some(id) = node.array.unevaluated.filter(|_| !seen.all_entries) else { return };
                for (at, value) in array.iter().enumerate().skip(seen.front) {
                    if seen.entries.contains(&at) {
                        continue;
                    }
                    if !self.schema.node(id).is_never {
                        self.entry(at, id, value);
                    } else if seen.entries.is_empty() {
                        self.fault("unevaluatedItems", What::Extra(at));
                        break;
                    } else {
                        self.descend(Step::Entry(at), |walk| {
                            walk.fault("unevaluatedItems", What::Never);
                        });
                    }
                }
                seen.all_entries = true;
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// A text that is the same for equal values, and for no others.
fn fold(value: &Value, text: &mut String) {
    use std::fmt::Write as _;
    match value {
        Value::Number(number) => {
            let _ = match crate::number::exact(number) {
                Some(whole) => write!(text, "{whole}"),
                None => write!(text, "{number}"),
            };
        }
        Value::Array(entries) => {
            text.push('[');
            for entry in entries {
                fold(entry, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (name, value) in members {
                let _ = write!(text, "{name:?}:");
                fold(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {
            let _ = write!(text, "{value}");
        }
    }
}

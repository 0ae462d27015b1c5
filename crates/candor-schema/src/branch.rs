//! Alternatives, none of which fits, to the one that was probably meant.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::compiled::Compiled;
use crate::fault::{Fault, Step, What};
use crate::node::Id;
use crate::number::same;
use crate::walk::Walk;
use crate::wants::Wants;

impl Walk<'_> {
    /// Complains about the alternative that is closest, or about what tells them apart.
    pub(super) fn closest(&mut self, ids: &[Id], is_one: bool, value: &Value) {
        let keyword = if is_one { "oneOf" } else { "anyOf" };
        // Looking for what tells them apart takes some steps for each.
        if !self.spend(ids.len().saturating_mul(32)) {
            return;
        }
        let mut open = ids.to_vec();
        if let Value::Object(object) = value
            && let Some((name, tags)) = self.schema.tag(ids)
        {
            let given = object.get(&name);
            let matching: Vec<Id> = open
                .iter()
                .zip(&tags)
                .filter(|(_, tags)| given.is_some_and(|it| tags.iter().any(|tag| same(tag, it))))
                .map(|(id, _)| *id)
                .collect();
            let is_needed = ids.iter().all(|id| self.schema.required(*id).contains(&name));
            if !matching.is_empty() {
                open = matching;
            } else if given.is_some() || is_needed {
                let mut values: Vec<Value> = Vec::new();
                for tag in tags.into_iter().flatten() {
                    if !values.iter().any(|it| same(it, &tag)) {
                        values.push(tag);
                    }
                }
                let would_be: Vec<Id> =
                    ids.iter().flat_map(|id| self.schema.declared(&[*id], &name)).collect();
                self.descend(Step::Member(name), |walk| {
                    walk.site = would_be;
                    walk.is_sensitive |= walk.site.iter().any(|id| walk.schema.is_secret(*id));
                    walk.fault(keyword, What::NoTagOf(values));
                });
                return;
            }
        }
        let all = open.clone();
        open.retain(|id| {
            let wants = Wants::of(self.schema, &[*id]);
            let by_value = wants.values.iter().flatten().any(|it| kind(it) == kind(value));
            match wants.types {
                Some(types) => types.admit(value),
                None => wants.values.is_none() || by_value,
            }
        });
        let found: Vec<(Id, Vec<Fault>)> =
            open.iter().map(|id| (*id, self.apart(|walk| drop(walk.visit(*id, value))))).collect();
        let is_about_values = |faults: &Vec<Fault>| {
            faults
                .iter()
                .any(|it| matches!(it.what, What::Values | What::Constant) && it.path == self.path)
        };
        if found.is_empty() || (all.len() > 1 && found.iter().all(|(_, it)| is_about_values(it))) {
            self.fault(keyword, What::NoTypeOf(all));
            return;
        }
        self.choose(found, keyword, is_one, value);
    }

    fn choose(
        &mut self,
        found: Vec<(Id, Vec<Fault>)>,
        keyword: &'static str,
        is_one: bool,
        value: &Value,
    ) {
        let ids: Vec<Id> = found.iter().map(|(id, _)| *id).collect();
        let keys = self.schema.keys(&ids);
        let present = |names: &[String]| {
            names.iter().filter(|name| value.get(name.as_str()).is_some()).count()
        };
        if let Value::Object(object) = value
            && ids.len() > 1
            && keys.iter().all(|names| !names.is_empty() && present(names) == 0)
        {
            let declared: BTreeSet<String> = self
                .site
                .iter()
                .chain(&ids)
                .flat_map(|id| self.schema.names(*id, "unevaluatedProperties").0)
                .collect();
            let extra = object.keys().filter(|name| !declared.contains(*name)).cloned().collect();
            self.fault(keyword, What::NoKeyOf { keys, extra, is_one });
            return;
        }
        let score =
            |faults: &[Fault], names: &[String]| (faults.len(), usize::MAX - present(names));
        let scores: Vec<_> =
            found.iter().zip(&keys).map(|((_, faults), names)| score(faults, names)).collect();
        let Some(best) = scores.iter().min() else { return };
        let mut closest: Vec<(Id, Vec<Fault>)> = found
            .into_iter()
            .zip(&scores)
            .filter(|(_, it)| *it == best)
            .map(|(it, _)| it)
            .collect();
        if closest.len() > 1 {
            let ids = closest.into_iter().map(|(id, _)| id).collect();
            self.fault(keyword, What::NoneOf(ids));
        } else if let Some((_, faults)) = closest.pop() {
            self.failed = true;
            self.faults.extend(faults);
        }
    }
}

impl Compiled {
    /// The names that must be given by a node in any case.
    pub(crate) fn required(&self, id: Id) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for id in self.always(id) {
            for name in &self.node(id).object.required {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        names
    }

    /// The member whose value tells alternatives apart, and which values each of them takes.
    fn tag(&self, ids: &[Id]) -> Option<(String, Vec<Vec<Value>>)> {
        let first = ids.first().filter(|_| ids.len() > 1)?;
        let (names, _) = self.names(*first, "unevaluatedProperties");
        names.into_iter().find_map(|name| {
            let tags: Option<Vec<Vec<Value>>> = ids
                .iter()
                .map(|id| {
                    let declared = self.declared(&[*id], &name);
                    let values = Wants::of(self, &declared).values.filter(|_| !declared.is_empty());
                    values.map(|values| values.into_iter().cloned().collect())
                })
                .collect();
            let tags = tags?;
            let differ = tags.iter().any(|tag| Some(tag) != tags.first());
            differ.then_some((name, tags))
        })
    }

    /// For each of these, the names that it needs and not all of them do.
    pub(crate) fn keys(&self, ids: &[Id]) -> Vec<Vec<String>> {
        let all: Vec<Vec<String>> = ids.iter().map(|id| self.required(*id)).collect();
        let is_own = |name: &String| !all.iter().all(|names| names.contains(name));
        all.iter().map(|names| names.iter().filter(|it| is_own(it)).cloned().collect()).collect()
    }
}

/// The JSON type of a value, as a number that tells it from others.
const fn kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

//! A fault to what would mend it, tried before it is said.

use serde_json::Value;

use crate::compiled::Compiled;
use crate::fault::{Fault, Step};
use crate::node::Types;
use crate::number;
use crate::walk::Walk;

/// Something that can be done to the arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    Set(Value),
    Remove,
    /// Give the member another name.
    Rename(String),
    /// Keep so many entries.
    Truncate(usize),
    /// Remove these entries.
    Thin(Vec<usize>),
}

/// What can be suggested for a fault.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mend {
    /// Each of these alone would do.
    pub(crate) changes: Vec<Change>,
    /// The sentence that suggests it. Empty where the constraint says it already.
    pub(crate) say: String,
    /// What to say of the value that was received, where that explains the suggestion.
    pub(crate) got: Option<String>,
    /// The constraint needs no details: once this is done, they are met.
    pub(crate) is_plain: bool,
}

impl Mend {
    pub(crate) fn new(change: Change, say: impl Into<String>) -> Self {
        Self { changes: vec![change], say: say.into(), ..Self::default() }
    }

    pub(crate) fn plain(change: Change, say: impl Into<String>) -> Self {
        Self { is_plain: true, ..Self::new(change, say) }
    }
}

/// The faults for which something was suggested, and what.
#[cfg(test)]
pub(crate) type Settled = Vec<(Fault, Vec<Change>)>;

/// A part, and the keyword that it breaks.
type Broken = (Vec<Step>, &'static str);

/// The arguments with all changes that were suggested so far.
pub(crate) struct Bench<'a> {
    schema: &'a Compiled,
    draft: Value,
    /// What is still broken in the draft.
    broken: Vec<Broken>,
    fuel: usize,
    /// What it costs to look at the arguments once more.
    cost: usize,
    #[cfg(test)]
    pub(crate) settled: Settled,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(
        schema: &'a Compiled,
        arguments: &Value,
        faults: &[Fault],
        fuel: usize,
    ) -> Self {
        let cost = size(arguments);
        // Whoever cannot afford a single trial gets no copy either.
        let draft = if cost <= fuel { arguments.clone() } else { Value::Null };
        Self {
            schema,
            draft,
            broken: keys(faults),
            fuel,
            cost,
            #[cfg(test)]
            settled: Vec::new(),
        }
    }

    /// Is it still broken, with what was suggested for others?
    pub(crate) fn is_broken(&self, fault: &Fault) -> bool {
        self.broken.iter().any(|(path, keyword)| *keyword == fault.keyword && *path == fault.path)
    }

    /// Takes the first suggestion that mends this fault and breaks nothing else.
    pub(crate) fn settle(&mut self, fault: &Fault, mends: Vec<Mend>) -> Option<Mend> {
        mends.into_iter().find(|mend| {
            let mut kept = None;
            for change in &mend.changes {
                let Some(after) = self.attempt(fault, change) else { return false };
                kept = kept.or(Some(after));
            }
            if let Some((draft, broken)) = kept {
                (self.draft, self.broken) = (draft, broken);
            }
            #[cfg(test)]
            self.settled.push((fault.clone(), mend.changes.clone()));
            true
        })
    }

    fn attempt(&mut self, fault: &Fault, change: &Change) -> Option<(Value, Vec<Broken>)> {
        self.fuel = self.fuel.checked_sub(self.cost)?;
        let mut draft = self.draft.clone();
        apply(&mut draft, &fault.path, change)?;
        let mut walk = Walk::new(self.schema, self.fuel);
        let faults = walk.explain(&draft);
        self.fuel = walk.fuel;
        let broken = keys(&faults?);
        let key = (fault.path.clone(), fault.keyword);
        let is_better = !broken.contains(&key) && broken.iter().all(|it| self.broken.contains(it));
        is_better.then_some((draft, broken))
    }
}

fn keys(faults: &[Fault]) -> Vec<Broken> {
    faults.iter().map(|fault| (fault.path.clone(), fault.keyword)).collect()
}

/// Roughly how much work a value is.
fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
        Value::String(text) => 1 + text.len() / 256,
        Value::Array(entries) => entries.iter().fold(1, |sum, it| sum.saturating_add(size(it))),
        Value::Object(members) => {
            members.values().fold(1, |sum, it| sum.saturating_add(size(it)).saturating_add(1))
        }
    }
}

/// The part at the end of a path.
pub(crate) fn part<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get(name.as_str()),
        Step::Entry(at) => value.get(*at),
    })
}

fn part_mut<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get_mut(name.as_str()),
        Step::Entry(at) => value.get_mut(*at),
    })
}

/// Changes the part at the end of a path, which must be there unless it is set.
pub(crate) fn apply(value: &mut Value, path: &[Step], change: &Change) -> Option<()> {
    match change {
        Change::Truncate(count) => part_mut(value, path)?.as_array_mut()?.truncate(*count),
        Change::Thin(entries) => {
            let array = part_mut(value, path)?.as_array_mut()?;
            let mut at = 0..;
            array.retain(|_| at.next().is_none_or(|at| !entries.contains(&at)));
        }
        Change::Set(new) => match path.split_last() {
            None => *value = new.clone(),
            Some((Step::Member(name), parent)) => {
                let object = part_mut(value, parent)?.as_object_mut()?;
                object.insert(name.clone(), new.clone());
            }
            Some((Step::Entry(_), _)) => *part_mut(value, path)? = new.clone(),
        },
        Change::Remove => match path.split_last()? {
            (Step::Member(name), parent) => {
                part_mut(value, parent)?.as_object_mut()?.remove(name)?;
            }
            // The numbers of others would change.
            (Step::Entry(_), _) => return None,
        },
        Change::Rename(new) => {
            let (Step::Member(old), parent) = path.split_last()? else { return None };
            let object = part_mut(value, parent)?.as_object_mut()?;
            if object.contains_key(new) {
                return None;
            }
            let moved = object.remove(old)?;
            object.insert(new.clone(), moved);
        }
    }
    Some(())
}

/// A text as the value that it spells, if that is of a wanted type, and text is not.
pub(crate) fn reread(text: &str, kinds: Types) -> Option<Value> {
    if kinds.string {
        return None;
    }
    let text = text.trim();
    let value = match text.bytes().next()? {
        b'{' | b'[' if kinds.object || kinds.array => serde_json::from_str(text).ok()?,
        b'-' | b'0'..=b'9' if kinds.integer || kinds.number => {
            let value: Value = serde_json::from_str(text).ok()?;
            let is_whole = value.is_i64() || value.is_u64();
            let short = value.as_f64().filter(|_| !is_whole).and_then(number::from_double);
            short.map_or(value, Value::Number)
        }
        _ if kinds.boolean && text.eq_ignore_ascii_case("true") => Value::Bool(true),
        _ if kinds.boolean && text.eq_ignore_ascii_case("false") => Value::Bool(false),
        _ if kinds.null && text.eq_ignore_ascii_case("null") => Value::Null,
        _ => return None,
    };
    kinds.admit(&value).then_some(value)
}

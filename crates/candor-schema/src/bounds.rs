//! Nodes to whether judging by them ends soon.
//!
//! A validator that follows every alternative takes time that doubles with each pair of them. Two
//! things can multiply. Alternatives in alternatives: their number is known here, and bounded.
//! And recursion that reaches the same part of a value in more than one way: that depends on the
//! value, so such a schema is accepted, and judged by [`Walk`](crate::walk::Walk), which remembers
//! what it has judged and knows when to stop.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::error::SchemaError;
use crate::node::{Id, Node, Reference};

/// The longest text of a schema, in bytes.
pub(crate) const LARGEST_TEXT: usize = 1024 * 1024;
/// How many subschemas may be nested in each other, those behind a `$ref` counted anew.
pub(crate) const MOST_DEPTH: usize = 32;
/// How many subschemas a schema may have.
pub(crate) const MOST_NODES: usize = 2_000;
/// In how many ways one value may be judged.
pub(crate) const MOST_WAYS: usize = 4_096;

/// A recursive schema with longer chains than this is judged where the stack is watched.
const LONG_CHAIN: usize = 8;

/// Can `is_valid` of the validator be trusted with any value?
pub(crate) fn judge(nodes: &[Node]) -> Result<bool, SchemaError> {
    let mut places: BTreeMap<Id, Place> = BTreeMap::new();
    let mut open = vec![Id(0)];
    while let Some(id) = open.pop() {
        if let Entry::Vacant(vacant) = places.entry(id) {
            let place = Place::of(id, nodes)?;
            open.extend(place.edges.iter().map(|edge| edge.to));
            vacant.insert(place);
        }
    }
    let mut weights = BTreeMap::new();
    if weight(Id(0), &places, &mut weights) > MOST_WAYS {
        return Err(SchemaError::TooManyWays);
    }
    Ok(places.iter().all(|(id, place)| place.is_tame(*id, &places)))
}

/// What may apply to one part of a value, beginning with some node.
#[derive(Default)]
struct Place {
    ways: usize,
    chain: usize,
    edges: Vec<Edge>,
}

/// From one part of a value to a part of that.
struct Edge {
    from: Id,
    by: Label,
    to: Id,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Member(String),
    /// Any member that is not among the declared ones of the node.
    Rest,
    Members,
    Name,
    Entry(usize),
    Entries,
}

impl Place {
    fn of(id: Id, nodes: &[Node]) -> Result<Self, SchemaError> {
        let mut place = Self::default();
        place.add(id, nodes, &mut Vec::new())?;
        Ok(place)
    }

    /// Counts a node, and all that judge the same value as often as they are reached.
    fn add(&mut self, id: Id, nodes: &[Node], above: &mut Vec<Id>) -> Result<(), SchemaError> {
        if above.contains(&id) {
            return Err(SchemaError::Circular);
        }
        self.ways = self.ways.saturating_add(1);
        self.chain = self.chain.max(above.len());
        if self.ways > MOST_WAYS {
            return Err(SchemaError::TooManyWays);
        }
        if above.len() >= MOST_DEPTH {
            return Err(SchemaError::TooDeep);
        }
        let Some(node) = nodes.get(id.0) else { return Ok(()) };
        self.edges(id, node);
        above.push(id);
        // What was evaluated is found out by judging once more.
        let looks_twice = node.array.unevaluated.is_some() || node.object.unevaluated.is_some();
        for _ in 0..if looks_twice { 2 } else { 1 } {
            for next in in_place(node) {
                self.add(next, nodes, above)?;
            }
        }
        above.pop();
        Ok(())
    }

    fn edges(&mut self, from: Id, node: &Node) {
        let mut add = |by, to| self.edges.push(Edge { from, by, to });
        for (name, to) in &node.object.properties {
            add(Label::Member(name.clone()), *to);
        }
        for (_, to) in &node.object.patterns {
            add(Label::Members, *to);
        }
        node.object.additional.into_iter().for_each(|to| add(Label::Rest, to));
        node.object.unevaluated.into_iter().for_each(|to| add(Label::Members, to));
        node.object.names.into_iter().for_each(|to| add(Label::Name, to));
        for (at, to) in node.array.prefix.iter().enumerate() {
            add(Label::Entry(at), *to);
        }
        node.array.items.into_iter().for_each(|(to, _)| add(Label::Rest, to));
        node.array.unevaluated.into_iter().for_each(|to| add(Label::Entries, to));
        node.array.contains.iter().for_each(|contains| add(Label::Entries, contains.node));
    }

    /// For each part that can be told apart, the nodes that judge it.
    fn parts(&self) -> Vec<Vec<Id>> {
        let mut parts: BTreeMap<&Label, Vec<Id>> = BTreeMap::new();
        let mut own: BTreeSet<(Id, &Label)> = BTreeSet::new();
        for edge in &self.edges {
            parts.entry(&edge.by).or_default().push(edge.to);
            own.insert((edge.from, &edge.by));
        }
        let is_for_many =
            |edge: &&Edge| matches!(edge.by, Label::Rest | Label::Members | Label::Entries);
        for edge in self.edges.iter().filter(is_for_many) {
            for (label, part) in &mut parts {
                let meets = match (&edge.by, label) {
                    // What a node names is not the rest of it.
                    (Label::Rest, Label::Member(_) | Label::Entry(_)) => {
                        !own.contains(&(edge.from, *label))
                    }
                    (Label::Members, Label::Member(_) | Label::Rest)
                    | (Label::Entries, Label::Entry(_) | Label::Rest) => true,
                    _ => false,
                };
                if meets {
                    part.push(edge.to);
                }
            }
        }
        parts.into_values().collect()
    }

    /// Does no part of a value lead back to here in two ways?
    fn is_tame(&self, id: Id, places: &BTreeMap<Id, Self>) -> bool {
        let back: BTreeSet<Id> = self
            .edges
            .iter()
            .map(|edge| edge.to)
            .collect::<BTreeSet<Id>>()
            .into_iter()
            .filter(|to| reaches(*to, id, places))
            .collect();
        if back.is_empty() {
            return true;
        }
        self.chain <= LONG_CHAIN
            && self
                .parts()
                .iter()
                .all(|part| part.iter().filter(|to| back.contains(to)).count() < 2)
    }
}

/// In how many ways the part of a value is judged that is judged in most ways.
fn weight(id: Id, places: &BTreeMap<Id, Place>, known: &mut BTreeMap<Id, usize>) -> usize {
    if let Some(weight) = known.get(&id) {
        return *weight;
    }
    // What leads back to here counts once; whether it does so twice is asked elsewhere.
    known.insert(id, 1);
    let Some(place) = places.get(&id) else { return 1 };
    let mut most = place.ways;
    for part in place.parts() {
        let sum =
            part.iter().fold(0_usize, |sum, to| sum.saturating_add(weight(*to, places, known)));
        most = most.max(sum);
    }
    known.insert(id, most);
    most
}

fn reaches(from: Id, to: Id, places: &BTreeMap<Id, Place>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        if id == to {
            return true;
        }
        if seen.insert(id)
            && let Some(place) = places.get(&id)
        {
            open.extend(place.edges.iter().map(|edge| edge.to));
        }
    }
    false
}

/// The nodes that judge the same value as this one.
pub(crate) fn in_place(node: &Node) -> Vec<Id> {
    let mut all = Vec::new();
    for reference in &node.references {
        match reference {
            Reference::To(id) => all.push(*id),
            Reference::Dynamic { fallback, anchors } => {
                all.push(*fallback);
                all.extend(anchors.iter().map(|(_, id)| *id).filter(|id| id != fallback));
            }
        }
    }
    all.extend(node.all_of.iter().chain(&node.any_of).chain(&node.one_of));
    all.extend(node.not);
    if let Some(condition) = &node.condition {
        all.push(condition.test);
        all.extend(condition.then);
        all.extend(condition.otherwise);
    }
    all.extend(node.object.dependent_schemas.iter().map(|(_, id)| *id));
    all
}

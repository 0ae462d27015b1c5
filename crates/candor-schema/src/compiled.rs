//! Nodes to questions: what several subschemas say together about one value.

use std::collections::BTreeSet;

use crate::bounds::in_place;
use crate::node::{Id, Node, Reference};
use crate::shown;

/// All subschemas of a schema, and what is known of them beforehand.
#[derive(Debug)]
pub(crate) struct Compiled {
    nodes: Vec<Node>,
    /// Values of these are secrets, with all their parts.
    secrets: BTreeSet<Id>,
    /// Values of these may hold secrets: a text in the place of such an object may be one.
    hiding: BTreeSet<Id>,
    /// Does anything ask what was evaluated?
    pub(crate) tracks: bool,
    /// Can one value meet one node more than once?
    pub(crate) composes: bool,
    /// Does anything depend on how a node was reached?
    pub(crate) is_dynamic: bool,
    /// What an id leads to that leads nowhere, which no reader gives.
    open: Node,
}

impl Compiled {
    pub(crate) fn new(nodes: Vec<Node>) -> Self {
        let tracks = nodes
            .iter()
            .any(|node| node.array.unevaluated.is_some() || node.object.unevaluated.is_some());
        let composes = nodes.iter().any(|node| {
            let branches = [&node.all_of, &node.any_of, &node.one_of];
            branches.iter().any(|branch| !branch.is_empty())
                || node.not.is_some()
                || node.condition.is_some()
                || !node.references.is_empty()
                || !node.object.dependent_schemas.is_empty()
                || !node.object.patterns.is_empty()
                || node.array.contains.is_some()
        });
        let is_dynamic = nodes
            .iter()
            .flat_map(|node| &node.references)
            .any(|it| matches!(it, Reference::Dynamic { .. }));
        let mut schema = Self {
            nodes,
            secrets: BTreeSet::new(),
            hiding: BTreeSet::new(),
            tracks,
            composes,
            is_dynamic,
            open: Node::default(),
        };
        let ids = || (0..schema.nodes.len()).map(Id);
        let secrets = ids().filter(|id| schema.says_secret(*id)).collect();
        let hiding = ids().filter(|id| schema.may_hide(*id, &secrets)).collect();
        (schema.secrets, schema.hiding) = (secrets, hiding);
        schema
    }

    #[expect(clippy::unused_self, reason = "whoever has no schema has no root")]
    pub(crate) const fn root(&self) -> Id {
        Id(0)
    }

    pub(crate) fn node(&self, id: Id) -> &Node {
        self.nodes.get(id.0).unwrap_or(&self.open)
    }

    pub(crate) fn is_secret(&self, id: Id) -> bool {
        self.secrets.contains(&id)
    }

    /// May a scalar that stands where this is expected be a secret?
    pub(crate) fn hides(&self, id: Id) -> bool {
        self.hiding.contains(&id)
    }

    fn says_secret(&self, id: Id) -> bool {
        self.together(id, in_place).into_iter().any(|id| {
            let node = self.node(id);
            node.is_write_only
                || node.string.format.as_ref().is_some_and(|it| it.text() == "password")
        })
    }

    fn may_hide(&self, id: Id, secrets: &BTreeSet<Id>) -> bool {
        let with_entries = |node: &Node| {
            let mut next = in_place(node);
            next.extend(&node.array.prefix);
            next.extend(node.array.items.map(|(id, _)| id));
            next.extend(node.array.contains.iter().map(|it| it.node));
            next.extend(node.array.unevaluated);
            next
        };
        self.together(id, with_entries).into_iter().any(|id| {
            let members = &self.node(id).object.properties;
            secrets.contains(&id)
                || members
                    .iter()
                    .any(|(name, id)| secrets.contains(id) || shown::is_secret_name(name))
        })
    }

    /// A node and all that it leads to in some way, in order.
    pub(crate) fn together(&self, id: Id, next: impl Fn(&Node) -> Vec<Id>) -> Vec<Id> {
        let mut all = Vec::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                all.push(id);
                open.extend(next(self.node(id)).into_iter().rev());
            }
        }
        all
    }

    /// A node and what must hold with it in any case.
    pub(crate) fn always(&self, id: Id) -> Vec<Id> {
        self.together(id, |node| {
            let mut next = Vec::new();
            for reference in &node.references {
                match reference {
                    Reference::To(id) | Reference::Dynamic { fallback: id, .. } => next.push(*id),
                }
            }
            next.extend(&node.all_of);
            next
        })
    }

    /// The nodes that would judge a member, as far as these nodes declare it.
    pub(crate) fn declared(&self, site: &[Id], name: &str) -> Vec<Id> {
        let mut found = Vec::new();
        for id in site.iter().rev().flat_map(|id| self.always(*id)) {
            for (declared, id) in &self.node(id).object.properties {
                if declared == name && !found.contains(id) {
                    found.push(*id);
                }
            }
        }
        found
    }

    /// The names that a node declares, in order, and its patterns for further ones.
    /// `unevaluatedProperties` sees through to what applies in the same place.
    pub(crate) fn names(&self, id: Id, keyword: &str) -> (Vec<String>, Vec<String>) {
        let ids = match keyword {
            "unevaluatedProperties" => self.together(id, in_place),
            _ => vec![id],
        };
        let mut names: Vec<String> = Vec::new();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut patterns: Vec<String> = Vec::new();
        for node in ids.into_iter().map(|id| self.node(id)) {
            patterns.extend(node.object.patterns.iter().map(|(leaf, _)| leaf.text().to_owned()));
            for (name, id) in &node.object.properties {
                if !self.node(*id).is_never && seen.insert(name) {
                    names.push(name.clone());
                }
            }
        }
        (names, patterns)
    }

    /// Does every object fit, whatever is in it?
    pub(crate) fn admits_every_object(&self, id: Id) -> bool {
        let node = self.node(id);
        let object = &node.object;
        let open = |id: &Id| self.admits_everything(*id);
        !node.is_never
            && node.types.is_none_or(|types| types.object)
            && node.values.is_none()
            && node.constant.is_none()
            && node.not.is_none()
            && node.condition.is_none()
            && node.references.is_empty()
            && [&node.all_of, &node.any_of, &node.one_of].iter().all(|ids| ids.is_empty())
            && object.required.is_empty()
            && object.min.is_none_or(|least| least == 0)
            && object.max.is_none()
            && object.names.is_none()
            && object.dependent_required.is_empty()
            && object.dependent_schemas.is_empty()
            && object.properties.iter().all(|(_, id)| open(id))
            && object.patterns.iter().all(|(_, id)| open(id))
            && object.additional.iter().all(open)
            && object.unevaluated.iter().all(open)
    }

    fn admits_everything(&self, id: Id) -> bool {
        let Node { types, number, string, array, .. } = self.node(id);
        types.is_none()
            && number.minimum.is_none()
            && number.maximum.is_none()
            && number.exclusive_minimum.is_none()
            && number.exclusive_maximum.is_none()
            && number.multiple_of.is_none()
            && string.min_length.is_none()
            && string.max_length.is_none()
            && string.pattern.is_none()
            && string.format.is_none()
            && string.content.is_empty()
            && array.prefix.is_empty()
            && array.items.is_none()
            && array.min.is_none()
            && array.max.is_none()
            && !array.is_unique
            && array.contains.is_none()
            && array.unevaluated.is_none()
            && self.admits_every_object(id)
    }
}

//! Tree to nodes: each subschema read once, and each `$ref` led to where it points.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::{Uri, uri};
use serde_json::Value;

use crate::bounds::{MOST_DEPTH, MOST_NODES};
use crate::dialect::Dialect;
use crate::error::SchemaError;
use crate::node::{Condition, Contains, Id, Leaf, Node, Reference, Types};
use crate::tree::Tree;

/// The base of a document that does not name itself.
const NAMELESS: &str = "json-schema:///";

/// Gives all subschemas; the first is the root.
pub(crate) fn read(tree: &Tree, dialect: Dialect) -> Result<Vec<Node>, SchemaError> {
    let mut reader = Reader {
        dialect,
        nodes: Vec::new(),
        places: BTreeMap::new(),
        resources: vec![Resource { uri: NAMELESS.to_owned(), root: tree }],
        anchors: BTreeMap::new(),
        dynamic: BTreeSet::new(),
        pending: Vec::new(),
    };
    reader.node(tree, 0, 1)?;
    // What is only reached by a `$ref` may hold further ones.
    while let Some(pending) = reader.pending.pop() {
        reader.lead(&pending)?;
    }
    Ok(reader.nodes)
}

struct Reader<'t> {
    dialect: Dialect,
    nodes: Vec<Node>,
    /// Which node was read from which part of the tree.
    places: BTreeMap<*const Tree, Id>,
    resources: Vec<Resource<'t>>,
    /// Anchors by resource and name.
    anchors: BTreeMap<(usize, String), &'t Tree>,
    /// Which of them are dynamic.
    dynamic: BTreeSet<(usize, String)>,
    pending: Vec<Pending>,
}

struct Resource<'t> {
    uri: String,
    root: &'t Tree,
}

/// A reference whose target may not have been read yet.
struct Pending {
    from: Id,
    resource: usize,
    reference: String,
    is_dynamic: bool,
}

impl<'t> Reader<'t> {
    fn node(&mut self, tree: &'t Tree, resource: usize, depth: usize) -> Result<Id, SchemaError> {
        let place = std::ptr::from_ref(tree);
        if let Some(id) = self.places.get(&place) {
            return Ok(*id);
        }
        if depth > MOST_DEPTH {
            return Err(SchemaError::TooDeep);
        }
        if self.nodes.len() >= MOST_NODES {
            return Err(SchemaError::TooManyNodes);
        }
        let id = Id(self.nodes.len());
        self.nodes.push(Node::default());
        self.places.insert(place, id);
        let resource = self.name(tree, resource)?;
        let mut node = self.keywords(tree, id, resource, depth)?;
        node.resource = resource;
        if let Some(place) = self.nodes.get_mut(id.0) {
            *place = node;
        }
        Ok(id)
    }

    /// Notes what this subschema is called. Gives the resource that it belongs to.
    fn name(&mut self, tree: &'t Tree, outer: usize) -> Result<usize, SchemaError> {
        let is_alone = self.dialect.ref_stands_alone() && tree.member("$ref").is_some();
        let key = if self.dialect == Dialect::Draft4 { "id" } else { "$id" };
        let mut resource = outer;
        if let Some(name) = tree.member(key).and_then(Tree::as_str).filter(|_| !is_alone) {
            if let Some(anchor) = name.strip_prefix('#') {
                self.anchors.insert((outer, anchor.to_owned()), tree);
            } else {
                let uri = self.resolve(outer, name)?;
                resource = self.resources.len();
                self.resources.push(Resource { uri, root: tree });
            }
        }
        if let Some(other) = tree.member("$schema").and_then(Tree::as_str) {
            match Dialect::named(other) {
                Some(dialect) if dialect == self.dialect => {}
                _ => return Err(SchemaError::UnknownDialect(other.to_owned())),
            }
        }
        let anchor = |key| tree.member(key).and_then(Tree::as_str).map(str::to_owned);
        if self.dialect >= Dialect::Draft201909
            && let Some(name) = anchor("$anchor")
        {
            self.anchors.insert((resource, name), tree);
        }
        if self.dialect == Dialect::Draft202012
            && let Some(name) = anchor("$dynamicAnchor")
        {
            self.anchors.insert((resource, name.clone()), tree);
            self.dynamic.insert((resource, name));
        }
        if self.dialect == Dialect::Draft201909
            && tree.member("$recursiveAnchor").and_then(Tree::as_bool) == Some(true)
        {
            self.dynamic.insert((resource, String::new()));
        }
        Ok(resource)
    }

    fn keywords(
        &mut self,
        tree: &'t Tree,
        id: Id,
        resource: usize,
        depth: usize,
    ) -> Result<Node, SchemaError> {
        let mut node = Node { is_never: *tree == Tree::Bool(false), ..Node::default() };
        let is_alone = self.dialect.ref_stands_alone() && tree.member("$ref").is_some();
        for (keyword, value) in tree.members() {
            let mut sub = |tree| self.node(tree, resource, depth.saturating_add(1));
            match keyword.as_str() {
                // Read although nothing applies them here: a `$ref` may.
                "$defs" | "definitions" => {
                    for (_, value) in value.members() {
                        sub(value)?;
                    }
                }
                "$ref" | "$dynamicRef" | "$recursiveRef" => {
                    if let Some(reference) = value.as_str()
                        && match keyword.as_str() {
                            "$dynamicRef" => self.dialect == Dialect::Draft202012,
                            "$recursiveRef" => self.dialect == Dialect::Draft201909,
                            _ => true,
                        }
                    {
                        self.pending.push(Pending {
                            from: id,
                            resource,
                            reference: reference.to_owned(),
                            is_dynamic: keyword != "$ref",
                        });
                    }
                }
                _ if is_alone => {}
                "allOf" => node.all_of = subs(value, &mut sub)?,
                "anyOf" => node.any_of = subs(value, &mut sub)?,
                "oneOf" => node.one_of = subs(value, &mut sub)?,
                "not" => node.not = Some(sub(value)?),
                _ if self.for_objects(&mut node, keyword, value, resource, depth)? => {}
                _ if self.for_arrays(&mut node, keyword, value, resource, depth)? => {}
                _ => self.assertion(&mut node, keyword, value),
            }
        }
        if !is_alone {
            self.together(tree, &mut node, resource, depth)?;
        }
        Ok(node)
    }

    /// Keywords that mean something only with others.
    fn together(
        &mut self,
        tree: &'t Tree,
        node: &mut Node,
        resource: usize,
        depth: usize,
    ) -> Result<(), SchemaError> {
        let mut sub = |key: &str| {
            let tree = tree.member(key);
            tree.map(|tree| self.node(tree, resource, depth.saturating_add(1))).transpose()
        };
        let (test, then, otherwise, contains) =
            (sub("if")?, sub("then")?, sub("else")?, sub("contains")?);
        if let Some(test) = test.filter(|_| self.dialect >= Dialect::Draft7) {
            node.condition = Some(Condition { test, then, otherwise });
        }
        if let Some(contains) = contains.filter(|_| self.dialect >= Dialect::Draft6) {
            let of = |key| {
                let count = tree.member(key).and_then(count);
                count.filter(|_| self.dialect >= Dialect::Draft201909)
            };
            node.array.contains = Some(Contains {
                node: contains,
                min: of("minContains").unwrap_or(1),
                max: of("maxContains"),
            });
        }
        if self.dialect == Dialect::Draft4 {
            let number = &mut node.number;
            if tree.member("exclusiveMinimum").and_then(Tree::as_bool) == Some(true) {
                number.exclusive_minimum = number.minimum.take();
            }
            if tree.member("exclusiveMaximum").and_then(Tree::as_bool) == Some(true) {
                number.exclusive_maximum = number.maximum.take();
            }
        }
        Ok(())
    }

    fn for_objects(
        &mut self,
        node: &mut Node,
        keyword: &str,
        value: &'t Tree,
        resource: usize,
        depth: usize,
    ) -> Result<bool, SchemaError> {
        let dialect = self.dialect;
        let mut sub = |tree| self.node(tree, resource, depth.saturating_add(1));
        let rules = &mut node.object;
        match keyword {
            "properties" => {
                for (name, tree) in value.members() {
                    rules.properties.push((name.clone(), sub(tree)?));
                }
            }
            "patternProperties" => {
                for (pattern, tree) in value.members() {
                    let leaf = Leaf::new("pattern", Value::String(pattern.clone()), dialect);
                    rules.patterns.push((leaf, sub(tree)?));
                }
            }
            "additionalProperties" => rules.additional = Some(sub(value)?),
            "propertyNames" if dialect >= Dialect::Draft6 => rules.names = Some(sub(value)?),
            "unevaluatedProperties" if dialect >= Dialect::Draft201909 => {
                rules.unevaluated = Some(sub(value)?);
            }
            "required" => rules.required = value.texts(),
            "minProperties" => rules.min = count(value),
            "maxProperties" => rules.max = count(value),
            "dependentRequired" if dialect >= Dialect::Draft201909 => {
                for (name, needed) in value.members() {
                    let needed = needed.texts();
                    rules.dependent_required.push((name.clone(), needed, "dependentRequired"));
                }
            }
            "dependentSchemas" if dialect >= Dialect::Draft201909 => {
                for (name, tree) in value.members() {
                    rules.dependent_schemas.push((name.clone(), sub(tree)?));
                }
            }
            "dependencies" => {
                for (name, tree) in value.members() {
                    if let Tree::Array(_) = tree {
                        let needed = tree.texts();
                        rules.dependent_required.push((name.clone(), needed, "dependencies"));
                    } else {
                        rules.dependent_schemas.push((name.clone(), sub(tree)?));
                    }
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn for_arrays(
        &mut self,
        node: &mut Node,
        keyword: &str,
        value: &'t Tree,
        resource: usize,
        depth: usize,
    ) -> Result<bool, SchemaError> {
        let dialect = self.dialect;
        let mut sub = |tree| self.node(tree, resource, depth.saturating_add(1));
        let rules = &mut node.array;
        match keyword {
            "prefixItems" if dialect >= Dialect::Draft202012 => {
                rules.prefix = subs(value, &mut sub)?;
            }
            "items" if matches!(value, Tree::Array(_)) => {
                rules.prefix = subs(value, &mut sub)?;
                rules.is_tuple = true;
            }
            "items" => rules.items = Some((sub(value)?, "items")),
            "additionalItems" if dialect < Dialect::Draft202012 => {
                let node = sub(value)?;
                // It has a meaning only behind an array of `items`, wherever that stands.
                rules.items = rules.items.or(Some((node, "additionalItems")));
            }
            "unevaluatedItems" if dialect >= Dialect::Draft201909 => {
                rules.unevaluated = Some(sub(value)?);
            }
            "minItems" => rules.min = count(value),
            "maxItems" => rules.max = count(value),
            "uniqueItems" => rules.is_unique = value.as_bool() == Some(true),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Keywords that hold no subschema.
    fn assertion(&self, node: &mut Node, keyword: &str, value: &Tree) {
        let leaf = |keyword| Some(Leaf::new(keyword, value.value(), self.dialect));
        let since = |dialect| self.dialect >= dialect;
        match keyword {
            "type" => {
                let mut types =
                    Types { is_strict: self.dialect == Dialect::Draft4, ..Types::default() };
                value.as_str().into_iter().for_each(|name| types.add(name));
                value.texts().iter().for_each(|name| types.add(name));
                node.types = Some(types);
            }
            "enum" => node.values = Some(value.entries().iter().map(Tree::value).collect()),
            "const" if since(Dialect::Draft6) => node.constant = Some(value.value()),
            "minimum" => node.number.minimum = value.as_number().cloned(),
            "maximum" => node.number.maximum = value.as_number().cloned(),
            // In draft-04 it is true or false, and says how `minimum` is meant.
            "exclusiveMinimum" | "exclusiveMaximum" if !since(Dialect::Draft6) => {}
            "exclusiveMinimum" => node.number.exclusive_minimum = value.as_number().cloned(),
            "exclusiveMaximum" => node.number.exclusive_maximum = value.as_number().cloned(),
            "multipleOf" => node.number.multiple_of = leaf("multipleOf"),
            "minLength" => node.string.min_length = count(value),
            "maxLength" => node.string.max_length = count(value),
            "pattern" => node.string.pattern = leaf("pattern"),
            "format" => node.string.format = leaf("format"),
            // An assertion in these two dialects, and a remark in the later ones.
            "contentEncoding" if self.asserts_content() => {
                node.string.content.extend(leaf("contentEncoding"));
            }
            "contentMediaType" if self.asserts_content() => {
                node.string.content.extend(leaf("contentMediaType"));
            }
            "title" => node.words.title = value.as_str().map(str::to_owned),
            "description" => node.words.description = value.as_str().map(str::to_owned),
            "examples" => {
                let examples = value.entries().iter().map(Tree::value);
                node.words.examples.splice(0..0, examples);
            }
            "default" => node.words.examples.push(value.value()),
            "writeOnly" => node.is_write_only = value.as_bool() == Some(true),
            _ => {}
        }
    }

    const fn asserts_content(&self) -> bool {
        matches!(self.dialect, Dialect::Draft6 | Dialect::Draft7)
    }

    /// Finds what a reference points to.
    fn lead(&mut self, pending: &Pending) -> Result<(), SchemaError> {
        let Pending { from, resource, reference, is_dynamic } = pending;
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let home = if document.is_empty() { *resource } else { self.find(*resource, document)? };
        let nowhere = || SchemaError::Nowhere(reference.clone());
        let root = self.resources.get(home).map(|it| it.root).ok_or_else(nowhere)?;
        let target = if fragment.is_empty() {
            root
        } else if fragment.starts_with('/') {
            pointed(root, fragment).ok_or_else(nowhere)?
        } else {
            let key = (home, decoded(fragment));
            self.anchors.get(&key).copied().ok_or_else(nowhere)?
        };
        // A reference begins a new count: what it leads to is not nested in what it stands in.
        let target = self.node(target, home, 1)?;
        let is_dynamic = *is_dynamic
            && !fragment.starts_with('/')
            && self.dynamic.contains(&(home, decoded(fragment)));
        let reference = if is_dynamic {
            let name = decoded(fragment);
            let mut anchors = Vec::new();
            for (home, other) in self.dynamic.clone() {
                let root = self.resources.get(home).map(|it| it.root);
                let place = if name.is_empty() {
                    root
                } else {
                    self.anchors.get(&(home, name.clone())).copied()
                };
                if let Some(place) = place.filter(|_| other == name) {
                    anchors.push((home, self.node(place, home, 1)?));
                }
            }
            Reference::Dynamic { fallback: target, anchors }
        } else {
            Reference::To(target)
        };
        if let Some(node) = self.nodes.get_mut(from.0) {
            node.references.push(reference);
        }
        Ok(())
    }

    fn find(&self, resource: usize, document: &str) -> Result<usize, SchemaError> {
        let uri = self.resolve(resource, document)?;
        // Without a name of its own the document is known by none but its base.
        self.resources.iter().position(|it| it.uri.trim_end_matches('#') == uri).ok_or(
            SchemaError::Elsewhere(if uri.starts_with(NAMELESS) {
                document.to_owned()
            } else {
                uri
            }),
        )
    }

    /// A name, as seen from a resource.
    fn resolve(&self, resource: usize, name: &str) -> Result<String, SchemaError> {
        let base = self.resources.get(resource).map_or(NAMELESS, |it| it.uri.as_str());
        let wrong = || SchemaError::NotASchema {
            at: String::new(),
            why: format!("\"{name}\" is not a URI reference"),
        };
        let base = Uri::parse(base).map_err(|_| wrong())?;
        let uri = uri::resolve_against(&base, name).map_err(|_| wrong())?;
        Ok(uri.as_str().trim_end_matches('#').to_owned())
    }
}

fn subs<'t>(
    list: &'t Tree,
    mut sub: impl FnMut(&'t Tree) -> Result<Id, SchemaError>,
) -> Result<Vec<Id>, SchemaError> {
    list.entries().iter().map(&mut sub).collect()
}

/// A count, which may be written as `2.0`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole and not negative; beyond 64 bits no length gets anyway"
)]
fn count(tree: &Tree) -> Option<u64> {
    let number = tree.as_number()?;
    let double = || number.as_f64().filter(|it| *it >= 0.0 && it.fract() == 0.0);
    number.as_u64().or_else(|| double().map(|it| it as u64))
}

/// Follows a JSON Pointer as it stands in the fragment of a URI.
fn pointed<'t>(root: &'t Tree, pointer: &str) -> Option<&'t Tree> {
    let mut tree = root;
    for step in decoded(pointer).split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        tree = match tree {
            Tree::Array(entries) => entries.get(step.parse::<usize>().ok()?)?,
            Tree::Object(_) => tree.member(&step)?,
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) => return None,
        };
    }
    Some(tree)
}

/// Undoes percent-encoding.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digits = (byte == b'%').then(|| {
            let mut digit = || ahead.next().and_then(|it| char::from(it).to_digit(16));
            digit().zip(digit())
        });
        match digits.flatten().and_then(|(high, low)| u8::try_from(high * 16 + low).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                rest = ahead;
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

//! The tools a server has, by name, and how each revision lists them.

use std::collections::HashMap;
use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::fmt;
use std::sync::Arc;

use candor_protocol::ProtocolError;
use candor_protocol::era::{Feature, Version};
use candor_protocol::outbound::response::write_compact;
use candor_schema::{Schema, SchemaError};
use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::schemas;
use crate::tool::{Answer, Tool};
use crate::turns::Turns;

/// What is published of a tool: the spec's `Tool`, kept as JSON text.
///
/// Members that candor gives no meaning are kept too, in their order, numbers to the letter.
#[derive(Clone, Debug)]
pub struct Definition {
    name: String,
    members: Vec<(String, String)>,
    is_read_only: bool,
    promises_structure: bool,
}

impl Definition {
    /// A tool of this name that takes anything.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        let members = vec![
            ("name".to_owned(), Value::from(name.as_str()).to_string()),
            ("inputSchema".to_owned(), r#"{"type":"object"}"#.to_owned()),
        ];
        Self { name, members, is_read_only: false, promises_structure: false }
    }

    /// What it does, for the model.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        let json = Value::from(text).to_string();
        self.members.retain(|(key, _)| key != "description");
        // Right behind the name, where a reader looks for it.
        self.members.insert(1, ("description".to_owned(), json));
        self
    }

    /// The JSON Schema of its arguments.
    #[must_use]
    pub fn input_schema(self, schema: &Value) -> Self {
        self.with("inputSchema", schema.to_string())
    }

    /// The JSON Schema of its structured content.
    #[must_use]
    pub fn output_schema(mut self, schema: &Value) -> Self {
        self.promises_structure = true;
        self.with("outputSchema", schema.to_string())
    }

    /// It takes what this type is read from: the type's JSON Schema, closed, with its doc comments
    /// as descriptions.
    ///
    /// ```
    /// use candor::{Definition, schemars::JsonSchema, tool};
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// # #[schemars(crate = "candor::schemars")]
    /// struct Booking {
    ///     /// How many seats.
    ///     #[schemars(range(min = 1, max = 9))]
    ///     seats: u8,
    /// }
    ///
    /// let definition = Definition::new("book").takes::<Booking>();
    /// let book = tool::inline(|call| {
    ///     let Booking { seats } = call.read()?;
    ///     Ok(format!("Booked {seats} seats."))
    /// });
    /// # let _ = (definition, book);
    /// ```
    #[must_use]
    pub fn takes<T: JsonSchema>(self) -> Self {
        self.input_schema(&schemas::input::<T>())
    }

    /// It promises what this answer promises: the schema of a [`Json`](crate::Json), of anything
    /// else nothing.
    #[must_use]
    pub fn answers<A: Answer>(self) -> Self {
        match A::output_schema() {
            Some(schema) => self.output_schema(&schema),
            None => self,
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn title(self, text: &str) -> Self {
        self.with("title", Value::from(text).to_string())
    }

    /// It changes nothing, however often it is called.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self.hint("readOnlyHint", true)
    }

    /// May it change or remove what is there, or does it only add to it? Hosts take it that it may.
    #[must_use]
    pub fn destructive(self, may: bool) -> Self {
        self.hint("destructiveHint", may)
    }

    /// Calling it again with the same arguments changes nothing more.
    #[must_use]
    pub fn idempotent(self) -> Self {
        self.hint("idempotentHint", true)
    }

    /// Does it deal with a world that others change too, such as the web, or with one of its own?
    /// Hosts take it that it does.
    #[must_use]
    pub fn open_world(self, does: bool) -> Self {
        self.hint("openWorldHint", does)
    }

    fn hint(self, key: &str, hint: bool) -> Self {
        let said = self.member("annotations").and_then(|json| serde_json::from_str(json).ok());
        let mut hints: serde_json::Map<String, Value> = said.unwrap_or_default();
        hints.insert(key.to_owned(), hint.into());
        self.with("annotations", Value::Object(hints).to_string())
    }

    /// A tool as a tools file describes it.
    ///
    /// # Errors
    ///
    /// It is not a tool: no name, or a schema that is no object schema.
    pub fn from_json(json: &str) -> Result<Self, BuildError> {
        let members: Members = serde_json::from_str(json)
            .map_err(|cause| BuildError::Definition { tool: None, problem: cause.to_string() })?;
        let mut definition = Self {
            name: String::new(),
            members: Vec::with_capacity(members.0.len()),
            is_read_only: false,
            promises_structure: false,
        };
        for (key, value) in members.0 {
            if definition.member(&key).is_some() {
                let tool = Some(definition.name).filter(|name| !name.is_empty());
                return Err(BuildError::Definition {
                    tool,
                    problem: format!("{key:?} stands twice"),
                });
            }
            match key.as_str() {
                "name" => {
                    definition.name = serde_json::from_str(value.get()).map_err(|_| {
                        let problem = "`name` must be a string".to_owned();
                        BuildError::Definition { tool: None, problem }
                    })?;
                }
                "annotations" => {
                    let hints: Value = serde_json::from_str(value.get()).unwrap_or_default();
                    definition.is_read_only = hints.get("readOnlyHint") == Some(&Value::Bool(true));
                }
                "outputSchema" => definition.promises_structure = true,
                _ => {}
            }
            let mut compact = Vec::new();
            write_compact(&mut compact, value.get());
            definition.members.push((key, String::from_utf8_lossy(&compact).into_owned()));
        }
        if definition.member("inputSchema").is_none() {
            definition = definition.with("inputSchema", r#"{"type":"object"}"#.to_owned());
        }
        definition.check()?;
        Ok(definition)
    }

    /// Is this a name that a tool can have? The spec recommends these, and any host can show them.
    #[must_use]
    pub fn is_name(name: &str) -> bool {
        (1..=128).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
    }

    /// The name by which it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Does it say that it changes nothing?
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Does it declare an `outputSchema`?
    #[must_use]
    pub const fn promises_structure(&self) -> bool {
        self.promises_structure
    }

    /// The JSON text of a member.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<&str> {
        self.members.iter().find(|(name, _)| name == key).map(|(_, json)| json.as_str())
    }

    fn with(mut self, key: &str, json: String) -> Self {
        match self.members.iter_mut().find(|(name, _)| name == key) {
            Some((_, kept)) => *kept = json,
            None => self.members.push((key.to_owned(), json)),
        }
        self
    }

    fn check(&self) -> Result<(), BuildError> {
        let refuse = |problem: &str| {
            let tool = Some(self.name.clone());
            Err(BuildError::Definition { tool, problem: problem.to_owned() })
        };
        if !Self::is_name(&self.name) {
            return refuse(
                "a tool's name has 1 to 128 letters, digits, hyphens, underscores and dots",
            );
        }
        for key in ["inputSchema", "outputSchema"] {
            let Some(schema) = self.member(key) else { continue };
            let schema = match serde_json::from_str::<Value>(schema) {
                Ok(schema) => schema,
                // Its grammar is right: it nests too deeply, or a number is too large.
                Err(why) => return refuse(&format!("`{key}` cannot be read: {why}")),
            };
            if !schema.is_object() {
                return refuse(&format!("`{key}` must be an object"));
            }
            if key == "inputSchema" && schema.get("type") != Some(&Value::from("object")) {
                return refuse("`inputSchema` must say \"type\": \"object\"");
            }
        }
        Ok(())
    }

    /// Appends the definition as this revision can carry it.
    fn write(&self, out: &mut Vec<u8>, version: Version) {
        let mut is_first = true;
        out.push(b'{');
        for (key, json) in &self.members {
            if !is_carried(key, json, version) {
                continue;
            }
            if !is_first {
                out.push(b',');
            }
            is_first = false;
            out.extend_from_slice(Value::from(key.as_str()).to_string().as_bytes());
            out.push(b':');
            out.extend_from_slice(json.as_bytes());
        }
        out.push(b'}');
    }
}

fn is_carried(key: &str, json: &str, version: Version) -> bool {
    match key {
        "annotations" => version.knows(Feature::ToolAnnotations),
        "title" => version.knows(Feature::Titles),
        "_meta" => version.knows(Feature::ToolMeta),
        "icons" => version.knows(Feature::Icons),
        "outputSchema" => {
            let is_of_objects = || {
                serde_json::from_str::<Value>(json)
                    .is_ok_and(|schema| schema.get("type") == Some(&Value::from("object")))
            };
            version.knows(Feature::StructuredValues)
                || (version.knows(Feature::StructuredObjects) && is_of_objects())
        }
        _ => true,
    }
}

/// The members of an object, in their order.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Why tools do not make a server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// A definition is not one.
    Definition {
        /// The tool, if its name is known.
        tool: Option<String>,
        /// What is wrong with it.
        problem: String,
    },
    /// A schema cannot be held against anything.
    Schema {
        /// The tool.
        tool: String,
        /// `inputSchema` or `outputSchema`.
        member: &'static str,
        /// Why.
        problem: SchemaError,
    },
    /// Two tools have one name.
    Twice {
        /// The name.
        tool: String,
    },
    /// A tool takes state that the server was not given.
    StateMissing {
        /// The tool.
        tool: String,
        /// The type that it takes.
        state: &'static str,
    },
    /// The server was given two values of one type to share.
    StateTwice {
        /// The type.
        state: &'static str,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Definition { tool: Some(tool), problem } => write!(f, "tool {tool:?}: {problem}"),
            Self::Definition { tool: None, problem } => f.write_str(problem),
            Self::Schema { tool, member, problem } => {
                write!(f, "tool {tool:?}, `{member}`: {problem}")
            }
            Self::Twice { tool } => write!(f, "two tools are named {tool:?}"),
            Self::StateMissing { tool, state } => write!(
                f,
                "tool {tool:?} takes `State<{state}>`, and the server was given none: add \
                 `.state(..)` to its builder"
            ),
            Self::StateTwice { state } => write!(
                f,
                "the server was given two values of the type `{state}`: give one, or wrap each in \
                 a type of its own"
            ),
        }
    }
}

impl std::error::Error for BuildError {}

/// A tool, what is published of it, and what its calls are held against.
pub(crate) struct Entry {
    pub(crate) definition: Definition,
    pub(crate) tool: Arc<dyn Tool>,
    /// `None` if it takes any object.
    pub(crate) input: Option<Schema>,
    /// `None` if it promises nothing.
    pub(crate) output: Option<Schema>,
    pub(crate) turns: Turns,
}

impl Entry {
    fn new(definition: Definition, tool: Arc<dyn Tool>) -> Result<Self, BuildError> {
        let schema = |member| {
            let Some(text) = definition.member(member) else { return Ok(None) };
            Schema::new(text).map(Some).map_err(|problem| BuildError::Schema {
                tool: definition.name().to_owned(),
                member,
                problem,
            })
        };
        let input = schema("inputSchema")?.filter(|schema| !schema.admits_every_object());
        let output = schema("outputSchema")?;
        let turns = tool.turns();
        Ok(Self { definition, tool, input, output, turns })
    }
}

/// The tools of a server, in the order in which they are listed.
#[derive(Clone, Default)]
pub struct Toolset {
    listed: Vec<Arc<Entry>>,
    by_name: HashMap<String, Arc<Entry>>,
}

impl Toolset {
    /// No tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool at the end of the list.
    ///
    /// # Errors
    ///
    /// The definition is not one, or another tool has its name.
    pub fn add(&mut self, definition: Definition, tool: Arc<dyn Tool>) -> Result<(), BuildError> {
        let entry = self.insert(definition, tool)?;
        self.listed.push(entry);
        Ok(())
    }

    /// Adds a tool that can be called and is not listed.
    ///
    /// # Errors
    ///
    /// The definition is not one, or another tool has its name.
    pub fn add_unlisted(
        &mut self,
        definition: Definition,
        tool: Arc<dyn Tool>,
    ) -> Result<(), BuildError> {
        self.insert(definition, tool).map(drop)
    }

    fn insert(
        &mut self,
        definition: Definition,
        tool: Arc<dyn Tool>,
    ) -> Result<Arc<Entry>, BuildError> {
        definition.check()?;
        let name = definition.name().to_owned();
        let entry = Arc::new(Entry::new(definition, tool)?);
        match self.by_name.entry(name) {
            Occupied(other) => Err(BuildError::Twice { tool: other.key().clone() }),
            Vacant(place) => Ok(Arc::clone(place.insert(entry))),
        }
    }

    /// What is published of each listed tool, in order.
    pub fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.listed.iter().map(|entry| &entry.definition)
    }

    /// Finds a tool. Nobody is told why one is not found: unlisted, hidden and absent read alike.
    pub(crate) fn find(&self, name: &str) -> Result<&Arc<Entry>, ProtocolError> {
        let unknown = || ProtocolError::UnknownTool { name: name.to_owned() };
        self.by_name.get(name).ok_or_else(unknown)
    }

    /// Appends the list as this revision can carry it: a JSON array.
    pub(crate) fn write_list(&self, out: &mut Vec<u8>, version: Version) {
        out.push(b'[');
        for (at, definition) in self.definitions().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            definition.write(out, version);
        }
        out.push(b']');
    }
}

impl fmt::Debug for Toolset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.definitions().map(Definition::name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use candor_protocol::Version;

    use super::{BuildError, Definition, Toolset};
    use crate::tool;

    const FULL: &str = r#"{
        "name": "seats", "title": "Seats", "x-mine": 1.50,
        "description": "Free seats.", "icons": [],
        "inputSchema": { "type": "object" },
        "outputSchema": { "type": "array" },
        "annotations": { "readOnlyHint": true }, "_meta": {}
    }"#;

    fn listed(version: Version) -> String {
        let mut tools = Toolset::new();
        tools.add(Definition::from_json(FULL).unwrap(), Arc::new(tool::inline(|_| ""))).unwrap();
        let mut out = Vec::new();
        tools.write_list(&mut out, version);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_newest_revision_carries_a_definition_as_it_was_written() {
        assert_eq!(
            listed(Version::V2026_07_28),
            r#"[{"name":"seats","title":"Seats","x-mine":1.50,"description":"Free seats.","icons":[],"inputSchema":{ "type": "object" },"outputSchema":{ "type": "array" },"annotations":{ "readOnlyHint": true },"_meta":{}}]"#
        );
    }

    #[test]
    fn an_older_revision_is_spared_what_it_has_no_word_for() {
        assert_eq!(
            listed(Version::V2024_11_05),
            r#"[{"name":"seats","x-mine":1.50,"description":"Free seats.","inputSchema":{ "type": "object" }}]"#
        );
        assert!(!listed(Version::V2025_11_25).contains("outputSchema"), "its root is no object");
        assert!(!listed(Version::V2025_03_26).contains("title"));
        assert!(listed(Version::V2025_03_26).contains("annotations"));
    }

    #[test]
    fn what_is_no_tool_is_refused_with_the_reason() {
        let problem = |json| Definition::from_json(json).unwrap_err().to_string();

        assert_eq!(problem(r#"{"name":7}"#), "`name` must be a string");
        assert_eq!(problem(r#"{"name":"a","name":"b"}"#), "tool \"a\": \"name\" stands twice");
        assert_eq!(
            problem(r#"{"name":"a b"}"#),
            "tool \"a b\": a tool's name has 1 to 128 letters, digits, hyphens, underscores and dots"
        );
        assert_eq!(
            problem(r#"{"name":"a","inputSchema":{}}"#),
            "tool \"a\": `inputSchema` must say \"type\": \"object\""
        );
    }

    #[test]
    fn two_tools_cannot_share_a_name() {
        let mut tools = Toolset::new();
        tools.add(Definition::new("a"), Arc::new(tool::inline(|_| ""))).unwrap();
        tools.add_unlisted(Definition::new("hidden"), Arc::new(tool::inline(|_| ""))).unwrap();
        tools.add(Definition::new("b"), Arc::new(tool::inline(|_| ""))).unwrap();

        assert_eq!(format!("{tools:?}"), r#"["a", "b"]"#);
        assert!(tools.find("hidden").is_ok());
        assert_eq!(tools.find("b").unwrap().definition.name(), "b");
        assert_eq!(
            tools.add(Definition::new("hidden"), Arc::new(tool::inline(|_| ""))),
            Err(BuildError::Twice { tool: "hidden".to_owned() })
        );
    }
}

//! `key=value` words to the arguments of a call, as JSON text.
//!
//! The schema only says how a value is written. What does not fit is sent as text, and what is not
//! known is sent too: the server judges, and its answer is what the person at the terminal came
//! to see.

use std::io::Read;

use candor_protocol::outbound::response::write_compact;
use serde_json::value::RawValue;

use crate::json;
use crate::schema::{Kind, Schema};

/// One `key=value`, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Word {
    key: String,
    value: Typed,
}

/// What was typed behind the key.
#[derive(Debug, PartialEq, Eq)]
enum Typed {
    /// `=value`
    Text(String),
    /// `=@FILE`: text, however much it looks like something else.
    File(String),
    /// `:=JSON`
    Json(String),
}

impl Word {
    /// Takes a word apart, and reads the file that it names.
    ///
    /// # Errors
    ///
    /// It is not written in any of the ways there are.
    pub(crate) fn read(word: &str) -> Result<Self, String> {
        let Some((key, value)) = word.split_once('=') else {
            let hint = if word.trim_start().starts_with(['{', '[']) {
                "; all arguments at once go in --arguments"
            } else {
                ", such as numTickets=2"
            };
            return Err(format!("{word:?} is not key=value{hint}"));
        };
        let file = value.strip_prefix('@');
        let (key, value) = match (key.strip_suffix(':'), file) {
            (None, None) => (key, Typed::Text(value.to_owned())),
            (None, Some(file)) => {
                let instead = format!("; for the text {value:?} itself write {key}:='\"{value}\"'");
                (key, Typed::File(contents(file).map_err(|why| why + &instead)?))
            }
            (Some(key), None) => (key, Typed::Json(one_value(value, key)?)),
            (Some(key), Some(file)) => (key, Typed::Json(one_value(&contents(file)?, key)?)),
        };
        if key.is_empty() {
            return Err(format!("{word:?} has no key before its ="));
        }
        Ok(Self { key: key.to_owned(), value })
    }
}

/// The object that the words make, with the types that the schema says.
///
/// # Errors
///
/// Two words cannot both be meant.
pub(crate) fn object(words: &[Word], schema: Option<Schema<'_>>) -> Result<Box<RawValue>, String> {
    let mut root = Vec::new();
    for Word { key, value } in words {
        // A name that the schema knows is that name, whatever it looks like.
        let is_a_name = schema.is_some_and(|schema| schema.declared(key).is_some());
        let mut node = Place::Members(&mut root);
        let mut schema = schema;
        for step in if is_a_name { vec![Step::Member(key)] } else { steps(key)? } {
            schema = schema.and_then(|schema| match step {
                Step::Member(name) => schema.member(name),
                Step::Entry => schema.entries(),
            });
            node = node
                .enter(step)
                .ok_or_else(|| format!("{key} cannot be set, as part of it has a value already"))?;
        }
        node.set(write(value, schema)).ok_or_else(|| {
            format!("{key} is given twice; for an array write {key}[]= each time")
        })?;
    }
    let mut out = String::new();
    Node::Members(root).write(&mut out);
    RawValue::from_string(out).map_err(|cause| cause.to_string())
}

/// What stands in `--arguments`: JSON, `@FILE`, or `-` for standard input.
///
/// # Errors
///
/// It is not JSON, or cannot be read. JSON of any other kind than an object is sent as it is.
pub(crate) fn whole(text: &str) -> Result<Box<RawValue>, String> {
    let json = match (text, text.strip_prefix('@')) {
        ("-", _) => one_value(&contents("-")?, "--arguments"),
        (_, Some(file)) => one_value(&contents(file)?, "--arguments"),
        (json, None) => one_value(json, "--arguments"),
    };
    RawValue::from_string(json?).map_err(|cause| cause.to_string())
}

/// The text of a file, or of standard input.
fn contents(file: &str) -> Result<String, String> {
    let read = if file == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    read.map_err(|cause| format!("{file} cannot be read: {cause}"))
}

/// JSON text, on one line.
fn one_value(text: &str, whose: &str) -> Result<String, String> {
    let json: &RawValue = serde_json::from_str(text.trim())
        .map_err(|cause| format!("what stands in {whose} is not JSON: {cause}"))?;
    let mut compact = Vec::new();
    write_compact(&mut compact, json.get());
    Ok(String::from_utf8_lossy(&compact).into_owned())
}

/// A value as JSON text.
fn write(value: &Typed, schema: Option<Schema<'_>>) -> String {
    let kinds = schema.map_or_else(Vec::new, Schema::kinds);
    match value {
        Typed::Json(json) => json.clone(),
        Typed::Text(text) if is_one_of(text, schema) => json::write(text),
        Typed::Text(text) if kinds.is_empty() && Kind::of_plain(text).is_some() => text.clone(),
        Typed::Text(text) | Typed::File(text) => {
            fitting(text.trim(), &kinds).unwrap_or_else(|| json::write(text))
        }
    }
}

/// Does the schema name this very text as a value?
fn is_one_of(text: &str, schema: Option<Schema<'_>>) -> bool {
    let values = schema.and_then(Schema::values);
    values.is_some_and(|values| values.iter().any(|value| value.as_str() == Some(text)))
}

/// The text as a value of one of these kinds other than text, if it writes one.
fn fitting(text: &str, kinds: &[Kind]) -> Option<String> {
    let kind = match text.as_bytes().first()? {
        b'[' => Kind::Array,
        b'{' => Kind::Object,
        _ => Kind::of_plain(text)?,
    };
    if !kinds.contains(&kind) {
        return None;
    }
    one_value(text, "").ok()
}

/// One step into a value: `a`, `[]`.
#[derive(Clone, Copy)]
enum Step<'a> {
    Member(&'a str),
    Entry,
}

fn steps(key: &str) -> Result<Vec<Step<'_>>, String> {
    let (path, is_entry) = key.strip_suffix("[]").map_or((key, false), |path| (path, true));
    let mut steps: Vec<_> = path.split('.').map(Step::Member).collect();
    if path.contains("[]") || path.split('.').any(str::is_empty) {
        return Err(format!("{key:?} is no key; write a, a.b, a[] or a.b[]"));
    }
    if is_entry {
        steps.push(Step::Entry);
    }
    Ok(steps)
}

/// A value that is being put together.
enum Node {
    Text(String),
    Members(Vec<(String, Node)>),
    Entries(Vec<Node>),
    Unset,
}

/// Where in it we are.
enum Place<'a> {
    Members(&'a mut Vec<(String, Node)>),
    Node(&'a mut Node),
}

impl<'a> Place<'a> {
    fn enter(self, step: Step<'_>) -> Option<Self> {
        match (self, step) {
            (Self::Members(members), Step::Member(name)) => Self::member(members, name),
            (Self::Members(_), Step::Entry) => None,
            (Self::Node(node), step) => {
                if let Node::Unset = node {
                    *node = match step {
                        Step::Member(_) => Node::Members(Vec::new()),
                        Step::Entry => Node::Entries(Vec::new()),
                    };
                }
                match (node, step) {
                    (Node::Members(members), Step::Member(name)) => Self::member(members, name),
                    (Node::Entries(entries), Step::Entry) => {
                        entries.push(Node::Unset);
                        entries.last_mut().map(Self::Node)
                    }
                    _ => None,
                }
            }
        }
    }

    fn member(members: &'a mut Vec<(String, Node)>, name: &str) -> Option<Self> {
        let at = members.iter().position(|(key, _)| key == name).unwrap_or_else(|| {
            members.push((name.to_owned(), Node::Unset));
            members.len() - 1
        });
        members.get_mut(at).map(|(_, node)| Self::Node(node))
    }

    fn set(self, json: String) -> Option<()> {
        match self {
            Self::Node(node @ Node::Unset) => {
                *node = Node::Text(json);
                Some(())
            }
            Self::Node(_) | Self::Members(_) => None,
        }
    }
}

impl Node {
    fn write(&self, out: &mut String) {
        match self {
            Self::Text(json) => out.push_str(json),
            Self::Unset => out.push_str("null"),
            Self::Members(members) => {
                out.push('{');
                for (at, (name, node)) in members.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    out.push_str(&json::write(name));
                    out.push(':');
                    node.write(out);
                }
                out.push('}');
            }
            Self::Entries(entries) => {
                out.push('[');
                for (at, node) in entries.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    node.write(out);
                }
                out.push(']');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use serde_json::value::RawValue;
    use serde_json::{Value, json};

    use super::{Word, object, whole};
    use crate::schema::Schema;

    fn sent(words: &[&str], schema: &Value) -> Result<String, String> {
        let words: Result<Vec<_>, _> = words.iter().map(|word| Word::read(word)).collect();
        object(&words?, Some(Schema::new(schema))).map(text)
    }

    fn text(json: impl AsRef<RawValue>) -> String {
        json.as_ref().get().to_owned()
    }

    /// Each of these words alone, and what is sent for it.
    fn assert_sent(schema: &Value, table: &[(&str, &str)]) {
        for (word, json) in table {
            assert_eq!(sent(&[word], schema).as_deref(), Ok(*json), "{word}");
        }
    }

    #[test]
    fn a_value_has_the_type_that_the_schema_says() {
        let schema = json!({ "type": "object", "properties": {
            "name": { "type": "string" },
            "count": { "type": "integer" },
            "price": { "type": "number" },
            "sure": { "type": "boolean" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "rows": { "type": "array", "items": { "type": "integer" } },
            "filter": { "type": "object" },
            "nothing": { "type": "null" },
            "maybe": { "type": ["integer", "null"] },
            "either": { "anyOf": [{ "type": "boolean" }, { "type": "string" }] },
            "rating": { "enum": ["U", "12", "A"] },
        }});
        assert_sent(
            &schema,
            &[
                ("name=2", r#"{"name":"2"}"#),
                ("name=true", r#"{"name":"true"}"#),
                ("name=", r#"{"name":""}"#),
                ("name= a ", r#"{"name":" a "}"#),
                ("name=a=b", r#"{"name":"a=b"}"#),
                ("name=[1]", r#"{"name":"[1]"}"#),
                ("count=2", r#"{"count":2}"#),
                ("count=2.0", r#"{"count":2.0}"#),
                ("count=12345678901234567890123", r#"{"count":12345678901234567890123}"#),
                ("price=1e400", r#"{"price":1e400}"#),
                ("price=-1.50", r#"{"price":-1.50}"#),
                ("sure=true", r#"{"sure":true}"#),
                ("tags=[\"a\", \"b\"]", r#"{"tags":["a", "b"]}"#),
                ("tags[]=1", r#"{"tags":["1"]}"#),
                ("rows[]=1", r#"{"rows":[1]}"#),
                ("filter={\"a\": 1.0}", r#"{"filter":{"a": 1.0}}"#),
                ("nothing=null", r#"{"nothing":null}"#),
                ("maybe=null", r#"{"maybe":null}"#),
                ("maybe=7", r#"{"maybe":7}"#),
                ("either=false", r#"{"either":false}"#),
                ("either=no", r#"{"either":"no"}"#),
                ("rating=12", r#"{"rating":"12"}"#),
            ],
        );
    }

    #[test]
    fn what_does_not_fit_is_sent_as_text_for_the_server_to_judge() {
        let schema = json!({ "type": "object", "additionalProperties": false, "properties": {
            "count": { "type": "integer" },
            "sure": { "type": "boolean" },
            "tags": { "type": "array" },
            "filter": { "type": "object" },
        }});
        assert_sent(
            &schema,
            &[
                ("count=two", r#"{"count":"two"}"#),
                ("count=", r#"{"count":""}"#),
                ("count=true", r#"{"count":"true"}"#),
                // A number, if not a whole one: the truest thing to be told about.
                ("count=2.5", r#"{"count":2.5}"#),
                ("sure=yes", r#"{"sure":"yes"}"#),
                ("sure=1", r#"{"sure":"1"}"#),
                ("tags=a", r#"{"tags":"a"}"#),
                ("tags=[a", r#"{"tags":"[a"}"#),
                ("filter=[1]", r#"{"filter":"[1]"}"#),
                ("unknown=2", r#"{"unknown":2}"#),
                ("unknown=a", r#"{"unknown":"a"}"#),
            ],
        );
    }

    #[test]
    fn where_the_schema_says_nothing_plain_json_is_json_and_all_else_is_text() {
        assert_sent(
            &json!({ "type": "object" }),
            &[
                ("a=2", r#"{"a":2}"#),
                ("a=-0.5e3", r#"{"a":-0.5e3}"#),
                ("a=true", r#"{"a":true}"#),
                ("a=null", r#"{"a":null}"#),
                ("a=13:30", r#"{"a":"13:30"}"#),
                ("a=007", r#"{"a":"007"}"#),
                ("a=1 ", r#"{"a":"1 "}"#),
                ("a=True", r#"{"a":"True"}"#),
                ("a={}", r#"{"a":"{}"}"#),
                ("a=\"2\"", r#"{"a":"\"2\""}"#),
                ("a=é\n", r#"{"a":"é\n"}"#),
                ("ä b=1", r#"{"ä b":1}"#),
            ],
        );
    }

    #[test]
    fn json_behind_a_colon_is_sent_as_it_is() {
        let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        assert_sent(
            &schema,
            &[
                ("a:=2", r#"{"a":2}"#),
                ("a:=\"@x\"", r#"{"a":"@x"}"#),
                ("a:= {\"b\": [1.0,\n2]} ", r#"{"a":{"b":[1.0,2]}}"#),
                ("a.b[]:=null", r#"{"a":{"b":[null]}}"#),
            ],
        );
        assert_eq!(
            sent(&["a:=two"], &schema),
            Err("what stands in a is not JSON: expected ident at line 1 column 2".to_owned())
        );
    }

    #[test]
    fn members_and_entries_add_up() {
        let schema = json!({ "type": "object", "properties": {
            "at": { "type": "object", "properties": { "hall": { "type": "string" } } },
            "a.b": { "type": "integer" },
            "map": { "type": "object", "additionalProperties": { "type": "string" } },
        }});
        assert_eq!(
            sent(&["at.hall=1", "at.seats[]=4", "at.seats[]=5", "x=1"], &schema).as_deref(),
            Ok(r#"{"at":{"hall":"1","seats":[4,5]},"x":1}"#)
        );
        assert_eq!(sent(&["a.b=1"], &schema).as_deref(), Ok(r#"{"a.b":1}"#));
        assert_eq!(sent(&["map.x=1"], &schema).as_deref(), Ok(r#"{"map":{"x":"1"}}"#));
        assert_eq!(sent(&[], &schema).as_deref(), Ok("{}"));
    }

    #[test]
    fn words_that_contradict_each_other_are_refused() {
        for (words, why) in [
            (&["a=1", "a=2"][..], "a is given twice; for an array write a[]= each time"),
            (&["a=1", "a.b=2"], "a.b cannot be set, as part of it has a value already"),
            (&["a.b=1", "a=2"], "a is given twice; for an array write a[]= each time"),
            (&["a[]=1", "a.b=2"], "a.b cannot be set, as part of it has a value already"),
            (&["a..b=1"], "\"a..b\" is no key; write a, a.b, a[] or a.b[]"),
            (&["a[].b=1"], "\"a[].b\" is no key; write a, a.b, a[] or a.b[]"),
            (&["=1"], "\"=1\" has no key before its ="),
            (&[":=1"], "\":=1\" has no key before its ="),
            (&["two"], "\"two\" is not key=value, such as numTickets=2"),
            (
                &["{\"a\":1}"],
                "\"{\\\"a\\\":1}\" is not key=value; all arguments at once go in --arguments",
            ),
        ] {
            assert_eq!(sent(words, &json!({})), Err(why.to_owned()), "{words:?}");
        }
    }

    #[test]
    fn a_file_is_text_unless_the_schema_or_a_colon_says_otherwise() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"{\"n\":\n1.0}\n").unwrap();
        let path = file.path().display().to_string();
        let schema = json!({ "properties": { "object": { "type": "object" } } });
        let of = |operator: &str| sent(&[&format!("{operator}@{path}")], &schema);

        assert_eq!(of("a=").as_deref(), Ok(r#"{"a":"{\"n\":\n1.0}\n"}"#));
        assert_eq!(of("a:=").as_deref(), Ok(r#"{"a":{"n":1.0}}"#));
        assert_eq!(of("object=").as_deref(), Ok(r#"{"object":{"n":1.0}}"#));
        assert_eq!(whole(&format!("@{path}")).map(text).as_deref(), Ok(r#"{"n":1.0}"#));
    }

    #[test]
    fn a_file_that_is_not_there_says_how_to_send_the_text_itself() {
        assert_eq!(
            sent(&["user=@bob"], &json!({})),
            Err("bob cannot be read: No such file or directory (os error 2); for the text \
                 \"@bob\" itself write user:='\"@bob\"'"
                .to_owned())
        );
    }

    #[test]
    fn all_arguments_at_once_are_any_json_and_nothing_else() {
        assert_eq!(whole("{\"a\": 1}").map(text).as_deref(), Ok("{\"a\": 1}"));
        assert_eq!(whole("[1]").map(text).as_deref(), Ok("[1]"));
        assert_eq!(
            whole("{a:1}").map(text),
            Err("what stands in --arguments is not JSON: key must be a string at line 1 column 2"
                .to_owned())
        );
    }
}

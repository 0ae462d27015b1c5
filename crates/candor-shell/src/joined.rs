//! A tool's JSON and its comment to one definition: the JSON is the truth, and the comment fills
//! what it lacks.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::declared::Declared;

/// The JSON text of a tool with the members that it lacks and the comment has, if it is an object.
pub(crate) fn filled(json: &str, comment: &Declared) -> String {
    let Ok(has) = serde_json::from_str::<HashMap<String, &RawValue>>(json) else {
        return json.to_owned();
    };
    let Some(open) = json.trim_end().strip_suffix('}') else { return json.to_owned() };
    let Declared { declaration, input_schema } = comment;
    let description = declaration.description.as_deref().map(|text| Value::from(text).to_string());
    let members = [
        ("description", description),
        ("inputSchema", input_schema.clone()),
        ("outputSchema", declaration.output_schema()),
        ("annotations", declaration.annotations()),
    ];
    let mut filled = open.trim_end().to_owned();
    let mut is_empty = has.is_empty();
    for (key, member) in members {
        let Some(member) = member.filter(|_| !has.contains_key(key)) else { continue };
        if !is_empty {
            filled.push(',');
        }
        is_empty = false;
        filled.extend(["\"", key, "\":", &member]);
    }
    filled.push('}');
    filled
}

/// In what the JSON text of a tool and the tags of its comment contradict each other.
pub(crate) fn disagreements(json: &str, comment: &Declared) -> Vec<String> {
    let Declared { declaration, input_schema } = comment;
    let json: Tool = serde_json::from_str(json).unwrap_or_default();
    let mut found = Vec::new();
    // A tag about something else says nothing of arguments.
    if !declaration.arguments.is_empty() || declaration.schema.is_some() {
        compare("the argument", json.input_schema, input_schema.as_deref(), &mut found);
    }
    let output = declaration.output_schema();
    compare("the field", json.output_schema, output.as_deref(), &mut found);
    let said = declaration.annotations().and_then(|said| serde_json::from_str(&said).ok());
    let said: BTreeMap<String, Value> = said.unwrap_or_default();
    for (hint, said) in said {
        if let Some(other) = json.annotations.get(&hint).filter(|other| **other != said) {
            found.push(format!("{hint} is {other} in the JSON and {said} in the comment"));
        }
    }
    found
}

/// What is compared of a tool.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Tool {
    input_schema: Option<Schema>,
    output_schema: Option<Schema>,
    annotations: BTreeMap<String, Value>,
}

/// What a caller would notice of the schema of an object.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Schema {
    properties: BTreeMap<String, Value>,
    required: Vec<String>,
}

fn compare(what: &str, json: Option<Schema>, comment: Option<&str>, found: &mut Vec<String>) {
    let comment = comment.and_then(|text| serde_json::from_str::<Schema>(text).ok());
    let (Some(json), Some(comment)) = (json, comment) else { return };
    for (name, ours) in &json.properties {
        let Some(theirs) = comment.properties.get(name) else {
            found.push(format!("only the JSON has {what} {name}"));
            continue;
        };
        let kind = |schema: &Value| schema.get("type").and_then(Value::as_str).map(str::to_owned);
        if let (Some(ours), Some(theirs)) = (kind(ours), kind(theirs))
            && ours != theirs
        {
            found.push(format!("{what} {name} is {ours} in the JSON and {theirs} in the comment"));
        }
        let is_required = |schema: &Schema| schema.required.contains(name);
        match (is_required(&json), is_required(&comment)) {
            (true, false) => found.push(format!("only the JSON requires {what} {name}")),
            (false, true) => found.push(format!("only the comment requires {what} {name}")),
            (true, true) | (false, false) => {}
        }
    }
    let rest = comment.properties.keys().filter(|name| !json.properties.contains_key(*name));
    found.extend(rest.map(|name| format!("only the comment has {what} {name}")));
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{disagreements, filled};
    use crate::comments::Comment;
    use crate::declared::{Declared, Place, read};
    use crate::findings::Findings;

    fn declared(text: &str) -> Declared {
        let lines = text.lines().map(|line| format!("# {line}")).collect();
        let path = Path::new("tools.sh");
        let place = Place { name: path, path };
        read(&Comment { first: 1, lines }, place, &mut Findings::default()).unwrap()
    }

    const SEATS: &str = "Finds seats.\n@arg row:integer\n@arg side?:string\n@out seats:integer[]\n\
                         @does read";

    #[test]
    fn what_json_lacks_comes_from_the_comment_and_what_it_has_stays_to_the_letter() {
        assert_eq!(
            filled(r#"{"name":"seats"}"#, &declared(SEATS)),
            concat!(
                r#"{"name":"seats","description":"Finds seats.","inputSchema":{"type":"object","#,
                r#""properties":{"row":{"type":"integer"},"side":{"type":"string"}},"#,
                r#""required":["row"],"additionalProperties":false},"#,
                r#""outputSchema":{"type":"object","properties":{"seats":{"type":"array","#,
                r#""items":{"type":"integer"}}},"required":["seats"],"#,
                r#""additionalProperties":false},"annotations":{"readOnlyHint":true}}"#,
            )
        );
        let full = r#"{ "description": "", "inputSchema": {}, "outputSchema": {}, "annotations": {},
                        "x": 1.0 }"#;
        let kept = filled(full, &declared(SEATS));
        assert_eq!(kept.strip_suffix('}'), full.strip_suffix(" }"));
    }

    #[test]
    fn a_comment_without_tags_says_nothing_of_arguments() {
        assert_eq!(filled("{}", &declared("Says it.")), r#"{"description":"Says it."}"#);
        assert_eq!(filled("[]", &declared("Says it.")), "[]", "which is refused elsewhere");
    }

    #[test]
    fn names_types_and_duties_that_differ_are_found() {
        let json = r#"{"inputSchema":{"type":"object","properties":{"row":{"type":"string"},
            "side":{},"extra":{}},"required":["side"]},"outputSchema":{"properties":{}},
            "annotations":{"readOnlyHint":false,"title":"T"}}"#;
        assert_eq!(
            disagreements(json, &declared(SEATS)),
            [
                "only the JSON has the argument extra",
                "the argument row is string in the JSON and integer in the comment",
                "only the comment requires the argument row",
                "only the JSON requires the argument side",
                "only the comment has the field seats",
                "readOnlyHint is false in the JSON and true in the comment",
            ]
        );
    }

    #[test]
    fn what_only_one_of_the_two_speaks_of_is_no_disagreement() {
        let json = r#"{"inputSchema":{"properties":{"a":{}}},"outputSchema":{"properties":{}}}"#;
        assert_eq!(disagreements(json, &declared("Says it.\n@limit time=1s")), [""; 0]);
        assert_eq!(disagreements(r#"{"annotations":{}}"#, &declared(SEATS)), [""; 0]);
        assert_eq!(disagreements("{}", &declared(SEATS)), [""; 0]);
    }
}

//! Arguments to arguments that a tool can be given, or to what the model should send instead.

use candor_protocol::{Arguments, Complaint, ToolError, Violation, Why};
use candor_redact::Redactor;
use candor_schema::Schema;
use serde_json::Value;

use crate::toolset::Entry;

/// Holds arguments against what the tool publishes.
///
/// # Errors
///
/// They do not fit. Nothing has run.
pub(crate) fn check(entry: &Entry, arguments: &Arguments<'_>) -> Result<(), ToolError> {
    if let Some(key) = arguments.repeated_key() {
        return Err(ToolError::seen(Why::RepeatedKey { key: key.to_owned() }));
    }
    if Redactor::is_marked(arguments.as_json()) {
        return Err(marked(arguments.as_json()));
    }
    let Some(schema) = &entry.input else { return Ok(()) };
    match serde_json::from_str::<Value>(arguments.as_json()) {
        Ok(value) => fit(schema, entry.definition.name(), &value),
        // Its grammar has been checked: what is left is a number that no double holds.
        Err(_) => Err(unfit("arguments: holds a number that is too large. Send a smaller one.")),
    }
}

/// A mark of ours stands for a value that the model has not seen, and that the tool would not get.
fn marked(arguments: &str) -> ToolError {
    let value = serde_json::from_str(arguments).unwrap_or_default();
    let path = path_of_mark(&value, "").unwrap_or_else(|| "arguments".to_owned());
    unfit(format!(
        "{path}: holds a mark that stands for a value which was withheld. Leave it out, or ask the \
         user for the value."
    ))
}

fn path_of_mark(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::String(text) => Redactor::is_marked(text).then(|| path.to_owned()),
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(at, item)| path_of_mark(item, &format!("{path}[{at}]")))
        }
        Value::Object(members) => members.iter().find_map(|(key, member)| {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            path_of_mark(member, &path)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn fit(schema: &Schema, tool: &str, arguments: &Value) -> Result<(), ToolError> {
    schema.check(tool, arguments).map_err(|complaint| {
        let violations = complaint.violations.into_iter();
        let violations = violations.map(|it| Violation::new(&it.path, &it.keyword)).collect();
        unfit(Complaint::whole(complaint.text).with(violations))
    })
}

fn unfit(complaint: impl Into<Complaint>) -> ToolError {
    ToolError::seen(Why::Arguments(complaint.into()))
}

/// What of a value breaks a promise, for the log; `None` if it is kept.
pub(crate) fn broken(schema: &Schema, json: &str) -> Option<String> {
    if schema.admits_every_object() && json.starts_with('{') {
        return None;
    }
    let Ok(value) = serde_json::from_str::<Value>(json) else {
        return Some("it holds a number that is too large".to_owned());
    };
    let violations = schema.violations(&value);
    let broken = violations.iter().map(|it| format!("{} breaks `{}`", it.path, it.keyword));
    let broken: Vec<_> = broken.take(5).collect();
    (!broken.is_empty()).then(|| broken.join(", "))
}

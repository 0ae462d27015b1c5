//! Arguments to arguments that a tool can be given, or to what the model should send instead.

use candor_protocol::{Arguments, Complaint, ToolError, Violation, Why};
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
    let Some(schema) = &entry.input else { return Ok(()) };
    match serde_json::from_str::<Value>(arguments.as_json()) {
        Ok(value) => fit(schema, entry.definition.name(), &value),
        // Its grammar has been checked: what is left is a number that no double holds.
        Err(_) => Err(unfit("arguments: holds a number that is too large. Send a smaller one.")),
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

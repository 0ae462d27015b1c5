//! A tool's comment to what it declares, the schema that it names in a file included.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::comments::Comment;
use crate::findings::{self, Findings};
use crate::joined;
use crate::tags::{self, Block, Declaration, Line, Mistake, SchemaFile};

/// Where a comment stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The file, as its author calls it.
    pub(crate) name: &'a Path,
    /// The same file, as it is found from here.
    pub(crate) path: &'a Path,
}

/// A tool that is described by JSON text in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    pub(crate) name: &'a str,
    pub(crate) file: &'a Path,
    pub(crate) json: &'a str,
}

/// What a comment declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declared {
    pub(crate) declaration: Declaration,
    /// The schema of the arguments, JSON text.
    pub(crate) input_schema: Option<String>,
}

/// Tags that hold whatever else describes a tool.
const OWN: [&str; 2] = ["limit", "asks"];

/// Reads the comment that describes a tool; `None` if it has mistakes.
pub(crate) fn read(
    comment: &Comment,
    place: Place<'_>,
    findings: &mut Findings,
) -> Option<Declared> {
    match tags::read(&block(comment, place)) {
        Ok(declaration) => with_schema(declaration, place, findings),
        Err(mistakes) => {
            findings.mistakes.extend(mistakes.iter().map(Mistake::to_string));
            None
        }
    }
}

/// Reads the comment of a tool that is described by JSON, and warns where the two contradict each
/// other. What was not written for us is no reason not to serve it: only limits, and whether it
/// asks, are ours alone to read.
pub(crate) fn read_beside(
    comment: &Comment,
    place: Place<'_>,
    tool: Written<'_>,
    findings: &mut Findings,
) -> Option<Declared> {
    let declared = lenient(comment, place, tool, findings)?;
    let disagreements = joined::disagreements(tool.json, &declared);
    if !disagreements.is_empty() {
        let (json, place) = (tool.file.display(), place.name.display());
        findings.warn(format!(
            "{json} and the comment at {place}:{} disagree on {}: {}; what {json} says holds",
            comment.first,
            tool.name,
            disagreements.join(", "),
        ));
    }
    Some(declared)
}

fn lenient(
    comment: &Comment,
    place: Place<'_>,
    tool: Written<'_>,
    findings: &mut Findings,
) -> Option<Declared> {
    let block = block(comment, place);
    let mistakes = match tags::read(&block) {
        // Where the JSON has a schema, no other is needed.
        Ok(declaration) if declaration.schema.is_some() && has_schema(tool.json) => {
            warn(&declaration, findings);
            return Some(Declared { declaration, input_schema: None });
        }
        Ok(declaration) => return with_schema(declaration, place, findings),
        Err(mistakes) => mistakes,
    };
    match tags::read_only(&block, &OWN) {
        Ok(mut declaration) => {
            for mistake in mistakes {
                let json = tool.file.display();
                findings.warn(format!("{mistake} What {json} says of the tool holds."));
            }
            // What it may have said of arguments is not known.
            declaration.has_tags = false;
            Some(Declared { declaration, input_schema: None })
        }
        Err(own) => {
            findings.mistakes.extend(own.iter().map(Mistake::to_string));
            None
        }
    }
}

fn block<'a>(comment: &'a Comment, place: Place<'a>) -> Block<'a> {
    let lines = comment.lines.iter().filter_map(|line| Line::of_comment(line)).collect();
    Block { file: place.name, first: comment.first, lines }
}

fn has_schema(json: &str) -> bool {
    serde_json::from_str::<Value>(json).is_ok_and(|tool| tool.get("inputSchema").is_some())
}

fn warn(declaration: &Declaration, findings: &mut Findings) {
    for warning in &declaration.warnings {
        findings.warn(warning.to_string());
    }
}

fn with_schema(
    declaration: Declaration,
    place: Place<'_>,
    findings: &mut Findings,
) -> Option<Declared> {
    warn(&declaration, findings);
    let input_schema = match &declaration.schema {
        None => declaration.input_schema().filter(|_| declaration.has_tags),
        Some(named) => match schema(named, place, findings) {
            Ok(schema) => Some(schema),
            Err(mistake) => {
                findings.mistake(mistake.to_string());
                return None;
            }
        },
    };
    Some(Declared { declaration, input_schema })
}

/// Reads the file that `@schema` names.
fn schema(
    named: &SchemaFile,
    place: Place<'_>,
    findings: &mut Findings,
) -> Result<String, Mistake> {
    let SchemaFile { path: written, line, column } = named;
    let path: PathBuf =
        place.path.parent().map_or_else(|| written.clone(), |folder| folder.join(written));
    findings.read.look_at(&path);
    let shown = written.display();
    let mistake = |said: String, would_be_right: &str| Mistake {
        file: place.name.to_owned(),
        line: *line,
        column: *column,
        said,
        would_be_right: would_be_right.to_owned(),
    };
    let text = findings::read(&path).map_err(|cause| {
        let right = "It is looked for in the folder of this file.";
        mistake(format!("{shown} cannot be read: {cause}."), right)
    })?;
    let right = r#"Write {"type": "object", "properties": {…}}."#;
    let schema: Value = serde_json::from_str(&text)
        .map_err(|cause| mistake(format!("{shown} is not JSON: {cause}."), right))?;
    if schema.get("type") != Some(&Value::from("object")) {
        return Err(mistake(format!("{shown} is not the schema of an object."), right));
    }
    Ok(text.trim().to_owned())
}

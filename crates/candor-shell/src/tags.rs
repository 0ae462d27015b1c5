//! A comment block to what its tool declares: description, arguments, output, effect, limits.
//!
//! ```text
//! block    = { line } { tag { deeper line } | blank line }
//! tag      = "@arg" name [ "?" ] ":" type [ "=" default ] [ description ]
//!          | "@out" field { field }
//!          | "@out" field description
//!          | "@does" word { word }
//!          | "@limit" limit { limit }
//!          | "@asks"
//!          | "@schema" path
//! field    = name [ "?" ] ":" type
//! name     = 1 to 64 of A-Z a-z 0-9 _ - .
//! type     = one [ rule ] [ "[]" [ rule ] ]
//! one      = "string" | "integer" | "number" | "boolean" | "object" | "json"
//!          | choice "|" choice { "|" choice }
//! rule     = "(" [ least ] ".." [ most ] ")"    a number's value, a text's length, a list's count
//!          | "(/" pattern "/)"                  texts only; a slash within is "\/"
//! default  = JSON                               where it begins with a quote or is for a list,
//!                                               an object or json
//!          | characters that are no space       otherwise
//! word     = "read" | "write" | "destroy" | "idempotent" | "outside"
//! limit    = "time=" n ( "ms" | "s" | "m" )
//!          | ( "output=" | "memory=" ) n [ "K" | "M" | "G" ]
//!          | "at-once=" n
//!          | "rate=" n "/" ( "s" | "m" | "h" )
//! ```
//!
//! What ends with `[]` has a rule for each value before it, and one for their count behind it. A
//! line that is indented deeper than the `@` before it goes on with that tag, and the line break
//! reads as a space. Words and limits may have commas between them. What a pattern may hold is in
//! `pattern`.
//!
//! Reading goes on behind a mistake, so that an author learns of all of them at once.
//!
//! **What is not here:** no file is read, the one that `@schema` names included; and whether a
//! call keeps to a declaration is judged elsewhere.

mod block;
mod does;
mod field;
mod kind;
mod limits;
mod mistake;
mod pattern;
mod rule;
mod schema;
mod text;
mod value;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::PathBuf;

pub(crate) use block::{Block, Line};
pub(crate) use limits::Limits;
pub(crate) use mistake::{Mistake, Warning};

use block::{Parts, Tag};
use does::Does;
use field::{Argument, Field, Named};
use mistake::{Flaw, nearest, quoted};
use text::{Cursor, Spot};

/// What a comment block says of its tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Declaration {
    pub(crate) description: Option<String>,
    /// In the order of their author.
    pub(crate) arguments: Vec<Argument>,
    /// The members of the object that it prints, if it says that it prints one.
    pub(crate) output: Option<Vec<Field>>,
    pub(crate) does: Does,
    pub(crate) limits: Limits,
    /// May it ask the user?
    pub(crate) asks: bool,
    /// The file that holds the schema of the arguments.
    pub(crate) schema: Option<SchemaFile>,
    /// Without any, it takes what it is sent.
    pub(crate) has_tags: bool,
    pub(crate) warnings: Vec<Warning>,
}

/// What `@schema` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SchemaFile {
    /// As it was written.
    pub(crate) path: PathBuf,
    /// Where; both count from one, as in a [`Mistake`].
    pub(crate) line: usize,
    pub(crate) column: usize,
}

const TAGS: [&str; 6] = ["arg", "out", "does", "limit", "asks", "schema"];
const KNOWN: &str = "Tags are @arg, @out, @does, @limit, @asks, @schema.";

/// What others call a tag.
const OTHERS: &[(&[&str], &str)] = &[
    (&["param", "parameter", "argument", "option"], "arg"),
    (&["return", "returns", "output", "stdout"], "out"),
    (&["effect", "hint", "hints"], "does"),
    (&["timeout", "time", "limits"], "limit"),
];

/// Reads a block.
///
/// # Errors
///
/// All its mistakes, in the order of the file.
pub(crate) fn read(block: &Block<'_>) -> Result<Declaration, Vec<Mistake>> {
    declaration(block, block.parts())
}

/// Reads only the tags of these names, and no description.
///
/// # Errors
///
/// The mistakes of these tags.
pub(crate) fn read_only(block: &Block<'_>, names: &[&str]) -> Result<Declaration, Vec<Mistake>> {
    let mut tags = block.parts().tags;
    tags.retain(|tag| names.contains(&tag.name.as_str()));
    declaration(block, Parts { tags, ..Parts::default() })
}

fn declaration(block: &Block<'_>, parts: Parts) -> Result<Declaration, Vec<Mistake>> {
    let Parts { description, tags, flaws } = parts;
    let has_tags = !tags.is_empty();
    let mut reading = Reading {
        declaration: Declaration { description, has_tags, ..Declaration::default() },
        flaws,
        ..Reading::default()
    };
    for tag in &tags {
        reading.read(tag);
    }
    let Reading { mut declaration, limits, mut flaws, warnings, .. } = reading;
    if !flaws.is_empty() {
        flaws.sort_by_key(Flaw::spot);
        return Err(flaws.into_iter().map(|flaw| flaw.into_mistake(block.file)).collect());
    }
    declaration.limits = limits.into_limits();
    declaration.warnings = warnings.into_iter().map(|flaw| flaw.into_warning(block.file)).collect();
    Ok(declaration)
}

/// A block that is half read.
#[derive(Default)]
struct Reading {
    declaration: Declaration,
    limits: limits::Reading,
    flaws: Vec<Flaw>,
    warnings: Vec<Flaw>,
    /// The lines of the names that are taken.
    arguments: HashMap<String, usize>,
    fields: HashMap<String, usize>,
    /// Where these were said first.
    first_argument: Option<Spot>,
    first_asks: Option<Spot>,
    first_schema: Option<Spot>,
}

impl Reading {
    fn read(&mut self, tag: &Tag) {
        let mut cursor = Cursor::new(&tag.text, tag.spot);
        match tag.name.as_str() {
            "arg" => self.argument(&mut cursor, tag.spot),
            "out" => self.fields(&mut cursor),
            "does" => self.declaration.does.read(&mut cursor, &mut self.flaws),
            "limit" => self.limits.read(&mut cursor, &mut self.flaws),
            "asks" => self.asks(&mut cursor, tag.spot),
            "schema" => self.schema(&mut cursor, tag.spot),
            name => self.flaws.push(unknown(name, tag.spot)),
        }
    }

    fn argument(&mut self, cursor: &mut Cursor<'_>, spot: Spot) {
        if self.first_argument.is_none() {
            self.first_argument = Some(spot);
            if let Some(schema) = self.first_schema {
                self.flaws.push(excluded(spot, "@arg", "@schema", schema));
            }
        }
        let Some(named) = field::argument(cursor, &mut self.flaws) else { return };
        let spot = named.spot;
        let Some(argument) = single(named, &mut self.arguments, &mut self.flaws) else { return };
        if !argument.has_variable() {
            self.warnings.push(Flaw::new(
                spot,
                format!("there will be no $arg_ variable for {}.", quoted(&argument.name)),
                "Read it from \"$1\", or use only letters, digits and _ in its name.",
            ));
        }
        self.declaration.arguments.push(argument);
    }

    fn fields(&mut self, cursor: &mut Cursor<'_>) {
        let output = self.declaration.output.get_or_insert_default();
        for named in field::fields(cursor, &mut self.flaws) {
            output.extend(single(named, &mut self.fields, &mut self.flaws));
        }
    }

    fn asks(&mut self, cursor: &mut Cursor<'_>, spot: Spot) {
        cursor.skip_spaces();
        if cursor.peek().is_some() {
            let right = "Leave out what follows.";
            self.flaws.push(Flaw::new(cursor.spot(), "@asks stands alone.", right));
        }
        self.once("@asks", self.first_asks, spot);
        self.first_asks.get_or_insert(spot);
        self.declaration.asks = true;
    }

    fn schema(&mut self, cursor: &mut Cursor<'_>, spot: Spot) {
        cursor.skip_spaces();
        let (path, Spot { line, column }) = (cursor.rest(), cursor.spot());
        if path.is_empty() {
            let right = "Write @schema arguments.json, for example.";
            self.flaws.push(Flaw::new(spot, "@schema names no file.", right));
        }
        self.once("@schema", self.first_schema, spot);
        if self.first_schema.is_none() {
            self.first_schema = Some(spot);
            if let Some(argument) = self.first_argument {
                self.flaws.push(excluded(spot, "@schema", "@arg", argument));
            }
        }
        self.declaration.schema = Some(SchemaFile { path: path.into(), line, column });
    }

    fn once(&mut self, tag: &str, first: Option<Spot>, spot: Spot) {
        if let Some(first) = first {
            let said = format!("{tag} is there twice, first on line {}.", first.line);
            self.flaws.push(Flaw::new(spot, said, "Keep one of them."));
        }
    }
}

/// What has a name that is not taken.
fn single<T>(
    named: Named<T>,
    taken: &mut HashMap<String, usize>,
    flaws: &mut Vec<Flaw>,
) -> Option<T> {
    let Named { name, spot, what } = named;
    if let Some(line) = taken.get(&name) {
        let said = format!("{} is declared twice, first on line {line}.", quoted(&name));
        flaws.push(Flaw::new(spot, said, "Give one of them another name."));
        return None;
    }
    taken.insert(name, spot.line);
    what
}

fn unknown(name: &str, spot: Spot) -> Flaw {
    let said = format!("{} is not a tag.", quoted(&format!("@{name}")));
    let other = OTHERS.iter().find(|(words, _)| words.contains(&name));
    let right = match other.map(|(_, tag)| *tag).or_else(|| nearest(name, TAGS)) {
        Some(tag) => format!("Did you mean @{tag}? {KNOWN}"),
        None => format!("{KNOWN} No line of a description begins with one."),
    };
    Flaw::new(spot, said, right)
}

fn excluded(spot: Spot, tag: &str, other: &str, first: Spot) -> Flaw {
    let said = format!("{tag} excludes the {other} on line {}.", first.line);
    Flaw::new(spot, said, "Keep one of the two.")
}

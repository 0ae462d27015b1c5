//! The tools of a server to a page that a person reads.

use anstyle::Style;
use serde_json::Value;

use crate::json::Members;
use crate::schema::Schema;

/// No line is longer, however wide the terminal: the eye loses its way back.
const WIDEST: usize = 100;
/// A column narrower than this is worse than none.
const NARROWEST: usize = 24;

/// How the page is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Lines are broken before this; `None` leaves them as they are.
    pub(crate) width: Option<usize>,
    /// How names stand out.
    pub(crate) name: Style,
}

/// Writes the page from the `tools` of a server, each as JSON text.
pub(crate) fn write<'a>(tools: impl Iterator<Item = &'a str>, layout: Layout) -> String {
    let pages: Vec<_> =
        tools.filter_map(Members::read).map(|tool| write_tool(&tool, layout)).collect();
    if pages.is_empty() { "There are no tools.\n".to_owned() } else { pages.join("\n") }
}

fn write_tool(tool: &Members<'_>, layout: Layout) -> String {
    let Layout { name: style, .. } = layout;
    let name = tool.string("name").unwrap_or_default();
    let title = tool.string("title").map_or_else(String::new, |title| format!(" ({title})"));
    let mut page = Page { text: format!("{style}{name}{style:#}{}\n", plain(&title)), layout };
    for line in tool.string("description").unwrap_or_default().lines() {
        page.wrap("  ", &plain(line), 2);
    }
    page.text.push('\n');
    page.fields(tool, Side::Arguments);
    page.fields(tool, Side::Answer);
    if let Some(hints) = tool.object("annotations").and_then(|hints| hints_in_words(&hints)) {
        page.wrap("  ", &format!("Hints: {hints}"), 4);
    }
    page.text
}

/// What a tool takes, and what it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Arguments,
    Answer,
}

impl Side {
    const fn key(self) -> &'static str {
        match self {
            Self::Arguments => "inputSchema",
            Self::Answer => "outputSchema",
        }
    }

    const fn heading(self) -> &'static str {
        match self {
            Self::Arguments => "Arguments",
            Self::Answer => "Answer",
        }
    }

    /// Must a field be there?
    fn need(self, is_required: bool, default: Option<&str>) -> String {
        match (self, is_required, default) {
            (Self::Arguments, true, _) => "required".to_owned(),
            (Self::Arguments, false, Some(default)) => format!("default {default}"),
            (Self::Arguments, false, None) => "optional".to_owned(),
            (Self::Answer, true, _) => String::new(),
            (Self::Answer, false, _) => "may be missing".to_owned(),
        }
    }
}

struct Page {
    text: String,
    layout: Layout,
}

impl Page {
    fn fields(&mut self, tool: &Members<'_>, side: Side) {
        let text = tool.get(side.key());
        if text.is_none() && side == Side::Answer {
            return;
        }
        let document = text.and_then(|json| serde_json::from_str(json).ok());
        let document = document.unwrap_or(Value::Null);
        let schema = Schema::new(&document);
        let properties = tool.object(side.key()).and_then(|schema| schema.object("properties"));
        let names: Vec<&str> = properties.iter().flat_map(Members::keys).collect();
        let heading = side.heading();
        if names.is_empty() {
            let any = match side {
                Side::Arguments if schema.is_open() => "anything".to_owned(),
                Side::Arguments => "none".to_owned(),
                Side::Answer => schema.words(),
            };
            return self.wrap("  ", &format!("{heading}: {any}"), 2);
        }
        self.wrap("  ", &format!("{heading}:"), 2);
        let rows: Vec<[String; 4]> = names.iter().map(|name| row(schema, name, side)).collect();
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths = [width(0), width(1), width(2)];
        let indent =
            column("", 2).len() + widths.map(|width| column("", width).len()).iter().sum::<usize>();
        let has_room = self.width().is_none_or(|width| width >= indent + NARROWEST);
        for [name, kind, need, description] in &rows {
            let cells = [name, kind, need].into_iter().zip(widths);
            let cells = cells.map(|(cell, width)| column(cell, width)).collect::<String>();
            let start = format!("    {cells}");
            if has_room || description.is_empty() {
                self.wrap(&start, description, indent);
            } else {
                self.wrap("", start.trim_end(), 6);
                self.wrap("      ", description, 6);
            }
        }
    }

    fn width(&self) -> Option<usize> {
        self.layout.width.map(|width| width.min(WIDEST))
    }

    /// Adds a text, and goes on at an indent where a line is full.
    fn wrap(&mut self, start: &str, text: &str, indent: usize) {
        let most = self.width().unwrap_or(usize::MAX);
        let mut line = start.to_owned();
        let mut is_fresh = true;
        // Spaces within a line are kept where it is not broken: some are meant.
        for word in text.split_inclusive(' ') {
            let length = line.chars().count() + word.trim_end().chars().count();
            if !is_fresh && length > most {
                self.add(&line);
                line = " ".repeat(indent);
            }
            line.push_str(word);
            is_fresh = false;
        }
        self.add(&line);
    }

    fn add(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}

/// A cell of a column, with the space after it; nothing in a column that is empty.
fn column(cell: &str, width: usize) -> String {
    if width == 0 { String::new() } else { format!("{cell:width$}  ") }
}

/// Name, type, need and description of one field.
fn row(schema: Schema<'_>, name: &str, side: Side) -> [String; 4] {
    let member = schema.declared(name);
    let default = member.and_then(Schema::default);
    let need = side.need(schema.requires(name), default.as_deref());
    let kind = member.map(Schema::words).unwrap_or_default();
    let description = member.map(Schema::description).unwrap_or_default();
    [name, &kind, &need, description].map(plain)
}

/// What a tool says of itself; nothing if it says nothing.
fn hints_in_words(hints: &Members<'_>) -> Option<String> {
    let is = |hint| match hints.get(hint) {
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(_) | None => None,
    };
    let mut words = Vec::new();
    let mut add = |said, yes, no| match said {
        Some(true) => words.push(yes),
        Some(false) => words.push(no),
        None => {}
    };
    let is_read_only = is("readOnlyHint");
    add(is_read_only, "changes nothing", "changes things");
    if is_read_only != Some(true) {
        add(is("destructiveHint"), "may destroy something", "destroys nothing");
        let again = "the same call again changes nothing more";
        add(is("idempotentHint"), again, "the same call again acts again");
    }
    add(is("openWorldHint"), "reaches outside", "reaches nothing outside");
    (!words.is_empty()).then(|| words.join(", "))
}

/// Text without what a terminal would obey.
fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use anstyle::Style;

    use super::{Layout, write};

    const TOOLS: [&str; 3] = [
        r#"{"name":"book","title":"Book seats","description":"Book seats for one showing, and return the booking with its total price.",
            "inputSchema":{"type":"object","additionalProperties":false,"required":["movie"],"properties":{
                "movie":{"type":"integer","minimum":1,"description":"The id of a film, from the list of the films that are shown."},
                "row":{"enum":["front","back"],"default":"back"},
                "note":{"type":"string"}}},
            "outputSchema":{"type":"object","required":["id"],"properties":{
                "id":{"type":"string","description":"Its number."},"seats":{"type":"array","items":{"type":"integer"}}}},
            "annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true}}"#,
        r#"{"name":"films","description":"List the films.\n  Two lines.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"idempotentHint":true}}"#,
        r#"{"name":"ping","inputSchema":{"type":"object","additionalProperties":false},"annotations":{"openWorldHint":true}}"#,
    ];

    fn page(width: Option<usize>) -> String {
        write(TOOLS.into_iter(), Layout { width, name: Style::new() })
    }

    #[test]
    fn a_page_says_what_each_tool_is_and_takes() {
        assert_eq!(
            page(None),
            "\
book (Book seats)
  Book seats for one showing, and return the booking with its total price.

  Arguments:
    movie  integer, at least 1  required        The id of a film, from the list of the films that are shown.
    row    one of front, back   default \"back\"
    note   string               optional
  Answer:
    id     string                            Its number.
    seats  array of integer  may be missing
  Hints: changes things, destroys nothing, the same call again changes nothing more

films
  List the films.
    Two lines.

  Arguments: anything
  Hints: changes nothing

ping

  Arguments: none
  Hints: reaches outside
"
        );
    }

    #[test]
    fn lines_are_broken_where_the_terminal_ends() {
        let page = page(Some(76));

        assert!(page.lines().all(|line| line.chars().count() <= 76), "{page}");
        assert!(page.contains(
            "
    movie  integer, at least 1  required        The id of a film, from the
                                                list of the films that are
                                                shown.
"
        ));
    }

    #[test]
    fn a_narrow_terminal_has_descriptions_on_lines_of_their_own() {
        let page = page(Some(50));

        assert!(page.lines().all(|line| line.chars().count() <= 50), "{page}");
        assert!(page.contains(
            "
    movie  integer, at least 1  required
      The id of a film, from the list of the films
      that are shown.
    row    one of front, back   default \"back\"
"
        ));
    }

    #[test]
    fn names_stand_out_where_that_is_wanted() {
        let layout = Layout { width: None, name: Style::new().bold() };

        assert!(
            write(TOOLS.into_iter(), layout).starts_with("\u{1b}[1mbook\u{1b}[0m (Book seats)")
        );
    }

    #[test]
    fn no_tools_are_said_to_be_none() {
        let layout = Layout { width: None, name: Style::new() };

        assert_eq!(write([].into_iter(), layout), "There are no tools.\n");
    }
}

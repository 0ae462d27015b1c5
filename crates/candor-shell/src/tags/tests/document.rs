//! What `LANGUAGE.md` shows is so, and the cinema that authors start from.

use std::path::Path;
use std::time::Duration;

use super::{declared, read_lines};
use crate::tags::{Block, Declaration, Line, read};

const DOCUMENT: &str = include_str!("../LANGUAGE.md");

/// The rows of the document's tables: the code in the first cell, and that in the last.
fn rows() -> impl Iterator<Item = (String, String)> {
    let code = |cell: &str| {
        let code = cell.trim().strip_prefix('`')?.strip_suffix('`')?;
        Some(code.replace('\0', "|"))
    };
    DOCUMENT.lines().filter_map(move |line| {
        let line = line.strip_prefix('|')?.strip_suffix('|')?.replace("\\|", "\0");
        let mut cells = line.split('|');
        Some((code(cells.next()?)?, code(cells.next_back()?)?))
    })
}

#[test]
fn each_type_of_the_document_has_its_schema() {
    let mut shown = 0;
    for (written, schema) in rows().filter(|(_, schema)| schema.starts_with('{')) {
        let is_word = schema.contains("Hint");
        let given = if is_word {
            declared(&format!("@does {written}")).annotations().unwrap()
        } else {
            let whole = declared(&format!("@arg x?:{written}")).input_schema().unwrap();
            let end = r#"},"additionalProperties":false}"#;
            let schema = whole.strip_prefix(r#"{"type":"object","properties":{"x":"#).unwrap();
            schema.strip_suffix(end).unwrap().to_owned()
        };
        assert_eq!(given, schema, "{written}");
        shown += 1;
    }
    assert_eq!(shown, 20);
}

#[test]
fn each_mistake_of_the_document_is_told_so() {
    let mut shown = 0;
    for (written, sentence) in rows().filter(|(written, _)| written.starts_with('@')) {
        let mistakes = read_lines(&written).expect_err(&written);
        let said = mistakes[0].to_string();
        assert_eq!(said.split_once(": ").unwrap().1, sentence, "{written}");
        shown += 1;
    }
    assert!(shown > 40, "{shown}");
}

#[test]
fn each_block_of_the_document_is_right() {
    let blocks: Vec<&str> =
        DOCUMENT.split("```bash\n").skip(1).filter_map(|it| it.split("```").next()).collect();
    assert_eq!(blocks.len(), 7);
    for block in blocks {
        assert!(read_file(block).has_tags, "{block}");
    }
}

fn read_file(text: &str) -> Declaration {
    let lines = text.lines().filter_map(Line::of_comment).collect();
    read(&Block { file: Path::new("cinema.sh"), first: 1, lines }).unwrap()
}

#[test]
fn the_films_are_read_and_take_nothing() {
    let declaration = read_file(
        "# List the films showing today.\n# @does read\n# @out  films:object[]\ntool_get_movies() {\n",
    );
    assert_eq!(declaration.description.as_deref(), Some("List the films showing today."));
    assert_eq!(
        declaration.input_schema().as_deref(),
        Some(r#"{"type":"object","additionalProperties":false}"#)
    );
    assert_eq!(
        declaration.output_schema().as_deref(),
        Some(
            r#"{"type":"object","properties":{"films":{"type":"array","items":{"type":"object"}}},"required":["films"],"additionalProperties":false}"#
        )
    );
    assert_eq!(declaration.annotations().as_deref(), Some(r#"{"readOnlyHint":true}"#));
}

#[test]
fn a_booking_has_four_arguments_a_result_and_a_limit() {
    let declaration = read_file(
        r"# Book seats for one showing, and return the booking.
# @arg  movieId:integer(1..)               Film id, from get_movies
# @arg  showTime:string(/^\d\d:\d\d$/)     A time that film is shown, like 13:30
# @arg  numTickets:integer(1..10)          How many seats
# @arg  row:front|middle|back=middle       Where to sit
# @out  bookingId:string total:number
# @does write
# @asks
# @limit time=20s
tool_book_ticket() {
",
    );
    assert_eq!(
        declaration.description.as_deref(),
        Some("Book seats for one showing, and return the booking.")
    );
    assert_eq!(
        declaration.input_schema().as_deref(),
        Some(concat!(
            r#"{"type":"object","properties":{"#,
            r#""movieId":{"type":"integer","minimum":1,"description":"Film id, from get_movies"},"#,
            r#""showTime":{"type":"string","pattern":"^\\d\\d:\\d\\d$","description":"A time that film is shown, like 13:30"},"#,
            r#""numTickets":{"type":"integer","minimum":1,"maximum":10,"description":"How many seats"},"#,
            r#""row":{"type":"string","enum":["front","middle","back"],"default":"middle","description":"Where to sit"}},"#,
            r#""required":["movieId","showTime","numTickets"],"additionalProperties":false}"#,
        ))
    );
    assert_eq!(
        declaration.output_schema().as_deref(),
        Some(
            r#"{"type":"object","properties":{"bookingId":{"type":"string"},"total":{"type":"number"}},"required":["bookingId","total"],"additionalProperties":false}"#
        )
    );
    assert_eq!(
        declaration.annotations().as_deref(),
        Some(r#"{"readOnlyHint":false,"destructiveHint":false}"#)
    );
    assert!(declaration.asks);
    assert_eq!(declaration.limits.time, Some(Duration::from_secs(20)));
    assert_eq!(declaration.warnings, []);
}

#[test]
fn a_ticket_is_found_by_a_pattern() {
    let declaration = read_file(
        r"# Print the ticket as a picture.
# @arg  bookingId:string(/^BK\d+$/)        From book_ticket
# @does read
# @limit time=10s output=2M
",
    );
    assert_eq!(
        declaration.input_schema().as_deref(),
        Some(
            r#"{"type":"object","properties":{"bookingId":{"type":"string","pattern":"^BK\\d+$","description":"From book_ticket"}},"required":["bookingId"],"additionalProperties":false}"#
        )
    );
    assert_eq!(declaration.output_schema(), None);
    assert_eq!(declaration.limits.output, Some(2 * 1024 * 1024));
}

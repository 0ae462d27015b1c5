//! Any text is read to its end, and a mistake points into it.

use std::path::Path;

use crate::tags::{Block, Line, read};

/// What blocks are made of here: what the grammar knows, and what it does not.
const PIECES: &[&str] = &[
    "@arg ",
    "@out ",
    "@does ",
    "@limit ",
    "@asks",
    "@schema ",
    "@param ",
    "@",
    "\n",
    "\n",
    "\n",
    "\n  ",
    " ",
    "  ",
    "\t",
    "name",
    "a-b",
    "x1",
    "?",
    ":",
    ":",
    "string",
    "integer",
    "number",
    "boolean",
    "object",
    "json",
    "|",
    "a|b",
    "[]",
    "[",
    "]",
    "(",
    ")",
    "(1..10)",
    "(..",
    "..",
    "1",
    "-5",
    "0.5",
    "99999999999999999999",
    "1e999",
    "(/",
    "/)",
    "/",
    "\\",
    "\\d",
    "^",
    "$",
    "[a-z]",
    "[^",
    "(?:",
    "(?=",
    "*",
    "+",
    "{2}",
    "{2,",
    "{1000}",
    "}",
    "\\u00e9",
    "\\ud800",
    "=",
    "=",
    "\"",
    "\"two\"",
    "={\"a\":",
    "=[1,",
    "=null",
    "read",
    "write",
    "destroy",
    "idempotent",
    ",",
    "time=20s",
    "output=",
    "256K",
    "rate=10/m",
    "at-once",
    "A sentence.",
    "é",
    "😀",
    "\u{301}",
    "\u{0}",
    "\u{2028}",
    "\r",
    "header=X",
];

/// A row of numbers that looks like chance and is the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

fn mistakes_lie_within(text: &str) {
    let lines: Vec<Line<'_>> = text.split('\n').map(Line::new).collect();
    let block = Block { file: Path::new("any.sh"), first: 7, lines: lines.clone() };
    let places: Vec<_> = match read(&block) {
        Err(mistakes) => {
            assert!(!mistakes.is_empty(), "{text:?}");
            mistakes.iter().map(|it| (it.line, it.column, it.to_string())).collect()
        }
        Ok(declaration) => {
            let schemas = [
                declaration.input_schema(),
                declaration.output_schema(),
                declaration.annotations(),
            ];
            for schema in schemas.into_iter().flatten() {
                let is_object =
                    serde_json::from_str(&schema).is_ok_and(|it: serde_json::Value| it.is_object());
                assert!(is_object, "{text:?} gave {schema}");
            }
            declaration.warnings.iter().map(|it| (it.line, it.column, it.to_string())).collect()
        }
    };
    for (line, column, said) in places {
        let place = line.checked_sub(7).and_then(|at| lines.get(at));
        let length = place.map_or(0, |line| line.text.chars().count());
        assert!((3..3 + length).contains(&column), "{text:?} has no such place: {said}");
        assert!(said.ends_with(['.', '?']), "{said}");
    }
}

#[test]
fn any_pieces_in_any_order_are_read() {
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    for _ in 0..3_000 {
        let count = chance.below(24);
        let text: String = (0..count).map(|_| PIECES[chance.below(PIECES.len())]).collect();
        mistakes_lie_within(&text);
        mistakes_lie_within(&format!("@arg x:{text}"));
        mistakes_lie_within(&format!("@arg x:string(/{text}/)=a"));
        mistakes_lie_within(&format!("@out x:{text}"));
    }
}

#[test]
fn a_right_block_with_anything_put_into_it_is_read() {
    let right = "Book.\n@arg a:integer(1..10)[](..3)=[1, 2]  Seats\n@arg b?:string(/^[a-z]{2,3}$/)\n\
                 @out c:a|b d?:json\n@does write, outside\n@limit time=20s rate=10/m\n@asks";
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3_000 {
        let mut letters: Vec<char> = right.chars().collect();
        for _ in 0..=chance.below(3) {
            let at = chance.below(letters.len());
            let end = (at + chance.below(4)).min(letters.len());
            letters.splice(at..end, PIECES[chance.below(PIECES.len())].chars());
        }
        mistakes_lie_within(&letters.into_iter().collect::<String>());
    }
}

#[test]
fn what_is_far_too_much_is_read_in_no_time() {
    let deep = "[".repeat(100_000);
    mistakes_lie_within(&format!("@arg x:json={deep}"));
    mistakes_lie_within(&format!("@arg x:string{}", "[]".repeat(50_000)));
    mistakes_lie_within(&format!("@arg x:string(/{}/)", "(".repeat(100_000)));
    mistakes_lie_within(&format!("@arg x:string(/{}/)", "a{1000}".repeat(10_000)));
    mistakes_lie_within(&format!("@{}", "x".repeat(100_000)));
    mistakes_lie_within(&format!("@arg x:string(/(a+)+$/)={}b", "a".repeat(10_000)));
    mistakes_lie_within(&format!("@out {}", "a:string ".repeat(10_000)));
    mistakes_lie_within(&"@arg x\n".repeat(10_000));
}

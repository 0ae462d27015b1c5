//! Which mistakes are told, and where.

use std::path::Path;

use super::said;
use crate::tags::{Block, Line, read};

#[test]
fn all_mistakes_of_a_block_are_told_in_the_order_of_the_file() {
    let text = "Book seats.\n@arg a:int\n@arg b?:string(5)  Row\n@does reed, write,read\n\
                and more\n@limit time=20 tiem=5s\n@out c:text d:string(/[/) e:number f:foo\n\
                @arg ö:foo(/[/)\n@arg a:string";
    let places: Vec<String> =
        said(text).iter().map(|said| said.split(": ").next().unwrap().to_owned()).collect();
    let expected = [
        "11:10", "12:18", "13:9", "13:21", "14:3", "15:15", "15:18", "16:10", "16:25", "16:40",
        "17:8", "17:10", "17:15", "18:8",
    ];
    assert_eq!(places, expected.map(|place| format!("cinema.sh:{place}")));
}

#[test]
fn a_mistake_on_a_line_that_goes_on_is_found_there() {
    assert_eq!(
        said("@limit\n    time=5s\n    rate=x"),
        [
            "cinema.sh:12:12: \"x\" is not a rate. Write 5/s, 10/m or 100/h, with a whole number from 1."
        ]
    );
}

#[test]
fn columns_are_those_of_the_file() {
    let lines = ["  # Grüße.", "\t#@arg é:string", "//@asks é", "# @limit tüme=5s"];
    let lines = lines.into_iter().filter_map(Line::of_comment).collect();
    let mistakes = read(&Block { file: Path::new("tools/a b.sh"), first: 1, lines }).unwrap_err();
    let places: Vec<(usize, usize)> = mistakes.iter().map(|it| (it.line, it.column)).collect();
    assert_eq!(places, [(2, 8), (3, 9), (4, 10)]);
    assert!(mistakes[0].to_string().starts_with("tools/a b.sh:2:8: "));
}

//! What each construct becomes. What mistakes say is in `mistakes`.

mod anything;
mod document;
mod mistakes;
mod places;

use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use super::does::{Does, Effect};
use super::field::{Argument, Field};
use super::kind::Kind;
use super::rule::Range;
use candor::Rate;

use super::{Block, Declaration, Limits, Line, Mistake, SchemaFile, Warning, read, read_only};

/// Reads lines as they would stand behind `# ` from line 10 of `cinema.sh`.
fn read_lines(text: &str) -> Result<Declaration, Vec<Mistake>> {
    let lines = text.lines().map(Line::new).collect();
    read(&Block { file: Path::new("cinema.sh"), first: 10, lines })
}

fn declared(text: &str) -> Declaration {
    read_lines(text).unwrap_or_else(|mistakes| panic!("{text} is wrong: {mistakes:#?}"))
}

fn said(text: &str) -> Vec<String> {
    match read_lines(text) {
        Ok(declaration) => panic!("{text} is right: {declaration:?}"),
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn a_type_with_its_rule_and_default_becomes_a_schema() {
    for (written, schema) in [
        ("string", r#"{"type":"string"}"#),
        ("integer", r#"{"type":"integer"}"#),
        ("number", r#"{"type":"number"}"#),
        ("boolean", r#"{"type":"boolean"}"#),
        ("object", r#"{"type":"object"}"#),
        ("json", "{}"),
        ("front|middle|back", r#"{"type":"string","enum":["front","middle","back"]}"#),
        ("json|csv", r#"{"type":"string","enum":["json","csv"]}"#),
        ("string(1..64)", r#"{"type":"string","minLength":1,"maxLength":64}"#),
        ("string(..64)", r#"{"type":"string","maxLength":64}"#),
        ("string(3..3)", r#"{"type":"string","minLength":3,"maxLength":3}"#),
        (r"string(/^\d\d:\d\d$/)", r#"{"type":"string","pattern":"^\\d\\d:\\d\\d$"}"#),
        (r"string(/^[a-z ]+\/(b|c)$/)", r#"{"type":"string","pattern":"^[a-z ]+\\/(b|c)$"}"#),
        ("integer( 1 .. )", r#"{"type":"integer","minimum":1}"#),
        ("integer(-5..10)", r#"{"type":"integer","minimum":-5,"maximum":10}"#),
        ("number(0.50..1e3)", r#"{"type":"number","minimum":0.50,"maximum":1e3}"#),
        ("number(..-0.5)", r#"{"type":"number","maximum":-0.5}"#),
        ("string[]", r#"{"type":"array","items":{"type":"string"}}"#),
        ("json[]", r#"{"type":"array","items":{}}"#),
        ("a|b[]", r#"{"type":"array","items":{"type":"string","enum":["a","b"]}}"#),
        (
            "string[](1..10)",
            r#"{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":10}"#,
        ),
        (
            "integer(1..6)[](..5)",
            r#"{"type":"array","items":{"type":"integer","minimum":1,"maximum":6},"maxItems":5}"#,
        ),
        ("string=front", r#"{"type":"string","default":"front"}"#),
        ("string=13:30", r#"{"type":"string","default":"13:30"}"#),
        ("string=[a", r#"{"type":"string","default":"[a"}"#),
        (r#"string="""#, r#"{"type":"string","default":""}"#),
        (r#"string="two \"words\"""#, r#"{"type":"string","default":"two \"words\""}"#),
        ("string(1..)=é", r#"{"type":"string","minLength":1,"default":"é"}"#),
        ("string(/^b/)=bc", r#"{"type":"string","pattern":"^b","default":"bc"}"#),
        ("integer=2", r#"{"type":"integer","default":2}"#),
        ("integer(1..10)=10", r#"{"type":"integer","minimum":1,"maximum":10,"default":10}"#),
        ("number=0.50", r#"{"type":"number","default":0.50}"#),
        ("boolean=true", r#"{"type":"boolean","default":true}"#),
        (r#"object={"a": [1, 2]}"#, r#"{"type":"object","default":{"a": [1, 2]}}"#),
        ("json=null", r#"{"default":null}"#),
        (r#"json="a b""#, r#"{"default":"a b"}"#),
        ("a|b=b", r#"{"type":"string","enum":["a","b"],"default":"b"}"#),
        (r#"a|b="b""#, r#"{"type":"string","enum":["a","b"],"default":"b"}"#),
        ("integer[]=[1, 2]", r#"{"type":"array","items":{"type":"integer"},"default":[1, 2]}"#),
        (
            "string[](..2)=[]",
            r#"{"type":"array","items":{"type":"string"},"maxItems":2,"default":[]}"#,
        ),
    ] {
        let declaration = declared(&format!("@arg x:{written}"));
        let required = if written.contains('=') { "" } else { r#","required":["x"]"# };
        assert_eq!(
            declaration.input_schema().unwrap(),
            format!(
                r#"{{"type":"object","properties":{{"x":{schema}}}{required},"additionalProperties":false}}"#
            ),
            "{written}"
        );
        serde_json::from_str::<serde_json::Value>(&declaration.input_schema().unwrap()).unwrap();
    }
}

#[test]
fn what_may_be_left_out_is_not_required() {
    let declaration = declared("@arg b:string\n@arg a?:string\n@arg d:integer=1\n@arg c:json");
    assert_eq!(
        declaration.input_schema().unwrap(),
        r#"{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"},"d":{"type":"integer","default":1},"c":{}},"required":["b","c"],"additionalProperties":false}"#
    );
    let of = Kind::Integer(Range { least: Some(1), most: None });
    assert_eq!(
        declared("@arg a:integer(1..)[]=[1]").arguments,
        [Argument {
            name: "a".to_owned(),
            is_optional: true,
            kind: Kind::List(Box::new(of), Range::any()),
            default: Some("[1]".to_owned()),
            description: None,
        }]
    );
    let optional: Vec<bool> = declaration.arguments.iter().map(|it| it.is_optional).collect();
    assert_eq!(optional, [false, true, true, false]);
}

#[test]
fn a_description_is_the_rest_and_goes_on_where_lines_are_indented_deeper() {
    let text =
        "@arg at:string  When: a time,\n  such as \"13:30\"\n   @noon, or 12=noon\n@arg b:json";
    let declaration = declared(text);
    let described: Vec<_> =
        declaration.arguments.iter().map(|it| it.description.as_deref()).collect();
    assert_eq!(described, [Some("When: a time, such as \"13:30\" @noon, or 12=noon"), None]);
}

#[test]
fn any_tag_goes_on_where_lines_are_indented_deeper() {
    let declaration = declared(
        "@out a:string\n     b?:integer\n@does\n  read,\n  outside\n@limit time=1s\n       output=1K",
    );
    let fields = declaration.output.unwrap();
    let names: Vec<&str> = fields.iter().map(|Field { name, .. }| name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(
        declaration.does,
        Does { effect: Some(Effect::Read), is_idempotent: false, is_outside: true }
    );
    assert_eq!(declaration.limits.output, Some(1024));
}

#[test]
fn the_lines_above_the_tags_are_the_description() {
    assert_eq!(
        declared(
            "\nBook seats\n  for one showing.\n\nMail me@home.\n@ noon\n\n@asks\n\n@does write\n"
        )
        .description
        .as_deref(),
        Some("Book seats\n  for one showing.\n\nMail me@home.\n@ noon")
    );
    assert_eq!(declared("@asks").description, None);
    assert_eq!(declared("").description, None);
}

#[test]
fn a_block_without_tags_takes_anything_and_one_with_tags_what_it_says() {
    assert_eq!(declared("Say it.").input_schema().as_deref(), Some(r#"{"type":"object"}"#));
    assert_eq!(
        declared("Say it.\n@does read").input_schema().as_deref(),
        Some(r#"{"type":"object","additionalProperties":false}"#)
    );
    assert_eq!(declared("Say it.").output_schema(), None);
}

#[test]
fn fields_share_a_line_or_have_one_each_with_a_description() {
    let declaration = declared(
        "@out id:string total?:number(0..)\n@out seats:integer[]  Their numbers,\n  row by row\n@out at:string At: hh:mm",
    );
    assert_eq!(
        declaration.output_schema().unwrap(),
        r#"{"type":"object","properties":{"id":{"type":"string"},"total":{"type":"number","minimum":0},"seats":{"type":"array","items":{"type":"integer"},"description":"Their numbers, row by row"},"at":{"type":"string","description":"At: hh:mm"}},"required":["id","seats","at"],"additionalProperties":false}"#
    );
}

#[test]
fn each_word_of_does_gives_its_hint_and_silence_gives_none() {
    for (words, annotations) in [
        ("read", r#"{"readOnlyHint":true}"#),
        ("write", r#"{"readOnlyHint":false,"destructiveHint":false}"#),
        ("destroy", r#"{"readOnlyHint":false,"destructiveHint":true}"#),
        ("idempotent", r#"{"idempotentHint":true}"#),
        ("outside", r#"{"openWorldHint":true}"#),
        (
            "destroy, idempotent outside",
            r#"{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":true}"#,
        ),
        ("read,outside", r#"{"readOnlyHint":true,"openWorldHint":true}"#),
        (
            "write\n@does idempotent",
            r#"{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true}"#,
        ),
    ] {
        assert_eq!(
            declared(&format!("@does {words}")).annotations().as_deref(),
            Some(annotations),
            "{words}"
        );
    }
    assert_eq!(declared("@asks").annotations(), None);
}

#[test]
fn limits_come_in_any_order_and_on_any_line() {
    let some = NonZeroU32::new;
    assert_eq!(
        declared("@limit rate=10/m, at-once=4 memory=512M\n@limit output=256k time=20s").limits,
        Limits {
            time: Some(Duration::from_secs(20)),
            output: Some(262_144),
            memory: Some(536_870_912),
            at_once: some(4),
            rate: some(10).map(Rate::per_minute),
        }
    );
    let time = |text: &str| declared(&format!("@limit time={text}")).limits.time;
    assert_eq!(time("500ms"), Some(Duration::from_millis(500)));
    assert_eq!(time("1440m"), Some(Duration::from_hours(24)));
    let rate = |text: &str| declared(&format!("@limit rate={text}")).limits.rate;
    assert_eq!(rate("1/s"), some(1).map(Rate::per_second));
    assert_eq!(rate("1/h"), some(1).map(Rate::per_hour));
    let size = |text: &str| declared(&format!("@limit output={text}")).limits.output;
    assert_eq!((size("1"), size("1G")), (Some(1), Some(1 << 30)));
}

#[test]
fn a_schema_of_its_own_replaces_the_arguments() {
    let declaration = declared("@schema my arguments.json\n@out a:string\n@asks");
    let path = "my arguments.json".into();
    assert_eq!(declaration.schema, Some(SchemaFile { path, line: 10, column: 11 }));
    assert_eq!(declaration.input_schema(), None);
    assert!(declaration.output_schema().is_some() && declaration.asks);
}

#[test]
fn what_is_said_to_a_linter_is_no_part_of_a_block() {
    let text = "Say it.\nshellcheck disable=SC2154\nTwice.\n@limit time=5s\n\
                shellcheck disable=SC2155\n  at-once=1";
    let declaration = declared(text);
    assert_eq!(declaration.description.as_deref(), Some("Say it.\nTwice."));
    assert_eq!(declaration.limits.at_once, NonZeroU32::new(1));
    assert_eq!(declared("shellcheck disable=SC2154").description, None);
}

#[test]
fn some_tags_can_be_read_without_the_others() {
    let lines = "Says it.\n@arg $1 string\n@limit time=5s\nmore\n@asks".lines().map(Line::new);
    let block = Block { file: Path::new("cinema.sh"), first: 10, lines: lines.collect() };
    let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
    assert_eq!(
        read_only(&block, &["limit", "asks"]),
        Ok(Declaration { limits, asks: true, has_tags: true, ..Declaration::default() })
    );
    assert_eq!(read_only(&block, &["arg"]).unwrap_err().len(), 1);
}

#[test]
fn a_name_that_no_variable_can_have_works_and_is_warned_of() {
    let declaration = declared("@arg movie-id:integer\n@arg 2d?:boolean\n@arg ok_1:json");
    assert_eq!(declaration.arguments.len(), 3);
    let warnings: Vec<String> = declaration.warnings.iter().map(Warning::to_string).collect();
    assert_eq!(
        warnings,
        [
            "cinema.sh:10:8: there will be no $arg_ variable for \"movie-id\". Read it from \"$1\", or use only letters, digits and _ in its name.",
            "cinema.sh:11:8: there will be no $arg_ variable for \"2d\". Read it from \"$1\", or use only letters, digits and _ in its name.",
        ]
    );
}

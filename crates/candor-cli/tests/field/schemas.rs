//! Schemas that are unusual: in an older dialect, broken, or built to be costly.

use std::time::{Duration, Instant};

use candor_testkit::message::call;

use crate::host::{Host, done};
use crate::stage::Folder;

/// One tool with this schema for its arguments, and nine more.
fn ten(schema: &str) -> Folder {
    let more: String =
        (1..10).map(|n| [",{\"name\":\"more", &n.to_string(), "\"}"].concat()).collect();
    let list = format!(r#"{{"tools":[{{"name":"one","inputSchema":{schema}}}{more}]}}"#);
    let functions: String =
        (1..10).map(|n| ["tool_more", &n.to_string(), "() { :; }\n"].concat()).collect();
    Folder::of(&format!("MCP_TOOLS_LIST_FILE=list.json\ntool_one() {{ echo one; }}\n{functions}"))
        .with("list.json", &list)
}

/// How many tools are listed.
fn listed(folder: &Folder) -> usize {
    let ran = folder.candor(&["list", "--json", "tools.sh"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap().as_array().unwrap().len()
}

/// B160: one schema in an older dialect made a whole server unusable, and only when its tool was called.
/// Every dialect that was published is understood, of arguments and of answers; one that nobody knows
/// is said at start, with the name of the tool.
#[test]
fn a_schema_in_an_older_dialect_is_understood() {
    for dialect in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let schema = format!(
            r#"{{"$schema":"{dialect}","type":"object","properties":{{"n":{{"type":"integer"}}}}}}"#
        );
        let list = format!(
            r#"{{"tools":[{{"name":"echo","inputSchema":{schema},"outputSchema":{schema}}}]}}"#
        );
        let tools = "MCP_TOOLS_LIST_FILE=list.json\ntool_echo() { printf %s \"$1\"; }\n";
        let folder = Folder::of(tools).with("list.json", &list);
        let mut host = Host::serve(&folder, &[]);
        host.assert_answers(
            &call("1", "echo", r#"{"n":1}"#),
            &done("1", r#"{"n":1}"#)
                .replace(r#""isError""#, r#""structuredContent":{"n":1},"isError""#),
        );
        assert!(host.ask(&call("2", "echo", r#"{"n":"x"}"#)).contains("n: must be an integer."));
        host.end();
    }

    let folder = ten(r#"{"$schema":"https://example.com/mine","type":"object"}"#);
    folder.candor(&["list", "tools.sh"]).assert(
        2,
        "",
        "candor: tools.sh: tool \"one\", `inputSchema`: $schema names the dialect \
         \"https://example.com/mine\", which is not known here. Known are 2020-12 (also without \
         $schema), 2019-09, draft-07, draft-06 and draft-04.\n",
    );
}

/// B162: one reference that leads nowhere emptied the list of a server that said all was well. The
/// author of a file reads at start which tool it is and why; nothing is served in silence.
#[test]
fn a_reference_that_leads_nowhere_is_said_with_the_name_of_its_tool() {
    let folder = ten(r##"{"type":"object","properties":{"x":{"$ref":"#/$defs/Missing"}}}"##);
    folder.candor(&["list", "tools.sh"]).assert(
        2,
        "",
        "candor: tools.sh: tool \"one\", `inputSchema`: $ref leads to \"#/$defs/Missing\", which \
         is not there.\n",
    );
}

/// B164: a schema that was small, but deep or crooked, overflowed the stack of who read it. Each is
/// judged soon: refused in a sentence, or served within bounds.
#[test]
fn a_schema_that_is_built_to_be_costly_costs_nothing() {
    let deep =
        [r#"{"type":"object","properties":{"p":"#.repeat(2000), "{}".to_owned(), "}}".repeat(2000)]
            .concat();
    let wide = format!(
        r#"{{"type":"object","allOf":[{}]}}"#,
        vec![r#"{"type":"object"}"#; 10_000].join(",")
    );
    for (schema, why) in [
        (&*deep, "tool \"one\": `inputSchema` cannot be read: recursion limit exceeded at "),
        (&wide, "tool \"one\", `inputSchema`: The schema has more than 2000 subschemas. "),
        (
            r##"{"type":"object","$ref":"#"}"##,
            "tool \"one\", `inputSchema`: A $ref comes back to itself ",
        ),
    ] {
        let folder = ten(schema);
        let before = Instant::now();
        let ran = folder.candor(&["list", "tools.sh"]);
        assert!(before.elapsed() < Duration::from_secs(10), "{:?}", before.elapsed());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
        assert!(ran.stderr.contains(why) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }

    let folder = ten(
        r##"{"type":"object","properties":{"next":{"$ref":"#"},"p":{"type":"string","pattern":"^(a+)+$"}}}"##,
    );
    assert_eq!(listed(&folder), 10);
    let mut host = Host::serve(&folder, &[]);
    let next = [r#"{"next":"#.repeat(120), "{}".to_owned(), "}".repeat(120)].concat();
    host.assert_answers(&call("1", "one", &next), &done("1", "one"));
    let before = Instant::now();
    let answer = host.ask(&call("2", "one", &format!(r#"{{"p":"{}!"}}"#, "a".repeat(40))));
    assert!(answer.contains("p: must match the pattern ^(a+)+$."), "{answer}");
    assert!(before.elapsed() < Duration::from_secs(10), "{:?}", before.elapsed());
    host.end();
}

//! What comments declare with tags, alone and beside a list of tools.

use serde_json::{Value, json};

use crate::{Script, done, error, failed};

const FILE: &str = r#"# Book seats for one showing.
#
# Twice is once.
# @arg  seats:integer(1..10)   How many
# @arg  row?:front|back=front  Where,
#                              from the screen
# @out  booking:string
# @does write, idempotent
# @limit time=5s
tool_book() { echo '{ "booking" : "BK1" }'; }
"#;

/// The tools that are listed.
async fn tools(script: Script) -> Value {
    let mut stage = script.serve().await;
    stage.ask("tools/list", json!({})).await["result"]["tools"].take()
}

#[tokio::test]
async fn tags_declare_arguments_output_and_hints() {
    let mut stage = Script::new(FILE).serve().await;

    assert_eq!(
        stage.ask("tools/list", json!({})).await["result"]["tools"],
        json!([{
            "name": "book",
            "description": "Book seats for one showing.\n\nTwice is once.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "seats": {
                        "type": "integer", "minimum": 1, "maximum": 10, "description": "How many",
                    },
                    "row": {
                        "type": "string", "enum": ["front", "back"], "default": "front",
                        "description": "Where, from the screen",
                    },
                },
                "required": ["seats"],
                "additionalProperties": false,
            },
            "outputSchema": {
                "type": "object",
                "properties": { "booking": { "type": "string" } },
                "required": ["booking"],
                "additionalProperties": false,
            },
            "annotations": {
                "readOnlyHint": false, "destructiveHint": false, "idempotentHint": true,
            },
        }])
    );
    let mut booked = done("{ \"booking\" : \"BK1\" }");
    booked["result"]["structuredContent"] = json!({ "booking": "BK1" });
    assert_eq!(stage.call("book", json!({ "seats": 2 })).await, booked);
    assert_eq!(stage.log.lines(), [""; 0]);
}

#[tokio::test]
async fn members_are_listed_in_the_order_of_their_author() {
    let file = "# Z.\n# @arg z:string\n# @arg a:string\ntool_z() { :; }";
    let mut stage = Script::new(file).serve().await;
    stage.send(1, "tools/list", json!({})).await;
    let line = stage.wire.receive().await.unwrap().unwrap();

    assert!(
        line.contains(
            r#"{"name":"z","description":"Z.","inputSchema":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}},"required":["z","a"],"additionalProperties":false}}"#
        ),
        "{line}"
    );
}

#[tokio::test]
async fn a_limit_of_its_own_stops_a_tool() {
    let file = "# Sleeps.\n# @limit time=50ms\ntool_sleep() { echo zzz; sleep 60; }";
    let mut stage = Script::new(file).serve().await;
    let answer = stage.call("sleep", json!({})).await;

    let failure = &answer["result"]["_meta"]["dev.candor/failure"];
    assert_eq!(failure["kind"], "timeout", "{answer}");
}

#[tokio::test]
async fn all_mistakes_of_a_file_and_what_it_reads_are_said_with_their_places() {
    let script = Script::new(
        "source \"${BASH_SOURCE[0]%/*}/lib/more.sh\"\n\n# A.\n# @arg a:int\n#   @does reed\n\
         tool_a() { :; }\n# B.\n# @schema none.json\ntool_b() { :; }",
    )
    .with("lib/more.sh", "# C.\n#@limit tiem=5s\ntool_c() { :; }");

    assert_eq!(
        script.refusal().await.lines().collect::<Vec<_>>(),
        [
            "lib/more.sh:2:9: \"tiem\" is not a limit. Did you mean time? Limits are time, output, \
             memory, at-once, rate.",
            "tools.sh:4:10: \"int\" is not a type. Did you mean integer? Types are string, \
             integer, number, boolean, object, json, one of a|b|c, or any of these with [].",
            "tools.sh:8:11: none.json cannot be read: No such file or directory (os error 2). It \
             is looked for in the folder of this file.",
        ]
    );
}

#[tokio::test]
async fn a_mistake_in_one_file_hides_none_in_another() {
    let script = Script::new("# A.\n# @asks me\ntool_a() { :; }")
        .serving("more.sh", "# B.\n# @asks you\ntool_b() { :; }");

    assert_eq!(
        script.refusal().await,
        "tools.sh:2:9: @asks stands alone. Leave out what follows.\n\
         more.sh:2:9: @asks stands alone. Leave out what follows."
    );
}

#[tokio::test]
async fn a_schema_in_a_file_is_found_beside_the_one_that_names_it() {
    let schema = r#"{ "type": "object",
        "properties": { "x": { "type": "number", "x-kept": 1.0 } } }"#;
    let script = Script::new("source \"${BASH_SOURCE[0]%/*}/lib/more.sh\"")
        .with("lib/more.sh", "# Draws.\n# @schema schemas/chart.json\ntool_draw() { :; }")
        .with("lib/schemas/chart.json", schema);

    assert_eq!(
        tools(script).await,
        json!([{
            "name": "draw",
            "description": "Draws.",
            "inputSchema": {
                "type": "object",
                "properties": { "x": { "type": "number", "x-kept": 1.0 } },
            },
        }])
    );
}

#[tokio::test]
async fn a_schema_in_a_file_that_is_none_is_a_mistake() {
    let file = "# Draws.\n# @schema chart.json\ntool_draw() { :; }";
    let right = r#"Write {"type": "object", "properties": {…}}."#;
    for (schema, said) in [
        ("{", "chart.json is not JSON: EOF while parsing an object at line 1 column 1."),
        ("[]", "chart.json is not the schema of an object."),
        (r#"{"type":"string"}"#, "chart.json is not the schema of an object."),
    ] {
        let script = Script::new(file).with("chart.json", schema);
        assert_eq!(script.refusal().await, format!("tools.sh:2:11: {said} {right}"));
    }
}

#[tokio::test]
async fn a_tool_with_tags_and_no_description_is_not_listed() {
    let file = "# @does read\ntool_a() { :; }\n\n# B.\ntool_b() { :; }";
    let mut stage = Script::new(file).serve().await;

    assert_eq!(stage.listed().await, ["b"]);
    assert_eq!(stage.call("a", json!({})).await, error(-32602, "Unknown tool: a"));
    assert_eq!(
        stage.log.lines(),
        [format!(
            "candor: warning: {}: tool_a (line 2) is not listed; write above it, in a comment, \
             what it does",
            stage.path("tools.sh").display()
        )]
    );
}

#[tokio::test]
async fn what_works_and_perhaps_not_as_meant_is_warned_of_once() {
    let file = "# A.\n# @arg a-b:string\ntool_a() { :; }";
    let mut stage = Script::new(file).serve().await;
    stage.listed().await;
    stage.call("a", json!({ "a-b": "" })).await;

    assert_eq!(
        stage.log.lines(),
        [format!(
            "candor: warning: {}:2:8: there will be no $arg_ variable for \"a-b\". Read it from \
             \"$1\", or use only letters, digits and _ in its name.",
            stage.path("tools.sh").display()
        )]
    );
}

const LIST: &str = "MCP_TOOLS_LIST_FILE=\"${BASH_SOURCE[0]%/*}/tools.json\"\n";

#[tokio::test]
async fn a_list_is_the_truth_and_a_comment_fills_what_it_lacks() {
    let file = format!(
        "{LIST}# For people.\n# @arg a:integer\n# @does read\n# @limit time=50ms\n\
         tool_add() {{ sleep 60; }}"
    );
    let script = Script::new(&file).with("tools.json", r#"{"tools":[{"name":"add"}]}"#);
    let declared = json!({
        "type": "object",
        "properties": { "a": { "type": "integer" } },
        "required": ["a"],
        "additionalProperties": false,
    });
    assert_eq!(
        tools(script).await,
        json!([{
            "name": "add",
            "description": "For people.",
            "inputSchema": declared,
            "annotations": { "readOnlyHint": true },
        }])
    );

    let tool = json!({
        "name": "add",
        "description": "For models.",
        "inputSchema": { "type": "object", "properties": { "b": {} } },
        "annotations": {},
    });
    let script = Script::new(&file).with("tools.json", &json!({ "tools": [tool] }).to_string());
    let mut stage = script.serve().await;
    let answer = stage.ask("tools/list", json!({})).await;
    assert_eq!(answer["result"]["tools"], json!([tool]));
    let (json, sh) = (stage.path("tools.json"), stage.path("tools.sh"));
    let (json, sh) = (json.display(), sh.display());
    assert_eq!(
        stage.log.lines(),
        [format!(
            "candor: warning: {json} and the comment at {sh}:2 disagree on add: only the JSON has \
             the argument b, only the comment has the argument a; what {json} says holds"
        )]
    );
    let answer = stage.call("add", json!({})).await;
    let failure = &answer["result"]["_meta"]["dev.candor/failure"];
    assert_eq!(failure["kind"], "timeout", "a limit always comes from the comment: {answer}");
}

#[tokio::test]
async fn a_comment_beside_a_list_may_speak_to_others() {
    let file = format!("{LIST}# @description Adds.\n# @arg $1 JSON\ntool_add() {{ echo sum; }}");
    let script = Script::new(&file).with("tools.json", r#"{"tools":[{"name":"add"}]}"#);
    let mut stage = script.serve().await;

    assert_eq!(
        stage.ask("tools/list", json!({})).await["result"]["tools"],
        json!([{ "name": "add", "inputSchema": { "type": "object" } }])
    );
    assert_eq!(stage.call("add", json!({})).await, done("sum"));
    let (json, sh) = (stage.path("tools.json"), stage.path("tools.sh"));
    let end = format!("What {} says of the tool holds.", json.display());
    let lines = stage.log.lines();
    assert_eq!(lines.len(), 2, "{lines:#?}");
    for (line, place) in lines.iter().zip(["2:3", "3:8"]) {
        let start = format!("candor: warning: {}:{place}: ", sh.display());
        assert!(line.starts_with(&start) && line.ends_with(&end), "{line}");
    }
}

#[tokio::test]
async fn a_mistake_in_a_limit_is_one_beside_a_list_too() {
    let file = format!("{LIST}# @author me\n# @limit time=5\ntool_add() {{ :; }}");
    let script = Script::new(&file).with("tools.json", r#"{"tools":[{"name":"add"}]}"#);

    assert_eq!(
        script.refusal().await,
        "tools.sh:3:15: \"5\" is not a time. Write 500ms, 20s or 2m; a day, 1440m, is the most."
    );
}

#[tokio::test]
async fn a_promise_of_output_that_is_not_kept_is_a_broken_tool() {
    let file = "# A.\n# @out a:string\ntool_a() { echo no JSON; }";
    let mut stage = Script::new(file).serve().await;
    let answer = stage.call("a", json!({})).await;

    let failure = json!({
        "kind": "output", "retry": "unknown_effect", "fingerprint": "…", "incident": "…",
    });
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(answer, failed(text, failure));
}

#[tokio::test]
async fn a_variable_holds_any_text_and_none_of_another() {
    let script = "arg_c=stale
        # Shows.
        # @arg a?:string
        # @arg b?:string
        # @arg c?:string
        tool_show() { printf '%s' \"${arg_a-none}|${arg_b-none}|${arg_c-none}\" | od -An -v -tx1 | tr -d ' \\n'; }";
    let mut stage = Script::new(script).serve().await;
    let every: String = (1..=0x7f_u8).map(char::from).chain("é🎬".chars()).collect();
    let texts =
        ["", " ", "\n", "a\\", "\u{1f}", "\u{1}\u{1}", "\u{7f} x", "x\u{1f}", "\t y \t", &every];
    for first in texts {
        for second in texts {
            let answer = stage.call("show", json!({"a": first, "b": second})).await;
            let shown = format!("{first}|{second}|none");
            let hex = shown.bytes().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
            assert_eq!(answer["result"]["content"][0]["text"], hex, "{shown:?}");
        }
    }
}

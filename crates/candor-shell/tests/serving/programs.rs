//! Folders: each program in one is a tool.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::{Script, done, error, make_executable, refused};

const GREET: &str = "#!/bin/sh\n# Greet someone.\n# @arg name:string  Whom\n# @does read\n\
                     read -r arguments\necho \"Hello. You sent $arguments\"\n";

fn greeting() -> Value {
    json!({
        "name": "greet",
        "description": "Greet someone.",
        "inputSchema": {
            "type": "object",
            "properties": { "name": { "type": "string", "description": "Whom" } },
            "required": ["name"],
            "additionalProperties": false,
        },
        "annotations": { "readOnlyHint": true },
    })
}

#[tokio::test]
async fn a_program_is_a_tool_named_as_its_file_that_reads_its_arguments_from_stdin() {
    let mut stage = Script::of_programs().program("greet.sh", GREET).serve().await;

    assert_eq!(
        stage.ask("tools/list", json!({})).await,
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "result": {
                "resultType": "complete",
                "tools": [greeting()],
                "ttlMs": 60000,
                "cacheScope": "public",
                "_meta": {
                    "io.modelcontextprotocol/serverInfo": { "name": "tools", "version": "0.0.0" },
                },
            },
        })
    );
    let answer = stage.call("greet", json!({ "name": "Ada" })).await;
    assert_eq!(answer, done("Hello. You sent {\"name\":\"Ada\"}"));
    assert_eq!(stage.logged(), [""; 0]);
}

#[tokio::test]
async fn programs_are_listed_by_name_and_what_is_none_is_left_out() {
    let mut stage = Script::of_programs()
        .program("b", "#!/bin/sh\n# B.\n")
        .program("a.b.py", "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n\n# A.\n")
        .program("c.js", "#!/usr/bin/env node\n// C.\n// @does read\n")
        .program(".hidden", "#!/bin/sh\n# Hidden.\n")
        .program("b~", "#!/bin/sh\n# An older one.\n")
        .program("deeper/d.sh", "#!/bin/sh\n# Deeper.\n")
        .with("tools/README.md", "# No tool.\n")
        .with("tools/films.json", "[]")
        .serve()
        .await;

    assert_eq!(stage.listed().await, ["a.b", "b", "c"]);
    assert_eq!(stage.logged(), [""; 0]);
}

#[tokio::test]
async fn a_program_that_fails_speaks_as_a_function_does() {
    let text = "#!/bin/sh\n# Refuse.\necho 'No such film.'\nexit 1\n";
    let mut stage = Script::of_programs().program("no", text).serve().await;

    assert_eq!(stage.call("no", json!({})).await, refused("No such film."));
}

#[tokio::test]
async fn a_link_is_followed_wherever_it_leads_and_one_to_nothing_is_no_tool() {
    let script = Script::of_programs().with("elsewhere/real.sh", GREET);
    let folder = script.folder.path().to_owned();
    make_executable(&folder.join("elsewhere/real.sh"));
    symlink("../elsewhere/real.sh", folder.join("tools/greet.sh")).unwrap();
    symlink("nowhere", folder.join("tools/gone.sh")).unwrap();
    let mut stage = script.serve().await;

    assert_eq!(stage.listed().await, ["greet"]);
    let answer = stage.call("greet", json!({ "name": "" })).await;
    assert_eq!(answer, done("Hello. You sent {\"name\":\"\"}"));
}

#[tokio::test]
async fn what_stands_beside_a_program_is_the_truth_and_its_comment_fills_what_that_lacks() {
    let sidecar = r#"{ "description": "Welcome someone.", "x-kept": 1.0 }"#;
    let script = Script::of_programs().program("greet.sh", GREET).with("tools/greet.json", sidecar);
    let mut stage = script.serve().await;
    let mut expected = greeting();
    expected["description"] = "Welcome someone.".into();
    expected["x-kept"] = 1.0.into();
    assert_eq!(stage.ask("tools/list", json!({})).await["result"]["tools"], json!([expected]));

    let sidecar = json!({
        "name": "add",
        "description": "Add.",
        "inputSchema": { "type": "object", "properties": { "a": {} } },
    });
    let mut stage = Script::of_programs()
        .program("add.sh", "#!/bin/sh\n# @arg b:integer\n# @limit time=50ms\nsleep 60\n")
        .with("tools/add.json", &sidecar.to_string())
        .serve()
        .await;
    assert_eq!(stage.ask("tools/list", json!({})).await["result"]["tools"], json!([sidecar]));
    assert_eq!(
        stage.logged(),
        [
            "candor: warning: tools/add.json and the comment at tools/add.sh:2 disagree on add: only \
          the JSON has the argument a, only the comment has the argument b; what tools/add.json \
          says holds"
        ]
    );
    let answer = stage.call("add", json!({})).await;
    assert_eq!(answer["result"]["_meta"]["dev.candor/failure"]["kind"], "timeout", "{answer}");
}

#[tokio::test]
async fn what_cannot_stand_beside_a_program_is_a_mistake() {
    for (sidecar, said) in [
        ("{", "is not what it should be: EOF while parsing an object at line 1 column 1"),
        (
            "[]",
            "is not what it should be: invalid type: sequence, expected a map at line 1 column 0",
        ),
        (r#"{"name":"welcome"}"#, r#"names its tool "welcome", and its own name makes it "greet""#),
        (
            r#"{"1":"Metropolis"}"#,
            "does not say what the tool greet does; add a member \"description\", or rename the \
             file if it is about something else",
        ),
    ] {
        let script = Script::of_programs().program("greet.sh", GREET);
        let refusal = script.with("tools/greet.json", sidecar).refusal().await;
        assert_eq!(refusal, format!("tools/greet.json {said}"));
    }
    let script = Script::of_programs().program("greet.sh", GREET);
    assert_eq!(
        script.with("tools/greet.json", r#"{"inputSchema":[]}"#).refusal().await,
        "tools/greet.json: tool \"greet\": `inputSchema` must be an object"
    );
}

#[tokio::test]
async fn all_mistakes_in_a_folder_are_said() {
    let script = Script::of_programs()
        .program("a.sh", "#!/bin/sh\n# A.\n# @arg x:int\n")
        .program("b.sh", "#!/bin/sh\n# B.\n")
        .program("b.py", "#!/usr/bin/env python3\n# B.\n")
        .program("c.sh", "#!/bin/sh\n# C.\n# @schema none.json\n");

    assert_eq!(
        script.refusal().await.lines().collect::<Vec<_>>(),
        [
            "tools/b.py and tools/b.sh would both be the tool b; rename one of them",
            "tools/a.sh:3:10: \"int\" is not a type. Did you mean integer? Types are string, \
             integer, number, boolean, object, json, one of a|b|c, or any of these with [].",
            "tools/c.sh:3:11: none.json cannot be read: No such file or directory (os error 2). It \
             is looked for in the folder of this file.",
        ]
    );
}

#[tokio::test]
async fn what_was_probably_meant_as_a_tool_is_warned_of() {
    let mut stage = Script::of_programs()
        .program("greet.sh", GREET)
        .program("bare.sh", "#!/bin/sh\necho bare\n")
        .program("two words.sh", "#!/bin/sh\n# Two.\n")
        .program("file.sh", "#!/bin/bash\n# A file.\n\n# Books.\ntool_book() { :; }\n")
        .with("tools/plain.sh", "#!/bin/sh\n# Plain.\n")
        .serve()
        .await;

    assert_eq!(stage.listed().await, ["file", "greet"]);
    assert_eq!(
        stage.logged(),
        [
            "candor: warning: tools/plain.sh is not executable, and so no tool; chmod +x \
             tools/plain.sh",
            "candor: warning: tools/two words.sh is not served: \"two words\" is no name for a \
             tool, which has 1 to 128 letters (a to z, A to Z), digits, _, - and .",
            "candor: warning: tools/bare.sh is not listed; write in its first comment, or in \
             tools/bare.json, what it does",
            "candor: warning: tools/file.sh is one tool here, and the functions tool_NAME that it \
             defines are none; serve the file by its own name for those",
        ]
    );
    assert_eq!(stage.call("bare", json!({})).await, error(-32602, "Unknown tool: bare"));
}

#[tokio::test]
async fn a_program_that_says_nothing_can_be_called_if_that_is_wanted() {
    let mut script = Script::of_programs().program("bare", "#!/bin/sh\necho bare\n");
    script.exposure.callable_unlisted = true;
    let mut stage = script.serve().await;

    assert_eq!(stage.listed().await, [""; 0]);
    assert_eq!(stage.call("bare", json!({})).await, done("bare"));
}

#[tokio::test]
async fn a_folder_without_tools_says_what_is_missing() {
    assert_eq!(
        Script::of_programs().with("tools/a.sh", "#!/bin/sh\n# A.\n").refusal().await,
        "tools holds no executable file; each would be a tool"
    );
    assert_eq!(
        Script::of_programs().program("a.sh", "#!/bin/sh\n").refusal().await,
        "tools has no tool that says what it does; write it in the first comment of each program, \
         or in NAME.json beside it"
    );
}

#[tokio::test]
async fn a_folder_and_a_file_are_one_server() {
    let script = Script::of_programs().program("greet.sh", GREET);
    let mut stage = script.serving("more.sh", "# Add.\ntool_add() { echo sum; }").serve().await;
    assert_eq!(stage.listed().await, ["greet", "add"]);
    assert_eq!(stage.says("add", json!({})).await, ("sum".to_owned(), false));
    let said = stage.says("greet", json!({ "name": "" })).await;
    assert_eq!(said, ("Hello. You sent {\"name\":\"\"}".to_owned(), false));

    let script = Script::of_programs().program("greet.sh", GREET);
    let script = script.serving("more.sh", "# Greet.\ntool_greet() { :; }");
    assert_eq!(script.refusal().await, "tools/greet.sh and more.sh both define a tool named greet");
}

#[tokio::test]
async fn a_choice_of_tools_holds_for_programs() {
    let mut script = Script::of_programs().program("greet.sh", GREET);
    script = script.program("other", "#!/bin/sh\n# Other.\n");
    script.exposure.except = vec!["greet".to_owned()];
    let mut stage = script.serve().await;

    assert_eq!(stage.listed().await, ["other"]);
}

//! Edits: when they count, and what happens to calls meanwhile.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::{Script, Stage, done, error, make_executable, until, write};

/// A file whose tool says which version it is.
fn version(number: usize) -> String {
    format!("# Say the version.\ntool_version() {{ echo {number}; }}\n")
}

/// Puts another file in the place of one, as many editors do.
fn replace(path: &Path, text: &str) {
    let other = path.with_extension("new");
    std::fs::write(&other, text).unwrap();
    std::fs::rename(other, path).unwrap();
}

impl Stage {
    async fn version(&mut self) -> String {
        self.says("version", json!({})).await.0
    }

    /// Asks until the version is this one.
    async fn reaches(&mut self, version: &str) {
        let since = Instant::now();
        while self.version().await != version {
            assert!(since.elapsed() < Duration::from_secs(20), "{:#?}", self.logged());
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Asks for the version: it is this one, unless the request had to wait for too long.
    async fn counts(&mut self, version: &str) {
        let asked = Instant::now();
        let is_it = self.version().await == version;
        assert!(is_it || asked.elapsed() > Duration::from_millis(500), "{:#?}", self.logged());
        self.reaches(version).await;
    }

    /// Asks for the list until the tools are these.
    async fn lists(&mut self, names: &[&str]) {
        let since = Instant::now();
        while self.listed().await != names {
            assert!(since.elapsed() < Duration::from_secs(20), "{:#?}", self.logged());
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Asks, so that edits are noticed, until so much was said.
    async fn hears(&mut self, lines: usize) -> Vec<String> {
        let since = Instant::now();
        while self.told().len() < lines {
            assert!(since.elapsed() < Duration::from_secs(20), "{:#?}", self.logged());
            self.listed().await;
            sleep(Duration::from_millis(20)).await;
        }
        self.told()
    }

    /// What was said about versions, broken or not.
    fn told(&self) -> Vec<String> {
        self.logged().into_iter().filter(|line| !line.contains("stderr")).collect()
    }
}

/// What was just looked at is not looked at again; after this it is.
async fn a_little_later() {
    sleep(Duration::from_millis(220)).await;
}

const TOOK_OVER: &str = "candor: tools.sh has changed, and is served as it is now";
const STAYS: &str = "candor: error: tools.sh: what was served before stays";

#[tokio::test]
async fn an_edit_counts_at_the_next_call() {
    let mut stage = Script::new(&version(1)).serve().await;
    assert_eq!(stage.version().await, "1");
    a_little_later().await;

    replace(&stage.path("tools.sh"), &version(2));
    stage.counts("2").await;
    a_little_later().await;
    std::fs::write(stage.path("tools.sh"), version(3)).unwrap();
    stage.counts("3").await;
    assert_eq!(stage.told(), [TOOK_OVER, TOOK_OVER]);
}

#[tokio::test]
async fn tools_come_and_go_with_an_edit() {
    let mut stage = Script::new(&version(1)).serve().await;
    a_little_later().await;
    replace(&stage.path("tools.sh"), "# Another.\n# @arg a:string\ntool_other() { echo o; }");
    stage.lists(&["other"]).await;

    let tools = stage.ask("tools/list", json!({})).await["result"]["tools"].take();
    let schema = json!({
        "type": "object",
        "properties": { "a": { "type": "string" } },
        "required": ["a"],
        "additionalProperties": false,
    });
    assert_eq!(
        tools,
        json!([{ "name": "other", "description": "Another.", "inputSchema": schema }])
    );
    assert_eq!(stage.call("version", json!({})).await, error(-32602, "Unknown tool: version"));
    assert_eq!(stage.call("other", json!({ "a": "" })).await, done("o"));
}

#[tokio::test]
async fn an_edit_of_what_a_file_reads_counts_too() {
    let file = "source \"${BASH_SOURCE[0]%/*}/lib/more.sh\"\n# V.\ntool_version() { echo \"$V\"; }\n\
                # A.\n# @schema a.json\ntool_a() { :; }";
    let schema = |name: &str| json!({ "type": "object", "required": [name] });
    let mut stage = Script::new(file)
        .with("lib/more.sh", "V=1")
        .with("a.json", &schema("x").to_string())
        .serve()
        .await;
    a_little_later().await;

    write(&stage.path("lib/more.sh"), "V=2");
    stage.counts("2").await;
    write(&stage.path("a.json"), &schema("y").to_string());
    assert_eq!(stage.hears(2).await, [TOOK_OVER, TOOK_OVER]);
    let tools = stage.ask("tools/list", json!({})).await["result"]["tools"].take();
    assert_eq!(tools[1]["inputSchema"], schema("y"));
}

#[tokio::test]
async fn what_is_written_beside_a_file_is_read_again_without_loading_the_file_again() {
    let file = "echo loaded >>\"${BASH_SOURCE[0]%/*}/loads\"\n\
                MCP_TOOLS_LIST_FILE=\"${BASH_SOURCE[0]%/*}/tools.json\"\ntool_a() { :; }";
    let list = |text: &str| json!({ "tools": [{ "name": "a", "description": text }] }).to_string();
    let mut stage = Script::new(file).with("tools.json", &list("One.")).serve().await;
    a_little_later().await;
    write(&stage.path("tools.json"), &list("Two."));
    stage.hears(1).await;

    let tools = stage.ask("tools/list", json!({})).await["result"]["tools"].take();
    assert_eq!(tools[0]["description"], "Two.");
    assert_eq!(stage.read("loads"), "loaded\n");
}

#[tokio::test]
async fn a_broken_edit_leaves_what_was_served_and_is_said_once_until_the_next() {
    let mut stage = Script::new(&version(1)).serve().await;
    a_little_later().await;
    replace(&stage.path("tools.sh"), "# V.\ntool_version() { if; }\n");
    let syntax =
        "candor: error: tools.sh is not valid bash: line 2: syntax error near unexpected token `;'";
    assert_eq!(stage.hears(2).await, [syntax, STAYS]);
    for _ in 0..3 {
        a_little_later().await;
        assert_eq!(stage.version().await, "1");
    }
    assert_eq!(stage.told(), [syntax, STAYS]);

    replace(&stage.path("tools.sh"), "# V.\n# @arg a:int\n# @limit x=1\ntool_version() { :; }");
    let told = stage.hears(5).await;
    assert!(told[2].starts_with("candor: error: tools.sh:2:10: \"int\" is not a type."));
    assert!(told[3].starts_with("candor: error: tools.sh:3:10: \"x\" is not a limit."));
    assert_eq!(told[4], STAYS);
    assert_eq!(stage.version().await, "1");

    replace(&stage.path("tools.sh"), &version(2));
    stage.reaches("2").await;
    assert_eq!(stage.told()[5..], [TOOK_OVER]);
}

#[tokio::test]
async fn one_broken_file_does_not_hold_up_another() {
    let other = |number: usize| format!("# Other.\ntool_other() {{ echo {number}; }}");
    let mut stage = Script::new(&version(1)).serving("more.sh", &other(1)).serve().await;
    a_little_later().await;
    replace(&stage.path("tools.sh"), "exit 3");
    replace(&stage.path("more.sh"), &other(2));

    assert_eq!(
        stage.hears(3).await,
        [
            "candor: error: tools.sh ended with status 3 while it was loaded, before it got to \
             run_mcp_server",
            STAYS,
            "candor: more.sh has changed, and is served as it is now",
        ]
    );
    assert_eq!(stage.says("other", json!({})).await.0, "2");
    assert_eq!(stage.version().await, "1");
}

#[tokio::test]
async fn an_edit_that_takes_a_name_of_another_file_leaves_both_as_they_were() {
    let mut stage =
        Script::new(&version(1)).serving("more.sh", "# O.\ntool_o() { :; }").serve().await;
    a_little_later().await;
    replace(&stage.path("more.sh"), &version(2));

    assert_eq!(
        stage.hears(1).await,
        ["candor: error: tools.sh and more.sh both define a tool named version; what was served \
          before stays"]
    );
    assert_eq!(stage.version().await, "1");
    assert_eq!(stage.listed().await, ["version", "o"]);
    replace(&stage.path("more.sh"), "# O.\ntool_p() { :; }");
    stage.lists(&["version", "p"]).await;
}

#[tokio::test]
async fn a_file_that_takes_long_to_load_is_not_waited_for() {
    let mut stage = Script::new(&version(1)).serve().await;
    a_little_later().await;
    let slow = format!("until [[ -e {} ]]; do sleep 0.01; done\n", stage.path("go").display());
    replace(&stage.path("tools.sh"), &(slow + &version(2)));

    assert_eq!(stage.version().await, "1", "the old one answers meanwhile");
    std::fs::write(stage.path("go"), "").unwrap();
    stage.reaches("2").await;
}

#[tokio::test]
async fn a_call_in_flight_ends_on_the_version_on_which_it_began() {
    let file = |number: usize| {
        format!(
            "trap 'echo {number} >>ended' EXIT\n{}\
             # Wait.\ntool_wait() {{ touch began; until [[ -e go ]]; do sleep 0.01; done; \
             echo waited on {number}; }}\n",
            version(number)
        )
    };
    let mut stage = Script::new(&file(1)).serve().await;
    stage.send(7, "tools/call", json!({ "name": "wait", "arguments": {} })).await;
    stage.mark("began").await;
    a_little_later().await;
    replace(&stage.path("tools.sh"), &file(2));
    stage.reaches("2").await;
    assert_eq!(stage.read("ended"), "", "its worker has a call");

    std::fs::write(stage.path("go"), "").unwrap();
    let answer = stage.receive().await;
    assert_eq!(answer["id"], 7);
    assert_eq!(answer["result"]["content"][0]["text"], "waited on 1");
    until(|| stage.read("ended") == "1\n", "the end of the first worker").await;
    assert_eq!(stage.version().await, "2");
    stage.tools.end().await;
    until(|| stage.read("ended") == "1\n2\n", "the end of the second worker").await;
}

#[tokio::test]
async fn a_call_that_is_cancelled_on_an_earlier_version_may_still_clear_up() {
    let file = |number: usize| {
        format!(
            "{}# Wait.\ntool_wait() {{ trap 'sleep 0.3; touch cleared; exit' TERM; touch began; \
             while :; do sleep 0.01; done; }}\n",
            version(number)
        )
    };
    let mut stage = Script::new(&file(1)).serve().await;
    stage.send(7, "tools/call", json!({ "name": "wait", "arguments": {} })).await;
    stage.mark("began").await;
    a_little_later().await;
    replace(&stage.path("tools.sh"), &file(2));
    stage.reaches("2").await;
    let cancelled = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 },
    });
    stage.wire.send(&cancelled.to_string()).await.unwrap();

    stage.mark("cleared").await;
}

#[tokio::test]
async fn the_end_of_the_server_ends_earlier_versions_too() {
    let file = |number: usize| {
        format!("{}# Wait.\ntool_wait() {{ touch began; sleep 60; }}\n", version(number))
    };
    let mut stage = Script::new(&file(1)).serve().await;
    stage.send(7, "tools/call", json!({ "name": "wait", "arguments": {} })).await;
    stage.mark("began").await;
    a_little_later().await;
    replace(&stage.path("tools.sh"), &file(2));
    stage.reaches("2").await;

    stage.tools.end().await;
    let answer = stage.receive().await;
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(7), &json!(true)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_is_lost_while_the_file_is_rewritten() {
    const CALLS: usize = 400;
    let mut stage = Script::new(&version(0)).serve().await;
    let path = stage.path("tools.sh");
    let writer = tokio::spawn(async move {
        for number in 1_usize.. {
            // In place, where a reader may see half of it, and by another file.
            if number.is_multiple_of(2) {
                replace(&path, &version(number));
            } else {
                std::fs::write(&path, version(number)).unwrap();
            }
            sleep(Duration::from_millis(30)).await;
        }
    });
    let mut answered = vec![0; CALLS];
    let mut versions = std::collections::BTreeSet::new();
    let (mut sent, mut received) = (0, 0);
    while received < CALLS {
        while sent < CALLS && sent < received + 8 {
            let call = json!({ "name": "version", "arguments": {} });
            stage.send(sent as u64, "tools/call", call).await;
            sent += 1;
        }
        let answer = stage.receive().await;
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        versions.insert(text.parse::<usize>().unwrap());
        answered[usize::try_from(answer["id"].as_u64().unwrap()).unwrap()] += 1;
        received += 1;
        // So that it goes on for long enough.
        sleep(Duration::from_millis(3)).await;
    }
    writer.abort();
    let _ = writer.await;

    assert_eq!(answered, vec![1; CALLS]);
    assert!(versions.len() > 1, "{versions:?}");
    replace(&stage.path("tools.sh"), &version(1_000_000));
    stage.reaches("1000000").await;
    let errors: Vec<_> = stage.told().into_iter().filter(|it| it.contains("error")).collect();
    assert_eq!(errors, [""; 0]);
}

#[tokio::test]
async fn a_file_that_is_away_for_a_moment_is_not_missed() {
    let mut stage = Script::new(&version(1)).serve().await;
    stage.tools.watch();
    let (path, aside) = (stage.path("tools.sh"), stage.path("aside"));
    std::fs::rename(&path, &aside).unwrap();
    a_little_later().await;
    assert_eq!(stage.version().await, "1");
    std::fs::rename(&aside, &path).unwrap();
    a_little_later().await;
    assert_eq!(stage.told(), [""; 0]);

    std::fs::remove_file(&path).unwrap();
    let log = stage.log.clone();
    until(|| log.lines().len() == 2, "a word on what is missing").await;
    assert_eq!(stage.told(), ["candor: error: tools.sh is not there; check the path", STAYS]);
    assert_eq!(stage.version().await, "1");
    std::fs::write(&path, version(2)).unwrap();
    stage.reaches("2").await;
}

#[tokio::test]
async fn a_file_that_changes_what_it_reads_is_not_loaded_without_end() {
    let file = |number: usize| {
        format!(
            "cd \"${{BASH_SOURCE[0]%/*}}\"\necho load >>loads\necho \"# $RANDOM\" >made.sh\n\
             source ./made.sh\n{}",
            version(number)
        )
    };
    let mut stage = Script::new(&file(1)).serve().await;
    a_little_later().await;
    replace(&stage.path("tools.sh"), &file(2));
    stage.reaches("2").await;

    let loads = stage.read("loads").lines().count();
    let since = Instant::now();
    while since.elapsed() < Duration::from_millis(700) {
        assert_eq!(stage.version().await, "2");
    }
    let more = stage.read("loads").lines().count() - loads;
    assert!(more <= 3 * (1 + usize::try_from(since.elapsed().as_secs()).unwrap()), "{more}");
}

#[tokio::test]
async fn an_author_who_watches_is_told_without_a_request() {
    let stage = Script::new(&version(1)).serve().await;
    stage.tools.watch();
    let log = stage.log.clone();
    replace(&stage.path("tools.sh"), "# V.\n# @asks me\ntool_version() { :; }");
    until(|| log.lines().len() == 2, "a complaint").await;
    assert_eq!(
        stage.told(),
        ["candor: error: tools.sh:2:9: @asks stands alone. Leave out what follows.", STAYS]
    );
    replace(&stage.path("tools.sh"), &version(2));
    until(|| log.lines().len() == 3, "a next version").await;
    assert_eq!(stage.told()[2..], [TOOK_OVER]);
}

#[tokio::test]
async fn warnings_are_not_repeated_for_each_version() {
    let bare = "tool_bare() { :; }\n";
    let mut stage = Script::new(&format!("{bare}{}", version(1))).serve().await;
    a_little_later().await;
    replace(&stage.path("tools.sh"), &format!("{bare}{}", version(2)));
    assert_eq!(stage.version().await, "2");

    assert_eq!(
        stage.told(),
        [
            "candor: warning: tools.sh: tool_bare (line 1) is not listed; write above it, in a \
             comment, what it does",
            TOOK_OVER,
        ]
    );
}

#[tokio::test]
async fn a_limit_counts_on_over_an_edit() {
    let file =
        |number: usize| format!("# V.\n# @limit rate=2/h\ntool_version() {{ echo {number}; }}");
    let mut stage = Script::new(&file(1)).serve().await;
    assert_eq!(stage.version().await, "1");
    a_little_later().await;
    replace(&stage.path("tools.sh"), &file(2));
    stage.reaches("2").await;

    let (_, is_error) = stage.says("version", json!({})).await;
    assert!(is_error, "the third call in an hour");
}

#[tokio::test]
async fn programs_come_change_and_go() {
    let program = |text: &str| format!("#!/bin/sh\n# {text}\necho \"{text}\"\n");
    let mut stage = Script::of_programs().program("a.sh", &program("One.")).serve().await;
    a_little_later().await;
    replace(&stage.path("tools/a.sh"), &program("Two."));
    make_executable(&stage.path("tools/a.sh"));
    std::fs::write(stage.path("tools/b.sh"), program("B.")).unwrap();
    make_executable(&stage.path("tools/b.sh"));
    stage.lists(&["a", "b"]).await;
    let tool = |name: &str, description: &str| {
        let schema = json!({ "type": "object" });
        json!({ "name": name, "description": description, "inputSchema": schema })
    };
    let tools = stage.ask("tools/list", json!({})).await["result"]["tools"].take();
    assert_eq!(tools, json!([tool("a", "Two."), tool("b", "B.")]));
    assert_eq!(stage.call("b", json!({})).await, done("B."));

    std::fs::write(stage.path("tools/b.json"), r#"{"description":"Beside."}"#).unwrap();
    stage.hears(2).await;
    let tools = stage.ask("tools/list", json!({})).await["result"]["tools"].take();
    assert_eq!(tools, json!([tool("a", "Two."), tool("b", "Beside.")]));

    std::fs::remove_file(stage.path("tools/a.sh")).unwrap();
    stage.lists(&["b"]).await;
    let changed = "candor: tools has changed, and is served as it is now";
    assert_eq!(stage.told(), [changed; 3]);
}

#[tokio::test]
async fn a_folder_with_a_mistake_leaves_what_was_served() {
    let mut stage =
        Script::of_programs().program("a.sh", "#!/bin/sh\n# A.\necho a\n").serve().await;
    a_little_later().await;
    std::fs::write(stage.path("tools/a.json"), "{").unwrap();
    assert_eq!(
        stage.hears(2).await,
        [
            "candor: error: tools/a.json is not what it should be: EOF while parsing an object at \
             line 1 column 1",
            "candor: error: tools: what was served before stays",
        ]
    );
    assert_eq!(stage.call("a", json!({})).await, done("a"));
}

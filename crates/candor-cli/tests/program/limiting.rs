//! How often tools may be called: what they say, and what an operator says.

use candor_testkit::message::call;

use crate::stage::{Folder, Host, Ran};

const TOOLS: &str = "
# Says nothing of how often.
tool_any() { echo called >>calls; echo any; }
# Says how often.
# @limit rate=3/h
tool_some() { echo called >>calls; echo some; }
";

/// The text of each answer to these calls, how often anything ran, and how it ended.
fn serve(arguments: &[&str], tools: &[&str]) -> (Vec<String>, usize, Ran) {
    let folder = Folder::of(TOOLS).with("calls", "");
    let arguments = [&["serve", "tools.sh"], arguments].concat();
    let mut host = Host::start(&mut folder.program(&arguments));
    let mut texts = Vec::new();
    for (at, tool) in tools.iter().enumerate() {
        host.say(&call(&at.to_string(), tool, "{}"));
        let answer: serde_json::Value = serde_json::from_str(&host.hear()).unwrap();
        let text = answer.pointer("/result/content/0/text").and_then(serde_json::Value::as_str);
        let text = text.unwrap();
        // When exactly depends on the clock.
        let text = text.split_once(" The next call").map_or(text, |(before, _)| before);
        texts.push(text.to_owned());
    }
    (texts, folder.read("calls").lines().count(), host.end())
}

#[test]
fn a_rate_holds_for_each_tool_that_says_none() {
    let tools = ["any", "any", "any", "some", "some", "some", "some"];
    let (texts, calls, ran) = serve(&["--rate", "2/h"], &tools);
    assert_eq!(
        texts,
        [
            "any",
            "any",
            "any is limited to 2 calls an hour. Nothing ran.",
            "some",
            "some",
            "some",
            "some is limited to 3 calls an hour. Nothing ran.",
        ]
    );
    assert_eq!(calls, 5);
    ran.assert(0, "", "");
}

#[test]
fn off_lifts_what_tools_say_and_is_said_itself() {
    let (texts, calls, ran) = serve(&["--rate", "off"], &["some"; 5]);
    assert_eq!((texts, calls), (vec!["some".to_owned(); 5], 5));
    let said = "candor: warning: --rate off: tools are called as often as anyone likes, whatever \
                they declare\n";
    ran.assert(0, "", said);
}

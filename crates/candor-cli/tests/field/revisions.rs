//! Revisions of the protocol, and what every result of one has.

use candor_testkit::message::{call, modern};
use serde_json::Value;

use crate::host::Host;
use crate::stage::Folder;

/// B131: only some results said of what type they were. Each says it.
#[test]
fn every_result_says_of_what_type_it_is() {
    let folder = Folder::of(
        "# Do it.\ntool_do() { :; }\n# Fail.\ntool_fail() { return 1; }\n\
         # Break.\ntool_break() { return 127; }\n# Hang.\ntool_hang() { sleep 1000; }\n",
    );
    let mut host = Host::serve(&folder, &["--timeout", "200ms"]);
    for line in [
        modern("1", "server/discover", ""),
        modern("1", "tools/list", ""),
        call("1", "do", "{}"),
        call("1", "fail", "{}"),
        call("1", "break", "{}"),
        call("1", "hang", "{}"),
        call("1", "do", r#"{"a":1,"a":2}"#),
    ] {
        let answer: Value = serde_json::from_str(&host.ask(&line)).unwrap();
        assert_eq!(answer["result"]["resultType"], "complete", "{line}: {answer}");
    }
    host.end();
}

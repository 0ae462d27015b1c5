//! Text is text.

use candor_testkit::message::call;

use crate::host::{Host, done, refused};
use crate::stage::Folder;

/// B46: a text that happens to be JSON was read as JSON, and `null` broke the reader. It is passed on
/// byte for byte.
#[test]
fn a_text_that_looks_like_json_stays_a_text() {
    let tools = "\
# Say it.
tool_say() { cat text; }
# Say it, and fail.
tool_fail() { cat text; return 1; }
";
    for text in ["null", "[]", r#"{"code":1}"#, "{{{", "\"\"", "0"] {
        let folder = Folder::of(tools).with("text", text);
        let mut host = Host::serve(&folder, &[]);
        host.assert_answers(&call("1", "say", "{}"), &done("1", text));
        host.assert_answers(&call("2", "fail", "{}"), &refused("2", text));
        host.end();
        folder.candor(&["call", "tools.sh", "say"]).assert(0, &format!("{text}\n"), "");
    }
}

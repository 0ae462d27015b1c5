//! Text that is more than it looks like.

use candor_testkit::message::call;

use crate::host::{Host, done, refused};
use crate::stage::Folder;

/// B167: signs that nobody sees and sequences for a terminal forged structure in the text of a
/// failure. Control characters go, and writing in any script stays.
#[test]
fn control_characters_go_and_every_script_stays() {
    let folder = Folder::of(
        "\
# Say what is in the file.
tool_say() { cat text; }
# Say it, and fail.
tool_fail() { cat text; return 1; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    for (printed, heard) in [
        ("\x1b[2J\x1b[31mfailed\x1b[0m", "failed"),
        ("\x1b]0;title\x07failed\x1b]8;;http://x\x1b\\", "failed"),
        ("fai\x07led\x08\x7f\u{9b}31m", "failed"),
        ("مرحبا بالعالم", "مرحبا بالعالم"),
        ("👩‍👩‍👧 🏳️‍🌈 e\u{301}", "👩‍👩‍👧 🏳️‍🌈 e\u{301}"),
        ("a\tb\nc", "a\tb\nc"),
    ] {
        std::fs::write(folder.path("text"), printed).unwrap();
        host.assert_answers(&call("1", "say", "{}"), &done("1", heard));
        host.assert_answers(&call("2", "fail", "{}"), &refused("2", heard));
    }
    host.end();
}

//! What a tool shows beside its words, in every revision.

use candor_testkit::message::{bare_call, call, initialize};
use candor_testkit::{ask, asks, fold_incidents};

use crate::said::stage;

const TEXT: &str = r#"{"type":"text","text":"Seats 3 and 4 are free."}"#;
const PLAN: &str = r#"{"type":"image","data":"iVBORw==","mimeType":"image/png"}"#;
const SOUND: &str = r#"{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}"#;
const RESOURCES: &str = r#"{"type":"resource","resource":{"uri":"seats:///3","mimeType":"text/plain","text":"row A"}},{"type":"resource","resource":{"uri":"seats:///3.bin","blob":"Aw=="}}"#;
const LINK: &str = r#"{"type":"resource_link","uri":"seats:///4","name":"seat 4","mimeType":"text/plain","size":5}"#;
const LINK_IN_WORDS: &str = r#"{"type":"text","text":"seat 4: seats:///4 (text/plain, 5 bytes)"}"#;
const MORE: &str = r#"{"type":"text","text":"Book soon."}"#;

/// The modern answer to a call, with this in its result between `resultType` and `_meta`.
fn modern(result: &str, failure: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"complete",{result},"_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"stage","version":"1.0.0"}}{failure}}}}}}}"#
    )
}

fn assert_shows(tool: &str, content: &str) {
    let answer = ask(stage().server.session(), &call("1", tool, "{}"));
    assert_eq!(answer, modern(&format!(r#""content":[{content}],"isError":false"#), ""));
}

/// Calls a tool that fails. This comes back.
fn assert_shows_in_failure(tool: &str, content: &str, failure: &str) {
    let stage = stage();
    let answer = fold_incidents(&ask(stage.server.session(), &call("1", tool, "{}")));
    let failure = format!(r#","dev.candor/failure":{failure}"#);
    assert_eq!(answer, modern(&format!(r#""content":[{content}],"isError":true"#), &failure));
}

/// The result of a call on a connection that has agreed on a version.
fn legacy(version: &str, tool: &str) -> String {
    let said = [initialize("0", version), bare_call("1", tool, "{}")];
    asks(stage().server.session(), &said).remove(1)
}

#[test]
fn text_comes_first_and_the_rest_in_its_order() {
    assert_shows("gallery", &[TEXT, PLAN, SOUND, RESOURCES, LINK, MORE].join(","));
}

#[test]
fn each_revision_is_shown_what_it_knows_and_told_of_the_rest() {
    let left_out = |version| {
        format!(
            r#"{{"type":"text","text":"Audio (audio/wav, 4 bytes) is left out: protocol version {version} cannot carry it."}}"#
        )
    };
    for (version, sound, link) in [
        ("2024-11-05", left_out("2024-11-05").as_str(), LINK_IN_WORDS),
        ("2025-03-26", SOUND, LINK_IN_WORDS),
        ("2025-06-18", SOUND, LINK),
        ("2025-11-25", SOUND, LINK),
    ] {
        let content = [TEXT, PLAN, sound, RESOURCES, link, MORE].join(",");
        assert_eq!(
            legacy(version, "gallery"),
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{content}],"isError":false}}}}"#
            )
        );
    }
}

#[test]
fn nothing_empty_stands_beside_something_else() {
    assert_shows("picture", PLAN);
    assert_shows("empty_words", PLAN);
}

#[test]
fn there_is_always_a_block() {
    assert_shows("nothing", r#"{"type":"text","text":""}"#);
}

#[test]
fn every_text_is_cleaned() {
    assert_shows(
        "colourful",
        r#"{"type":"text","text":"bold"},{"type":"text","text":"red"},{"type":"resource","resource":{"uri":"a:b","mimeType":"text/plain","text":"cd"}},{"type":"resource_link","uri":"a:b","name":"n","title":"t","description":"d"}"#,
    );
}

// ── Beside a value ──

#[test]
fn a_value_is_its_own_text_and_what_is_shown_comes_behind_it() {
    let answer = ask(stage().server.session(), &call("1", "seats_with_a_plan", "{}"));
    let result = format!(
        r#""content":[{{"type":"text","text":"{{\"free\":[3,4]}}"}},{PLAN}],"structuredContent":{{"free":[3,4]}},"isError":false"#
    );
    assert_eq!(answer, modern(&result, ""));
}

#[test]
fn a_value_in_words_is_not_said_twice_unless_the_revision_carries_no_values() {
    let answer = ask(stage().server.session(), &call("1", "seats_in_words", "{}"));
    let result =
        format!(r#""content":[{TEXT}],"structuredContent":{{"free":[3,4]}},"isError":false"#);
    assert_eq!(answer, modern(&result, ""));
    for version in ["2025-06-18", "2025-11-25"] {
        assert_eq!(
            legacy(version, "seats_in_words"),
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{TEXT}],"structuredContent":{{"free":[3,4]}},"isError":false}}}}"#
            )
        );
    }
    for version in ["2024-11-05", "2025-03-26"] {
        assert_eq!(
            legacy(version, "seats_in_words"),
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{TEXT},{{"type":"text","text":"{{\"free\":[3,4]}}"}}],"isError":false}}}}"#
            )
        );
    }
}

// ── In failures ──

#[test]
fn a_failure_in_the_tools_own_words_may_show_something() {
    assert_shows_in_failure(
        "show_and_refuse",
        &format!(r#"{{"type":"text","text":"half"}},{PLAN}"#),
        r#"{"kind":"tool","retry":"no","fingerprint":"8d09d7e2a6393b95"}"#,
    );
}

#[test]
fn what_a_tool_had_shown_when_it_was_cut_short_is_kept() {
    assert_shows_in_failure(
        "show_and_crash",
        &format!(
            r#"{{"type":"text","text":"half\n\nshow_and_crash failed inside the server (incident 00000000). Changing the arguments will not help. It may have taken effect: check before calling it again."}},{PLAN}"#
        ),
        r#"{"kind":"crash","retry":"unknown_effect","fingerprint":"b8716856df5a3e5e","incident":"00000000"}"#,
    );
    assert_shows_in_failure(
        "show_and_be_late",
        &format!(
            r#"{{"type":"text","text":"half\n\nshow_and_be_late did not finish within 2 s and was stopped. It may have taken effect: check before calling it again."}},{PLAN}"#
        ),
        r#"{"kind":"timeout","retry":"unknown_effect","fingerprint":"03a9e2f20a7283cc"}"#,
    );
    assert_shows_in_failure(
        "promise_and_show",
        &format!(
            r#"{{"type":"text","text":"The sum is 3.\n\npromise_and_show finished, but its answer is not what it promises (incident 00000000). Changing the arguments will not help. It may have taken effect: check before calling it again."}},{PLAN}"#
        ),
        r#"{"kind":"output","retry":"unknown_effect","fingerprint":"8317fbf11b395791","incident":"00000000"}"#,
    );
}

#[test]
fn where_nothing_ran_nothing_is_shown() {
    assert_shows_in_failure(
        "show_and_never_run",
        r#"{"type":"text","text":"show_and_never_run is not available at the moment. Nothing ran. Call it again in a few seconds."}"#,
        r#"{"kind":"unavailable","retry":"later","fingerprint":"79983219177414da"}"#,
    );
}

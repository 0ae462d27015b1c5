//! Rows 12 and 13: the method, and parameters that are not the method's.

use candor_testkit::ask;
use candor_testkit::message::{META, bare, call, modern, refusal};

use crate::said::{assert_refused, done, failed, stage};

#[test]
fn a_method_that_is_not_implemented_is_not_found() {
    for method in [
        "nonsense",
        "",
        "tools/List",
        "tools/call ",
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "completion/complete",
        "tasks/get",
        "notifications/cancelled",
    ] {
        let message = format!("Method not found: {method}");
        assert_refused(&modern("7", method, ""), Some("7"), -32601, &message);
    }
}

#[test]
fn a_method_that_this_revision_removed_is_not_found() {
    for method in [
        "ping",
        "initialize",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "roots/list",
        "sampling/createMessage",
    ] {
        let message = format!("Method not found: {method}");
        assert_refused(&modern("7", method, ""), Some("7"), -32601, &message);
    }
}

#[test]
fn a_name_in_prose_is_cut_at_200_characters_and_loses_its_control_characters() {
    let long = "é".repeat(201);
    let cut = format!("Method not found: {}…", "é".repeat(200));
    assert_refused(&modern("7", &long, ""), Some("7"), -32601, &cut);
    assert_refused(
        &modern("7", r"a\nb\u001b[31m", ""),
        Some("7"),
        -32601,
        "Method not found: a b [31m",
    );
}

#[test]
fn a_call_names_its_tool() {
    let reason = "Invalid params: `name` must be a string";
    assert_refused(&modern("7", "tools/call", ""), Some("7"), -32602, reason);
    for name in ["7", "null", "[\"book\"]", "{}", "true"] {
        let line =
            modern("7", "tools/call", &format!(r#""name":{name},"arguments":{{"seats":1}}"#));
        assert_refused(&line, Some("7"), -32602, reason);
    }
}

#[test]
fn arguments_are_an_object() {
    for arguments in ["[]", "5", "true", "[{\"seats\":1}]"] {
        let reason = "Invalid params: `arguments` must be an object";
        assert_refused(&call("7", "book", arguments), Some("7"), -32602, reason);
    }
    for arguments in [r#""{\"seats\":1}""#, "\"x\""] {
        let reason = "Invalid params: `arguments` must be an object, not a string that holds one";
        assert_refused(&call("7", "book", arguments), Some("7"), -32602, reason);
    }
}

#[test]
fn arguments_that_are_left_out_or_null_are_none() {
    let left_out = modern("7", "tools/call", r#""name":"refuse""#);
    let expected = ask(stage().server.session(), &call("7", "refuse", "{}"));
    for line in [left_out, call("7", "refuse", "null")] {
        let stage = stage();
        assert_eq!(ask(stage.server.session(), &line), expected);
        assert_eq!(stage.effects.get(), 1);
    }
}

#[test]
fn null_inside_arguments_is_a_value() {
    assert_eq!(
        ask(stage().server.session(), &call("7", "book", r#"{"seats":null}"#)),
        failed(
            "7",
            "book did not run: 1 argument needs changing.\nseats: must be an integer. Got null.\n\
             Correct it and call again.",
            r#"{"kind":"arguments","retry":"with_changes","fingerprint":"0b184976ef8737bb","violations":[{"path":"seats","keyword":"type"}]}"#
        )
    );
}

#[test]
fn a_cursor_is_one_that_this_server_gave() {
    for (cursor, reason) in [
        ("\"x\"", "Invalid params: `cursor` must be one that this server gave"),
        ("\"\"", "Invalid params: `cursor` must be one that this server gave"),
        ("7", "Invalid params: `cursor` must be a string"),
        ("{}", "Invalid params: `cursor` must be a string"),
    ] {
        let line = modern("7", "tools/list", &format!("\"cursor\":{cursor}"));
        assert_refused(&line, Some("7"), -32602, reason);
    }
    let list = ask(stage().server.session(), &modern("7", "tools/list", ""));
    let with_null = modern("7", "tools/list", "\"cursor\":null");
    assert_eq!(ask(stage().server.session(), &with_null), list);
}

/// A call of `book` with one more member in `_meta`.
fn book_with(member: &str) -> String {
    let meta = META.replacen('{', &format!("{{{member},"), 1);
    bare("7", "tools/call", &format!(r#""name":"book","arguments":{{"seats":1}},{meta}"#))
}

#[test]
fn a_progress_token_is_a_string_or_an_integer() {
    for token in ["1.5", "true", "{}", "[]", "1e-1"] {
        let line = book_with(&format!("\"progressToken\":{token}"));
        let reason = "Invalid params: `progressToken` must be a string or an integer";
        assert_refused(&line, Some("7"), -32602, reason);
    }
    for token in ["null", "7", "1.0", "\"\"", "\"a\""] {
        let line = book_with(&format!("\"progressToken\":{token}"));
        assert_eq!(ask(stage().server.session(), &line), done("7", "Booked 1 seats."));
    }
}

#[test]
fn a_log_level_is_one_of_eight() {
    let reason = "Invalid params: `logLevel` must be one of debug, info, notice, warning, error, \
                  critical, alert, emergency";
    for level in ["\"loud\"", "\"Debug\"", "7", "{}", "\"\""] {
        let line = book_with(&format!("\"io.modelcontextprotocol/logLevel\":{level}"));
        assert_refused(&line, Some("7"), -32602, reason);
    }
    for level in ["null", "\"debug\"", "\"emergency\""] {
        let line = book_with(&format!("\"io.modelcontextprotocol/logLevel\":{level}"));
        assert_eq!(ask(stage().server.session(), &line), done("7", "Booked 1 seats."));
    }
}

#[test]
fn a_state_is_a_string_and_responses_are_an_object() {
    let book = r#""name":"book","arguments":{"seats":1}"#;
    for (member, reason) in [
        ("\"requestState\":7", "Invalid params: `requestState` must be a string"),
        ("\"requestState\":{}", "Invalid params: `requestState` must be a string"),
        ("\"inputResponses\":[]", "Invalid params: `inputResponses` must be an object"),
        ("\"inputResponses\":\"{}\"", "Invalid params: `inputResponses` must be an object"),
    ] {
        let line = modern("7", "tools/call", &format!("{book},{member}"));
        assert_refused(&line, Some("7"), -32602, reason);
    }
    for member in ["\"requestState\":null", "\"inputResponses\":null"] {
        let line = modern("7", "tools/call", &format!("{book},{member}"));
        assert_eq!(ask(stage().server.session(), &line), done("7", "Booked 1 seats."));
    }
}

#[test]
fn a_message_nests_at_most_128_levels() {
    // The message, its params and the arguments are three.
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels - 3), "]".repeat(levels - 3));
        call("7", "book", &format!(r#"{{"seats":1,"x":{open}{close}}}"#))
    };
    for levels in [53, 125, 126, 127, 128] {
        assert_eq!(ask(stage().server.session(), &nested(levels)), done("7", "Booked 1 seats."));
    }
    for levels in [129, 130, 1000, 200_000] {
        let reason = "Invalid request: a message nests at most 128 levels deep";
        assert_refused(&nested(levels), Some("7"), -32600, reason);
    }
}

#[test]
fn half_a_surrogate_pair_is_a_parse_error_with_the_id() {
    let reason = "Parse error: half a surrogate pair is no text";
    for half in [r"\ud800", r"\udc00", r"\ud800\u0041", r"\udc00\ud800"] {
        let lines = [
            call("7", "book", &format!(r#"{{"seats":1,"x":"{half}"}}"#)),
            call("7", "book", &format!(r#"{{"seats":1,"x":[{{"{half}":1}}]}}"#)),
            call("7", half, "{}"),
        ];
        for line in lines {
            assert_refused(&line, Some("7"), -32700, reason);
        }
    }
    let whole = call("7", "echo", r#"{"text":"\ud83c\udf89"}"#);
    assert_eq!(ask(stage().server.session(), &whole), done("7", "🎉"));
}

#[test]
fn a_key_that_params_say_twice_is_named() {
    let book = r#""name":"book","arguments":{"seats":1}"#;
    for (line, key) in [
        (modern("7", "tools/call", &format!(r#"{book},"name":"echo""#)), "name"),
        (modern("7", "tools/call", &format!(r#"{book},"arg\u0075ments":{{}}"#)), "arguments"),
        (modern("7", "tools/call", &format!(r#"{book},"x":{{"y":[{{"z":1,"z":1}}]}}"#)), "z"),
        (
            book_with(r#""io.modelcontextprotocol/protocolVersion":"2024-11-05""#),
            "io.modelcontextprotocol/protocolVersion",
        ),
        (book_with(r#""x":1,"x":2"#), "x"),
        (modern("7", "tools/call", &format!(r#"{book},"_meta":{{}}"#)), "_meta"),
    ] {
        let message = format!("Invalid params: {key:?} stands twice in one object");
        assert_refused(&line, Some("7"), -32602, &message);
    }
}

#[test]
fn a_key_that_arguments_say_twice_is_the_models_to_mend_and_nothing_ran() {
    for (arguments, key) in [
        (r#"{"seats":1,"seats":1}"#, "seats"),
        (r#"{"seats":1,"s\u0065ats":2}"#, "seats"),
        (r#"{"seats":1,"x":[{"y":{"z":1,"z":2}}]}"#, "z"),
    ] {
        let stage = stage();
        let text = format!(
            "book did not run: 1 argument needs changing.\n{key}: stands twice in one object. \
             Send it once.\nCorrect it and call again."
        );
        assert_eq!(
            ask(stage.server.session(), &call("7", "book", arguments)),
            failed(
                "7",
                &text,
                r#"{"kind":"arguments","retry":"with_changes","fingerprint":"71647e18dcbc49e9"}"#
            )
        );
        assert_eq!(stage.effects.get(), 0);
    }
}

#[test]
fn each_refusal_is_for_its_line_only() {
    let said =
        [call("1", "book", "[]"), modern("2", "nonsense", ""), call("3", "book", r#"{"seats":1}"#)];
    assert_eq!(
        candor_testkit::asks(stage().server.session(), &said),
        [
            refusal(Some("1"), -32602, "Invalid params: `arguments` must be an object"),
            refusal(Some("2"), -32601, "Method not found: nonsense"),
            done("3", "Booked 1 seats."),
        ]
    );
}

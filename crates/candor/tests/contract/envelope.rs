//! Rows 1 to 5: what is no message, and what is one that nobody answers.

use candor::Limits;
use candor_testkit::fault::Pieces;
use candor_testkit::message::{META, call, modern, refusal};
use candor_testkit::{asks, converse, paused};

use crate::said::{assert_refused, assert_silence, done, stage};

/// Says bytes to a stage that reads messages of 100,000 bytes.
fn said_within_limit(said: &[u8]) -> Vec<String> {
    let mut limits = Limits::default();
    limits.max_message = 100_000;
    let reader = Pieces::new(said, [10_000]);
    let heard = paused(converse(stage().server.session(), reader, limits));
    heard.lines().map(str::to_owned).collect()
}

fn echo(id: &str, text: &str) -> String {
    call(id, "echo", &format!("{{\"text\":\"{text}\"}}"))
}

// ── Row 1: size ──

#[test]
fn a_line_over_the_limit_is_refused_with_its_id_and_the_next_is_served() {
    let too_long = echo("\"a1\"", &"x".repeat(200_000));
    let said = format!("{too_long}\n{}\n", echo("2", "still here"));
    assert_eq!(
        said_within_limit(said.as_bytes()),
        [
            refusal(
                Some("\"a1\""),
                -32600,
                "Invalid request: the message is larger than 100000 bytes"
            ),
            done("2", "still here"),
        ]
    );
}

#[test]
fn a_line_of_exactly_the_limit_is_served_and_one_more_byte_is_not() {
    let room = 100_000 - echo("1", "").len();
    let exact = echo("1", &"x".repeat(room));
    assert_eq!(exact.len(), 100_000);
    let over = echo("2", &"x".repeat(room + 1));
    for line_end in ["\n", "\r\n"] {
        let said = format!("{exact}{line_end}{over}{line_end}");
        assert_eq!(
            said_within_limit(said.as_bytes()),
            [
                done("1", &"x".repeat(room)),
                refusal(
                    Some("2"),
                    -32600,
                    "Invalid request: the message is larger than 100000 bytes"
                ),
            ]
        );
    }
}

#[test]
fn an_id_that_stands_after_64_kib_of_a_line_over_the_limit_is_not_looked_for() {
    let late = format!(r#"{{"method":"m","x":"{}","id":7}}"#, "x".repeat(200_000));
    let anonymous =
        refusal(None, -32600, "Invalid request: the message is larger than 100000 bytes");
    assert_eq!(said_within_limit(late.as_bytes()), [anonymous]);
}

#[test]
fn a_notification_or_an_answer_over_the_limit_is_met_with_silence() {
    let long = "x".repeat(200_000);
    let notification =
        format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{{\"x\":\"{long}\"}}}}\n");
    let answer = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"x\":\"{long}\"}}}}\n");
    let said = format!("{notification}{answer}{}", echo("2", "still here"));
    assert_eq!(said_within_limit(said.as_bytes()), [done("2", "still here")]);
}

#[test]
fn a_line_over_the_limit_that_is_no_message_is_refused_once_without_an_id() {
    let anonymous =
        refusal(None, -32600, "Invalid request: the message is larger than 100000 bytes");
    for byte in [b'x', b'[', b'"', 0xff] {
        assert_eq!(said_within_limit(&vec![byte; 1_000_000]), [anonymous.as_str()]);
    }
}

#[test]
fn what_only_looks_like_an_id_is_not_given_back() {
    let anonymous =
        refusal(None, -32600, "Invalid request: the message is larger than 100000 bytes");
    for id in [r#""\q""#, r#""a"b"#, "7x", "1 2", "-", "01", "\"a\u{1}\"", "1.5", r#""\ud800""#] {
        let line = format!(r#"{{"id":{id},"method":"m","x":"{}"}}"#, "x".repeat(200_000));
        assert_eq!(said_within_limit(line.as_bytes()), [anonymous.as_str()], "id {id}");
    }
}

// ── Row 2: JSON ──

#[test]
fn a_line_that_is_no_json_is_a_parse_error_without_an_id_and_the_next_is_served() {
    let not_json: [&[u8]; 18] = [
        b"{this is not json",
        b"& \"$env:LOCALAPPDATA\\x\"",
        b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
        b"\0",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} x",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi",
        b"{\"jsonrpc\":\"2.0\",\"id\":01,\"method\":\"ping\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",}",
        b"{'jsonrpc':'2.0','id':1,'method':'ping'}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\tb\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\\q\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":NaN}}",
        b"[",
        b"tru",
        b"nullnull",
        b"\x0b",
        b"// a comment",
    ];
    for line in not_json {
        let said = [line, b"\n", echo("2", "still here").as_bytes()].concat();
        assert_eq!(
            said_within_limit(&said),
            [
                refusal(None, -32700, "Parse error: a line is one JSON text"),
                done("2", "still here")
            ],
            "after {}",
            String::from_utf8_lossy(line)
        );
    }
}

#[test]
fn a_line_that_is_no_utf_8_is_a_parse_error_without_an_id_and_the_next_is_served() {
    let not_text: [&[u8]; 4] = [
        b"\xff\xfe",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\"\xff\"}}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\"\xed\xa0\x80\"}}",
    ];
    for line in not_text {
        let said = [line, b"\n", echo("2", "still here").as_bytes()].concat();
        assert_eq!(
            said_within_limit(&said),
            [
                refusal(None, -32700, "Parse error: a message is UTF-8 text"),
                done("2", "still here")
            ]
        );
    }
}

#[test]
fn blank_lines_are_ignored_and_a_trailing_carriage_return_is_dropped() {
    let said = format!("\n \t\n\r\n{}\r\n\n", echo("1", "a"));
    assert_eq!(said_within_limit(said.as_bytes()), [done("1", "a")]);
}

#[test]
fn a_broken_answer_provokes_no_answer() {
    assert_silence(&[
        r#"{"jsonrpc":"2.0","id":1,"result":{"a":"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}} x"#,
    ]);
}

#[test]
fn what_breaks_off_before_it_is_known_to_be_an_answer_is_a_parse_error() {
    let reason = "Parse error: a line is one JSON text";
    assert_refused(r#"{"jsonrpc":"2.0","id":1,"resu"#, None, -32700, reason);
    assert_refused(r#"{"method":"m","result":{"#, None, -32700, reason);
    assert_refused(r#"{"x":{"result":1},"id":1"#, None, -32700, reason);
}

// ── Row 3: the envelope ──

#[test]
fn a_modern_message_is_no_array() {
    let reason = "Invalid request: a message is one JSON object, not an array";
    let call = call("1", "book", r#"{"seats":1}"#);
    for line in ["[]", "[1]", &format!("[{call}]"), r#"[{"jsonrpc":"2.0","method":"m"}]"#] {
        assert_refused(line, None, -32600, reason);
    }
}

#[test]
fn a_message_is_no_scalar() {
    for line in ["\"x\"", "7", "null", "true", "-0.5e-3"] {
        assert_refused(line, None, -32600, "Invalid request: a message is a JSON object");
    }
}

#[test]
fn jsonrpc_is_exactly_2_0_and_a_readable_id_comes_back() {
    let reason = "Invalid request: `jsonrpc` must be \"2.0\"";
    for version in ["\"1.0\"", "2.0", "2", "null", "\"2.0 \"", "[]"] {
        let line = format!(
            r#"{{"jsonrpc":{version},"id":"a","method":"tools/list","params":{{{META}}}}}"#
        );
        assert_refused(&line, Some("\"a\""), -32600, reason);
    }
    assert_refused(r#"{"id":7,"method":"ping"}"#, Some("7"), -32600, reason);
}

#[test]
fn method_is_a_string_and_a_readable_id_comes_back() {
    let reason = "Invalid request: `method` must be a string";
    assert_refused(r#"{"jsonrpc":"2.0","id":7}"#, Some("7"), -32600, reason);
    for method in ["7", "null", "{}", "[\"ping\"]", "true", r#""\ud800""#] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":7,"method":{method}}}"#);
        assert_refused(&line, Some("7"), -32600, reason);
    }
    assert_refused(r#"{"jsonrpc":"2.0"}"#, None, -32600, reason);
    assert_refused("{}", None, -32600, "Invalid request: `jsonrpc` must be \"2.0\"");
}

#[test]
fn params_are_an_object_and_a_readable_id_comes_back() {
    for params in ["[]", "null", "\"{}\"", "7", "false"] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{params}}}"#);
        assert_refused(&line, Some("7"), -32600, "Invalid request: `params` must be an object");
    }
}

/// B81: an id that is a fraction was taken and echoed, or broke something. It is refused.
#[test]
fn an_id_is_a_string_or_an_integer() {
    for id in ["null", "1.5", "1e-1", "true", "{}", "[]", "[1]", r#""\ud800""#] {
        let line = call(id, "book", r#"{"seats":1}"#);
        assert_refused(&line, None, -32600, "Invalid request: `id` must be a string or an integer");
    }
}

#[test]
fn a_repeated_key_is_refused_with_the_id_unless_it_is_the_id() {
    let reason = "Invalid request: a key stands twice in the message";
    let call = r#""method":"tools/call","params":{"name":"book","arguments":{"seats":1}}"#;
    for (line, id) in [
        (format!(r#"{{"jsonrpc":"2.0","id":7,{call},"method":"ping"}}"#), Some("7")),
        (format!(r#"{{"jsonrpc":"2.0","id":7,{call},"p\u0061rams":{{}}}}"#), Some("7")),
        (format!(r#"{{"jsonrpc":"2.0","id":7,{call},"x":1,"x":1}}"#), Some("7")),
        (format!(r#"{{"jsonrpc":"2.0","id":7,{call},"id":7}}"#), None),
        (format!(r#"{{"jsonrpc":"2.0","id":7,{call},"\u0069d":8}}"#), None),
        (format!(r#"{{"jsonrpc":"2.0","x":1,"x":1,"id":7,{call},"id":7}}"#), None),
    ] {
        assert_refused(&line, id, -32600, reason);
    }
}

/// Each as its own bytes, in a result and in a refusal.
/// B77: ids were read as numbers, and came back as others.
/// B81: a number that is an integer, however it is written, is an id.
#[test]
fn an_id_comes_back_byte_for_byte() {
    let long_string = format!("\"{}\"", "a".repeat(100_000));
    let long_integer = "9".repeat(10_000);
    for id in [
        "\"a1\"",
        "\"0\"",
        "\"\"",
        "\"1\"",
        "\" \"",
        "0",
        "-1",
        "-0",
        "7",
        "1.0",
        "1e2",
        "10E-1",
        "1.50e1",
        "9007199254740993",
        "9223372036854775807",
        "18446744073709551616",
        "1e400",
        r#""a\"b""#,
        r#""\u0061\n\/""#,
        r#""\ud83c\udf89 é""#,
        r#""\\ufffd""#,
        r#""\ufffd""#,
        "\"読取🎉\"",
        "\"\u{fffd}\"",
        "\"\u{7f}\u{9b}\u{2028}\"",
        &long_string,
        &long_integer,
    ] {
        let stage = stage();
        let said = [echo(id, "a"), call(id, "draft", "{}")];
        assert_eq!(
            asks(stage.server.session(), &said),
            [done(id, "a"), refusal(Some(id), -32602, "Unknown tool: draft")]
        );
    }
}

#[test]
fn members_that_nobody_knows_are_ignored() {
    let line = format!(
        r#"{{"x":[{{}}],"params":{{"later":true,"arguments":{{"text":"a"}},"name":"echo",{META}}},"method":"tools/call","id":1,"jsonrpc":"2.0"}}"#
    );
    assert_eq!(asks(stage().server.session(), &[line]), [done("1", "a")]);
}

// ── Row 4: notifications ──

#[test]
fn a_notification_is_never_answered_whatever_is_wrong_with_it() {
    let book = format!(
        r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"name":"book","arguments":{{"seats":1}},{META}}}}}"#
    );
    let deep = format!(
        r#"{{"jsonrpc":"2.0","method":"m","params":{{"x":{}{}}}}}"#,
        "[".repeat(500),
        "]".repeat(500)
    );
    let notifications = [
        &book,
        &deep,
        r#"{"jsonrpc":"2.0","method":"x"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        r#"{"jsonrpc":"2.0","method":"initialize"}"#,
        r#"{"jsonrpc":"1.0","method":"x"}"#,
        r#"{"method":"x"}"#,
        r#"{"jsonrpc":"2.0","method":"x","params":null}"#,
        r#"{"jsonrpc":"2.0","method":"x","params":[]}"#,
        r#"{"jsonrpc":"2.0","method":"x","method":"y"}"#,
        r#"{"jsonrpc":"2.0","method":"x","params":{"a":1,"a":2}}"#,
        r#"{"jsonrpc":"2.0","method":"x","params":{"a":"\ud800"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
    ];
    assert_silence(&notifications);
    // As the first line of a connection too.
    for notification in notifications {
        assert_silence(&[notification]);
    }
}

// ── Row 5: answers ──

#[test]
fn an_answer_to_nothing_that_was_asked_is_ignored_and_logged() {
    let stage = stage();
    let said = [
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{}}"#,
        r#"{"result":1,"error":2}"#,
    ];
    assert_eq!(asks(stage.server.session(), &said), [""; 0]);
    assert_eq!(stage.log.lines(), ["candor: ignored an answer to nothing we asked"; 5]);
}

#[test]
fn a_message_with_a_method_is_no_answer() {
    let line = modern("1", "server/discovery", "").replace("\"id\"", "\"result\":{},\"id\"");
    assert_refused(&line, Some("1"), -32601, "Method not found: server/discovery");
}

//! Encodings, sizes, depths and numbers.

use std::process::Stdio;
use std::time::Duration;

use candor_testkit::message::{call, refusal};

use crate::host::{Host, done, failed, refused, text};
use crate::stage::{Folder, Ran, run};

const TOOLS: &str = "\
# Say what came.
tool_echo() { printf %s \"$1\"; }
";

/// B95: bytes that are no text ended the process. Each such line is refused, and the next is served.
#[test]
fn bytes_that_are_no_text_are_refused_and_the_next_line_is_served() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    let good = call("1", "echo", "{}");
    let (no_json, no_text) =
        ("Parse error: a line is one JSON text", "Parse error: a message is UTF-8 text");
    for (line, refusal) in [
        (b"\xff\xfe".to_vec(), refusal(None, -32700, no_text)),
        ([b"\xef\xbb\xbf", good.as_bytes()].concat(), refusal(None, -32700, no_json)),
        (b"\0\0\0".to_vec(), refusal(None, -32700, no_json)),
        (good.replacen("{}", "{\"a\":\"\0\"}", 1).into_bytes(), refusal(None, -32700, no_json)),
        (
            call("7", "echo", r#"{"a":"\ud800"}"#).into_bytes(),
            refusal(Some("7"), -32700, "Parse error: half a surrogate pair is no text"),
        ),
    ] {
        host.say_bytes(&[&line[..], b"\n"].concat());
        assert_eq!(host.hear(), refusal, "to {}", String::from_utf8_lossy(&line));
        host.assert_answers(&good, &done("1", "{}"));
    }
    host.end();
}

/// B96: a text in another encoding ended the connection of who read it. What is no UTF-8 in what a
/// tool prints is replaced, its neighbours are kept, and the next call works.
#[test]
fn what_a_tool_prints_in_another_encoding_harms_nobody() {
    let folder = Folder::of(
        "\
# Latin-1.
tool_latin() { printf 'caf\\xe9 au lait'; }
# Nothing that could be read.
tool_mark() { printf '\\xff\\xfe\\n'; }
# The same, and fail.
tool_fail() { printf 'caf\\xe9'; return 1; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(&call("1", "latin", "{}"), &done("1", "caf\u{fffd} au lait"));
    host.assert_answers(
        &call("2", "mark", "{}"),
        &failed(
            "2",
            "mark finished, but its answer is not what it promises (incident 00000000). Changing \
             the arguments will not help. It may have taken effect: check before calling it again.",
            "output",
            "unknown_effect",
        ),
    );
    host.assert_answers(&call("3", "fail", "{}"), &refused("3", "caf\u{fffd}"));
    host.end();
    folder.candor(&["call", "tools.sh", "latin"]).assert(0, "caf\u{fffd} au lait\n", "");
}

/// B97: a character that came in two pieces became two wrong ones. However the bytes arrive, from
/// either side, the text is the same.
#[test]
fn a_character_that_comes_in_pieces_stays_whole() {
    let folder = Folder::of(
        "\
# Say what came.
tool_echo() { printf %s \"$1\"; }
# Say it byte by byte.
tool_drip() { for byte in e8 aa ad e5 8f 96 f0 9f 8e 89; do printf \"\\\\x$byte\"; sleep 0.005; done; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    host.assert_answers(&call("1", "drip", "{}"), &done("1", "読取🎉"));
    for byte in call("2", "echo", r#"{"a":"読取🎉"}"#).bytes().chain([b'\n']) {
        host.say_bytes(&[byte]);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(host.hear(), done("2", r#"{"a":"読取🎉"}"#));
    host.end();
}

/// B99: a line over 64 KiB broke the buffer that it was read into. Any size up to the limit works in
/// both directions; above it the request is refused by its id, and the server lives on.
#[test]
fn a_line_may_be_as_long_as_the_limit_says() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &["--max-output", "16M"]);
    for size in [70_000, 1_000_000, 8_000_000] {
        let arguments = format!("{{\"d\":\"{}\"}}", "x".repeat(size));
        host.say(&call("1", "echo", &arguments));
        assert!(host.hear() == done("1", &arguments), "{size} bytes did not come back");
    }
    host.end();

    let mut host = Host::serve(&folder, &["--max-message", "64K"]);
    let room = 64 * 1024 - call("1", "echo", "{\"d\":\"\"}").len();
    let reason = "Invalid request: the message is larger than 65536 bytes";
    for line_end in ["\n", "\r\n"] {
        for (size, fits) in [(room - 1, true), (room, true), (room + 1, false)] {
            let arguments = format!("{{\"d\":\"{}\"}}", "x".repeat(size));
            let expected =
                if fits { done("1", &arguments) } else { refusal(Some("1"), -32600, reason) };
            host.say_bytes(format!("{}{line_end}", call("1", "echo", &arguments)).as_bytes());
            assert!(host.hear() == expected, "{size} bytes and {line_end:?}");
        }
    }
    host.end();
}

/// B101: arguments nested one level too deep closed the session. The line is refused by its id, and
/// the next is served.
#[test]
fn a_line_that_nests_too_deep_costs_itself_only() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    for levels in [50, 124, 125, 126, 127, 128, 1000, 200_000] {
        // The arguments are one level, and so are `params` and the message.
        let inside = levels - 1;
        let arguments = format!("{{\"a\":{}{}}}", "[".repeat(inside), "]".repeat(inside));
        let reason = "Invalid request: a message nests at most 128 levels deep";
        let expected = if levels + 2 <= 128 {
            done("1", &arguments)
        } else {
            refusal(Some("1"), -32600, reason)
        };
        host.assert_answers(&call("1", "echo", &arguments), &expected);
        host.assert_answers(&call("2", "echo", "{}"), &done("2", "{}"));
    }
    host.end();
}

/// B103: a tool that failed at length flooded the model, or its whole answer was replaced by a
/// complaint about its size. It is cut, still a failure, and says how much is missing.
#[test]
fn a_failure_that_is_too_long_is_cut_and_stays_a_failure() {
    let folder = Folder::of(
        "\
# Fail at length.
tool_flood() { for ((i = 0; i < 51200; i++)); do printf '%-99s\\n' \"line $i\"; done; return 1; }
",
    );
    let mut host = Host::serve(&folder, &["--max-output", "1000"]);
    let lines: Vec<_> = (0..10).map(|i| format!("{:<99}\n", format!("line {i}"))).collect();
    let kept = lines.concat();
    host.assert_answers(
        &call("1", "flood", "{}"),
        &refused(
            "1",
            &format!("{kept}[cut here: 5119000 more bytes were written, and the limit is 1000]"),
        ),
    );
    host.end();

    let mut host = Host::serve(&folder, &[]);
    let answer = host.ask(&call("1", "flood", "{}"));
    assert!(answer.contains(r#""isError":true"#));
    assert!(text(&answer).starts_with(&kept));
    assert!(answer.len() < 1_100_000, "{} bytes", answer.len());
    host.end();
}

/// B104: a number above 2^53 came out as another. Numbers are text, from the client to the tool and
/// back.
#[test]
fn a_number_is_passed_on_digit_by_digit() {
    const NUMBERS: &str = r#"{"id":1972435959496572928,"a":0.1,"b":1e400,"c":-0,"d":1.0,"e":12345678901234567890123456789012345678901,"f":0.30000000000000004,"g":1E+2}"#;
    let list = r#"{"tools":[{"name":"echo","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]}"#;
    let folder =
        Folder::of(&format!("MCP_TOOLS_LIST_FILE=list.json\n{TOOLS}")).with("list.json", list);
    let mut host = Host::serve(&folder, &[]);
    let structure = format!("\"structuredContent\":{NUMBERS},\"isError\"");
    host.assert_answers(
        &call("9007199254740993", "echo", NUMBERS),
        &done("9007199254740993", NUMBERS).replace("\"isError\"", &structure),
    );
    host.end();

    let mut command = folder.program(&["call", "tools.sh", "echo", "--arguments", NUMBERS]);
    assert_eq!(
        run(command.stdin(Stdio::null())),
        Ran { status: Some(0), stdout: format!("{NUMBERS}\n"), stderr: String::new() }
    );
    folder
        .candor(&["call", "tools.sh", "echo", "id=1972435959496572928", "b:=1e400", "c:=-0"])
        .assert(0, "{\"id\":1972435959496572928,\"b\":1e400,\"c\":-0}\n", "");
}

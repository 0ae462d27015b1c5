//! The four revisions that open with `initialize`, and a server that speaks none of them.

use candor::Policy;
use candor_testkit::message::{bare, bare_call, call, initialize, modern, refusal};
use candor_testkit::{ask, asks, fold_incidents};

use crate::said::{connect, done, next, send, stage};
use crate::stage::Stage;

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

fn initialized(id: &str, version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"stage","version":"1.0.0"}},"instructions":"Ask before you book."}}}}"#
    )
}

/// What comes back to a line on a connection that has agreed on a version.
fn after_handshake(version: &str, line: &str) -> String {
    let answers = asks(
        stage().server.session(),
        &[
            initialize("0", version),
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
            line.to_owned(),
        ],
    );
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(answers[0], initialized("0", version));
    answers[1].clone()
}

// ── The handshake ──

#[test]
fn a_handshake_at_a_version_that_is_spoken_agrees_on_it() {
    for version in LEGACY {
        let answer = ask(stage().server.session(), &initialize("\"i\"", version));
        assert_eq!(answer, initialized("\"i\"", version));
    }
}

#[test]
fn a_handshake_at_any_other_version_is_offered_the_newest_that_has_one() {
    for version in ["2026-07-28", "1900-01-01", "9999-12-31", "", "2025-06-18 ", "DRAFT"] {
        let answer = ask(stage().server.session(), &initialize("1", version));
        assert_eq!(answer, initialized("1", "2025-11-25"));
    }
}

#[test]
fn a_handshake_without_a_version_is_refused() {
    let refused = refusal(Some("1"), -32602, "Invalid params: `protocolVersion` must be a string");
    for params in
        ["", r#""protocolVersion":7"#, r#""protocolVersion":null"#, r#""protocolVersion":["a"]"#]
    {
        assert_eq!(ask(stage().server.session(), &bare("1", "initialize", params)), refused);
    }
    let without = r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#;
    assert_eq!(ask(stage().server.session(), without), refused);
}

#[test]
fn a_handshake_needs_to_say_nothing_but_its_version() {
    let line = bare("1", "initialize", r#""protocolVersion":"2025-06-18""#);
    assert_eq!(ask(stage().server.session(), &line), initialized("1", "2025-06-18"));
}

#[test]
fn ping_is_answered_before_the_handshake_and_after_it() {
    let pong = r#"{"jsonrpc":"2.0","id":9,"result":{}}"#;
    assert_eq!(ask(stage().server.session(), &bare("9", "ping", "")), pong);
    let without_params = r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#;
    assert_eq!(ask(stage().server.session(), without_params), pong);
    for version in LEGACY {
        assert_eq!(after_handshake(version, without_params), pong);
    }
}

#[test]
fn a_second_handshake_starts_anew() {
    let said = [
        initialize("1", "2024-11-05"),
        bare_call("2", "seats", "{}"),
        bare_call("3", "add", r#"{"a":1,"b":2}"#),
        initialize("4", "2025-06-18"),
        bare_call("5", "add", r#"{"a":1,"b":2}"#),
    ];
    assert_eq!(
        asks(stage().server.session(), &said),
        [
            initialized("1", "2024-11-05"),
            r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"[3,4,7]"}],"isError":false}}"#.to_owned(),
            r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"sum\":3}"}],"isError":false}}"#.to_owned(),
            initialized("4", "2025-06-18"),
            r#"{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"{\"sum\":3}"}],"structuredContent":{"sum":3},"isError":false}}"#.to_owned(),
        ]
    );
}

#[tokio::test]
async fn a_call_keeps_the_shape_of_the_handshake_it_was_made_under() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "slow", "{}")).await;
    send(&mut wire, &initialize("2", "2025-06-18")).await;
    assert_eq!(next(&mut wire).await, initialized("2", "2025-06-18"));
    stage.gate.open();
    assert_eq!(next(&mut wire).await, done("1", "slow is done with {}"));
}

#[tokio::test]
async fn a_call_that_waits_keeps_the_shape_of_the_handshake_it_was_made_under() {
    let mut policy = Policy::default();
    policy.in_flight = 1;
    let stage = Stage::new(policy);
    let mut wire = connect(&stage);
    send(&mut wire, &initialize("1", "2025-06-18")).await;
    send(&mut wire, &bare_call("2", "slow", "{}")).await;
    send(&mut wire, &bare_call("3", "add", r#"{"a":1,"b":2}"#)).await;
    send(&mut wire, &initialize("4", "2024-11-05")).await;
    assert_eq!(next(&mut wire).await, initialized("1", "2025-06-18"));
    assert_eq!(next(&mut wire).await, initialized("4", "2024-11-05"));
    stage.gate.open();
    next(&mut wire).await;
    assert_eq!(
        next(&mut wire).await,
        r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"sum\":3}"}],"structuredContent":{"sum":3},"isError":false}}"#
    );
}

// ── What only one era knows ──

#[test]
fn discovery_is_no_method_of_a_legacy_client() {
    for version in LEGACY {
        for method in ["server/discover", "subscriptions/listen", "resources/list", "nonsense"] {
            assert_eq!(
                after_handshake(version, &bare("1", method, "")),
                refusal(Some("1"), -32601, &format!("Method not found: {method}"))
            );
        }
    }
}

#[test]
fn a_modern_request_is_served_after_any_handshake() {
    for version in LEGACY {
        let answer = after_handshake(version, &call("1", "echo", r#"{"text":"a"}"#));
        assert_eq!(answer, done("1", "a"));
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2025-06-18"}"#;
        let answer = after_handshake(version, &bare("1", "tools/list", meta));
        assert!(answer.contains("-32022"), "{answer}");
    }
}

#[test]
fn a_legacy_client_never_hears_a_code_of_the_modern_era() {
    for version in LEGACY {
        for line in [
            bare("1", "tools/list", r#""cursor":7"#),
            bare("1", "tools/call", ""),
            bare_call("1", "draft", "{}"),
            bare_call("1", "broken", "{}"),
            bare("1", "nonsense", ""),
            bare("1", "tools/list", r#""_meta":{}"#),
            bare("1", "tools/list", r#""_meta":7"#),
        ] {
            let answer = after_handshake(version, &line);
            for code in ["-32020", "-32021", "-32022", "-32002", "-32042"] {
                assert!(!answer.contains(code), "{line}: {answer}");
            }
        }
    }
}

// ── The rows below admission hold as they do in the modern era ──

#[test]
fn a_failure_is_on_the_same_channel_in_every_era() {
    for version in LEGACY {
        let said = |line: &str| after_handshake(version, line);
        assert_eq!(
            said(&bare_call("1", "draft", "{}")),
            refusal(Some("1"), -32602, "Unknown tool: draft")
        );
        assert_eq!(
            said(&bare_call("1", "book", "[]")),
            refusal(Some("1"), -32602, "Invalid params: `arguments` must be an object")
        );
        assert_eq!(
            said(&bare_call("1", "broken", "{}")),
            refusal(Some("1"), -32603, "Internal error (incident 00000000)")
        );
        assert_eq!(
            said(&bare_call("1", "book", r#"{"seats":9}"#)),
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"seats: only 3 are left. Send 3 or fewer."}],"isError":true,"_meta":{"dev.candor/failure":{"kind":"tool","retry":"no","fingerprint":"6cb679b43067c107"}}}}"#
        );
        assert_eq!(
            said(&bare_call("1", "panic_async", "{}")),
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"panic_async failed inside the server (incident 00000000). Changing the arguments will not help. It may have taken effect: check before calling it again."}],"isError":true,"_meta":{"dev.candor/failure":{"kind":"crash","retry":"unknown_effect","fingerprint":"dfad80c2c17dac70","incident":"00000000"}}}}"#
        );
    }
}

#[test]
fn an_id_comes_back_byte_for_byte_in_every_era() {
    for version in LEGACY {
        for id in ["\"a1\"", "\"\"", "0", "-1", "1.0", "1e2", "9007199254740993"] {
            assert_eq!(
                after_handshake(version, &bare(id, "ping", "")),
                format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
            );
        }
    }
}

// ── Shapes ──

#[test]
fn structure_goes_to_those_who_know_it_and_its_text_to_all() {
    let add = bare_call("1", "add", r#"{"a":1,"b":2}"#);
    let text_only = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"sum\":3}"}],"isError":false}}"#;
    let with_structure = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"sum\":3}"}],"structuredContent":{"sum":3},"isError":false}}"#;
    for (version, expected) in
        LEGACY.iter().zip([text_only, text_only, with_structure, with_structure])
    {
        assert_eq!(after_handshake(version, &add), expected, "in {version}");
    }
    // Structure that is no object was no structure before the modern era.
    for version in LEGACY {
        assert_eq!(
            after_handshake(version, &bare_call("1", "seats", "{}")),
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[3,4,7]"}],"isError":false}}"#
        );
    }
}

#[test]
fn a_list_says_what_its_revision_has_words_for() {
    const ECHO: &str = r#""name":"echo","description":"Says it again.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}"#;
    const ADD: &str = r#""description":"Adds two integers.","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}"#;
    const SUM: &str = r#","outputSchema":{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}"#;
    const BOOK: &str = r#""name":"book","description":"Books seats.","inputSchema":{"type":"object","properties":{"seats":{"type":"integer"}},"required":["seats"]}"#;
    const READS: &str = r#","annotations":{"readOnlyHint":true}"#;
    const ICONS: &str = r#""icons":[{"src":"https://example.com/seat.png"}],"#;

    let expected = |reads: &str, title: &str, sum: &str, icons: &str, meta: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{{{ECHO}{reads}}},{{"name":"add",{title}{ADD}{sum}}},{{"name":"seats","description":"Free seats.",{icons}"inputSchema":{{"type":"object"}}{reads}{meta}}},{{{BOOK}}}]}}}}"#
        )
    };
    let (title, meta) = (r#""title":"Add","#, r#","_meta":{"example.com/row":7}"#);
    for (version, expected) in LEGACY.iter().zip([
        expected("", "", "", "", ""),
        expected(READS, "", "", "", ""),
        expected(READS, title, SUM, "", meta),
        expected(READS, title, SUM, ICONS, meta),
    ]) {
        let stage = Stage::small(Policy::default());
        let said = [initialize("0", version), bare("1", "tools/list", "")];
        assert_eq!(asks(stage.server.session(), &said)[1], expected, "in {version}");
    }
}

#[test]
fn a_legacy_result_says_nothing_that_only_the_modern_era_has() {
    for version in LEGACY {
        for line in [
            bare("1", "tools/list", ""),
            bare("1", "ping", ""),
            bare_call("1", "echo", r#"{"text":"a"}"#),
            bare_call("1", "refuse", "{}"),
            bare_call("1", "promise_structure", "{}"),
        ] {
            let answer = after_handshake(version, &line);
            for word in ["resultType", "ttlMs", "cacheScope", "io.modelcontextprotocol/"] {
                assert!(!answer.contains(word), "{word} in {answer}");
            }
        }
    }
}

// ── Modern only ──

fn modern_only() -> Stage {
    let mut policy = Policy::default();
    policy.modern_only = true;
    Stage::new(policy)
}

#[test]
fn a_server_that_is_modern_only_says_so_to_a_legacy_client() {
    for version in ["2024-11-05", "2025-11-25", "2026-07-28", "x"] {
        assert_eq!(
            ask(modern_only().server.session(), &initialize("1", version)),
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32022,"message":"Unsupported protocol version. Supported: 2026-07-28","data":{{"requested":"{version}","supported":["2026-07-28"]}}}}}}"#
            )
        );
    }
}

#[test]
fn a_server_that_is_modern_only_serves_modern_requests_and_no_bare_ones() {
    let said = [
        initialize("1", "2025-11-25"),
        bare("2", "ping", ""),
        bare("3", "tools/list", ""),
        call("4", "echo", r#"{"text":"a"}"#),
        modern("5", "initialize", r#""protocolVersion":"2025-11-25""#),
        "[]".to_owned(),
    ];
    let answers = asks(modern_only().server.session(), &said);
    let missing = "Invalid params: `_meta` must be an object";
    assert_eq!(
        answers[1..],
        [
            refusal(Some("2"), -32602, missing),
            refusal(Some("3"), -32602, missing),
            done("4", "a"),
            refusal(Some("5"), -32601, "Method not found: initialize"),
            refusal(None, -32600, "Invalid request: a message is one JSON object, not an array"),
        ]
    );
}

#[test]
fn a_name_that_older_revisions_have_no_words_for_is_left_out_of_the_handshake() {
    use std::sync::Arc;

    use candor::{About, Catalog, Journal, Loading, Server, Source, Toolset};

    struct Described(Arc<Catalog>);
    impl Source for Described {
        fn about(&self) -> Option<Arc<About>> {
            Some(Arc::clone(self.0.about()))
        }
        fn catalog(&self) -> Option<Arc<Catalog>> {
            Some(Arc::clone(&self.0))
        }
        fn loaded(&self) -> Loading {
            Box::pin(std::future::ready(()))
        }
    }
    let mut about = About::new("stage", "1");
    about.server_info = serde_json::json!({
        "name": "stage", "title": "The Stage", "version": "1", "websiteUrl": "https://example.com",
    });
    let catalog = Arc::new(Catalog::new(Arc::new(about), Toolset::new()));
    let info = |version: &str| {
        let source = Arc::new(Described(Arc::clone(&catalog)));
        let server = Server::from_source(source, Policy::default(), Journal::new(|_| {}));
        let answer = fold_incidents(&ask(server.session(), &initialize("1", version)));
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        answer["result"]["serverInfo"].to_string()
    };
    for (version, expected) in LEGACY.iter().zip([
        r#"{"name":"stage","version":"1"}"#,
        r#"{"name":"stage","version":"1"}"#,
        r#"{"name":"stage","title":"The Stage","version":"1"}"#,
        r#"{"name":"stage","title":"The Stage","version":"1","websiteUrl":"https://example.com"}"#,
    ]) {
        assert_eq!(info(version), expected, "in {version}");
    }
}

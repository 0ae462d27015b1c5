//! Rows 6 to 11: the era, the id, and what a request must say about itself.

use candor_testkit::message::{
    META, bare, bare_call, call, cancelled, initialize, modern, refusal,
};
use candor_testkit::{ask, asks};

use crate::said::{assert_refused, connect, done, next, send, stage};

/// A modern `book` whose `_meta` has these members.
fn book_with(meta: &str) -> String {
    bare("7", "tools/call", &format!(r#""name":"book","arguments":{{"seats":1}},"_meta":{meta}"#))
}

fn unsupported(id: &str, requested: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32022,"message":"Unsupported protocol version. Supported: 2026-07-28","data":{{"requested":{requested},"supported":["2026-07-28"]}}}}}}"#
    )
}

// ── Row 6: the era ──

#[test]
fn the_era_is_decided_per_message() {
    let answers = asks(
        stage().server.session(),
        &[
            call("1", "echo", r#"{"text":"a"}"#),
            initialize("2", "2025-06-18"),
            bare_call("3", "echo", r#"{"text":"b"}"#),
            call("4", "echo", r#"{"text":"c"}"#),
            modern("5", "ping", ""),
            bare("6", "ping", ""),
        ],
    );
    assert_eq!(
        answers,
        [
            done("1", "a"),
            r#"{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stage","version":"1.0.0"},"instructions":"Ask before you book."}}"#.to_owned(),
            r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"b"}],"isError":false}}"#.to_owned(),
            done("4", "c"),
            refusal(Some("5"), -32601, "Method not found: ping"),
            r#"{"jsonrpc":"2.0","id":6,"result":{}}"#.to_owned(),
        ]
    );
}

#[test]
fn a_bare_request_before_the_handshake_is_modern_and_refused() {
    let reason = "Invalid params: `_meta` must be an object";
    for method in ["tools/list", "tools/call", "server/discover", "resources/list", "nonsense"] {
        assert_refused(&bare("1", method, ""), Some("1"), -32602, reason);
    }
}

#[test]
fn a_handshake_that_was_refused_opens_nothing() {
    let answers =
        asks(stage().server.session(), &[bare("1", "initialize", ""), bare("2", "tools/list", "")]);
    assert_eq!(
        answers,
        [
            refusal(Some("1"), -32602, "Invalid params: `protocolVersion` must be a string"),
            refusal(Some("2"), -32602, "Invalid params: `_meta` must be an object"),
        ]
    );
}

// ── Row 7: duplicates ──

const IN_USE: &str = "Invalid request: this id is in use by a request that is not answered yet";

#[tokio::test]
async fn an_id_in_flight_is_refused_and_the_first_request_is_still_answered() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "slow", "{}")).await;
    for (id, method) in [("1", "tools/list"), ("1.0", "nonsense"), ("10e-1", "server/discover")] {
        send(&mut wire, &modern(id, method, "")).await;
        assert_eq!(next(&mut wire).await, refusal(Some(id), -32600, IN_USE));
    }
    send(&mut wire, &call("1", "book", r#"{"seats":1}"#)).await;
    assert_eq!(next(&mut wire).await, refusal(Some("1"), -32600, IN_USE));
    assert_eq!(stage.effects.get(), 1, "only `slow` has run");

    stage.gate.open();
    assert_eq!(next(&mut wire).await, done("1", "slow is done with {}"));
    send(&mut wire, &call("1", "echo", r#"{"text":"free again"}"#)).await;
    assert_eq!(next(&mut wire).await, done("1", "free again"));
}

#[tokio::test]
async fn ids_are_compared_by_value_and_a_string_is_no_number() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call(r#""\u0061""#, "slow", "{}")).await;
    send(&mut wire, &call("\"a\"", "echo", r#"{"text":"no"}"#)).await;
    assert_eq!(next(&mut wire).await, refusal(Some("\"a\""), -32600, IN_USE));
    send(&mut wire, &call("1", "slow", "{}")).await;
    send(&mut wire, &call("\"1\"", "echo", r#"{"text":"another"}"#)).await;
    assert_eq!(next(&mut wire).await, done("\"1\"", "another"));
}

#[tokio::test]
async fn an_id_that_waits_for_its_turn_is_in_use_too() {
    let mut policy = candor::Policy::default();
    policy.in_flight = 1;
    let stage = crate::stage::Stage::new(policy);
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "slow", "{}")).await;
    send(&mut wire, &call("2", "book", r#"{"seats":1}"#)).await;
    send(&mut wire, &call("2", "book", r#"{"seats":2}"#)).await;
    assert_eq!(next(&mut wire).await, refusal(Some("2"), -32600, IN_USE));
    stage.gate.open();
    assert_eq!(next(&mut wire).await, done("1", "slow is done with {}"));
    assert_eq!(next(&mut wire).await, done("2", "Booked 1 seats."));
    assert_eq!(stage.effects.get(), 2);
}

#[tokio::test]
async fn an_id_is_free_once_its_cancel_is_read() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "hang", "{}")).await;
    send(&mut wire, &cancelled("1.0")).await;
    send(&mut wire, &call("1", "echo", r#"{"text":"free again"}"#)).await;
    assert_eq!(next(&mut wire).await, done("1", "free again"));
}

#[tokio::test]
async fn two_connections_share_no_ids() {
    let stage = stage();
    let (mut one, mut other) = (connect(&stage), connect(&stage));
    send(&mut one, &call("1", "slow", "{}")).await;
    send(&mut other, &call("1", "echo", r#"{"text":"mine"}"#)).await;
    assert_eq!(next(&mut other).await, done("1", "mine"));
    send(&mut other, &cancelled("1")).await;
    stage.gate.open();
    assert_eq!(next(&mut one).await, done("1", "slow is done with {}"));
}

// ── Row 8: `_meta` ──

/// B126: a request without a version was refused as if it spoke another. What is missing is named.
#[test]
fn a_request_says_which_version_it_speaks() {
    let version =
        "Invalid params: `_meta[\"io.modelcontextprotocol/protocolVersion\"]` must be a string";
    assert_refused(&book_with("{}"), Some("7"), -32602, version);
    for not_text in ["5", "null", "{}", "[\"2026-07-28\"]", "true", r#""\ud800""#] {
        let meta = format!(r#"{{"io.modelcontextprotocol/protocolVersion":{not_text}}}"#);
        assert_refused(&book_with(&meta), Some("7"), -32602, version);
    }
    for not_object in ["null", "5", "[]", "\"{}\""] {
        let reason = "Invalid params: `_meta` must be an object";
        assert_refused(&book_with(not_object), Some("7"), -32602, reason);
    }
}

#[test]
fn discovery_says_so_too() {
    let reason = "Invalid params: `_meta` must be an object";
    assert_refused(
        r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#,
        Some("1"),
        -32602,
        reason,
    );
    assert_refused(&bare("1", "server/discover", ""), Some("1"), -32602, reason);
}

// ── Row 10: the version ──

/// B126: a version that is not spoken was refused in prose alone. The versions that are come as data.
#[test]
fn a_version_that_is_not_spoken_is_refused_on_any_request() {
    for version in ["1900-01-01", "", "2024-11-05", "2025-11-25", "2026-07-28 ", "DRAFT-2026-v1"] {
        let meta = format!(r#"{{"io.modelcontextprotocol/protocolVersion":"{version}"}}"#);
        for method in ["tools/call", "tools/list", "server/discover", "ping", "nonsense"] {
            let line = bare("7", method, &format!(r#""name":"book","_meta":{meta}"#));
            let stage = stage();
            let requested = format!("\"{version}\"");
            assert_eq!(ask(stage.server.session(), &line), unsupported("7", &requested));
            assert_eq!(stage.effects.get(), 0);
        }
    }
}

#[test]
fn a_version_that_is_not_spoken_is_refused_the_hundredth_time_too() {
    let mut said: Vec<_> =
        (1..100).map(|n| call(&n.to_string(), "echo", r#"{"text":"a"}"#)).collect();
    said.push(book_with(r#"{"io.modelcontextprotocol/protocolVersion":"2024-11-05"}"#));
    said.push(call("101", "echo", r#"{"text":"b"}"#));
    let answers = asks(stage().server.session(), &said);
    assert_eq!(answers.len(), 101);
    assert_eq!(answers[99], unsupported("7", "\"2024-11-05\""));
    assert_eq!(answers[100], done("101", "b"));
}

/// B127: the versions that were offered held the one just refused, and a client that obeyed went in
/// circles. Each one works.
#[test]
fn each_version_that_a_refusal_names_works() {
    let meta = r#"{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}"#;
    let refused = ask(stage().server.session(), &book_with(meta));
    let refused: serde_json::Value = serde_json::from_str(&refused).unwrap();
    let supported = refused["error"]["data"]["supported"].as_array().unwrap();
    assert!(!supported.is_empty());
    for version in supported {
        let meta = format!(
            r#"{{"io.modelcontextprotocol/protocolVersion":{version},"io.modelcontextprotocol/clientCapabilities":{{}}}}"#
        );
        assert_eq!(ask(stage().server.session(), &book_with(&meta)), done("7", "Booked 1 seats."));
    }
}

#[test]
fn what_was_requested_goes_back_whole_up_to_2_kib() {
    let refused = |version: &str| {
        let meta = format!(r#"{{"io.modelcontextprotocol/protocolVersion":"{version}"}}"#);
        ask(stage().server.session(), &book_with(&meta))
    };
    let longest = "v".repeat(2048);
    assert_eq!(refused(&longest), unsupported("7", &format!("\"{longest}\"")));
    assert_eq!(
        refused(&"v".repeat(2049)),
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32022,"message":"Unsupported protocol version. Supported: 2026-07-28","data":{"supported":["2026-07-28"]}}}"#
    );
    assert_eq!(refused(r"\u001b[31m\n"), unsupported("7", r#""\u001b[31m\n""#));
}

// ── Row 11: capabilities ──

#[test]
fn a_request_says_what_its_client_can_do() {
    let reason =
        "Invalid params: `_meta[\"io.modelcontextprotocol/clientCapabilities\"]` must be an object";
    let version = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
    assert_refused(&book_with(&format!("{{{version}}}")), Some("7"), -32602, reason);
    for not_object in ["null", "[]", "\"{}\"", "7", "true"] {
        let meta =
            format!(r#"{{{version},"io.modelcontextprotocol/clientCapabilities":{not_object}}}"#);
        assert_refused(&book_with(&meta), Some("7"), -32602, reason);
    }
}

#[test]
fn who_the_client_is_is_never_required() {
    for client in ["null", "7", "{}", r#"{"name":"a","version":"1"}"#, r#"{"name":7}"#] {
        let meta =
            META.replacen('{', &format!(r#"{{"io.modelcontextprotocol/clientInfo":{client},"#), 1);
        let line =
            bare("7", "tools/call", &format!(r#""name":"book","arguments":{{"seats":1}},{meta}"#));
        assert_eq!(ask(stage().server.session(), &line), done("7", "Booked 1 seats."));
    }
}

// ── In this order ──

/// Each line is wrong in what its row is about and in everything that later rows are about.
#[test]
fn of_several_faults_the_first_in_the_order_of_the_contract_is_answered() {
    let meta = |members: &str| format!(r#""_meta":{{{members}}}"#);
    let version = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
    let old = r#""io.modelcontextprotocol/protocolVersion":"2024-11-05""#;
    let able = r#""io.modelcontextprotocol/clientCapabilities":{}"#;
    let params = r#""name":7,"arguments":[],"cursor":7"#;

    let envelope =
        format!(r#"{{"jsonrpc":"1.0","id":1,"method":"nonsense","params":{{{params}}}}}"#);
    assert_refused(&envelope, Some("1"), -32600, "Invalid request: `jsonrpc` must be \"2.0\"");
    assert_refused(
        &bare("1", "nonsense", &format!("{params},{}", meta(""))),
        Some("1"),
        -32602,
        "Invalid params: `_meta[\"io.modelcontextprotocol/protocolVersion\"]` must be a string",
    );
    let line = bare("1", "nonsense", &format!("{params},{}", meta(old)));
    assert_eq!(ask(stage().server.session(), &line), unsupported("1", "\"2024-11-05\""));
    assert_refused(
        &bare("1", "nonsense", &format!("{params},{}", meta(version))),
        Some("1"),
        -32602,
        "Invalid params: `_meta[\"io.modelcontextprotocol/clientCapabilities\"]` must be an object",
    );
    let complete = meta(&format!("{version},{able}"));
    assert_refused(
        &bare("1", "nonsense", &format!("{params},{complete}")),
        Some("1"),
        -32601,
        "Method not found: nonsense",
    );
    assert_refused(
        &bare("1", "tools/call", &format!("{params},{complete}")),
        Some("1"),
        -32602,
        "Invalid params: `name` must be a string",
    );
    assert_refused(
        &bare("1", "tools/call", &format!(r#""name":"draft","arguments":[],{complete}"#)),
        Some("1"),
        -32602,
        "Invalid params: `arguments` must be an object",
    );
    assert_refused(
        &bare(
            "1",
            "tools/call",
            &format!(r#""name":"draft","arguments":{{"a":1,"a":2}},{complete}"#),
        ),
        Some("1"),
        -32602,
        "Unknown tool: draft",
    );
}

#[tokio::test]
async fn an_id_in_use_is_found_before_anything_in_the_request() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "hang", "{}")).await;
    send(&mut wire, &bare("1", "nonsense", "")).await;
    assert_eq!(next(&mut wire).await, refusal(Some("1"), -32600, IN_USE));
    // But not before the envelope.
    send(&mut wire, r#"{"jsonrpc":"2.0","id":1,"method":"nonsense","params":[]}"#).await;
    assert_eq!(
        next(&mut wire).await,
        refusal(Some("1"), -32600, "Invalid request: `params` must be an object")
    );
}

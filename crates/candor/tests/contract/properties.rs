//! What holds of every conversation, whatever is said in it.

use candor::Limits;
use candor_testkit::fault::Pieces;
use candor_testkit::message::{
    META, bare, bare_call, call, call_by, cancelled, initialize, modern,
};
use candor_testkit::{converse, fold_incidents, fuzz, paused};
use proptest::prelude::*;
use proptest::sample::select;

use crate::said::stage;

/// Lines of every kind, of tools that are over at once.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let id = select(vec!["1", "2", "\"a\"", "1.0", "9007199254740993", r#""\u0061""#]);
    let said = id.prop_flat_map(|id| {
        select(vec![
            call(id, "echo", r#"{"text":"読取🎉\n\u0007"}"#),
            call(id, "add", r#"{"a":1,"b":2}"#),
            call(id, "book", r#"{"seats":9}"#),
            call(id, "book", r#"{"seats":1,"seats":1}"#),
            call(id, "draft", "{}"),
            call_by(id, id, "count_inline", "{}"),
            call(id, "panic_reading", "{}"),
            call(id, "broken", "{}"),
            call(id, "coming_back", "{}"),
            call(id, "promise_structure", "{}"),
            call(id, "echo", &format!("{{\"text\":\"{}\"}}", "x".repeat(5000))),
            modern(id, "tools/list", ""),
            modern(id, "server/discover", ""),
            modern(id, "nonsense", ""),
            bare(id, "ping", ""),
            bare(id, "tools/list", ""),
            bare_call(id, "seats", "{}"),
            initialize(id, "2025-03-26"),
            initialize(id, "2025-06-18"),
            initialize(id, "x"),
            cancelled(id),
            format!("[{},{},7]", bare(id, "ping", ""), bare_call("3", "echo", r#"{"text":"b"}"#)),
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":7}}"#),
            "{".to_owned(),
            "[]".to_owned(),
            String::new(),
        ])
    });
    prop_oneof![
        9 => said.prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..20),
    ]
}

fn script() -> impl Strategy<Value = Vec<u8>> {
    let line_end = select(vec!["\n", "\r\n", "\n\n"]);
    prop::collection::vec((line(), line_end), 0..12).prop_map(|lines| {
        let lines = lines.into_iter().map(|(line, end)| [line, end.as_bytes().to_vec()].concat());
        lines.collect::<Vec<_>>().concat()
    })
}

fn heard(said: &[u8], sizes: Vec<usize>) -> String {
    let mut limits = Limits::default();
    limits.max_message = 4096;
    let reader = Pieces::new(said, sizes);
    fold_incidents(&paused(converse(stage().server.session(), reader, limits)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_conversation_is_the_same_however_its_bytes_arrive(
        said in script(), sizes in prop::collection::vec(1_usize..200, 1..6),
    ) {
        prop_assert_eq!(heard(&said, vec![]), heard(&said, sizes));
    }

    #[test]
    fn a_session_keeps_the_contract_whatever_lines_are_said(said in script()) {
        fuzz::one_session(stage().server.session(), &said);
    }

    #[test]
    fn a_session_keeps_the_contract_whatever_happens_to_the_bytes(
        said in script(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut said = said;
        if !said.is_empty() {
            for (at, byte) in damage {
                let at = at.index(said.len());
                said[at] = byte;
            }
            said.truncate(cut.index(said.len() + 1));
        }
        fuzz::one_session(stage().server.session(), &said);
    }

    #[test]
    fn the_order_of_members_does_not_matter(
        message in Just(vec![0, 1, 2, 3]).prop_shuffle(),
        params in Just(vec![0, 1, 2]).prop_shuffle(),
        meta in Just(vec![0, 1, 2]).prop_shuffle(),
        arguments in select(vec![r#"{"text":"a"}"#, r#"{"text":7}"#, "[]", r#"{"a":1,"a":2}"#]),
    ) {
        let object = |members: [&str; 4], order: &[usize]| {
            let members: Vec<_> = order.iter().map(|&at| members[at]).collect();
            format!("{{{}}}", members.join(","))
        };
        let meta = object(
            [
                r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#,
                r#""io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}"#,
                r#""x":{"method":"no","id":9}"#,
                "",
            ],
            &meta,
        );
        let (meta, arguments) =
            (format!("\"_meta\":{meta}"), format!("\"arguments\":{arguments}"));
        let params = object([&meta, &arguments, r#""name":"echo""#, ""], &params);
        let params = format!("\"params\":{params}");
        let members = [r#""jsonrpc":"2.0""#, r#""id":"i""#, r#""method":"tools/call""#, &params];
        let line = object(members, &message);

        let (_, arguments) = arguments.split_once(':').unwrap();
        let usual = call("\"i\"", "echo", arguments);
        prop_assert_eq!(heard(line.as_bytes(), vec![]), heard(usual.as_bytes(), vec![]));
    }
}

/// Calls that go on, called off or not: the clock jumps when only they are left.
#[test]
fn a_session_keeps_the_contract_when_calls_go_on() {
    let lines = [
        call("1", "hang", "{}"),
        call("1", "echo", r#"{"text":"in use"}"#),
        call("2", "in_a_moment", "{}"),
        call("3", "panic_async", "{}"),
        call("4", "hurry", "{}"),
        call("5", "last_words", "{}"),
        call("6", "panic_when_dropped", "{}"),
        call_by("7", "7", "count", r#"{"to":9,"every":30}"#),
        call_by("7", "8", "count", r#"{"to":9}"#),
        call_by("\"t\"", "9", "walk_on", "{}"),
    ];
    fuzz::one_session(stage().server.session(), lines.join("\n").as_bytes());
    let called_off = [lines.join("\n"), cancelled("1"), cancelled("2"), cancelled("3")].join("\n");
    fuzz::one_session(stage().server.session(), called_off.as_bytes());
    let many: Vec<_> = (0..200).map(|id| call(&id.to_string(), "in_a_moment", "{}")).collect();
    fuzz::one_session(stage().server.session(), many.join("\n").as_bytes());
    fuzz::one_session(stage().server.session(), META.as_bytes());
}

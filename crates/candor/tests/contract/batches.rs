//! Arrays of messages, which 2025-03-26 knows and no other revision.

use candor_testkit::asks;
use candor_testkit::message::{bare, bare_call, call, cancelled, initialize, refusal};

use crate::said::{connect, done, next, rest, send, stage};

/// What comes back to a line after a handshake at 2025-03-26, and how much ran.
fn batch(line: &str) -> (Vec<String>, usize) {
    let stage = stage();
    let said = [initialize("0", "2025-03-26"), line.to_owned()];
    let mut answers = asks(stage.server.session(), &said);
    answers.remove(0);
    (answers, stage.effects.get())
}

fn pong(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

fn booked(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"Booked 1 seats."}}],"isError":false}}}}"#
    )
}

fn book(id: &str) -> String {
    bare_call(id, "book", r#"{"seats":1}"#)
}

#[test]
fn each_element_is_answered_as_if_it_had_come_alone_in_one_array() {
    let line = format!(
        " [ {} ,{}, {},{},7, [], {} ]",
        bare("1", "ping", ""),
        book("\"b\""),
        bare("3", "nonsense", ""),
        r#"{"jsonrpc":"2.0","method":"x"}"#,
        call("4", "echo", r#"{"text":"modern"}"#),
    );
    let expected = format!(
        "[{},{},{},{},{},{}]",
        pong("1"),
        booked("\"b\""),
        refusal(Some("3"), -32601, "Method not found: nonsense"),
        refusal(None, -32600, "Invalid request: a message is a JSON object"),
        refusal(None, -32600, "Invalid request: a message is one JSON object, not an array"),
        done("4", "modern"),
    );
    assert_eq!(batch(&line), (vec![expected], 1));
}

#[test]
fn a_batch_of_one_is_answered_with_an_array_of_one() {
    assert_eq!(batch(&format!("[{}]", book("1"))), (vec![format!("[{}]", booked("1"))], 1));
}

#[test]
fn a_batch_that_wants_no_answer_gets_none() {
    let line = r#"[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":1,"result":{}}]"#;
    assert_eq!(batch(line), (vec![], 0));
}

#[test]
fn an_empty_batch_is_refused_as_a_whole() {
    let refused = refusal(None, -32600, "Invalid request: a batch holds at least one message");
    assert_eq!(batch("[]"), (vec![refused.clone()], 0));
    assert_eq!(batch(" [ ] "), (vec![refused], 0));
}

#[test]
fn a_batch_holds_at_most_100_messages() {
    let of = |count: usize| {
        let books: Vec<_> = (1..=count).map(|id| book(&id.to_string())).collect();
        format!("[{}]", books.join(","))
    };
    let (answers, effects) = batch(&of(100));
    let booked: Vec<_> = (1..=100).map(|id: usize| booked(&id.to_string())).collect();
    assert_eq!((answers, effects), (vec![format!("[{}]", booked.join(","))], 100));
    let refused = refusal(None, -32600, "Invalid request: a batch holds at most 100 messages");
    assert_eq!(batch(&of(101)), (vec![refused], 0));
}

#[test]
fn a_handshake_stands_alone() {
    let line = format!("[{},{}]", book("1"), initialize("2", "2025-06-18"));
    let refused =
        refusal(None, -32600, "Invalid request: `initialize` stands alone, never in a batch");
    assert_eq!(batch(&line), (vec![refused], 0));
}

#[test]
fn a_batch_that_breaks_off_is_a_parse_error() {
    let refused = refusal(None, -32700, "Parse error: a line is one JSON text");
    assert_eq!(batch(&format!("[{},", book("1"))), (vec![refused], 0));
}

#[test]
fn an_array_is_refused_in_every_other_revision_and_before_a_handshake() {
    let line = format!("[{}]", book("1"));
    let refused =
        refusal(None, -32600, "Invalid request: a message is one JSON object, not an array");
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let stage = stage();
        let answers = asks(stage.server.session(), &[initialize("0", version), line.clone()]);
        assert_eq!(answers[1..], [refused.as_str()]);
        assert_eq!(stage.effects.get(), 0);
    }
    assert_eq!(asks(stage().server.session(), &[line]), [refused]);
}

#[tokio::test]
async fn a_batch_is_answered_when_its_last_call_is_over() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &initialize("0", "2025-03-26")).await;
    next(&mut wire).await;
    let line = format!("[{},{}]", bare_call("1", "slow", "{}"), book("2"));
    send(&mut wire, &line).await;
    send(&mut wire, &bare("3", "ping", "")).await;
    assert_eq!(next(&mut wire).await, pong("3"));
    stage.gate.open();
    let slow = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"slow is done with {}"}],"isError":false}}"#;
    assert_eq!(next(&mut wire).await, format!("[{},{slow}]", booked("2")));
}

#[tokio::test]
async fn a_call_of_a_batch_that_is_called_off_is_left_out_of_its_answer() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &initialize("0", "2025-03-26")).await;
    next(&mut wire).await;
    send(&mut wire, &format!("[{},{}]", bare_call("1", "hang", "{}"), book("2"))).await;
    send(&mut wire, &cancelled("1")).await;
    assert_eq!(next(&mut wire).await, format!("[{}]", booked("2")));
    // And if nothing is left, there is no answer.
    send(&mut wire, &format!("[{}]", bare_call("1", "hang", "{}"))).await;
    send(&mut wire, &format!("[{}]", cancelled("1"))).await;
    assert_eq!(rest(&mut wire).await, [""; 0]);
    assert_eq!(stage.dropped.get(), 2);
}

#[tokio::test]
async fn an_id_in_flight_is_in_use_for_the_elements_of_a_batch_too() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &initialize("0", "2025-03-26")).await;
    next(&mut wire).await;
    send(&mut wire, &bare_call("1", "slow", "{}")).await;
    send(&mut wire, &format!("[{},{}]", book("1"), book("2"))).await;
    let in_use = "Invalid request: this id is in use by a request that is not answered yet";
    assert_eq!(
        next(&mut wire).await,
        format!("[{},{}]", refusal(Some("1"), -32600, in_use), booked("2"))
    );
    assert_eq!(stage.effects.get(), 2, "`slow`, and one `book`");
}

#[tokio::test]
async fn the_calls_of_a_batch_wait_for_their_turn_like_any_other() {
    let mut policy = candor::Policy::default();
    (policy.in_flight, policy.waiting) = (1, 2);
    let stage = crate::stage::Stage::new(policy);
    let mut wire = connect(&stage);
    send(&mut wire, &initialize("0", "2025-03-26")).await;
    next(&mut wire).await;
    let books: Vec<_> = (1..=50).map(|id| book(&id.to_string())).collect();
    send(&mut wire, &bare_call("\"slow\"", "slow", "{}")).await;
    send(&mut wire, &format!("[{}]", books.join(","))).await;
    stage.gate.open();
    next(&mut wire).await;
    let booked: Vec<_> = (1..=50).map(|id: usize| booked(&id.to_string())).collect();
    assert_eq!(next(&mut wire).await, format!("[{}]", booked.join(",")));
    assert_eq!(stage.effects.get(), 51);
}

//! Cancelling: once it is read, the work stops and nothing is said of it.

use candor::Policy;
use candor_testkit::message::{bare_call, call, cancelled, initialize, modern};
use candor_testkit::paused;

use crate::said::{connect, done, next, rest, send, stage};
use crate::stage::Stage;

#[tokio::test]
async fn a_call_that_is_called_off_is_dropped_and_never_answered() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call("\"a\"", "hang", "{}")).await;
    send(&mut wire, &cancelled("\"a\"")).await;
    send(&mut wire, &call("2", "echo", r#"{"text":"next"}"#)).await;
    assert_eq!(next(&mut wire).await, done("2", "next"));
    assert_eq!((stage.effects.get(), stage.dropped.get()), (1, 1));
    assert_eq!(rest(&mut wire).await, [""; 0]);
}

#[tokio::test]
async fn a_call_on_a_thread_is_not_waited_for_once_it_is_called_off() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "block", "{}")).await;
    send(&mut wire, &cancelled("1")).await;
    assert_eq!(rest(&mut wire).await, [""; 0]);
}

#[tokio::test]
async fn a_call_that_waits_for_its_turn_and_is_called_off_never_runs() {
    let mut policy = Policy::default();
    policy.in_flight = 1;
    let stage = Stage::new(policy);
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "slow", "{}")).await;
    send(&mut wire, &call("2", "book", r#"{"seats":1}"#)).await;
    send(&mut wire, &call("3", "echo", r#"{"text":"third"}"#)).await;
    send(&mut wire, &cancelled("2")).await;
    // Only to know that all of this has been read.
    send(&mut wire, &modern("4", "nonsense", "")).await;
    assert!(next(&mut wire).await.contains("-32601"));
    stage.gate.open();
    assert_eq!(next(&mut wire).await, done("1", "slow is done with {}"));
    assert_eq!(next(&mut wire).await, done("3", "third"));
    assert_eq!(rest(&mut wire).await, [""; 0]);
    assert_eq!(stage.effects.get(), 1, "`book` did not run");
}

#[tokio::test]
async fn a_cancel_names_its_request_by_value() {
    for (id, requested) in [("1", "1.0"), ("100", "1e2"), (r#""a""#, r#""\u0061""#)] {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &call(id, "hang", "{}")).await;
        send(&mut wire, &cancelled(requested)).await;
        assert_eq!(rest(&mut wire).await, [""; 0]);
        assert_eq!(stage.dropped.get(), 1);
    }
}

#[tokio::test]
async fn a_cancel_of_nothing_and_a_malformed_one_are_ignored() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call("0", "echo", r#"{"text":"over"}"#)).await;
    assert_eq!(next(&mut wire).await, done("0", "over"));
    send(&mut wire, &call("1", "slow", "{}")).await;
    let params = |params: &str| {
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#)
    };
    for ignored in [
        cancelled("0"),
        cancelled("2"),
        cancelled("\"1\""),
        cancelled("-1"),
        cancelled("null"),
        cancelled("1.5"),
        cancelled("[1]"),
        cancelled("{}"),
        cancelled("true"),
        params("{}"),
        params("null"),
        params("[1]"),
        params(r#"{"requestId":2,"requestId":1}"#),
        params(r#"{"x":{"requestId":1}}"#),
        params(r#"{"requestId":1,"reason":"\ud800"}"#),
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#.to_owned(),
        r#"{"jsonrpc":"1.0","method":"notifications/cancelled","params":{"requestId":1}}"#
            .to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/Cancelled","params":{"requestId":1}}"#
            .to_owned(),
    ] {
        send(&mut wire, &ignored).await;
    }
    // Only to know that all of this has been read.
    send(&mut wire, &modern("4", "nonsense", "")).await;
    assert!(next(&mut wire).await.contains("-32601"));
    stage.gate.open();
    assert_eq!(next(&mut wire).await, done("1", "slow is done with {}"));
    assert_eq!(rest(&mut wire).await, [""; 0]);
}

#[tokio::test]
async fn a_cancel_may_come_twice() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "hang", "{}")).await;
    send(&mut wire, &cancelled("1")).await;
    send(&mut wire, &cancelled("1")).await;
    assert_eq!(rest(&mut wire).await, [""; 0]);
    assert_eq!(stage.dropped.get(), 1);
}

#[tokio::test]
async fn a_legacy_client_cancels_as_a_modern_one_does() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &initialize("1", version)).await;
        next(&mut wire).await;
        send(&mut wire, &bare_call("2", "hang", "{}")).await;
        send(&mut wire, &cancelled("2")).await;
        assert_eq!(rest(&mut wire).await, [""; 0]);
        assert_eq!(stage.dropped.get(), 1);
    }
}

/// The cancel comes as the call ends: in the same read, and in a later one, before and after.
#[test]
fn a_cancel_that_races_with_the_end_of_its_call_is_never_worse_than_too_late() {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        let mut answered = 0;
        for id in 0..1000 {
            let id = id.to_string();
            let called = call(&id, "in_a_moment", "{}");
            if id.parse::<u32>().unwrap() % 2 == 0 {
                send(&mut wire, &format!("{called}\n{}", cancelled(&id))).await;
            } else {
                send(&mut wire, &called).await;
                for _ in 0..id.parse::<u32>().unwrap() % 7 {
                    tokio::task::yield_now().await;
                }
                send(&mut wire, &cancelled(&id)).await;
            }
            let marker = format!("\"after {id}\"");
            send(&mut wire, &call(&marker, "echo", r#"{"text":"still here"}"#)).await;
            let mut came = next(&mut wire).await;
            if came == done(&id, "a moment later") {
                answered += 1;
                came = next(&mut wire).await;
            }
            assert_eq!(came, done(&marker, "still here"));
        }
        assert_eq!(stage.effects.get(), 1000);
        assert!((1..1000).contains(&answered), "{answered} answers; both ways must be met with");
        assert_eq!(rest(&mut wire).await, [""; 0]);
    });
}

/// Calls on threads, so that the race is a real one.
/// B106: a cancel that met the end of its call in a narrow moment ended the session.
#[tokio::test]
async fn a_cancel_that_races_with_a_thread_is_never_worse_than_too_late() {
    let stage = stage();
    let mut wire = connect(&stage);
    for id in 0..1000 {
        let id = id.to_string();
        send(&mut wire, &call(&id, "refuse_because", "{}")).await;
        send(&mut wire, &cancelled(&id)).await;
        let marker = format!("\"after {id}\"");
        send(&mut wire, &call(&marker, "echo", r#"{"text":"still here"}"#)).await;
        let mut came = next(&mut wire).await;
        if came.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"#)) {
            came = next(&mut wire).await;
        }
        assert_eq!(came, done(&marker, "still here"));
    }
    assert_eq!(rest(&mut wire).await, [""; 0]);
}

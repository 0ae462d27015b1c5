//! Progress: only by a token, ever further, not too often, and never once it is over.

use std::task::Poll;
use std::time::Duration;

use candor_testkit::message::{bare, bare_call, call, call_by, cancelled, initialize, refusal};
use candor_testkit::{asks, paused};
use candor_transport::memory::Wire;
use candor_transport::{Answerer, Outbox};
use tokio::time::{Instant, sleep};

use crate::said::{connect, done, next, rest, send, stage};

/// A legacy call that wants to hear of its progress by this token.
fn bare_call_by(token: &str, id: &str, tool: &str, arguments: &str) -> String {
    let meta = format!(r#""_meta":{{"progressToken":{token}}}"#);
    bare(id, "tools/call", &format!(r#""name":"{tool}","arguments":{arguments},{meta}"#))
}

/// A notification, with these members behind the token.
fn progress(token: &str, rest: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},{rest}}}}}"#
    )
}

fn legacy_done(id: &str, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}],"isError":false}}}}"#
    )
}

/// What comes back to one line.
fn heard(line: &str) -> Vec<String> {
    asks(stage().server.session(), &[line])
}

/// How far a notification says that the call has got.
fn reached(line: &str) -> f64 {
    let message: serde_json::Value = serde_json::from_str(line).unwrap();
    message["params"]["progress"].as_f64().unwrap()
}

// ── Only by a token ──

#[test]
fn a_token_goes_back_to_the_letter() {
    let long = format!("\"{}\"", "x".repeat(10_000));
    for token in ["\"a\"", r#""\u0061\n""#, "\"\"", "7", "0", "-1", "1.0", "1e2", long.as_str()] {
        assert_eq!(
            heard(&call_by(token, "1", "count", r#"{"to":2}"#)),
            [
                progress(token, r#""progress":1,"total":2"#),
                progress(token, r#""progress":2,"total":2"#),
                done("1", "Counted to 2."),
            ]
        );
    }
}

#[test]
fn without_a_token_nothing_is_reported() {
    assert_eq!(heard(&call("1", "count", r#"{"to":2}"#)), [done("1", "Counted to 2.")]);
    // Null reads as absent.
    let line = call_by("null", "1", "count", r#"{"to":2}"#);
    assert_eq!(heard(&line), [done("1", "Counted to 2.")]);
}

#[test]
fn a_tool_can_ask_whether_anyone_wants_to_know() {
    assert_eq!(heard(&call("1", "is_wanted", "{}")), [done("1", "false")]);
    assert_eq!(heard(&call_by("0", "1", "is_wanted", "{}")), [done("1", "true")]);
}

#[test]
fn what_is_no_token_is_refused_and_nothing_ran() {
    for token in ["1.5", "true", "{}", "[1]"] {
        let stage = stage();
        let refused = refusal(
            Some("1"),
            -32602,
            "Invalid params: `progressToken` must be a string or an integer",
        );
        let line = call_by(token, "1", "book", r#"{"seats":1}"#);
        assert_eq!(asks(stage.server.session(), &[line]), [refused]);
        assert_eq!(stage.effects.get(), 0);
    }
}

#[tokio::test]
async fn a_token_in_use_gives_the_later_call_no_progress_and_is_free_after_the_answer() {
    for (token, same) in [("1", "1.0"), (r#""a""#, r#""\u0061""#)] {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &call_by(token, "1", "count_blocking", "{}")).await;
        assert_eq!(next(&mut wire).await, progress(token, r#""progress":1,"total":2"#));
        send(&mut wire, &call_by(same, "2", "count", r#"{"to":2}"#)).await;
        assert_eq!(next(&mut wire).await, done("2", "Counted to 2."));

        stage.gate.open();
        assert_eq!(next(&mut wire).await, progress(token, r#""progress":2,"total":2"#));
        assert_eq!(next(&mut wire).await, done("1", "Counted."));
        send(&mut wire, &call_by(same, "3", "count", r#"{"to":1}"#)).await;
        assert_eq!(next(&mut wire).await, progress(same, r#""progress":1,"total":1"#));
        assert_eq!(next(&mut wire).await, done("3", "Counted to 1."));
    }
}

#[tokio::test]
async fn two_calls_report_by_their_own_tokens_and_connections_share_none() {
    let stage = stage();
    let (mut one, mut other) = (connect(&stage), connect(&stage));
    for (wire, id, token) in [(&mut one, "1", "7"), (&mut other, "1", "7")] {
        send(wire, &call_by(token, id, "count_blocking", "{}")).await;
        assert_eq!(next(wire).await, progress(token, r#""progress":1,"total":2"#));
    }
    send(&mut one, &call_by("\"7\"", "2", "count_blocking", "{}")).await;
    assert_eq!(next(&mut one).await, progress("\"7\"", r#""progress":1,"total":2"#));
}

// ── Ever further ──

#[test]
fn what_goes_no_further_is_dropped_and_so_is_what_is_no_number() {
    assert_eq!(
        heard(&call_by("7", "1", "stumble", "{}")),
        [
            progress("7", r#""progress":-2.5"#),
            progress("7", r#""progress":1.5"#),
            progress("7", r#""progress":2"#),
            done("1", "There."),
        ]
    );
}

// ── Not too often ──

#[test]
fn at_most_ten_reports_leave_in_a_second_and_the_newest_wins() {
    paused(async {
        let mut wire = connect(&stage());
        let begin = Instant::now();
        send(&mut wire, &call_by("7", "1", "count", r#"{"to":3000,"every":1}"#)).await;
        let mut reports = Vec::new();
        loop {
            let line = next(&mut wire).await;
            if line == done("1", "Counted to 3000.") {
                break;
            }
            reports.push((begin.elapsed(), reached(&line)));
        }
        assert!(reports.len() >= 24, "{reports:?}");
        for window in reports.windows(11) {
            let (first, last) = (window[0].0, window[10].0);
            assert!(last.saturating_sub(first) >= Duration::from_secs(1), "{window:?}");
        }
        for pair in reports.windows(2) {
            assert!(pair[0].1 < pair[1].1, "{pair:?}");
        }
        for (when, number) in reports {
            let newest = when.as_secs_f64() * 1000.0;
            assert!((number - newest).abs() <= 3.0, "{number} at {when:?}");
        }
    });
}

#[test]
fn a_few_reports_leave_at_once() {
    assert_eq!(
        heard(&call_by("7", "1", "count", r#"{"to":3,"every":1}"#)),
        [
            progress("7", r#""progress":1,"total":3"#),
            progress("7", r#""progress":2,"total":3"#),
            progress("7", r#""progress":3,"total":3"#),
            done("1", "Counted to 3."),
        ]
    );
}

/// The fourth in a row has to wait, and the tool reports nothing more that could wake anyone.
#[test]
fn a_report_leaves_when_its_time_has_come_without_another() {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        let begin = Instant::now();
        send(&mut wire, &call_by("7", "1", "count", r#"{"to":4}"#)).await;
        for _ in 1..=3 {
            next(&mut wire).await;
        }
        // It is over before the time of the fourth has come.
        assert_eq!(next(&mut wire).await, done("1", "Counted to 4."));

        send(&mut wire, &call_by("7", "2", "count", r#"{"to":5,"every":40}"#)).await;
        let mut numbers = Vec::new();
        for _ in 1..=4 {
            numbers.push(reached(&next(&mut wire).await));
        }
        assert_eq!(numbers, [1.0, 2.0, 3.0, 4.0]);
        assert!(begin.elapsed() >= Duration::from_millis(120), "{:?}", begin.elapsed());
        assert!(begin.elapsed() < Duration::from_millis(160), "{:?}", begin.elapsed());
    });
}

/// Of a call that is over at the first look, only the newest report was left to be sent.
#[test]
fn a_tool_that_is_over_at_once_reports_the_last() {
    assert_eq!(
        heard(&call_by("7", "1", "count_inline", "{}")),
        [progress("7", r#""progress":3"#), done("1", "Counted.")]
    );
}

#[test]
fn a_peer_that_reads_nothing_costs_nothing_and_hears_the_newest_when_it_reads() {
    paused(async {
        let stage = stage();
        let mut session = stage.server.session();
        let mut out = Outbox::default();
        let message = "x".repeat(900);
        let arguments = format!(r#"{{"to":100000,"every":10,"message":"{message}"}}"#);
        let line = call_by("7", "1", "count", &arguments);
        std::future::poll_fn(|context| {
            session.receive(context, line.as_bytes(), &mut out);
            Poll::Ready(())
        })
        .await;
        let mut polls = 0_u32;
        let minute = std::future::poll_fn(|context| {
            polls += 1;
            session.poll_answers(context, &mut out)
        });
        assert!(tokio::time::timeout(Duration::from_mins(1), minute).await.is_err());
        assert!((15_000..20_000).contains(&out.len()), "{} bytes wait", out.len());
        // Twice for each report would be too often already.
        assert!(polls < 12_000, "it was looked after {polls} times");

        out.advance(out.len());
        std::future::poll_fn(|context| {
            let _ = session.poll_answers(context, &mut out);
            Poll::Ready(())
        })
        .await;
        let line = String::from_utf8(out.waiting().to_vec()).unwrap();
        assert!((reached(&line) - 6000.0).abs() <= 1.0, "{line}");
    });
}

// ── Whoever reports ──

#[tokio::test]
async fn a_report_from_another_thread_wakes_the_session() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call_by("7", "1", "report_and_stay", "{}")).await;
    send(&mut wire, &call("2", "echo", r#"{"text":"It waits."}"#)).await;
    assert_eq!(next(&mut wire).await, done("2", "It waits."));
    stage.gate.open();
    // Nothing else goes on: only the report can have brought this about.
    assert_eq!(next(&mut wire).await, progress("7", r#""progress":1"#));
    send(&mut wire, &cancelled("1")).await;
    assert_eq!(rest(&mut wire).await, [""; 0]);
    while stage.dropped.get() < 1 {
        sleep(Duration::from_millis(1)).await;
    }
}

#[test]
fn a_message_is_one_line_and_no_terminal_obeys_it() {
    let arguments = r#"{"to":1,"message":"\u001b[31mseats\u001b[0m\nheld\u0000"}"#;
    assert_eq!(
        heard(&call_by("7", "1", "count", arguments)),
        [
            progress("7", r#""progress":1,"total":1,"message":"seats held""#),
            done("1", "Counted to 1."),
        ]
    );
    let long = "ä".repeat(1001);
    let cut = format!(r#""progress":1,"total":1,"message":"{}…""#, "ä".repeat(1000));
    let arguments = format!(r#"{{"to":1,"message":"{long}"}}"#);
    assert_eq!(heard(&call_by("7", "1", "count", &arguments))[0], progress("7", &cut));
}

// ── Never once it is over ──

/// The next that comes back to a question that is asked a long time later.
async fn much_later(wire: &mut Wire) -> String {
    sleep(Duration::from_secs(10)).await;
    send(wire, &call("\"later\"", "echo", r#"{"text":"later"}"#)).await;
    next(wire).await
}

#[test]
fn after_the_answer_nothing_is_reported() {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &call_by("7", "1", "walk_on", "{}")).await;
        while next(&mut wire).await != done("1", "It walks on.") {}
        assert_eq!(much_later(&mut wire).await, done("\"later\"", "later"));
        assert_eq!((stage.effects.get(), stage.dropped.get()), (1, 1), "it was told so");
        assert_eq!(rest(&mut wire).await, [""; 0]);
    });
}

#[test]
fn after_a_cancel_nothing_is_reported() {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &call_by("7", "1", "walk_on", "{}")).await;
        assert_eq!(next(&mut wire).await, progress("7", r#""progress":1"#));
        send(&mut wire, &cancelled("1")).await;
        send(&mut wire, &call("2", "echo", r#"{"text":"read"}"#)).await;
        while next(&mut wire).await != done("2", "read") {}
        assert_eq!(much_later(&mut wire).await, done("\"later\"", "later"));
        assert_eq!((stage.effects.get(), stage.dropped.get()), (1, 1), "it was told so");
        assert_eq!(rest(&mut wire).await, [""; 0]);
    });
}

#[test]
fn a_call_whose_time_is_over_reports_no_more() {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &call_by("7", "1", "hang", "{}")).await;
        assert!(next(&mut wire).await.contains("hang did not finish within 30 s"));
        assert_eq!(much_later(&mut wire).await, done("\"later\"", "later"));
    });
}

// ── Eras ──

#[test]
fn the_first_revision_has_no_messages() {
    for (version, message) in [
        ("2024-11-05", ""),
        ("2025-03-26", r#","message":"seats""#),
        ("2025-06-18", r#","message":"seats""#),
        ("2025-11-25", r#","message":"seats""#),
    ] {
        let line = bare_call_by("7", "1", "count", r#"{"to":1,"message":"seats"}"#);
        let heard = asks(stage().server.session(), &[initialize("0", version), line]);
        assert_eq!(
            heard[1..],
            [
                progress("7", &format!(r#""progress":1,"total":1{message}"#)),
                legacy_done("1", "Counted to 1."),
            ]
        );
    }
}

#[test]
fn in_a_batch_each_report_is_a_line_of_its_own() {
    let batch = format!(
        "[{},{},{}]",
        bare_call_by("7", "1", "count", r#"{"to":1}"#),
        bare_call_by("7", "2", "count", r#"{"to":1}"#),
        bare_call("3", "book", r#"{"seats":1}"#),
    );
    let heard = asks(stage().server.session(), &[initialize("0", "2025-03-26"), batch]);
    let answers = format!(
        "[{},{},{}]",
        legacy_done("3", "Booked 1 seats."),
        legacy_done("1", "Counted to 1."),
        legacy_done("2", "Counted to 1."),
    );
    assert_eq!(heard[1..], [progress("7", r#""progress":1,"total":1"#), answers]);
}

//! Rows 18 and 20 to 24: below the line, where the model repairs. Each reads the effects before
//! and after.

use candor::Policy;
use candor_testkit::message::{call, modern};
use candor_testkit::{ask, fold_incidents, paused};
use candor_transport::Answerer;

use crate::said::{connect, done, failed, next, send, stage};
use crate::stage::Stage;

/// Calls a tool without arguments on a new stage. This comes back; so often did it run; this was
/// logged.
fn assert_fails(tool: &str, text: &str, failure: &str, effects: usize, log: &[&str]) {
    let stage = stage();
    assert_eq!(stage.effects.get(), 0);
    let answer = fold_incidents(&ask(stage.server.session(), &call("1", tool, "{}")));
    assert_eq!(answer, failed("1", text, failure));
    assert_eq!(stage.effects.get(), effects, "{tool} ran so often");
    assert_eq!(stage.log.lines(), log);
}

/// The same on a clock that stands still.
fn assert_fails_in_time(tool: &str, text: &str, failure: &str, effects: usize) {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &call("1", tool, "{}")).await;
        // As long as somebody is busy the clock stands still, and a thread may take that long.
        while stage.effects.get() < effects {
            tokio::task::yield_now().await;
        }
        assert_eq!(next(&mut wire).await, failed("1", text, failure));
        assert_eq!(stage.effects.get(), effects, "{tool} ran so often");
        send(&mut wire, &call("2", "echo", r#"{"text":"still here"}"#)).await;
        assert_eq!(next(&mut wire).await, done("2", "still here"));
    });
}

// ── Row 18: policy ──

#[tokio::test]
async fn of_one_caller_16_calls_are_in_flight_and_the_next_runs_when_one_is_over() {
    let stage = stage();
    let mut wire = connect(&stage);
    for id in 1..=15 {
        send(&mut wire, &call(&id.to_string(), "hang", "{}")).await;
    }
    send(&mut wire, &call("16", "slow", "{}")).await;
    send(&mut wire, &call("17", "book", r#"{"seats":1}"#)).await;
    // Only to know that all of this has been read.
    send(&mut wire, &modern("18", "nonsense", "")).await;
    assert!(next(&mut wire).await.contains("-32601"));
    assert_eq!(stage.effects.get(), 16, "the seventeenth waits");

    stage.gate.open();
    assert_eq!(next(&mut wire).await, done("16", "slow is done with {}"));
    assert_eq!(next(&mut wire).await, done("17", "Booked 1 seats."));
    assert_eq!(stage.effects.get(), 17);
}

#[tokio::test]
async fn another_caller_has_16_of_its_own() {
    let stage = stage();
    let (mut one, mut other) = (connect(&stage), connect(&stage));
    for id in 1..=17 {
        send(&mut one, &call(&id.to_string(), "hang", "{}")).await;
    }
    send(&mut other, &call("1", "book", r#"{"seats":1}"#)).await;
    assert_eq!(next(&mut other).await, done("1", "Booked 1 seats."));
}

#[test]
fn beyond_the_queue_nothing_more_is_read() {
    let mut policy = Policy::default();
    (policy.in_flight, policy.waiting) = (1, 2);
    let stage = Stage::new(policy);
    paused(async {
        let mut session = stage.server.session();
        let mut out = candor_transport::Outbox::default();
        for id in 1..=3 {
            assert!(session.has_room(), "before request {id}");
            let line = call(&id.to_string(), "slow", "{}");
            std::future::poll_fn(|context| {
                session.receive(context, line.as_bytes(), &mut out);
                std::task::Poll::Ready(())
            })
            .await;
        }
        assert!(!session.has_room());
        assert_eq!(stage.effects.get(), 1);
        stage.gate.open();
        std::future::poll_fn(|context| session.poll_answers(context, &mut out)).await;
        assert!(session.has_room());
        assert_eq!(stage.effects.get(), 3);
    });
}

#[test]
fn requests_that_wait_hold_no_more_than_a_mebibyte() {
    let mut policy = Policy::default();
    (policy.in_flight, policy.waiting) = (1, 1000);
    let stage = Stage::new(policy);
    paused(async {
        let mut session = stage.server.session();
        let mut out = candor_transport::Outbox::default();
        let mut read = 0;
        while session.has_room() && read < 100 {
            let line =
                call(&read.to_string(), "slow", &format!("{{\"x\":\"{}\"}}", "x".repeat(100_000)));
            std::future::poll_fn(|context| {
                session.receive(context, line.as_bytes(), &mut out);
                std::task::Poll::Ready(())
            })
            .await;
            read += 1;
        }
        assert_eq!(read, 12, "one in flight, and 11 × 100 kB");
    });
}

#[tokio::test]
async fn in_order_means_one_at_a_time() {
    let mut policy = Policy::default();
    policy.in_order = true;
    let stage = Stage::new(policy);
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "slow", "{}")).await;
    send(&mut wire, &modern("2", "nonsense", "")).await;
    send(&mut wire, &call("3", "book", r#"{"seats":1}"#)).await;
    // An id in use is refused at once; only by this is it known that all has been read.
    send(&mut wire, &call("3", "book", r#"{"seats":1}"#)).await;
    assert!(next(&mut wire).await.contains("in use"));
    assert_eq!(stage.effects.get(), 1);
    stage.gate.open();
    assert_eq!(next(&mut wire).await, done("1", "slow is done with {}"));
    assert!(next(&mut wire).await.contains("Method not found: nonsense"));
    assert_eq!(next(&mut wire).await, done("3", "Booked 1 seats."));
}

#[test]
fn a_tool_that_is_coming_back_is_unavailable_and_nothing_ran() {
    assert_fails(
        "coming_back",
        "coming_back is not available at the moment. Nothing ran. Call it again in a few seconds.",
        r#"{"kind":"unavailable","retry":"later","fingerprint":"cecc1240f567f47c"}"#,
        0,
        &[],
    );
}

#[tokio::test]
async fn a_call_that_will_not_run_needs_no_place() {
    let mut policy = Policy::default();
    policy.in_flight = 1;
    let stage = Stage::new(policy);
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "hang", "{}")).await;
    send(&mut wire, &call("2", "coming_back", "{}")).await;
    assert!(next(&mut wire).await.starts_with(r#"{"jsonrpc":"2.0","id":2,"result":"#));
    send(&mut wire, &call("3", "draft", "{}")).await;
    assert!(next(&mut wire).await.starts_with(r#"{"jsonrpc":"2.0","id":3,"error":"#));
}

#[test]
fn a_call_over_a_limit_is_told_which_and_when_the_next_is_possible() {
    assert_fails(
        "limited",
        "limited is limited to 10 calls a minute. Nothing ran. The next call is possible in 23 s.",
        r#"{"kind":"limit","retry":"later","fingerprint":"b041c042d6794d7a","retryAfterMs":22401}"#,
        0,
        &[],
    );
    assert_fails(
        "crowded",
        "crowded is limited to 4 calls at once. Nothing ran. Call it again when one of them has \
         ended.",
        r#"{"kind":"limit","retry":"later","fingerprint":"00b29cee0caafc07"}"#,
        0,
        &[],
    );
}

// ── Row 19: the arguments ──

#[test]
fn an_argument_to_change_is_named_in_words_and_by_path_and_keyword() {
    assert_fails(
        "mistaken",
        "mistaken did not run: 1 argument needs changing.\nseats: must be at most 3. Got 9.\n\
         Correct it and call again.",
        r#"{"kind":"arguments","retry":"with_changes","fingerprint":"694c40d6e2138848","violations":[{"path":"seats","keyword":"maximum"}]}"#,
        0,
        &[],
    );
}

#[test]
fn several_arguments_are_corrected_in_one_call() {
    assert_fails(
        "mistaken_twice",
        "mistaken_twice did not run: 2 arguments need changing.\nseats: must be at most 3. Got 9.\n\
         row: is missing. Add one of A, B.\nCorrect all of them in one call.",
        r#"{"kind":"arguments","retry":"with_changes","fingerprint":"112caa1f368896c9","violations":[{"path":"seats","keyword":"maximum"},{"path":"row","keyword":"required"}]}"#,
        0,
        &[],
    );
}

#[test]
fn a_complaint_that_is_whole_is_told_as_it_is_and_its_paths_are_cut() {
    let path = format!("{}…", "x".repeat(200));
    assert_fails(
        "mistaken_in_full",
        "mistaken_in_full did not run: 1 argument needs changing.\nrow: is missing.\nCorrect it \
         and call again.",
        &format!(
            r#"{{"kind":"arguments","retry":"with_changes","fingerprint":"1d94f373c6659134","violations":[{{"path":"{path}","keyword":"required"}}]}}"#
        ),
        0,
        &[],
    );
}

// ── Row 26, where nobody can be asked ──

#[test]
fn a_tool_that_would_ask_the_user_is_told_that_it_cannot() {
    assert_fails(
        "asks",
        "asks needs an answer from the user to \"Which row, \"A\" or B?\", and this server \
         cannot put questions to the user. Changing the arguments will not help. Use another way.",
        r#"{"kind":"unavailable","retry":"no","fingerprint":"2cca61523c499e5a"}"#,
        0,
        &[],
    );
}

// ── Row 20: the tool says it failed ──

/// B01: a failure inside a tool came out as an internal error of the server. It is a result.
#[test]
fn a_tool_that_says_it_failed_is_a_result_in_its_own_words() {
    assert_fails(
        "refuse",
        "The box office is closed. It opens at 10:00.",
        r#"{"kind":"tool","retry":"no","fingerprint":"a55348dcd7a36135"}"#,
        1,
        &[],
    );
}

#[test]
fn a_tool_may_say_that_the_same_call_will_work_later() {
    assert_fails(
        "refuse_later",
        "The printer is busy.",
        r#"{"kind":"tool","retry":"later","fingerprint":"4b8ebd192dcf8746"}"#,
        1,
        &[],
    );
}

#[test]
fn a_tool_that_fails_without_a_word_is_spoken_for() {
    assert_fails(
        "refuse_silently",
        "refuse_silently failed and did not say why. Changing the arguments may not help.",
        r#"{"kind":"tool","retry":"no","fingerprint":"bcf09cae987feb66"}"#,
        1,
        &[],
    );
}

#[test]
fn the_cause_is_for_the_log_and_the_words_for_the_model() {
    assert_fails(
        "refuse_because",
        "There is no ledger for today.",
        r#"{"kind":"tool","retry":"no","fingerprint":"ebb2472ea3b3f137","incident":"00000000"}"#,
        1,
        &["candor: error: incident 00000000: refuse_because: There is no ledger for today.: \
           /srv/ledger.db: no such file"],
    );
}

#[test]
fn a_refusal_of_one_call_is_no_refusal_of_the_next() {
    let stage = stage();
    for (seats, effects) in [(1, 1), (9, 1), (2, 2)] {
        ask(stage.server.session(), &call("1", "book", &format!("{{\"seats\":{seats}}}")));
        assert_eq!(stage.effects.get(), effects);
    }
}

// ── Row 21: the tool crashes ──

/// B01: so is that of a tool that panics.
/// B65: the words of a panic went out as they were. They are for the log.
#[test]
fn a_tool_that_panics_has_crashed_and_may_have_taken_effect() {
    for (tool, panic, fingerprint) in [
        ("panic_inline", "at /srv/secret.rs with key 7", "831c279f134dd824"),
        ("panic_blocking", "at /srv/secret.rs", "15eaebaf50a05157"),
        ("panic_async", "at /srv/secret.rs", "dfad80c2c17dac70"),
        ("panic_with_a_bomb", "something that is no text", "24a65212d8cb5f20"),
    ] {
        assert_fails(
            tool,
            &format!(
                "{tool} failed inside the server (incident 00000000). Changing the arguments will \
                 not help. It may have taken effect: check before calling it again."
            ),
            &format!(
                r#"{{"kind":"crash","retry":"unknown_effect","fingerprint":"{fingerprint}","incident":"00000000"}}"#
            ),
            1,
            &[&format!(
                "candor: error: incident 00000000: {tool}: the tool crashed: it panicked with: \
                 {panic}"
            )],
        );
    }
}

#[test]
fn a_tool_that_only_reads_took_no_effect_when_it_panicked() {
    assert_fails(
        "panic_reading",
        "panic_reading failed inside the server (incident 00000000). Changing the arguments will \
         not help. Use another way.",
        r#"{"kind":"crash","retry":"no","fingerprint":"2bbec758796febbb","incident":"00000000"}"#,
        0,
        &[
            "candor: error: incident 00000000: panic_reading: the tool crashed: it panicked with: at \
           /srv/secret.rs",
        ],
    );
}

#[test]
fn a_tool_that_panics_when_it_is_over_harms_only_itself() {
    let stage = stage();
    let said = [
        call("1", "panic_when_dropped", "{}"),
        call("2", "panic_with_a_bomb", "{}"),
        call("3", "echo", r#"{"text":"still here"}"#),
    ];
    let answers = candor_testkit::asks(stage.server.session(), &said);
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0], done("1", "fine until now"));
    assert_eq!(answers[2], done("3", "still here"));
    assert_eq!(stage.effects.get(), 2);
}

// ── Row 22: the tool exceeds its time ──

#[test]
fn a_tool_that_exceeds_its_time_is_stopped_and_may_have_taken_effect() {
    for (tool, fingerprint) in [("hang", "04636010b9d4a47e"), ("block", "e17890ede5cb2632")] {
        assert_fails_in_time(
            tool,
            &format!(
                "{tool} did not finish within 30 s and was stopped. It may have taken effect: \
                 check before calling it again."
            ),
            &format!(
                r#"{{"kind":"timeout","retry":"unknown_effect","fingerprint":"{fingerprint}"}}"#
            ),
            1,
        );
    }
}

#[test]
fn a_tool_that_only_reads_may_be_called_once_more_after_its_time() {
    assert_fails_in_time(
        "hang_reading",
        "hang_reading did not finish within 30 s and was stopped. It changes nothing, so one more \
         call is reasonable.",
        r#"{"kind":"timeout","retry":"later","fingerprint":"1351bdad4051e23b"}"#,
        0,
    );
}

#[test]
fn a_tool_may_have_a_time_of_its_own() {
    assert_fails_in_time(
        "hurry",
        "hurry did not finish within 250 ms and was stopped. It may have taken effect: check \
         before calling it again.",
        r#"{"kind":"timeout","retry":"unknown_effect","fingerprint":"61e801c5b87dc150"}"#,
        0,
    );
}

#[test]
fn a_tool_whose_time_is_over_is_dropped_and_its_place_is_free() {
    let mut policy = Policy::default();
    policy.in_flight = 1;
    let stage = Stage::new(policy);
    paused(async {
        let mut wire = connect(&stage);
        send(&mut wire, &call("1", "hang", "{}")).await;
        send(&mut wire, &call("2", "book", r#"{"seats":1}"#)).await;
        assert!(next(&mut wire).await.contains("hang did not finish within 30 s"));
        assert_eq!(next(&mut wire).await, done("2", "Booked 1 seats."));
        assert_eq!(stage.dropped.get(), 1);
    });
}

#[test]
fn one_hanging_tool_holds_up_no_other() {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        let before = tokio::time::Instant::now();
        for id in 1..=15 {
            send(&mut wire, &call(&id.to_string(), "hang", "{}")).await;
        }
        send(&mut wire, &call("16", "in_a_moment", "{}")).await;
        assert_eq!(next(&mut wire).await, done("16", "a moment later"));
        assert_eq!(before.elapsed(), std::time::Duration::ZERO);
    });
}

// ── Row 24, as far as it goes without reading schemas ──

#[test]
fn a_tool_that_promised_structure_and_gave_none_finished_with_a_broken_answer() {
    assert_fails(
        "promise_structure",
        "The sum is 3.\n\npromise_structure finished, but its answer is not what it promises \
         (incident 00000000). Changing the arguments will not help. It may have taken effect: \
         check before calling it again.",
        r#"{"kind":"output","retry":"unknown_effect","fingerprint":"4304a05dd174de48","incident":"00000000"}"#,
        1,
        &["candor: error: incident 00000000: promise_structure: the tool's answer is not what it \
           promises: it declares an outputSchema and gave no structured content"],
    );
    assert_fails(
        "promise_reading",
        "The sum is 3.\n\npromise_reading finished, but its answer is not what it promises \
         (incident 00000000). Changing the arguments will not help. Use another way.",
        r#"{"kind":"output","retry":"no","fingerprint":"04bc86a4b73d7f57","incident":"00000000"}"#,
        0,
        &["candor: error: incident 00000000: promise_reading: the tool's answer is not what it \
           promises: it declares an outputSchema and gave no structured content"],
    );
}

// ── The shape of a result ──

#[test]
fn a_tool_that_succeeds_is_a_result_with_everything_a_result_has() {
    let stage = stage();
    assert_eq!(
        ask(stage.server.session(), &call("1", "book", r#"{"seats":2}"#)),
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"Booked 2 seats."}],"isError":false,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"stage","version":"1.0.0"}}}}"#
    );
    assert_eq!(stage.effects.get(), 1);
}

#[test]
fn a_value_without_words_is_its_own_text() {
    assert_eq!(
        ask(stage().server.session(), &call("1", "add", r#"{"a":1,"b":2}"#)),
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"sum\":3}"}],"structuredContent":{"sum":3},"isError":false,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"stage","version":"1.0.0"}}}}"#
    );
    assert_eq!(
        ask(stage().server.session(), &call("1", "seats", "{}")),
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"[3,4,7]"}],"structuredContent":[3,4,7],"isError":false,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"stage","version":"1.0.0"}}}}"#
    );
}

/// B49: a server refused a failure of its own tool because no structure came with it. None is asked of
/// a failure.
#[test]
fn a_failure_of_a_tool_with_an_output_schema_carries_no_structure() {
    assert_eq!(
        ask(stage().server.session(), &call("1", "add", r#"{"a":9223372036854775807,"b":1}"#)),
        failed(
            "1",
            "a, b: the sum is too large. Send smaller ones.",
            r#"{"kind":"tool","retry":"no","fingerprint":"f31bd8d53ae83fa3"}"#
        )
    );
}

#[test]
fn a_text_has_no_terminal_sequences_and_no_control_characters() {
    assert_eq!(
        ask(stage().server.session(), &call("1", "colours", "{}")),
        done("1", "red\n and blue\ndone")
    );
}

#[test]
fn no_message_of_ours_holds_a_line_break() {
    let text = r#"{"text":"a\nb\r\nc\u2028d"}"#;
    assert_eq!(
        ask(stage().server.session(), &call("1", "echo", text)),
        done("1", "a\nb\nc\u{2028}d")
    );
}

#[test]
fn discovery_and_the_list_say_what_they_are_and_how_long_they_keep() {
    let stage = Stage::small(Policy::default());
    assert_eq!(
        ask(stage.server.session(), &modern("1", "server/discover", "")),
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":60000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"stage","version":"1.0.0"}},"instructions":"Ask before you book."}}"#
    );
    assert_eq!(
        ask(stage.server.session(), &modern("2", "tools/list", "")),
        r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"echo","description":"Says it again.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"annotations":{"readOnlyHint":true}},{"name":"add","title":"Add","description":"Adds two integers.","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]},"outputSchema":{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}},{"name":"seats","description":"Free seats.","icons":[{"src":"https://example.com/seat.png"}],"inputSchema":{"type":"object"},"outputSchema":{"type":"array"},"annotations":{"readOnlyHint":true},"_meta":{"example.com/row":7}},{"name":"book","description":"Books seats.","inputSchema":{"type":"object","properties":{"seats":{"type":"integer"}},"required":["seats"]}}],"ttlMs":60000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"stage","version":"1.0.0"}}}}"#
    );
}

#[test]
fn a_list_is_the_same_each_time_and_on_each_connection() {
    let stage = stage();
    let list = ask(stage.server.session(), &modern("1", "tools/list", ""));
    for _ in 0..3 {
        assert_eq!(ask(stage.server.session(), &modern("1", "tools/list", "")), list);
    }
    assert_eq!(ask(crate::said::stage().server.session(), &modern("1", "tools/list", "")), list);
}

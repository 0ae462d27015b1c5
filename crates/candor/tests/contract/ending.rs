//! The end of input, and being told to stop: whatever was asked is answered.

use std::task::Poll;
use std::time::Duration;

use candor::{Limits, Policy};
use candor_testkit::fault::{Pieces, valve};
use candor_testkit::message::{bare_call, call, initialize, modern};
use candor_testkit::{converse, fold_incidents, paused};
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::said::{connect, done, failed, next, rest, send, stage};
use crate::stage::Stage;

fn ended(id: &str, tool: &str, fingerprint: &str) -> String {
    failed(
        id,
        &format!(
            "{tool} was stopped because the server is ending. It may have taken effect: check \
             before calling it again."
        ),
        &format!(r#"{{"kind":"timeout","retry":"unknown_effect","fingerprint":"{fingerprint}"}}"#),
    )
}

// ── End of input ──

#[tokio::test]
async fn calls_in_flight_when_the_input_ends_are_still_answered() {
    let stage = stage();
    let mut wire = connect(&stage);
    send(&mut wire, &call("1", "echo", r#"{"text":"first"}"#)).await;
    send(&mut wire, &call("2", "slow", "{}")).await;
    wire.end_input().await.unwrap();
    assert_eq!(next(&mut wire).await, done("1", "first"));
    stage.gate.open();
    assert_eq!(next(&mut wire).await, done("2", "slow is done with {}"));
    assert_eq!(wire.receive().await.unwrap(), None);
}

#[test]
fn a_last_line_without_a_line_end_is_served() {
    let said = call("1", "echo", r#"{"text":"last"}"#);
    for sizes in [vec![], vec![1], vec![17]] {
        let reader = Pieces::new(said.as_bytes(), sizes);
        let heard = paused(converse(stage().server.session(), reader, Limits::default()));
        assert_eq!(heard, done("1", "last") + "\n");
    }
}

#[test]
fn half_a_message_at_the_end_is_a_parse_error() {
    let heard = paused(converse(stage().server.session(), &b"{\"id\":1,"[..], Limits::default()));
    assert_eq!(
        heard,
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"Parse error: a line is one \
         JSON text\"}}\n"
    );
}

#[test]
fn nothing_said_is_nothing_answered() {
    for said in ["", "\n", "\r\n\r\n"] {
        let heard = paused(converse(stage().server.session(), said.as_bytes(), Limits::default()));
        assert_eq!(heard, "");
    }
}

#[test]
fn a_call_that_outlives_the_grace_is_stopped_and_answered() {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &call("1", "hang", "{}")).await;
        send(&mut wire, &call("2", "last_words", "{}")).await;
        let before = Instant::now();
        wire.end_input().await.unwrap();
        assert_eq!(next(&mut wire).await, done("2", "I saw it coming."));
        assert_eq!(before.elapsed(), Duration::from_secs(5), "the grace");
        assert_eq!(next(&mut wire).await, ended("1", "hang", "04636010b9d4a47e"));
        assert!(before.elapsed() < Duration::from_millis(5500));
        assert_eq!(wire.receive().await.unwrap(), None);
        assert_eq!((stage.effects.get(), stage.dropped.get()), (1, 1));
    });
}

#[test]
fn a_call_that_only_reads_took_no_effect_when_the_server_ended() {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &call("1", "hang_reading", "{}")).await;
        assert_eq!(
            rest(&mut wire).await,
            [failed(
                "1",
                "hang_reading was stopped because the server is ending. It changes nothing, so one \
                 more call is reasonable.",
                r#"{"kind":"timeout","retry":"later","fingerprint":"1351bdad4051e23b"}"#
            )]
        );
    });
}

/// Says these lines to a stage where one call runs at a time, and ends the input.
fn ended_with_one_at_a_time(in_order: bool) -> (Stage, Vec<String>) {
    let mut policy = Policy::default();
    (policy.in_flight, policy.in_order) = (1, in_order);
    let stage = Stage::new(policy);
    let said = [
        call("1", "hang", "{}"),
        call("2", "book", r#"{"seats":1}"#),
        call("3", "coming_back", "{}"),
        call("4", "draft", "{}"),
    ];
    let answers = paused(async {
        let mut wire = connect(&stage);
        for line in &said {
            send(&mut wire, line).await;
        }
        rest(&mut wire).await
    });
    (stage, answers)
}

#[test]
fn a_call_that_still_waits_when_the_server_ends_is_a_tool_error_and_did_not_run() {
    let unavailable = |id: &str, tool: &str, fingerprint: &str| {
        failed(
            id,
            &format!(
                "{tool} is not available at the moment. Nothing ran. Call it again in a few \
                 seconds."
            ),
            &format!(r#"{{"kind":"unavailable","retry":"later","fingerprint":"{fingerprint}"}}"#),
        )
    };
    let unknown = candor_testkit::message::refusal(Some("4"), -32602, "Unknown tool: draft");
    for in_order in [false, true] {
        let (stage, mut answers) = ended_with_one_at_a_time(in_order);
        answers.sort();
        let mut expected = vec![
            ended("1", "hang", "04636010b9d4a47e"),
            unavailable("2", "book", "e5569434de79045a"),
            unavailable("3", "coming_back", "cecc1240f567f47c"),
            unknown.clone(),
        ];
        expected.sort();
        assert_eq!(answers, expected, "in order: {in_order}");
        assert_eq!(stage.effects.get(), 1, "only `hang` has run");
    }
}

#[test]
fn a_peer_that_hangs_up_drops_what_is_in_progress() {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &call("1", "hang", "{}")).await;
        send(&mut wire, &modern("2", "nonsense", "")).await;
        next(&mut wire).await;
        drop(wire);
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!((stage.effects.get(), stage.dropped.get()), (1, 1));
    });
}

// ── Told to stop ──

/// A connection that a test can tell to stop, and whose end it can wait for.
struct Stoppable {
    stop: mpsc::UnboundedSender<()>,
    served: tokio::task::JoinHandle<std::io::Result<()>>,
    ours: tokio::io::DuplexStream,
}

fn stoppable(stage: &Stage) -> Stoppable {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (stop, mut stopped) = mpsc::unbounded_channel();
    let session = stage.server.session();
    let served = tokio::spawn(async move {
        let (reader, writer) = tokio::io::split(theirs);
        let stop = move |context: &mut std::task::Context<'_>| match stopped.poll_recv(context) {
            Poll::Ready(Some(())) => Poll::Ready(()),
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        };
        candor_transport::serve(reader, writer, session, Limits::default(), stop).await
    });
    Stoppable { stop, served, ours }
}

impl Stoppable {
    async fn say(&mut self, lines: &[String]) {
        for line in lines {
            self.ours.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        }
        // Everything has been read once this is answered.
        self.ours.write_all(b"?\n").await.unwrap();
        self.line().await;
    }

    async fn line(&mut self) -> String {
        use tokio::io::AsyncReadExt;
        let mut line = Vec::new();
        loop {
            match self.ours.read_u8().await.unwrap() {
                b'\n' => return fold_incidents(&String::from_utf8(line).unwrap()),
                byte => line.push(byte),
            }
        }
    }
}

#[test]
fn told_to_stop_a_server_answers_for_what_is_unfinished_within_half_a_second() {
    paused(async {
        let stage = stage();
        let mut peer = stoppable(&stage);
        peer.say(&[call("1", "hang", "{}"), call("2", "last_words", "{}")]).await;
        let before = Instant::now();
        peer.stop.send(()).unwrap();
        assert_eq!(peer.line().await, done("2", "I saw it coming."));
        assert_eq!(peer.line().await, ended("1", "hang", "04636010b9d4a47e"));
        peer.served.await.unwrap().unwrap();
        assert!(before.elapsed() < Duration::from_millis(500), "{:?}", before.elapsed());
        assert_eq!((stage.effects.get(), stage.dropped.get()), (1, 1));
    });
}

#[test]
fn told_to_stop_a_server_reads_no_more() {
    paused(async {
        let stage = stage();
        let mut peer = stoppable(&stage);
        peer.say(&[call("1", "hang", "{}")]).await;
        peer.stop.send(()).unwrap();
        tokio::task::yield_now().await;
        peer.ours.write_all(format!("{}\n", call("2", "book", "{}")).as_bytes()).await.unwrap();
        assert_eq!(peer.line().await, ended("1", "hang", "04636010b9d4a47e"));
        peer.served.await.unwrap().unwrap();
        assert_eq!(stage.effects.get(), 1);
    });
}

#[test]
fn told_to_stop_during_the_grace_a_server_ends_the_grace() {
    paused(async {
        let stage = stage();
        let mut peer = stoppable(&stage);
        peer.say(&[call("1", "hang", "{}")]).await;
        let before = Instant::now();
        peer.ours.shutdown().await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        peer.stop.send(()).unwrap();
        assert_eq!(peer.line().await, ended("1", "hang", "04636010b9d4a47e"));
        peer.served.await.unwrap().unwrap();
        assert!(before.elapsed() < Duration::from_millis(1500), "{:?}", before.elapsed());
    });
}

#[test]
fn told_a_second_time_a_server_ends_at_once() {
    paused(async {
        let stage = stage();
        let mut peer = stoppable(&stage);
        peer.say(&[call("1", "hang", "{}")]).await;
        let before = Instant::now();
        peer.stop.send(()).unwrap();
        tokio::task::yield_now().await;
        peer.stop.send(()).unwrap();
        peer.served.await.unwrap().unwrap();
        assert_eq!(before.elapsed(), Duration::ZERO);
    });
}

#[test]
fn told_to_stop_a_server_does_not_wait_for_a_peer_that_reads_nothing() {
    paused(async {
        let stage = stage();
        let (valve, _hand) = valve(10);
        let mut is_first = true;
        let stop = move |_: &mut std::task::Context<'_>| {
            if std::mem::take(&mut is_first) { Poll::Ready(()) } else { Poll::Pending }
        };
        let said = format!("{}\n", call("1", "hang", "{}"));
        let before = Instant::now();
        let session = stage.server.session();
        let served =
            candor_transport::serve(said.as_bytes(), valve, session, Limits::default(), stop);
        served.await.unwrap();
        assert!(before.elapsed() < Duration::from_millis(500));
    });
}

#[test]
fn a_legacy_call_is_answered_for_at_the_end_as_a_modern_one_is() {
    paused(async {
        let stage = stage();
        let mut wire = connect(&stage);
        send(&mut wire, &initialize("1", "2025-06-18")).await;
        send(&mut wire, &bare_call("2", "hang", "{}")).await;
        next(&mut wire).await;
        assert_eq!(
            rest(&mut wire).await,
            [
                r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hang was stopped because the server is ending. It may have taken effect: check before calling it again."}],"isError":true,"_meta":{"dev.candor/failure":{"kind":"timeout","retry":"unknown_effect","fingerprint":"04636010b9d4a47e"}}}}"#
            ]
        );
    });
}

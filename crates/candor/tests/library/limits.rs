//! Row 18: how often a tool may be called, and how many of its calls go on at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use candor::tool::Workers;
use candor::{State, tool, toolbox};
use serde_json::{Value, json};

use crate::Host;

#[derive(Default)]
struct Effects {
    begun: AtomicUsize,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
}

/// Sends a letter.
#[tool(rate = "2/m")]
fn send(effects: &State<Arc<Effects>>, to: &str) -> String {
    effects.begun.fetch_add(1, Ordering::SeqCst);
    format!("Sent to {to}.")
}

/// Prints a page.
#[tool(concurrency = 2, timeout = "10s")]
async fn print(effects: State<Arc<Effects>>, seconds: u64) -> &'static str {
    effects.begun.fetch_add(1, Ordering::SeqCst);
    let at_once = effects.at_once.fetch_add(1, Ordering::SeqCst) + 1;
    effects.most_at_once.fetch_max(at_once, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    effects.at_once.fetch_sub(1, Ordering::SeqCst);
    "Printed."
}

fn host() -> (Host, Arc<Effects>) {
    let effects = Arc::new(Effects::default());
    let shared = Arc::clone(&effects);
    let host =
        Host::on(Workers::Here, |builder| builder.state(shared).tools(toolbox![send, print]));
    (host, effects)
}

fn failure(answer: &Value) -> &Value {
    &answer["_meta"]["dev.candor/failure"]
}

#[tokio::test(start_paused = true)]
async fn a_call_too_many_is_told_when_the_next_is_possible_and_does_not_run() {
    let (mut host, effects) = host();
    for _ in 0..2 {
        assert_eq!(host.words("send", json!({ "to": "Ada" })).await, "Sent to Ada.");
        tokio::time::advance(Duration::from_secs(20)).await;
    }
    let refused = host.call("send", json!({ "to": "Ada" })).await;
    assert_eq!(
        refused["content"][0]["text"],
        "send is limited to 2 calls a minute. Nothing ran. The next call is possible in 20 s."
    );
    assert_eq!(failure(&refused)["kind"], "limit");
    assert_eq!(failure(&refused)["retry"], "later");
    assert_eq!(failure(&refused)["retryAfterMs"], 20_000);
    assert_eq!(effects.begun.load(Ordering::SeqCst), 2);

    tokio::time::advance(Duration::from_secs(20)).await;
    assert_eq!(host.words("send", json!({ "to": "Ada" })).await, "Sent to Ada.");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_does_not_fit_counts_and_the_limit_is_told_before_the_mistake() {
    let (mut host, effects) = host();
    for _ in 0..2 {
        let mistaken = host.call("send", json!({ "to": 7 })).await;
        assert_eq!(failure(&mistaken)["kind"], "arguments");
    }
    let refused = host.call("send", json!({ "to": 7 })).await;
    assert_eq!(failure(&refused)["kind"], "limit");
    assert_eq!(effects.begun.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn calls_wait_for_their_turn_and_each_has_its_whole_time() {
    let (mut host, effects) = host();
    for _ in 0..6 {
        host.send("tools/call", &mut json!({ "name": "print", "arguments": { "seconds": 6 } }))
            .await;
    }
    let start = tokio::time::Instant::now();
    let mut ended = Vec::new();
    for _ in 0..6 {
        let answer = host.heard().await;
        let text = answer["result"]["content"][0]["text"].as_str().unwrap().to_owned();
        ended.push((start.elapsed().as_secs(), text));
    }
    let printed = |at| (at, "Printed.".to_owned());
    let refused = (
        10,
        "print is limited to 2 calls at once. Nothing ran. Call it again when one of them has \
         ended."
            .to_owned(),
    );
    // Two print at once, and who has waited for ten seconds has waited long enough.
    let expected = [printed(6), printed(6), refused.clone(), refused, printed(12), printed(12)];
    assert_eq!(ended, expected);
    assert_eq!(effects.most_at_once.load(Ordering::SeqCst), 2);
    assert_eq!(effects.begun.load(Ordering::SeqCst), 4);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_called_off_while_it_waits_never_runs_and_leaves_its_place() {
    let (mut host, effects) = host();
    for _ in 0..3 {
        host.send("tools/call", &mut json!({ "name": "print", "arguments": { "seconds": 6 } }))
            .await;
    }
    host.cancel(3).await;
    host.send("tools/call", &mut json!({ "name": "print", "arguments": { "seconds": 1 } })).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(host.heard().await["id"].as_u64().unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 4]);
    assert_eq!(effects.begun.load(Ordering::SeqCst), 3);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_times_out_after_waiting_says_how_long_it_ran() {
    let (mut host, _) = host();
    for seconds in [6, 6, 60] {
        let arguments = json!({ "seconds": seconds });
        host.send("tools/call", &mut json!({ "name": "print", "arguments": arguments })).await;
    }
    let start = tokio::time::Instant::now();
    for _ in 0..2 {
        host.heard().await;
    }
    let late = host.heard().await;
    assert_eq!(start.elapsed().as_secs(), 16);
    let text = late["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("print did not finish within 10 s and was stopped."), "{text}");
}

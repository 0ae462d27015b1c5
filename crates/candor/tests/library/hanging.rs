//! Tools that do not come back.
#![expect(clippy::unused_async, reason = "that they are asynchronous is what is tested")]

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use candor::tool::Workers;
use candor::{Cancellation, State, tool, toolbox};
use serde_json::json;

use crate::Host;

/// Spins.
#[tool(read_only, timeout = "100ms")]
fn spin() -> &'static str {
    #[expect(clippy::empty_loop, reason = "it is here to waste time")]
    loop {}
}

/// Blocks where it should wait.
#[tool(read_only, timeout = "100ms")]
async fn block() -> &'static str {
    std::thread::sleep(Duration::from_secs(20));
    "Too late."
}

/// Panics.
#[tool(read_only)]
async fn panic() -> &'static str {
    tokio::task::yield_now().await;
    panic!("at /srv/secret.rs")
}

#[derive(Default)]
struct Ends {
    begun: AtomicUsize,
    dropped: AtomicUsize,
    told: AtomicUsize,
}

struct OnDrop(State<Arc<Ends>>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

/// Waits for ever.
#[tool]
async fn wait(ends: State<Arc<Ends>>) -> &'static str {
    ends.begun.fetch_add(1, Ordering::SeqCst);
    let _guard = OnDrop(ends);
    pending().await
}

/// Waits until nobody waits for it.
#[tool]
fn wait_on_a_thread(ends: &State<Arc<Ends>>, cancellation: &Cancellation) -> &'static str {
    ends.begun.fetch_add(1, Ordering::SeqCst);
    while !cancellation.is_cancelled() {
        std::thread::sleep(Duration::from_millis(1));
    }
    ends.told.fetch_add(1, Ordering::SeqCst);
    "Nobody waits."
}

/// Sleeps.
#[tool]
async fn sleep(seconds: u64) -> String {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    format!("Slept {seconds} s.")
}

async fn until(what: impl Fn() -> bool) {
    for _ in 0..2000 {
        if what() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("it does not come");
}

#[tokio::test]
async fn what_hangs_is_answered_for_when_its_time_is_over() {
    let mut host = Host::of(|builder| builder.tools(toolbox![spin, block, sleep]));
    for tool in ["spin", "block", "block", "block", "block"] {
        assert_eq!(
            host.words(tool, json!({})).await,
            format!(
                "{tool} did not finish within 100 ms and was stopped. It changes nothing, so one more \
                 call is reasonable."
            )
        );
    }
}

#[tokio::test]
async fn a_worker_that_panics_is_a_tool_that_crashed() {
    let mut host = Host::of(|builder| builder.tools(toolbox![panic]));
    let result = host.call("panic", json!({})).await;
    assert_eq!(result["isError"], true);
    assert_eq!(result["_meta"]["dev.candor/failure"]["kind"], "crash");
    assert!(!result.to_string().contains("secret"));
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_what_goes_on_elsewhere_is_told() {
    let ends = Arc::new(Ends::default());
    let shared = Arc::clone(&ends);
    let mut host =
        Host::of(|builder| builder.state(shared).tools(toolbox![wait, wait_on_a_thread]));
    host.send("tools/call", &mut json!({ "name": "wait" })).await;
    host.send("tools/call", &mut json!({ "name": "wait_on_a_thread" })).await;
    until(|| ends.begun.load(Ordering::SeqCst) == 2).await;
    assert_eq!(ends.dropped.load(Ordering::SeqCst) + ends.told.load(Ordering::SeqCst), 0);

    host.cancel(1).await;
    host.cancel(2).await;
    until(|| ends.dropped.load(Ordering::SeqCst) == 1).await;
    until(|| ends.told.load(Ordering::SeqCst) == 1).await;
}

#[tokio::test(start_paused = true)]
async fn on_the_runtime_that_serves_the_clock_can_stand_still() {
    let mut host = Host::on(Workers::Here, |builder| builder.tools(toolbox![sleep]));
    let start = tokio::time::Instant::now();
    assert_eq!(host.words("sleep", json!({ "seconds": 20 })).await, "Slept 20 s.");
    assert_eq!(start.elapsed().as_secs(), 20);
}

//! What a clumsy author or a pushy caller must not be able to do to a session.
#![expect(clippy::unwrap_used, reason = "the lints know tests, but not what tests share")]

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use candor::tool::{self, Availability, Calling};
use candor::{Call, Definition, Journal, Limits, Policy, Reply, Server, Tool, ToolError};
use candor_transport::memory::{self, Wire};
use serde_json::value::RawValue;

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn serve(policy: Policy, tools: Vec<(&str, Box<dyn Tool>)>) -> Wire {
    let mut builder =
        Server::builder("guarded", "1.0.0").policy(policy).journal(Journal::new(|_| ()));
    for (name, tool) in tools {
        builder = builder.tool(Definition::new(name), Boxed(tool));
    }
    memory::connect(builder.build().unwrap().session(), Limits::default())
}

struct Boxed(Box<dyn Tool>);

impl Tool for Boxed {
    fn call(&self, call: Call<'_>) -> Calling {
        self.0.call(call)
    }

    fn time(&self) -> Option<Duration> {
        self.0.time()
    }

    fn availability(&self) -> Availability {
        self.0.availability()
    }
}

async fn send(wire: &mut Wire, id: usize, tool: &str) {
    let request = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}",{META}}}}}"#
    );
    wire.send(&request).await.unwrap();
}

async fn call(wire: &mut Wire, tool: &str) -> serde_json::Value {
    send(wire, 1, tool).await;
    serde_json::from_str(&wire.receive().await.unwrap().unwrap()).unwrap()
}

fn text(answer: &serde_json::Value) -> &str {
    answer.pointer("/result/content/0/text").and_then(serde_json::Value::as_str).unwrap()
}

fn code(answer: &serde_json::Value) -> Option<i64> {
    answer.pointer("/error/code").and_then(serde_json::Value::as_i64)
}

fn kind(answer: &serde_json::Value) -> &str {
    let kind = answer.pointer("/result/_meta/dev.candor~1failure/kind");
    kind.and_then(serde_json::Value::as_str).unwrap()
}

#[tokio::test]
async fn work_that_outlives_its_call_keeps_its_seat() {
    // A blocking tool cannot be stopped: cancelled calls must not add up.
    let (begun, gate) =
        (Arc::new(AtomicUsize::new(0)), Arc::new((Mutex::new(false), Condvar::new())));
    let blocking = {
        let (begun, gate) = (Arc::clone(&begun), Arc::clone(&gate));
        tool::blocking(move |_| {
            begun.fetch_add(1, Ordering::SeqCst);
            let (open, changed) = &*gate;
            drop(changed.wait_while(open.lock().unwrap(), |open| !*open).unwrap());
            "over"
        })
    };
    let mut policy = Policy::default();
    policy.in_flight = 4;
    let tools: Vec<(_, Box<dyn Tool>)> =
        vec![("block", Box::new(blocking)), ("quick", Box::new(tool::inline(|_| "quick")))];
    let mut wire = serve(policy, tools);
    for id in 100..150 {
        send(&mut wire, id, "block").await;
        let cancel = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        );
        wire.send(&cancel).await.unwrap();
    }
    // Whatever is called next waits, and nothing more has begun meanwhile.
    send(&mut wire, 1, "block").await;
    send(&mut wire, 2, "quick").await;
    let ping = r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#;
    wire.send(ping).await.unwrap();
    assert!(wire.receive().await.unwrap().unwrap().contains("\"id\":3"));
    // A thread may take a moment to begin; a fifth would have begun by then as well.
    for _ in 0..1000 {
        if begun.load(Ordering::SeqCst) >= 4 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(begun.load(Ordering::SeqCst), 4);

    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    let mut answers =
        [wire.receive().await.unwrap().unwrap(), wire.receive().await.unwrap().unwrap()];
    answers.sort();
    let [first, second] = &answers;
    assert!(first.contains("\"id\":1") && second.contains("\"id\":2"), "{answers:?}");
}

#[tokio::test(start_paused = true)]
async fn the_grace_begins_when_the_input_ends_however_many_wait() {
    let begun = Arc::new(AtomicUsize::new(0));
    let slow = {
        let begun = Arc::clone(&begun);
        tool::polled(move |_| {
            begun.fetch_add(1, Ordering::SeqCst);
            async {
                tokio::time::sleep(Duration::from_secs(4)).await;
                "slow"
            }
        })
    };
    let mut wire = serve(Policy::default(), vec![("slow", Box::new(slow))]);
    let start = tokio::time::Instant::now();
    for id in 0..120 {
        send(&mut wire, id, "slow").await;
    }
    wire.end_input().await.unwrap();
    let (mut done, mut stopped) = (0, 0);
    while let Some(answer) = wire.receive().await.unwrap() {
        if answer.contains("\"isError\":false") { done += 1 } else { stopped += 1 }
    }

    assert_eq!((done, stopped), (16, 104));
    assert_eq!(begun.load(Ordering::SeqCst), 32, "what waits when time is up does not begin");
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
}

#[tokio::test]
async fn structured_content_that_not_every_host_can_read_does_not_leave() {
    for json in [
        r#"{"a":"\ud800"}"#,
        r#"{"a":1,"a":2}"#,
        &format!("{}{}", "[".repeat(200), "]".repeat(200)),
    ] {
        let json = RawValue::from_string(json.to_owned()).unwrap();
        let tool = tool::inline(move |_| Reply::structured(json.clone()));
        let answer =
            call(&mut serve(Policy::default(), vec![("say", Box::new(tool))]), "say").await;

        assert_eq!(kind(&answer), "output");
        assert!(answer.pointer("/result/structuredContent").is_none());
    }
}

struct Clumsy;

impl Tool for Clumsy {
    fn call(&self, _: Call<'_>) -> Calling {
        Calling::Running(Box::pin(std::future::pending()))
    }

    #[expect(clippy::panic, reason = "this is what is tested")]
    fn time(&self) -> Option<Duration> {
        panic!("no time")
    }
}

struct Moody;

impl Tool for Moody {
    fn call(&self, _: Call<'_>) -> Calling {
        Calling::Running(Box::pin(std::future::pending()))
    }

    #[expect(clippy::panic, reason = "this is what is tested")]
    fn availability(&self) -> Availability {
        panic!("not today")
    }
}

#[derive(Debug)]
struct Unspeakable;

impl fmt::Display for Unspeakable {
    #[expect(clippy::panic, reason = "this is what is tested")]
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("no words")
    }
}

impl Error for Unspeakable {}

#[tokio::test]
async fn whatever_of_an_authors_code_panics_the_request_is_answered() {
    let unspeakable =
        tool::inline(|_| Err::<Reply, _>(ToolError::tell("No.").because(Unspeakable)));
    let mut wire = serve(
        Policy::default(),
        vec![
            ("clumsy", Box::new(Clumsy)),
            ("moody", Box::new(Moody)),
            ("unspeakable", Box::new(unspeakable)),
        ],
    );

    assert_eq!(kind(&call(&mut wire, "clumsy").await), "timeout");
    assert_eq!(code(&call(&mut wire, "moody").await), Some(-32603));
    assert_eq!(text(&call(&mut wire, "unspeakable").await), "No.");
}

#[tokio::test]
async fn a_time_too_long_to_be_told_is_none() {
    let tool = tool::polled(|_| async {
        tokio::task::yield_now().await;
        "done"
    });
    let tool = tool::within(Duration::MAX, tool);
    let mut wire = serve(Policy::default(), vec![("long", Box::new(tool))]);

    assert_eq!(text(&call(&mut wire, "long").await), "done");
}

#[tokio::test]
async fn a_policy_that_lets_nothing_wait_still_reads() {
    let mut policy = Policy::default();
    (policy.waiting, policy.in_flight) = (0, 0);
    let mut wire = serve(policy, vec![("say", Box::new(tool::inline(|_| "hi")))]);

    assert_eq!(text(&call(&mut wire, "say").await), "hi");
}

#[tokio::test]
async fn what_a_model_sent_is_not_said_back_at_length() {
    #[derive(serde::Deserialize)]
    struct Arguments {
        _age: u8,
    }
    let tool = tool::inline(|call| call.read::<Arguments>().map(|_| "read"));
    let mut wire = serve(Policy::default(), vec![("age", Box::new(tool))]);
    let request = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"age","arguments":{{"_age":"{}"}},{META}}}}}"#,
        "x".repeat(1_000_000)
    );
    wire.send(&request).await.unwrap();
    let answer: serde_json::Value =
        serde_json::from_str(&wire.receive().await.unwrap().unwrap()).unwrap();

    assert_eq!(
        text(&answer),
        "age did not run: 1 argument needs changing.\n_age: invalid type: string \
         \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\", expected u8.\nCorrect it and call again."
    );
}

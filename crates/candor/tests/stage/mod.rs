//! A server with a tool for every way in which a tool can go, and what a test needs to look behind
//! it: who ran, who was dropped, what the log was told.

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use candor::tool::{self, Availability, Calling};
use candor::{
    Builder, Call, Complaint, Content, Definition, Journal, Link, Policy, Reply, Server, Tool,
    ToolError, ToolOutcome, Violation, Why,
};
use candor_testkit::fault::Gate;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};

/// The server, and the view from behind.
pub(crate) struct Stage {
    pub(crate) server: Server,
    /// How often a tool that changes something was entered.
    pub(crate) effects: Counter,
    /// How often a call that never ends was dropped.
    pub(crate) dropped: Counter,
    /// What `slow` waits for.
    pub(crate) gate: Gate,
    pub(crate) log: Log,
}

#[derive(Clone, Default)]
pub(crate) struct Counter(Arc<AtomicUsize>);

impl Counter {
    pub(crate) fn count(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn journal(&self) -> Journal {
        let log = self.clone();
        Journal::new(move |entry| log.0.lock().unwrap().push(entry.to_string()))
    }

    /// Everything that the log was told, incident references folded.
    pub(crate) fn lines(&self) -> Vec<String> {
        let lines = self.0.lock().unwrap();
        lines.iter().map(|line| candor_testkit::fold_incidents(line)).collect()
    }
}

impl Stage {
    /// The whole stage.
    pub(crate) fn new(policy: Policy) -> Self {
        Self::build(policy, |builder, stage| {
            let builder = reporting(showing(box_office(builder, stage)), stage);
            let builder = going_on(builder, stage);
            out_of_order(faults(builder, stage), stage)
        })
    }

    /// The four tools that transcripts are about; servers of other makes can have them too.
    pub(crate) fn small(policy: Policy) -> Self {
        Self::build(policy, box_office)
    }

    fn build(policy: Policy, fill: impl FnOnce(Builder, &Behind) -> Builder) -> Self {
        let behind = Behind::default();
        let builder = Server::builder("stage", "1.0.0")
            .instructions("Ask before you book.")
            .policy(policy)
            .journal(behind.log.journal());
        let server = fill(builder, &behind).build().unwrap();
        let Behind { effects, dropped, gate, log } = behind;
        Self { server, effects, dropped, gate, log }
    }
}

#[derive(Clone, Default)]
struct Behind {
    effects: Counter,
    dropped: Counter,
    gate: Gate,
    log: Log,
}

#[derive(Deserialize)]
struct Echo {
    text: String,
}

#[derive(Deserialize)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Deserialize)]
struct Book {
    seats: u8,
}

fn json(value: impl serde::Serialize) -> Box<RawValue> {
    to_raw_value(&value).unwrap()
}

fn definition(json: &str) -> Definition {
    Definition::from_json(json).unwrap()
}

/// Tools that do what they say.
fn box_office(builder: Builder, behind: &Behind) -> Builder {
    let effects = behind.effects.clone();
    builder
        .tool(
            definition(
                r#"{"name":"echo","description":"Says it again.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"annotations":{"readOnlyHint":true}}"#,
            ),
            tool::inline(|call| call.read().map(|Echo { text }| text)),
        )
        .tool(
            definition(
                r#"{"name":"add","title":"Add","description":"Adds two integers.","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]},"outputSchema":{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}}"#,
            ),
            tool::inline(|call| {
                let Add { a, b } = call.read()?;
                match a.checked_add(b) {
                    Some(sum) => Ok(Reply::structured(json(serde_json::json!({ "sum": sum })))),
                    None => Err(ToolError::tell("a, b: the sum is too large. Send smaller ones.")),
                }
            }),
        )
        .tool(
            definition(
                r#"{"name":"seats","description":"Free seats.","icons":[{"src":"https://example.com/seat.png"}],"inputSchema":{"type":"object"},"outputSchema":{"type":"array"},"annotations":{"readOnlyHint":true},"_meta":{"example.com/row":7}}"#,
            ),
            tool::inline(|_| Reply::structured(json([3, 4, 7]))),
        )
        .tool(
            definition(
                r#"{"name":"book","description":"Books seats.","inputSchema":{"type":"object","properties":{"seats":{"type":"integer"}},"required":["seats"]}}"#,
            ),
            tool::inline(move |call| {
                let Book { seats } = call.read()?;
                if seats > 3 {
                    return Err(ToolError::tell("seats: only 3 are left. Send 3 or fewer."));
                }
                effects.count();
                Ok(format!("Booked {seats} seats."))
            }),
        )
}

/// Tools that show more than words.
fn showing(builder: Builder) -> Builder {
    let plan = || Content::image(b"\x89PNG".as_slice(), "image/png");
    let said = || "half".to_owned();
    let fail = move |name: &str, why: fn(String) -> Why| {
        let tool = tool::inline(move |_| -> Result<&str, _> {
            Err(ToolError::seen(why(said())).showing(plan()))
        });
        (Definition::new(name), tool)
    };
    let (crash, crashes) = fail("show_and_crash", |said| Why::Crashed { said });
    let (late, lates) =
        fail("show_and_be_late", |said| Why::TimedOut { after: Duration::from_secs(2), said });
    let (refuse, refuses) = fail("show_and_refuse", |text| Why::Told { text, later: false });
    let (never, nevers) = fail("show_and_never_run", |_| Why::Unavailable);
    builder
        .tool(Definition::new("picture"), tool::inline(move |_| plan()))
        .tool(
            Definition::new("gallery"),
            tool::inline(move |_| {
                Reply::text("Seats 3 and 4 are free.")
                    .and(plan())
                    .and(Content::audio(b"RIFF".as_slice(), "audio/wav"))
                    .and(Content::resource_text("seats:///3", "text/plain", "row A"))
                    .and(Content::resource_blob("seats:///3.bin", "", vec![3]))
                    .and(Link::new("seats:///4", "seat 4").mime_type("text/plain").size(5))
                    .and(Content::text("Book soon."))
            }),
        )
        .tool(
            Definition::new("seats_in_words"),
            tool::inline(|_| {
                Reply::structured(json(serde_json::json!({ "free": [3, 4] })))
                    .in_words("Seats 3 and 4 are free.")
            }),
        )
        .tool(
            Definition::new("seats_with_a_plan"),
            tool::inline(move |_| {
                Reply::structured(json(serde_json::json!({ "free": [3, 4] }))).and(plan())
            }),
        )
        .tool(
            Definition::new("empty_words"),
            tool::inline(move |_| Reply::text("").and(Content::text("\u{0}")).and(plan())),
        )
        .tool(Definition::new("nothing"), tool::inline(|_| Content::text("")))
        .tool(
            Definition::new("colourful"),
            tool::inline(|_| {
                Reply::text("\u{1b}[1mbold\u{1b}[0m")
                    .and(Content::text("\u{1b}[31mred"))
                    .and(Content::resource_text("a:\u{7}b", "text/\nplain", "c\u{0}d"))
                    .and(Link::new("a:b", "n\u{0}").title("t\u{0}").description("d\u{0}"))
            }),
        )
        .tool(
            Definition::new("promise_and_show")
                .output_schema(&serde_json::json!({ "type": "object" })),
            tool::inline(move |_| Reply::text("The sum is 3.").and(plan())),
        )
        .tool(refuse, refuses)
        .tool(crash, crashes)
        .tool(late, lates)
        .tool(never, nevers)
}

#[derive(Deserialize)]
struct Count {
    to: u32,
    /// Milliseconds between two reports; without it, the time to send one.
    every: Option<u64>,
    message: Option<String>,
}

/// Tools that tell how far they have got.
fn reporting(builder: Builder, behind: &Behind) -> Builder {
    let Behind { effects, dropped, gate, .. } = behind.clone();
    let (gate_of_another, left) = (gate.clone(), dropped.clone());
    let passed = |gate: &Gate| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(gate.passed());
    };
    let step = |every| async move {
        match every {
            Some(every) => tokio::time::sleep(Duration::from_millis(every)).await,
            None => tokio::task::yield_now().await,
        }
    };
    let count = tool::polled(move |call| async move {
        let Count { to, every, message } = call.read()?;
        for number in 1..=to {
            call.progress().report(number.into(), Some(to.into()), message.as_deref());
            step(every).await;
        }
        Ok(format!("Counted to {to}."))
    });
    builder
        .tool(Definition::new("count"), tool::within(Duration::from_hours(1), count))
        .tool(
            Definition::new("count_inline"),
            tool::inline(|call| {
                for number in 1..=3 {
                    call.progress().report(number.into(), None, None);
                }
                "Counted."
            }),
        )
        .tool(
            Definition::new("count_blocking"),
            tool::blocking(move |call| {
                call.progress().report(1.0, Some(2.0), None);
                passed(&gate);
                call.progress().report(2.0, Some(2.0), None);
                "Counted."
            }),
        )
        .tool(
            Definition::new("report_and_stay"),
            tool::blocking(move |call| {
                passed(&gate_of_another);
                call.progress().report(1.0, None, None);
                while call.progress().is_wanted() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                left.count();
                "Nobody wants to know."
            }),
        )
        .tool(
            Definition::new("stumble"),
            tool::polled(|call| async move {
                let progress = call.progress();
                for (done, total) in [
                    (-2.5, None),
                    (-2.5, None),
                    (-3.0, None),
                    (f64::NAN, None),
                    (f64::INFINITY, None),
                    (f64::NEG_INFINITY, None),
                    (1.5, Some(f64::NAN)),
                    (0.0, Some(9.0)),
                    (2.0, Some(f64::INFINITY)),
                ] {
                    progress.report(done, total, None);
                    tokio::task::yield_now().await;
                }
                "There."
            }),
        )
        .tool(
            Definition::new("walk_on"),
            tool::polled(move |call| {
                let (progress, begun, ended) = (call.progress(), effects.clone(), dropped.clone());
                tokio::spawn(async move {
                    begun.count();
                    let mut steps = 0;
                    while progress.is_wanted() {
                        steps += 1;
                        progress.report(steps.into(), None, None);
                        tokio::time::sleep(Duration::from_millis(10)).await;
                    }
                    progress.report(1e9, None, None);
                    ended.count();
                });
                async {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    "It walks on."
                }
            }),
        )
        .tool(
            Definition::new("is_wanted"),
            tool::inline(|call| call.progress().is_wanted().to_string()),
        )
}

/// Tools that take their time.
fn going_on(builder: Builder, behind: &Behind) -> Builder {
    let Behind { effects, dropped, gate, .. } = behind.clone();
    let hang = move |effects: Counter| {
        let dropped = dropped.clone();
        tool::polled(move |_| {
            effects.count();
            let dropped = dropped.clone();
            async move {
                let _guard = OnDrop(dropped);
                pending::<&str>().await
            }
        })
    };
    let slow_effects = effects.clone();
    let blocking_effects = effects.clone();
    let ready_effects = effects.clone();
    builder
        .tool(Definition::new("hang"), hang(effects.clone()))
        .tool(Definition::new("hang_reading").read_only(), hang(Counter::default()))
        .tool(
            Definition::new("slow"),
            tool::polled(move |call| {
                slow_effects.count();
                let gate = gate.clone();
                async move {
                    gate.passed().await;
                    format!("slow is done with {}", call.json())
                }
            }),
        )
        .tool(
            Definition::new("in_a_moment"),
            tool::polled(move |_| {
                ready_effects.count();
                async {
                    tokio::task::yield_now().await;
                    "a moment later"
                }
            }),
        )
        .tool(
            Definition::new("block"),
            tool::blocking(move |_| -> &str {
                blocking_effects.count();
                loop {
                    std::thread::park();
                }
            }),
        )
        .tool(
            Definition::new("spin"),
            tool::blocking(|_| -> &str {
                #[expect(clippy::empty_loop, reason = "it is here to waste time")]
                loop {}
            }),
        )
        .tool(
            Definition::new("last_words"),
            tool::polled(|call| async move {
                call.ending().clone().reached().await;
                "I saw it coming."
            }),
        )
}

struct OnDrop(Counter);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.count();
    }
}

/// Tools that fail, in every way in which a function can.
fn faults(builder: Builder, behind: &Behind) -> Builder {
    let counted = || behind.effects.clone();
    let (refuse, later, silent, because) = (counted(), counted(), counted(), counted());
    let (inline, blocking, asynchronous) = (counted(), counted(), counted());
    let (bomb, dropped) = (counted(), counted());
    builder
        .tool(
            Definition::new("refuse"),
            tool::inline(move |_| -> Result<&str, _> {
                refuse.count();
                Err(ToolError::tell("The box office is closed. It opens at 10:00."))
            }),
        )
        .tool(
            Definition::new("refuse_later"),
            tool::inline(move |_| -> Result<&str, _> {
                later.count();
                Err(ToolError::tell("The printer is busy.").later())
            }),
        )
        .tool(
            Definition::new("refuse_silently"),
            tool::inline(move |_| -> Result<&str, _> {
                silent.count();
                Err(ToolError::tell(" \n"))
            }),
        )
        .tool(
            Definition::new("refuse_because"),
            tool::blocking(move |_| -> Result<&str, _> {
                because.count();
                let cause = std::io::Error::other("/srv/ledger.db: no such file");
                Err(ToolError::tell("There is no ledger for today.").because(cause))
            }),
        )
        .tool(
            Definition::new("panic_inline"),
            tool::inline(move |_| -> &str {
                inline.count();
                panic!("at /srv/secret.rs with key {}", 7)
            }),
        )
        .tool(
            Definition::new("panic_blocking"),
            tool::blocking(move |_| -> &str {
                blocking.count();
                panic!("at /srv/secret.rs")
            }),
        )
        .tool(
            Definition::new("panic_async"),
            tool::polled(move |_| {
                asynchronous.count();
                async {
                    tokio::task::yield_now().await;
                    panic!("at /srv/secret.rs");
                    #[expect(unreachable_code, reason = "it says what the tool would return")]
                    ""
                }
            }),
        )
        .tool(
            Definition::new("panic_reading").read_only(),
            tool::inline(|_| -> &str { panic!("at /srv/secret.rs") }),
        )
        .tool(Definition::new("panic_when_dropped"), PanicsWhenDropped(dropped))
        .tool(
            Definition::new("panic_with_a_bomb"),
            tool::inline(move |_| -> &str {
                bomb.count();
                std::panic::panic_any(PanicsOnDrop)
            }),
        )
}

/// Finishes well, and then harms whoever lets go of it.
struct PanicsWhenDropped(Counter);

impl Tool for PanicsWhenDropped {
    fn call(&self, _: Call<'_>) -> Calling {
        struct Finished(PanicsOnDrop);
        impl Future for Finished {
            type Output = ToolOutcome;
            fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<ToolOutcome> {
                let PanicsOnDrop = self.0;
                Poll::Ready(ToolOutcome::Done("fine until now".into()))
            }
        }
        self.0.count();
        Calling::Running(Box::pin(Finished(PanicsOnDrop)))
    }
}

struct PanicsOnDrop;

impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "while being dropped");
    }
}

/// Tools that cannot be called now, and some whose words or promises are not in order.
fn out_of_order(builder: Builder, behind: &Behind) -> Builder {
    let promise = behind.effects.clone();
    let seen = |name: &str, why: fn() -> Why| {
        let tool = tool::inline(move |_| -> Result<&str, _> { Err(ToolError::seen(why())) });
        (Definition::new(name), tool)
    };
    let (minute, by_the_minute) = seen("limited", || Why::OverLimit {
        limit: "10 calls a minute".to_owned(),
        after: Some(Duration::from_micros(22_400_100)),
    });
    let (at_once, by_number) =
        seen("crowded", || Why::OverLimit { limit: "4 calls at once".to_owned(), after: None });
    let (asks, asking) =
        seen("asks", || Why::CannotAsk { question: "Which row, \"A\" or \u{1b}[1mB?".to_owned() });
    let (one, of_one) = seen("mistaken", || {
        let complaint = Complaint::from("seats: must be at most 3. Got 9.");
        Why::Arguments(complaint.with(vec![Violation::new("seats", "maximum")]))
    });
    let (two, of_two) = seen("mistaken_twice", || {
        let lines = "seats: must be at most 3. Got 9.\nrow: is missing. Add one of A, B.";
        let violations =
            vec![Violation::new("seats", "maximum"), Violation::new("row", "required")];
        Why::Arguments(Complaint::of(2, lines).with(violations))
    });
    let (whole, of_all) = seen("mistaken_in_full", || {
        let text = "mistaken_in_full did not run: 1 argument needs changing.\nrow: is missing.\n\
                    Correct it and call again.";
        let long = "x".repeat(1000);
        Why::Arguments(Complaint::whole(text).with(vec![Violation::new(&long, "required")]))
    });
    let builder = builder
        .tool(minute, by_the_minute)
        .tool(at_once, by_number)
        .tool(asks, asking)
        .tool(one, of_one)
        .tool(two, of_two)
        .tool(whole, of_all);
    let out_of = |availability| OutOf { availability, effects: behind.effects.clone() };
    let object = serde_json::json!({ "type": "object" });
    builder
        .tool(
            Definition::new("promise_structure").output_schema(&object),
            tool::inline(move |_| {
                promise.count();
                "The sum is 3."
            }),
        )
        .tool(
            Definition::new("promise_reading").output_schema(&object).read_only(),
            tool::inline(|_| "The sum is 3."),
        )
        .tool(
            Definition::new("colours"),
            tool::inline(|_| "\u{1b}[1;31mred\u{1b}[0m\r and \u{0}blue\n\u{1b}]0;title\u{7}done"),
        )
        .tool(
            Definition::new("broken"),
            out_of(Availability::Broken("no bash at /opt/bin/bash".to_owned())),
        )
        .tool(Definition::new("coming_back"), out_of(Availability::ComingBack))
        .tool(
            Definition::new("hurry"),
            tool::within(Duration::from_millis(250), tool::polled(|_| pending::<&str>())),
        )
}

struct OutOf {
    availability: Availability,
    effects: Counter,
}

impl Tool for OutOf {
    fn call(&self, _: Call<'_>) -> Calling {
        self.effects.count();
        Calling::Done(ToolOutcome::Done("It ran after all.".into()))
    }

    fn availability(&self) -> Availability {
        self.availability.clone()
    }
}

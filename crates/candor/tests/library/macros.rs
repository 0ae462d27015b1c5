//! `#[tool]`, `#[tools]` and `toolbox![]`.
#![expect(clippy::unused_async, reason = "that they are asynchronous is what is tested")]

use std::sync::atomic::{AtomicU64, Ordering};

use candor::schemars::JsonSchema;
use candor::tool::FromCall;
use candor::{Call, Client, Json, Progress, State, ToolError, Trace, tool, toolbox, tools};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Host;

/// Adds two integers.
///
/// The sum of what is too large is refused.
#[tool(read_only, idempotent, open_world = false)]
async fn add(
    /// The first.
    a: i32,
    /// The second.
    b: i32,
) -> Result<i32, ToolError> {
    a.checked_add(b).ok_or_else(|| ToolError::tell("a, b: the sum is too large."))
}

#[derive(Serialize, JsonSchema)]
#[schemars(crate = "candor::schemars")]
struct Ticket {
    /// Its number.
    number: u64,
    seats: u8,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(crate = "candor::schemars")]
enum Cabin {
    Economy,
    Business,
}

/// Books seats.
#[tool(name = "book-seats", title = "Book", destructive = false, timeout = "5s")]
fn book(
    #[schemars(range(min = 1, max = 9))] seats: u8,
    #[argument(default = Cabin::Economy)] cabin: &Cabin,
    row: Option<&str>,
    #[serde(default)]
    #[schemars(length(max = 2))]
    guests: &[String],
) -> Json<Ticket> {
    let base = match cabin {
        Cabin::Economy => 100,
        Cabin::Business => 200,
    };
    Json(Ticket { number: base + row.map_or(0, str::len) as u64 + guests.len() as u64, seats })
}

/// Says what it is given.
#[tool(inline)]
fn echo(r#type: &str, words: &[String]) -> String {
    format!("{type}: {}", words.join(" "), type = r#type)
}

struct Locale(String);

impl FromCall for Locale {
    fn from_call(call: Call<'_>) -> Result<Self, ToolError> {
        Ok(Self(call.client().name().unwrap_or("nobody").to_owned()))
    }
}

#[derive(Default)]
struct Counter(AtomicU64);

/// Says what a call happens in.
#[tool(inline)]
async fn context(
    step: u64,
    #[context] locale: Locale,
    client: Client,
    trace: Trace,
    progress: Progress,
    counter: State<Counter>,
) -> String {
    progress.report(1.0, None, None);
    let count = counter.0.fetch_add(step, Ordering::SeqCst) + step;
    let version = client.version().unwrap_or_default();
    let parent = trace.traceparent.unwrap_or_default();
    format!("{} {version} {count} {}", locale.0, &parent[..5])
}

struct Shop {
    stock: AtomicU64,
}

#[tools]
impl Shop {
    const MOST: u64 = 3;

    /// Buys some.
    #[tool]
    async fn buy(&self, count: u64) -> Result<String, ToolError> {
        if count > Self::MOST {
            return Err(ToolError::tell("count: must be 3 or less."));
        }
        let left = self.stock.fetch_sub(count, Ordering::SeqCst) - count;
        Ok(format!("{left} are left."))
    }

    /// Says how many are left.
    #[tool(read_only)]
    fn left(&self) -> u64 {
        self.stock.load(Ordering::SeqCst)
    }

    /// Says how many can be bought at once.
    #[candor::tool(read_only, inline)]
    fn most() -> u64 {
        Self::MOST
    }
}

mod elsewhere {
    /// Says where it is.
    #[candor::tool]
    pub(crate) fn here() -> &'static str {
        "elsewhere"
    }
}

fn host() -> Host {
    Host::of(|builder| {
        builder
            .tools(toolbox![add, book, echo, context, elsewhere::here])
            .tools(Shop { stock: AtomicU64::new(10) })
            .state(Counter::default())
    })
}

#[tokio::test]
async fn a_function_is_published_as_it_is_written() {
    let listed = host().listed().await;
    let integer = |description: &str| {
        json!({
            "description": description, "type": "integer",
            "minimum": i32::MIN, "maximum": i32::MAX
        })
    };
    assert_eq!(
        listed[0],
        json!({
            "name": "add",
            "description": "Adds two integers.\n\nThe sum of what is too large is refused.",
            "inputSchema": {
                "type": "object",
                "properties": { "a": integer("The first."), "b": integer("The second.") },
                "required": ["a", "b"],
                "additionalProperties": false
            },
            "annotations": { "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false }
        })
    );
    assert_eq!(
        listed[1],
        json!({
            "name": "book-seats",
            "title": "Book",
            "description": "Books seats.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "seats": { "type": "integer", "minimum": 1, "maximum": 9 },
                    "cabin": {
                        "type": "string", "enum": ["economy", "business"], "default": "economy"
                    },
                    "row": { "type": ["string", "null"] },
                    "guests": {
                        "type": "array", "items": { "type": "string" }, "maxItems": 2, "default": []
                    }
                },
                "required": ["seats"],
                "additionalProperties": false
            },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "number": { "description": "Its number.", "type": "integer", "minimum": 0 },
                    "seats": { "type": "integer", "minimum": 0, "maximum": 255 }
                },
                "required": ["number", "seats"]
            },
            "annotations": { "destructiveHint": false }
        })
    );
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["add", "book-seats", "echo", "context", "here", "buy", "left", "most"]);
}

#[tokio::test]
async fn a_function_is_called_with_what_was_sent() {
    let mut host = host();
    assert_eq!(host.words("add", json!({ "a": 2, "b": -5 })).await, "-3");
    assert_eq!(host.words("add", json!({ "a": 2.0, "b": 1e2 })).await, "102");
    let ticket = host.call("book-seats", json!({ "seats": 2, "row": "AB", "guests": ["x"] })).await;
    assert_eq!(ticket["structuredContent"], json!({ "number": 103, "seats": 2 }));
    let ticket = host.call("book-seats", json!({ "seats": 2, "cabin": "business" })).await;
    assert_eq!(ticket["structuredContent"], json!({ "number": 200, "seats": 2 }));
    let words = json!({ "type": "poem", "words": ["a", "rose"] });
    assert_eq!(host.words("echo", words).await, "poem: a rose");
    assert_eq!(host.words("here", json!({})).await, "elsewhere");
}

#[tokio::test]
async fn what_does_not_fit_is_told_and_nothing_runs() {
    let mut host = host();
    assert_eq!(
        host.words("book-seats", json!({ "seats": 12, "Row": "A" })).await,
        "book-seats did not run: 2 arguments need changing.\n\
         seats: must be at most 9. Got 12.\n\
         Row: is not a parameter of book-seats. Did you mean row? It takes cabin, guests, row, \
         seats.\n\
         Correct all of them in one call."
    );
    assert_eq!(
        host.words("add", json!({ "a": i32::MAX, "b": 1 })).await,
        "a, b: the sum is too large."
    );
}

#[tokio::test]
async fn what_a_call_happens_in_is_given_to_who_asks() {
    let mut host = host();
    assert_eq!(host.words("context", json!({ "step": 2 })).await, "desk 7 2 00-0a");
    assert_eq!(host.words("context", json!({ "step": 3 })).await, "desk 7 5 00-0a");
}

#[tokio::test]
async fn methods_share_what_they_are_methods_of() {
    let mut host = host();
    assert_eq!(host.words("buy", json!({ "count": 3 })).await, "7 are left.");
    assert_eq!(host.words("left", json!({})).await, "7");
    assert_eq!(host.words("buy", json!({ "count": 4 })).await, "count: must be 3 or less.");
    assert_eq!(host.words("most", json!({})).await, "3");
}

#[tokio::test]
async fn a_function_stays_one_that_a_test_can_call() {
    assert_eq!(add(1, 2).await.unwrap(), 3);
    assert_eq!(echo("a", &[]), "a: ");
}

#[test]
fn a_server_that_lacks_what_a_tool_shares_is_not_built() {
    let built = candor::Server::builder("lacking", "1.0.0").tools(toolbox![context]).build();
    let counter = std::any::type_name::<Counter>();
    assert_eq!(
        built.unwrap_err().to_string(),
        format!(
            "tool \"context\" takes `State<{counter}>`, and the server was given none: add \
             `.state(..)` to its builder"
        )
    );
    let built = candor::Server::builder("twice", "1.0.0").state(1_u8).state(2_u8).build();
    assert_eq!(
        built.unwrap_err().to_string(),
        "the server was given two values of the type `u8`: give one, or wrap each in a type of its \
         own"
    );
}

//! The server that is given arbitrary bytes: one tool for each way to end.

use candor::{Definition, Journal, Server, ToolError, tool};
use serde::Deserialize;

#[derive(Deserialize)]
struct Add {
    a: i64,
    b: i64,
}

/// No tool of it blocks a thread.
pub(crate) fn server() -> Server {
    Server::builder("fuzzed", "1.0.0")
        .tool(
            Definition::new("add").description("Adds."),
            tool::inline(|call| {
                let Add { a, b } = call.read()?;
                a.checked_add(b)
                    .map(|sum| sum.to_string())
                    .ok_or_else(|| ToolError::tell("a, b: their sum must fit in 64 bits."))
            }),
        )
        .tool(
            Definition::new("echo").description("Says its arguments.").read_only(),
            tool::asynchronous(|call| async move {
                call.progress().report(1.0, Some(1.0), Some(call.json()));
                tokio::task::yield_now().await;
                call.json().to_owned()
            }),
        )
        .tool(
            Definition::new("fail").description("Fails."),
            tool::inline(|_| Err::<String, _>(ToolError::tell("No.").because("of nothing"))),
        )
        .tool(
            Definition::new("panic").description("Panics."),
            // Not `panic!`: the fuzzer's hook takes every panic for a finding, caught or not.
            tool::asynchronous(|call| async move {
                tokio::task::yield_now().await;
                if !call.json().is_empty() {
                    std::panic::resume_unwind(Box::new("as it should"));
                }
                ""
            }),
        )
        .tool(
            Definition::new("wait").description("Never ends."),
            tool::asynchronous(|_| std::future::pending::<String>()),
        )
        .journal(Journal::new(|_| ()))
        .build()
        .unwrap_or_else(|problem| unreachable(&problem))
}

#[expect(clippy::panic, reason = "the definitions above are what they are")]
fn unreachable(problem: &candor::BuildError) -> ! {
    panic!("{problem}")
}

//! The library's own server: ten tools, one of which adds.

use std::io;

use candor::{Definition, Server, serve_stdio, tool};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Add {
    a: i64,
    b: i64,
}

/// Serves on this process's standard streams until the peer hangs up; `at_call` is told of each
/// call.
///
/// # Errors
///
/// The server cannot be put together, or its streams cannot be used.
pub fn serve(at_call: fn()) -> io::Result<()> {
    let server = server(at_call).map_err(io::Error::other)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(serve_stdio(&server))
}

fn server(at_call: fn()) -> Result<Server, candor::BuildError> {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    });
    let definition = |name: &str| {
        Definition::new(name).description("Adds two whole numbers.").input_schema(&schema)
    };
    let add = || {
        tool::inline(move |call| {
            at_call();
            let Add { a, b } = call.read()?;
            Ok::<_, candor::ToolError>(a.wrapping_add(b).to_string())
        })
    };
    let mut builder = Server::builder("add", "0.1.0").tool(definition("add"), add());
    for other in 2..=10 {
        builder = builder.tool(definition(&format!("add_{other}")), add());
    }
    builder.build()
}

//! What `#[tool]` writes, so that what it writes stays small.

use std::future::Future;

use crate::tool::prepared;
use crate::{Answer, Call, DefinedTool, Definition, ToolError};

pub use {schemars, serde};

/// Asks the compiler whether a function may return this, where the function says so.
pub const fn answers<A: Answer>() {}

pub fn inline<A: Answer>(
    definition: Definition,
    function: impl Fn(Call<'_>) -> Result<A, ToolError> + Send + Sync + 'static,
) -> DefinedTool {
    DefinedTool::new(definition.answers::<A>(), prepared::inline(function))
}

pub fn blocking<A: Answer, F: FnOnce() -> A + Send + 'static>(
    definition: Definition,
    prepare: impl Fn(Call<'_>) -> Result<F, ToolError> + Send + Sync + 'static,
) -> DefinedTool {
    DefinedTool::new(definition.answers::<A>(), prepared::blocking(prepare))
}

pub fn asynchronous<A: Answer, F: Future<Output = A> + Send + 'static>(
    definition: Definition,
    prepare: impl Fn(Call<'_>) -> Result<F, ToolError> + Send + Sync + 'static,
) -> DefinedTool {
    DefinedTool::new(definition.answers::<A>(), prepared::asynchronous(prepare))
}

pub fn polled<A: Answer, F: Future<Output = A> + Send + 'static>(
    definition: Definition,
    prepare: impl Fn(Call<'_>) -> Result<F, ToolError> + Send + Sync + 'static,
) -> DefinedTool {
    DefinedTool::new(definition.answers::<A>(), prepared::polled(prepare))
}

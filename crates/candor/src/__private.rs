//! What `#[tool]` writes, so that what it writes stays small.

use std::future::Future;
use std::num::NonZeroU32;

use crate::tool::prepared;
use crate::{Answer, Call, DefinedTool, Definition, Rate, ToolError};

pub use {schemars, serde};

/// Asks the compiler whether a function may return this, where the function says so.
pub const fn answers<A: Answer>() {}

/// A rate that `#[tool]` has checked.
#[must_use]
pub fn rate(text: &str) -> Rate {
    // What it has not checked is the slowest there is, and a test of the macro.
    text.parse().unwrap_or(Rate::per_hour(NonZeroU32::MIN))
}

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

//! Code of an author's, called so that whatever it does harms only itself.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use candor_protocol::{ToolError, ToolOutcome, Why};

/// Calls code of an author's that is not a call of a tool. A panic there is his, and for the log.
pub(crate) fn guarded<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(what_it_said)
}

fn what_it_said(panic: Box<dyn Any + Send>) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("something that is no text");
    let said = format!("it panicked with: {text}");
    let_go(panic);
    said
}

/// A tool that panics has crashed. What it panicked with is for the log.
pub(crate) fn panicked(panic: Box<dyn Any + Send>) -> ToolOutcome {
    let crash = ToolError::seen(Why::Crashed { said: String::new() });
    ToolOutcome::Failed(crash.because(what_it_said(panic)))
}

/// Drops what a tool has left behind. Whatever panics while being dropped harms only itself.
pub(crate) fn let_go<T>(left_behind: T) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(left_behind))) {
        // This could do the same again, so it stays.
        std::mem::forget(panic);
    }
}

//! The cause is for the log, and no reply is made of it.

use candor::{Reply, ToolError, ToolOutcome, tool};

fn main() {
    let failure = ToolError::tell("no such seat").because("/srv/seats.db: locked");
    let _ = Reply::from(failure.cause);
    let _ = ToolOutcome::Done(ToolError::tell("no such seat").into());
    let _ = tool::inline(|_| ToolError::tell("no such seat").because("/srv/seats.db: locked"));
}

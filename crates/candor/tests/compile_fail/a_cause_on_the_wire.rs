//! The cause is for the log, and nothing serialises it.

use candor::ToolError;

fn main() {
    let failure = ToolError::tell("no such seat").because("/srv/seats.db: locked");
    let _ = serde_json::to_string(&failure);
}

//! The text of an `io::Error` was written for a log.

use candor::{ToolError, tool};

fn main() {
    let _ = tool::blocking(|_| -> Result<String, ToolError> {
        Ok(std::fs::read_to_string("notes/drafts.md")?)
    });
}

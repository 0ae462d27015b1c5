use candor::{Reply, ToolError};

fn main() {
    let failure = ToolError::tell("No note has this name.").because("notes.md: permission denied");
    let _ = serde_json::to_string(&failure);
    let _ = failure.cause;
    let _ = Reply::from(failure);
}

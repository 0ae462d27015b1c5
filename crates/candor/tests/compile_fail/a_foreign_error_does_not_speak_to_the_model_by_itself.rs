use candor::{Reply, ToolError, tool};

fn main() {
    let _ = tool::blocking(|_| -> Result<Reply, ToolError> {
        let notes = std::fs::read_to_string("notes.md")?;
        Ok(notes.into())
    });
}

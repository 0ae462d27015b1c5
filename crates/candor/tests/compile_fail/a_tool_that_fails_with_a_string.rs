//! A failure says for whom it is written.

use candor::tool;

fn main() {
    let _ = tool::inline(|_| -> Result<&str, String> { Err("no such seat".to_owned()) });
}

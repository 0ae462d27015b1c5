//! What a function cannot be and be a tool.

use candor::{tool, tools};

/// Answers nothing.
#[tool]
fn silent(_text: String) {}

#[tool]
fn undescribed() -> &'static str {
    "Done."
}

/// Takes anything.
#[tool]
fn generic<T>(_value: T) -> &'static str {
    "Done."
}

/// Borrows.
#[tool]
fn borrowing(_value: &mut u8) -> &'static str {
    "Done."
}

/// Has no name for what it takes.
#[tool]
fn nameless((_a, _b): (u8, u8)) -> &'static str {
    "Done."
}

/// Says too much.
#[tool(readonly)]
fn misspelt() -> &'static str {
    "Done."
}

/// Says two things.
#[tool(read_only, destructive)]
fn torn() -> &'static str {
    "Done."
}

/// Has no unit.
#[tool(timeout = "5")]
fn endless() -> &'static str {
    "Done."
}

/// Has no time.
#[tool(rate = "10")]
fn unmeasured() -> &'static str {
    "Done."
}

/// Never runs.
#[tool(concurrency = 0)]
fn never() -> &'static str {
    "Done."
}

/// Takes what no call has.
#[tool]
fn taking(#[context] _value: u8) -> &'static str {
    "Done."
}

struct Shop;

#[tools]
impl Shop {
    /// Changes what others use.
    #[tool]
    fn buy(&mut self) -> &'static str {
        "Done."
    }
}

fn main() {
    let _ = candor::toolbox![String];
}

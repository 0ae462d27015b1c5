//! The stage as a process of its own, for tests that need one.
//!
//! `stage [--small] [--modern-only] [--in-order] [--max-message BYTES] [--grace MILLISECONDS]`

#[expect(dead_code, reason = "nobody looks behind the stage of another process")]
#[expect(clippy::unwrap_used, clippy::panic, reason = "the stage is there to go wrong")]
#[path = "mod.rs"]
mod stage;

use std::time::Duration;

use candor::{Limits, Policy};

fn main() -> std::io::Result<()> {
    let (mut policy, mut limits, mut is_small) = (Policy::default(), Limits::default(), false);
    let mut options = std::env::args().skip(1);
    while let Some(option) = options.next() {
        let mut number = || options.next().and_then(|it| it.parse().ok()).unwrap_or_default();
        match option.as_str() {
            "--small" => is_small = true,
            "--modern-only" => policy.modern_only = true,
            "--in-order" => policy.in_order = true,
            "--max-message" => limits.max_message = number(),
            "--grace" => limits.grace = Duration::from_millis(number() as u64),
            other => return Err(std::io::Error::other(format!("no such option: {other}"))),
        }
    }
    let stage = if is_small { stage::Stage::small(policy) } else { stage::Stage::new(policy) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(candor_transport::stdio::serve(
        stage.server.session(),
        limits,
        std::future::pending(),
    ))
}

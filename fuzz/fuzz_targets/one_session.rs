//! Any bytes are a session: never a panic, never two answers, never a line that is no message.
//!
//! What is asserted is in `candor_testkit::fuzz`, so that the ordinary tests replay the seeds and the
//! corpus without a fuzzer. To look for more, for ten minutes, from the root of the repository:
//!
//! ```text
//! cargo install --locked cargo-fuzz
//! mkdir -p fuzz/corpus/one_session
//! cargo +nightly fuzz run one_session fuzz/corpus/one_session fuzz/seeds/one_session -- \
//!     -dict=fuzz/json.dict -max_len=65536 -timeout=10 -max_total_time=600
//! ```
//!
//! What it finds is kept in `fuzz/artifacts`; mend it, and put it among the seeds under a name that
//! says what it is.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| candor_testkit::fuzz::one_session(bytes));

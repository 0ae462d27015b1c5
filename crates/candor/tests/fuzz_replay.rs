//! What a fuzzer has been given so far, given again: any bytes are a session.
#![expect(clippy::unwrap_used, reason = "the lints know tests, but not what tests share")]
#![expect(clippy::print_stdout, reason = "a failing test shows what it printed")]

#[path = "../../../fuzz/fuzz_targets/server.rs"]
mod server;

use std::path::Path;

fn replay(folder: &str) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(folder);
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let said = std::fs::read(&path).unwrap();
        // A failing run names its file last.
        println!("{}", path.file_name().unwrap().display());
        candor_testkit::fuzz::one_session(server::server().session(), &said);
        count += 1;
    }
    count
}

#[test]
fn every_seed_is_a_session() {
    assert!(replay("seeds/one_session") > 100);
}

#[test]
fn everything_the_fuzzer_kept_is_a_session() {
    assert!(replay("corpus/one_session") > 0);
}

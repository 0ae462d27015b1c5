//! The forbidden moves, and what the compiler says to whoever tries one.

#[test]
fn the_wrong_channel_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}

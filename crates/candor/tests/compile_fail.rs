//! What must not compile, and what the compiler then says.

#![cfg(test)]

/// The texts are of the compiler in `rust-toolchain.toml`. After a change of it, look at what
/// `TRYBUILD=overwrite cargo test -p candor --test compile_fail` writes.
#[test]
fn the_wrong_channel_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}

//! The library's server, as it is timed.
#![forbid(unsafe_code)]

fn main() -> std::io::Result<()> {
    candor_bench::add::serve(|| ())
}

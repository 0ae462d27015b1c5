//! The line floor: reads lines, finds the id of each, writes a prepared answer. No more.
//!
//! Whatever speaks JSON-RPC over lines does at least this: big reads, each message parsed once (by
//! serde, and only for its id), and one write for all answers that are ready together.
#![forbid(unsafe_code)]

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;

use candor_bench::PREPARED;
use memchr::memchr;
use serde::Deserialize;
use serde_json::value::RawValue;

const BUFFER: usize = 256 * 1024;

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
}

fn main() -> io::Result<()> {
    // Files, because stdout of the standard library writes at every line.
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let mut heard = vec![0; BUFFER];
    let mut filled = 0;
    let mut answers = Vec::with_capacity(BUFFER);
    loop {
        if filled == heard.len() {
            heard.resize(heard.len() * 2, 0);
        }
        let read = input.read(heard.get_mut(filled..).unwrap_or_default())?;
        if read == 0 {
            return Ok(());
        }
        filled += read;
        let mut rest = heard.get(..filled).unwrap_or_default();
        while let Some((line, after)) =
            memchr(b'\n', rest).and_then(|end| rest.split_at_checked(end + 1))
        {
            answer(line, &mut answers)?;
            rest = after;
        }
        let left = rest.len();
        heard.copy_within(filled - left..filled, 0);
        filled = left;
        output.write_all(&answers)?;
        answers.clear();
    }
}

fn answer(line: &[u8], answers: &mut Vec<u8>) -> io::Result<()> {
    let message: Message<'_> = serde_json::from_slice(line)?;
    answers.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    answers.extend_from_slice(message.id.get().as_bytes());
    answers.extend_from_slice(br#","result":"#);
    answers.extend_from_slice(PREPARED.as_bytes());
    answers.extend_from_slice(b"}\n");
    Ok(())
}

//! What people and scripts read: standard output, and the lines of our own on standard error.

use std::io::{self, ErrorKind, Write};

use crate::exit::Exit;

/// Prints an answer. Whoever has closed the stream has read enough; any other trouble is said.
pub(crate) fn print(text: &str, exit: Exit) -> Exit {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("the answer cannot be written to stdout: {cause}"));
            if exit == Exit::Done { Exit::NoAnswer } else { exit }
        }
        Ok(()) | Err(_) => exit,
    }
}

/// Says on standard error that we cannot do what was asked, or warns of something.
pub(crate) fn complain(text: &str) {
    // If that is closed, there is nowhere to say so.
    let _ = writeln!(io::stderr(), "candor: {}", one_line(text));
}

/// Text on one line, and without what a terminal would obey.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    words.join(" ").replace(char::is_control, " ")
}

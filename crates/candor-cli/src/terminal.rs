//! What people and scripts read: standard output, and the lines of our own on standard error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use anstyle::Style;

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
    say(&format!("candor: {}", one_line(text)));
}

/// One line on standard error. If that is closed there is nowhere to say so.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Text on one line, and without what a terminal would obey.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    words.join(" ").replace(char::is_control, " ")
}

/// How wide the reader's terminal is; `None` where no terminal reads.
pub(crate) fn width() -> Option<usize> {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(stdout)?;
    Some(width.into())
}

/// A style, if the stream is read at a terminal by someone who wants any.
pub(crate) fn style(stream: &impl IsTerminal, style: Style) -> Style {
    let is_unwanted = |name, value: &str| std::env::var_os(name).is_some_and(|set| set == value);
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
    if stream.is_terminal() && !is_plain && !is_unwanted("TERM", "dumb") {
        style
    } else {
        Style::new()
    }
}

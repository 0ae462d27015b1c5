//! The log: one line for each thing that someone may have to look into.
//!
//! It never stops the server. A host may start us, keep our standard error and never read it; once
//! that pipe is full, lines are dropped and counted.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use candor::{Journal, Level};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::options::Logging;
use crate::terminal::complain;

/// A pipe that has any room takes so much at once (`PIPE_BUF`).
const LONGEST_LINE: usize = 4096;

/// Opens the log.
///
/// # Errors
///
/// The environment asks for a level that there is none of.
pub(crate) fn open(logging: &Logging) -> Result<Journal, String> {
    open_for(logging, Level::Warning)
}

/// Opens the log for a purpose that needs this level, unless somebody asks for another.
///
/// # Errors
///
/// The environment asks for a level that there is none of.
pub(crate) fn open_for(logging: &Logging, usual: Level) -> Result<Journal, String> {
    let level = level(logging, usual)?;
    let mut sink = Sink { dropped: 0, file: None };
    if let Some(path) = &logging.log {
        match OpenOptions::new().create(true).append(true).mode(0o600).open(path) {
            Ok(file) => sink.file = Some((file, path.clone())),
            Err(cause) => sink.lost(path, &cause),
        }
    }
    let sink = Mutex::new(sink);
    Ok(Journal::new(move |entry| {
        if entry.level <= level {
            sink.lock().unwrap_or_else(PoisonError::into_inner).write(entry);
        }
    }))
}

fn level(logging: &Logging, usual: Level) -> Result<Level, String> {
    if logging.quiet {
        return Ok(Level::Error);
    }
    if logging.verbose {
        return Ok(Level::Debug);
    }
    let Some(name) = std::env::var_os("CANDOR_LOG") else { return Ok(usual) };
    let name = name.to_string_lossy();
    match name.as_ref() {
        "" => Ok(usual),
        "warning" => Ok(Level::Warning),
        "error" => Ok(Level::Error),
        "info" => Ok(Level::Info),
        "debug" => Ok(Level::Debug),
        _ => Err(format!("CANDOR_LOG={name:?} is no level; write error, warning, info or debug")),
    }
}

struct Sink {
    /// Where lines go as long as it takes them; standard error after that.
    file: Option<(File, PathBuf)>,
    dropped: usize,
}

impl Sink {
    fn write(&mut self, entry: &impl Display) {
        let Some((file, path)) = &mut self.file else { return self.write_to_stderr(entry) };
        let line = format!("{} {entry}\n", timestamp(SystemTime::now()));
        if let Err(cause) = file.write_all(line.as_bytes()) {
            let path = path.clone();
            self.lost(&path, &cause);
            self.write_to_stderr(entry);
        }
    }

    fn lost(&mut self, path: &Path, cause: &io::Error) {
        self.file = None;
        let path = path.display();
        complain(&format!("warning: the log cannot be written to {path}, so it is here: {cause}"));
    }

    fn write_to_stderr(&mut self, entry: &impl Display) {
        if self.dropped > 0 && stderr_has_room() {
            let dropped = std::mem::take(&mut self.dropped);
            let note =
                format!("candor: warning: nobody read the log, and {dropped} lines are lost");
            write_line(note);
        }
        if stderr_has_room() {
            write_line(entry.to_string());
        } else {
            self.dropped += 1;
        }
    }
}

fn write_line(mut line: String) {
    line.truncate(line.floor_char_boundary(LONGEST_LINE - 1));
    line.push('\n');
    // A log that cannot be written has nowhere to say so.
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Would a line be taken at once?
fn stderr_has_room() -> bool {
    let stderr = io::stderr();
    let at_once = Timespec::try_from(Duration::ZERO).ok();
    // Where that cannot be asked, a line is worth the risk.
    poll(&mut [PollFd::new(&stderr, PollFlags::OUT)], at_once.as_ref()).map_or(true, |it| it > 0)
}

/// `2026-07-28T13:30:00Z`
fn timestamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that the day that is sometimes there is the last one.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::timestamp;

    #[test]
    fn a_time_is_written_as_a_date() {
        let at = |seconds| timestamp(UNIX_EPOCH + Duration::from_secs(seconds));

        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(at(1_785_245_400), "2026-07-28T13:30:00Z");
        assert_eq!(at(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}

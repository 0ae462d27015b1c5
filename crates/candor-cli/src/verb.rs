//! What a tool says, as a command: for programs, and for helpers that a function starts.
//!
//! ```text
//! words ─▶ line ─▶ inside     a server has called the tool
//!            └───▶ by_hand    its author runs it
//! ```

mod by_hand;
mod inside;
mod line;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::process::ExitCode;

use crate::exit::Exit;
use crate::options::Verb;
use crate::terminal::{complain, print, say};
use by_hand::Heard;
use inside::Call;
use line::Saying;

const LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// How such a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Said,
    /// It cannot be done, or the user does not want it.
    Not,
    Misused,
    /// The tool has asked, and ends with the same status.
    Asked,
}

impl From<End> for ExitCode {
    fn from(end: End) -> Self {
        match end {
            End::Said => 0.into(),
            End::Not => 1.into(),
            End::Misused => 2.into(),
            End::Asked => 10.into(),
        }
    }
}

/// Why something was not said.
enum Trouble {
    Misused(String),
    Failed(String),
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

pub(crate) fn run(verb: &Verb) -> End {
    let done = match verb {
        Verb::Progress(it) => progress(&it.done, &it.words),
        Verb::Log(it) => log(&it.level, &it.words),
        Verb::Attach(it) => attach(&it.file, it.media_type.as_deref()),
        Verb::Temp(_) => temp(),
        Verb::Ask(it) => ask(&it.about, &it.words),
    };
    let (why, end) = match done {
        Ok(end) => return end,
        Err(Trouble::Misused(why)) => (why, End::Misused),
        Err(Trouble::Failed(why)) => (why, End::Not),
    };
    complain(&why);
    end
}

fn progress(done: &OsStr, words: &[OsString]) -> Result<End, Trouble> {
    let Some(done) = done.to_str().filter(|word| counts(word)) else {
        return Err(Trouble::Misused(format!(
            "progress: {:?} is not a number; write candor progress 1 3 \"first of three\", for example",
            done.to_string_lossy()
        )));
    };
    // The first word may be the whole, or the begin of the text.
    let total = words.first().and_then(|word| word.to_str()).filter(|word| counts(word));
    let words = words.get(usize::from(total.is_some())..).unwrap_or_default();
    tell(Saying::Progress { done, total, text: &text(words) })
}

fn log(level: &OsStr, words: &[OsString]) -> Result<End, Trouble> {
    let Some(level) = LEVELS.into_iter().find(|known| *known == level) else {
        let (last, others) = LEVELS.split_last().unwrap_or((&"", &[]));
        return Err(Trouble::Misused(format!(
            "log: {:?} is no level; write {} or {last}",
            level.to_string_lossy(),
            others.join(", ")
        )));
    };
    tell(Saying::Log { level, text: &text(words) })
}

/// Says what has no answer.
fn tell(saying: Saying<'_>) -> Result<End, Trouble> {
    match Call::here() {
        Some(call) => call.say(saying)?,
        None => by_hand::tell(saying),
    }
    Ok(End::Said)
}

fn attach(file: &OsStr, media_type: Option<&OsStr>) -> Result<End, Trouble> {
    let media_type = match media_type {
        None => None,
        Some(word) => Some(word.to_str().filter(|word| is_media_type(word)).ok_or_else(|| {
            let word = word.to_string_lossy();
            Trouble::Misused(format!("attach: {word:?} is no type; write image/png, for example"))
        })?),
    };
    let path = std::path::Path::new(file);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Whether it is one is asked first: to open a pipe would wait for whoever writes to it.
    let opened =
        if path.is_file() { File::open(path) } else { Err(std::io::ErrorKind::Other.into()) };
    let Ok(opened) = opened else {
        let file = path.display();
        return Err(Trouble::Failed(format!("attach: {file} is not a file that can be read")));
    };
    match Call::here() {
        Some(call) => {
            let copy = call.keep(opened)?;
            call.say(Saying::Attach { copy: &copy, media_type, name: &name })?;
        }
        None => by_hand::would_attach(&opened, media_type, &name),
    }
    Ok(End::Said)
}

fn temp() -> Result<End, Trouble> {
    let folder = match Call::here() {
        Some(call) => call.temp()?,
        None => by_hand::temp()?,
    };
    let exit = print(&format!("{}\n", folder.display()), Exit::Done);
    Ok(if exit == Exit::Done { End::Said } else { End::Not })
}

fn ask(about: &OsStr, words: &[OsString]) -> Result<End, Trouble> {
    let read = about.to_str().and_then(|about| Some((about, about.split_once(':')?)));
    let read = read.filter(|(_, (key, kind))| is_key(key) && is_kind(kind));
    let Some((about, (_, kind))) = read else {
        return Err(Trouble::Misused(format!(
            "ask: {:?} is not KEY:TYPE; write candor ask sure:boolean \"Book 8 seats?\", for example",
            about.to_string_lossy()
        )));
    };
    let text = text(words);
    if let Some(call) = Call::here() {
        call.say(Saying::Ask { about, text: &text })?;
        return Ok(End::Asked);
    }
    match by_hand::ask(kind, &text) {
        Heard::Answer(answer) => {
            print(&format!("{answer}\n"), Exit::Done);
            Ok(End::Said)
        }
        Heard::Nothing => {
            say("Not done: the user declined.");
            Ok(End::Not)
        }
        Heard::Nobody => {
            say(&format!("would ask the user: {}", crate::terminal::one_line(&text)));
            Ok(End::Asked)
        }
    }
}

fn text(words: &[OsString]) -> String {
    words.join(OsStr::new(" ")).to_string_lossy().into_owned()
}

/// Is it a number as anyone counts?
fn counts(word: &str) -> bool {
    let is_digits = |text: &str| {
        (1..=15).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (whole, part) = word.split_once('.').unwrap_or((word, "0"));
    is_digits(whole) && is_digits(part)
}

fn is_media_type(word: &str) -> bool {
    let is_name = |text: &str| {
        (1..=127).contains(&text.len())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || ".+-".contains(c))
    };
    word.split_once('/').is_some_and(|(kind, of_it)| is_name(kind) && is_name(of_it))
}

fn is_key(word: &str) -> bool {
    (1..=64).contains(&word.len())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}

fn is_kind(word: &str) -> bool {
    (1..=1000).contains(&word.len())
        && !word.contains(|c: char| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::{counts, is_media_type};

    #[test]
    fn a_number_is_written_in_digits() {
        for word in ["0", "7", "2.5", "007", "123456789012345"] {
            assert!(counts(word), "{word}");
        }
        for word in ["", "-1", "1e3", ".5", "5.", "1.2.3", "seven", "1234567890123456", "1,5"] {
            assert!(!counts(word), "{word}");
        }
    }

    #[test]
    fn a_media_type_has_two_halves() {
        for word in ["image/png", "image/svg+xml", "application/vnd.ms-excel"] {
            assert!(is_media_type(word), "{word}");
        }
        for word in ["png", "image/", "/png", "image/png; q=1", "a/b/c", "image/p ng"] {
            assert!(!is_media_type(word), "{word}");
        }
    }
}

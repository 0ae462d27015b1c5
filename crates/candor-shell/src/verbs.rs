//! What a tool says besides its answer: lines on its own channel to verbs.
//!
//! ```text
//! line = "progress" done ( total | "-" ) [ text ]
//!      | "log" level text
//!      | "attach" copy ( type | "-" ) name     a file that was copied into the call's folder
//!      | "ask" key ":" type question
//! ```
//!
//! A tool is written by anyone, and so is what comes here. What is no such line is no verb.

use candor::Level;

/// The longest line that a pipe takes whole, whoever else writes to it.
pub(crate) const LONGEST: usize = 4096;

/// One thing that a tool said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verb {
    /// It is so far.
    Progress { done: f64, total: Option<f64>, text: Option<String> },
    /// For the log.
    Log { level: Level, text: String },
    /// A file goes with the answer.
    Attach(Copy),
    /// It has to ask the user.
    Ask { question: String },
}

/// A copy of a file, in the call's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    /// What the copy is called.
    pub(crate) id: String,
    /// The media type that its author gave.
    pub(crate) media_type: Option<String>,
    /// What the file is called.
    pub(crate) name: String,
}

/// Collects bytes to lines.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    begun: Vec<u8>,
    /// The line that has begun is longer than any of ours.
    too_long: bool,
}

impl Lines {
    /// Takes the next bytes, and gives the verb of each line that is complete now.
    pub(crate) fn take(&mut self, bytes: &[u8], mut hear: impl FnMut(Verb)) {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, ends) = match part.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (part, false),
            };
            self.too_long |= self.begun.len() + text.len() > LONGEST;
            if self.too_long {
                self.begun.clear();
            } else {
                self.begun.extend_from_slice(text);
            }
            if ends {
                if !std::mem::take(&mut self.too_long)
                    && let Some(verb) = read(&String::from_utf8_lossy(&self.begun))
                {
                    hear(verb);
                }
                self.begun.clear();
            }
        }
    }
}

fn read(line: &str) -> Option<Verb> {
    let (verb, rest) = line.split_once(' ')?;
    match verb {
        "progress" => {
            let (done, rest) = rest.split_once(' ').unwrap_or((rest, "-"));
            let (total, text) = rest.split_once(' ').unwrap_or((rest, ""));
            let text = text.trim();
            Some(Verb::Progress {
                done: done.parse().ok()?,
                total: if total == "-" { None } else { Some(total.parse().ok()?) },
                text: (!text.is_empty()).then(|| text.to_owned()),
            })
        }
        "log" => {
            let (level, text) = rest.split_once(' ')?;
            let level = match level {
                "debug" | "info" | "notice" => Level::Debug,
                "warning" => Level::Warning,
                "error" | "critical" | "alert" | "emergency" => Level::Error,
                _ => return None,
            };
            Some(Verb::Log { level, text: text.trim().to_owned() })
        }
        "attach" => {
            let mut words = rest.splitn(3, ' ');
            let (id, media_type, name) = (words.next()?, words.next()?, words.next()?);
            let is_name = !id.is_empty()
                && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let media_type = (media_type != "-").then(|| media_type.to_owned());
            let (id, name) = (id.to_owned(), name.trim().to_owned());
            is_name.then_some(Verb::Attach(Copy { id, media_type, name }))
        }
        "ask" => {
            let (_key, question) = rest.split_once(' ')?;
            Some(Verb::Ask { question: question.trim().to_owned() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use candor::Level;

    use super::{Copy, LONGEST, Lines, Verb};

    fn heard(parts: &[&[u8]]) -> Vec<Verb> {
        let (mut lines, mut verbs) = (Lines::default(), Vec::new());
        for part in parts {
            lines.take(part, |verb| verbs.push(verb));
        }
        verbs
    }

    fn progress(done: f64, total: Option<f64>, text: Option<&str>) -> Verb {
        Verb::Progress { done, total, text: text.map(str::to_owned) }
    }

    #[test]
    fn each_line_is_a_verb() {
        assert_eq!(
            heard(&[b"progress 1 2 holding seats\n"]),
            [progress(1.0, Some(2.0), Some("holding seats"))]
        );
        assert_eq!(heard(&[b"progress 0.5 - \n"]), [progress(0.5, None, None)]);
        assert_eq!(heard(&[b"progress 3\n"]), [progress(3.0, None, None)]);
        assert_eq!(
            heard(&[b"log notice a b\n"]),
            [Verb::Log { level: Level::Debug, text: "a b".to_owned() }]
        );
        let copy = |media_type: Option<&str>| Copy {
            id: "aB3_x".to_owned(),
            media_type: media_type.map(str::to_owned),
            name: "my plot.png".to_owned(),
        };
        assert_eq!(heard(&[b"attach aB3_x - my plot.png\n"]), [Verb::Attach(copy(None))]);
        assert_eq!(
            heard(&[b"attach aB3_x image/png my plot.png\n"]),
            [Verb::Attach(copy(Some("image/png")))]
        );
        assert_eq!(
            heard(&[b"ask sure:boolean Book 8 seats?\n"]),
            [Verb::Ask { question: "Book 8 seats?".to_owned() }]
        );
    }

    #[test]
    fn lines_come_in_any_pieces() {
        let whole = b"progress 1 - \nprogress 2 - \n";
        for at in 0..whole.len() {
            let (one, other) = whole.split_at(at);
            assert_eq!(heard(&[one, other]).len(), 2, "cut at {at}");
        }
        assert_eq!(heard(&[b"progress 1 - "]), [], "it has not ended");
    }

    #[test]
    fn what_is_no_line_of_ours_is_passed_over() {
        let strange: &[&[u8]] = &[
            b"\n",
            b"progress\n",
            b"progress x\n",
            b"progress 1 x\n",
            b"log loud text\n",
            b"attach ../../etc/passwd - x\n",
            b"attach . - x\n",
            b"attach a -\n",
            b"{\"jsonrpc\":\"2.0\"}\n",
            b"\xff\xfe\n",
        ];
        for line in strange {
            assert_eq!(heard(&[line, b"progress 1 - \n"]).len(), 1, "{line:?}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_takes_none_with_it() {
        let long = vec![b'x'; LONGEST + 1];
        assert_eq!(heard(&[b"log debug ", &long, b"\nprogress 1 - \n"]).len(), 1);
        assert_eq!(heard(&[b"log debug ", &long, &long, b"\nprogress 1 - \n"]).len(), 1);
    }
}

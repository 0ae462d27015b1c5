//! What a tool says to the line in which a server hears it.
//!
//! ```text
//! line = "progress" done ( total | "-" ) text
//!      | "log" level text
//!      | "attach" copy ( type | "-" ) name
//!      | "ask" key ":" type text
//! ```

/// A pipe takes so many bytes whole, whoever else writes to it (`PIPE_BUF`).
const LONGEST: usize = 4096;

/// The most characters of a text.
const TEXT: usize = 1000;

/// What stands for something that was not said.
const NOTHING: &str = "-";

/// One thing that a tool says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Saying<'a> {
    /// How far it is.
    Progress { done: &'a str, total: Option<&'a str>, text: &'a str },
    /// For the log.
    Log { level: &'a str, text: &'a str },
    /// A file goes with the answer; what it held lies in a copy.
    Attach { copy: &'a str, media_type: Option<&'a str>, name: &'a str },
    /// It needs to know something from the user.
    Ask { about: &'a str, text: &'a str },
}

impl Saying<'_> {
    /// The line, with its end.
    pub(crate) fn line(self) -> String {
        let (head, text) = match self {
            Self::Progress { done, total, text } => {
                (format!("progress {done} {}", total.unwrap_or(NOTHING)), text)
            }
            Self::Log { level, text } => (format!("log {level}"), text),
            Self::Attach { copy, media_type, name } => {
                (format!("attach {copy} {}", media_type.unwrap_or(NOTHING)), name)
            }
            Self::Ask { about, text } => (format!("ask {about}"), text),
        };
        let text: String = text.chars().take(TEXT).collect();
        let mut line = format!("{head} {text}").replace(char::is_control, " ");
        line.truncate(line.floor_char_boundary(LONGEST - 1));
        line.push('\n');
        line
    }
}

#[cfg(test)]
mod tests {
    use super::Saying;

    #[test]
    fn each_verb_has_its_line() {
        for (saying, line) in [
            (
                Saying::Progress { done: "1", total: Some("2.5"), text: "holding seats" },
                "progress 1 2.5 holding seats\n",
            ),
            (Saying::Progress { done: "1", total: None, text: "" }, "progress 1 - \n"),
            (Saying::Log { level: "notice", text: "a  b" }, "log notice a  b\n"),
            (
                Saying::Attach { copy: "x1", media_type: Some("image/png"), name: "my plot.png" },
                "attach x1 image/png my plot.png\n",
            ),
            (Saying::Attach { copy: "x1", media_type: None, name: "a" }, "attach x1 - a\n"),
            (
                Saying::Ask { about: "sure:boolean", text: "Book 8 seats?" },
                "ask sure:boolean Book 8 seats?\n",
            ),
        ] {
            assert_eq!(saying.line(), line);
        }
    }

    #[test]
    fn a_text_stays_on_its_line_and_within_its_length() {
        let line = |text: &str| Saying::Log { level: "info", text }.line();

        assert_eq!(line("a\nb\u{1b}[31m\0c"), "log info a b [31m c\n");
        assert_eq!(line(&"é".repeat(2000)), format!("log info {}\n", "é".repeat(1000)));
        let long = line(&"🙂".repeat(2000));
        assert_eq!(long, format!("log info {}\n", "🙂".repeat(1000)));
        let about = format!("row:{}", "a|".repeat(400));
        let long = Saying::Ask { about: &about, text: &"🙂".repeat(1000) }.line();
        assert!(long.len() <= 4096 && long.ends_with("🙂\n"), "{}", long.len());
    }
}

//! Conversations kept as text.
//!
//! ```text
//! # A comment. Blank lines part one exchange from the next, for the reader.
//! > {"jsonrpc":"2.0","id":1,"method":"ping"}
//! < {"jsonrpc":"2.0","id":1,"result":{}}
//! ```
//!
//! | line | means |
//! |---|---|
//! | `> text` | the client says this line, byte for byte |
//! | `>- text` | the same, without a line end |
//! | `>x text` | the same as `>`, but `\xff` stands for that byte |
//! | `>x- text` | both |
//! | `< text` | this whole line comes back next |
//! | `<? text` | one of a run of such lines, which may come back in any order |
//!
//! After the last thing said the client's input ends, and after the last line nothing more may come
//! back. What comes back where nothing is expected shows as the wrong answer to what is said next.
//! Incident references are folded on both sides.

use std::fmt;
use std::io;

use crate::fold_incidents;
use crate::peer::Peer;

/// A conversation: what is said, and what must come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    /// Where it stands in the text, from one.
    line: usize,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Said(Vec<u8>),
    /// More than one if their order does not matter.
    Expected(Vec<String>),
}

/// What is wrong with the text of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    line: usize,
    problem: &'static str,
}

/// What came back is not what was expected.
#[derive(Debug)]
pub struct Mismatch {
    line: usize,
    said: String,
    expected: Vec<String>,
    came: Came,
}

#[derive(Debug)]
enum Came {
    Line(String),
    End,
    Broken(io::Error),
}

impl Transcript {
    /// Reads the text.
    ///
    /// # Errors
    ///
    /// A line is none of those that a transcript is made of.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut steps: Vec<Step> = Vec::new();
        let mut is_run = false;
        for (at, text) in text.lines().enumerate() {
            let line = at + 1;
            let refuse = |problem| Err(ParseError { line, problem });
            let (mark, rest) = text.split_once(' ').unwrap_or((text, ""));
            let was_run = std::mem::replace(&mut is_run, mark == "<?");
            let what = match mark {
                "" if rest.is_empty() => continue,
                "#" => continue,
                ">" => What::Said(format!("{rest}\n").into_bytes()),
                ">-" => What::Said(rest.as_bytes().to_vec()),
                ">x" | ">x-" => {
                    let Some(mut bytes) = unescape(rest) else {
                        return refuse("two hexadecimal digits follow `\\x`");
                    };
                    if mark == ">x" {
                        bytes.push(b'\n');
                    }
                    What::Said(bytes)
                }
                "<" => What::Expected(vec![fold_incidents(rest)]),
                "<?" => {
                    if let (true, Some(Step { what: What::Expected(run), .. })) =
                        (was_run, steps.last_mut())
                    {
                        run.push(fold_incidents(rest));
                        continue;
                    }
                    What::Expected(vec![fold_incidents(rest)])
                }
                _ => return refuse("a line starts with `>`, `>-`, `>x`, `>x-`, `<`, `<?` or `#`"),
            };
            steps.push(Step { line, what });
        }
        Ok(Self { steps })
    }

    /// Holds the conversation with a peer, to its end.
    ///
    /// # Errors
    ///
    /// Something else came back than what was expected.
    pub async fn replay(&self, peer: &mut impl Peer) -> Result<(), Box<Mismatch>> {
        let mut said = String::new();
        let is_said = |step: &Step| matches!(step.what, What::Said(_));
        let last_said = self.steps.iter().rposition(is_said);
        for (at, Step { line, what }) in self.steps.iter().enumerate() {
            match what {
                What::Said(bytes) => {
                    said = String::from_utf8_lossy(bytes).trim_end_matches('\n').to_owned();
                    let mut sent = peer.send_bytes(bytes).await;
                    if sent.is_ok() && Some(at) == last_said {
                        sent = peer.end_input().await;
                    }
                    if let Err(cause) = sent {
                        return miss(*line, said, vec![], Came::Broken(cause));
                    }
                }
                What::Expected(run) => {
                    let mut missing = run.clone();
                    while !missing.is_empty() {
                        let came = match peer.receive().await {
                            Ok(Some(came)) => fold_incidents(&came),
                            Ok(None) => return miss(*line, said, missing, Came::End),
                            Err(cause) => return miss(*line, said, missing, Came::Broken(cause)),
                        };
                        match missing.iter().position(|expected| *expected == came) {
                            Some(at) => drop(missing.remove(at)),
                            None => return miss(*line, said, missing, Came::Line(came)),
                        }
                    }
                }
            }
        }
        let line = self.steps.last().map_or(0, |step| step.line);
        match peer.receive().await {
            Ok(None) => Ok(()),
            Ok(Some(came)) => miss(line, said, vec![], Came::Line(came)),
            Err(cause) => miss(line, said, vec![], Came::Broken(cause)),
        }
    }
}

fn miss(line: usize, said: String, expected: Vec<String>, came: Came) -> Result<(), Box<Mismatch>> {
    Err(Mismatch { line, said, expected, came }.into())
}

/// Reads a text and holds the conversation.
///
/// # Panics
///
/// The text is no transcript, or something else came back than what it says. `name` is for the
/// message.
pub async fn replay(name: &str, text: &str, peer: &mut impl Peer) {
    match Transcript::parse(text) {
        Err(problem) => panic!("{name}:{problem}"),
        Ok(transcript) => {
            if let Err(mismatch) = transcript.replay(peer).await {
                panic!("{name}:{mismatch}");
            }
        }
    }
}

/// Replaces each `\xff` by its byte. Other backslashes stay, for JSON.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\x") {
        bytes.extend_from_slice(before.as_bytes());
        bytes.push(u8::from_str_radix(after.get(..2)?, 16).ok()?);
        rest = after.get(2..)?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(bytes)
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.problem)
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, said, expected, came } = self;
        writeln!(f, "{line}: something else came back")?;
        writeln!(f, "  said      {said}")?;
        if expected.is_empty() {
            writeln!(f, "  expected  nothing")?;
        }
        for expected in expected {
            writeln!(f, "  expected  {expected}")?;
        }
        match came {
            Came::End => write!(f, "  came      the end"),
            Came::Broken(cause) => write!(f, "  came      nothing: {cause}"),
            Came::Line(came) => {
                write!(f, "  came      {came}")?;
                if let [expected] = expected.as_slice() {
                    let same = expected.chars().zip(came.chars()).take_while(|(a, b)| a == b);
                    write!(f, "\n{}^", " ".repeat(12 + same.count()))?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Mismatch {}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io;

    use super::{ParseError, Step, Transcript, What};
    use crate::conversation::paused;
    use crate::peer::Peer;

    /// Answers whatever is said with the lines it was given.
    struct Parrot {
        answers: VecDeque<&'static str>,
        heard: Vec<u8>,
    }

    impl Peer for Parrot {
        async fn send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.heard.extend_from_slice(bytes);
            Ok(())
        }

        async fn receive(&mut self) -> io::Result<Option<String>> {
            Ok(self.answers.pop_front().map(str::to_owned))
        }

        async fn end_input(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn replay(text: &str, answers: &[&'static str]) -> Result<Vec<u8>, String> {
        let mut parrot = Parrot { answers: answers.iter().copied().collect(), heard: Vec::new() };
        let transcript = Transcript::parse(text).unwrap();
        let replayed = paused(transcript.replay(&mut parrot));
        replayed.map(|()| parrot.heard).map_err(|mismatch| mismatch.to_string())
    }

    #[test]
    fn each_kind_of_line_is_read() {
        let text =
            "# why\n> a\\u0061\n>- b\n\n>x \\xff\\x00c\n>x- \\xc3\n< one\n<? two\n<? three\n";
        let said = |line, bytes: &[u8]| Step { line, what: What::Said(bytes.to_vec()) };
        let expected = |line, texts: &[&str]| Step {
            line,
            what: What::Expected(texts.iter().map(|it| (*it).to_owned()).collect()),
        };
        assert_eq!(
            Transcript::parse(text).unwrap().steps,
            [
                said(2, b"a\\u0061\n"),
                said(3, b"b"),
                said(5, b"\xff\0c\n"),
                said(6, b"\xc3"),
                expected(7, &["one"]),
                expected(8, &["two", "three"]),
            ]
        );
    }

    #[test]
    fn a_blank_line_parts_two_runs_of_any_order() {
        let steps = Transcript::parse("<? a\n<? b\n\n<? c").unwrap().steps;
        assert_eq!(steps.len(), 2);
    }

    #[test]
    fn what_is_no_transcript_is_refused_with_its_line() {
        let problem = |text| Transcript::parse(text).unwrap_err();
        assert_eq!(problem("> a\n| b").line, 2);
        assert_eq!(
            problem(">x \\xg0"),
            ParseError { line: 1, problem: "two hexadecimal digits follow `\\x`" }
        );
    }

    #[test]
    fn what_comes_back_as_expected_is_a_match() {
        assert_eq!(replay("> a\n< 1\n> b\n<? 2\n<? 3", &["1", "3", "2"]).unwrap(), b"a\nb\n");
    }

    #[test]
    fn incident_references_are_not_compared() {
        assert!(replay("> a\n< incident 00000000", &["incident 7f3a91c2"]).is_ok());
    }

    #[test]
    fn what_comes_back_otherwise_is_shown_beside_what_was_expected() {
        assert_eq!(
            replay("> a\n< {\"x\":1}", &["{\"x\":2}"]).unwrap_err(),
            "2: something else came back\n  said      a\n  expected  {\"x\":1}\n  came      \
             {\"x\":2}\n                 ^"
        );
        assert_eq!(
            replay("> a\n< 1", &[]).unwrap_err(),
            "2: something else came back\n  said      a\n  expected  1\n  came      the end"
        );
        assert_eq!(
            replay("> a", &["1"]).unwrap_err(),
            "1: something else came back\n  said      a\n  expected  nothing\n  came      1"
        );
    }
}

//! What is said to a server, and what must come back.

use std::io;

use candor_bench::PREPARED;
use serde_json::Value;

/// The id of the first call: long enough to be found again in the bytes of its answer.
pub(crate) const FIRST: u64 = 7_001_234;

/// The number that every call adds to its id.
const MORE: u64 = 2;

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// How a server wants to be called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Speech {
    /// `tools/call` of these tools in turn, as MCP has it since 2026-07-28.
    Calls { tools: &'static [&'static str], with: Arguments },
    /// The id alone: for a floor in bash, which would spend its time on reading.
    Ids,
}

/// What a tool is called with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Arguments {
    /// Two numbers, of which the first is the id.
    Two,
    /// These, and a word.
    Three,
    /// A text of so many characters.
    Text(usize),
}

/// A request that is answered without a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Asked {
    /// The first that a host sends.
    Discover,
    /// The first that waits until the tools are known.
    List,
}

impl Speech {
    pub(crate) const ADD: Self = Self::Calls { tools: &["add"], with: Arguments::Two };

    /// Appends one request with its newline.
    pub(crate) fn call(self, id: u64, to: &mut Vec<u8>) {
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(id).as_bytes();
        match self {
            Self::Calls { tools, with } => {
                let turn = usize::try_from(id).unwrap_or_default() % tools.len().max(1);
                let tool = tools.get(turn).copied().unwrap_or_default();
                to.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
                to.extend_from_slice(digits);
                to.extend_from_slice(br#","method":"tools/call","params":{"name":""#);
                to.extend_from_slice(tool.as_bytes());
                to.extend_from_slice(br#"","arguments":"#);
                with.write(digits, to);
                to.push(b',');
                to.extend_from_slice(META.as_bytes());
                to.extend_from_slice(b"}}\n");
            }
            Self::Ids => {
                to.extend_from_slice(digits);
                to.push(b'\n');
            }
        }
    }

    /// Appends a request with the id 1 and its newline.
    pub(crate) fn ask(self, asked: Asked, to: &mut Vec<u8>) {
        let method = match asked {
            Asked::Discover => "server/discover",
            Asked::List => "tools/list",
        };
        match self {
            Self::Calls { .. } => to.extend_from_slice(
                format!(
                    "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\",\"params\":{{{META}}}}}\n"
                )
                .as_bytes(),
            ),
            Self::Ids => to.extend_from_slice(b"1\n"),
        }
    }
}

impl Arguments {
    fn write(self, id: &[u8], to: &mut Vec<u8>) {
        match self {
            Self::Two | Self::Three => {
                to.extend_from_slice(br#"{"a":"#);
                to.extend_from_slice(id);
                to.extend_from_slice(br#","b":2"#);
                if self == Self::Three {
                    to.extend_from_slice(br#","c":"west""#);
                }
                to.push(b'}');
            }
            Self::Text(length) => {
                to.extend_from_slice(br#"{"text":""#);
                to.extend(std::iter::repeat_n(b'x', length));
                to.extend_from_slice(br#""}"#);
            }
        }
    }
}

/// The two ends of a call whose argument may be of any length.
pub(crate) fn long_call() -> (Vec<u8>, Vec<u8>) {
    let head = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":""#;
    let tail = format!("\",\"b\":2}},{META}}}}}\n");
    (head.into(), tail.into())
}

/// What a floor in bash writes, with `%s` for the id.
pub(crate) fn prepared_for_printf() -> String {
    format!(r#"{{"jsonrpc":"2.0","id":%s,"result":{PREPARED}}}\n"#)
}

/// What a tool answers to a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Answer {
    /// The sum of its arguments.
    Sum,
    /// Always this.
    Text(&'static str),
    /// Its arguments, a text of so many characters, as they came.
    Arguments(usize),
}

/// The bytes of an answer, without the numbers in them.
///
/// The first answer of a server is read as JSON and checked; every other one must have its bytes.
#[derive(Debug, PartialEq)]
pub(crate) struct Form(Vec<Piece>);

#[derive(Debug, PartialEq)]
enum Piece {
    Text(Vec<u8>),
    Id,
    Sum,
}

impl Form {
    /// Learns it from the answer to the call [`FIRST`].
    pub(crate) fn learn(line: &[u8], answer: Answer) -> io::Result<Self> {
        let value: Value = serde_json::from_slice(line)?;
        let text = match answer {
            Answer::Sum => (FIRST + MORE).to_string(),
            Answer::Text(text) => text.to_owned(),
            Answer::Arguments(length) => {
                let mut text = Vec::new();
                Arguments::Text(length).write(b"", &mut text);
                String::from_utf8(text).map_err(io::Error::other)?
            }
        };
        let is = |path: &str, expected: &Value| value.pointer(path) == Some(expected);
        let right = is("/jsonrpc", &"2.0".into())
            && is("/id", &FIRST.into())
            && is("/result/resultType", &"complete".into())
            && is("/result/content/0/text", &text.into())
            && !is("/result/isError", &true.into());
        if !right {
            let line: String = String::from_utf8_lossy(line).chars().take(400).collect();
            return Err(io::Error::other(format!("not the answer to the first call: {line}")));
        }
        Ok(Self(pieces(line)))
    }

    /// The id of an answer; none if it is not of this form.
    pub(crate) fn read(&self, line: &[u8]) -> Option<u64> {
        let mut rest = line;
        let (mut id, mut sum) = (None, None);
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => rest = rest.strip_prefix(text.as_slice())?,
                Piece::Id => id = Some(number(&mut rest)?),
                Piece::Sum => sum = Some(number(&mut rest)?),
            }
        }
        let id = id?;
        (rest.is_empty() && sum.is_none_or(|sum| sum == id + MORE)).then_some(id)
    }
}

fn pieces(line: &[u8]) -> Vec<Piece> {
    let (id, sum) = (FIRST.to_string(), (FIRST + MORE).to_string());
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut rest = line;
    while let Some((byte, after)) = rest.split_first() {
        let found =
            [(&id, Piece::Id), (&sum, Piece::Sum)].into_iter().find_map(|(digits, piece)| {
                rest.strip_prefix(digits.as_bytes()).map(|after| (piece, after))
            });
        if let Some((piece, after)) = found {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            pieces.push(piece);
            rest = after;
        } else {
            text.push(*byte);
            rest = after;
        }
    }
    pieces.push(Piece::Text(text));
    pieces
}

/// Takes the digits at the front.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number: u64 = 0;
    let mut digits = 0;
    for byte in rest.iter().take_while(|byte| byte.is_ascii_digit()) {
        number = number.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
        digits += 1;
    }
    *rest = rest.get(digits..)?;
    (digits > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(id: u64, text: &str) -> String {
        let content = format!(r#"[{{"type":"text","text":"{text}"}}]"#);
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":{content}}}}}"#
        )
    }

    #[test]
    fn a_call_is_one_line_of_mcp() -> Result<(), serde_json::Error> {
        let mut line = Vec::new();
        Speech::ADD.call(5, &mut line);
        let value: Value = serde_json::from_slice(&line)?;
        assert_eq!(value.pointer("/id"), Some(&5.into()));
        assert_eq!(value.pointer("/params/arguments"), Some(&serde_json::json!({"a": 5, "b": 2})));
        assert_eq!(memchr::memchr(b'\n', &line), Some(line.len() - 1));
        Ok(())
    }

    #[test]
    fn tools_are_called_in_turn() -> Result<(), serde_json::Error> {
        let speech = Speech::Calls { tools: &["one", "other"], with: Arguments::Three };
        let mut lines = Vec::new();
        speech.call(4, &mut lines);
        speech.call(5, &mut lines);
        let calls: Vec<Value> =
            serde_json::Deserializer::from_slice(&lines).into_iter().collect::<Result<_, _>>()?;
        let called: Vec<_> = calls.iter().filter_map(|call| call.pointer("/params/name")).collect();
        assert_eq!(called, ["one", "other"]);
        let with = calls.last().and_then(|call| call.pointer("/params/arguments"));
        assert_eq!(with, Some(&serde_json::json!({"a": 5, "b": 2, "c": "west"})));
        Ok(())
    }

    #[test]
    fn every_answer_has_the_form_of_the_first() -> io::Result<()> {
        let form = Form::learn(answer(FIRST, "7001236").as_bytes(), Answer::Sum)?;
        assert_eq!(form.read(answer(12, "14").as_bytes()), Some(12));
        assert_eq!(form.read(answer(12, "15").as_bytes()), None);
        assert_eq!(form.read(answer(12, "14 ").as_bytes()), None);
        assert_eq!(form.read(b"{}"), None);
        Ok(())
    }

    #[test]
    fn a_wrong_first_answer_is_refused() {
        assert!(Form::learn(answer(FIRST, "8").as_bytes(), Answer::Sum).is_err());
        assert!(Form::learn(answer(FIRST + 1, "3").as_bytes(), Answer::Text("3")).is_err());
        assert!(Form::learn(answer(FIRST, "3").as_bytes(), Answer::Text("3")).is_ok());
    }
}

//! A message over the size limit: what can be said of it without keeping it.

use super::tokens::unescape;
use crate::{ProtocolError, RequestId};

/// How far into an oversized message its id is looked for, in bytes.
const ID_WITHIN: usize = 64 * 1024;
/// The longest key that could be one of ours, each byte escaped, and one more: a key that is cut
/// must not look like one of ours.
const LONGEST_KEY: usize = 6 * 6 + 1;

/// Walks over a message in pieces and keeps four things: whether it is an object that has a
/// `method`, a `result` or an `error`, an `id`, and that id if it ended early enough.
///
/// The grammar is not checked: whatever the message says, it is too long.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four independent findings, not one state")]
pub struct Skim {
    seen: usize,
    depth: u64,
    string: Option<Escape>,
    /// At depth one: is the next string a key?
    expects_key: bool,
    key: Vec<u8>,
    is_object: bool,
    has_method: bool,
    has_answer: bool,
    has_id: bool,
    value: Value,
    id: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum Escape {
    No,
    Next,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Value {
    #[default]
    OfOther,
    OfId,
    /// Complete, and within reach.
    IdKept,
}

impl Skim {
    /// Walks over the next piece.
    pub fn read(&mut self, piece: &[u8]) {
        for &byte in piece {
            self.step(byte);
            self.seen = self.seen.saturating_add(1);
        }
    }

    /// The answer, once the message has ended; `None` if none is due.
    #[must_use]
    pub fn refusal(&self, limit: usize) -> Option<(Option<RequestId<'_>>, ProtocolError)> {
        let is_answer = self.has_answer && !self.has_method;
        let is_notification = self.has_method && !self.has_id;
        if self.is_object && (is_answer || is_notification) {
            return None;
        }
        let id = (self.value == Value::IdKept)
            .then(|| std::str::from_utf8(&self.id).ok().and_then(RequestId::read))
            .flatten();
        Some((id, ProtocolError::TooLarge { limit }))
    }

    fn step(&mut self, byte: u8) {
        if let Some(escape) = self.string {
            self.in_string(byte, escape);
            return;
        }
        if self.value == Value::OfId && self.depth == 1 && matches!(byte, b',' | b'}') {
            self.end_id();
        }
        match byte {
            b'"' => self.string = Some(Escape::No),
            b'{' | b'[' => {
                self.depth += 1;
                if self.depth == 1 && byte == b'{' && !self.is_object {
                    self.is_object = true;
                    self.expects_key = true;
                }
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b',' if self.depth == 1 => self.expects_key = true,
            b':' if self.depth == 1 && self.expects_key => {
                self.end_key();
                return;
            }
            _ => {}
        }
        self.keep(byte);
    }

    fn in_string(&mut self, byte: u8, escape: Escape) {
        self.string = match (escape, byte) {
            (Escape::No, b'\\') => Some(Escape::Next),
            (Escape::No, b'"') => None,
            (Escape::Next | Escape::No, _) => Some(Escape::No),
        };
        if self.depth == 1 && self.expects_key && self.string.is_some() {
            if self.key.len() < LONGEST_KEY {
                self.key.push(byte);
            }
        } else {
            self.keep(byte);
        }
    }

    fn end_key(&mut self) {
        match unescape(&self.key).as_str() {
            "id" => {
                // Of two ids neither is the one.
                self.value = if self.has_id { Value::OfOther } else { Value::OfId };
                self.has_id = true;
                self.id.clear();
            }
            "method" => self.has_method = true,
            "result" | "error" => self.has_answer = true,
            _ => {}
        }
        self.key.clear();
        self.expects_key = false;
    }

    fn keep(&mut self, byte: u8) {
        if self.value == Value::OfId && self.seen < ID_WITHIN {
            self.id.push(byte);
        }
    }

    fn end_id(&mut self) {
        self.value = if self.seen <= ID_WITHIN { Value::IdKept } else { Value::OfOther };
        let is_space = |byte: &u8| byte.is_ascii_whitespace();
        while self.id.last().is_some_and(is_space) {
            self.id.pop();
        }
        let lead = self.id.iter().take_while(|byte| is_space(byte)).count();
        self.id.drain(..lead);
    }
}

#[cfg(test)]
mod tests {
    use super::{ID_WITHIN, Skim};

    /// `silence`, `no id`, or the id that the refusal goes to.
    fn skim(message: &str, piece: usize) -> String {
        let mut skim = Skim::default();
        message.as_bytes().chunks(piece).for_each(|piece| skim.read(piece));
        match skim.refusal(1) {
            None => "silence".to_owned(),
            Some((None, _)) => "no id".to_owned(),
            Some((Some(id), _)) => id.as_json().to_owned(),
        }
    }

    fn skimmed(message: &str) -> String {
        let whole = skim(message, usize::MAX);
        assert_eq!(whole, skim(message, 1), "pieces must not matter: {message}");
        whole
    }

    #[test]
    fn a_request_keeps_its_id() {
        assert_eq!(skimmed(r#"{"id": 7 ,"method":"m"}"#), "7");
        assert_eq!(skimmed(r#"{"method":"m","params":{"id":1,"x":"}"},"id":"a,}"}"#), r#""a,}""#);
        assert_eq!(skimmed(r#"{"\u0069d":7,"method":"m"}"#), "7");
    }

    #[test]
    fn an_id_that_is_late_ambiguous_or_invalid_is_not_used() {
        let late = format!(r#"{{"method":"m","x":"{}","id":7}}"#, "x".repeat(ID_WITHIN));
        assert_eq!(skimmed(&late), "no id");
        assert_eq!(skimmed(r#"{"id":7,"id":8,"method":"m"}"#), "no id");
        assert_eq!(skimmed(r#"{"id":null,"method":"m"}"#), "no id");
        assert_eq!(skimmed(r#"{"id":7"#), "no id");
        assert_eq!(skimmed(r#"{"id":7:7,"method":"m"}"#), "no id");
    }

    #[test]
    fn a_key_that_only_begins_like_one_of_ours_is_another() {
        let key = r"\u006d\u0065\u0074\u0068\u006f\u0064";
        assert_eq!(skimmed(&format!(r#"{{"{key}":"m"}}"#)), "silence");
        assert_eq!(skimmed(&format!(r#"{{"{key}X":"m"}}"#)), "no id");
    }

    #[test]
    fn a_notification_and_an_answer_are_met_with_silence() {
        assert_eq!(skimmed(r#"{"method":"m","params":{"id":7}}"#), "silence");
        assert_eq!(skimmed(r#"{"id":7,"result":{"method":"m"}}"#), "silence");
    }

    #[test]
    fn what_is_no_object_is_refused_without_an_id() {
        assert_eq!(skimmed(r#"[{"id":7,"method":"m"}]"#), "no id");
        assert_eq!(skimmed("xxxx"), "no id");
    }
}

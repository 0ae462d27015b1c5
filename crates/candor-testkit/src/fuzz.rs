//! What must hold of a session, whatever is said in it.

use std::collections::HashMap;
use std::fmt;

use candor_transport::{Answerer, Limits};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::conversation::{converse, paused};
use crate::fault::Pieces;

/// The largest message that [`one_session`] lets a server read: small, so that larger ones are
/// met with too.
pub const MAX_MESSAGE: usize = 4096;

/// Says these bytes to a server, to the end, and judges what comes back. The clock stands still,
/// so a tool that never ends runs out of its time at once; no tool may block a thread.
///
/// # Panics
///
/// One of these does not hold:
///
/// - the session ends, and nothing in it panics;
/// - what comes back is lines, each one JSON object, or an array of them where arrays were said;
/// - each object says `"jsonrpc":"2.0"` and has exactly one of `result` and `error`;
/// - an `id` that comes back is the bytes of one that was said;
/// - each request is answered at most once, and exactly once where nothing was called off;
/// - notifications and answers are not answered;
/// - whatever else comes back is progress, by a token that was said.
pub fn one_session(answerer: impl Answerer, said: &[u8]) {
    let mut limits = Limits::default();
    limits.max_message = MAX_MESSAGE;
    let pieces = Pieces::new(said, [3, 61, 1024]);
    let heard = paused(converse(answerer, pieces, limits));
    judge(said, &heard);
}

/// What a line may be answered with, as far as a simple reader can tell.
#[derive(Debug, PartialEq, Eq)]
enum Line<'a> {
    /// Exactly one answer, with this id.
    Request(&'a str),
    /// None.
    Silent { calls_off: bool },
    /// At most so many.
    Unclear(usize),
}

fn judge(said: &[u8], heard: &str) {
    let mut due: HashMap<&str, usize> = HashMap::new();
    let (mut unclear, mut arrays, mut has_cancel) = (0, false, false);
    for line in lines(said) {
        match understand(line) {
            Line::Request(id) => *due.entry(id).or_default() += 1,
            Line::Silent { calls_off } => has_cancel |= calls_off,
            Line::Unclear(most) => {
                unclear += most;
                arrays |= line.trim_ascii_start().starts_with(b"[");
            }
        }
    }
    let mut came: HashMap<String, usize> = HashMap::new();
    let mut total = 0;
    for line in heard.split_terminator('\n') {
        for answer in answers(line, arrays) {
            let members = members(answer.as_bytes());
            if judge_progress(said, answer, &members) {
                continue;
            }
            total += 1;
            let member = |key| members.iter().find(|(name, _)| name == key).map(|it| it.1.get());
            assert_eq!(member("jsonrpc"), Some("\"2.0\""), "in {answer}");
            let is_one = member("result").is_some() != member("error").is_some();
            assert!(is_one, "exactly one of `result` and `error`: {answer}");
            if let Some(id) = member("id") {
                let was_said = said.windows(id.len()).any(|part| part == id.as_bytes());
                assert!(was_said, "an id that nobody said: {answer}");
                *came.entry(id.to_owned()).or_default() += 1;
            }
        }
    }
    let requests: usize = due.values().sum();
    assert!(total <= requests + unclear, "{total} answers to {requests}, or {unclear} more");
    for (id, due) in due {
        let came = came.get(id).copied().unwrap_or_default();
        assert!(came <= due + unclear, "{came} answers to {due} requests of id {id}");
        // In an array, or called off by a line that is not read as one here, it may be missing.
        assert!(came >= due || has_cancel || arrays, "{came} answers to {due} requests of id {id}");
    }
}

/// Is it a report of progress? Then it has the shape of one.
fn judge_progress(said: &[u8], line: &str, members: &[(String, &RawValue)]) -> bool {
    let names: Vec<_> = members.iter().map(|(name, _)| name.as_str()).collect();
    if !names.contains(&"method") {
        return false;
    }
    assert_eq!(names, ["jsonrpc", "method", "params"], "in {line}");
    assert!(line.contains(r#""method":"notifications/progress""#), "nobody asked for {line}");
    let params = members.iter().find(|(name, _)| name == "params");
    let params: Value = params
        .and_then(|(_, json)| serde_json::from_str(json.get()).ok())
        .unwrap_or_else(|| panic!("no params: {line}"));
    assert!(params.get("progress").is_some_and(Value::is_number), "no number: {line}");
    let token = line.split_once(r#""progressToken":"#).map(|(_, rest)| rest);
    let token = token.and_then(|rest| rest.split_once(r#","progress":"#)).map(|(token, _)| token);
    let was_said = |token: &str| said.windows(token.len()).any(|part| part == token.as_bytes());
    assert!(token.is_some_and(was_said), "a token that nobody said: {line}");
    true
}

/// The lines that say anything.
fn lines(said: &[u8]) -> impl Iterator<Item = &[u8]> {
    said.split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.iter().all(u8::is_ascii_whitespace))
}

fn understand(line: &[u8]) -> Line<'_> {
    if line.len() > MAX_MESSAGE {
        return Line::Unclear(1);
    }
    if let Ok(elements) = serde_json::from_slice::<Vec<&RawValue>>(line) {
        return Line::Unclear(elements.len().max(1));
    }
    let Ok(Members(members)) = serde_json::from_slice(line) else { return Line::Unclear(1) };
    let named = |key| {
        let mut values = members.iter().filter(move |(name, _)| name == key);
        (values.next().map(|it| it.1.get()), values.next().is_some())
    };
    let ((id, is_repeated), (method, two_methods)) = (named("id"), named("method"));
    if is_repeated || two_methods {
        return Line::Unclear(1);
    }
    let is_answer = named("result").0.is_some() || named("error").0.is_some();
    let method: Option<Option<String>> = method.map(|json| serde_json::from_str(json).ok());
    match (id, method) {
        (_, None) if is_answer => Line::Silent { calls_off: false },
        (None, Some(Some(method))) => {
            Line::Silent { calls_off: method == "notifications/cancelled" }
        }
        (Some(id), _) if is_surely_an_id(id) => Line::Request(id),
        _ => Line::Unclear(1),
    }
}

/// Integers in other forms are ids too, but not for this reader to tell.
fn is_surely_an_id(json: &str) -> bool {
    let digits = json.strip_prefix('-').unwrap_or(json);
    digits.bytes().all(|byte| byte.is_ascii_digit()) || serde_json::from_str::<String>(json).is_ok()
}

fn answers(line: &str, arrays: bool) -> Vec<&str> {
    if !line.starts_with('[') {
        return vec![line];
    }
    assert!(arrays, "an array, and none was said: {line}");
    let elements: Vec<&RawValue> =
        serde_json::from_str(line).unwrap_or_else(|cause| panic!("{cause}: {line}"));
    assert!(!elements.is_empty(), "an empty array came back");
    elements.into_iter().map(RawValue::get).collect()
}

fn members(object: &[u8]) -> Vec<(String, &RawValue)> {
    match serde_json::from_slice(object) {
        Ok(Members(members)) => members,
        Err(cause) => panic!("{cause}: {}", String::from_utf8_lossy(object)),
    }
}

/// The members of an object, with those that are repeated.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(String, &'de RawValue)>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(InOrder).map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, judge, understand};

    #[test]
    fn a_line_is_understood_as_far_as_it_is_clear() {
        let is = |line: &'static str| understand(line.as_bytes());
        assert_eq!(is(r#"{"id":"a\u0062","method":"m"}"#), Line::Request(r#""a\u0062""#));
        assert_eq!(is(r#"{"id":-7,"method":7}"#), Line::Request("-7"));
        assert_eq!(is(r#"{"method":"m"}"#), Line::Silent { calls_off: false });
        assert_eq!(is(r#"{"id":7,"result":{}}"#), Line::Silent { calls_off: false });
        assert_eq!(
            is(r#"{"method":"notifications\/cancelled"}"#),
            Line::Silent { calls_off: true }
        );
        assert_eq!(is(r#"{"id":1,"id":2,"method":"m"}"#), Line::Unclear(1));
        assert_eq!(is("[1,2,3]"), Line::Unclear(3));
        assert_eq!(is("{"), Line::Unclear(1));
    }

    #[test]
    fn a_request_and_its_answer_are_a_session() {
        judge(b"{\"id\":1,\"method\":\"m\"}\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    }

    #[test]
    #[should_panic(expected = "0 answers to 1 requests of id 1")]
    fn a_request_without_an_answer_is_none() {
        judge(b"{\"id\":1,\"method\":\"m\"}\n", "");
    }

    #[test]
    #[should_panic(expected = "2 answers to 1")]
    fn an_answer_said_twice_is_none() {
        let answer = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
        judge(b"{\"id\":1,\"method\":\"m\"}\n", &answer.repeat(2));
    }

    #[test]
    #[should_panic(expected = "exactly one of")]
    fn an_answer_on_both_channels_is_none() {
        judge(b"x", "{\"jsonrpc\":\"2.0\",\"result\":{},\"error\":{}}\n");
    }

    const PROGRESS: &str = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}"#;

    #[test]
    fn progress_is_no_answer() {
        judge(br#"{"method":"m","params":{"_meta":{"progressToken":"t"}}}"#, PROGRESS);
    }

    #[test]
    #[should_panic(expected = "a token that nobody said")]
    fn progress_by_a_token_of_the_servers_own_is_none() {
        judge(b"x", PROGRESS);
    }

    #[test]
    #[should_panic(expected = "nobody asked for")]
    fn no_other_notification_is_asked_for() {
        judge(b"x", r#"{"jsonrpc":"2.0","method":"notifications/x","params":{}}"#);
    }

    #[test]
    #[should_panic(expected = "an id that nobody said")]
    fn an_id_of_the_servers_own_is_none() {
        judge(b"x", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n");
    }
}

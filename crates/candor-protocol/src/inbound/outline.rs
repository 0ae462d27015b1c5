//! Bytes to outline: one shallow pass over a message.
//!
//! The pass checks the whole line (grammar, escapes, nesting, repeated keys) and keeps only where
//! the members that MCP gives a meaning stand. Nothing is decoded and nothing is copied: values
//! stay the peer's own bytes until the step that needs them reads them.
//!
//! It is written by hand because a general reader answers too little: `serde_json`'s raw values
//! let lone surrogates and any depth through, its maps let the last of two equal keys win, and
//! both forget where a message that breaks off had got to.

use std::borrow::Cow;
use std::ops::Range;

use super::tokens::{NotJson, StringEnd, literal, number, skip_space, string, unescape};

/// How deep a message may nest, the message itself being level one.
pub const MAX_DEPTH: usize = 128;
/// How many keys the objects that are open at one place of a message may have. They have to be
/// remembered until their objects end, and a small message can say many.
pub const MAX_KEYS: usize = 100_000;

/// A member that MCP gives a meaning, by the object it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    // The message.
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    // `params`.
    Meta,
    Name,
    Arguments,
    Cursor,
    RequestId,
    RequestState,
    InputResponses,
    HandshakeVersion,
    // `params._meta`.
    Version,
    Capabilities,
    LogLevel,
    ProgressToken,
}

const SLOTS: usize = 18;

/// How many elements of an outermost array are remembered: one more than a batch may have.
const MAX_ELEMENTS: usize = super::Batch::MOST + 1;

/// Where an object stands; decides what its members mean and who is told of a repeated key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Message,
    Params,
    Meta,
    Arguments,
    Elsewhere,
}

impl Slot {
    fn named(place: Place, key: &str) -> Option<Self> {
        Some(match (place, key) {
            (Place::Message, "jsonrpc") => Self::Jsonrpc,
            (Place::Message, "id") => Self::Id,
            (Place::Message, "method") => Self::Method,
            (Place::Message, "params") => Self::Params,
            (Place::Message, "result") => Self::Result,
            (Place::Message, "error") => Self::Error,
            (Place::Params, "_meta") => Self::Meta,
            (Place::Params, "name") => Self::Name,
            (Place::Params, "arguments") => Self::Arguments,
            (Place::Params, "cursor") => Self::Cursor,
            (Place::Params, "requestId") => Self::RequestId,
            (Place::Params, "requestState") => Self::RequestState,
            (Place::Params, "inputResponses") => Self::InputResponses,
            (Place::Params, "protocolVersion") => Self::HandshakeVersion,
            (Place::Meta, "io.modelcontextprotocol/protocolVersion") => Self::Version,
            (Place::Meta, "io.modelcontextprotocol/clientCapabilities") => Self::Capabilities,
            (Place::Meta, "io.modelcontextprotocol/logLevel") => Self::LogLevel,
            (Place::Meta, "progressToken") => Self::ProgressToken,
            (
                Place::Message | Place::Params | Place::Meta | Place::Arguments | Place::Elsewhere,
                _,
            ) => return None,
        })
    }

    /// The place that the value of this member opens, should it be a container.
    fn opens(self) -> Place {
        match self {
            Self::Params => Place::Params,
            Self::Meta => Place::Meta,
            Self::Arguments => Place::Arguments,
            Self::Jsonrpc
            | Self::Id
            | Self::Method
            | Self::Result
            | Self::Error
            | Self::Name
            | Self::Cursor
            | Self::RequestId
            | Self::RequestState
            | Self::InputResponses
            | Self::HandshakeVersion
            | Self::Version
            | Self::Capabilities
            | Self::LogLevel
            | Self::ProgressToken => Place::Elsewhere,
        }
    }
}

/// What is wrong with a message whose grammar is sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// An object has more than [`MAX_KEYS`] members.
    TooManyKeys,
    /// A string holds half of a surrogate pair, so it is no Unicode text.
    LoneSurrogate,
}

/// What the outermost value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Object,
    Array,
    Scalar,
}

/// Where the members stand in the line that was read last.
#[derive(Debug)]
pub(crate) struct Outline {
    pub(crate) shape: Shape,
    pub(crate) flaw: Option<Flaw>,
    /// The message object has two ids: neither is the one.
    pub(crate) has_two_ids: bool,
    /// A key that the message object says twice.
    pub(crate) repeated_in_message: Option<Range<usize>>,
    /// A key said twice in `params` or anything in it, `arguments` apart.
    pub(crate) repeated_in_params: Option<Range<usize>>,
    /// A key said twice in `arguments`, at any depth.
    pub(crate) repeated_in_arguments: Option<Range<usize>>,
    slots: [Option<Range<usize>>; SLOTS],
}

impl Outline {
    const fn new() -> Self {
        Self {
            shape: Shape::Scalar,
            flaw: None,
            has_two_ids: false,
            repeated_in_message: None,
            repeated_in_params: None,
            repeated_in_arguments: None,
            slots: [const { None }; SLOTS],
        }
    }

    /// Where the value of a member stands.
    pub(crate) fn at(&self, slot: Slot) -> Option<Range<usize>> {
        self.slots.get(slot as usize).cloned().flatten()
    }

    pub(crate) fn has(&self, slot: Slot) -> bool {
        self.slots.get(slot as usize).is_some_and(Option::is_some)
    }

    fn keep(&mut self, slot: Slot, span: Range<usize>) {
        if let Some(kept) = self.slots.get_mut(slot as usize) {
            *kept = Some(span);
        }
    }
}

/// Reads lines, and keeps its working memory from one line to the next.
#[derive(Debug)]
pub struct Reader {
    outline: Outline,
    frames: Vec<Frame>,
    keys: Vec<Key>,
    /// The containers beyond [`MAX_DEPTH`], one bit each: a line of a million brackets must not
    /// cost a million frames.
    beyond: Bits,
    elements: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    is_object: bool,
    place: Place,
    /// Filled when the container closes.
    slot: Option<Slot>,
    start: usize,
    first_key: usize,
}

#[derive(Clone, Debug)]
struct Key {
    span: Range<usize>,
    is_escaped: bool,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    CommaOrEnd,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// A reader that has read nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            outline: Outline::new(),
            frames: Vec::new(),
            keys: Vec::new(),
            beyond: Bits::new(),
            elements: Vec::new(),
        }
    }

    pub(crate) const fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Where the elements stand, if the outermost value was an array.
    pub(crate) fn elements(&self) -> &[Range<usize>] {
        &self.elements
    }

    /// Is this one JSON text that every reader takes for the same: whole characters, no key said
    /// twice, no nesting that a reader might not follow?
    #[must_use]
    pub fn is_sound(&mut self, json: &str) -> bool {
        let is_json = self.read(json.as_bytes()).is_ok();
        let Outline {
            flaw, repeated_in_message, repeated_in_params, repeated_in_arguments, ..
        } = &self.outline;
        let repeated = [repeated_in_message, repeated_in_params, repeated_in_arguments];
        is_json && flaw.is_none() && repeated.into_iter().all(Option::is_none)
    }

    /// Reads one line.
    ///
    /// After an error [`Self::outline`] still tells which members of the message object had been
    /// met, which is how a broken answer is told from a broken request.
    ///
    /// UTF-8 is the caller's to check: the pass walks over any byte from 0x80 up inside a string.
    pub(crate) fn read(&mut self, line: &[u8]) -> Result<(), NotJson> {
        self.outline = Outline::new();
        self.frames.clear();
        self.keys.clear();
        self.beyond.clear();
        self.elements.clear();
        let outcome = self.pass(line);
        // A line of many keys, read once, must not keep its memory for ever.
        self.keys.clear();
        self.keys.shrink_to(1024);
        outcome
    }

    fn pass(&mut self, line: &[u8]) -> Result<(), NotJson> {
        let mut at = skip_space(line, 0);
        let mut next = Next::Value;
        let mut slot = None;
        self.outline.shape = match line.get(at) {
            Some(b'{') => Shape::Object,
            Some(b'[') => Shape::Array,
            Some(_) | None => Shape::Scalar,
        };
        loop {
            let Some(&byte) = line.get(at) else { return Err(NotJson) };
            let start = at;
            match (byte, next) {
                (b'"', Next::Key | Next::KeyOrEnd) => {
                    let string = self.string(line, at)?;
                    let key =
                        Key { span: start + 1..string.end - 1, is_escaped: string.is_escaped };
                    at = skip_space(line, string.end);
                    if line.get(at) != Some(&b':') {
                        return Err(NotJson);
                    }
                    at = skip_space(line, at + 1);
                    slot = self.meet(line, key);
                    next = Next::Value;
                    continue;
                }
                (b'}', Next::KeyOrEnd | Next::CommaOrEnd) if self.is_in_object() => {
                    at += 1;
                    self.close(line, at);
                }
                (b']', Next::ValueOrEnd | Next::CommaOrEnd) if !self.is_in_object() => {
                    at += 1;
                    self.close(line, at);
                }
                (b',', Next::CommaOrEnd) => {
                    at = skip_space(line, at + 1);
                    next = if self.is_in_object() { Next::Key } else { Next::Value };
                    continue;
                }
                (b'{', Next::Value | Next::ValueOrEnd) => {
                    self.open(true, slot.take(), start);
                    at = skip_space(line, at + 1);
                    next = Next::KeyOrEnd;
                    continue;
                }
                (b'[', Next::Value | Next::ValueOrEnd) => {
                    self.open(false, slot.take(), start);
                    at = skip_space(line, at + 1);
                    next = Next::ValueOrEnd;
                    continue;
                }
                (_, Next::Value | Next::ValueOrEnd) => {
                    at = self.scalar(line, byte, at)?;
                    self.finish(slot.take(), start..at);
                }
                _ => return Err(NotJson),
            }
            // A value has just ended.
            at = skip_space(line, at);
            if self.frames.is_empty() {
                return if at == line.len() { Ok(()) } else { Err(NotJson) };
            }
            next = Next::CommaOrEnd;
        }
    }

    fn scalar(&mut self, line: &[u8], first: u8, at: usize) -> Result<usize, NotJson> {
        match first {
            b'"' => Ok(self.string(line, at)?.end),
            b't' => literal(line, at, b"true"),
            b'f' => literal(line, at, b"false"),
            b'n' => literal(line, at, b"null"),
            b'-' | b'0'..=b'9' => number(line, at),
            _ => Err(NotJson),
        }
    }

    fn string(&mut self, line: &[u8], at: usize) -> Result<StringEnd, NotJson> {
        let string = string(line, at)?;
        if string.has_lone_surrogate {
            self.outline.flaw.get_or_insert(Flaw::LoneSurrogate);
        }
        Ok(string)
    }

    fn is_in_object(&self) -> bool {
        self.beyond.last().unwrap_or_else(|| self.frames.last().is_some_and(|it| it.is_object))
    }

    fn open(&mut self, is_object: bool, slot: Option<Slot>, start: usize) {
        if self.frames.len() == MAX_DEPTH {
            self.outline.flaw.get_or_insert(Flaw::TooDeep);
            self.beyond.push(is_object);
            return;
        }
        let place = match (self.frames.last(), slot) {
            (None, _) if is_object => Place::Message,
            (Some(_), Some(slot)) if is_object => slot.opens(),
            (Some(outer), _) if outer.place == Place::Arguments => Place::Arguments,
            (None | Some(_), _) => Place::Elsewhere,
        };
        let first_key = self.keys.len();
        self.frames.push(Frame { is_object, place, slot, start, first_key });
    }

    fn close(&mut self, line: &[u8], end: usize) {
        if self.beyond.pop().is_some() {
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        if frame.is_object {
            let repeated = self.keys.get(frame.first_key..).and_then(|keys| repeated(line, keys));
            self.keys.truncate(frame.first_key);
            if let Some(key) = repeated {
                let is_in_params = frame.place == Place::Params
                    || self.frames.get(1).is_some_and(|it| it.place == Place::Params);
                let noted = match frame.place {
                    Place::Message => &mut self.outline.repeated_in_message,
                    Place::Arguments => &mut self.outline.repeated_in_arguments,
                    Place::Params | Place::Meta | Place::Elsewhere if is_in_params => {
                        &mut self.outline.repeated_in_params
                    }
                    Place::Params | Place::Meta | Place::Elsewhere => {
                        &mut self.outline.repeated_in_message
                    }
                };
                noted.get_or_insert(key);
            }
        }
        self.finish(frame.slot, frame.start..end);
    }

    /// A key has been read: which member is it?
    fn meet(&mut self, line: &[u8], key: Key) -> Option<Slot> {
        if !self.beyond.is_empty() {
            return None;
        }
        let place = self.frames.last().map_or(Place::Elsewhere, |it| it.place);
        let slot = Slot::named(place, &key_text(line, &key));
        self.outline.has_two_ids |= slot == Some(Slot::Id) && self.outline.has(Slot::Id);
        if self.keys.len() < MAX_KEYS {
            self.keys.push(key);
        } else {
            self.outline.flaw.get_or_insert(Flaw::TooManyKeys);
        }
        // Known from here on, even if the message breaks off inside the value.
        if let Some(slot @ (Slot::Method | Slot::Result | Slot::Error)) = slot {
            self.outline.keep(slot, 0..0);
        }
        slot
    }

    /// A value that is not beyond the deepest level has been read.
    fn finish(&mut self, slot: Option<Slot>, span: Range<usize>) {
        if let Some(slot) = slot {
            self.outline.keep(slot, span);
        } else if self.outline.shape == Shape::Array
            && self.frames.len() == 1
            && self.beyond.is_empty()
            && self.elements.len() < MAX_ELEMENTS
        {
            self.elements.push(span);
        }
    }
}

fn key_text<'a>(line: &'a [u8], key: &Key) -> Cow<'a, str> {
    let raw = line.get(key.span.clone()).unwrap_or_default();
    if key.is_escaped { Cow::Owned(unescape(raw)) } else { String::from_utf8_lossy(raw) }
}

/// Finds a key that stands twice among those of one object.
fn repeated(line: &[u8], keys: &[Key]) -> Option<Range<usize>> {
    const FEW: usize = 12;
    let raw = |key: &Key| line.get(key.span.clone()).unwrap_or_default();
    if keys.len() <= FEW && keys.iter().all(|key| !key.is_escaped) {
        let mut rest = keys;
        while let Some((key, later)) = rest.split_first() {
            if let Some(twin) = later.iter().find(|it| raw(it) == raw(key)) {
                return Some(twin.span.clone());
            }
            rest = later;
        }
        return None;
    }
    // Sorting bounds the work whatever the keys are; a hash table would have to be keyed first.
    // Each key is decoded once, and a comparison ends where two keys first differ.
    let mut sorted: Vec<_> = keys
        .iter()
        .map(|key| {
            let text = if key.is_escaped {
                Cow::Owned(unescape(raw(key)).into_bytes())
            } else {
                Cow::Borrowed(raw(key))
            };
            (text, key)
        })
        .collect();
    sorted.sort_unstable_by(|(one, a), (other, b)| {
        one.cmp(other).then(a.span.start.cmp(&b.span.start))
    });
    sorted.windows(2).find_map(|pair| match pair {
        [(one, _), (other, key)] if one == other => Some(key.span.clone()),
        _ => None,
    })
}

/// A stack of bits.
#[derive(Debug)]
struct Bits {
    words: Vec<u64>,
    length: usize,
}

impl Bits {
    const fn new() -> Self {
        Self { words: Vec::new(), length: 0 }
    }

    fn clear(&mut self) {
        self.words = Vec::new();
        self.length = 0;
    }

    const fn is_empty(&self) -> bool {
        self.length == 0
    }

    fn push(&mut self, bit: bool) {
        if self.length.is_multiple_of(64) {
            self.words.push(0);
        }
        if let Some(word) = self.words.last_mut() {
            *word = (*word << 1) | u64::from(bit);
        }
        self.length += 1;
    }

    fn last(&self) -> Option<bool> {
        self.words.last().map(|word| word & 1 == 1)
    }

    fn pop(&mut self) -> Option<bool> {
        let bit = self.last()?;
        self.length -= 1;
        if self.length.is_multiple_of(64) {
            self.words.pop();
        } else if let Some(word) = self.words.last_mut() {
            *word >>= 1;
        }
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Flaw, MAX_DEPTH, NotJson, Reader, Shape, Slot};

    fn read(line: &str) -> Result<Reader, NotJson> {
        let mut reader = Reader::new();
        reader.read(line.as_bytes()).map(|()| reader)
    }

    fn slot(line: &str, slot: Slot) -> Option<&str> {
        read(line).unwrap().outline().at(slot).map(|span| &line[span])
    }

    #[test]
    fn members_are_found_wherever_they_stand_and_however_their_keys_are_written() {
        let line = r#" { "params" : {"x":[{"name":"no"}], "n\u0061me":"yes"} , "\u0069d":7.0e0 } "#;

        assert_eq!(slot(line, Slot::Name), Some("\"yes\""));
        assert_eq!(slot(line, Slot::Id), Some("7.0e0"));
        assert_eq!(slot(line, Slot::Arguments), None);
    }

    #[test]
    fn a_repeated_key_is_noted_where_it_stands() {
        let in_message = read(r#"{"id":1,"id":2}"#).unwrap();
        let in_params = read(r#"{"params":{"x":{"a":1,"b":2,"a":3}}}"#).unwrap();
        let in_arguments = read(r#"{"params":{"arguments":{"d":[{"a":1,"\u0061":2}]}}}"#).unwrap();

        assert!(in_message.outline().repeated_in_message.is_some());
        assert!(in_params.outline().repeated_in_params.is_some());
        assert!(in_params.outline().repeated_in_message.is_none());
        assert!(in_arguments.outline().repeated_in_arguments.is_some());
        assert!(in_arguments.outline().repeated_in_params.is_none());
    }

    #[test]
    fn a_repeated_key_among_many_is_found_too() {
        let keys: Vec<_> = (0..50).map(|n| format!("\"k{}\":0", n % 49)).collect();
        let line = format!(r#"{{"params":{{"arguments":{{{}}}}}}}"#, keys.join(","));

        assert!(read(&line).unwrap().outline().repeated_in_arguments.is_some());
    }

    #[test]
    fn nesting_is_counted_and_never_recursed_into() {
        let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));

        assert_eq!(read(&nested(MAX_DEPTH)).unwrap().outline().flaw, None);
        assert_eq!(read(&nested(MAX_DEPTH + 1)).unwrap().outline().flaw, Some(Flaw::TooDeep));
        assert_eq!(read(&nested(200_000)).unwrap().outline().flaw, Some(Flaw::TooDeep));
    }

    #[test]
    fn members_after_a_deep_value_are_still_found() {
        let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
        let line = format!(r#"{{"params":{{"x":{deep}}},"id":9}}"#);

        assert_eq!(slot(&line, Slot::Id), Some("9"));
    }

    #[test]
    fn half_a_surrogate_pair_is_a_flaw_and_a_whole_one_is_not() {
        assert_eq!(read(r#"["\ud83c\udf89"]"#).unwrap().outline().flaw, None);
        for half in [r#"["\ud800"]"#, r#"["\udc00"]"#, r#"["\ud800\u0041"]"#, r#"["\ud800\ud800"]"#]
        {
            assert_eq!(read(half).unwrap().outline().flaw, Some(Flaw::LoneSurrogate), "{half}");
        }
    }

    #[test]
    fn what_had_been_met_before_a_line_broke_off_is_known() {
        let mut reader = Reader::new();
        assert_eq!(reader.read(br#"{"jsonrpc":"2.0","id":1,"result":{"a":"#), Err(NotJson));

        assert!(reader.outline().has(Slot::Result));
        assert!(!reader.outline().has(Slot::Method));
    }

    #[test]
    fn a_long_key_among_many_costs_what_it_is_long() {
        // Decoding it at each comparison made a line of this kind take minutes.
        let long = format!("\"k\\u0061{}\":0", "a".repeat(1_000_000));
        let keys: Vec<_> = (0..50_000).map(|n| format!("\"{}\":0", (n * 7919) % 50_000)).collect();
        let line = format!("{{{},{long},\"7\":0}}", keys.join(","));

        assert!(read(&line).unwrap().outline().repeated_in_message.is_some());
    }

    #[test]
    fn more_keys_than_are_remembered_are_a_flaw() {
        let keys: Vec<_> = (0..=super::MAX_KEYS).map(|n| format!("\"{n}\":0")).collect();
        let line = format!("{{{}}}", keys.join(","));

        assert_eq!(read(&line).unwrap().outline().flaw, Some(Flaw::TooManyKeys));
    }

    #[test]
    fn json_that_readers_would_take_for_different_things_is_not_sound() {
        let is_sound = |json: &str| Reader::new().is_sound(json);

        assert!(is_sound(r#"{"a":[1e400,{"a":null}]}"#));
        for json in [r#"{"a":1,"a":2}"#, r#"["\ud800"]"#, "{", "1 2", &"[".repeat(200)] {
            assert!(!is_sound(json), "{json}");
        }
    }

    #[test]
    fn the_elements_of_an_array_are_found() {
        let line = r#"[ {"id":1}, 2 , [3]]"#;
        let reader = read(line).unwrap();
        let elements: Vec<_> = reader.elements().iter().map(|it| &line[it.clone()]).collect();

        assert_eq!(reader.outline().shape, Shape::Array);
        assert_eq!(elements, [r#"{"id":1}"#, "2", "[3]"]);
    }

    #[test]
    fn of_an_endless_array_no_more_is_kept_than_shows_that_it_is_too_long() {
        let line = format!("[0{}]", ",0".repeat(100_000));
        assert_eq!(read(&line).unwrap().elements().len(), super::MAX_ELEMENTS);
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            (-1e300f64..1e300).prop_map(Into::into),
            any::<String>().prop_map(Into::into),
        ];
        leaf.prop_recursive(6, 64, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|it| it.into_iter().collect::<serde_json::Map<_, _>>().into()),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_serde_json_writes_is_read(value in json(), pretty in any::<bool>()) {
            let text = if pretty {
                serde_json::to_string_pretty(&value)
            } else {
                serde_json::to_string(&value)
            }
            .unwrap();
            let reader = read(&text).unwrap();
            prop_assert_eq!(reader.outline().flaw, None);
            prop_assert_eq!(reader.outline().repeated_in_message.clone(), None);
        }

        #[test]
        fn a_damaged_text_is_judged_as_serde_json_judges_it(
            value in json(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
        ) {
            let mut bytes = serde_json::to_vec(&value).unwrap();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let Ok(text) = std::str::from_utf8(&bytes) else { return Ok(()) };
            // serde_json's raw value checks the grammar but no surrogates and no depth, as we do.
            let theirs = serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok();
            prop_assert_eq!(read(text).is_ok(), theirs, "{}", text);
        }
    }
}

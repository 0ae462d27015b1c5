//! Bytes to envelope: the JSON-RPC 2.0 layer, before MCP means anything.

use std::borrow::Cow;
use std::ops::Range;

use super::outline::{Flaw, Outline, Reader, Shape, Slot, unescape};
use crate::{ProtocolError, RequestId};

/// One message, as JSON-RPC sees it.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "JSON-RPC closes this set")]
pub enum Envelope<'a> {
    /// Wants exactly one answer.
    Request(RequestEnvelope<'a>),
    /// Is never answered, whatever is wrong with it.
    Notification(Notification<'a>),
    /// Answers a request of ours, or is what is left of an answer. Never answered.
    Response,
    /// An array of messages, which only revision 2025-03-26 knows.
    Batch(Batch<'a>),
}

/// A request whose method is not understood yet.
#[derive(Debug)]
pub struct RequestEnvelope<'a> {
    /// Who to answer.
    pub id: RequestId<'a>,
    /// The method, as written.
    pub method: Cow<'a, str>,
    /// The parameters, unread.
    pub params: Params<'a>,
}

/// A message without an id.
#[derive(Debug)]
pub struct Notification<'a> {
    /// The method, as written.
    pub method: Cow<'a, str>,
    /// The parameters, unread; `None` if anything is wrong with the message.
    pub params: Option<Params<'a>>,
}

/// The elements of an array.
#[derive(Debug)]
pub struct Batch<'a> {
    elements: Vec<&'a [u8]>,
}

/// What a request is refused with, and to whom.
#[derive(Debug)]
pub struct Refusal<'a> {
    /// `None` if no valid id could be read: the member is then absent from the answer.
    pub id: Option<RequestId<'a>>,
    /// Why.
    pub error: ProtocolError,
}

/// The members of `params` that MCP gives a meaning: where they stand, not what they say.
#[derive(Debug)]
pub struct Params<'a> {
    line: &'a str,
    outline: &'a Outline,
}

impl<'a> Envelope<'a> {
    /// Reads one message.
    ///
    /// # Errors
    ///
    /// `-32700` if the bytes are not one JSON text in UTF-8, `-32600` if the JSON is no message.
    pub fn read(reader: &'a mut Reader, line: &'a [u8]) -> Result<Self, Refusal<'a>> {
        let is_json = reader.read(line).is_ok();
        let outline = reader.outline();
        let Ok(text) = std::str::from_utf8(line) else {
            return broken(outline, "a message is UTF-8 text");
        };
        if !is_json {
            return broken(outline, "a line is one JSON text");
        }
        match outline.shape {
            Shape::Object => Self::from_object(text, outline),
            Shape::Array => Ok(Self::Batch(Batch {
                elements: reader
                    .elements()
                    .iter()
                    .filter_map(|span| line.get(span.clone()))
                    .collect(),
            })),
            Shape::Scalar => refuse(None, "a message is a JSON object"),
        }
    }

    fn from_object(line: &'a str, outline: &'a Outline) -> Result<Self, Refusal<'a>> {
        let text = |slot| outline.at(slot).and_then(|span| line.get(span));
        let method = text(Slot::Method).map(read_string);
        let fault = fault(line, outline);
        let params = Params { line, outline };

        let Some(id) = text(Slot::Id) else {
            return match method {
                Some(Some(method)) => {
                    let params = (fault.is_none() && outline.flaw.is_none()).then_some(params);
                    Ok(Self::Notification(Notification { method, params }))
                }
                None if is_answer(outline) => Ok(Self::Response),
                Some(None) | None => refuse(None, fault.unwrap_or(NO_METHOD)),
            };
        };
        let id = if outline.has_two_ids { None } else { RequestId::read(id) };
        match (id, method, fault) {
            (_, None, _) if is_answer(outline) => Ok(Self::Response),
            (id, _, Some(fault)) => refuse(id, fault),
            (id, None | Some(None), None) => refuse(id, NO_METHOD),
            (None, Some(Some(_)), None) => refuse(None, "`id` must be a string or an integer"),
            (Some(id), Some(Some(method)), None) => {
                Ok(Self::Request(RequestEnvelope { id, method, params }))
            }
        }
    }
}

const NO_METHOD: &str = "`method` must be a string";

/// What breaks JSON-RPC, apart from the id and the method.
fn fault(line: &str, outline: &Outline) -> Option<&'static str> {
    let text = |slot| outline.at(slot).and_then(|span| line.get(span));
    if outline.repeated_in_message.is_some() {
        return Some("a key stands twice in the message");
    }
    if text(Slot::Jsonrpc).and_then(read_string).as_deref() != Some("2.0") {
        return Some("`jsonrpc` must be \"2.0\"");
    }
    if text(Slot::Params).is_some_and(|params| !params.starts_with('{')) {
        return Some("`params` must be an object");
    }
    None
}

fn is_answer(outline: &Outline) -> bool {
    !outline.has(Slot::Method) && (outline.has(Slot::Result) || outline.has(Slot::Error))
}

/// An answer of ours must not provoke another, not even one that arrives in pieces.
fn broken<'a>(outline: &Outline, reason: &'static str) -> Result<Envelope<'a>, Refusal<'a>> {
    if is_answer(outline) {
        return Ok(Envelope::Response);
    }
    Err(Refusal { id: None, error: ProtocolError::Parse { reason } })
}

fn refuse<'a>(
    id: Option<RequestId<'a>>,
    reason: &'static str,
) -> Result<Envelope<'a>, Refusal<'a>> {
    Err(Refusal { id, error: ProtocolError::InvalidRequest { reason } })
}

/// The text of a JSON string; `None` if the JSON is something else, or no Unicode text.
fn read_string(json: &str) -> Option<Cow<'_, str>> {
    let inside = json.strip_prefix('"')?.strip_suffix('"')?;
    if inside.contains('\\') {
        serde_json::from_str(json).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inside))
    }
}

impl<'a> Params<'a> {
    /// The JSON text of a member. Absent and null are told apart here, and nowhere later.
    pub(super) fn json(&self, slot: Slot) -> Option<&'a str> {
        self.outline.at(slot).and_then(|span| self.line.get(span))
    }

    /// The JSON text of a member; null reads as absent.
    pub(super) fn optional(&self, slot: Slot) -> Option<&'a str> {
        self.json(slot).filter(|json| *json != "null")
    }

    /// The text of a member that is a string.
    pub(super) fn string(&self, slot: Slot) -> Option<Cow<'a, str>> {
        self.json(slot).and_then(read_string)
    }

    pub(super) fn flaw(&self) -> Option<Flaw> {
        self.outline.flaw
    }

    pub(super) fn repeated_key(&self) -> Option<String> {
        self.key(self.outline.repeated_in_params.clone())
    }

    pub(super) fn repeated_key_in_arguments(&self) -> Option<String> {
        self.key(self.outline.repeated_in_arguments.clone())
    }

    fn key(&self, span: Option<Range<usize>>) -> Option<String> {
        self.line.get(span?).map(|key| unescape(key.as_bytes()))
    }

    /// The id that a cancellation names, if it names one and no more.
    #[must_use]
    pub fn request_id(&self) -> Option<RequestId<'a>> {
        let is_clear = self.outline.repeated_in_params.is_none();
        self.json(Slot::RequestId).filter(|_| is_clear).and_then(RequestId::read)
    }
}

impl<'a> Batch<'a> {
    /// The most messages that one array may hold.
    pub const MOST: usize = 100;

    /// The elements, each to be read as if it had come alone.
    ///
    /// # Errors
    ///
    /// `-32600`, for the whole, if it is empty, holds more than [`Batch::MOST`], or an
    /// `initialize`.
    pub fn elements(&self) -> Result<&[&'a [u8]], ProtocolError> {
        let refuse = |reason| Err(ProtocolError::InvalidRequest { reason });
        if self.elements.is_empty() {
            return refuse("a batch holds at least one message");
        }
        if self.elements.len() > Self::MOST {
            return refuse("a batch holds at most 100 messages");
        }
        let mut reader = Reader::new();
        let opens = self.elements.iter().any(|element| {
            matches!(Envelope::read(&mut reader, element),
                Ok(Envelope::Request(RequestEnvelope { method, .. })) if method == "initialize")
        });
        if opens {
            refuse("`initialize` stands alone, never in a batch")
        } else {
            Ok(&self.elements)
        }
    }
}

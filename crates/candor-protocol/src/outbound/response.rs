//! Either channel to bytes. Nothing here can fail.
//!
//! Each function appends one whole message, without the line end, to what is already in `out`:
//! many answers leave in one write.

use serde::Serialize;
use serde_json::value::RawValue;

use super::content::{Content, write_text};
use super::failure::Failure;
use super::protocol_error::ProtocolError;
use crate::RequestId;
use crate::era::{Feature, Version};

/// A tool's outcome in its final shape: cleaned, worded, and true to what the tool promises.
#[derive(Debug)]
pub struct Finished<'a> {
    /// What the model reads first, unless it only reads the value.
    pub text: Option<&'a str>,
    /// The value, on success.
    pub structured: Option<Structured<'a>>,
    /// What it is shown besides.
    pub content: &'a [Content],
    /// What a host can act on, if it failed.
    pub failure: Option<Failure>,
}

/// A value, and the same as a text.
#[derive(Clone, Copy, Debug)]
pub struct Structured<'a> {
    /// The value.
    pub json: &'a RawValue,
    /// For hosts that look only at text, and revisions that carry nothing else.
    pub text: &'a str,
}

/// The result channel, with a result that is encoded already.
pub fn answer(out: &mut Vec<u8>, id: RequestId<'_>, result: &[u8]) {
    open(out, Some(id));
    out.extend_from_slice(b"\"result\":");
    out.extend_from_slice(result);
    out.push(b'}');
}

/// The result channel: a tool ran, well or badly.
pub fn answer_call(
    out: &mut Vec<u8>,
    id: RequestId<'_>,
    finished: &Finished<'_>,
    version: Version,
    server_info: &str,
) {
    let Finished { structured, failure, .. } = finished;
    let is_modern = version.knows(Feature::SelfDescribingResults);
    open(out, Some(id));
    out.extend_from_slice(b"\"result\":{");
    if is_modern {
        out.extend_from_slice(b"\"resultType\":\"complete\",");
    }
    out.extend_from_slice(b"\"content\":[");
    write_content(out, finished, version);
    out.push(b']');
    if let Some(structured) = structured.filter(|it| can_carry(version, it.json)) {
        out.extend_from_slice(b",\"structuredContent\":");
        write_compact(out, structured.json.get());
    }
    out.extend_from_slice(if failure.is_some() {
        b",\"isError\":true"
    } else {
        b",\"isError\":false"
    });
    if is_modern || failure.is_some() {
        out.extend_from_slice(b",\"_meta\":{");
        if is_modern {
            out.extend_from_slice(b"\"io.modelcontextprotocol/serverInfo\":");
            out.extend_from_slice(server_info.as_bytes());
        }
        if let Some(failure) = failure {
            if is_modern {
                out.push(b',');
            }
            out.extend_from_slice(b"\"dev.candor/failure\":");
            write_json(out, failure);
        }
        out.push(b'}');
    }
    out.extend_from_slice(b"}}");
}

/// Words first, then the value as text where that is the only way to say it, then the rest. There is
/// always something, and nothing empty beside something else.
fn write_content(out: &mut Vec<u8>, finished: &Finished<'_>, version: Version) {
    let Finished { text, structured, content, .. } = finished;
    let start = out.len();
    let next = |out: &mut Vec<u8>| {
        if out.len() > start {
            out.push(b',');
        }
    };
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        write_text(out, text);
    }
    if let Some(Structured { json, text: as_text }) = structured
        && (text.is_none() || !can_carry(version, json))
    {
        next(out);
        write_text(out, as_text);
    }
    for block in content.iter().filter(|block| !block.is_empty_text()) {
        next(out);
        block.write(out, version);
    }
    if out.len() == start {
        write_text(out, "");
    }
}

fn can_carry(version: Version, structured: &RawValue) -> bool {
    version.knows(Feature::StructuredValues)
        || (version.knows(Feature::StructuredObjects) && structured.get().starts_with('{'))
}

/// The error channel: the request could not be served.
///
/// `id` is `None` only if the request's own id could not be read; the member is then absent.
pub fn refuse(out: &mut Vec<u8>, id: Option<RequestId<'_>>, error: &ProtocolError) {
    open(out, id);
    out.extend_from_slice(b"\"error\":{\"code\":");
    write_json(out, &error.code());
    out.extend_from_slice(b",\"message\":");
    write_json(out, &error.message());
    if let Some(data) = error.data() {
        out.extend_from_slice(b",\"data\":");
        write_json(out, &data);
    }
    out.extend_from_slice(b"}}");
}

fn open(out: &mut Vec<u8>, id: Option<RequestId<'_>>) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",");
    if let Some(id) = id {
        out.extend_from_slice(b"\"id\":");
        out.extend_from_slice(id.as_json().as_bytes());
        out.push(b',');
    }
}

/// Strings, numbers, and structs of these: nothing that serialising could refuse.
pub(super) fn write_json(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

/// Copies JSON text so that no line of ours breaks: as it is, or else without the white space
/// between its tokens.
pub fn write_compact(out: &mut Vec<u8>, json: &str) {
    if json.bytes().any(|byte| matches!(byte, b'\n' | b'\r')) {
        write_without_space(out, json);
    } else {
        out.extend_from_slice(json.as_bytes());
    }
}

/// Copies JSON text without the white space between its tokens.
pub fn write_without_space(out: &mut Vec<u8>, json: &str) {
    let (mut in_string, mut is_escaped) = (false, false);
    for byte in json.bytes() {
        if in_string || !byte.is_ascii_whitespace() {
            out.push(byte);
        }
        in_string ^= byte == b'"' && !is_escaped;
        is_escaped = in_string && byte == b'\\' && !is_escaped;
    }
}

#[cfg(test)]
mod tests {
    use super::write_compact;

    #[test]
    fn white_space_goes_and_text_stays() {
        let mut out = Vec::new();
        write_compact(&mut out, "{\n \"a \\\" b\\\\\" : [ 1.0 ,\t2 ]\r\n}");

        assert_eq!(out, br#"{"a \" b\\":[1.0,2]}"#);
    }
}

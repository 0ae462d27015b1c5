//! What a tool shows beside its words: the spec's content blocks, as each revision carries them.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::response::write_json;
use crate::era::{Feature, Version};

/// One block of content: a picture, a sound, a resource, a link to one, or text.
///
/// It is added to a reply, or to a failure, behind the words:
///
/// ```
/// use candor_protocol::{Content, Reply, ToolError};
///
/// let map = Content::image(b"\x89PNG\r\n".as_slice(), "image/png");
/// let reply = Reply::text("The way to the cinema.").and(map.clone());
/// let failure = ToolError::tell("The way ends at a river.").showing(map);
/// # let _ = (reply, failure);
/// ```
///
/// A revision that has no block of a kind gets a text that says what was there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content(Block);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Block {
    Text(String),
    Image(Media),
    Audio(Media),
    Resource { uri: String, mime_type: String, inside: Inside },
    Link(Box<Link>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Media {
    bytes: Bytes,
    mime_type: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Inside {
    Text(String),
    Blob(Bytes),
}

#[derive(Clone, PartialEq, Eq)]
struct Bytes(Cow<'static, [u8]>);

/// Where a resource can be read, and what is known of it.
///
/// ```
/// use candor_protocol::{Reply, outbound::Link};
///
/// let link = Link::new("file:///programme.pdf", "programme").mime_type("application/pdf");
/// let reply = Reply::text("The programme of this week.").and(link);
/// # let _ = reply;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    uri: String,
    name: String,
    title: Option<String>,
    description: Option<String>,
    mime_type: Option<String>,
    size: Option<u64>,
}

impl Content {
    /// More text, in a block of its own.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self(Block::Text(text.into()))
    }

    /// A picture.
    #[must_use]
    pub fn image(bytes: impl Into<Cow<'static, [u8]>>, mime_type: &str) -> Self {
        Self(Block::Image(Media::new(bytes.into(), mime_type)))
    }

    /// A sound.
    #[must_use]
    pub fn audio(bytes: impl Into<Cow<'static, [u8]>>, mime_type: &str) -> Self {
        Self(Block::Audio(Media::new(bytes.into(), mime_type)))
    }

    /// A resource that is text. A type that is not known is the empty text.
    #[must_use]
    pub fn resource_text(uri: &str, mime_type: &str, text: impl Into<String>) -> Self {
        Self::resource(uri, mime_type, Inside::Text(text.into()))
    }

    /// A resource that is bytes. A type that is not known is the empty text.
    #[must_use]
    pub fn resource_blob(uri: &str, mime_type: &str, bytes: impl Into<Cow<'static, [u8]>>) -> Self {
        Self::resource(uri, mime_type, Inside::Blob(Bytes(bytes.into())))
    }

    fn resource(uri: &str, mime_type: &str, inside: Inside) -> Self {
        Self(Block::Resource { uri: plain(uri), mime_type: plain(mime_type), inside })
    }

    /// A link to a resource. [`Link`] says more of it.
    #[must_use]
    pub fn link(uri: &str, name: &str) -> Self {
        Link::new(uri, name).into()
    }

    /// Every text in it that a model reads, to be looked through before it leaves.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let texts = match &mut self.0 {
            Block::Text(text) => [Some(text), None, None, None],
            Block::Image(_) | Block::Audio(_) => [None, None, None, None],
            Block::Resource { uri, inside: Inside::Text(text), .. } => {
                [Some(uri), Some(text), None, None]
            }
            Block::Resource { uri, inside: Inside::Blob(_), .. } => [Some(uri), None, None, None],
            Block::Link(link) => {
                let Link { uri, name, title, description, .. } = link.as_mut();
                [Some(uri), Some(name), title.as_mut(), description.as_mut()]
            }
        };
        texts.into_iter().flatten()
    }

    /// Does it show nothing at all?
    pub(super) const fn is_empty_text(&self) -> bool {
        matches!(&self.0, Block::Text(text) if text.is_empty())
    }

    /// Appends the block as this revision carries it.
    pub(super) fn write(&self, out: &mut Vec<u8>, version: Version) {
        match &self.0 {
            Block::Text(text) => write_text(out, text),
            Block::Image(media) => media.write(out, "image"),
            Block::Audio(media) if version.knows(Feature::Audio) => media.write(out, "audio"),
            Block::Audio(Media { bytes, mime_type }) => {
                let said = format!(
                    "Audio ({mime_type}, {} bytes) is left out: protocol version {version} cannot \
                     carry it.",
                    bytes.0.len()
                );
                write_text(out, &said);
            }
            Block::Resource { uri, mime_type, inside } => {
                out.extend_from_slice(b"{\"type\":\"resource\",\"resource\":{\"uri\":");
                write_json(out, uri.as_str());
                write_member(out, "mimeType", Some(mime_type).filter(|it| !it.is_empty()));
                match inside {
                    Inside::Text(text) => write_member(out, "text", Some(text)),
                    Inside::Blob(bytes) => {
                        out.extend_from_slice(b",\"blob\":");
                        bytes.write(out);
                    }
                }
                out.extend_from_slice(b"}}");
            }
            Block::Link(link) if version.knows(Feature::ResourceLinks) => link.write(out),
            Block::Link(link) => write_text(out, &link.in_words()),
        }
    }
}

/// Appends a block of text.
pub(super) fn write_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
    write_json(out, text);
    out.push(b'}');
}

fn write_member(out: &mut Vec<u8>, key: &str, text: Option<&String>) {
    let Some(text) = text else { return };
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
    write_json(out, text.as_str());
}

impl Media {
    fn new(bytes: Cow<'static, [u8]>, mime_type: &str) -> Self {
        Self { bytes: Bytes(bytes), mime_type: plain(mime_type) }
    }

    fn write(&self, out: &mut Vec<u8>, kind: &str) {
        out.extend_from_slice(b"{\"type\":\"");
        out.extend_from_slice(kind.as_bytes());
        out.extend_from_slice(b"\",\"data\":");
        self.bytes.write(out);
        write_member(out, "mimeType", Some(&self.mime_type));
        out.push(b'}');
    }
}

impl Bytes {
    /// Appends them as a string in Base64, without a copy in between.
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'"');
        let start = out.len();
        // What is in memory is not so long that its Base64 has no length.
        let length = base64::encoded_len(self.0.len(), true).unwrap_or_default();
        out.resize(start + length, b'=');
        if let Some(space) = out.get_mut(start..) {
            // The space is as long as it must be, so there is nothing that could go wrong.
            let _ = STANDARD.encode_slice(&self.0, space);
        }
        out.push(b'"');
    }
}

impl fmt::Debug for Bytes {
    /// A log has no use for a picture.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Link {
    /// A link to a resource of this name.
    #[must_use]
    pub fn new(uri: &str, name: &str) -> Self {
        let (uri, name) = (plain(uri), name.to_owned());
        Self { uri, name, title: None, description: None, mime_type: None, size: None }
    }

    /// What a person reads in place of the name.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned());
        self
    }

    /// What it is, for the model.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        self.description = Some(text.to_owned());
        self
    }

    /// The type of what is there.
    #[must_use]
    pub fn mime_type(mut self, mime_type: &str) -> Self {
        self.mime_type = Some(plain(mime_type));
        self
    }

    /// How many bytes are there.
    #[must_use]
    pub const fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"type\":\"resource_link\",\"uri\":");
        write_json(out, self.uri.as_str());
        write_member(out, "name", Some(&self.name));
        write_member(out, "title", self.title.as_ref());
        write_member(out, "description", self.description.as_ref());
        write_member(out, "mimeType", self.mime_type.as_ref());
        if let Some(size) = self.size {
            out.extend_from_slice(b",\"size\":");
            write_json(out, &size);
        }
        out.push(b'}');
    }

    /// A link needs no block of its own to be followed.
    fn in_words(&self) -> String {
        let Self { uri, name, title, description, mime_type, size } = self;
        let size = size.map(|bytes| format!("{bytes} bytes"));
        let facts: Vec<&str> =
            [mime_type, &size].into_iter().flatten().map(String::as_str).collect();
        let facts =
            if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
        let title = title.as_deref().unwrap_or(name);
        let said = format!("{title}: {uri}{facts}");
        match description {
            Some(description) => format!("{said}\n{description}"),
            None => said,
        }
    }
}

impl From<Link> for Content {
    fn from(link: Link) -> Self {
        Self(Block::Link(Box::new(link)))
    }
}

/// An address or a type without control characters: it stands on one line.
fn plain(text: &str) -> String {
    text.replace(char::is_control, "")
}

#[cfg(test)]
mod tests {
    use super::{Content, Link};
    use crate::era::Version;

    fn written(content: impl Into<Content>, version: Version) -> String {
        let mut out = b"before ".to_vec();
        content.into().write(&mut out, version);
        String::from_utf8(out).unwrap().strip_prefix("before ").unwrap().to_owned()
    }

    fn newest(content: impl Into<Content>) -> String {
        written(content, Version::V2026_07_28)
    }

    #[test]
    fn each_kind_has_its_block() {
        assert_eq!(newest(Content::text("a \"b\"")), r#"{"type":"text","text":"a \"b\""}"#);
        assert_eq!(
            newest(Content::image(vec![0xfb, 0xff, 0], "image/png")),
            r#"{"type":"image","data":"+/8A","mimeType":"image/png"}"#
        );
        assert_eq!(
            newest(Content::audio(b"RIFF".as_slice(), "audio/wav")),
            r#"{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}"#
        );
        assert_eq!(
            newest(Content::resource_text("file:///a.txt", "text/plain", "line\n")),
            r#"{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain","text":"line\n"}}"#
        );
        assert_eq!(
            newest(Content::resource_blob("file:///a", "", vec![1])),
            r#"{"type":"resource","resource":{"uri":"file:///a","blob":"AQ=="}}"#
        );
        assert_eq!(
            newest(Content::link("file:///a", "a")),
            r#"{"type":"resource_link","uri":"file:///a","name":"a"}"#
        );
    }

    #[test]
    fn bytes_are_base64_at_every_length() {
        for (bytes, base64) in
            [("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj"), ("abcd", "YWJjZA==")]
        {
            assert_eq!(
                newest(Content::image(bytes.as_bytes(), "x")),
                format!(r#"{{"type":"image","data":"{base64}","mimeType":"x"}}"#)
            );
        }
    }

    #[test]
    fn a_link_says_all_that_is_known() {
        let link = Link::new("file:///p.pdf", "programme")
            .title("Programme")
            .description("Of this week.")
            .mime_type("application/pdf")
            .size(12);
        assert_eq!(
            newest(link.clone()),
            r#"{"type":"resource_link","uri":"file:///p.pdf","name":"programme","title":"Programme","description":"Of this week.","mimeType":"application/pdf","size":12}"#
        );
        assert_eq!(
            written(link, Version::V2025_03_26),
            r#"{"type":"text","text":"Programme: file:///p.pdf (application/pdf, 12 bytes)\nOf this week."}"#
        );
    }

    #[test]
    fn a_revision_without_the_block_is_told_what_was_there() {
        let audio = Content::audio(b"RIFF".as_slice(), "audio/wav");
        assert_eq!(
            written(audio.clone(), Version::V2024_11_05),
            r#"{"type":"text","text":"Audio (audio/wav, 4 bytes) is left out: protocol version 2024-11-05 cannot carry it."}"#
        );
        assert_eq!(written(audio.clone(), Version::V2025_03_26), newest(audio));

        let link = Content::link("file:///a", "a");
        for version in [Version::V2024_11_05, Version::V2025_03_26] {
            assert_eq!(written(link.clone(), version), r#"{"type":"text","text":"a: file:///a"}"#);
        }
        assert_eq!(written(link.clone(), Version::V2025_06_18), newest(link));
    }

    #[test]
    fn addresses_and_types_stand_on_one_line() {
        assert_eq!(
            newest(Content::resource_text("file:///a\r\n/b\u{1b}", "text/\u{0}plain", "")),
            r#"{"type":"resource","resource":{"uri":"file:///a/b","mimeType":"text/plain","text":""}}"#
        );
        assert_eq!(
            newest(Link::new("file:///\na", "a").mime_type("text/\tplain")),
            r#"{"type":"resource_link","uri":"file:///a","name":"a","mimeType":"text/plain"}"#
        );
    }

    #[test]
    fn every_text_that_a_model_reads_can_be_looked_through() {
        let shout = |mut content: Content| {
            for text in content.texts_mut() {
                *text = text.to_uppercase();
            }
            newest(content)
        };
        assert_eq!(shout(Content::text("a")), r#"{"type":"text","text":"A"}"#);
        assert_eq!(
            shout(Content::resource_text("a:b", "text/plain", "c")),
            r#"{"type":"resource","resource":{"uri":"A:B","mimeType":"text/plain","text":"C"}}"#
        );
        assert_eq!(
            shout(Link::new("a:b", "c").title("d").description("e").into()),
            r#"{"type":"resource_link","uri":"A:B","name":"C","title":"D","description":"E"}"#
        );
    }

    #[test]
    fn a_log_is_told_how_long_a_picture_is() {
        let shown = format!("{:?}", Content::image(vec![0; 5000], "image/png"));
        assert!(shown.contains("5000 bytes") && shown.len() < 100, "{shown}");
    }
}

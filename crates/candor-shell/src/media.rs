//! A file that goes with an answer to the content that a host can show.

use std::fmt::Write;

use candor_protocol::Content;

use crate::folder::Attached;

/// What the first bytes of a file say of it.
const BEGINNINGS: [(&[u8], &str); 13] = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x7fELF", "application/octet-stream"),
];

/// The same for files that are kept in RIFF, by what stands behind its length.
const IN_RIFF: [(&[u8], &str); 2] = [(b"WEBP", "image/webp"), (b"WAVE", "audio/wav")];

/// What the end of a name says, which counts before the first bytes do.
const ENDINGS: [(&str, &str); 24] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("bmp", "image/bmp"),
    ("svg", "image/svg+xml"),
    ("mp3", "audio/mpeg"),
    ("ogg", "audio/ogg"),
    ("flac", "audio/flac"),
    ("wav", "audio/wav"),
    ("pdf", "application/pdf"),
    ("zip", "application/zip"),
    ("gz", "application/gzip"),
    ("json", "application/json"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("csv", "text/csv"),
    ("html", "text/html"),
    ("md", "text/markdown"),
    ("css", "text/css"),
    ("js", "text/javascript"),
    ("txt", "text/plain"),
];

/// What a host can show of a file; `limit` is how much a call may say in all.
pub(crate) fn content(attached: Attached, limit: usize) -> Content {
    let Attached { name, media_type, bytes } = attached;
    let Some(bytes) = bytes else {
        return Content::text(format!(
            "[{name} is left out: with it, this answer would be over its limit of {limit} bytes]"
        ));
    };
    let media_type = media_type.unwrap_or_else(|| guess(&name, &bytes).to_owned());
    if media_type.starts_with("image/") {
        return Content::image(bytes, &media_type);
    }
    if media_type.starts_with("audio/") {
        return Content::audio(bytes, &media_type);
    }
    let uri = format!("attachment:///{}", in_uri(&name));
    match String::from_utf8(bytes) {
        Ok(text) if is_text(&media_type) => Content::resource_text(&uri, &media_type, text),
        Ok(text) => Content::resource_blob(&uri, &media_type, text.into_bytes()),
        Err(bytes) => Content::resource_blob(&uri, &media_type, bytes.into_bytes()),
    }
}

fn guess(name: &str, bytes: &[u8]) -> &'static str {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let by_name = ENDINGS.iter().find(|(known, _)| ending.as_deref() == Some(known));
    if let Some((_, media_type)) = by_name {
        return media_type;
    }
    if bytes.starts_with(b"RIFF") {
        let kind = bytes.get(8..12).unwrap_or_default();
        if let Some((_, media_type)) = IN_RIFF.iter().find(|(known, _)| *known == kind) {
            return media_type;
        }
    }
    let by_beginning = BEGINNINGS.iter().find(|(known, _)| bytes.starts_with(known));
    match by_beginning {
        Some((_, media_type)) => media_type,
        None if !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok() => "text/plain",
        None => "application/octet-stream",
    }
}

fn is_text(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.starts_with("text/")
        || ["application/json", "application/xml", "application/yaml", "application/javascript"]
            .contains(&essence)
        || essence.ends_with("+json")
        || essence.ends_with("+xml")
}

/// A name as part of a URI.
fn in_uri(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use candor_protocol::Content;

    use super::{content, guess, in_uri};
    use crate::folder::Attached;

    fn attached(name: &str, media_type: Option<&str>, bytes: &[u8]) -> Attached {
        let media_type = media_type.map(str::to_owned);
        Attached { name: name.to_owned(), media_type, bytes: Some(bytes.to_vec()) }
    }

    #[test]
    fn a_file_is_what_its_author_says_else_its_name_else_its_bytes() {
        let png: &[u8] = b"\x89PNG\r\n\x1a\n\0";
        for (name, media_type, bytes, shown) in [
            ("x", Some("image/tiff"), png, Content::image(png, "image/tiff")),
            ("x.JPG", None, png, Content::image(png, "image/jpeg")),
            ("x", None, png, Content::image(png, "image/png")),
            ("x.dat", None, png, Content::image(png, "image/png")),
            ("x.mp3", None, b"ID3".as_slice(), Content::audio(b"ID3", "audio/mpeg")),
        ] {
            assert_eq!(content(attached(name, media_type, bytes), 9), shown, "{name}");
        }
        assert_eq!(guess("x", b"RIFF\0\0\0\0WAVEfmt "), "audio/wav");
        assert_eq!(guess("x", b"RIFF\0\0\0\0WEBPVP8 "), "image/webp");
        assert_eq!(guess("x", b"RIFF"), "text/plain");
        assert_eq!(guess("x", b"\0\x01"), "application/octet-stream");
    }

    #[test]
    fn what_is_neither_picture_nor_sound_is_a_resource() {
        assert_eq!(
            content(attached("my list.csv", None, b"a,b\n"), 9),
            Content::resource_text("attachment:///my%20list.csv", "text/csv", "a,b\n")
        );
        assert_eq!(
            content(attached("notes", None, "né\n".as_bytes()), 9),
            Content::resource_text("attachment:///notes", "text/plain", "né\n")
        );
        assert_eq!(
            content(attached("a.json", None, b"\xff"), 9),
            Content::resource_blob("attachment:///a.json", "application/json", b"\xff")
        );
        assert_eq!(
            content(attached("a.pdf", None, b"%PDF-"), 9),
            Content::resource_blob("attachment:///a.pdf", "application/pdf", b"%PDF-")
        );
    }

    #[test]
    fn what_is_too_much_is_said_to_be_left_out() {
        let mut big = attached("big.png", None, b"");
        big.bytes = None;
        let said = "[big.png is left out: with it, this answer would be over its limit of 9 bytes]";
        assert_eq!(content(big, 9), Content::text(said));
    }

    #[test]
    fn a_name_becomes_part_of_a_uri() {
        assert_eq!(in_uri("a b/ü?.txt"), "a%20b%2F%C3%BC%3F.txt");
    }
}

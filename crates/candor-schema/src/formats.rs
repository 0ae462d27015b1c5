//! `format` to words, and a text to what it was probably meant to be.

use serde_json::Value;

/// What a format asks for. `None` for one that is not asserted.
pub(crate) fn noun(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => "a date as YYYY-MM-DD",
        "time" => "a time as hh:mm:ss with an offset, like 13:30:00Z",
        "date-time" => {
            "a date and time as YYYY-MM-DDThh:mm:ss with an offset, like 2025-08-08T13:30:00Z"
        }
        "duration" => "a duration as P1DT2H30M (days, hours, minutes)",
        "email" | "idn-email" => "an email address, like name@example.com",
        "hostname" | "idn-hostname" => "a host name, like www.example.com",
        "ipv4" => "an IPv4 address, like 192.0.2.1",
        "ipv6" => "an IPv6 address, like 2001:db8::1",
        "uri" => "a whole URI, like https://example.com/page",
        "uri-reference" => "a URI or a relative one, like /page",
        "iri" => "a whole IRI, like https://example.com/page",
        "iri-reference" => "an IRI or a relative one, like /page",
        "uri-template" => "a URI template, like /page/{number}",
        "uuid" => "a UUID, like 123e4567-e89b-12d3-a456-426614174000",
        "json-pointer" => "a JSON Pointer, like /list/0",
        "relative-json-pointer" => "a relative JSON Pointer, like 1/name",
        "regex" => "a regular expression",
        _ => return None,
    })
}

/// What may have been meant, the likeliest first. Each is to be checked.
pub(crate) fn meant(format: &str, text: &str) -> Vec<Value> {
    let text = text.trim();
    let mut meant = vec![text.to_owned()];
    match format {
        "date" => {
            meant.extend(text.get(..10).map(str::to_owned));
            meant.extend(date(text));
        }
        "date-time" => {
            let joined = text.replacen(' ', "T", 1);
            meant.push(joined.clone());
            meant.push(joined.replacen("TZ", "Z", 1));
            meant.push(format!("{joined}Z"));
            meant.push(format!("{joined}:00Z"));
            meant.push(format!("{text}T00:00:00Z"));
        }
        "time" => {
            meant.push(format!("{text}Z"));
            meant.push(format!("{text}:00Z"));
        }
        "uri" | "iri" if text.contains('.') && !text.contains(' ') && !text.contains(':') => {
            meant.push(format!("https://{text}"));
        }
        "uri" | "iri" | "uri-reference" | "iri-reference" => meant.push(text.replace(' ', "%20")),
        "email" => meant.extend(text.strip_prefix("mailto:").map(str::to_owned)),
        "hostname" => {
            let host = text.split("://").last().and_then(|rest| rest.split('/').next());
            meant.extend(host.map(str::to_owned));
        }
        "uuid" => {
            let inner = text.trim_matches(['{', '}']).trim_start_matches("urn:uuid:");
            meant.push(inner.to_owned());
            if inner.len() == 32 && inner.is_ascii() {
                let part = |from, to| inner.get(from..to).unwrap_or_default();
                let parts = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)];
                meant.push(parts.join("-"));
            }
        }
        "json-pointer" => meant.push(format!("/{}", text.replace('.', "/"))),
        _ => {}
    }
    meant.into_iter().map(Value::String).collect()
}

/// A date whose year comes first, or whose day cannot be a month, so that only one is meant.
fn date(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(['/', '.', '-']).collect();
    let number = |at: usize| parts.get(at).and_then(|it| it.parse::<u32>().ok());
    let (one, two, three) = (number(0)?, number(1)?, number(2)?);
    let (year, month, day) = match parts.as_slice() {
        [year, _, _] if year.len() == 4 => (one, two, three),
        [_, _, year] if year.len() == 4 && one > 12 => (three, two, one),
        [_, _, year] if year.len() == 4 && two > 12 => (three, one, two),
        _ => return None,
    };
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

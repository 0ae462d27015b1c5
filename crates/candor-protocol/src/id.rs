//! What a request is answered to: the peer's own bytes, compared by value.

use crate::inbound::tokens::{is_number, is_text, unescape};

/// A request id, borrowed from the message: the peer's own bytes.
///
/// Base protocol, *Requests*: a string or an integer, never null. An integer is a number whose
/// value is one, however it is written (`7`, `7.0`, `70e-1`), of any length.
#[derive(Clone, Copy, Debug)]
pub struct RequestId<'a>(&'a str);

/// A request id by value: `1` and `1.0` are the same id, `"a"` and `"\u0061"` too.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdValue(Box<str>);

impl<'a> RequestId<'a> {
    /// Understands the JSON text of an id. What is no JSON is no id either: it goes back as it is,
    /// and an answer of ours must not break on it.
    #[must_use]
    pub fn read(json: &'a str) -> Option<Self> {
        let is_id = is_text(json) || (is_number(json) && integer(json).is_some());
        is_id.then_some(Self(json))
    }

    /// The id as the peer wrote it.
    #[must_use]
    pub const fn as_json(self) -> &'a str {
        self.0
    }

    /// The id by value.
    #[must_use]
    pub fn value(self) -> IdValue {
        let inside = self.0.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        IdValue(match inside {
            Some(text) if text.contains('\\') => {
                format!("\"{}", unescape(text.as_bytes())).into_boxed_str()
            }
            Some(text) => format!("\"{text}").into_boxed_str(),
            None => integer(self.0).unwrap_or_default().into_boxed_str(),
        })
    }
}

/// Writes an integer in the one form `[-]digits e exponent`, without zeros at either end.
///
/// `None` if the value is a fraction. Exponents too large for 128 bits are taken as equal: two
/// ids that differ only there would have to be written by a peer looking for it.
fn integer(json: &str) -> Option<String> {
    let (sign, unsigned) = json.strip_prefix('-').map_or(("", json), |rest| ("-", rest));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));

    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0').trim_end_matches('0');
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    let zeros = all.len() - all.trim_end_matches('0').len();
    let written = exponent.parse::<i128>().unwrap_or(if exponent.starts_with('-') {
        i128::MIN
    } else {
        i128::MAX
    });
    let shift = i128::try_from(zeros).ok()? - i128::try_from(fraction.len()).ok()?;
    let exponent = written.saturating_add(shift);
    (exponent >= 0).then(|| format!("{sign}{digits}e{exponent}"))
}

#[cfg(test)]
mod tests {
    use super::RequestId;

    fn same(one: &str, other: &str) -> bool {
        RequestId::read(one).unwrap().value() == RequestId::read(other).unwrap().value()
    }

    #[test]
    fn an_integer_is_one_however_it_is_written() {
        for integer in ["7", "7.0", "70e-1", "0.07e2", "-0", "0.000", "1e400", "9007199254740993"] {
            assert!(RequestId::read(integer).is_some(), "{integer}");
        }
        for other in ["1.5", "1e-1", "null", "true", "{}", "[1]", r#""\ud800""#] {
            assert!(RequestId::read(other).is_none(), "{other}");
        }
        assert!(RequestId::read("\"\u{fffd}\\n\"").is_some());
        assert!(RequestId::read(r#""\uFFFD""#).is_some());
        assert!(RequestId::read(r#""\\ufffd""#).is_some());
    }

    #[test]
    fn what_is_no_json_is_no_id() {
        for text in
            ["", "-", "01", "7x", "1 2", "1.", "+1", r#"""#, r#""\q""#, r#""a"b""#, "\"\n\""]
        {
            assert!(RequestId::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn ids_are_compared_by_value() {
        assert!(same("7", "7.0"));
        assert!(same("700", "7e2"));
        assert!(same("0", "-0.0e9"));
        assert!(same(r#""a""#, r#""\u0061""#));
        assert!(!same("1", "\"1\""));
        assert!(!same("7", "-7"));
        assert!(!same("9007199254740993", "9007199254740992"));
    }
}

//! JSON as it was written: objects with their order, numbers with their digits.

use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object, in their order.
pub(crate) struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// Reads an object; `None` if the text is not one.
    pub(crate) fn read(json: &'a str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// The text of a member.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, json)| json.get())
    }

    /// A member that is a string.
    pub(crate) fn string(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.get(key)?).ok()
    }

    /// A member that is an object.
    pub(crate) fn object(&self, key: &str) -> Option<Self> {
        Self::read(self.get(key)?)
    }

    /// A member that is an array.
    pub(crate) fn array(&self, key: &str) -> Option<Vec<&'a RawValue>> {
        serde_json::from_str(self.get(key)?).ok()
    }

    /// All names, in their order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// A value that serialises in no way that could fail, as JSON text.
pub(crate) fn write(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// Is this the text of a JSON number?
pub(crate) fn is_number(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && is_digits(fraction)
        && is_digits(exponent)
}

#[cfg(test)]
mod tests {
    use super::{Members, is_number};

    #[test]
    fn members_keep_their_order_and_their_digits() {
        let members = Members::read(r#"{"b": 1.0, "a": {"z":1,"y":2}, "c": "é"}"#).unwrap();

        assert_eq!(members.keys().collect::<Vec<_>>(), ["b", "a", "c"]);
        assert_eq!(members.get("b"), Some("1.0"));
        assert_eq!(members.get("a"), Some(r#"{"z":1,"y":2}"#));
        assert_eq!(members.string("c").as_deref(), Some("é"));
        assert!(Members::read("[1]").is_none());
    }

    #[test]
    fn a_number_is_what_json_calls_one() {
        for text in ["0", "-0", "7", "10", "1.0", "-1.5e+10", "1e400", "12345678901234567890"] {
            assert!(is_number(text), "{text}");
            assert!(serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok(), "{text}");
        }
        for text in
            ["", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "1 ", "NaN", "13:30", "-a"]
        {
            assert!(!is_number(text), "{text}");
        }
    }
}

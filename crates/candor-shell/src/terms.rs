//! A tool's definition and limits to what holds for each of its calls.

use std::borrow::Cow;

use candor::Definition;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::tags::Limits;
use crate::work::Variables;

/// What holds for each call of one tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    /// What it limits itself to. Where it says nothing, the server's limits hold.
    pub(crate) limits: Limits,
    /// The arguments that its functions find in variables.
    variables: Vec<Variable>,
    /// The members, as JSON text, that stand for arguments which were not sent.
    defaults: Vec<(String, String)>,
}

/// An argument that has a name which a variable can have.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    /// Is it an integer and nothing else?
    counts: bool,
    default: Option<String>,
}

/// An argument that a shell cannot be given as what it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Uncountable {
    pub(crate) name: String,
    /// As it was sent.
    pub(crate) value: String,
}

impl Terms {
    /// The terms of a tool that is published as `definition`.
    pub(crate) fn new(definition: &Definition, limits: Limits) -> Self {
        let schema = definition.member("inputSchema").unwrap_or_default();
        let schema: InputSchema<'_> = serde_json::from_str(schema).unwrap_or_default();
        let (mut variables, mut defaults) = (Vec::new(), Vec::new());
        for (name, schema) in schema.properties.0 {
            // `true` is a schema, too, and says nothing.
            let schema: Property<'_> = serde_json::from_str(schema.get()).unwrap_or_default();
            if let Some(default) = schema.default {
                let member = format!("{}:{}", Value::from(&*name), default.get());
                defaults.push((name.clone().into_owned(), member));
            }
            if !is_identifier(&name) {
                continue;
            }
            let counts = schema.kind.is_some_and(|kind| kind.get() == "\"integer\"");
            let default = schema
                .default
                .and_then(|json| spell(json.get(), counts).ok().flatten().map(Cow::into_owned));
            variables.push(Variable { name: name.into_owned(), counts, default });
        }
        Self { limits, variables, defaults }
    }

    /// Adds to arguments, the text of an object, what stands for those that were not sent.
    pub(crate) fn fill(&self, arguments: &mut Vec<u8>) {
        if self.defaults.is_empty() {
            return;
        }
        let sent: Members<'_> = serde_json::from_slice(arguments).unwrap_or_default();
        let missing = self.defaults.iter().filter(|(name, _)| sent.get(name).is_none());
        let missing: Vec<_> = missing.map(|(_, member)| member.as_str()).collect();
        let is_empty = sent.0.is_empty();
        if missing.is_empty() || arguments.pop_if(|last| *last == b'}').is_none() {
            return;
        }
        if !is_empty {
            arguments.push(b',');
        }
        arguments.extend_from_slice(missing.join(",").as_bytes());
        arguments.push(b'}');
    }

    /// What `$arg_…` hold for a call with these arguments, which is nothing for one that is absent
    /// or null and has no default.
    pub(crate) fn variables(&self, arguments: &str) -> Result<Variables, Uncountable> {
        let mut variables = Variables::default();
        if self.variables.is_empty() {
            return Ok(variables);
        }
        let sent: Members<'_> = serde_json::from_str(arguments).unwrap_or_default();
        for Variable { name, counts, default } in &self.variables {
            let value = match sent.get(name) {
                Some(json) => spell(json, *counts)
                    .map_err(|_| Uncountable { name: name.clone(), value: json.to_owned() })?,
                None => default.as_deref().map(Cow::Borrowed),
            };
            match value {
                Some(value) => variables.set(name, &value),
                None => variables.unset(name),
            }
        }
        Ok(variables)
    }
}

/// More than 64 bits, which a shell would cut without a word.
struct TooLarge;

/// A value as a script reads it: a text without quotes, a number in digits, the JSON of anything
/// that has parts; nothing for null.
fn spell(json: &str, counts: bool) -> Result<Option<Cow<'_, str>>, TooLarge> {
    Ok(Some(match json.as_bytes().first() {
        Some(b'"') => {
            // Where nothing is escaped, nothing is copied.
            let text: Text<'_> = serde_json::from_str(json).unwrap_or_default();
            text.0
        }
        Some(b'n') | None => return Ok(None),
        Some(b'-' | b'0'..=b'9') if counts => match integer(json) {
            // `1.0` and `1e3` are integers, and to a shell they are mistakes.
            Some(number) => Cow::Owned(number.to_string()),
            None => return Err(TooLarge),
        },
        Some(_) => Cow::Borrowed(json),
    }))
}

/// The value of a JSON number that is an integer of 64 bits, however it is written.
fn integer(number: &str) -> Option<i64> {
    if let Ok(number) = number.parse() {
        return Some(number);
    }
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let mut digits = format!("{whole}{fraction}");
    if digits.bytes().all(|digit| matches!(digit, b'-' | b'0')) {
        return Some(0);
    }
    let exponent: i64 = exponent.parse().ok()?;
    let shift = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    if shift >= 0 {
        // No number of 64 bits has more digits than 19.
        digits.extend(std::iter::repeat_n('0', usize::try_from(shift).ok().filter(|it| *it < 20)?));
    } else {
        let back = usize::try_from(shift.unsigned_abs()).ok()?;
        let keep = digits.len().checked_sub(back)?;
        let dropped = digits.split_off(keep);
        if dropped.bytes().any(|digit| digit != b'0') {
            return None;
        }
    }
    digits.parse().ok()
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[derive(Default, Deserialize)]
struct InputSchema<'a> {
    #[serde(borrow, default)]
    properties: Members<'a>,
}

#[derive(Default, Deserialize)]
struct Property<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    default: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The members of an object, in their order.
#[derive(Default)]
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.get())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> serde::de::Visitor<'de> for InOrder {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Text(key), value)) = map.next_entry()? {
                    members.push((key, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use candor::Definition;

    use super::{Terms, Uncountable, integer};
    use crate::tags::Limits;

    fn variables(schema: &str, arguments: &str) -> Result<String, Uncountable> {
        let tool = format!("{{\"name\":\"t\",\"inputSchema\":{schema}}}");
        let terms = Terms::new(&Definition::from_json(&tool).unwrap(), Limits::default());
        let variables = terms.variables(arguments)?;
        let records = String::from_utf8(variables.records()).unwrap();
        Ok(format!("{}|{records}", variables.names()).replace(['\0', '\u{1f}'], "|"))
    }

    const SCHEMA: &str = r#"{"type":"object","properties":{
        "n":{"type":"integer"},"x":{"type":"number"},"s":{"type":"string","default":"mid\tdle"},
        "o":{},"a-b":{"type":"string"},"yes":true}}"#;

    #[test]
    fn each_argument_is_spelt_as_a_script_reads_it() {
        let arguments = r#"{"s":"a\n\"b\" ü","n":1e2,"x":1.50,"o":{"k":[1, 2]},"yes":false}"#;
        assert_eq!(
            variables(SCHEMA, arguments).unwrap(),
            " arg_n arg_x arg_s arg_o arg_yes|100|1.50|a\n\"b\" ü|{\"k\":[1, 2]}|false||"
        );
    }

    #[test]
    fn what_is_absent_has_its_default_or_is_unset() {
        let said = " arg_s|mid\tdle||- arg_n arg_x arg_o arg_yes|";
        assert_eq!(variables(SCHEMA, "{}").unwrap(), said);
        assert_eq!(variables(SCHEMA, r#"{"n":null,"o":null}"#).unwrap(), said);
    }

    #[test]
    fn a_value_that_holds_what_stands_between_others_is_set_by_itself() {
        let said = variables(SCHEMA, r#"{"n":1,"x":2,"s":"a\u001fb","o":"c\u007f","yes":true}"#);
        assert_eq!(said.unwrap(), " arg_n arg_x arg_yes|1|2|true||+arg_s|a|b|+arg_o|c\u{7f}|");
    }

    #[test]
    fn what_a_program_was_not_sent_it_finds_all_the_same() {
        let filled = |schema: &str, arguments: &str| {
            let tool = format!("{{\"name\":\"t\",\"inputSchema\":{schema}}}");
            let terms = Terms::new(&Definition::from_json(&tool).unwrap(), Limits::default());
            let mut arguments = arguments.as_bytes().to_vec();
            terms.fill(&mut arguments);
            String::from_utf8(arguments).unwrap()
        };
        let schema = r#"{"type":"object","properties":{"a-b":{"default":[1, 2]},"c":{},
            "d\"":{"default":"x"}}}"#;
        assert_eq!(filled(schema, "{}"), r#"{"a-b":[1,2],"d\"":"x"}"#);
        assert_eq!(filled(schema, r#"{"c":1}"#), r#"{"c":1,"a-b":[1,2],"d\"":"x"}"#);
        assert_eq!(filled(schema, r#"{"a-b":null}"#), r#"{"a-b":null,"d\"":"x"}"#);
        let full = r#"{"d\"":1,"a-b":2}"#;
        assert_eq!(filled(schema, full), full);
        assert_eq!(filled(r#"{"type":"object"}"#, "{}"), "{}");
    }

    #[test]
    fn what_is_not_declared_is_no_variable() {
        assert_eq!(variables(r#"{"type":"object"}"#, r#"{"n":"a[$(id)]"}"#).unwrap(), "|");
        assert_eq!(
            variables(r#"{"type":"object","properties":{"n":{}}}"#, r#"{"m":1}"#).unwrap(),
            "|- arg_n|"
        );
    }

    #[test]
    fn an_integer_is_one_however_it_is_written() {
        for (written, number) in [
            ("7", 7),
            ("-0", 0),
            ("1.0", 1),
            ("1e2", 100),
            ("1.5e1", 15),
            ("120e-1", 12),
            ("0e999999999999", 0),
            ("-9223372036854775808", i64::MIN),
            ("9.223372036854775807E18", i64::MAX),
        ] {
            assert_eq!(integer(written), Some(number), "{written}");
        }
        for written in ["1.5", "9223372036854775808", "1e19", "1e999999999999", "1e-1"] {
            assert_eq!(integer(written), None, "{written}");
        }
    }

    #[test]
    fn more_than_a_shell_can_count_is_refused() {
        let too_large = Uncountable { name: "n".to_owned(), value: "1e30".to_owned() };
        assert_eq!(variables(SCHEMA, r#"{"n":1e30}"#), Err(too_large));
    }
}

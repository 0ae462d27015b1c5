//! Text to tree: JSON whose objects keep the order in which their members were written.
//!
//! A complaint lists arguments as the schema's author listed them. `serde_json` sorts them, and
//! the feature that would keep them in order would do so for everyone who links this crate.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Tree {
    /// The member of an object.
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Of an object; nothing else has any.
    pub(crate) fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// Of an array; nothing else has any.
    pub(crate) fn entries(&self) -> &[Self] {
        if let Self::Array(entries) = self { entries } else { &[] }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    pub(crate) const fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(is) = self { Some(*is) } else { None }
    }

    pub(crate) const fn as_number(&self) -> Option<&Number> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    /// The texts of an array of texts.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.entries().iter().filter_map(Self::as_str).map(str::to_owned).collect()
    }

    /// The same without the order.
    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(is) => Value::Bool(*is),
            Self::Number(number) => Value::Number(number.clone()),
            Self::String(text) => Value::String(text.clone()),
            Self::Array(entries) => entries.iter().map(Self::value).collect(),
            Self::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), value.value())).collect()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, is: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(is))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Tree, E> {
        Ok(Tree::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Tree, E> {
        Ok(Tree::Number(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Tree, E> {
        let number = Number::from_f64(number);
        number.map(Tree::Number).ok_or_else(|| E::custom("a number must be finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
        let mut array = Vec::new();
        while let Some(entry) = entries.next_element()? {
            array.push(entry);
        }
        Ok(Tree::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Tree, A::Error> {
        let mut object: Vec<(String, Tree)> = Vec::new();
        while let Some((name, value)) = members.next_entry::<String, Tree>()? {
            // As every other reader does: the last one wins, where the first one stood.
            match object.iter_mut().find(|(key, _)| *key == name) {
                Some((_, before)) => *before = value,
                None => object.push((name, value)),
            }
        }
        Ok(Tree::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn members_keep_their_order() {
        let tree: Tree = serde_json::from_str(r#"{"b":1,"a":[null,true,"x",1.5]}"#).unwrap();
        let names: Vec<&str> = tree.members().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!(tree.value().to_string(), r#"{"a":[null,true,"x",1.5],"b":1}"#);
    }
}

//! Arguments that spell the right value as text, to the right value.

use serde_json::Value;

use crate::Schema;
use crate::fault::{What, path};
use crate::mend::{Change, apply, part, reread};
use crate::node::{Id, Types};
use crate::number::same;
use crate::walk::{FUEL, Walk};
use crate::wants::Wants;

/// A value that was read as another type than it was sent as.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coercion {
    /// As a model writes it: `tags[0]`; the root is `arguments`.
    pub path: String,
    /// The JSON type that was sent.
    pub from: &'static str,
    /// The JSON type that it became.
    pub to: &'static str,
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only these say that a type is wrong")]
pub(crate) fn coerce(schema: &Schema, value: &mut Value) -> Vec<Coercion> {
    /// JSON in a text may hold further texts.
    const ROUNDS: usize = 4;
    if schema.admits(value) {
        return Vec::new();
    }
    let mut draft = value.clone();
    let mut coercions = Vec::new();
    for _ in 0..ROUNDS {
        let mut walk = Walk::new(&schema.compiled, FUEL);
        let Some(faults) = walk.explain(&draft) else { break };
        let mut is_changed = false;
        for fault in faults {
            let groups: Vec<&[Id]> = match &fault.what {
                What::NoTypeOf(ids) => ids.chunks(1).collect(),
                What::Type | What::Values | What::Constant => vec![&fault.site],
                _ => continue,
            };
            let mut kinds = Types::default();
            let mut values: Vec<&Value> = Vec::new();
            for wants in groups.into_iter().map(|ids| Wants::of(&schema.compiled, ids)) {
                kinds.join(wants.kinds());
                values.extend(wants.values.into_iter().flatten());
            }
            let Some(Value::String(text)) = part(&draft, &fault.path) else { continue };
            let meant = reread(text, kinds).or_else(|| spelt(text, &values));
            if let Some(meant) = meant {
                let to = kind(&meant);
                if apply(&mut draft, &fault.path, &Change::Set(meant)).is_some() {
                    coercions.push(Coercion { path: path(&fault.path), from: "string", to });
                    is_changed = true;
                }
            }
        }
        if !is_changed {
            break;
        }
    }
    if coercions.is_empty() || !schema.admits(&draft) {
        return Vec::new();
    }
    *value = draft;
    coercions
}

/// The only accepted values that are no texts, spelt as one.
fn spelt(text: &str, values: &[&Value]) -> Option<Value> {
    let read: Value =
        serde_json::from_str(text.trim()).ok().filter(|it: &Value| !it.is_string())?;
    let found = values.iter().find(|value| same(value, &read))?;
    Some((*found).clone())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

//! Doc comments to words for the model.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of the doc comments among these, without the margin that rustdoc takes away too.
pub(crate) fn of(attributes: &[Attribute]) -> Option<String> {
    let lines: Vec<String> = attributes.iter().filter_map(line).collect();
    let lines = lines.iter().flat_map(|text| text.split('\n'));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let text = lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n");
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(doc) = &attribute.meta else { return None };
    match &doc.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if doc.path.is_ident("doc") => {
            Some(text.value())
        }
        _ => None,
    }
}

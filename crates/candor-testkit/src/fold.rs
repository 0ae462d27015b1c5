//! Whole messages are compared but for the one part that no two runs share.

/// Writes zeros for the eight hexadecimal digits of each incident reference: in a sentence
/// (`incident 7f3a91c2`) and in `dev.candor/failure` (`"incident":"7f3a91c2"`).
///
/// ```
/// assert_eq!(candor_testkit::fold_incidents("(incident 7f3a91c2)"), "(incident 00000000)");
/// ```
#[must_use]
pub fn fold_incidents(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("incident") {
        let (before, from) = rest.split_at(at);
        folded.push_str(before);
        let mark = ["incident ", "incident\":\""].into_iter().find(|mark| from.starts_with(mark));
        let mark = mark.unwrap_or("incident");
        folded.push_str(mark);
        rest = from.get(mark.len()..).unwrap_or_default();
        let reference = rest.get(..8).filter(|it| it.bytes().all(|b| b.is_ascii_hexdigit()));
        if mark != "incident" && reference.is_some() {
            folded.push_str("00000000");
            rest = rest.get(8..).unwrap_or_default();
        }
    }
    folded.push_str(rest);
    folded
}

#[cfg(test)]
mod tests {
    use super::fold_incidents;

    #[test]
    fn both_forms_of_a_reference_are_folded_and_nothing_else_is() {
        assert_eq!(
            fold_incidents(r#"a (incident 7f3a91c2). "incident":"abcdef01" incident 7 incidents"#),
            r#"a (incident 00000000). "incident":"00000000" incident 7 incidents"#
        );
    }
}

//! What is told without being asked for, to bytes. Nothing here can fail.

use super::response::write_json;

/// `notifications/progress`. `token` is the peer's own JSON text; `message` only for a revision
/// that knows it.
pub fn progress(
    out: &mut Vec<u8>,
    token: &str,
    done: f64,
    total: Option<f64>,
    message: Option<&str>,
) {
    out.extend_from_slice(
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":",
    );
    out.extend_from_slice(token.as_bytes());
    out.extend_from_slice(b",\"progress\":");
    write_number(out, done);
    if let Some(total) = total {
        out.extend_from_slice(b",\"total\":");
        write_number(out, total);
    }
    if let Some(message) = message {
        out.extend_from_slice(b",\"message\":");
        write_json(out, message);
    }
    out.extend_from_slice(b"}}");
}

/// A number as a person writes it: `3`, not `3.0`.
fn write_number(out: &mut Vec<u8>, number: f64) {
    /// Below this each whole number is exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and not too large")]
        write_json(out, &(number as i64));
    } else {
        write_json(out, &number);
    }
}

#[cfg(test)]
mod tests {
    use super::progress;

    fn written(done: f64, total: Option<f64>, message: Option<&str>) -> String {
        let mut out = Vec::new();
        progress(&mut out, "\"\\u0061\"", done, total, message);
        let text = String::from_utf8(out).unwrap();
        let opening = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"\u0061","progress":"#;
        text.strip_prefix(opening).unwrap().to_owned()
    }

    #[test]
    fn only_what_is_known_is_said() {
        assert_eq!(written(1.0, None, None), "1}}");
        assert_eq!(
            written(1.0, Some(4.0), Some("a\n\"b\"")),
            r#"1,"total":4,"message":"a\n\"b\""}}"#
        );
    }

    #[test]
    fn whole_numbers_are_whole() {
        assert_eq!(written(-0.0, Some(-7.0), None), r#"0,"total":-7}}"#);
        assert_eq!(written(0.1, Some(2.5e-7), None), r#"0.1,"total":2.5e-7}}"#);
        assert_eq!(written(9_007_199_254_740_991.0, None, None), "9007199254740991}}");
        assert_eq!(
            written(9_007_199_254_740_992.0, Some(2.5e-9), None),
            r#"9007199254740992.0,"total":2.5e-9}}"#
        );
    }
}

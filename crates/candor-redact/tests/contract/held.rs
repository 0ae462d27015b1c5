//! Secrets that we hold, in whatever way they are written.

use candor_redact::Redactor;

const VALUE: &str = "kT7-wQ2.z\"X9 m$B4";

fn redactor() -> Redactor {
    Redactor::builder().secret("DEPLOY_KEY", VALUE).secret("PIN", "abc").build()
}

#[test]
fn a_held_secret_is_found_in_every_encoding() {
    for (way, written) in [
        ("plain", VALUE),
        ("URL", "kT7-wQ2.z%22X9%20m%24B4"),
        ("form", "kT7-wQ2.z%22X9+m%24B4"),
        ("JSON", r#"kT7-wQ2.z\"X9 m$B4"#),
        ("JSON with code points", r"kT7\u002dwQ2.z\u0022X9\u0020m$B4"),
        ("JSON within JSON", r#"kT7-wQ2.z\\\"X9 m$B4"#),
        ("shell", r#"kT7-wQ2.z\"X9\ m\$B4"#),
        ("HTML", "kT7-wQ2.z&quot;X9 m$B4"),
        ("hexadecimal", "6b54372d7751322e7a225839206d244234"),
        ("hexadecimal in capitals", "6B54372D7751322E7A225839206D244234"),
        ("bytes", r"\x6b\x54\x37\x2d\x77\x51\x32\x2e\x7a\x22\x58\x39\x20\x6d\x24\x42\x34"),
        ("base64", "a1Q3LXdRMi56Ilg5IG0kQjQ="),
        ("base64 after one byte", "eGtUNy13UTIueiJYOSBtJEI0"),
        ("base64 after two bytes", "eHhrVDctd1EyLnoiWDkgbSRCNA=="),
    ] {
        let masked = redactor().success(&format!("<{written}>")).into_owned();
        assert_eq!(masked, "<[redacted:deploy-key#1]>", "{way}");
    }
}

#[test]
fn equal_values_have_one_number_in_all_encodings() {
    let text = format!("{VALUE} and a1Q3LXdRMi56Ilg5IG0kQjQ=");
    assert_eq!(redactor().success(&text), "[redacted:deploy-key#1] and [redacted:deploy-key#1]");
}

#[test]
fn values_that_are_too_short_or_too_common_are_not_taken() {
    let redactor = Redactor::builder()
        .secret("SHORT", "abc1!")
        .secret("WORD", "production")
        .secret("LETTERS", "abcdef")
        .secret("NUMBER", "12345678")
        .secret("REPEATED", "aaaaaaaaaaaa")
        .secret("GOOD", "abc1!x")
        .build();
    assert_eq!(redactor.not_taken(), ["SHORT", "WORD", "LETTERS", "NUMBER", "REPEATED"]);
    assert_eq!(redactor.success("production abcdef abc1!x"), "production abcdef [redacted:good#1]");
}

#[test]
fn a_short_secret_is_not_seen_inside_a_longer_word() {
    let redactor = Redactor::builder().secret("K", "ab1cd2").build();
    assert_eq!(redactor.success("xab1cd2y ab1cd2"), "xab1cd2y [redacted:k#1]");
}

#[test]
fn each_line_of_a_longer_secret_is_one() {
    let redactor =
        Redactor::builder().secret("K", "first line of it 1\nand a second one\n").build();
    assert_eq!(redactor.success("log: and a second one."), "log: [redacted:k#1].");
}

#[test]
fn a_builder_does_not_show_its_secrets() {
    let shown = format!("{:?}", Redactor::builder().secret("DEPLOY_KEY", VALUE));
    assert!(shown.contains("DEPLOY_KEY") && !shown.contains("kT7"), "{shown}");
}

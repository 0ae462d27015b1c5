//! Tokens that say themselves what they are.

use crate::drawn::{BASE32, DIGITS, HEX, LETTERS, WEB, checked, drawn};
use candor_redact::Redactor;

/// The text with the token in it, and the same with a mark in its place.
fn assert_masked(kind: &str, token: &str) {
    let redactor = Redactor::default();
    for (before, after) in [
        ("", ""),
        ("see ", "."),
        ("\"", "\""),
        ("(", ")"),
        ("{\"note\": \"", "\"}"),
        ("error: ", ": not accepted"),
        ("line\n", "\nline"),
        ("`", "`"),
    ] {
        let text = format!("{before}{token}{after}");
        let expected = format!("{before}[redacted:{kind}#1]{after}");
        assert_eq!(redactor.success(&text), expected, "{text}");
    }
}

#[test]
fn tokens_with_a_known_beginning_are_masked_wherever_they_stand() {
    let web = |length| drawn(length, usize::try_from(length).unwrap(), WEB);
    let letters = |length| drawn(length, usize::try_from(length).unwrap(), LETTERS);
    let hex = |length| drawn(length, usize::try_from(length).unwrap(), HEX);
    for (kind, token) in [
        ("github-token", checked("ghp_", 1)),
        ("github-token", checked("gho_", 2)),
        ("github-token", checked("ghs_", 3)),
        ("github-token", format!("github_pat_{}_{}", letters(22), letters(59))),
        ("npm-token", checked("npm_", 4)),
        ("gitlab-token", format!("glpat-{}", letters(20))),
        ("aws-key-id", format!("AKIA{}", drawn(5, 16, BASE32))),
        ("aws-key-id", format!("ASIA{}", drawn(6, 16, BASE32))),
        ("google-key", format!("AIza{}", letters(35))),
        ("google-secret", format!("GOCSPX-{}", letters(28))),
        ("slack-token", {
            let (team, user) = (drawn(7, 12, DIGITS), drawn(8, 13, DIGITS));
            format!("xoxb-{team}-{user}-{}", letters(24))
        }),
        ("stripe-key", format!("sk_live_{}", letters(24))),
        ("stripe-key", format!("rk_test_{}", letters(99))),
        ("openai-key", format!("sk-proj-{}", letters(120))),
        ("anthropic-key", format!("sk-ant-api03-{}", letters(95))),
        ("pypi-token", format!("pypi-AgEIcHlwaS5vcmc{}", web(120))),
        ("huggingface-token", format!("hf_{}", letters(34))),
        ("sendgrid-key", format!("SG.{}.{}", letters(22), letters(43))),
        ("telegram-token", format!("{}:AA{}", drawn(9, 10, "123456789"), letters(33))),
        ("digitalocean-token", format!("dop_v1_{}", hex(64))),
        ("vault-token", format!("hvs.{}", letters(90))),
        ("shopify-token", format!("shpat_{}", hex(32))),
        (
            "age-key",
            format!("AGE-SECRET-KEY-1{}", drawn(10, 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")),
        ),
        ("databricks-token", format!("dapi{}", hex(32))),
        ("password-hash", format!("$2b$12${}", letters(53))),
    ] {
        assert_masked(kind, &token);
    }
}

#[test]
fn tokens_of_services_that_nobody_told_us_of_are_masked_by_their_shape() {
    for token in [
        format!("acme_live_{}", drawn(1, 32, LETTERS)),
        format!("zorg-sk-{}", drawn(2, 40, LETTERS)),
        format!("qq_api_key_{}", drawn(3, 28, LETTERS)),
        checked("zzyx_", 5),
    ] {
        assert_masked("token", &token);
    }
}

#[test]
fn a_checksum_that_is_wrong_makes_no_token() {
    let token = checked("ghp_", 1);
    let wrong = token.replace(&token[10..11], if &token[10..11] == "x" { "y" } else { "x" });
    assert_eq!(Redactor::default().success(&wrong), wrong);
}

#[test]
fn what_is_too_short_too_long_or_made_up_is_no_token() {
    for text in [
        "ghp_short".to_owned(),
        format!("AKIA{}", drawn(1, 12, BASE32)),
        format!("AKIA{}", drawn(1, 24, BASE32)),
        "AKIAIOSFODNN7EXAMPLE".to_owned(),
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".to_owned(),
        "sk-your-api-key-goes-here-and-nowhere-else".to_owned(),
        "sk_live_1234567890abcdefghijklmn".to_owned(),
        format!("pk_live_{}", drawn(2, 24, LETTERS)),
        format!("req_{}", drawn(3, 24, LETTERS)),
        format!("msg_01{}", drawn(4, 22, LETTERS)),
        format!("cus_{}", drawn(5, 14, LETTERS)),
    ] {
        assert_eq!(Redactor::default().success(&text), text);
    }
}

#[test]
fn a_json_web_token_is_one_by_its_header() {
    let jwt =
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI3In0.5mhBHqs5_DTLdINd9p5m7ZJ6XD0Xc55k";
    assert_masked("jwt", jwt);
    let redactor = Redactor::default();
    // Two parts of base64 with a point between are a state or a cursor.
    for text in
        ["eyJvZmZzZXQiOjEwMH0.eyJsaW1pdCI6NTB9", "eyJvZmZzZXQiOjEwMH0=", "eyJhbGciOiJIUzI1NiJ9"]
    {
        assert_eq!(redactor.success(text), text);
    }
}

#[test]
fn the_secret_beside_the_id_of_an_aws_key_is_masked_too() {
    let (id, secret) = (format!("AKIA{}", drawn(5, 16, BASE32)), drawn(11, 40, LETTERS));
    let text = format!("Access key ID,Secret access key\n{id},{secret}\n");
    assert_eq!(
        Redactor::default().success(&text),
        "Access key ID,Secret access key\n[redacted:aws-key-id#1],[redacted:aws-secret#2]\n"
    );
    // Forty letters by themselves are nothing.
    assert_eq!(Redactor::default().success(&secret), secret);
}

#[test]
fn a_private_key_is_masked_with_its_frame() {
    let body = format!("{}\n{}\n", drawn(1, 64, LETTERS), drawn(2, 64, LETTERS));
    let redactor = Redactor::default();
    for name in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
    ] {
        let key = format!("-----BEGIN {name}-----\n{body}-----END {name}-----");
        let text = format!("key:\n{key}\nend");
        assert_eq!(redactor.success(&text), "key:\n[redacted:private-key#1]\nend");
        let escaped = format!("{{\"k\":\"{}\"}}", key.replace('\n', "\\n"));
        assert_eq!(redactor.success(&escaped), "{\"k\":\"[redacted:private-key#1]\"}");
        let cut = format!("-----BEGIN {name}-----\n{body}");
        assert_eq!(redactor.success(&cut), "[redacted:private-key#1]");
    }
    for name in ["PUBLIC KEY", "CERTIFICATE", "CERTIFICATE REQUEST"] {
        let text = format!("-----BEGIN {name}-----\n{body}-----END {name}-----");
        assert_eq!(redactor.success(&text), text);
    }
    let text = "a line that begins with -----BEGIN PRIVATE KEY----- is the head of a key";
    assert_eq!(redactor.success(text), text);
}

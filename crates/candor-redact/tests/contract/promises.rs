//! What holds for every text.

use std::time::Duration;

use candor_redact::{Profile, Redactor};
use proptest::prelude::*;
use serde_json::Value;

fn redactor() -> Redactor {
    Redactor::builder().secret("DEPLOY_KEY", "kT7-wQ2.zX9_mB4").root("/srv/shop").pii(true).build()
}

/// Pieces of what rules look for, and of what stands around it.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => "[a-zA-Z0-9+/_.-]{1,40}",
        1 => "[ -~]{0,12}",
        1 => "\\PC{0,4}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

const PIECES: &[&str] = &[
    "password",
    "=",
    ": ",
    "\"",
    "'",
    " ",
    "\n",
    "token",
    "api_key",
    "secret ",
    "key",
    "://",
    "@",
    ":",
    "/",
    "\\",
    "\\n",
    "\\u0022",
    "%3D",
    "&quot;",
    "&",
    ";",
    ",",
    "|",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "x7k2m9q4w1",
    "hunter2!",
    "kT7-wQ2.zX9_mB4",
    "a1Q3LXdRMi56WDlfbUI0",
    "Bearer ",
    "Basic ",
    "Authorization",
    "Cookie: a=b; ",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj",
    "eyJhbGciOiJIUzI1NiJ9.",
    "ghp_",
    "sk-",
    "sk_live_",
    "9f86d081884c7d659a2feaa0c55ad015",
    "machine h login u password ",
    "kind: Secret\ndata:\n  a: ",
    "user,password\n",
    "[redacted:token#1]",
    "[redacted:",
    "#2]",
    "curl -u a:",
    "mysql -p",
    "values (",
    "SELECT * FROM t",
    "params: ",
    "    at f (/a/b.js:1:2)\n",
    "Traceback (most recent call last):\n",
    "goroutine 1 [running]:\n",
    "panicked at src/a.rs:1:2:\n",
    "/home/ada/x",
    "/srv/shop/y.txt",
    "C:\\Users\\ada",
    "file:///x",
    "10.0.0.7:5432",
    "db.internal",
    "ECONNREFUSED ",
    "com.acme.Shop: ",
    "A::B",
    "\u{1b}[31m",
    "\u{202e}",
    "é",
    "密码",
    "a.sh: line 3: ",
    "ada@example.org",
    "+44 20 7946 0958",
    "4242424242424242",
    "mnemonic: ",
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
    "\"kty\":",
    "\"d\":\"",
];

/// Any document, with names that rules look for.
fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    let name = prop::sample::select(
        &[
            "a", "password", "name", "value", "token", "data", "kind", "kty", "d", "stack",
            "Cookie", "auth",
        ][..],
    );
    leaf.prop_recursive(4, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(name.clone().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The same document with each string taken out.
fn bones(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::from(""),
        Value::Array(items) => items.iter().map(bones).collect(),
        Value::Object(members) => Value::Object(
            members.iter().map(|(name, value)| (name.clone(), bones(value))).collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn masking_twice_gives_what_masking_once_gave(text in text()) {
        let redactor = redactor();
        let once = redactor.success(&text).into_owned();
        prop_assert_eq!(redactor.success(&once), once.as_str());
        let once = redactor.error(&text).into_owned();
        prop_assert_eq!(redactor.error(&once), once.as_str());
    }

    #[test]
    fn json_stays_json_and_loses_only_strings(document in document(), pretty: bool) {
        let json = if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) }.unwrap();
        for profile in [Profile::Success, Profile::Error] {
            let masked = redactor().json(&json, profile).into_owned();
            let read: Value = serde_json::from_str(&masked).unwrap();
            prop_assert_eq!(bones(&read), bones(&document));
            prop_assert_eq!(redactor().json(&masked, profile), masked.as_str());
        }
    }

    #[test]
    fn a_held_secret_never_leaves(before in text(), after in text()) {
        let text = format!("{before} kT7-wQ2.zX9_mB4 {after}");
        for masked in [redactor().success(&text), redactor().error(&text)] {
            prop_assert!(!masked.contains("kT7-wQ2.zX9_mB4"), "{}", masked);
        }
    }

    #[test]
    fn no_text_grows_beyond_its_marks(text in text()) {
        // A mark stands for one byte at least, and is no longer than this.
        let longest = "[redacted:kubernetes-secret#999]".len();
        prop_assert!(redactor().success(&text).len() <= text.len() * longest);
    }

    #[test]
    fn the_work_is_bounded_by_the_length(piece in text(), more in text(), times in 1_usize..40) {
        let text = format!("{}{more}", piece.repeat(times));
        let redactor = redactor();
        let mut redaction = redactor.begin();
        let _ = redaction.error(&text);
        prop_assert!(
            redaction.looked_at() <= 1000 * text.len() + (1 << 18),
            "{} looks for {} bytes", redaction.looked_at(), text.len()
        );
    }
}

#[test]
fn a_text_that_is_too_long_is_cut_and_says_so() {
    let redactor = Redactor::builder().budget(100, Duration::from_secs(10)).build();
    let text = "word ".repeat(40);
    let cut = redactor.success(&text).into_owned();
    assert_eq!(cut, format!("{}[redacted:not-checked#1]", "word ".repeat(20).trim_end()));
    assert_eq!(redactor.success(&cut), cut);
}

#[test]
fn a_text_for_which_no_time_is_left_does_not_leave() {
    let redactor = Redactor::builder().budget(1 << 20, Duration::ZERO).build();
    let text = "password=x7k2m9q4 ".repeat(20_000);
    assert!(!redactor.success(&text).contains("x7k2m9q4"));
}

#[test]
fn near_misses_without_end_cost_no_more_than_their_length() {
    for piece in [
        "key=",
        "password=\"",
        "a://",
        "eyJ",
        "ghp_",
        "-----BEGIN PRIVATE KEY-----\n",
        "Cookie: a=b;",
        "\\u0070",
        "%41",
        "{\"kty\"",
        "kind: Secret\n",
        "select a from b ",
        "/a/b",
    ] {
        let text = piece.repeat((1 << 18) / piece.len());
        let redactor = redactor();
        let mut redaction = redactor.begin();
        let _ = redaction.error(&text);
        let per_byte = redaction.looked_at() / text.len();
        assert!(per_byte <= 200, "{per_byte} looks per byte of {piece:?}");
    }
}

//! How long it takes to look at a text, by kind of text.
//!
//! `cargo run --release -p candor-redact --example pace`

#![expect(clippy::print_stdout, reason = "it is a program")]
#![expect(clippy::cast_precision_loss, reason = "figures for people")]

use candor_redact::{Profile, Redactor};

const LENGTH: usize = 1 << 20;

fn main() {
    let before = seconds();
    let redactor = Redactor::builder().secret("DEPLOY_KEY", "kT7-wQ2.zX9_mB4").build();
    let _ = redactor.error("password=x /home/a/b at 10.0.0.1");
    println!("{:>40} {:8.1} µs", "first use", (seconds() - before) * 1e6);
    for (name, piece) in TEXTS {
        let text = piece.repeat(LENGTH / piece.len() + 1);
        let text = text.get(..text.floor_char_boundary(LENGTH)).unwrap_or_default();
        show(name, text, |text| drop(redactor.success(text)));
        show(&format!("{name}, failure"), text, |text| drop(redactor.error(text)));
    }
    let row = r#"{"id": 1234, "name": "Ada Lovelace", "tags": ["one", "two"], "note": "a line of text, of no great length", "created": "2026-01-15T10:00:00Z"}"#;
    let json = format!("[{}]", vec![row; LENGTH / row.len()].join(","));
    show("JSON", &json, |text| drop(redactor.json(text, Profile::Success)));
    show("JSON, failure", &json, |text| drop(redactor.json(text, Profile::Error)));
}

fn show(name: &str, text: &str, look: impl Fn(&str)) {
    let times = (0..3).map(|_| {
        let before = seconds();
        look(text);
        seconds() - before
    });
    let best = times.fold(f64::INFINITY, f64::min);
    println!("{name:>40} {:8.2} µs/KiB", best * 1e6 / (text.len() as f64 / 1024.0));
}

/// How long this thread has worked, where the system says so; others may be at work too.
fn seconds() -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    let since = START.elapsed().as_secs_f64();
    let worked = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let worked = worked.split_whitespace().next().and_then(|worked| worked.parse::<f64>().ok());
    worked.map_or(since, |nanoseconds| nanoseconds / 1e9)
}

const TEXTS: &[(&str, &str)] = &[
    (
        "prose",
        "The harbour was quiet that morning, and nobody had come down to look at the boats. It is said that the keeper of the light slept late on such days, and that his dog did not.\n",
    ),
    (
        "log",
        "2026-01-15T10:00:00.123Z INFO [shop.orders] order 4711 accepted in 12 ms user=ada trace=4bf92f3577b34da6a3ce929d0e0e4736\n",
    ),
    (
        "source",
        "    let token = lexer.next_token().ok_or(Error::Missing(\"token\"))?;\n    self.keys.insert(key.clone(), value);\n\n",
    ),
    ("near: keys", "key key_id: keyboard, tokens: 12, password: , secret: none;\n"),
    ("near: key=", "key=key=key=key="),
    ("near: passpass", "passpass"),
    ("near: password: ", "password: "),
    ("near: token \"", "token \""),
    ("near: token = '", "token = '"),
    ("near: ://", "a://"),
    ("near: ://a:", "x://a:b"),
    ("near: eyJ", "eyJ"),
    ("near: eyJ.", "eyJhbGciOiJIUzI1NiJ9.e"),
    ("near: ghp_", "ghp_"),
    ("near: ghp_ and 36", "ghp_abcdefghijABCDEFGHIJ0123456789abcdef "),
    ("near: BEGIN", "-----BEGIN PRIVATE KEY-----\n"),
    ("near: base64", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w"),
    ("near: base64 words", "dGhpcyBpcyBzb21lIHRleHQgaW4gYmFzZTY0 "),
    ("near: escapes", "\\u0070\\u0061\\n\\\"%41%42&amp;"),
    ("near: AKIA", "AKIAIOSFODNN7EXAMPL2 "),
    ("near: letters", "a"),
    ("near: digits", "7"),
    ("near: slashes", "/a/b/c"),
    ("near: at", "a@b.c "),
    ("near: lines", "\n"),
    ("near: table", "user,password\n"),
    ("near: frames", "    at f (a.js:1:2)\n"),
    ("near: select", "select a from b "),
    ("near: kind", "kind: Secret\n"),
    ("near: kty", "{\"kty\""),
    ("near: -p", "mysql -pa "),
    ("near: quotes", "password=\"\\"),
    ("near: Cookie", "Cookie: a=b;"),
    ("near: marks", "[redacted:token#1]"),
    ("hits: password", "password=x7k2m9q4w1!z "),
];

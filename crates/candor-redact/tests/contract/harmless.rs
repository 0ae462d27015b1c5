//! What only resembles a secret stays.

use candor_redact::{Profile, Redactor};

fn assert_each_stays(texts: &str) {
    let redactor = Redactor::default();
    for text in texts.lines().map(str::trim).filter(|text| !text.is_empty()) {
        assert_eq!(redactor.success(text), text);
    }
    // And all of them together, as one text.
    assert_eq!(redactor.success(texts), texts);
}

#[test]
fn placeholders_stay() {
    assert_each_stays(
        r#"
        password: <your-password>
        password=${DB_PASSWORD}
        PASSWORD=$PASSWORD
        password: {{ vault_password }}
        api_key: process.env.API_KEY
        apiKey = os.environ["API_KEY"]
        token: ${{ secrets.DEPLOY_TOKEN }}
        export API_KEY=your-api-key-here
        API_KEY=xxxxxxxxxxxxxxxxxxxx
        Authorization: Bearer <token>
        Authorization: Bearer $TOKEN
        Authorization: Bearer YOUR_ACCESS_TOKEN
        Authorization: Bearer {token}
        -H "Authorization: Bearer $(cloud auth print-access-token)"
        password_file: /run/secrets/db_password
        secret: op://Private/door/key
        vault: secret/data/prod/db#password
        postgres://user:password@localhost:5432/db
        postgres://${DB_USER}:${DB_PASS}@db/app
        mongodb://<username>:<password>@cluster0.example.net
        https://user:***@example.com
        password: changeme
        {"password": "string"}
        f"password={password!r}"
        "#,
    );
}

#[test]
fn hashes_names_and_public_halves_stay() {
    assert_each_stays(
        r#"
        commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
        checksum = "8a3c31650d42e2f9cd8e6a0c8b5d6d6f4f3c2b1a09876543210fedcba9876543"
        "integrity": "sha512-oq5DMKVHo7o4BOuqsmUDTMcWMLFkgGIvWLtm9cVRg9PVJZxGLyBmCcVqhWyJO9IZqfFvLNhZSdrTSaIXFvNwLg=="
        sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
        id: 123e4567-e89b-12d3-a456-426614174000
        arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-a1b2c3
        ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl bob@host
        SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDOP8gFLp8y/9vZ2Ys
        "public_key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8pIvZy1mRFQz3Jm9mHjK2sOCqXnrmLTy9ZQ0qfD"
        key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8pIvZy1mRFQz3Jm9mHjK2sOCqXnrmLTy9ZQ0qfD
        fingerprint: 4A:5B:6C:7D:8E:9F:00:11:22:33:44:55:66:77:88:99
        kid: "2b7e151628aed2a6abf7158809cf4f3c"
        traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
        etag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
        docker pull nginx@sha256:9504f3f64a3f16f0eaf9adca3542ff8b2a6880e6abfb13e478cca23f6380080a
        h1:Xv5erBjTwe/5IxqUQTdXv5kgmIvbHo3QQyRwhJsOfJA=
        "nextCursor": "eyJvZmZzZXQiOjEwMCwibGltaXQiOjUwfQ=="
        "next_page_token": "CAoQAA1234567890abcdefGHIJKL"
        "requestState": "eyJzdGF0ZSI6ImFiYyIsInNpZyI6IjEyMyJ9.abc123def456"
        gpg --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356
        2014-08-22:53F70A2B.3010703@lists.example.org
        base64 of nothing: aGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXN0
        "#,
    );
}

#[test]
fn programs_and_sentences_stay() {
    assert_each_stays(
        r#"
        The password must be at least 12 characters long.
        password: "Please enter your password"
        Invalid password for user bob
        "password": {"type": "string", "format": "password", "minLength": 8}
        password = getpass.getpass()
        password = config.get("db.password")
        let token = parser.next_token();
        def login(username: str, password: str) -> Token:
        if (password !== confirmPassword) return
        pub DestroyKey: BCryptDestroyKeyFn,
        SELECT id, password_hash FROM users
        secretKeyRef: {name: db-credentials, key: password}
        max_tokens: 4096
        "token_type": "bearer", "expires_in": 3600
        token_endpoint: https://auth.example.com/oauth/token
        Unexpected token 'x', "xyz123" is not valid JSON
        tokenizer: cl100k_base
        key: value
        cache_key=products:list:page:3
        keyboard shortcuts: ctrl+k ctrl+s
        pass rate: 98.7%, tests pass: 123/123
        author: Ada Lovelace 1843
        npm:@scope/pkg@1.2.3
        Set-Cookie: theme=dark; Path=/; Max-Age=31536000
        user=bob host=db.example.com port=5432 sslmode=require
        "#,
    );
}

#[test]
fn a_success_keeps_its_paths_hosts_and_traces() {
    let text = "/home/ada/notes.txt on 10.0.0.7:5432\n    at f (/srv/a.js:1:2)\nSELECT a FROM b";
    assert_eq!(Redactor::default().success(text), text);
    let json = format!("[{}]", serde_json::Value::from(text));
    assert_eq!(Redactor::default().json(&json, Profile::Success), json);
}

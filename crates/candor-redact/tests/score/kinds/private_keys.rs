//! Private keys and signed tokens.

use super::Shape::{Block, Token};
use super::{Kind, token};
use crate::checksum::bech32;
use crate::random::{BASE64, BASE64_URL, DIGITS, HEX, LOWER, Random, UPPER};
use crate::written::{Written, sixes};

pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "rsa private key",
        shape: Block,
        keys: &["private_key", "tls_key"],
        make: |random| pem(random, "RSA ", "MIIEpAIBAAKCAQEA", 1180),
    },
    Kind {
        name: "pkcs8 private key",
        shape: Block,
        keys: &["private_key", "signing_key"],
        make: |random| pem(random, "", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 1590),
    },
    Kind {
        name: "encrypted private key",
        shape: Block,
        keys: &["private_key", "client_key"],
        make: |random| pem(random, "ENCRYPTED ", "MIIFHDBOBgkqhkiG9w0BBQ0wQTApBgkq", 1700),
    },
    Kind {
        name: "ssh private key",
        shape: Block,
        keys: &["ssh_key", "deploy_key"],
        make: |random| pem(random, "OPENSSH ", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE", 300),
    },
    Kind {
        name: "dsa private key",
        shape: Block,
        keys: &["private_key", "legacy_key"],
        make: |random| pem(random, "DSA ", "MIIBugIBAAKBgQ", 580),
    },
    Kind {
        name: "pgp private key",
        shape: Block,
        keys: &["gpg_key", "signing_key"],
        make: |random| {
            let head = concat!("-----BEGIN PGP PRI", "VATE KEY BLOCK-----\n\n");
            let body = format!("lQOYBF{}", random.text(BASE64, 1200));
            let sum = random.text(BASE64, 4);
            Written::plain(head)
                .with(&lines_of(&body))
                .then(&format!("\n={sum}\n"))
                .then(concat!("-----END PGP PRI", "VATE KEY BLOCK-----"))
        },
    },
    Kind {
        name: "putty private key",
        shape: Block,
        keys: &["ppk", "ssh_key"],
        make: |random| {
            let public = random.text(BASE64, 64);
            Written::plain("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n")
                .then(&format!("Comment: ops\nPublic-Lines: 1\n{public}\nPrivate-Lines: 1\n"))
                .secret(&random.text(BASE64, 48))
                .then(&format!("\nPrivate-MAC: {}", random.text(HEX, 64)))
        },
    },
    Kind {
        name: "google service account",
        shape: Block,
        keys: &["google_credentials", "service_account"],
        make: |random| {
            let project = random.word();
            let key = pem(random, "", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 1590).then("\n").json();
            Written::plain("{\n  \"type\": \"service_account\",\n")
                .then(&format!("  \"project_id\": \"{project}\",\n"))
                .then("  \"private_key\": \"")
                .with(&key)
                .then("\",\n")
                .then(&format!("  \"client_email\": \"ci@{project}.iam.gserviceaccount.com\"\n}}"))
        },
    },
    Kind {
        name: "private jwk",
        shape: Block,
        keys: &["jwk", "signing_jwk"],
        make: |random| {
            let (x, y) = (random.text(BASE64_URL, 43), random.text(BASE64_URL, 43));
            Written::plain("{\"kty\":\"EC\",\"crv\":\"P-256\",")
                .then(&format!("\"x\":\"{x}\",\"y\":\"{y}\",\"d\":\""))
                .secret(&random.text(BASE64_URL, 43))
                .then("\",\"use\":\"sig\"}")
        },
    },
    Kind {
        name: "age key",
        shape: Token,
        keys: &["age_key", "sops_age_key"],
        make: |random| {
            let prefix = concat!("age-sec", "ret-key-");
            let body = bech32(prefix, &random.bytes(32));
            token(&format!("{prefix}1").to_uppercase(), &body.to_uppercase())
        },
    },
    Kind {
        name: "jwt signed with a shared key",
        shape: Token,
        keys: &["id_token", "jwt", "access_token"],
        make: |random| jwt(random, "HS256", 43),
    },
    Kind {
        name: "jwt signed with rsa",
        shape: Token,
        keys: &["id_token", "service_token", "assertion"],
        make: |random| jwt(random, "RS256", 342),
    },
    Kind {
        name: "kubernetes service account token",
        shape: Token,
        keys: &["kube_token", "bearer_token"],
        make: |random| {
            let head = format!("{{\"alg\":\"RS256\",\"kid\":\"{}\"}}", random.text(BASE64_URL, 43));
            let claims = format!(
                "{{\"iss\":\"kubernetes/serviceaccount\",\"kubernetes.io/serviceaccount/\
                 namespace\":\"{}\",\"sub\":\"system:serviceaccount:ci:{}\"}}",
                random.word(),
                random.word()
            );
            signed(random, &head, &claims, 342)
        },
    },
    Kind {
        name: "openshift token",
        shape: Token,
        keys: &["oc_token", "openshift_token"],
        make: |random| token("sha256~", &random.text(BASE64_URL, 43)),
    },
    Kind {
        name: "onepassword secret key",
        shape: Token,
        keys: &["emergency_kit", "account_key"],
        make: |random| {
            let mut core = random.text(UPPER, 6);
            for length in [6, 5, 5, 5, 5] {
                core = format!("{core}-{}", random.text(UPPER, length));
            }
            token("A3-", &core)
        },
    },
];

/// A private key in lines of 64 characters.
pub(crate) fn pem(random: &mut Random, label: &str, head: &str, length: usize) -> Written {
    let rest = random.text(BASE64, length / 4 * 4 - head.len() % 4 - 1);
    let body = format!("{head}{rest}=");
    Written::plain(&format!("-----BEGIN {label}PRI{}-----\n", "VATE KEY"))
        .with(&lines_of(&body))
        .then(&format!("\n-----END {label}PRI{}-----", "VATE KEY"))
}

fn lines_of(body: &str) -> Written {
    Written::default().secret(body).wrapped(64, "\n")
}

fn jwt(random: &mut Random, algorithm: &str, signature: usize) -> Written {
    let head = format!("{{\"alg\":\"{algorithm}\",\"typ\":\"JWT\"}}");
    let claims = format!(
        "{{\"sub\":\"{}\",\"name\":\"{}\",\"iat\":17{},\"role\":\"{}\"}}",
        random.text(LOWER, 10),
        random.word(),
        random.text(DIGITS, 8),
        random.word()
    );
    signed(random, &head, &claims, signature)
}

/// The claims may be read by anyone who has it, so only the signature is its core; yet all goes.
fn signed(random: &mut Random, head: &str, claims: &str, signature: usize) -> Written {
    let part = |text: &str| sixes(text.as_bytes(), BASE64_URL, false);
    Written::default()
        .known(&format!("{}.{}.", part(head), part(claims)))
        .secret(&random.text(BASE64_URL, signature))
}

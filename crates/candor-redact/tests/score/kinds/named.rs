//! Secrets that look like any other value: only their names give them away.

use super::Kind;
use super::Shape::Named;
use crate::random::{BASE32, BASE62, BASE64, BASE64_URL, HEX};
use crate::written::{Written, sixes};

pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "password",
        shape: Named,
        keys: &["password", "passwd", "user_password", "pwd"],
        make: |random| Written::default().secret(&random.password()),
    },
    Kind {
        name: "database password",
        shape: Named,
        keys: &["db_password", "postgres_password", "mysql_root_password", "database_pass"],
        make: |random| Written::default().secret(&random.password()),
    },
    Kind {
        name: "admin password",
        shape: Named,
        keys: &["admin_password", "root_password", "ansible_become_password", "grafana_admin_pwd"],
        make: |random| Written::default().secret(&random.password()),
    },
    Kind {
        name: "passphrase",
        shape: Named,
        keys: &["passphrase", "key_passphrase", "vault_passphrase"],
        make: |random| {
            let words: Vec<&str> = (0..5).map(|_| random.word()).collect();
            Written::default().secret(&words.join("-"))
        },
    },
    Kind {
        name: "api key",
        shape: Named,
        keys: &["api_key", "apikey", "service_api_key", "x_api_key"],
        make: |random| {
            let length = random.between(24, 44);
            Written::default().secret(&random.text(BASE62, length))
        },
    },
    Kind {
        name: "api secret",
        shape: Named,
        keys: &["api_secret", "app_secret", "secret", "shared_secret"],
        make: |random| {
            let length = random.between(24, 44);
            Written::default().secret(&random.text(BASE64_URL, length))
        },
    },
    Kind {
        name: "oauth client secret",
        shape: Named,
        keys: &["client_secret", "oauth_client_secret", "consumer_secret"],
        make: |random| Written::default().secret(&random.text(BASE64_URL, 40)),
    },
    Kind {
        name: "access token",
        shape: Named,
        keys: &["access_token", "auth_token", "user_token", "token"],
        make: |random| {
            let length = random.between(28, 64);
            Written::default().secret(&random.text(BASE62, length))
        },
    },
    Kind {
        name: "refresh token",
        shape: Named,
        keys: &["refresh_token", "oauth_refresh_token"],
        make: |random| Written::default().secret(&format!("1//0{}", random.text(BASE64_URL, 80))),
    },
    Kind {
        name: "session id",
        shape: Named,
        keys: &["session_id", "session_token", "session_key"],
        make: |random| Written::default().secret(&random.text(BASE64_URL, 43)),
    },
    Kind {
        name: "totp seed",
        shape: Named,
        keys: &["totp_secret", "otp_secret", "mfa_secret"],
        make: |random| Written::default().secret(&random.text(BASE32, 32)),
    },
    Kind {
        name: "signing secret of a web framework",
        shape: Named,
        keys: &["secret_key", "secret_key_base", "session_secret"],
        make: |random| {
            let core = match random.below(3) {
                0 => random.text(HEX, 128),
                1 => format!("a{}k", random.text(&format!("{BASE62}!@^*-_+="), 48)),
                _ => random.text(BASE64_URL, 43),
            };
            Written::default().secret(&core)
        },
    },
    Kind {
        name: "laravel app key",
        shape: Named,
        keys: &["app_key", "laravel_app_key"],
        make: |random| {
            let bytes = random.bytes(32);
            Written::plain("base64:").secret(&sixes(&bytes, BASE64, true))
        },
    },
    Kind {
        name: "jwt secret",
        shape: Named,
        keys: &["jwt_secret", "jwt_signing_key", "nextauth_secret"],
        make: |random| {
            let bytes = random.bytes(32);
            Written::default().secret(&sixes(&bytes, BASE64, true))
        },
    },
    Kind {
        name: "encryption key",
        shape: Named,
        keys: &["encryption_key", "master_key", "data_encryption_key", "rails_master_key"],
        make: |random| {
            let length = *random.pick(&[32, 64]);
            Written::default().secret(&random.text(HEX, length))
        },
    },
    Kind {
        name: "webhook secret",
        shape: Named,
        keys: &["webhook_secret", "hook_secret", "hmac_secret"],
        make: |random| Written::default().secret(&random.text(HEX, 40)),
    },
    Kind {
        name: "private key in hex",
        shape: Named,
        keys: &["private_key", "wallet_private_key", "deployer_key_secret"],
        make: |random| Written::default().known("0x").secret(&random.text(HEX, 64)),
    },
    Kind {
        name: "basic credentials",
        shape: Named,
        keys: &["basic_auth", "credentials", "auth"],
        make: |random| {
            let user = random.word();
            Written::plain(&format!("{user}:")).secret(&random.text(BASE62, 20))
        },
    },
    Kind {
        name: "connection password",
        shape: Named,
        keys: &["redis_password", "rabbitmq_default_pass", "ldap_bind_password", "ftp_pass"],
        make: |random| Written::default().secret(&random.password()),
    },
];

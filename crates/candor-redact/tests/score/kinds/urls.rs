//! Secrets inside a longer word: URLs, connection strings, webhooks, signatures.

use super::Shape::Word;
use super::{Kind, between};
use crate::random::{BASE62, BASE64, BASE64_URL, DIGITS, HEX, Random, UPPER};

const DATABASE: &[&str] = &["database_url", "dsn", "db"];

pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "postgres url",
        shape: Word,
        keys: DATABASE,
        make: |random| {
            let scheme = random.pick(&["postgres", "postgresql", "postgresql+psycopg2"]);
            let before = format!("{scheme}://{}:", random.word());
            let after = format!("@{}:5432/{}?sslmode=require", server(random), random.word());
            between(&before, &random.url_password(), &after)
        },
    },
    Kind {
        name: "mysql url",
        shape: Word,
        keys: DATABASE,
        make: |random| {
            let before = format!("mysql://{}:", random.word());
            let after = format!("@{}/{}", server(random), random.word());
            between(&before, &random.url_password(), &after)
        },
    },
    Kind {
        name: "redis url",
        shape: Word,
        keys: &["redis_url", "cache_url", "broker"],
        make: |random| {
            let scheme = random.pick(&["redis", "rediss"]);
            let user = *random.pick(&["", "default"]);
            let after = format!("@{}:6379/0", server(random));
            between(&format!("{scheme}://{user}:"), &random.url_password(), &after)
        },
    },
    Kind {
        name: "amqp url",
        shape: Word,
        keys: &["amqp_url", "broker_url", "queue"],
        make: |random| {
            let after = format!("@{}:5671/%2F", server(random));
            between(&format!("amqps://{}:", random.word()), &random.url_password(), &after)
        },
    },
    Kind {
        name: "smtp url",
        shape: Word,
        keys: &["mail_url", "smtp_url", "transport"],
        make: |random| {
            let after = format!("@{}:587", server(random));
            let before = format!("smtps://{}%40example.com:", random.word());
            between(&before, &random.url_password(), &after)
        },
    },
    Kind {
        name: "web url with a password",
        shape: Word,
        keys: &["url", "proxy", "endpoint"],
        make: |random| {
            let scheme = random.pick(&["https", "http", "ftp", "sftp", "socks5"]);
            let after = format!("@{}/files/{}", server(random), random.word());
            between(&format!("{scheme}://{}:", random.word()), &random.url_password(), &after)
        },
    },
    Kind {
        name: "git remote with a token",
        shape: Word,
        keys: &["remote", "repository", "clone_url"],
        make: |random| {
            let user = random.pick(&["oauth2", "x-access-token", "ci"]);
            let core = random.text(BASE62, 40);
            let after = format!("@git.example.com/{}/{}.git", random.word(), random.word());
            between(&format!("https://{user}:"), &core, &after)
        },
    },
    Kind {
        name: "jdbc url",
        shape: Word,
        keys: &["jdbc_url", "datasource_url", "connection"],
        make: |random| {
            let kind = random.pick(&["postgresql", "mysql", "mariadb"]);
            let before = format!("jdbc:{kind}://{}/app?user=app&password=", server(random));
            between(&before, &random.url_password(), "&ssl=true")
        },
    },
    Kind {
        name: "sql server connection string",
        shape: Word,
        keys: &["connection_string", "default_connection"],
        make: |random| {
            let name = random.pick(&["Password", "Pwd", "password"]);
            let before =
                format!("Server=tcp:{},1433;Database=app;User Id=app;{name}=", server(random));
            between(&before, &random.password(), ";Encrypt=True;Connection Timeout=30;")
        },
    },
    Kind {
        name: "libpq connection string",
        shape: Word,
        keys: &["conninfo", "dsn"],
        make: |random| {
            let before = format!("host={} port=5432 user=app password=", server(random));
            between(&before, &random.text(BASE62, 18), " dbname=app sslmode=require")
        },
    },
    Kind {
        name: "go mysql dsn",
        shape: Word,
        keys: &["dsn", "mysql_dsn"],
        make: |random| {
            let after = format!("@tcp({}:3306)/app?parseTime=true", server(random));
            between(&format!("{}:", random.word()), &random.text(BASE62, 18), &after)
        },
    },
    Kind {
        name: "slack webhook",
        shape: Word,
        keys: &["slack_webhook_url", "alert_url"],
        make: |random| {
            let before = format!("https://hooks.{}.com/services/", concat!("sl", "ack"));
            let ids = format!("T0{}/B0{}/", random.text(UPPER, 9), random.text(UPPER, 9));
            between(&format!("{before}{ids}"), &random.text(BASE62, 24), "")
        },
    },
    Kind {
        name: "discord webhook",
        shape: Word,
        keys: &["discord_webhook", "alert_url"],
        make: |random| {
            let id = format!("1{}", random.text(DIGITS, 18));
            let before = format!("https://{}.com/api/webhooks/{id}/", concat!("dis", "cord"));
            between(&before, &random.text(BASE64_URL, 68), "")
        },
    },
    Kind {
        name: "teams webhook",
        shape: Word,
        keys: &["teams_webhook", "alert_url"],
        make: |random| {
            let ids = format!("{}@{}", random.uuid(), random.uuid());
            let before = format!(
                "https://{}.webhook.{}.com/webhookb2/{ids}/IncomingWebhook/",
                random.word(),
                "office"
            );
            between(&before, &random.text(HEX, 32), &format!("/{}", random.uuid()))
        },
    },
    Kind {
        name: "automation webhook",
        shape: Word,
        keys: &["hook", "callback_url"],
        make: |random| {
            let before = "https://maker.ifttt.com/trigger/order/with/key/";
            between(before, &random.text(BASE64_URL, 43), "")
        },
    },
    Kind {
        name: "telegram call",
        shape: Word,
        keys: &["url", "request"],
        make: |random| {
            let core = format!("AA{}", random.text(BASE64_URL, 33));
            let before = format!("https://api.telegram.org/bot{}:", random.text(DIGITS, 10));
            between(&before, &core, "/getUpdates")
        },
    },
    Kind {
        name: "aws signed url",
        shape: Word,
        keys: &["download_url", "url", "location"],
        make: |random| {
            let before = format!(
                "https://{}.s3.eu-west-1.amazonaws.com/{}.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256\
                 &X-Amz-Date=20260301T120000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host\
                 &X-Amz-Signature=",
                random.word(),
                random.word()
            );
            between(&before, &random.text(HEX, 64), "")
        },
    },
    Kind {
        name: "google signed url",
        shape: Word,
        keys: &["download_url", "upload_url"],
        make: |random| {
            let before = format!(
                "https://storage.googleapis.com/{}/{}.csv?X-Goog-Algorithm=GOOG4-RSA-SHA256\
                 &X-Goog-Expires=600&X-Goog-Signature=",
                random.word(),
                random.word()
            );
            between(&before, &random.text(HEX, 512), "")
        },
    },
    Kind {
        name: "azure shared access signature",
        shape: Word,
        keys: &["blob_url", "sas_url"],
        make: |random| {
            let before = format!(
                "https://{}.blob.core.windows.net/{}/a.zip?sv=2024-11-04&se=2026-12-31T00%3A00%3A\
                 00Z&sr=b&sp=r&sig=",
                random.word(),
                random.word()
            );
            let core = format!("{}%3D", random.text(BASE62, 43));
            between(&before, &core, "")
        },
    },
    Kind {
        name: "cdn signed url",
        shape: Word,
        keys: &["video_url", "url"],
        make: |random| {
            let core = format!("{}__", random.text(&BASE64.replace(['+', '/'], "~"), 342));
            let before =
                "https://d1abcdef8a.cloudfront.net/v.mp4?Expires=1790000000&Signature=".to_owned();
            between(&before, &core, "&Key-Pair-Id=K2JCJMDEHXQW5F")
        },
    },
    Kind {
        name: "password reset link",
        shape: Word,
        keys: &["link", "url"],
        make: |random| {
            let before = format!("https://app.example.com/{}/reset?token=", random.word());
            between(&before, &random.text(BASE64_URL, 43), "&lang=en")
        },
    },
    Kind {
        name: "feed with a private token",
        shape: Word,
        keys: &["feed", "calendar_url"],
        make: |random| {
            let name = random.pick(&["private_token", "access_token", "api_key", "apikey", "auth"]);
            let before = format!("https://git.example.com/{}.atom?{name}=", random.word());
            between(&before, &random.text(BASE62, 24), "")
        },
    },
    Kind {
        name: "oauth callback",
        shape: Word,
        keys: &["location", "redirect"],
        make: |random| {
            let core = random.text(BASE64_URL, 64);
            let before = "https://app.example.com/callback#token_type=Bearer&access_token=";
            between(before, &core, "&expires_in=3600")
        },
    },
];

fn server(random: &mut Random) -> String {
    format!("{}.{}", random.word(), random.pick(&["example.com", "internal", "svc.local"]))
}

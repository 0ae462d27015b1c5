//! HELD OUT. Whoever writes rules for the redactor does not read this file.
//!
//! What stands here is what the score is about: kinds, encodings, contexts and harmless texts that
//! no rule was fitted to. A sample is held out if any part of it is from here. The tables show
//! these parts by numbers only, so that a look at a table does not give them away.

use super::contexts::Context;
use super::encodings::{Encoding, any};
use super::kinds::Shape::{Block, Line, Named, Token, Word};
use super::kinds::{Kind, between, token};
use super::negatives::Negative;
use super::random::{BASE62, BASE64_URL, DIGITS, HEX, LOWER};
use super::written::Written;

pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "digitalocean token",
        shape: Token,
        keys: &["digitalocean_access_token", "do_token"],
        make: |random| {
            let prefix = random.pick(&[concat!("do", "p_v1_"), concat!("do", "o_v1_")]);
            token(prefix, &random.text(HEX, 64))
        },
    },
    Kind {
        name: "sendgrid key",
        shape: Token,
        keys: &["sendgrid_api_key", "mailer_key"],
        make: |random| {
            let (id, secret) = (random.text(BASE64_URL, 22), random.text(BASE64_URL, 43));
            token("SG.", &format!("{id}.{secret}"))
        },
    },
    Kind {
        name: "hugging face token",
        shape: Token,
        keys: &["hf_token", "hub_token"],
        make: |random| token(concat!("h", "f_"), &random.text(&BASE62[10..], 34)),
    },
    Kind {
        name: "telegram bot token",
        shape: Token,
        keys: &["telegram_bot_token", "bot_token"],
        make: |random| {
            let id = format!("{}:", random.text(&DIGITS[1..], 10));
            token(&id, &format!("AA{}", random.text(BASE64_URL, 33)))
        },
    },
    Kind {
        name: "vault token",
        shape: Token,
        keys: &["vault_token", "vault_dev_root_token"],
        make: |random| token(concat!("hv", "s."), &format!("CAES{}", random.text(BASE64_URL, 91))),
    },
    Kind {
        name: "rubygems key",
        shape: Token,
        keys: &["gem_host_api_key", "rubygems_api_key"],
        make: |random| token(concat!("ruby", "gems_"), &random.text(HEX, 48)),
    },
    Kind {
        name: "mongodb url",
        shape: Word,
        keys: &["mongodb_uri", "database", "mongo"],
        make: |random| {
            let scheme = random.pick(&["mongodb+srv", "mongodb"]);
            let before = format!("{scheme}://{}:", random.word());
            let after = format!("@cluster0.{}.mongodb.net/app?w=majority", random.text(LOWER, 5));
            between(&before, &random.url_password(), &after)
        },
    },
    Kind {
        name: "ec private key",
        shape: Block,
        keys: &["private_key", "tls_key"],
        make: |random| super::kinds::pem(random, "EC ", "MHcCAQEEI", 164),
    },
    Kind {
        name: "smtp password",
        shape: Named,
        keys: &["smtp_password", "smtp_pass", "mail_password"],
        make: |random| Written::default().secret(&random.password()),
    },
    Kind {
        name: "mysql command",
        shape: Line,
        keys: &["output", "line", "stdout"],
        make: |random| {
            let program = random.pick(&["mysql", "mysqldump"]);
            let before = format!("{program} -h db.example.com -u {} -p", random.word());
            between(&before, &random.text(BASE62, 18), " app")
        },
    },
];

pub(crate) const ENCODINGS: &[Encoding] = &[
    Encoding {
        name: "base64 for urls",
        fits: any,
        takes_name: true,
        write: |random, key, value| {
            let before = format!("{{\"n\":{},\"{key}\":\"", random.between(1, 99_999));
            Written::plain(&before).with(&value.json()).then("\",\"v\":1}").base64_url()
        },
    },
    Encoding {
        name: "base64 in lines",
        fits: any,
        takes_name: true,
        write: |random, key, value| {
            let before = format!("owner: {}\n{key}: \"", random.word());
            let after = "\"\nregion: eu\nThis message was sent to you by the billing service.\n";
            Written::plain(&before).with(value).then(after).base64().wrapped(76, "\n")
        },
    },
    Encoding {
        name: "html entities",
        fits: any,
        takes_name: false,
        write: |_, _, value| {
            value.each(|mark, text| {
                if mark.is_ascii_alphanumeric() || mark.is_whitespace() {
                    text.push(mark);
                } else {
                    text.push_str(&format!("&#x{:X};", u32::from(mark)));
                }
            })
        },
    },
    Encoding {
        name: "hex in capitals",
        fits: any,
        takes_name: false,
        write: |_, _, value| value.capital_hex(),
    },
    Encoding {
        name: "base64 twice",
        fits: any,
        takes_name: false,
        write: |_, _, value| value.base64().base64(),
    },
];

const PLAIN: Context = Context {
    name: "",
    named: &[],
    whole: &[],
    escape: Written::clone,
    escape_whole: Written::clone,
    lines: false,
    finish: |text| text,
    json: false,
};

pub(crate) const CONTEXTS: &[Context] = &[
    Context {
        name: "debug print",
        named: &[
            "Config { region: \"eu\", %snake%: \"§\", retries: 3 }",
            "loaded &{Region:eu %Camel%:§ Retries:3}",
            "Config(region=eu, %camel%=§, retries=3)",
        ],
        whole: &["Output { status: ExitStatus(0), stdout: \"§\" }"],
        escape_whole: Written::json,
        ..PLAIN
    },
    Context {
        name: "container inspect",
        named: &[
            r#"[{"Config":{"Env":["PATH=/usr/bin","%UPPER%=§","LANG=C"],"Cmd":["run"]}}]"#,
            r#"{"containerDefinitions":[{"environment":[{"name":"%UPPER%","value":"§"}]}]}"#,
        ],
        escape: Written::json,
        lines: true,
        json: true,
        ..PLAIN
    },
    Context {
        name: "terraform",
        named: &[
            "resource \"app_service\" \"billing\" {\n  region = \"eu\"\n  %snake%   = \"§\"\n}\n",
            "      + %snake%  = \"§\"\n      + region    = \"eu\"\n",
        ],
        ..PLAIN
    },
    Context {
        name: "process list",
        named: &[
            "root   812  0.0  0.1  /usr/bin/app --%kebab%=§ --port 8080\n",
            "  812 ?  Ss  0:00 node server.js --%kebab% § --region eu\n",
        ],
        whole: &["  PID TTY   TIME CMD\n  812 ?     0:00 §\n  813 ?     0:01 sshd\n"],
        escape_whole: Written::one_line,
        ..PLAIN
    },
    Context {
        name: "java properties",
        named: &[
            "spring.application.name=billing\napp.%dotted%=§\nserver.port=8080\n",
            "app.region: eu\napp.%kebab%: §\n",
        ],
        ..PLAIN
    },
];

pub(crate) const NEGATIVES: &[Negative] = &[
    Negative {
        name: "go checksums",
        make: |random| {
            let sum = |random: &mut super::random::Random| {
                let bytes = random.bytes(32);
                super::written::sixes(&bytes, super::random::BASE64, true)
            };
            let name = format!("github.com/{}/{}", random.word(), random.word());
            format!("{name} v1.4.2 h1:{}\n{name} v1.4.2/go.mod h1:{}\n", sum(random), sum(random))
        },
    },
    Negative {
        name: "schema of a login",
        make: |random| {
            let least = random.between(8, 16);
            format!(
                "{{\"type\":\"object\",\"properties\":{{\"password\":{{\"type\":\"string\",\
                 \"format\":\"password\",\"minLength\":{least},\"description\":\"The password of \
                 the {} account\"}},\"api_key\":{{\"$ref\":\"#/$defs/apiKey\"}}}},\"required\":\
                 [\"password\"]}}",
                random.word()
            )
        },
    },
    Negative {
        name: "translations",
        make: |random| {
            format!(
                "{{\n  \"password\": \"Passwort\",\n  \"forgotPassword\": \"Passwort \
                 vergessen?\",\n  \
                 \"token\": \"Zugangscode\",\n  \"secretHint\": \"Geben Sie Ihr Geheimnis \
                 ein\",\n  \
                 \"{}\": \"Weiter\"\n}}\n",
                random.word()
            )
        },
    },
    Negative {
        name: "message ids",
        make: |random| {
            format!(
                "Message-ID: <{}.{}@mail.example.com>\r\nIn-Reply-To: <CA+{}@mail.example.com>\r\n\
                 Subject: your order\r\n",
                random.text(HEX, 16),
                random.text(DIGITS, 10),
                random.text(BASE64_URL, 43)
            )
        },
    },
    Negative {
        name: "hex dump",
        make: |random| {
            let mut text = String::new();
            for line in 0..4 {
                let pairs: Vec<String> = (0..8).map(|_| random.text(HEX, 4)).collect();
                text.push_str(&format!(
                    "{:08x}: {}  ................\n",
                    line * 16,
                    pairs.join(" ")
                ));
            }
            text
        },
    },
];

//! Harmless texts that look as if they held a secret. Nothing of them may change.

use super::contexts::{Context, fill};
use super::random::{BASE32, BASE62, BASE64, BASE64_URL, DIGITS, HEX, LOWER, Random, capital};
use super::written::{Written, sixes};

/// A kind of harmless text.
pub(crate) struct Negative {
    pub(crate) name: &'static str,
    pub(crate) make: fn(&mut Random) -> String,
}

/// A kind of harmless value, with names under which it is found. It is shown in every context.
pub(crate) struct Harmless {
    pub(crate) name: &'static str,
    pub(crate) keys: &'static [&'static str],
    pub(crate) make: fn(&mut Random) -> String,
}

impl Harmless {
    pub(crate) fn inside(&self, random: &mut Random, context: &Context) -> String {
        let value = Written::plain(&(self.make)(random));
        let key = *random.pick(self.keys);
        // Whatever a bearer bears is a secret.
        let templates: Vec<&str> =
            context.named.iter().filter(|text| !text.contains("Bearer")).copied().collect();
        let template = *random.pick(&templates);
        let other = Written::plain("none");
        let filled = fill(random, template, key, &(context.escape)(&value), &other);
        (context.finish)(filled).text
    }
}

pub(crate) const VALUES: &[Harmless] = &[
    Harmless {
        name: "uuid",
        keys: &["id", "request_id", "trace_id", "order_id", "movie_id"],
        make: Random::uuid,
    },
    Harmless {
        name: "git sha",
        keys: &["commit", "revision", "sha", "head", "base_ref"],
        make: |random| random.text(HEX, 40),
    },
    Harmless {
        name: "sha256 sum",
        keys: &["sha256", "checksum", "digest", "file_hash"],
        make: |random| random.text(HEX, 64),
    },
    Harmless {
        name: "image digest",
        keys: &["image", "digest"],
        make: |random| format!("example/{}@sha256:{}", random.word(), random.text(HEX, 64)),
    },
    Harmless {
        name: "etag",
        keys: &["etag", "content_md5", "version_tag"],
        make: |random| random.text(HEX, 32),
    },
    Harmless {
        name: "integrity",
        keys: &["integrity", "subresource_integrity"],
        make: |random| {
            let bytes = random.bytes(64);
            format!("sha512-{}", sixes(&bytes, BASE64, true))
        },
    },
    Harmless {
        name: "placeholder",
        keys: &["password", "api_key", "token", "client_secret", "db_password"],
        make: |random| {
            let all = [
                "<your-api-key>",
                "<password>",
                "<TOKEN>",
                "YOUR_API_KEY",
                "your-token-here",
                "xxxxxxxxxxxxxxxx",
                "XXXXXXXXXXXX",
                "********",
                "****************",
                "REDACTED",
                "[REDACTED]",
                "<redacted>",
                "none",
                "null",
                "undefined",
                "[FILTERED]",
                "(hidden)",
                "...",
                "not set",
                "replace_me",
                "INSERT_TOKEN_HERE",
            ];
            (*random.pick(&all)).to_owned()
        },
    },
    Harmless {
        name: "reference to the environment",
        keys: &["password", "api_key", "auth_token", "client_secret", "secret_key"],
        make: |random| {
            let name = random.word().to_uppercase();
            match random.below(9) {
                0 => format!("${{{name}_PASSWORD}}"),
                1 => format!("${name}_TOKEN"),
                2 => format!("%{name}_SECRET%"),
                3 => format!("{{{{ secrets.{name}_KEY }}}}"),
                4 => format!("${{{{ secrets.{name}_TOKEN }}}}"),
                5 => format!("process.env.{name}_TOKEN"),
                6 => format!("env({name}_KEY)"),
                7 => format!("${{{name}_PASSWORD:?not set}}"),
                _ => format!("{{{{ .Values.{}.password }}}}", name.to_lowercase()),
            }
        },
    },
    Harmless {
        name: "reference to a store",
        keys: &["password", "api_key", "token", "secret", "secret_ref"],
        make: |random| {
            let (one, two) = (random.word(), random.word());
            match random.below(6) {
                0 => format!("op://{one}/{two}/password"),
                1 => format!("vault:secret/data/{one}#{two}"),
                2 => format!("arn:aws:secretsmanager:eu-west-1:123456789012:secret:{one}/{two}"),
                3 => format!("projects/{one}/secrets/{two}/versions/latest"),
                4 => format!("/run/secrets/{one}_{two}"),
                _ => format!("ssm:/{one}/{two}/password"),
            }
        },
    },
    Harmless {
        name: "arn",
        keys: &["resource", "role", "topic_arn", "role_arn"],
        make: |random| {
            let account = random.text(DIGITS, 12);
            format!("arn:aws:iam::{account}:role/{}-{}", random.word(), random.word())
        },
    },
    Harmless {
        name: "cursor",
        keys: &["next_cursor", "cursor", "page_token", "next_page_token"],
        make: |random| {
            let inside = format!("{{\"offset\":{},\"sort\":\"name\"}}", random.between(10, 9999));
            sixes(inside.as_bytes(), BASE64, true)
        },
    },
    Harmless {
        name: "sealed state",
        keys: &["request_state", "next_cursor", "cursor", "continuation"],
        make: |random| {
            let length = random.between(60, 140);
            random.text(BASE64_URL, length)
        },
    },
    Harmless {
        name: "task id",
        keys: &["task_id", "job_id", "run_id", "progress_token"],
        make: |random| format!("task_{}", random.text(LOWER, 24)),
    },
    Harmless {
        name: "ulid",
        keys: &["id", "event_id", "row_id"],
        make: |random| format!("01J{}", random.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 23)),
    },
    Harmless {
        name: "object id",
        keys: &["_id", "customer_id", "charge", "invoice"],
        make: |random| {
            let prefix = random.pick(&["cus_", "ch_", "in_", "evt_", "price_"]);
            format!("{prefix}{}", random.text(BASE62, 24))
        },
    },
    Harmless {
        name: "version",
        keys: &["version", "release", "build", "api_version"],
        make: |random| {
            let (major, minor) = (random.below(20), random.below(40));
            format!(
                "{major}.{minor}.{}-rc.{}+{}",
                random.below(9),
                random.below(5),
                random.text(HEX, 7)
            )
        },
    },
    Harmless {
        name: "phone",
        keys: &["phone", "mobile", "contact"],
        make: |random| format!("+49 30 {} {}", random.text(DIGITS, 4), random.text(DIGITS, 4)),
    },
    Harmless {
        name: "path",
        keys: &["path", "file", "key_file", "token_path", "password_file"],
        make: |random| {
            let (one, two) = (random.word(), random.word());
            let path =
                random.pick(&["src", "/etc/ssl/private", "./config", "~/.ssh", "/usr/share"]);
            format!("{path}/{one}/{two}-2026.{}", random.pick(&["key", "rs", "json", "pem"]))
        },
    },
    Harmless {
        name: "url with ids",
        keys: &["url", "href", "link", "avatar"],
        make: |random| {
            let (id, name) = (random.text(BASE62, 22), random.word());
            match random.below(3) {
                0 => format!(
                    "https://{name}.example.com/watch/{id}?t=120&list=PL{}",
                    random.text(BASE62, 16)
                ),
                1 => format!(
                    "https://docs.example.com/document/d/{}/edit#gid=0",
                    random.text(BASE62, 44)
                ),
                _ => format!(
                    "https://example.com/{name}/{}/issues/17#issuecomment-{}",
                    id,
                    random.text(DIGITS, 10)
                ),
            }
        },
    },
    Harmless {
        name: "storage address",
        keys: &["location", "bucket", "artifact"],
        make: |random| {
            format!("s3://{}-prod/releases/2026/{}.tar.gz", random.word(), random.text(HEX, 12))
        },
    },
    Harmless {
        name: "public ssh key",
        keys: &["public_key", "authorized_key", "ssh_public_key"],
        make: |random| {
            format!(
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} me@{}",
                random.text(BASE64, 43),
                random.word()
            )
        },
    },
    Harmless {
        name: "fingerprint",
        keys: &["fingerprint", "host_key", "thumbprint"],
        make: |random| {
            if random.one_in(2) {
                return format!("SHA256:{}", random.text(BASE64, 43));
            }
            let pairs: Vec<String> = (0..20).map(|_| random.text("0123456789ABCDEF", 2)).collect();
            pairs.join(":")
        },
    },
    Harmless {
        name: "number",
        keys: &["max_tokens", "token_count", "password_min_length", "token_ttl", "key_size"],
        make: |random| random.between(1, 200_000).to_string(),
    },
    Harmless {
        name: "time",
        keys: &["password_changed_at", "token_expires_at", "last_login", "secret_rotated_at"],
        make: |random| {
            format!("2026-{:02}-11T08:15:{:02}Z", random.between(1, 12), random.below(60))
        },
    },
    Harmless {
        name: "kind of secret",
        keys: &["token_type", "auth_method", "credential_type", "key_type", "secret_engine"],
        make: |random| {
            let kinds = ["bearer", "basic", "client_secret_post", "ssh-rsa", "kv-v2", "password"];
            (*random.pick(&kinds)).to_owned()
        },
    },
    Harmless {
        name: "yes and no",
        keys: &["password_required", "has_token", "secret", "use_api_key", "password_reset"],
        make: |random| (*random.pick(&["true", "false", "yes", "no", "enabled"])).to_owned(),
    },
    Harmless {
        name: "name of a secret",
        keys: &["secret_name", "api_key_name", "token_name", "password_field", "key_id"],
        make: |random| {
            format!(
                "{}-{}-{}",
                random.word(),
                random.word(),
                random.pick(&["key", "token", "prod"])
            )
        },
    },
    Harmless {
        name: "network address",
        keys: &["address", "mac", "client_ip"],
        make: |random| {
            if random.one_in(2) {
                return format!(
                    "2001:db8:{}:{}::{}",
                    random.text(HEX, 4),
                    random.text(HEX, 4),
                    random.text(HEX, 2)
                );
            }
            let pairs: Vec<String> = (0..6).map(|_| random.text(HEX, 2)).collect();
            pairs.join(":")
        },
    },
    Harmless {
        name: "long name",
        keys: &["class", "metric", "bundle", "package"],
        make: |random| {
            let words: Vec<String> = (0..4).map(|_| capital(random.word())).collect();
            format!(
                "com.example.{}{}",
                words.concat(),
                random.pick(&["Factory", "V2Test", "Http2Proxy"])
            )
        },
    },
    Harmless {
        name: "colour and class",
        keys: &["style", "class", "asset"],
        make: |random| {
            format!(
                "{}_{}__{} bg-{}",
                random.word(),
                random.word(),
                random.text(BASE62, 5),
                random.text(HEX, 6)
            )
        },
    },
    Harmless {
        name: "asset name",
        keys: &["asset", "chunk", "script"],
        make: |random| format!("static/js/{}.{}.chunk.js", random.word(), random.text(HEX, 20)),
    },
];

pub(crate) const TEXTS: &[Negative] = &[
    Negative {
        name: "prose about passwords",
        make: |random| {
            let all = [
                "The password must be at least 12 characters and contain a digit.",
                "Your password: must be longer. Try a passphrase of four words instead.",
                "Password: required. Token: optional, see the manual.",
                "Invalid password for user app: too short",
                "If the token has expired, ask for a new token with your refresh token.",
                "Error: authentication failed: token expired at 12:30",
                "The API key is missing. Send the header Authorization with a bearer token.",
                "Secret: none of the three doors leads outside.",
                "password authentication failed for user \"app\"",
                "This secret santa list is key to a successful party; pass it on.",
                "api_key: must be a string. Send \"api_key\": \"…\", for example.",
                "Unknown argument `token`. Did you mean `tokens`?",
                "Set the client secret in the console, then paste the authorization code.",
                "token = lexer.next(); // the password check comes later",
                "A session token is 32 bytes long; an access key has 20 characters.",
                "key: value pairs are separated by commas",
            ];
            format!("{}\n{} {}.", random.pick(&all), capital(random.word()), random.word())
        },
    },
    Negative {
        name: "examples in documents of an interface",
        make: |random| {
            let all = [
                "curl -H \"Authorization: Bearer <token>\" https://api.example.com/v1/me",
                concat!("export AWS_ACCESS_KEY_ID=AKIA", "IOSFODNN7EXAMPLE"),
                concat!("aws_secret_access_key = wJalr", "XUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY"),
                concat!("GITHUB_TOKEN=ghp", "_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
                concat!("Tokens begin with `xoxb", "-` or `xoxp", "-`."),
                "curl -u user:password https://api.example.com/v1/items",
                "curl -u \"$USER:$TOKEN\" https://api.example.com/v1/items",
                concat!("stripe.api_key = \"sk_test", "_...\""),
                "Authorization: Basic <base64 of user:password>",
                "Authorization: Bearer YOUR_ACCESS_TOKEN",
                "postgres://user:password@localhost:5432/database",
                "postgresql://USER:PASSWORD@HOST:PORT/NAME",
                "redis://:<password>@host:6379",
                "https://user:pass@example.com/",
                "client = OpenAI(api_key=os.environ[\"OPENAI_API_KEY\"])",
                "const client = new Client({ apiKey: process.env.API_KEY });",
                concat!("The key looks like sk", "-ant-... and is shown once."),
                "docker run -e POSTGRES_PASSWORD=... postgres:17",
                "mysql -u root -p app < dump.sql",
                "git clone https://<token>@git.example.com/a/b.git",
                "machine example.com login <user> password <password>",
                "--token <TOKEN>    the token [env: APP_TOKEN]",
                "--password-stdin   take the password from stdin",
            ];
            format!("Example {}:\n\n    {}\n", random.between(1, 40), random.pick(&all))
        },
    },
    Negative {
        name: "code that handles secrets",
        make: |random| {
            let all = [
                "fn verify(password: &str, hash: &PasswordHash) -> bool {",
                "let token = self.tokens.next().ok_or(Error::UnexpectedEnd)?;",
                "const password = req.body.password;",
                "password = getpass.getpass(\"Password: \")",
                "if (token !== expectedToken) { throw new InvalidTokenError(); }",
                "pub struct Config { pub password: Option<String>, pub api_key: SecretString }",
                "secret_key = config.get('secret_key') or generate_secret_key()",
                "String password = passwordField.getText();",
                "token = request.headers.get(\"Authorization\").removeprefix(\"Bearer \")",
                "const { accessToken, refreshToken } = await exchangeAuthorizationCode(code);",
                "private_key = serialization.load_pem_private_key(data, password=None)",
                "ALTER TABLE users ADD COLUMN password_hash VARCHAR(60) NOT NULL;",
                "auth_token: str = Field(default_factory=create_auth_token_for_tests)",
                "apiKey: apiKeyFromSecretManager(\"billing-production\"),",
                "let secret = Secret::new(std::env::var(\"CLIENT_SECRET\")?);",
                "<input type=\"password\" name=\"password\" autocomplete=\"current-password\">",
                "password: { type: DataTypes.STRING, allowNull: false },",
                "  token: string; password?: string; apiKeys: ReadonlyArray<ApiKeySummary>;",
            ];
            let (first, second) = (random.below(all.len()), random.below(all.len()));
            format!("{}\n// {}\n{}\n", all[first], random.word(), all[second])
        },
    },
    Negative {
        name: "cargo lock file",
        make: |random| {
            let name = format!("{}-{}", random.word(), random.word());
            format!(
                "[[package]]\nname = \"{name}\"\nversion = \"1.{}.0\"\nsource = \"registry+https://\
                 github.com/rust-lang/crates.io-index\"\nchecksum = \"{}\"\n",
                random.below(30),
                random.text(HEX, 64)
            )
        },
    },
    Negative {
        name: "npm lock file",
        make: |random| {
            let name = random.word();
            let bytes = random.bytes(64);
            format!(
                "    \"node_modules/{name}\": \
                 {{\n      \"version\": \"4.{}.1\",\n      \"resolved\": \
                 \"https://registry.npmjs.org/{name}/-/{name}-4.0.1.tgz\",\n      \"integrity\": \
                 \"sha512-{}\",\n      \"license\": \"MIT\"\n    }},\n",
                random.below(9),
                sixes(&bytes, BASE64, true)
            )
        },
    },
    Negative {
        name: "yarn and poetry lock files",
        make: |random| {
            let (name, hash) = (random.word(), random.text(HEX, 64));
            if random.one_in(2) {
                let tail = random.text(HEX, 40);
                return format!(
                    "{name}@^1.2.0:\n  resolved \"https://r.example.com/{name}-1.2.3.tgz#{tail}\"\n"
                );
            }
            format!(
                "files = [\n    {{file = \"{name}-2.1-py3-none-any.whl\", hash \
                 = \"sha256:{hash}\"}},\n]\n"
            )
        },
    },
    Negative {
        name: "sums of files",
        make: |random| {
            let mut text = String::new();
            for _ in 0..3 {
                let length = *random.pick(&[40, 64, 128]);
                text.push_str(&format!("{}  {}.tar.gz\n", random.text(HEX, length), random.word()));
            }
            text
        },
    },
    Negative {
        name: "git log",
        make: |random| {
            format!(
                "commit {}\nAuthor: Ann <ann@example.com>\nDate:   Mon Mar 2 10:12:01 2026 \
                 +0100\n\n    \
                 {}: rotate the token of the {} job\n\ndiff --git a/a.rs b/a.rs\nindex {}..{} \
                 100644\n",
                random.text(HEX, 40),
                random.word(),
                random.word(),
                random.text(HEX, 9),
                random.text(HEX, 9)
            )
        },
    },
    Negative {
        name: "certificate",
        make: |random| {
            let label = random.pick(&["CERTIFICATE", "PUBLIC KEY", "CERTIFICATE REQUEST"]);
            let body = Written::plain(&format!("MIID{}=", random.text(BASE64, 639)));
            let body = body.wrapped(64, "\n").text;
            format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----\n")
        },
    },
    Negative {
        name: "public pgp key",
        make: |random| {
            let body = Written::plain(&format!("mQINBF{}", random.text(BASE64, 506)));
            let body = body.wrapped(64, "\n").text;
            format!(
                "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{body}\n=aB3d\n-----END PGP PUBLIC KEY \
                 BLOCK-----\n"
            )
        },
    },
    Negative {
        name: "public jwk set",
        make: |random| {
            format!(
                "{{\"keys\":[{{\"kty\":\"RSA\",\"use\":\"sig\",\"kid\":\"{}\",\"n\":\"{}\",\"e\":\"AQAB\"}}]}}",
                random.text(BASE64_URL, 27),
                random.text(BASE64_URL, 342)
            )
        },
    },
    Negative {
        name: "known hosts",
        make: |random| {
            let body = random.text(BASE64, 340);
            format!("git.example.com ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB{body}==\n")
        },
    },
    Negative {
        name: "picture",
        make: |random| {
            let bytes = random.bytes(300);
            let body = sixes(&bytes, BASE64, true);
            match random.below(4) {
                0 => format!("<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{body}\">"),
                1 => format!(
                    "{{\"type\":\"image\",\"data\":\"iVBORw0KGgoAAAANSUhEUgAA{body}\",\"mimeType\":\"image/png\"}}"
                ),
                2 => format!(
                    "{{\"type\":\"audio\",\"data\":\"UklGRiQAAABXQVZF{body}\",\"mimeType\":\"audio/wav\"}}"
                ),
                _ => {
                    format!("src: url(data:font/woff2;base64,d09GMgABAAAAA{body}) format('woff2');")
                }
            }
        },
    },
    Negative {
        name: "text in base64",
        make: |random| {
            let inside = format!(
                "{{\"title\":\"{} {}\",\"pages\":{},\"tags\":[\"{}\",\"{}\"]}}",
                random.word(),
                random.word(),
                random.between(10, 900),
                random.word(),
                random.word()
            );
            format!("{{\"blob\":\"{}\",\"ok\":true}}", sixes(inside.as_bytes(), BASE64, true))
        },
    },
    Negative {
        name: "minified code",
        make: |random| {
            let word = random.word();
            format!(
                "!function(e,t){{var n=t.token=e.nextToken();for(var \
                 r=0;r<n.length;r++)t.key=n[r].key,\
                 t.password=null,e.{word}=function(e){{return e.secret?1:0}};\
                 t.exports={{apiKey:t.apiKey,token:n.token,auth:e.auth}}}}(this,{{}});\
                 //# sourceMappingURL={word}.{}.js.map\n",
                random.text(HEX, 8)
            )
        },
    },
    Negative {
        name: "source map",
        make: |random| {
            let mut mappings = String::new();
            for _ in 0..40 {
                mappings.push_str(&random.text("ACDEIKMSUW", 4));
                mappings.push(if random.one_in(9) { ';' } else { ',' });
            }
            format!(
                "{{\"version\":3,\"sources\":[\"a.ts\"],\"names\":[],\"mappings\":\"{mappings}\"}}"
            )
        },
    },
    Negative {
        name: "reference to a kubernetes secret",
        make: |random| {
            let word = random.word();
            format!(
                "    - name: {}_PASSWORD\n      valueFrom:\n        secretKeyRef:\n          name: \
                 {word}-credentials\n          key: password\n    secretName: {word}-tls\n",
                word.to_uppercase()
            )
        },
    },
    Negative {
        name: "workflow",
        make: |random| {
            format!(
                "      - uses: actions/checkout@{}\n        with:\n          token: ${{{{ \
                 secrets.GITHUB_TOKEN \
                 }}}}\n          ssh-key: ${{{{ secrets.DEPLOY_KEY }}}}\n      - run: make {}\n",
                random.text(HEX, 40),
                random.word()
            )
        },
    },
    Negative {
        name: "use of tokens by a model",
        make: |random| {
            format!(
                "{{\"model\":\"gpt-5\",\"usage\":{{\"prompt_tokens\":{},\"completion_tokens\":{},\
                 \"total_tokens\":{}}},\"max_tokens\":4096,\"stop_token\":\"<|endoftext|>\",\
                 \"system_fingerprint\":\"fp_{}\"}}",
                random.between(10, 9000),
                random.between(10, 900),
                random.between(10, 9900),
                random.text(HEX, 10)
            )
        },
    },
    Negative {
        name: "help of a program",
        make: |random| {
            format!(
                "Usage: {} [OPTIONS]\n\n  -p, --password <PASSWORD>  password for the \
                 server\n      \
                 --token-file <PATH>    file that holds the token\n      --api-key KEY          \
                 [env: API_KEY=]\n  -u, --user USER:PASSWORD\n",
                random.word()
            )
        },
    },
    Negative {
        name: "headers of an answer",
        make: |random| {
            format!(
                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer realm=\"api\", \
                 error=\"invalid_token\"\
                 \r\nETag: W/\"{}\"\r\nX-Request-Id: {}\r\nCF-Ray: {}-FRA\r\nVary: \
                 Authorization, Cookie\r\n",
                random.text(HEX, 32),
                random.uuid(),
                random.text(HEX, 16)
            )
        },
    },
    Negative {
        name: "message of a server",
        make: |random| {
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{\"resultType\":\"complete\",\"tools\":[],\
                 \"nextCursor\":\"{}\",\"_meta\":{{\"progressToken\":\"{}\"}}}}}}",
                random.below(900),
                random.text(BASE64_URL, 88),
                random.text(BASE62, 22)
            )
        },
    },
    Negative {
        name: "stack trace",
        make: |random| {
            let word = random.word();
            format!(
                "Traceback (most recent call last):\n  \
                 File \"/usr/lib/python3.12/site-packages/{word}/\
                 auth/token_provider.py\", line 211, in refresh_access_token\n    raise \
                 TokenExpiredError(token_id)\n{word}.errors.TokenExpiredError: token {} expired\n",
                random.between(100, 9999)
            )
        },
    },
    Negative {
        name: "listing of files",
        make: |random| {
            format!(
                "-rw------- 1 app app  1679 Mar  2 10:12 id_{}\n-rw-r--r-- 1 app app   399 Mar  \
                 2 10:12 \
                 id_{}.pub\n-rw-r--r-- 1 app app 40960 Mar  2 10:12 passwords-{}.kdbx\n",
                random.word(),
                random.word(),
                random.text(DIGITS, 8)
            )
        },
    },
    Negative {
        name: "numbers",
        make: |random| {
            let mut text = String::from("id,amount,iban,isbn\n");
            for _ in 0..4 {
                text.push_str(&format!(
                    "{},{}.{},DE{},978-3-{}-{}-{}\n",
                    random.text(DIGITS, 12),
                    random.below(9999),
                    random.text(DIGITS, 2),
                    random.text(DIGITS, 20),
                    random.text(DIGITS, 2),
                    random.text(DIGITS, 6),
                    random.below(10)
                ));
            }
            text
        },
    },
    Negative {
        name: "sequences and codes",
        make: |random| {
            let bases = random.text("ACGT", 90);
            let code = random.text(BASE32, 8);
            format!(
                ">seq{} {}\n{bases}\nSKU-{code}-{}\n",
                random.below(99),
                random.word(),
                random.text(DIGITS, 5)
            )
        },
    },
    Negative {
        name: "output of a build",
        make: |random| {
            format!(
                "   Compiling {}-token v0.{}.2\nwarning: unused variable: `password`\n  --> \
                 src/auth/secret.rs:41:9\n\
                 test auth::tests::a_password_is_hashed ... ok\n    Finished in 12.41s ({})\n",
                random.word(),
                random.below(30),
                random.text(HEX, 16)
            )
        },
    },
    Negative {
        name: "answer of a login form",
        make: |random| {
            format!(
                "{{\"errors\":[{{\"field\":\"password\",\"message\":\"is too \
                 short\"}},{{\"field\":\"token\",\
                 \"message\":\"has expired\"}}],\"requestId\":\"{}\"}}",
                random.uuid()
            )
        },
    },
];

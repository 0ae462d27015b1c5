//! Secrets that the line they stand in gives away: headers, flags, and files of credentials.

use super::Shape::{Block, Line};
use super::{Kind, between};
use crate::random::{BASE62, BASE64, BASE64_URL, HEX, Random, capital};
use crate::written::{Written, sixes};

/// A line of output.
const OUTPUT: &[&str] = &["output", "line", "stdout"];
/// A text of several lines.
const FILE: &[&str] = &["file", "content", "body"];

pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "basic authorization header",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let inside = format!("{}:{}", random.word(), random.password());
            let name = random.pick(&["Authorization", "authorization", "Proxy-Authorization"]);
            between(&format!("{name}: Basic "), &sixes(inside.as_bytes(), BASE64, true), "")
        },
    },
    Kind {
        name: "bearer header",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let scheme = random.pick(&["Bearer", "bearer", "Token", "token"]);
            let length = random.between(28, 60);
            between(&format!("Authorization: {scheme} "), &random.text(BASE64_URL, length), "")
        },
    },
    Kind {
        name: "api key header",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let name = random.pick(&["X-Api-Key", "x-api-key", "Api-Key", "X-Auth-Token"]);
            between(&format!("{name}: "), &random.text(BASE62, 36), "")
        },
    },
    Kind {
        name: "request cookie",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let name = random.pick(&["sessionid", "connect.sid", "JSESSIONID", "PHPSESSID"]);
            let core = random.text(BASE62, 32);
            between(&format!("Cookie: theme=dark; {name}="), &core, "; lang=en")
        },
    },
    Kind {
        name: "cookie that is set",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let name = random.pick(&["session", "auth_token", "remember_token", "sid"]);
            let core = random.text(BASE64_URL, 48);
            between(&format!("Set-Cookie: {name}="), &core, "; Path=/; HttpOnly; Secure")
        },
    },
    Kind {
        name: "netrc line",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let before = format!("machine git.example.com login {} password ", random.word());
            between(&before, &random.password(), "")
        },
    },
    Kind {
        name: "pgpass line",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let before = format!("db.example.com:5432:{}:{}:", random.word(), random.word());
            between(&before, &random.text(BASE62, 20), "")
        },
    },
    Kind {
        name: "npmrc token",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            between("//registry.example.com/npm/:_authToken=", &random.text(BASE64_URL, 40), "")
        },
    },
    Kind {
        name: "npmrc basic auth",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let inside = format!("{}:{}", random.word(), random.password());
            let name = random.pick(&["_auth", "_password"]);
            let core = sixes(inside.as_bytes(), BASE64, true);
            between(&format!("//registry.example.com/:{name}="), &core, "")
        },
    },
    Kind {
        name: "password flag",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let flag = random.pick(&["--password", "--token", "--api-key", "--secret", "--passwd"]);
            let sign = random.pick(&["=", " "]);
            between(&format!("deploy --env prod {flag}{sign}"), &random.password(), " --verbose")
        },
    },
    Kind {
        name: "sshpass",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            between("sshpass -p ", &random.text(BASE62, 16), " ssh deploy@web1.example.com uptime")
        },
    },
    Kind {
        name: "curl user",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let flag = random.pick(&["-u", "--user"]);
            let before = format!("curl -fsS {flag} {}:", random.word());
            between(&before, &random.text(BASE62, 18), " https://api.example.com/v1/items")
        },
    },
    Kind {
        name: "password before a command",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let (name, command) = *random.pick(&[
                ("PGPASSWORD", "psql -h db -U app -c 'select 1'"),
                ("MYSQL_PWD", "mysqldump -h db app"),
                ("RESTIC_PASSWORD", "restic snapshots"),
                ("SSHPASS", "sshpass -e ssh web1 uptime"),
                ("REDISCLI_AUTH", "redis-cli -h cache ping"),
            ]);
            between(&format!("{name}="), &random.text(BASE62, 18), &format!(" {command}"))
        },
    },
    Kind {
        name: "redis-cli password",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            between("redis-cli -h cache.example.com -a ", &random.text(BASE62, 22), " INFO")
        },
    },
    Kind {
        name: "docker login",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let before = format!("docker login -u {} -p ", random.word());
            between(&before, &random.text(BASE62, 24), " registry.example.com")
        },
    },
    Kind {
        name: "openssl pass",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let before = "openssl rsa -in server.key -passin pass:";
            between(before, &random.text(BASE62, 16), " -out plain.key")
        },
    },
    Kind {
        name: "php define",
        shape: Line,
        keys: OUTPUT,
        make: |random| between("define( 'DB_PASSWORD', '", &random.password(), "' );"),
    },
    Kind {
        name: "sql user",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let before = format!("CREATE USER {} WITH PASSWORD '", random.word());
            between(&before, &random.password(), "' VALID UNTIL '2027-01-01';")
        },
    },
    Kind {
        name: "mysql identified by",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let before = format!("ALTER USER '{}'@'%' IDENTIFIED BY '", random.word());
            between(&before, &random.password(), "';")
        },
    },
    Kind {
        name: "login form",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let before = format!("username={}&password=", random.word());
            between(&before, &random.text(BASE62, 16), "&remember=1")
        },
    },
    Kind {
        name: "totp url",
        shape: Line,
        keys: OUTPUT,
        make: |random| {
            let before = format!("enrolled by otpauth://totp/Shop:{}?secret=", random.word());
            let core = random.text(crate::random::BASE32, 32);
            between(&before, &core, "&issuer=Shop&digits=6")
        },
    },
    Kind {
        name: "docker config",
        shape: Block,
        keys: FILE,
        make: |random| {
            let inside = format!("{}:{}", random.word(), random.password());
            Written::plain("{\n\t\"auths\": {\n\t\t\"registry.example.com\": {\n\t\t\t\"auth\": \"")
                .secret(&sixes(inside.as_bytes(), BASE64, true))
                .then("\"\n\t\t}\n\t}\n}")
        },
    },
    Kind {
        name: "kubeconfig",
        shape: Block,
        keys: FILE,
        make: |random| {
            let certificate = random.text(BASE64, 60);
            let key = format!(
                "{}{}",
                concat!("LS0tLS1CRUdJTiBSU0Eg", "UFJJVkFU"),
                random.text(BASE64, 800)
            );
            Written::plain("apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n")
                .then(&format!("    client-certificate-data: LS0tLS1CRUdJTiBDRVJU{certificate}\n"))
                .then("    client-key-data: ")
                .secret(&key)
                .then("\n    token: ")
                .secret(&random.text(BASE64_URL, 48))
                .then("\n")
        },
    },
    Kind {
        name: "kubernetes secret",
        shape: Block,
        keys: FILE,
        make: |random| {
            Written::plain("apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\n")
                .then("data:\n  username: YXBw\n  password: ")
                .secret(&sixes(random.password().as_bytes(), BASE64, true))
                .then("\n")
        },
    },
    Kind {
        name: "aws credentials file",
        shape: Block,
        keys: FILE,
        make: |random| {
            let id = random.text(crate::random::BASE32, 16);
            Written::plain("[default]\naws_access_key_id = ")
                .known(&format!("{}{id}", concat!("AK", "IA")))
                .then("\naws_secret_access_key = ")
                .secret(&random.text(BASE64, 40))
                .then("\nregion = eu-west-1\n")
        },
    },
    Kind {
        name: "pypirc",
        shape: Block,
        keys: FILE,
        make: |random| {
            Written::plain("[distutils]\nindex-servers =\n    internal\n\n[internal]\n")
                .then(&format!(
                    "repository: https://pypi.example.com\nusername: {}\n",
                    random.word()
                ))
                .then("password: ")
                .secret(&random.password())
                .then("\n")
        },
    },
    Kind {
        name: "maven settings",
        shape: Block,
        keys: FILE,
        make: |random| {
            Written::plain("<server>\n  <id>releases</id>\n  <username>")
                .then(random.word())
                .then("</username>\n  <password>")
                .secret(&random.password())
                .then("</password>\n</server>")
        },
    },
    Kind {
        name: "nuget config",
        shape: Block,
        keys: FILE,
        make: |random| {
            Written::plain(
                "<feed>\n  <add key=\"Username\" value=\"ci\" />\n  <add \
             key=\"ClearTextPassword\" value=\"",
            )
            .secret(&random.password())
            .then("\" />\n</feed>")
        },
    },
    Kind {
        name: "wpa supplicant",
        shape: Block,
        keys: FILE,
        make: |random| {
            Written::plain("network={\n    ssid=\"")
                .then(&capital(random.word()))
                .then("\"\n    psk=\"")
                .secret(&random.password())
                .then("\"\n}")
        },
    },
    Kind {
        name: "wireguard config",
        shape: Block,
        keys: FILE,
        make: |random| {
            let bytes = random.bytes(32);
            Written::plain("[Interface]\nPrivateKey = ")
                .secret(&sixes(&bytes, BASE64, true))
                .then("\nAddress = 10.8.0.2/24\n")
        },
    },
    Kind {
        name: "terraform credentials",
        shape: Block,
        keys: FILE,
        make: |random| {
            Written::plain("credentials \"app.example.com\" {\n  token = \"")
                .secret(&random.text(BASE62, 48))
                .then("\"\n}")
        },
    },
    Kind {
        name: "token endpoint answer",
        shape: Block,
        keys: FILE,
        make: |random| {
            Written::plain("{\n  \"token_type\": \"Bearer\",\n  \"expires_in\": 3600,\n")
                .then("  \"access_token\": \"")
                .secret(&random.text(BASE64_URL, 64))
                .then("\",\n  \"refresh_token\": \"")
                .secret(&random.text(BASE64_URL, 48))
                .then("\"\n}")
        },
    },
    Kind {
        name: "table of api keys",
        shape: Block,
        keys: FILE,
        make: |random| {
            let row = |random: &mut Random| {
                let start = format!("{}@example.com  ", random.word());
                Written::plain(&start)
                    .then("api_key=")
                    .secret(&random.text(HEX, 40))
                    .then("  plan=pro\n")
            };
            row(random).with(&row(random)).with(&row(random))
        },
    },
];

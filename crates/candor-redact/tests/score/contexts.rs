//! A value and its name to the text that they stand in.
//!
//! In a template `§` is the value and `¤` another secret. Between percent signs stands the name of
//! the value, in the form that is shown, or something to fill in.

use super::random::{Random, capital};
use super::written::Written;

/// A text around a value.
pub(crate) struct Context {
    pub(crate) name: &'static str,
    /// With a value that has a name.
    pub(crate) named: &'static [&'static str],
    /// With a line or a file; none: it is not found there.
    pub(crate) whole: &'static [&'static str],
    /// How a value is written so that the text stays what it is.
    pub(crate) escape: fn(&Written) -> Written,
    /// The same for lines and files.
    pub(crate) escape_whole: fn(&Written) -> Written,
    /// Whether a value may have several lines.
    pub(crate) lines: bool,
    /// What the whole text is, at the end: for texts that are broken wherever a line is full.
    pub(crate) finish: fn(Written) -> Written,
    pub(crate) json: bool,
}

const PLAIN: Context = Context {
    name: "",
    named: &[],
    whole: &[],
    escape: Written::clone,
    escape_whole: Written::clone,
    lines: false,
    finish: as_it_is,
    json: false,
};

/// Those that a writer of rules may look at.
pub(crate) const SEEN: &[Context] = &[
    Context {
        name: "log line",
        named: &[
            "%time% INFO  payments: refreshed, %snake%=§ ttl=3600\n",
            "%time% DEBUG http: sending %Header%: § to %host%\n",
            "%time% WARN  auth: %words% is §, retrying in 5 s\n",
        ],
        whole: &["%time% DEBUG exec: §\n", "[%time%] worker-3 read \"§\"\n"],
        escape_whole: Written::one_line,
        ..PLAIN
    },
    Context {
        name: "json log line",
        named: &[
            r#"{"time":"%time%","level":"info","msg":"configured","%camel%":"§","pid":4711}"#,
            r#"{"level":"error","%snake%":"§","error":"denied","time":"%time%"}"#,
        ],
        whole: &[r#"{"time":"%time%","level":"debug","%snake%":"§","pid":4711}"#],
        escape: Written::json,
        escape_whole: Written::json,
        lines: true,
        json: true,
        ..PLAIN
    },
    Context {
        name: "error message",
        named: &[
            "Error: %host% refused the %words% \"§\": 401 Unauthorized",
            "invalid value for %snake%: '§' (it belongs to another account)",
            "ConfigError: %UPPER%=§ is not accepted in this region",
        ],
        whole: &["Error: command failed: §\nexit status 1", "cannot parse:\n§\nat line 1"],
        lines: true,
        ..PLAIN
    },
    Context {
        name: "stack trace",
        named: &[
            "Traceback (most recent call last):\n  File \"/srv/app/run.py\", line 41, in \
             main\n    client = Client(%snake%=\"§\")\nValueError: rejected\n",
            "Error: rejected\n    at connect({ %camel%: '§' }) (/srv/app/client.js:12:7)\n    at \
             main (/srv/app/run.js:4:3)\n",
            "java.lang.IllegalStateException: %camel%=§\n\tat \
             shop.Client.open(Client.java:41)\n\tat shop.Main.main(Main.java:9)\n",
        ],
        whole: &["Traceback (most recent call last):\n  File \"/srv/app/run.py\", line 9, in \
             main\n    run('§')\nValueError: rejected\n"],
        escape_whole: Written::quoted,
        ..PLAIN
    },
    Context {
        name: "json document",
        named: &[
            "{\n  \"name\": \"billing\",\n  \"%camel%\": \"§\",\n  \"replicas\": 2\n}\n",
            "{\n  \"service\": {\n    \"%snake%\": \"§\"\n  },\n  \"tags\": \
             [\"eu\", \"live\"]\n}\n",
            "{\n    \"%UPPER%\": \"§\",\n    \"REGION\": \"eu\"\n}\n",
        ],
        whole: &["{\n  \"id\": 7,\n  \"%snake%\": \"§\",\n  \"ok\": true\n}\n"],
        escape: Written::json,
        escape_whole: Written::json,
        lines: true,
        json: true,
        ..PLAIN
    },
    Context {
        name: "json inside a json string",
        named: &[
            r#"{"content":[{"type":"text","text":"{\"%camel%\":\"§\",\"region\":\"eu\"}"}],"isError":false}"#,
            r#"{"body":"{\"user\":{\"%snake%\":\"§\"}}","status":200}"#,
        ],
        whole: &[r#"{"content":[{"type":"text","text":"{\"%snake%\":\"§\",\"code\":0}"}]}"#],
        escape: |value| value.json().json(),
        escape_whole: |value| value.json().json(),
        lines: true,
        json: true,
        ..PLAIN
    },
    Context {
        name: "yaml",
        named: &[
            "service:\n  name: billing\n  %snake%: §\n  replicas: 2\n",
            "service:\n  %kebab%: \"§\"\n  region: eu\n",
            "%camel%: '§'\nregion: eu\n",
        ],
        whole: &[
            "steps:\n  - run: |\n      §\n  - run: make\n",
            "data:\n  %snake%: |\n      §\n  a: b\n",
        ],
        escape_whole: |value| value.indented("      "),
        ..PLAIN
    },
    Context {
        name: "toml",
        named: &[
            "[service]\nname = \"billing\"\n%snake% = \"§\"\n",
            "%kebab% = '§'\n\n[limits]\nrate = 5\n",
        ],
        ..PLAIN
    },
    Context {
        name: "ini",
        named: &[
            "[service]\nregion = eu\n%snake% = §\n",
            "[client]\n%snake%=§\nhost=db\n",
            "[main]\n%camel%: §\n",
        ],
        ..PLAIN
    },
    Context {
        name: "environment",
        named: &[
            "PATH=/usr/bin:/bin\n%UPPER%=§\nLANG=C.UTF-8\n",
            "declare -x HOME=\"/root\"\ndeclare -x %UPPER%=\"§\"\n",
            "export REGION=eu\nexport %UPPER%='§'\n",
            "APP_%UPPER%=§\nTERM=xterm\n",
        ],
        ..PLAIN
    },
    Context {
        name: "shell trace",
        named: &[
            "+ export %UPPER%=§\n+ ./deploy.sh --region eu\n",
            "++ %UPPER%=§\n++ make release\n",
            "+ ./login --%kebab% § --region eu\n",
        ],
        whole: &["+ §\n+ echo done\n"],
        escape_whole: Written::one_line,
        ..PLAIN
    },
    Context {
        name: "http request",
        named: &[
            "POST /v1/orders HTTP/1.1\r\nHost: %host%\r\n%Header%: §\r\nAccept: \
             */*\r\n\r\n{\"id\":7}",
            "GET /v1/me HTTP/1.1\r\nHost: %host%\r\nAuthorization: Bearer §\r\nAccept: */*\r\n\r\n",
            "> GET /v1/me HTTP/2\n> Host: %host%\n> X-%Header%: §\n> Accept: */*\n< HTTP/2 403\n",
        ],
        whole: &[
            "POST /v1/notes HTTP/1.1\r\nHost: %host%\r\nContent-Type: text/plain\r\n\r\n§\r\n",
        ],
        ..PLAIN
    },
    Context {
        name: "curl command",
        named: &[
            "curl -sS -X POST https://%host%/v1/items -H '%Header%: §' -d '{}'",
            "$ curl -H \"Authorization: Bearer §\" https://%host%/v1/me",
            "curl --request GET --url https://%host%/v1/me --header '%Header%: §'",
        ],
        ..PLAIN
    },
    Context {
        name: "url",
        named: &[
            "https://%host%/v1/search?%snake%=§&page=2",
            "GET https://%host%/hook?id=7&%camel%=§ answered 502",
            "see <https://%host%/callback?state=xyz&%snake%=§> for more",
        ],
        escape: Written::percent,
        ..PLAIN
    },
    Context {
        name: "sql error",
        named: &[
            "ERROR:  duplicate key value violates unique constraint \"settings_pkey\"\nDETAIL:  \
             Key (name, value)=(%snake%, §) already exists.\n",
            "SQLSTATE[23000]: INSERT INTO settings (name, value) VALUES ('%snake%', '§')",
            "UPDATE accounts SET %snake% = '§' WHERE id = 7: lock wait timeout exceeded",
        ],
        escape: Written::sql,
        ..PLAIN
    },
    Context {
        name: "table",
        named: &[
            "| name | value |\n|---|---|\n| %snake% | § |\n| region | eu |\n",
            " name     | value\n----------+-------\n %snake% | §\n(1 row)\n",
            "NAME           VALUE\nregion         eu\n%UPPER%   §\n",
        ],
        ..PLAIN
    },
    Context {
        name: "markdown",
        named: &[
            "## Access\n\nThe %words% is `§`.\n\nRotate it monthly.\n",
            "- **%words%**: `§`\n- region: eu\n",
            "First:\n\n```sh\nexport %UPPER%=§\nmake deploy\n```\n",
        ],
        whole: &["Run this:\n\n```\n§\n```\n\nThen wait.\n"],
        lines: true,
        ..PLAIN
    },
    Context {
        name: "diff",
        named: &[
            "--- a/app.env\n+++ b/app.env\n@@ -1,3 +1,3 @@\n REGION=eu\n-%UPPER%=\n+%UPPER%=§\n \
             DEBUG=0\n",
            "@@ -4,7 +4,7 @@\n   region: \"eu\",\n-  %camel%: \"§\",\n+  %camel%: load(),\n   \
             retries: 3,\n",
        ],
        whole: &["--- /dev/null\n+++ b/note\n@@ -0,0 +1,9 @@\n+§\n"],
        escape_whole: |value| value.indented("+"),
        ..PLAIN
    },
    Context {
        name: "chat",
        named: &[
            "sure, the %words% is § - please do not post it anywhere",
            "hey, can you try again with this %words%: §",
            "I rotated it. New %words%:\n§\nTell me if it works!",
            "use \"§\" as the %words% for now",
        ],
        whole: &[
            "this is what I have:\n§\ndoes that look right?",
            "I ran\n\n§\n\nand nothing happened",
        ],
        lines: true,
        ..PLAIN
    },
    Context {
        name: "config with comments",
        named: &[
            "# %words%, rotated monthly\n# %snake% = §\nregion = eu\n",
            "; before the move: %snake%=§\nregion=eu\n",
            "// TODO: remove\n// const %camel% = \"§\";\nload();\n",
            "region: eu # %snake%: §\n",
        ],
        ..PLAIN
    },
    Context {
        name: "several on a line",
        named: &[
            "%snake%=§ region=eu backup_token=¤ mode=live\n",
            "tokens: ¤, %words%: § (both expire tomorrow)\n",
            "%UPPER%=§ NPM_TOKEN=¤ make release\n",
        ],
        ..PLAIN
    },
    Context {
        name: "source code",
        named: &[
            "const %camel% = \"§\";\nconst retries = 3;\n",
            "%UPPER% = \"§\"  # staging\nRETRIES = 3\n",
            "client := New(\"%host%\", With%Camel%(\"§\"))\n",
            "    private static final String %UPPER% = \"§\";\n",
        ],
        lines: true,
        ..PLAIN
    },
    Context {
        name: "xml",
        named: &[
            "<service>\n  <%camel%>§</%camel%>\n  <region>eu</region>\n</service>\n",
            "<add key=\"%Camel%\" value=\"§\" />\n",
            "<service region=\"eu\" %kebab%=\"§\"/>\n",
        ],
        whole: &["<testcase name=\"login\"><system-out>§</system-out></testcase>\n"],
        escape: Written::xml,
        escape_whole: Written::xml,
        ..PLAIN
    },
    Context {
        name: "csv",
        named: &[
            "name,value,owner\n%snake%,§,ops\nregion,eu,ops\n",
            "\"name\",\"value\"\n\"%UPPER%\",\"§\"\n",
            "id;%snake%;owner\n7;§;ops\n",
        ],
        ..PLAIN
    },
    Context {
        name: "python dict",
        named: &[
            "{'region': 'eu', '%snake%': '§', 'retries': 3}",
            "settings = {'%UPPER%': '§'}\n",
            "dict(region='eu', %snake%='§')\n",
        ],
        whole: &["CompletedProcess(args=['run'], returncode=0, stdout='§')"],
        escape: Written::quoted,
        escape_whole: Written::quoted,
        ..PLAIN
    },
    Context {
        name: "container manifest",
        named: &[
            "    env:\n      - name: %UPPER%\n        value: \"§\"\n      - name: \
             REGION\n        value: eu\n",
            "    environment:\n      - %UPPER%=§\n      - REGION=eu\n",
            "FROM alpine:3\nENV %UPPER%=§\nRUN make\n",
        ],
        ..PLAIN
    },
    Context {
        name: "wrapped lines",
        named: &[
            "The staging service was configured on Monday with %snake%=§ and it stays valid \
             until the end of the month.\n",
            "[deploy] %time% starting release of billing with %UPPER%=§ in region eu\n",
        ],
        finish: |text| text.wrapped(64, "\n"),
        ..PLAIN
    },
    Context {
        name: "quoted mail",
        named: &[
            "On Monday ops wrote:\n> the %words%: §\n> thanks\n\nDone.\n",
            "> > %snake% = §\n> got it\n",
        ],
        whole: &["On Monday ops wrote:\n> §\n> thanks\n"],
        escape_whole: |value| value.indented("> "),
        ..PLAIN
    },
];

fn as_it_is(text: Written) -> Written {
    text
}

/// Fills a template.
pub(crate) fn fill(
    random: &mut Random,
    template: &str,
    key: &str,
    value: &Written,
    other: &Written,
) -> Written {
    let text = forms(random, template, key);
    let mut written = Written::default();
    for piece in text.split_inclusive(['§', '¤']) {
        written = match (piece.strip_suffix('§'), piece.strip_suffix('¤')) {
            (Some(before), _) => written.then(before).with(value),
            (None, Some(before)) => written.then(before).with(other),
            (None, None) => written.then(piece),
        };
    }
    written
}

/// The name of the value in the forms that a template wants, and what else it leaves open.
fn forms(random: &mut Random, template: &str, key: &str) -> String {
    let parts: Vec<&str> = key.split('_').collect();
    let capitals: String = parts.iter().map(|part| capital(part)).collect();
    let header: Vec<String> = parts.iter().map(|part| capital(part)).collect();
    let camel = format!("{}{}", &capitals[..1].to_lowercase(), &capitals[1..]);
    let time = format!(
        "2026-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        random.between(1, 12),
        random.between(1, 28),
        random.below(24),
        random.below(60),
        random.below(60),
        random.below(1000)
    );
    template
        .replace("%time%", &time)
        .replace("%host%", &format!("{}.example.com", random.word()))
        .replace("%snake%", key)
        .replace("%UPPER%", &key.to_uppercase())
        .replace("%kebab%", &parts.join("-"))
        .replace("%dotted%", &parts.join("."))
        .replace("%words%", &parts.join(" "))
        .replace("%Header%", &header.join("-"))
        .replace("%Camel%", &capitals)
        .replace("%camel%", &camel)
}

#[test]
fn a_template_knows_where_its_value_stands() {
    let value = Written::default().secret("s%e");
    let text = fill(&mut Random::of(1, "a"), "%Header%: §;", "api_key", &value, &value);
    assert_eq!(text.text, "Api-Key: s%e;");
    assert_eq!(text.whole.first(), Some(&(9..12)));
}

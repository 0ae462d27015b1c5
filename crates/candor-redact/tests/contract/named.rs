//! Values that something calls secret, in the ways in which names and values are written.

use crate::drawn::{HEX, LETTERS, drawn};
use candor_redact::Redactor;

/// Each text holds the value where `{}` stands, and loses nothing else.
fn assert_each_masked(kind: &str, value: &str, texts: &[&str]) {
    let redactor = Redactor::default();
    for text in texts {
        let masked = redactor.success(&text.replace("{}", value)).into_owned();
        assert_eq!(masked, text.replace("{}", &format!("[redacted:{kind}#1]")));
    }
}

#[test]
fn passwords_are_found_however_they_are_written_down() {
    let texts = [
        "password: {}",
        "DB_PASSWORD={}",
        "export PGPASSWORD='{}'",
        r#"{"password":"{}"}"#,
        r#""password" : "{}","#,
        "spring.datasource.password={}",
        "password = \"{}\"",
        "<password>{}</password>",
        r#"<user name="bob" password="{}"/>"#,
        "--password {} --host x",
        "--db-password={}",
        "Server=db;Uid=sa;Pwd={};",
        "  password: '{}'\n  user: bob",
        "let db_password: String = \"{}\".to_string();",
        "passwd => '{}',",
        "ENV ADMIN_PASS {}",
        "setPassword(\"{}\")",
        "{'user': 'bob', 'password': '{}'}",
        "{User:bob Password:{} Port:5432}",
        "[db]\nuser = bob\npassword = {}\nport = 1",
        "https://x.example.com/login?user=bob&password={}&x=1",
        "The password for the admin account is {}",
        "ansible_ssh_pass={}",
        "- name: DB_PASSWORD\n  value: \"{}\"",
        r#"{"name":"DB_PASSWORD","value":"{}"}"#,
        "  \"adminPassword\": {\n    \"value\": \"{}\"\n  }",
        "| user | password |\n|---|---|\n| bob | {} |",
        "user,password,role\nbob,{},admin\n",
        "INSERT INTO users (name, password) VALUES ('bob', '{}')",
        "<key>password</key>\n<string>{}</string>",
        "requests.get(u, auth=(\"bob\", \"{}\"))",
        "args: [\"--password\", \"{}\"]",
        "define('DB_PASSWORD', '{}');",
        "Passwort: {}",
        "mot de passe : {}",
        "contraseña: {}",
        "пароль: {}",
        "密码：{}",
        "use {} as the password",
        "log in with bob / {}",
    ];
    for value in ["x7k2m9q4w1", "Tr0ub4dor!3", "S3cure!pass", "amber_4821x"] {
        assert_each_masked("password", value, &texts);
    }
}

#[test]
fn keys_and_secrets_are_found_in_the_spellings_of_many_languages() {
    let value = drawn(1, 32, LETTERS);
    assert_each_masked(
        "api-key",
        &value,
        &[
            "api_key={}",
            "apiKey: '{}',",
            "API-KEY: {}",
            "Api.Key = \"{}\"",
            "const apiKey = \"{}\";",
            "X-Api-Key: {}",
            "The API key is {}",
            "Invalid API key: {}",
            "--api-key {}",
            "https://x.example.com/a?api_key={}",
            "access_token={}",
            "refreshToken={}",
            "aws configure set aws_secret_access_key {}",
            "apiKey: process.env.KEY || '{}'",
            "os.environ[\"API_KEY\"] = \"{}\"",
            "${API_KEY:-{}}",
        ],
    );
    assert_each_masked(
        "secret",
        &value,
        &[
            "client_secret => '{}',",
            "\"clientSecret\": \"{}\"",
            "SECRET_KEY_BASE={}",
            "JWT_SECRET: {}",
        ],
    );
    let hex = drawn(2, 40, HEX);
    assert_each_masked("authorization", &hex, &["Authorization: token {}", "Authorization: {}"]);
    assert_each_masked(
        "bearer-token",
        &hex,
        &["Authorization: Bearer {}", "-H 'Authorization: Bearer {}'"],
    );
}

#[test]
fn a_place_says_it_where_no_name_does() {
    let redactor = Redactor::default();
    for (text, masked) in [
        (
            "postgres://bob:x7k2m9q4@db.example.com/x",
            "postgres://bob:[redacted:url-password#1]@db.example.com/x",
        ),
        ("redis://:x7k2m9q4@cache:6379", "redis://:[redacted:url-password#1]@cache:6379"),
        ("bob:x7k2m9q4@tcp(db:3306)/x", "bob:[redacted:password#1]@tcp(db:3306)/x"),
        ("curl -u bob:x7k2m9q4 https://x", "curl -u bob:[redacted:password#1] https://x"),
        ("mysql -ubob -px7k2m9q4 shop", "mysql -ubob -p[redacted:password#1] shop"),
        ("sshpass -p x7k2m9q4 ssh h", "sshpass -p [redacted:password#1] ssh h"),
        ("echo x7k2m9q4 | sudo -S ls", "echo [redacted:password#1] | sudo -S ls"),
        (
            "machine h login bob password x7k2m9q4",
            "machine h login bob password [redacted:password#1]",
        ),
        ("db:5432:app:bob:x7k2m9q4", "db:5432:app:bob:[redacted:password#1]"),
        (
            "ALTER USER bob IDENTIFIED BY 'x7k2m9q4'",
            "ALTER USER bob IDENTIFIED BY '[redacted:password#1]'",
        ),
        ("Cookie: lang=en; sid=9f86d081884c7d659a2f", "Cookie: lang=en; sid=[redacted:cookie#1]"),
        ("Basic Ym9iOng3azJtOXE0", "Basic [redacted:basic-auth#1]"),
    ] {
        assert_eq!(redactor.success(text), masked);
    }
}

#[test]
fn a_secret_of_kubernetes_is_one_whatever_its_keys_are_called() {
    let yaml =
        "apiVersion: v1\ndata:\n  motto: c3BlYWsgZnJpZW5k\nkind: Secret\nmetadata:\n  name: door\n";
    assert_eq!(
        Redactor::default().success(yaml),
        "apiVersion: v1\ndata:\n  motto: [redacted:kubernetes-secret#1]\nkind: Secret\nmetadata:\n  name: door\n"
    );
    let other = yaml.replace("Secret", "ConfigMap");
    assert_eq!(Redactor::default().success(&other), other);
}

#[test]
fn equal_values_get_equal_numbers_in_all_texts_of_a_result() {
    let redactor = Redactor::default();
    let mut redaction = redactor.begin();
    let first = redaction.success("password=x7k2m9q4 token=9f86d081884c7d659a2feaa0").into_owned();
    assert_eq!(first, "password=[redacted:password#1] token=[redacted:token#2]");
    assert_eq!(redaction.success("db_password: x7k2m9q4"), "db_password: [redacted:password#1]");
    assert_eq!(redaction.masked(), 3);
}

#[test]
fn numbers_go_on_after_the_marks_that_are_there() {
    assert_eq!(
        Redactor::default().success("a [redacted:token#7] password=x7k2m9q4"),
        "a [redacted:token#7] password=[redacted:password#8]"
    );
}

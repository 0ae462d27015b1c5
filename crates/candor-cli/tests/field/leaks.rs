//! What of the inside of a server stands in its failures: nothing. What the caller can use stays.

use candor_testkit::message::call;

use crate::host::{Host, text};
use crate::stage::Folder;

/// What the model reads of a tool that says this and fails. What it said, the log of the operator
/// does not need: it stands in the tool.
fn told(said: &str) -> String {
    let folder = Folder::of("# Fail.\ntool_fail() { cat said; return 1; }\n").with("said", said);
    let mut host = Host::serve(&folder, &[]);
    host.say(&call("1", "fail", "{}"));
    let told = text(&host.hear_exactly().unwrap());
    host.end();
    told
}

/// B57: stack traces went to the model, which offered to mend the server. Of each, the line that says
/// what is wrong is left, and no frame.
#[test]
fn no_frame_of_a_stack_is_told_in_any_language() {
    let stacks = [
        (
            "Traceback (most recent call last):\n  File \"/srv/app/mcp_server.py\", line 545, in \
             execute_task\n    result = run(task)\n  File \"/srv/app/run.py\", line 12, in run\n    \
             raise ValueError(\"no such film: 7\")\nValueError: no such film: 7",
            "no such film: 7",
        ),
        (
            "Error: no such film: 7\n    at findFilm (/srv/app/films.js:12:11)\n    at async \
             Server.handle (file:///srv/app/server.mjs:88:5)\n    at node:internal/process/task_queues:95:5",
            "no such film: 7",
        ),
        (
            "java.lang.IllegalStateException: no such film: 7\n\tat com.acme.Films.find(Films.java:31)\n\tat \
             com.acme.Main.main(Main.java:9)\nCaused by: java.sql.SQLException: closed\n\t... 12 more",
            "no such film: 7",
        ),
        (
            "panic: no such film: 7\n\ngoroutine 1 [running]:\nmain.find(0x7)\n\t/srv/app/films.go:31 \
             +0x1b\nmain.main()\n\t/srv/app/main.go:9 +0x25",
            "no such film: 7",
        ),
        (
            "/srv/app/films.rb:31:in `find': no such film: 7 (RuntimeError)\n\tfrom \
             /srv/app/main.rb:9:in `block in serve'\n\tfrom /srv/app/main.rb:3:in `<main>'",
            "no such film: 7",
        ),
        (
            "thread 'main' panicked at src/films.rs:31:9:\nno such film: 7\nstack backtrace:\n   0: \
             rust_begin_unwind\n             at /rustc/59807616e1fa/library/std/src/panicking.rs:689:5\n   1: \
             films::find\n             at ./src/films.rs:31:9",
            "no such film: 7",
        ),
        (
            "Unhandled exception. System.InvalidOperationException: no such film: 7\n   at \
             Films.Find(Int32 id) in /srv/app/Films.cs:line 31\n   at Program.<Main>$(String[] args)",
            "no such film: 7",
        ),
        (
            "PHP Fatal error:  Uncaught Exception: no such film: 7 in /srv/app/films.php:31\nStack \
             trace:\n#0 /srv/app/main.php(9): find(7)\n#1 {main}\n  thrown in /srv/app/films.php on line 31",
            "no such film: 7",
        ),
        ("/srv/app/films.sh: line 31: no such film: 7", "no such film: 7"),
    ];
    let inside = [
        "Traceback",
        "File \"",
        "mcp_server",
        "/srv",
        ".js:",
        ".java",
        "goroutine",
        "0x1b",
        "in `",
        "stack backtrace",
        "rustc",
        "panicking.rs",
        "Films.cs",
        "Stack trace",
        "#0 ",
        "#1 ",
        "at com.",
        "at async",
        "Program.<Main>",
    ];
    for (said, kept) in stacks {
        let told = told(said);
        assert!(told.contains(kept), "what can be used is gone: {told}");
        for inside in inside {
            assert!(!told.contains(inside), "{inside}: {told}");
        }
    }
}

/// B60: absolute paths of the server stood in failures. A file is known by its own name, and nobody
/// learns where it lies.
#[test]
fn a_path_of_the_server_is_cut_to_the_name_of_the_file() {
    for (said, expected) in [
        (
            "repository root does not exist: /home/alice/work/secret-client",
            "repository root does not exist: secret-client",
        ),
        ("cannot open C:\\Users\\alice\\notes.txt", "cannot open notes.txt"),
        ("cannot open file:///Users/alice/notes.txt", "cannot open notes.txt"),
        ("cannot open \\\\srv\\share\\notes.txt", "cannot open notes.txt"),
        (
            "unable to open database file: \"/var/lib/app/main.db\" (code 14)",
            "unable to open database file: \"main.db\" (code 14)",
        ),
    ] {
        assert_eq!(told(said), expected);
    }
}

/// B61: a statement, the names in it and its values stood in failures.
#[test]
fn a_statement_and_its_values_are_withheld() {
    let told = told(
        "Failed query: insert into \"agent_permissions\" (\"user_id\") values ($1)\nparams: \
         42,alice@example.com",
    );
    for inside in ["insert", "agent_permissions", "user_id", "alice", "42"] {
        assert!(!told.contains(inside), "{inside}: {told}");
    }
    assert!(told.starts_with("Failed query: "), "{told}");
}

/// B63: a key stood in a URL that a failure quoted. The rest of the URL says which service it was.
#[test]
fn a_key_in_a_url_is_masked_and_the_url_stays() {
    let key = ["AIza", "SyB7kQ2mN4pR6tV8xZ1cF3hJ5lO7sU9wYdE"].concat();
    let told =
        told(&format!("HTTPStatusError 401 for url https://api.example.com/v1?key={key}&q=rome"));
    assert!(!told.contains(&key[4..20]), "{told}");
    assert!(
        told.starts_with("HTTPStatusError 401 for url https://api.example.com/v1?key="),
        "{told}"
    );
    assert!(told.ends_with("&q=rome"), "{told}");
}

/// B67: the stack was taken out, and a connection string with its password stayed. The reason stays,
/// and the name of a user, which is no credential; with which password and where do not.
#[test]
fn a_connection_string_loses_its_password_and_a_host_of_the_inside() {
    for scheme in [
        "postgres",
        "postgresql",
        "mysql",
        "mongodb",
        "mongodb+srv",
        "redis",
        "rediss",
        "amqp",
        "mssql",
        "ldap",
    ] {
        let told =
            told(&format!("connect ECONNREFUSED {scheme}://admin:s3cr3tQ9@db.internal:5432/prod"));
        for inside in ["s3cr3tQ9", "db.internal", "5432"] {
            assert!(!told.contains(inside), "{inside}: {told}");
        }
        assert!(told.starts_with("connect ECONNREFUSED "), "{told}");
    }
}

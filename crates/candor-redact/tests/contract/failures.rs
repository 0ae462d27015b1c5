//! What a failure says, without what only its author should see.

use candor_redact::Redactor;

fn error(text: &str) -> String {
    Redactor::builder().root("/srv/shop").build().error(text).into_owned()
}

#[test]
fn a_stack_trace_becomes_its_message() {
    for (trace, message) in [
        (
            "Traceback (most recent call last):\n  File \"/srv/app/server.py\", line 545, in run\n    await x()\n    ^^^^^^^^^\nValueError: no such order",
            "ValueError: no such order",
        ),
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 2\nshop.db.DatabaseError: the shop is closed",
            "the shop is closed",
        ),
        (
            "TypeError: x is undefined\n    at f (/srv/app/index.js:3:9)\n    at async Module.load (node:internal/modules:1:1)\n    at node:internal/main:23:47\n\nNode.js v24.1.0",
            "TypeError: x is undefined",
        ),
        (
            "/srv/app/x.js:10\n    throw new Error(\"boom\");\n    ^\n\nError: boom\n    at f (/srv/app/x.js:10:11)",
            "Error: boom",
        ),
        (
            "Exception in thread \"main\" java.lang.IllegalStateException: order not found\n\tat com.acme.Orders.find(Orders.java:33)\nCaused by: java.sql.SQLException: no row\n\tat com.acme.Db.q(Db.java:1)\n\t... 2 more",
            "order not found",
        ),
        (
            "panic: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n\t/home/bob/x/main.go:8 +0x1d\nexit status 2",
            "panic: index out of range [5] with length 3",
        ),
        (
            "thread 'main' (71) panicked at src/main.rs:2:5:\nthe order is gone\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/abc/library/std/src/panicking.rs:647:5\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
            "the order is gone",
        ),
        (
            "/usr/lib/ruby/x.rb:3:in `foo': bad thing (RuntimeError)\n\tfrom /usr/lib/ruby/x.rb:7:in `<main>'",
            "bad thing (RuntimeError)",
        ),
        (
            "PHP Fatal error:  Uncaught Exception: no luck in /var/www/x.php:3\nStack trace:\n#0 /var/www/y.php(7): foo()\n#1 {main}\n  thrown in /var/www/x.php on line 3",
            "Exception: no luck",
        ),
        (
            "Unhandled exception. System.InvalidOperationException: Sequence contains no elements\n   at System.Linq.ThrowHelper.ThrowNoElements()\n   at Acme.Shop.Find(String id) in /src/Shop.cs:line 42",
            "Sequence contains no elements",
        ),
        ("/opt/tools/run.sh: line 3: foo: command not found", "foo: command not found"),
        ("Error: boom at f (/srv/app/x.js:10:11) at g (/srv/app/y.js:1:2)", "Error: boom"),
    ] {
        assert_eq!(error(trace), message);
    }
}

#[test]
fn a_trace_without_a_message_is_told_as_such() {
    assert_eq!(
        error("    at f (/srv/app/index.js:3:9)\n    at g (/srv/app/index.js:4:9)"),
        "It failed with a stack trace."
    );
}

#[test]
fn a_path_below_a_root_becomes_relative_and_another_its_last_name() {
    for (text, masked) in [
        ("cannot read /srv/shop/orders/7.json", "cannot read orders/7.json"),
        ("cannot read '/srv/shop/a file.txt'", "cannot read 'a file.txt'"),
        ("root does not exist: /home/ada/work/client", "root does not exist: client"),
        ("open /home/ada", "open [redacted:path#1]"),
        ("open C:\\Users\\ada\\x.txt failed", "open x.txt failed"),
        ("see file:///opt/app/conf.toml", "see conf.toml"),
        (r"no \\srv\share\dir\file.txt", "no file.txt"),
        ("(/var/lib/app/data.db:12)", "(data.db:12)"),
        (
            "[Errno 2] No such file or directory: '/tmp/x/y'",
            "[Errno 2] No such file or directory: 'y'",
        ),
    ] {
        assert_eq!(error(text), masked);
    }
}

#[test]
fn relative_paths_and_routes_stay() {
    for text in [
        "cannot read orders/7.json",
        "GET /v1/users/42 gave 404",
        "see https://example.com/home/page.html",
        "./x and ../y and ~/z",
        "/dev/null",
        "and/or, 1/2, km/h",
        "POST /app/orders failed",
    ] {
        assert_eq!(error(text), text);
    }
}

#[test]
fn internal_hosts_and_their_ports_go_and_public_ones_stay() {
    for (text, masked) in [
        ("connect ECONNREFUSED 10.0.0.7:5432", "connect ECONNREFUSED [redacted:host#1]"),
        ("connect ECONNREFUSED 127.0.0.1:6379", "connect ECONNREFUSED [redacted:host#1]"),
        ("dial tcp 192.168.1.9:443: i/o timeout", "dial tcp [redacted:host#1]: i/o timeout"),
        ("getaddrinfo ENOTFOUND db.shop.internal", "getaddrinfo ENOTFOUND [redacted:host#1]"),
        ("getaddrinfo ENOTFOUND db", "getaddrinfo ENOTFOUND [redacted:host#1]"),
        (
            "server at \"10.0.0.5\", port 5432 failed",
            "server at \"[redacted:host#1]\", port [redacted:port#2] failed",
        ),
        ("http://orders:8080/x is down", "http://[redacted:host#1]/x is down"),
        ("cache-1.prod.svc.cluster.local:11211", "[redacted:host#1]"),
        (
            "postgres://bob:x7k2m9q4@db.example.com:5432/x",
            "postgres://bob:[redacted:url-password#1]@[redacted:host#2]/x",
        ),
        ("[::1]:8080 and fe80::1", "[redacted:host#1] and [redacted:host#2]"),
    ] {
        assert_eq!(error(text), masked);
    }
    for text in [
        "https://api.example.com/v1 gave 503",
        "8.8.8.8 is slow",
        "version 10.0.0",
        "port: must be 1024 or more",
    ] {
        assert_eq!(error(text), text);
    }
}

#[test]
fn statements_and_their_values_go() {
    for (text, masked) in [
        (
            "Failed query: insert into \"a\" (\"b\") values ($1)\nparams: 42,x",
            "Failed query: [redacted:sql#1]\nparams: [redacted:sql-values#2]",
        ),
        ("[SQL: SELECT * FROM users WHERE id = 7]", "[SQL: [redacted:sql#1]]"),
        (
            "near \"FORM\": syntax error in SELECT * FORM users",
            "near \"FORM\": syntax error in [redacted:sql#1]",
        ),
        ("no such table: UPDATE t SET a = 1", "no such table: [redacted:sql#1]"),
    ] {
        assert_eq!(error(text), masked);
    }
    for text in [
        "select a file from the list",
        "update the record and set a name",
        "could not create the table of contents",
        "delete it with care",
    ] {
        assert_eq!(error(text), text);
    }
}

#[test]
fn chains_of_classes_leave_the_message_or_the_last_name() {
    for (text, masked) in [
        ("java.sql.SQLException: no row", "no row"),
        ("(psycopg2.OperationalError) could not connect", "could not connect"),
        ("ActiveRecord::RecordNotFound: no order 7", "no order 7"),
        ("undefined method 'foo' for class Tools::X", "undefined method 'foo' for class X"),
        ("raised com.acme.shop.OrderMissing", "raised OrderMissing"),
        ("ValueError: no", "ValueError: no"),
        ("see example.com. Then go on", "see example.com. Then go on"),
    ] {
        assert_eq!(error(text), masked);
    }
}

#[test]
fn what_is_for_terminals_or_hides_goes() {
    assert_eq!(
        error("\u{1b}[31mfailed\u{1b}[0m\r\nno\u{202e}\u{200b} order\u{0}"),
        "failed\nno order"
    );
}

#[test]
fn a_failure_loses_its_credentials_as_well() {
    assert_eq!(
        error("401 for https://api.example.com/v1?api_key=x7k2m9q4w1z8&q=rome"),
        "401 for https://api.example.com/v1?api_key=[redacted:api-key#1]&q=rome"
    );
}

//! What a failure must not say, and the sentence in it that a model can act on.

use super::random::{BASE62, HEX, Random, capital};
use super::subject::Subject;

/// The folder whose paths may be shown.
pub(crate) const ROOT: &str = "/srv/shop";

/// A failure.
pub(crate) struct Failure {
    text: String,
    gone: Vec<String>,
    stays: Vec<String>,
}

/// A kind of failure.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    make: fn(&mut Random) -> Failure,
}

/// How many of the things that must go went, and how many of those that must stay stayed.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct Tally {
    pub(crate) gone: usize,
    pub(crate) to_go: usize,
    pub(crate) stayed: usize,
    pub(crate) to_stay: usize,
}

impl Tally {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            gone: self.gone + other.gone,
            to_go: self.to_go + other.to_go,
            stayed: self.stayed + other.stayed,
            to_stay: self.to_stay + other.to_stay,
        }
    }
}

/// What became of the failures of a case, and the first that came out wrong.
pub(crate) fn judged(seed: u64, case: &Case, subject: &dyn Subject) -> (Tally, Option<Wrong>) {
    let mut tally = Tally::default();
    let mut wrong = None;
    for number in 0..20 {
        let mut random = Random::of(seed, &format!("errors/{}/{number}", case.name));
        let failure = (case.make)(&mut random);
        let masked = subject.error(&failure.text);
        let one = judge(&failure, &masked);
        if one.gone < one.to_go || one.stayed < one.to_stay {
            let left = failure.gone.iter().find(|part| masked.contains(*part));
            let lost = failure.stays.iter().find(|part| !masked.contains(*part));
            wrong = wrong.or_else(|| {
                Some(Wrong {
                    left: left.cloned(),
                    lost: lost.cloned(),
                    text: failure.text.clone(),
                    masked: masked.clone(),
                })
            });
        }
        tally = tally.plus(one);
    }
    (tally, wrong)
}

/// A failure that came out wrong.
pub(crate) struct Wrong {
    pub(crate) left: Option<String>,
    pub(crate) lost: Option<String>,
    pub(crate) text: String,
    pub(crate) masked: String,
}

fn judge(failure: &Failure, masked: &str) -> Tally {
    Tally {
        gone: failure.gone.iter().filter(|part| !masked.contains(*part)).count(),
        to_go: failure.gone.len(),
        stayed: failure.stays.iter().filter(|part| masked.contains(*part)).count(),
        to_stay: failure.stays.len(),
    }
}

fn failure(text: String, gone: &[&str], stays: &[&str]) -> Failure {
    let owned = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect();
    Failure { text, gone: owned(gone), stays: owned(stays) }
}

/// Nothing of it may change.
fn untouched(text: String) -> Failure {
    let stays = vec![text.clone()];
    Failure { text, gone: Vec::new(), stays }
}

/// What the author of a tool wants the model to read.
fn sentence(random: &mut Random) -> String {
    match random.below(5) {
        0 => format!("seats must be 1 to {}", random.between(2, 9)),
        1 => format!("movieId must be one of {}, 12 or 13", random.between(1, 9)),
        2 => format!("seat {} is taken", random.between(1, 90)),
        3 => format!("showTime must be 10:00 or 13:30, not 09:{}", random.between(10, 59)),
        _ => format!("no film is called {}", capital(random.word())),
    }
}

pub(crate) const CASES: &[Case] = &[
    Case {
        name: "python stack",
        make: |random| {
            let (said, line, word) = (sentence(random), random.between(20, 400), random.word());
            let text = format!(
                "Traceback (most recent call last):\n  \
                 File \"/usr/lib/python3.12/{word}/run.py\", line \
                 {line}, in book_ticket\n    return store.insert(seats)\n           \
                 ^^^^^^^^^^^^^^^^^^^\n  \
                 File \"/opt/{word}/store.py\", line 7, in insert\n    raise ValueError(text)\n\
                 ValueError: {said}\n"
            );
            let gone =
                ["Traceback", "/usr/lib", "run.py", "store.insert", "in book_ticket", "raise "];
            failure(text, &gone, &[&said])
        },
    },
    Case {
        name: "python stack with its cause",
        make: |random| {
            let (said, word) = (sentence(random), random.word());
            let text = format!(
                "Traceback (most recent call last):\n  File \"/opt/{word}/a.py\", line 3, in \
                 load\n    \
                 row = rows[key]\nKeyError: 7\n\nDuring handling of the above exception, another \
                 exception \
                 occurred:\n\nTraceback (most recent call last):\n  File \"/opt/{word}/b.py\", \
                 line 9, in \
                 main\n    load(key)\nLookupError: {said}\n"
            );
            failure(
                text,
                &["Traceback", "/opt/", "a.py", "b.py", "rows[key]", "load(key)"],
                &[&said],
            )
        },
    },
    Case {
        name: "node stack",
        make: |random| {
            let (said, word) = (sentence(random), random.word());
            let text = format!(
                "TypeError: {said}\n    at bookTicket \
                 (/home/{word}/shop/dist/book.js:41:11)\n    at async \
                 Server.<anonymous> (file:///home/{word}/shop/node_modules/sdk/index.js:7:3)\n    \
                 at \
                 process.processTicksAndRejections (node:internal/process/task_queues:105:5)\n"
            );
            let gone =
                ["bookTicket", "book.js", "node_modules", "node:internal", "/home/", "at async"];
            failure(text, &gone, &[&said])
        },
    },
    Case {
        name: "java stack",
        make: |random| {
            let (said, word) = (sentence(random), random.word());
            let text = format!(
                "java.lang.IllegalStateException: {said}\n\tat \
                 com.acme.{word}.Booking.book(Booking.java:41)\n\
                 \tat java.base/java.lang.Thread.run(Thread.java:840)\nCaused by: \
                 java.util.NoSuchElementException: No value present\n\tat \
                 com.acme.{word}.Store.find(Store.java:9)\n\t... 23 more\n"
            );
            let gone = ["com.acme", "Booking.java", "Thread.java", "\tat ", "23 more", "java.util"];
            failure(text, &gone, &[&said])
        },
    },
    Case {
        name: "go stack",
        make: |random| {
            let (said, word) = (sentence(random), random.word());
            let address = random.text(HEX, 9);
            let text = format!(
                "panic: {said}\n\ngoroutine 17 [running]:\nmain.book(0xc{address}, 0x3)\n\t\
                 /build/{word}/book.go:41 +0x1d4\ncreated by net/http.(*Server).Serve in \
                 goroutine 1\n\t\
                 /usr/local/go/src/net/http/server.go:3285 +0x4b4\nexit status 2\n"
            );
            let gone = ["goroutine", "main.book", "book.go", "/usr/local/go", "+0x1d4", &address];
            failure(text, &gone, &[&said])
        },
    },
    Case {
        name: "rust stack",
        make: |random| {
            let (said, word) = (sentence(random), random.word());
            let hash = random.text(HEX, 40);
            let text = format!(
                "thread 'tokio-runtime-worker' panicked at \
                 /build/{word}/src/book.rs:41:9:\n{said}\nstack \
                 backtrace:\n   0: rust_begin_unwind\n             at \
                 /rustc/{hash}/library/std/src/\
                 panicking.rs:697:5\n   1: core::panicking::panic_fmt\n             at \
                 /rustc/{hash}/library/core/src/panicking.rs:75:14\n   2: \
                 {word}::book::book_ticket\nnote: \
                 Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose \
                 backtrace.\n"
            );
            let gone =
                ["book.rs", "rust_begin_unwind", "/rustc/", "core::panicking", "book_ticket"];
            failure(text, &gone, &[&said])
        },
    },
    Case {
        name: "ruby stack",
        make: |random| {
            let (said, word) = (sentence(random), random.word());
            let text = format!(
                "/app/{word}/lib/book.rb:41:in `book': {said} (ArgumentError)\n\tfrom \
                 /app/{word}/bin/server:9:in `block in <main>'\n\tfrom \
                 /usr/lib/ruby/3.3.0/timeout.rb:186:in \
                 `timeout'\n"
            );
            failure(text, &["/app/", "book.rb", "in `book'", "timeout.rb", "\tfrom "], &[&said])
        },
    },
    Case {
        name: "php stack",
        make: |random| {
            let (said, word) = (sentence(random), random.word());
            let text = format!(
                "PHP Fatal error:  Uncaught InvalidArgumentException: {said} in \
                 /var/www/{word}/book.php:41\n\
                 Stack trace:\n#0 /var/www/{word}/index.php(9): Shop\\Booking->book(3)\n#1 \
                 {{main}}\n  thrown \
                 in /var/www/{word}/book.php on line 41\n"
            );
            let gone = ["/var/www", "book.php", "index.php", "#0", "Booking->book", "on line 41"];
            failure(text, &gone, &[&said])
        },
    },
    Case {
        name: ".net stack",
        make: |random| {
            let (said, word) = (sentence(random), capital(random.word()));
            let text = format!(
                "System.ArgumentException: {said}\n   at {word}.Booking.Book(Int32 seats) in \
                 C:\\build\\{word}\\Booking.cs:line 41\n   at \
                 {word}.Server.<HandleAsync>d__7.MoveNext() in \
                 /src/{word}/Server.cs:line 88\n--- End of stack trace from previous location ---\n"
            );
            let gone =
                ["Booking.Book", "Booking.cs", "Server.cs", "MoveNext", "End of stack trace"];
            failure(text, &gone, &[&said])
        },
    },
    Case {
        name: "bash message",
        make: |random| {
            let (said, word) = (sentence(random), random.word());
            let text = format!("/home/{word}/tools/cinema.sh: line 41: {said}\n");
            failure(text, &["/home/", word, "line 41"], &[&said])
        },
    },
    Case {
        name: "stack in a json text",
        make: |random| {
            let (said, word) = (sentence(random), random.word());
            let text = format!(
                "{{\"error\":\"{said}\",\"traceback\":\"Traceback (most recent call last):\\n  \
                 File \
                 \\\"/srv/{word}/server.py\\\", line 545, in execute_task\\n    \
                 run(task)\\nValueError: bad\\n\"}}"
            );
            failure(text, &["/srv/", "server.py", "execute_task", "run(task)"], &[&said])
        },
    },
    Case {
        name: "path",
        make: |random| {
            let (one, two) = (random.word(), random.word());
            let path = match random.below(6) {
                0 => format!("/home/{one}/work/{two}-client/notes.txt"),
                1 => format!("/Users/{one}/Library/{two}/notes.txt"),
                2 => format!("C:\\Users\\{one}\\{two}\\notes.txt"),
                3 => format!("\\\\{one}-files\\share\\{two}\\notes.txt"),
                4 => format!("file:///var/lib/{one}/{two}/notes.txt"),
                _ => format!("/var/lib/{one}/{two}.d/notes.txt"),
            };
            let text = format!("cannot open \"{path}\": No such file or directory (os error 2)");
            failure(text, &[&path, one], &["cannot open", "No such file or directory"])
        },
    },
    Case {
        name: "path under the root",
        make: |random| {
            let (one, line) = (random.word(), random.between(2, 400));
            let text = format!("{ROOT}/notes/{one}.md has no line {line}");
            let (path, said) = (format!("notes/{one}.md"), format!("has no line {line}"));
            failure(text, &[], &[&path, &said])
        },
    },
    Case {
        name: "internal host",
        make: |random| {
            let word = random.word();
            let (octet, port) = (random.between(2, 250), random.between(1025, 65_000));
            let (host, said) = match random.below(7) {
                0 => (format!("10.4.{octet}.17"), "ECONNREFUSED"),
                1 => (format!("192.168.1.{octet}"), "connection refused"),
                2 => (format!("172.20.0.{octet}"), "i/o timeout"),
                3 => (format!("{word}.internal"), "connection reset by peer"),
                4 => (format!("{word}.default.svc.cluster.local"), "no such host"),
                5 => (format!("{word}-db.corp"), "certificate has expired"),
                _ => ("127.0.0.1".to_owned(), "connection refused"),
            };
            let text = match random.below(3) {
                0 => format!("connect to {host}:{port}: {said}"),
                1 => format!("dial tcp {host}:{port}: connect: {said}"),
                _ => format!("GET http://{host}:{port}/v1/seats failed: {said}"),
            };
            failure(text, &[&host, &port.to_string()], &[said])
        },
    },
    Case {
        name: "public host",
        make: |random| {
            let status = random.between(500, 504);
            let (host, said) = ("api.github.com", format!("answered {status}"));
            let text = format!("https://{host}/repos/{}/issues {said}", random.word());
            failure(text, &[], &[host, &said])
        },
    },
    Case {
        name: "connection string in a message",
        make: |random| {
            let (word, password) = (random.word(), random.text(BASE62, 14));
            let scheme = random.pick(&["postgres", "mysql", "redis", "amqp", "mssql", "ldap"]);
            let text = format!(
                "connect ECONNREFUSED {scheme}://admin:{password}@{word}.internal:5432/prod"
            );
            let host = format!("{word}.internal");
            failure(text, &[&password, &host, "5432"], &["ECONNREFUSED"])
        },
    },
    Case {
        name: "failed statement",
        make: |random| {
            let (table, person) = (random.word(), random.word());
            let text = match random.below(5) {
                0 => format!(
                    "Failed query: insert into \"{table}_permissions\" (\"user_id\", \"mail\") \
                     values \
                     ($1, $2)\nparams: 42,{person}@example.com"
                ),
                1 => format!(
                    "SQLSTATE[23000]: Integrity constraint violation (SQL: insert into `{table}` \
                     (`mail`) \
                     values ('{person}@example.com'))"
                ),
                2 => format!(
                    "[SQL: SELECT {table}.id, {table}.mail FROM {table} WHERE {table}.mail = \
                     %(mail_1)s]\n[parameters: {{'mail_1': '{person}@example.com'}}]\nno row was \
                     found, \
                     SQLSTATE 23000"
                ),
                3 => format!(
                    "SQLSTATE 23000 while executing: UPDATE {table} SET mail = \
                     '{person}@example.com' WHERE \
                     id = 7"
                ),
                _ => format!(
                    "error returned from database (23000): DELETE FROM {table} WHERE mail = \
                     '{person}@example.com' RETURNING id"
                ),
            };
            failure(text, &[&format!("{person}@example.com"), table], &["23000"])
        },
    },
    Case {
        name: "words of a database that help",
        make: |random| {
            let table = format!("{}Table", capital(random.word()));
            let text = match random.below(3) {
                0 => format!("Invalid object name '{table}'."),
                1 => format!("relation \"{table}\" does not exist"),
                _ => format!("column \"{table}\" must appear in the GROUP BY clause"),
            };
            untouched(text)
        },
    },
    Case {
        name: "chain of classes",
        make: |random| {
            let said = sentence(random);
            let text = match random.below(4) {
                0 => format!(
                    "org.springframework.dao.DataIntegrityViolationException: could not execute; \
                     nested \
                     exception is org.hibernate.exception.ConstraintViolationException: {said}"
                ),
                1 => format!(
                    "java.util.concurrent.ExecutionException: com.acme.shop.SeatException: {said}"
                ),
                2 => format!(
                    "sqlalchemy.exc.IntegrityError: (psycopg2.errors.UniqueViolation) {said}"
                ),
                _ => format!(
                    "System.AggregateException: One or more errors occurred. ---> \
                     Acme.Shop.Booking.SeatException: {said}"
                ),
            };
            let gone = [
                "org.springframework",
                "org.hibernate",
                "com.acme",
                "java.util",
                "sqlalchemy.exc",
                "psycopg2.errors",
                "System.Aggregate",
                "Acme.Shop",
            ];
            let there: Vec<&str> = gone.into_iter().filter(|name| text.contains(name)).collect();
            failure(text.clone(), &there, &[&said])
        },
    },
    Case {
        name: "colours and control bytes",
        make: |random| {
            let said = sentence(random);
            let text = match random.below(6) {
                0 => format!("\u{1b}[1;31merror:\u{1b}[0m {said}\u{7}"),
                1 => format!("\u{1b}]8;;https://example.com\u{1b}\\{said}\u{1b}]8;;\u{1b}\\"),
                2 => format!("{said}\u{8}\u{8}\u{0}"),
                3 => format!("\u{9b}31m{said}\u{9b}0m"),
                4 => format!("\u{1b}[2K\u{1b}[1Gworking\r\n{said}\u{1b}[?25h"),
                _ => format!("\u{1b}]0;title\u{7}{said}\u{7f}"),
            };
            let gone = ["\u{1b}", "\u{7}", "\u{8}", "\u{0}", "\u{9b}", "\u{7f}"];
            failure(text, &gone, &[&said])
        },
    },
    Case {
        name: "credential in a url",
        make: |random| {
            let (key, status) = (random.text(BASE62, 32), random.between(400, 403));
            let text = format!(
                "HTTP {status} for url https://api.example.com/v1/weather?key={key}&q=rome"
            );
            failure(text, &[&key], &["api.example.com", "q=rome", &status.to_string()])
        },
    },
    Case {
        name: "sentence that is as it should be",
        make: |random| {
            let all = [
                "showTime: must be one of 10:00, 13:30. Got \"09:15\". Send \"13:30\", for \
                 example.",
                "Select a seat from the list, then update your order where it is wrong.",
                "The password must be at least 12 characters.",
                "At line 3 of the query a comma is missing.",
                "Use a path such as notes/draft.md, relative to the folder.",
                "Only 3/4 of the seats are free; delete one from your order.",
                "See https://docs.example.com/errors#E41 for the limits.",
                "Error: no film with id 7. Call list_movies to see which there are.",
                "The token has expired. Ask the user to sign in again.",
                "Caused by a typo: \"showtime\" should be \"showTime\".",
                "at most 9 seats can be booked at a time (asked for: 12)",
                "Version 1.2.3 is older than 1.10.0; use 1.10.0 or later.",
                "The ratio must be written as 16:9 or 4:3.",
                "Insert a coin into the meter; values from 1 to 5 are accepted.",
            ];
            untouched((*random.pick(&all)).to_owned())
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    struct Says(&'static str);

    impl Subject for Says {
        fn success(&self, text: &str) -> String {
            text.to_owned()
        }

        fn error(&self, _: &str) -> String {
            self.0.to_owned()
        }

        fn json(&self, text: &str) -> String {
            text.to_owned()
        }
    }

    const CASE: Case = Case {
        name: "",
        make: |_| failure("at a.py: seat 7 is taken".into(), &["a.py"], &["seat 7 is taken"]),
    };

    #[test]
    fn what_goes_and_what_stays_is_counted_apart() {
        for (said, gone, stayed) in [
            ("seat 7 is taken", 20, 20),
            ("at a.py: seat 7 is taken", 0, 20),
            ("", 20, 0),
            ("a.py", 0, 0),
        ] {
            let (tally, wrong) = judged(1, &CASE, &Says(said));
            assert_eq!(tally, Tally { gone, to_go: 20, stayed, to_stay: 20 });
            assert_eq!(wrong.is_none(), gone == 20 && stayed == 20, "{said}");
        }
    }
}

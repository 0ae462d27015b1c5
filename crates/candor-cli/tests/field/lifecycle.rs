//! The end of input, calls that are called off, tools that hang, and clients that are gone.

use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use candor_testkit::message::{call, call_by, cancelled, modern, refusal};

use crate::host::{Host, done, timed_out};
use crate::stage::{Folder, wait, wait_for_end};

const TOOLS: &str = "\
# Say what came.
tool_echo() { printf %s \"$1\"; }
# Wait for a file, and say what came.
tool_wait() { echo \"$BASHPID\" >began; until [[ -e go ]]; do sleep 0.01; done; printf %s \"$1\"; }
# Hang, and have a child that hangs.
tool_hang() { sleep 1000 & echo \"$!\" >child; echo \"$BASHPID\" >began; wait; }
";

fn go(folder: &Folder) {
    std::fs::write(folder.path("go"), "").unwrap();
}

/// B105: what was still in progress when the input ended was never answered. All that was asked is
/// answered, the last line without a line end too, and the server ends well.
#[test]
fn a_file_of_requests_is_answered_to_the_last() {
    let folder = Folder::of(TOOLS);
    for last in ["", "\n"] {
        let mut host = Host::serve(&folder, &[]);
        let said = format!(
            "{}\n{}{last}",
            call("1", "echo", r#"{"n":1}"#),
            call("2", "wait", r#"{"n":2}"#)
        );
        host.say_bytes(said.as_bytes());
        host.hang_up();
        assert_eq!(host.hear(), done("1", r#"{"n":1}"#));
        folder.wait_for("began");
        go(&folder);
        assert_eq!(host.rest(), (Some(0), vec![done("2", r#"{"n":2}"#)]));
        std::fs::remove_file(folder.path("began")).unwrap();
        std::fs::remove_file(folder.path("go")).unwrap();
    }
}

/// B106: a cancel that met the end of its call in a narrow moment ended the session. Whenever it
/// comes, and however malformed, the worst is that it is too late.
#[test]
fn a_cancel_that_meets_the_end_of_its_call_is_never_worse_than_too_late() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    let malformed = [
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}"#,
    ];
    let (mut answered, mut silent) = (0, 0);
    for n in 0..1000_u32 {
        let id = n.to_string();
        host.say(&call(&id, "echo", &format!("{{\"n\":{n}}}")));
        let expected = done(&id, &format!("{{\"n\":{n}}}"));
        let mut is_answered = false;
        match n % 10 {
            // At once, and surely too late; else about when the call ends.
            0 => {}
            9 => {
                assert_eq!(host.hear(), expected);
                is_answered = true;
            }
            step => std::thread::sleep(Duration::from_micros(u64::from(step) * 500)),
        }
        host.say(&cancelled(&id));
        if n % 3 == 0 {
            host.say(&cancelled(&id));
        }
        host.say(malformed[n as usize % malformed.len()]);
        let fence = format!("\"after {n}\"");
        host.say(&modern(&fence, "nonsense", ""));
        let mut line = host.hear();
        if line == expected {
            assert!(!is_answered, "{n} is answered twice");
            is_answered = true;
            line = host.hear();
        }
        assert_eq!(line, refusal(Some(&fence), -32601, "Method not found: nonsense"));
        if is_answered {
            answered += 1;
        } else {
            silent += 1;
        }
    }
    assert_eq!(answered + silent, 1000);
    assert!(answered >= 100, "{answered} answers");
    host.end();
}

/// B107: what was to serve died while it started, and who had asked meanwhile heard nothing. They are
/// answered, the server ends, and the operator reads why.
#[test]
fn who_asks_a_file_that_dies_while_it_loads_is_answered() {
    for (text, why) in [
        (
            "wait_for_go; echo boom >&2; exit 1",
            "tools.sh ended with status 1 while it was loaded, before it got to run_mcp_server; it said: boom",
        ),
        ("wait_for_go; exec no_such_command_of_any_kind", "no_such_command_of_any_kind"),
        ("wait_for_go; if ; fi", "syntax error"),
    ] {
        let folder = Folder::of(&format!(
            "wait_for_go() {{ until [[ -e go ]]; do sleep 0.01; done; }}\n{text}\n"
        ));
        let mut host = Host::serve(&folder, &[]);
        // A file with a mistake in its grammar may end the server before anything is said.
        host.say(&call("\"early\"", "echo", "{}"));
        go(&folder);
        assert_eq!(
            host.rest(),
            (
                Some(2),
                vec![refusal(Some("\"early\""), -32603, "Internal error (incident 00000000)")]
            )
        );
        let log = folder.read("log");
        assert!(log.contains(why), "{log}");
    }
}

/// B108: a client that gave up made a late answer crash what served everybody. Two hundred calls that
/// are given up as they end do nothing to the one beside them.
#[test]
fn calls_that_are_given_up_do_nothing_to_the_one_beside_them() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    host.say(&call("\"beside\"", "wait", r#"{"who":"beside"}"#));
    folder.wait_for("began");
    for n in 0..200 {
        let id = n.to_string();
        host.say(&call(&id, "echo", "{}"));
        std::thread::sleep(Duration::from_millis(n % 5));
        host.say(&cancelled(&id));
    }
    go(&folder);
    let mut answers = 0;
    loop {
        let line = host.hear();
        if line == done("\"beside\"", r#"{"who":"beside"}"#) {
            break;
        }
        answers += 1;
        assert!(line.ends_with(&done("", "{}")[r#"{"jsonrpc":"2.0","id":"#.len()..]), "{line}");
    }
    assert!(answers <= 200);
    host.assert_answers(&call("\"last\"", "echo", "{}"), &done("\"last\"", "{}"));
    host.end();
}

/// B110: an answer that came after its client had given up ended the connection. None comes, even
/// from a tool that answers as it is stopped.
#[test]
fn a_tool_that_answers_as_it_is_stopped_is_not_heard() {
    let folder = Folder::of(
        "\
# Answer when told to end.
tool_late() { trap 'echo late; echo late >late; exit 0' TERM; echo began >began; while :; do sleep 0.01; done; }
# Answer.
tool_ok() { echo ok; }
",
    );
    let mut host = Host::serve(&folder, &[]);
    host.say(&call("1", "late", "{}"));
    folder.wait_for("began");
    host.say(&cancelled("1"));
    folder.wait_for("late");
    host.assert_answers(&call("2", "ok", "{}"), &done("2", "ok"));
    host.end();
}

/// B111: answers were taken in the order of the calls, and one that was late shifted all the others.
/// Each carries the id of its call, and whatever was given up is not among them.
#[test]
fn an_answer_carries_the_id_of_its_call_in_whatever_order_they_end() {
    let folder = Folder::of(TOOLS);
    let mut host = Host::serve(&folder, &[]);
    host.say(&call("1", "wait", r#"{"n":"one"}"#));
    host.say(&call("4", "wait", r#"{"n":"four"}"#));
    folder.wait_for("began");
    host.say(&cancelled("4"));
    host.assert_answers(&call("2", "echo", r#"{"n":"two"}"#), &done("2", r#"{"n":"two"}"#));
    host.assert_answers(&call("3", "echo", r#"{"n":"three"}"#), &done("3", r#"{"n":"three"}"#));
    go(&folder);
    assert_eq!(host.hear(), done("1", r#"{"n":"one"}"#));
    host.end();
}

/// B112: a call that was called off was answered, with an error that says so. Nothing at all comes
/// with its id once that is read, no progress either, and it ends with all it started.
#[test]
fn nothing_comes_of_a_call_that_was_called_off() {
    let folder = Folder::of(&format!(
        "{TOOLS}\
# Report, and do not listen.
tool_report() {{
  trap '' TERM
  echo \"$BASHPID\" >began
  for ((i = 0; ; i++)); do candor progress \"$i\"; sleep 0.01; done
}}
"
    ));
    let mut host = Host::serve(&folder, &[]);
    host.say(&call("\"off\"", "hang", "{}"));
    let started = [folder.wait_for("child"), folder.wait_for("began")];
    host.say(&cancelled("\"off\""));
    for pid in started {
        wait_for_end(&pid);
    }
    host.assert_answers(&call("2", "echo", "{}"), &done("2", "{}"));

    std::fs::remove_file(folder.path("began")).unwrap();
    host.say(&call_by("\"token\"", "3", "report", "{}"));
    let began = folder.wait_for("began");
    let progress =
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"token","#;
    let line = host.hear();
    assert!(line.starts_with(progress), "{line}");
    host.say(&cancelled("3"));
    host.say(&modern("4", "nonsense", ""));
    // What was on its way before.
    let fence = loop {
        let line = host.hear();
        if !line.starts_with(progress) {
            break line;
        }
    };
    assert_eq!(fence, refusal(Some("4"), -32601, "Method not found: nonsense"));
    wait_for_end(&began);
    host.assert_answers(&call("5", "echo", "{}"), &done("5", "{}"));
    host.end();
}

/// B115: one tool that hung kept every other from being called. It keeps nobody, and is stopped when
/// its time is over; so are twenty.
#[test]
fn one_tool_that_hangs_keeps_no_other() {
    let folder = Folder::of(
        "\
# Hang.
tool_hang() { sleep 1000; }
# Answer.
tool_ok() { echo ok; }
",
    );
    let mut host = Host::serve(&folder, &["--timeout", "2s"]);
    host.say(&call("1", "hang", "{}"));
    host.assert_answers(&call("2", "ok", "{}"), &done("2", "ok"));
    assert_eq!(host.hear(), timed_out("1", "hang", "", "2 s"));

    for id in 0..20 {
        host.say(&call(&id.to_string(), "hang", "{}"));
    }
    let mut heard: Vec<_> = (0..20).map(|_| host.hear()).collect();
    let mut expected: Vec<_> =
        (0..20).map(|id| timed_out(&id.to_string(), "hang", "", "2 s")).collect();
    heard.sort();
    expected.sort();
    assert_eq!(heard, expected);
    host.assert_answers(&call("21", "ok", "{}"), &done("21", "ok"));
    host.end();
}

/// How a client goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gone {
    /// Killed: all of its pipes are closed at once.
    Killed,
    /// Only its reading end is closed, and it goes on asking.
    Deaf,
    /// The same, and nobody reads the log either.
    DeafToAll,
}

/// B113: after its client had died a server wrote to a broken pipe for ever, and its children lived
/// on. It is gone soon, and so is all that it started.
#[test]
fn a_server_whose_client_is_gone_ends_with_all_it_started() {
    for gone in [Gone::Killed, Gone::Deaf, Gone::DeafToAll] {
        // On a machine that is busy with something else one try proves nothing.
        let mut fastest = Duration::MAX;
        for _ in 0..3 {
            fastest = fastest.min(time_to_end(gone));
            if fastest < Duration::from_secs(2) {
                break;
            }
        }
        assert!(fastest < Duration::from_secs(2), "{gone:?}: {fastest:?}");
    }
}

/// How long a server takes to end whose client goes in the middle of a call.
fn time_to_end(gone: Gone) -> Duration {
    let folder = Folder::of(&format!("echo \"$$\" >shell\n{TOOLS}"));
    let mut command = folder.program(&["serve", "-v", "tools.sh"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take();
    let mut say = |line: &str| {
        // The server may be gone before this is written.
        let _ = writeln!(input.as_mut().unwrap(), "{line}");
    };
    say(&call("1", "hang", "{}"));
    let started = ["shell", "child", "began"].map(|name| folder.wait_for(name));

    let before = Instant::now();
    drop(child.stdout.take());
    if gone != Gone::Deaf {
        drop(child.stderr.take());
    }
    if gone == Gone::Killed {
        input = None;
    } else {
        say(&call("2", "echo", "{}"));
    }
    let status = wait(|| child.try_wait().unwrap());
    let took = before.elapsed();
    for pid in started {
        wait_for_end(&pid);
    }
    drop(input);
    assert_eq!(status.code(), Some(0), "{gone:?}");
    took
}

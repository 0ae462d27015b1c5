//! A server as hosts run it: a process, with its standard streams as whatever they are given.
//!
//! The process is the example `stage`, which `cargo test` builds beside the tests.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant, SystemTime};

use candor_testkit::message::{call, modern, refusal};
use candor_testkit::peer::{Child, Peer};
use rustix::fs::{OFlags, fcntl_getfl};
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::AsyncWriteExt;

use crate::said::{done, failed, next, rest, send};

/// The stage as a process, not started yet.
pub(crate) fn command(options: &[&str]) -> Command {
    static STAGE: LazyLock<PathBuf> = LazyLock::new(|| {
        let mut path = std::env::current_exe().unwrap();
        path.pop();
        path.set_file_name("examples");
        path.push("stage");
        // `cargo test --test contract` does not build it, and an old one would prove nothing.
        let built = path.metadata().and_then(|it| it.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let sources = ["candor/src", "candor/tests/stage", "candor-protocol/src"];
        for folder in sources.into_iter().chain(["candor-testkit/src", "candor-transport/src"]) {
            let is_old = newest(&crates.join(folder)) > built;
            assert!(!is_old, "out of date: run `cargo build -p candor --example stage`");
        }
        path
    });
    let mut command = Command::new(&*STAGE);
    command.args(options);
    command
}

/// When something in a folder was last changed.
fn newest(folder: &Path) -> SystemTime {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let changes = entries.map(|entry| {
        if entry.file_type().unwrap().is_dir() {
            newest(&entry.path())
        } else {
            entry.metadata().unwrap().modified().unwrap()
        }
    });
    changes.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

fn start(options: &[&str]) -> Child {
    Child::start(command(options)).unwrap()
}

fn ended(id: &str, tool: &str, fingerprint: &str) -> String {
    failed(
        id,
        &format!(
            "{tool} was stopped because the server is ending. It may have taken effect: check \
             before calling it again."
        ),
        &format!(r#"{{"kind":"timeout","retry":"unknown_effect","fingerprint":"{fingerprint}"}}"#),
    )
}

/// How much memory a process holds (`VmRSS`), or has held at most (`VmHWM`), in KiB.
fn memory(child: &Child, which: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id().unwrap())).unwrap();
    let line = status.lines().find(|line| line.starts_with(which)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

async fn signal(child: &Child, signal: Signal) {
    let id = i32::try_from(child.id().unwrap()).unwrap();
    kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
    tokio::task::yield_now().await;
}

/// It has ended well, and without a word.
async fn assert_ends_quietly(child: &mut Child) {
    let (status, stderr) = child.wait().await.unwrap();
    assert_eq!((status.code(), stderr.as_str()), (Some(0), ""));
}

// ── Backpressure and memory ──

#[tokio::test]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
async fn a_peer_that_writes_100_000_calls_and_reads_nothing_blocks_and_gets_every_answer_later() {
    const CALLS: usize = 100_000;
    let mut child = start(&[]);
    send(&mut child, &modern("\"idle\"", "server/discover", "")).await;
    next(&mut child).await;
    let idle = memory(&child, "VmRSS");

    let mut input = child.take_input().unwrap();
    let written = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&written);
    let writing = tokio::spawn(async move {
        for id in 0..CALLS {
            let line = call(&id.to_string(), "add", r#"{"a":1,"b":2}"#) + "\n";
            input.write_all(line.as_bytes()).await.unwrap();
            counter.store(id + 1, Ordering::SeqCst);
        }
        // Its end would be the end of input.
        input
    });
    // It blocks: nothing more is written for a while, and that is not all of it.
    let mut before = usize::MAX;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let now = written.load(Ordering::SeqCst);
        if now == before {
            break;
        }
        before = now;
    }
    assert!(before < CALLS / 10, "{before} calls were read ahead");
    assert!(!writing.is_finished());

    let mut answers = vec![0_u8; CALLS];
    for _ in 0..CALLS {
        let answer = child.receive().await.unwrap().unwrap();
        let rest = answer.strip_prefix(r#"{"jsonrpc":"2.0","id":"#).unwrap();
        let (id, rest) = rest.split_once(',').unwrap();
        assert!(rest.contains(r#""structuredContent":{"sum":3},"isError":false"#), "{answer}");
        answers[id.parse::<usize>().unwrap()] += 1;
    }
    let input = writing.await.unwrap();
    assert!(answers.iter().all(|&count| count == 1));
    let most = memory(&child, "VmHWM");
    assert!(most <= 2 * idle, "{most} KiB at most, {idle} KiB idle");
    drop(input);
    assert_eq!(rest(&mut child).await, [""; 0]);
    assert_ends_quietly(&mut child).await;
}

/// B99: a line over the limit costs no memory that it could have been read into.
#[tokio::test]
#[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
async fn a_line_of_64_mib_costs_no_more_than_twice_the_limit() {
    const LIMIT: usize = 1024 * 1024;
    let mut child = start(&["--max-message", &LIMIT.to_string()]);
    // Once, because what is made at the first answer stays.
    send(&mut child, &call("\"idle\"", "echo", r#"{"text":"hello"}"#)).await;
    next(&mut child).await;
    let idle = memory(&child, "VmRSS");

    let mut input = child.take_input().unwrap();
    let writing = tokio::spawn(async move {
        input
            .write_all(br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":""#)
            .await?;
        let piece = vec![b'x'; 64 * 1024];
        for _ in 0..1024 {
            input.write_all(&piece).await?;
        }
        input.write_all(b"\"}}\n").await?;
        let next = call("8", "echo", r#"{"text":"still here"}"#);
        input.write_all(format!("{next}\n").as_bytes()).await?;
        Ok::<_, std::io::Error>(input)
    });
    assert_eq!(
        next(&mut child).await,
        refusal(Some("7"), -32600, "Invalid request: the message is larger than 1048576 bytes")
    );
    assert_eq!(next(&mut child).await, done("8", "still here"));
    drop(writing.await.unwrap().unwrap());
    let most = memory(&child, "VmHWM");
    assert!(most <= idle + 2 * LIMIT / 1024, "{most} KiB at most, {idle} KiB idle");
    assert_ends_quietly(&mut child).await;
}

// ── The end of input ──

#[tokio::test]
async fn at_the_end_of_input_what_was_asked_is_answered_and_the_process_ends_well() {
    let mut child = start(&["--grace", "100"]);
    send(&mut child, &call("1", "echo", r#"{"text":"first"}"#)).await;
    let last = call("2", "refuse_because", "{}");
    child.send_bytes(last.as_bytes()).await.unwrap();
    let mut answers = rest(&mut child).await;
    assert_eq!(answers.remove(0), done("1", "first"));
    assert!(answers.remove(0).contains("There is no ledger for today."));
    assert!(answers.is_empty());
    let (status, stderr) = child.wait().await.unwrap();
    // The stage keeps its log to itself.
    assert_eq!((status.code(), stderr.as_str()), (Some(0), ""));
}

#[tokio::test]
async fn a_tool_that_loops_for_ever_is_answered_for_and_does_not_keep_the_process() {
    let mut child = start(&["--grace", "100"]);
    send(&mut child, &call("1", "spin", "{}")).await;
    send(&mut child, &call("2", "echo", r#"{"text":"beside it"}"#)).await;
    assert_eq!(next(&mut child).await, done("2", "beside it"));
    assert_eq!(rest(&mut child).await, [ended("1", "spin", "642733b313221df1")]);
    assert_ends_quietly(&mut child).await;
}

// ── Signals ──

#[tokio::test]
async fn told_to_stop_a_process_answers_and_ends_well_within_half_a_second() {
    for (kind, tool, fingerprint) in [
        (Signal::TERM, "hang", "04636010b9d4a47e"),
        (Signal::INT, "hang", "04636010b9d4a47e"),
        (Signal::TERM, "spin", "642733b313221df1"),
    ] {
        // On a machine that is busy with something else one try proves nothing.
        let mut fastest = Duration::MAX;
        for _ in 0..3 {
            let mut child = start(&[]);
            send(&mut child, &call("1", tool, "{}")).await;
            send(&mut child, &call("2", "echo", r#"{"text":"read"}"#)).await;
            assert_eq!(next(&mut child).await, done("2", "read"));
            let before = Instant::now();
            signal(&child, kind).await;
            assert_eq!(next(&mut child).await, ended("1", tool, fingerprint));
            assert_eq!(child.receive().await.unwrap(), None);
            assert_ends_quietly(&mut child).await;
            fastest = fastest.min(before.elapsed());
            if fastest < Duration::from_millis(500) {
                break;
            }
        }
        assert!(fastest < Duration::from_millis(500), "{tool}: {fastest:?}");
    }
}

#[tokio::test]
async fn told_to_stop_with_nothing_to_do_a_process_ends_at_once() {
    let mut child = start(&[]);
    send(&mut child, &call("1", "echo", r#"{"text":"read"}"#)).await;
    next(&mut child).await;
    signal(&child, Signal::TERM).await;
    assert_eq!(child.receive().await.unwrap(), None);
    assert_ends_quietly(&mut child).await;
}

#[tokio::test]
async fn told_a_second_time_a_process_ends_before_its_tools_do() {
    let mut child = start(&[]);
    send(&mut child, &call("1", "hang", "{}")).await;
    send(&mut child, &call("2", "last_words", "{}")).await;
    send(&mut child, &call("3", "echo", r#"{"text":"read"}"#)).await;
    assert_eq!(next(&mut child).await, done("3", "read"));
    signal(&child, Signal::TERM).await;
    // The first signal has been heard.
    assert_eq!(next(&mut child).await, done("2", "I saw it coming."));
    signal(&child, Signal::TERM).await;
    assert_eq!(child.receive().await.unwrap(), None, "`hang` was not waited for");
    assert_ends_quietly(&mut child).await;
}

// ── Streams of every kind ──

#[tokio::test]
async fn a_peer_that_no_longer_reads_ends_the_process_quietly() {
    let mut child = start(&[]);
    child.close_output();
    // The process may be gone before this is written.
    let _ = child.send_bytes(format!("{}\n", call("1", "echo", "{}")).as_bytes()).await;
    assert_ends_quietly(&mut child).await;
}

/// B113: a server outlived its client, and worked on for nobody.
#[tokio::test]
#[cfg_attr(not(target_os = "linux"), ignore = "known only when something is to be said")]
async fn a_peer_that_stops_listening_without_a_word_ends_the_process_and_its_work() {
    for calls in [&[][..], &["hang"]] {
        let mut child = start(&[]);
        for tool in calls {
            send(&mut child, &call("1", tool, "{}")).await;
        }
        send(&mut child, &call("2", "echo", "{}")).await;
        next(&mut child).await;
        child.close_output();
        assert_ends_quietly(&mut child).await;
    }
}

#[test]
fn the_mode_of_pipes_is_as_it_was_when_the_process_ends() {
    let (input, mut to_input) = std::io::pipe().unwrap();
    let (mut from_output, output) = std::io::pipe().unwrap();
    let kept = [OwnedFd::from(input.try_clone().unwrap()), output.try_clone().unwrap().into()];
    let found: Vec<_> = kept.iter().map(|it| fcntl_getfl(it).unwrap()).collect();

    let mut command = command(&[]);
    let mut child = command.stdin(input).stdout(output).stderr(Stdio::null()).spawn().unwrap();
    writeln!(to_input, "{}", call("1", "echo", r#"{"text":"a"}"#)).unwrap();
    let mut first = [0];
    from_output.read_exact(&mut first).unwrap();
    let during: Vec<_> = kept.iter().map(|it| fcntl_getfl(it).unwrap()).collect();
    assert!(during.iter().all(|flags| flags.contains(OFlags::NONBLOCK)));

    drop(to_input);
    assert!(child.wait().unwrap().success());
    let left: Vec<_> = kept.iter().map(|it| fcntl_getfl(it).unwrap()).collect();
    assert_eq!(left, found);
}

#[test]
fn one_socket_may_be_both_streams_and_its_mode_is_as_it_was() {
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let kept = OwnedFd::from(theirs.try_clone().unwrap());
    let found = fcntl_getfl(&kept).unwrap();
    let input = OwnedFd::from(theirs.try_clone().unwrap());

    let mut command = command(&[]);
    let mut child = command.stdin(input).stdout(OwnedFd::from(theirs)).spawn().unwrap();
    // The command holds its own copies, and the end of output shows only when all are closed.
    drop(command);
    writeln!(ours, "{}", call("1", "echo", r#"{"text":"a"}"#)).unwrap();
    ours.shutdown(Shutdown::Write).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(fcntl_getfl(&kept).unwrap(), found);
    drop(kept);
    let mut heard = String::new();
    ours.read_to_string(&mut heard).unwrap();
    assert_eq!(heard, done("1", "a") + "\n");
}

#[test]
fn a_peer_that_hangs_up_a_socket_with_answers_unread_is_no_error() {
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let input = OwnedFd::from(theirs.try_clone().unwrap());
    let mut command = command(&[]);
    command.stdin(input).stdout(OwnedFd::from(theirs)).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    drop(command);
    writeln!(ours, "{}", call("1", "echo", r#"{"text":"a"}"#)).unwrap();
    // Wait for the answer without taking it.
    let mut polled = [rustix::event::PollFd::new(&ours, rustix::event::PollFlags::IN)];
    rustix::event::poll(&mut polled, None).unwrap();
    drop(ours);
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(0), &b""[..]));
}

/// The answers to requests in a file, written to a file.
#[test]
fn files_are_streams_too() {
    let said: Vec<_> =
        (0..2000).map(|id| call(&id.to_string(), "echo", r#"{"text":"a"}"#)).collect();
    let expected: Vec<_> = (0..2000).map(|id| done(&id.to_string(), "a")).collect();
    for last in ["", "\n"] {
        let mut input = tempfile::tempfile().unwrap();
        write!(input, "{}{last}", said.join("\n")).unwrap();
        std::io::Seek::rewind(&mut input).unwrap();
        let mut output = tempfile::tempfile().unwrap();
        let mut command = command(&[]);
        command.stdin(input).stdout(output.try_clone().unwrap());
        assert!(command.status().unwrap().success());
        let mut heard = String::new();
        std::io::Seek::rewind(&mut output).unwrap();
        output.read_to_string(&mut heard).unwrap();
        assert_eq!(heard.lines().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn no_input_at_all_is_the_end_of_it() {
    let ended = command(&[]).stdin(Stdio::null()).output().unwrap();
    assert!(ended.status.success());
    assert_eq!((ended.stdout.as_slice(), ended.stderr.as_slice()), (&b""[..], &b""[..]));
}

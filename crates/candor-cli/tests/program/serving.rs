//! `candor serve`, with a host at the other end of its pipes.

use candor_testkit::message::{bare, bare_call, call, cancelled, initialize, modern, refusal};

use crate::stage::{Folder, Host, program, repository, signal, wait_for_end};

const INFO: &str = r#""io.modelcontextprotocol/serverInfo":{"name":"tools","version":"0.0.0"}"#;

const TOOLS: &str = "\
# Say what came.
tool_echo() { printf %s \"$1\"; }
# Wait until there is a file, and say so.
tool_wait() { echo \"$BASHPID\" >began; until [[ -e go ]]; do sleep 0.01; done; echo waited; }
# Refuse.
tool_refuse() { echo No.; return 1; }
";

fn text(id: &str, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":[{{"type":"text","text":{text}}}],"isError":false,"_meta":{{{INFO}}}}}}}"#
    )
}

fn serve(folder: &Folder, options: &[&str]) -> Host {
    Host::start(&mut folder.program(&[&["serve", "tools.sh"], options].concat()))
}

#[test]
fn a_modern_host_is_served_until_it_hangs_up() {
    let folder = Folder::of(TOOLS);
    let mut host = serve(&folder, &[]);

    host.assert_answers(
        &modern("1", "server/discover", ""),
        &format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{{"tools":{{}}}},"ttlMs":60000,"cacheScope":"public","_meta":{{{INFO}}}}}}}"#
        ),
    );
    host.say(&modern("\"two\"", "tools/list", ""));
    assert!(host.hear().starts_with(
        r#"{"jsonrpc":"2.0","id":"two","result":{"resultType":"complete","tools":[{"name":"echo","#
    ));
    host.assert_answers(&call("3", "echo", r#"{"a":1.0}"#), &text("3", r#""{\"a\":1.0}""#));
    host.assert_answers(
        &call("4", "draft", "{}"),
        &refusal(Some("4"), -32602, "Unknown tool: draft"),
    );
    host.end().assert(0, "", "");
}

#[test]
fn a_legacy_host_is_served_beside() {
    let folder = Folder::of(TOOLS);
    let mut host = serve(&folder, &[]);

    host.assert_answers(
        &initialize("1", "2025-06-18"),
        r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"tools","version":"0.0.0"}}}"#,
    );
    host.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    host.assert_answers(&bare("2", "ping", ""), r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
    host.assert_answers(
        &bare_call("3", "echo", "{}"),
        r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{}"}],"isError":false}}"#,
    );
    host.assert_answers(&call("4", "echo", "{}"), &text("4", r#""{}""#));
    host.end().assert(0, "", "");
}

#[test]
fn a_host_that_hangs_up_at_once_ends_the_server_well() {
    let folder = Folder::of(TOOLS);

    serve(&folder, &[]).end().assert(0, "", "");
    folder.candor(&["serve", "tools.sh"]).assert(0, "", "");
}

#[test]
fn calls_overlap_unless_they_are_wanted_in_order() {
    let folder = Folder::of(TOOLS);
    let mut host = serve(&folder, &[]);
    host.say(&call("1", "wait", "{}"));
    host.assert_answers(&call("2", "echo", "{}"), &text("2", r#""{}""#));
    std::fs::write(folder.path("go"), "").unwrap();
    assert_eq!(host.hear(), text("1", r#""waited""#));
    host.end().assert(0, "", "");

    std::fs::remove_file(folder.path("go")).unwrap();
    std::fs::remove_file(folder.path("began")).unwrap();
    let mut host = serve(&folder, &["--in-order"]);
    host.say(&call("1", "wait", "{}"));
    host.say(&call("2", "echo", "{}"));
    folder.wait_for("began");
    std::fs::write(folder.path("go"), "").unwrap();
    assert_eq!(host.hear(), text("1", r#""waited""#));
    assert_eq!(host.hear(), text("2", r#""{}""#));
    host.end().assert(0, "", "");
}

#[test]
fn a_tool_that_is_left_out_reads_like_one_that_never_was() {
    let folder = Folder::of(TOOLS);
    for options in [["--only", "wait,refuse"], ["--except", "echo"]] {
        let mut host = serve(&folder, &options);
        host.assert_answers(
            &call("1", "echo", "{}"),
            &refusal(Some("1"), -32602, "Unknown tool: echo"),
        );
        host.end().assert(0, "", "");
    }
}

/// B133: an older host was told that its handshake is no method, and had no clue. It is told which
/// versions there are.
#[test]
fn older_hosts_can_be_refused() {
    let folder = Folder::of(TOOLS);
    let mut host = serve(&folder, &["--modern-only"]);

    host.assert_answers(
        &initialize("1", "2025-06-18"),
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version. Supported: 2026-07-28","data":{"requested":"2025-06-18","supported":["2026-07-28"]}}}"#,
    );
    host.end().assert(0, "", "");
}

#[test]
fn a_message_has_a_limit() {
    let folder = Folder::of(TOOLS);
    let mut host = serve(&folder, &["--max-message", "1K"]);

    host.assert_answers(
        &call("1", "echo", &format!(r#"{{"a":"{}"}}"#, "x".repeat(2000))),
        &refusal(Some("1"), -32600, "Invalid request: the message is larger than 1024 bytes"),
    );
    host.assert_answers(&call("2", "echo", "{}"), &text("2", r#""{}""#));
    host.end().assert(0, "", "");
}

#[test]
fn output_has_a_limit() {
    let folder = Folder::of("# Say much.\ntool_much() { printf %2000s; }\n");
    let mut host = serve(&folder, &["--max-output", "4"]);

    host.assert_answers(
        &call("1", "much", "{}"),
        &text("1", r#""    \n[cut here: 1996 more bytes were written, and the limit is 4]""#),
    );
    host.end().assert(0, "", "");
}

#[test]
fn several_files_are_served_side_by_side() {
    let folder = Folder::of(TOOLS).with("other.sh", "# Other.\ntool_other() { echo other; }\n");
    let mut host = Host::start(&mut folder.program(&["serve", "tools.sh", "other.sh"]));
    host.say(&call("1", "other", "{}"));
    assert!(host.hear().contains(r#""text":"other""#));
    host.say(&call("2", "echo", "{}"));
    assert!(host.hear().contains(r#""text":"{}""#));
    host.end().assert(0, "", "");
}

#[test]
fn a_file_for_the_bash_sdk_is_served_as_its_config_says() {
    let mut host =
        Host::start(&mut program(&repository(), &["serve", "examples/sdk/cinema-sdk.sh"]));
    host.say(&modern("1", "server/discover", ""));
    assert!(host.hear().contains(r#""instructions":"A cinema box office."#));
    host.end().assert(0, "", "");
}

#[test]
fn a_cancelled_call_is_stopped_and_not_answered() {
    let folder = Folder::of(TOOLS);
    let mut host = serve(&folder, &[]);
    host.say(&call("1", "wait", "{}"));
    let pid = folder.wait_for("began");
    host.say(&cancelled("1"));
    wait_for_end(&pid);
    host.assert_answers(&call("2", "echo", "{}"), &text("2", r#""{}""#));
    host.end().assert(0, "", "");
}

#[test]
fn a_server_that_is_told_to_stop_answers_and_leaves_nothing() {
    let folder = Folder::of(TOOLS);
    for name in ["TERM", "INT"] {
        let mut host = serve(&folder, &[]);
        host.say(&call("1", "wait", "{}"));
        let pid = folder.wait_for("began");
        signal(name, &host.child);
        let answer = host.hear();
        assert!(
            answer.contains("wait was stopped because the server is ending. It may have taken"),
            "{answer}"
        );
        let ran = host.end();
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), ""));
        wait_for_end(&pid);
        std::fs::remove_file(folder.path("began")).unwrap();
    }
}

#[test]
fn a_server_that_ends_leaves_no_shell() {
    let folder = Folder::of("echo \"$$\" >began\n# A.\ntool_a() { :; }\n");
    for how in ["hang up", "TERM", "KILL"] {
        let mut host = serve(&folder, &[]);
        let pid = folder.wait_for("began");
        match how {
            "hang up" => host.hang_up(),
            name => signal(name, &host.child),
        }
        host.end();
        wait_for_end(&pid);
        std::fs::remove_file(folder.path("began")).unwrap();
    }
}

#[test]
fn a_log_that_nobody_reads_stops_nothing() {
    let folder = Folder::of(
        "# Say much of no use.\ntool_noise() { printf '%4000s' x >&2; echo No.; return 1; }\n",
    );
    let mut host = serve(&folder, &[]);
    for id in 0..100 {
        host.say(&call(&id.to_string(), "noise", "{}"));
        assert!(host.hear().contains(r#""text":"No.""#));
    }
    let ran = host.end();
    assert_eq!(ran.status, Some(0));
    assert!(ran.stderr.len() < 100_000, "what did not fit is dropped");
}

#[test]
fn someone_who_reads_the_log_again_is_told_how_much_is_missing() {
    let folder = Folder::of(
        "# Say much of no use.\ntool_noise() { printf '%3000s' x >&2; echo No.; return 1; }\n",
    );
    let mut host = serve(&folder, &[]);
    let mut stderr = host.child.stderr.take().unwrap();
    let mut ask = |id: usize| {
        host.say(&call(&id.to_string(), "noise", "{}"));
        host.hear();
    };
    (0..60).for_each(&mut ask);
    let mut read = vec![0; 1 << 20];
    std::io::Read::read(&mut stderr, &mut read).unwrap();
    ask(60);
    host.end();
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut stderr, &mut rest).unwrap();

    assert!(rest.contains("candor: warning: nobody read the log, and "), "{rest}");
}

#[test]
fn a_limit_on_files_is_no_reason_to_end() {
    let folder = Folder::of(TOOLS);
    let mut command = std::process::Command::new("bash");
    command
        .args(["-c", "ulimit -f 1; exec \"$0\" serve tools.sh", env!("CARGO_BIN_EXE_candor")])
        .current_dir(folder.path(""));
    let mut host = Host::start(&mut command);
    let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(10_000));

    host.say(&call("1", "echo", &long));
    assert!(host.hear().contains("echo is not available at the moment. Nothing ran."));
    host.assert_answers(&call("2", "echo", "{}"), &text("2", "\"{}\""));
}

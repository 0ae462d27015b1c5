//! What a function is given, and what comes back.

use crate::serve::{everywhere, options, serve, serve_with, text};
use candor_shell::{Ended, Work, WorkerError};

#[tokio::test]
async fn a_function_gets_its_arguments_as_one_text() {
    let script = "tool_echo() { printf '%s|%s' \"$#\" \"$1\"; }";
    everywhere(script, async |served| {
        assert_eq!(served.said_with("echo", br#"{"a":[1, "b"]}"#).await, r#"1|{"a":[1, "b"]}"#);
    })
    .await;
}

#[tokio::test]
async fn arguments_come_as_they_were_sent_however_long() {
    everywhere("tool_echo() { printf '%s' \"$1\"; }", async |served| {
        for odd in ["a  b\t\n", "\\\\ \\", "'\"`$(id)", "\u{1}\u{7f}\u{1f}", "*?~", "é\u{2028}🎬"]
        {
            for filling in [0, 100, 200, 300] {
                let sent = format!("{{\"{odd} {}{odd}\": 1}}", "x".repeat(filling));
                assert_eq!(served.said_with("echo", sent.as_bytes()).await, sent);
            }
        }
        let ran = served.call_with("echo", b"{\xff \xfe}").await;
        assert_eq!(ran.stdout.bytes, b"{\xff \xfe}");
    })
    .await;
}

#[tokio::test]
async fn no_arguments_are_an_empty_object() {
    let served = serve("tool_echo() { printf '%s' \"$1\"; }").await;
    assert_eq!(served.said_with("echo", b"").await, "{}");
    assert_eq!(served.said_with("echo", b" \n").await, "{}");
}

#[tokio::test]
async fn what_is_printed_comes_back_byte_for_byte() {
    let script = "tool_print() { printf 'a\\n\\n\\xff\\0b\\n\\n'; printf 'e\\xfe\\0' >&2; }";
    everywhere(script, async |served| {
        let ran = served.call("print").await;
        assert_eq!(ran.ended, Ended::Returned(0));
        assert_eq!(ran.stdout.bytes, b"a\n\n\xff\0b\n\n");
        assert_eq!(ran.stdout.cut, None);
        assert_eq!(ran.stderr, b"e\xfe\0");
    })
    .await;
}

#[tokio::test]
async fn a_function_may_print_nothing() {
    let served = serve("tool_quiet() { :; }").await;
    assert_eq!(served.said("quiet").await, "");
}

#[tokio::test]
async fn the_status_is_what_the_function_returns() {
    let script = "tool_a() { return 1; }
        tool_b() { return 75; }
        tool_c() { return 256; }
        tool_d() { no_such_command; }
        tool_e() { false; }";
    let served = serve(script).await;
    for (tool, status) in [("a", 1), ("b", 75), ("c", 0), ("d", 127), ("e", 1)] {
        assert_eq!(served.call(tool).await.ended, Ended::Returned(status), "{tool}");
    }
}

#[tokio::test]
async fn a_status_beyond_128_says_a_signal() {
    let served = serve("tool_a() { return 130; }; tool_b() { exit 255; }").await;
    assert_eq!(served.call("a").await.ended, Ended::Signalled(2));
    assert_eq!(served.call("b").await.ended, Ended::Returned(255));
}

#[tokio::test]
async fn exit_ends_only_the_call() {
    let served = serve("tool_leave() { echo bye; exit 7; }; tool_stay() { echo here; }").await;
    let ran = served.call("leave").await;
    assert_eq!((ran.ended, text(&ran.stdout.bytes)), (Ended::Returned(7), "bye\n".into()));
    assert_eq!(served.said("stay").await, "here\n");
}

#[tokio::test]
async fn exec_ends_only_the_call() {
    let served = serve("tool_other() { exec echo other; }; tool_stay() { echo here; }").await;
    assert_eq!(served.said("other").await, "other\n");
    assert_eq!(served.said("stay").await, "here\n");
}

#[tokio::test]
async fn nothing_a_call_changes_is_there_for_the_next() {
    let script = "X=first
        tool_change() {
          X=changed; cd /; umask 077; set -f; shopt -s nullglob; IFS=,
          trap 'echo trapped' EXIT TERM; exec 5>/dev/null
          tool_look() { echo replaced; }
        }
        tool_look() { printf '%s ' \"$X\" \"$PWD\" \"$(umask)\" \"${-//[!f]/}\" \"$IFS\"; trap; }";
    let served = serve(script).await;
    let before = served.said("look").await;
    assert!(before.starts_with("first "), "{before}");
    assert_eq!(served.said("change").await, "trapped\n");
    assert_eq!(served.said("look").await, before);
}

#[tokio::test]
async fn the_top_level_runs_once() {
    let script = "echo loaded >>loads\nX=$RANDOM.$BASHPID\ntool_x() { echo \"$X $$\"; }";
    let served = serve(script).await;
    let first = served.said("x").await;
    assert_eq!(served.said("x").await, first);
    let (a, b) = tokio::join!(served.said("x"), served.said("x"));
    assert_eq!((a, b), (first.clone(), first));
    assert_eq!(served.marker("loads").await, "loaded");
}

#[tokio::test]
async fn the_folder_is_ours_or_the_one_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let mut chosen = options();
    chosen.folder = Some(folder.path().into());
    let served = serve_with("tool_where() { pwd -P; }", &chosen).await;
    let there = folder.path().canonicalize().unwrap();
    assert_eq!(served.said("where").await, format!("{}\n", there.display()));
}

#[tokio::test]
async fn an_exit_trap_of_a_function_runs_and_may_print() {
    let script = "tool_tidy() { trap 'echo tidied' EXIT; echo done; return 3; }";
    let ran = serve(script).await.call("tidy").await;
    assert_eq!(ran.ended, Ended::Returned(3));
    assert_eq!(text(&ran.stdout.bytes), "done\ntidied\n");
}

#[tokio::test]
async fn set_e_of_the_file_does_not_reach_a_function_but_its_own_does() {
    let script = "set -e
        tool_inert() { false; echo went on; }
        tool_own() { set -e; false; echo went on; }";
    let served = serve(script).await;
    assert_eq!(served.said("inert").await, "went on\n");
    let ran = served.call("own").await;
    assert_eq!((ran.ended, text(&ran.stdout.bytes)), (Ended::Returned(1), String::new()));
}

#[tokio::test]
async fn set_u_and_pipefail_of_the_file_act_in_a_function() {
    let script = "set -euo pipefail
        tool_unset() { echo \"$no_such_variable\"; }
        tool_pipe() { false | true; }";
    let served = serve(script).await;
    let ran = served.call("unset").await;
    assert_eq!(ran.ended, Ended::Returned(1));
    assert!(text(&ran.stderr).contains("no_such_variable: unbound variable"));
    assert_eq!(served.call("pipe").await.ended, Ended::Returned(1));
}

#[tokio::test]
async fn names_with_dashes_and_dots_are_called() {
    let served = serve("tool_a-b.c() { echo \"$FUNCNAME\"; }").await;
    assert_eq!(served.said("a-b.c").await, "tool_a-b.c\n");
}

#[tokio::test]
async fn only_functions_of_the_file_are_called() {
    let served = serve("PATH=$PWD:$PATH; tool_x() { :; }; helper() { echo helped; }").await;
    let program = served.path("tool_program");
    std::fs::write(&program, "#!/bin/sh\necho program\n").unwrap();
    for name in ["program", "y", "x y", "../x", "", "x;helper", "x\n1 1 1 1 x"] {
        let call =
            served.worker.call(Work::function(name, *b"{}"), served.stop.subscribe(), ()).await;
        let Err(WorkerError::NoSuchFunction { name: told }) = call else { panic!("{call:?}") };
        assert_eq!(told, name);
    }
}

#[tokio::test]
async fn a_nul_in_the_arguments_is_refused_before_anything_runs() {
    let served = serve("tool_x() { echo ran >ran; }").await;
    let call = served
        .worker
        .call(Work::function("x", *br#"{"a":"\u0000"}"#), served.stop.subscribe(), ())
        .await;
    assert!(matches!(call, Err(WorkerError::NulInArguments)), "{call:?}");
    assert!(!served.path("ran").exists());
}

#[tokio::test]
async fn four_megabytes_go_in_and_come_out_unchanged() {
    let mut roomy = options();
    roomy.max_output = 8 * 1024 * 1024;
    let served = serve_with("tool_echo() { printf '%s' \"$1\"; }", &roomy).await;
    let arguments = format!("{{\"a\":\"{}\"}}", "0123456789äöü€\\n ".repeat(200_000));
    assert!(arguments.len() > 4 * 1024 * 1024);
    let ran = served.call_with("echo", arguments.as_bytes()).await;
    assert_eq!(ran.ended, Ended::Returned(0));
    assert!(ran.stdout.bytes == arguments.as_bytes(), "changed");
}

#[tokio::test]
async fn output_beyond_the_limit_is_counted_and_the_call_goes_on() {
    let mut narrow = options();
    narrow.max_output = 1000;
    let script =
        "tool_much() { head -c 300000 /dev/zero | tr '\\0' x; echo went on >&2; return 4; }";
    let ran = serve_with(script, &narrow).await.call("much").await;
    assert_eq!(ran.ended, Ended::Returned(4));
    assert_eq!(ran.stdout.bytes, vec![b'x'; 1000]);
    assert_eq!(ran.stdout.cut, Some(299_000));
    assert_eq!(text(&ran.stderr), "went on\n");
}

#[tokio::test]
async fn the_end_of_standard_error_is_kept() {
    let script = "tool_much() { head -c 300000 /dev/zero | tr '\\0' x >&2; echo the end >&2; }";
    let ran = serve(script).await.call("much").await;
    assert_eq!(ran.stderr.len(), 64 * 1024);
    assert!(ran.stderr.ends_with(b"xxx\nthe end\n") || ran.stderr.ends_with(b"xxxthe end\n"));
}

#[tokio::test]
async fn standard_input_is_empty() {
    let served = serve("tool_read() { cat; read -r line; echo \"$?\"; }").await;
    assert_eq!(served.said("read").await, "1\n");
    assert_eq!(served.said("read").await, "1\n");
}

#[tokio::test]
async fn a_function_holds_no_descriptor_but_its_three_and_the_one_for_verbs() {
    // Looked at by bash itself, by a subshell of it, and by a program.
    let look = "look() {
          for fd in /proc/$BASHPID/fd/*; do [[ ! -e $fd ]] || printf '%s ' \"${fd##*/}\"; done
          (for fd in /proc/$BASHPID/fd/*; do [[ ! -e $fd ]] || printf '%s ' \"${fd##*/}\"; done)
          env bash -c 'for fd in /proc/$$/fd/*; do [[ ! -e $fd ]] || printf \"%s \" \"${fd##*/}\"; done'
        }";
    // What whoever started this test left open goes to every child.
    let mut plain = std::process::Command::new("bash");
    let plain = plain.arg("-c").arg(format!("{look}; exec 96>&1; look")).output().unwrap().stdout;
    let plain = text(&plain);
    everywhere(&format!("{look}; tool_look() {{ look; }}"), async |served| {
        assert_eq!(served.said("look").await, plain);
    })
    .await;
}

#[tokio::test]
async fn what_is_written_to_the_shell_itself_goes_nowhere() {
    let script = "tool_forge() { echo forged >/proc/$$/fd/1; echo forged >/proc/$$/fd/2; echo x; }";
    let served = serve(script).await;
    assert_eq!(served.said("forge").await, "x\n");
    assert_eq!(served.said("forge").await, "x\n");
}

#[tokio::test]
async fn a_function_cannot_forge_a_status() {
    let script = "printf() { echo forged; }
        tool_forge() { printf() { :; }; kill() { :; }; wait() { :; }; unset -f builtin; return 5; }";
    assert_eq!(serve(script).await.call("forge").await.ended, Ended::Returned(5));
}

#[tokio::test]
async fn settings_of_the_file_do_not_trip_the_loop() {
    let script = "IFS=0123456789; set -fCa; shopt -s failglob nocasematch; FOO=bar
        tool_x() { env | grep -c '^__candor\\|^BASH_FUNC_run'; }
        trap 'echo err >>errors' ERR; set -E
        run_mcp_server";
    let served = serve(script).await;
    let ran = served.call("x").await;
    assert_eq!((ran.ended, text(&ran.stdout.bytes)), (Ended::Returned(1), "0\n".into()));
}

#[tokio::test]
async fn slow_calls_overlap() {
    // Each waits for all the others.
    let script = "tool_meet() {
          echo here >\"here.${1//[!0-9]/}\"
          until [[ $(echo here.*) == *.0*.1*.2*.3*.4*.5*.6*.7* ]]; do sleep 0.01; done
          echo met
        }";
    everywhere(script, async |served| {
        let arguments: Vec<String> = (0..8).map(|n| format!("{{\"n\":{n}}}")).collect();
        let call = |n: usize| served.said_with("meet", arguments[n].as_bytes());
        let said =
            tokio::join!(call(0), call(1), call(2), call(3), call(4), call(5), call(6), call(7));
        assert_eq!(said.0, "met\n");
        assert_eq!(said.7, "met\n");
    })
    .await;
}

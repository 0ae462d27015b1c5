//! How calls end that do not end by themselves, and what is left of them.

use std::time::Duration;

use candor_shell::{Ended, Ran, Work, WorkerError};
use tokio::task::JoinHandle;

use crate::serve::{Served, everywhere, gone, lives, options, serve, serve_with, text, until};

/// So short that every call that waits takes too long.
const SHORT: Duration = Duration::from_millis(300);

async fn serve_briefly(script: &str) -> Served {
    let mut brief = options();
    brief.timeout = SHORT;
    serve_with(script, &brief).await
}

/// Starts a call that goes on while the test does something else.
fn start(served: &std::sync::Arc<Served>, tool: &'static str) -> JoinHandle<Ran> {
    let served = std::sync::Arc::clone(served);
    tokio::spawn(async move { served.call(tool).await })
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_asked_to_end() {
    let script = "tool_polite() {
          trap 'echo cleared up; exit 1' TERM
          echo working; echo $BASHPID >pid; sleep 1000
        }";
    let served = serve_briefly(script).await;
    let ran = served.call("polite").await;
    assert_eq!(ran.ended, Ended::TimedOut(SHORT));
    assert_eq!(text(&ran.stdout.bytes), "working\ncleared up\n");
    assert!(!lives(&served.marker("pid").await));
}

#[tokio::test]
async fn a_call_that_does_not_listen_is_made_to_end() {
    let script = "tool_stubborn() {
          trap '' TERM; echo working; echo $BASHPID >pid; while :; do sleep 0.1; done
        }
        tool_other() { echo other; }";
    let served = serve_briefly(script).await;
    let ran = served.call("stubborn").await;
    assert_eq!(ran.ended, Ended::TimedOut(SHORT));
    assert_eq!(text(&ran.stdout.bytes), "working\n");
    gone(&served.marker("pid").await).await;
    assert_eq!(served.said("other").await, "other\n");
}

#[tokio::test]
async fn a_call_that_never_stops_printing_is_ended_all_the_same() {
    let script = "tool_flood() { trap '' PIPE; echo alarm >&2; yes; }";
    let served = serve_briefly(script).await;
    let ran = served.call("flood").await;
    assert_eq!(ran.ended, Ended::TimedOut(SHORT));
    assert_eq!(ran.stdout.bytes.len(), 1024 * 1024);
    assert_eq!(text(&ran.stderr), "alarm\n");
    served.stop.send_replace(true);
    assert_eq!(served.call("flood").await.ended, Ended::Stopped);
}

#[tokio::test]
async fn a_call_that_stopped_itself_is_woken_to_end() {
    let script = "tool_halt() { trap 'echo woken; exit' TERM; kill -STOP $BASHPID; }";
    let ran = serve_briefly(script).await.call("halt").await;
    assert_eq!(ran.ended, Ended::TimedOut(SHORT));
    assert_eq!(text(&ran.stdout.bytes), "woken\n");
}

#[tokio::test]
async fn a_storm_of_forks_ends_with_its_call() {
    // Each of the first does not listen and starts others for as long as it lives.
    let script = "tool_storm() {
          trap '' TERM
          for ((n = 0; n < 60; n++)); do (while :; do (:) & wait $!; done) & done
          echo started; while :; do (:) & wait $!; done
        }
        tool_other() { echo other; }";
    let mut brief = options();
    brief.timeout = Duration::from_secs(2);
    let served = std::sync::Arc::new(serve_with(script, &brief).await);
    let storm = start(&served, "storm");
    // Known by the channel for verbs, which each of them holds.
    until("it has begun", || carriers(&served.path("")) > 60).await;
    let ran = storm.await.unwrap();
    assert_eq!(ran.ended, Ended::TimedOut(Duration::from_secs(2)));
    assert_eq!(text(&ran.stdout.bytes), "started\n");
    until("it is over", || carriers(&served.path("")) == 0).await;
    assert_eq!(served.said("other").await, "other\n");
}

/// How many processes of calls work in this folder.
fn carriers(folder: &std::path::Path) -> usize {
    let folder = folder.canonicalize().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let is_in_call = |pid: std::path::PathBuf| {
        std::fs::read_link(pid.join("cwd")).is_ok_and(|cwd| cwd == folder)
            && std::fs::read_link(pid.join("fd/96")).is_ok()
    };
    processes.map(|it| it.path()).filter(|pid| is_in_call(pid.clone())).count()
}

#[tokio::test]
async fn a_background_child_neither_delays_the_answer_nor_outlives_it() {
    let script = "tool_leave() { sleep 1000 & echo $! >pid; echo answer; }";
    everywhere(script, async |served| {
        assert_eq!(served.said("leave").await, "answer\n");
        gone(&served.marker("pid").await).await;
    })
    .await;
}

#[tokio::test]
async fn a_background_child_that_does_not_listen_does_not_outlive_the_answer() {
    let script = "tool_leave() {
          (trap '' TERM HUP INT; echo $BASHPID >pid; while :; do sleep 0.1; done) &
          until [[ -s pid ]]; do sleep 0.01; done
        }";
    let served = serve(script).await;
    assert_eq!(served.said("leave").await, "");
    gone(&served.marker("pid").await).await;
}

#[tokio::test]
async fn a_child_that_leaves_the_process_group_outlives_the_call() {
    // Known, and not promised otherwise: only the kernel could hold it.
    let script = "tool_escape() {
          setsid bash -c 'echo $$ >pid; exec sleep 1000' &
          until [[ -s pid ]]; do sleep 0.01; done
          echo answer
        }";
    let served = serve(script).await;
    assert_eq!(served.said("escape").await, "answer\n");
    let pid = served.marker("pid").await;
    assert!(lives(&pid));
    let killed = std::process::Command::new("kill").args(["-KILL", &pid]).status().unwrap();
    assert!(killed.success());
}

#[tokio::test]
async fn a_function_may_kill_itself() {
    let served =
        serve("tool_a() { echo last words; kill -9 $BASHPID; }; tool_b() { echo b; }").await;
    let ran = served.call("a").await;
    assert_eq!(ran.ended, Ended::Signalled(9));
    assert_eq!(text(&ran.stdout.bytes), "last words\n");
    assert_eq!(served.said("b").await, "b\n");
}

#[tokio::test]
async fn a_function_may_kill_its_group() {
    let served = serve("tool_a() { kill -9 0; sleep 1000; }; tool_b() { echo b; }").await;
    assert_eq!(served.call("a").await.ended, Ended::Signalled(9));
    assert_eq!(served.said("b").await, "b\n");
}

#[tokio::test]
async fn a_function_that_stops_its_server_is_told_so_and_another_takes_its_place() {
    for signal in ["TERM", "KILL"] {
        let script = format!(
            "echo $$ >>starts
            tool_stop() {{ echo before; kill -{signal} $$; sleep 1000; }}
            tool_other() {{ echo $$; }}"
        );
        everywhere(&script, async |served| {
            let before = served.said("other").await;
            let ran = served.call("stop").await;
            assert_eq!(ran.ended, Ended::WorkerGone, "{signal}");
            assert_eq!(text(&ran.stdout.bytes), "before\n");
            let after = served.said("other").await;
            assert_ne!(before, after);
            assert_eq!(served.marker("starts").await, format!("{before}{after}").trim_end());
        })
        .await;
    }
}

#[tokio::test]
async fn calls_beside_one_that_stops_the_server_come_to_their_own_end() {
    let script =
        "tool_wait() { echo >waiting; until [[ -e go ]]; do sleep 0.01; done; echo waited; }
        tool_stop() { until [[ -e waiting ]]; do sleep 0.01; done; kill -9 $$; echo stopped; }
        tool_go() { echo >go; }";
    let served = std::sync::Arc::new(serve(script).await);
    let waiting = start(&served, "wait");
    let stopping = start(&served, "stop");
    assert_eq!(text(&stopping.await.unwrap().stdout.bytes), "stopped\n");
    assert_eq!(served.said("go").await, "");
    let ran = waiting.await.unwrap();
    assert_eq!(ran.ended, Ended::Returned(0));
    assert_eq!(text(&ran.stdout.bytes), "waited\n");
}

#[tokio::test]
async fn a_runner_that_is_killed_costs_its_call_and_no_more() {
    // The parent of a call's shell; `$PPID` would be the host.
    let script = "tool_kill() {
          echo $BASHPID >pid
          sleep 0.1 # by now the runner has told which group this is
          read -r _ _ _ parent _ </proc/$BASHPID/stat; kill -9 $parent; sleep 1000
        }
        tool_other() { echo other; }";
    let served = serve(script).await;
    assert_eq!(served.call("kill").await.ended, Ended::WorkerGone);
    gone(&served.marker("pid").await).await;
    assert_eq!(served.said("other").await, "other\n");
}

#[tokio::test]
async fn a_server_that_dies_too_often_is_given_up() {
    let served = serve("echo >>starts; tool_stop() { kill -9 $$; sleep 1000; }").await;
    for _ in 0..6 {
        assert_eq!(served.call("stop").await.ended, Ended::WorkerGone);
    }
    let call =
        served.worker.call(Work::function("stop", *b"{}"), served.stop.subscribe(), ()).await;
    assert!(matches!(call, Err(WorkerError::GivenUp)), "{call:?}");
    assert_eq!(std::fs::read_to_string(served.path("starts")).unwrap(), "\n".repeat(6));
    served.worker.end().await;
}

#[tokio::test]
async fn a_server_that_is_halted_is_replaced_once_it_is_missed() {
    // The first runner is there already; the second has to be asked for.
    let script = "tool_halt() { kill -STOP $$; echo halted; }
        tool_wait() { echo >waiting; until [[ -e go ]]; do sleep 0.01; done; }
        tool_go() { echo >go; }";
    let served = std::sync::Arc::new(serve(script).await);
    assert_eq!(served.said("halt").await, "halted\n");
    let waiting = start(&served, "wait");
    served.marker("waiting").await;
    assert_eq!(served.said("go").await, "");
    assert_eq!(waiting.await.unwrap().ended, Ended::Returned(0));
}

#[tokio::test]
async fn a_cancelled_call_is_asked_to_end_at_once() {
    let script = "tool_wait() {
          trap 'echo cleared >cleared; exit' TERM; echo $BASHPID >pid; sleep 1000
        }
        tool_other() { echo other; }";
    everywhere(script, async |served| {
        let call = served.worker.call(Work::function("wait", *b"{}"), served.stop.subscribe(), ());
        let pid = tokio::select! {
            ran = call => panic!("{ran:?}"),
            pid = served.marker("pid") => pid,
        };
        assert_eq!(served.marker("cleared").await, "cleared");
        gone(&pid).await;
        assert_eq!(served.said("other").await, "other\n");
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_call_that_does_not_listen_is_made_to_end() {
    let script = "tool_wait() { trap '' TERM; echo $BASHPID >pid; while :; do sleep 0.1; done; }";
    let served = serve(script).await;
    let call = served.worker.call(Work::function("wait", *b"{}"), served.stop.subscribe(), ());
    let pid = tokio::select! {
        ran = call => panic!("{ran:?}"),
        pid = served.marker("pid") => pid,
    };
    gone(&pid).await;
}

#[tokio::test]
async fn a_call_cancelled_before_it_began_leaves_nothing_behind() {
    let script = "tool_wait() { echo $BASHPID >>pids; sleep 1000; }; tool_other() { echo other; }";
    let served = serve(script).await;
    for _ in 0..20 {
        let call = served.worker.call(Work::function("wait", *b"{}"), served.stop.subscribe(), ());
        let soon = tokio::time::timeout(Duration::from_micros(200), call).await;
        assert!(soon.is_err(), "{soon:?}");
    }
    assert_eq!(served.said("other").await, "other\n");
    for pid in std::fs::read_to_string(served.path("pids")).unwrap_or_default().lines() {
        gone(pid).await;
    }
}

#[tokio::test]
async fn a_stop_ends_a_call_without_delay_and_keeps_what_it_said() {
    let script = "tool_wait() {
          trap '' TERM; echo so far; echo $BASHPID >pid; while :; do sleep 0.1; done
        }";
    let served = std::sync::Arc::new(serve(script).await);
    let waiting = start(&served, "wait");
    let pid = served.marker("pid").await;
    served.stop.send_replace(true);
    let ran = waiting.await.unwrap();
    assert_eq!(ran.ended, Ended::Stopped);
    assert_eq!(text(&ran.stdout.bytes), "so far\n");
    gone(&pid).await;
    assert_eq!(served.call("wait").await.ended, Ended::Stopped);
}

#[tokio::test]
async fn the_end_of_the_worker_ends_its_calls() {
    let script = "echo $$ >shell; tool_wait() { echo $BASHPID >pid; sleep 1000; }";
    everywhere(script, async |served| {
        let served = std::sync::Arc::new(served);
        let waiting = start(&served, "wait");
        let pid = served.marker("pid").await;
        served.worker.end().await;
        assert_eq!(waiting.await.unwrap().ended, Ended::Stopped);
        gone(&pid).await;
        gone(&served.marker("shell").await).await;
        let call =
            served.worker.call(Work::function("wait", *b"{}"), served.stop.subscribe(), ()).await;
        assert!(matches!(call, Err(WorkerError::Ended)), "{call:?}");
    })
    .await;
}

#[tokio::test]
async fn what_the_file_started_ends_with_its_shell() {
    let script = "sleep 1000 & echo $! >>helpers
        tool_stop() { kill -9 $$; sleep 1000; }
        tool_x() { :; }";
    let served = serve(script).await;
    assert_eq!(served.call("stop").await.ended, Ended::WorkerGone);
    assert_eq!(served.said("x").await, "");
    served.worker.end().await;
    let helpers = std::fs::read_to_string(served.path("helpers")).unwrap();
    assert_eq!(helpers.lines().count(), 2);
    for helper in helpers.lines() {
        gone(helper).await;
    }
}

#[test]
fn a_runtime_that_shuts_down_leaves_nothing_running() {
    let script = "echo $$ >shell
        tool_wait() { trap '' TERM; echo $BASHPID >pid; while :; do sleep 0.1; done; }";
    let runtime = || tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let first = runtime();
    let served = std::sync::Arc::new(first.block_on(serve(script)));
    let waiting = first.spawn({
        let served = std::sync::Arc::clone(&served);
        async move { served.call("wait").await }
    });
    let pids = first.block_on(async { [served.marker("pid").await, served.marker("shell").await] });
    waiting.abort();
    drop(first);
    let folder = std::sync::Arc::into_inner(served).unwrap().folder;
    runtime().block_on(async {
        for pid in pids {
            gone(&pid).await;
        }
    });
    drop(folder);
}

#[test]
fn a_host_that_is_killed_leaves_nothing_running() {
    let folder = crate::serve::folder(
        "echo $$ >shell
        tool_wait() { trap '' TERM; echo $BASHPID >pid; while :; do sleep 0.1; done; }",
    );
    let mut host = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "ending::hosts_a_call", "--ignored"])
        .env("CANDOR_TEST_FOLDER", folder.path())
        .spawn()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let pid = crate::serve::marker(&folder.path().join("pid")).await;
        let shell = crate::serve::marker(&folder.path().join("shell")).await;
        host.kill().unwrap();
        host.wait().unwrap();
        gone(&pid).await;
        gone(&shell).await;
    });
}

#[tokio::test]
#[ignore = "run, and killed, by another test"]
async fn hosts_a_call() {
    let folder = std::path::PathBuf::from(std::env::var_os("CANDOR_TEST_FOLDER").unwrap());
    let mut there = options();
    there.folder = Some(folder.clone());
    let file = folder.join("tools.sh");
    let (worker, _) = candor_shell::Worker::start(&file, &there).await.unwrap();
    let stop = tokio::sync::watch::Sender::new(false);
    let _ = worker.call(Work::function("wait", *b"{}"), stop.subscribe(), ()).await;
}

//! Executables as tools: run, spoken with and ended as functions are.

use std::path::{Path, PathBuf};
use std::time::Duration;

use candor_shell::{Ended, Options, Ran, Work, Worker};
use tokio::sync::watch;

use crate::serve::{attached, gone, marker, options, text};

async fn program(path: &Path, arguments: &str, options: &Options) -> Ran {
    let folder = path.parent().unwrap();
    let worker = Worker::for_programs(folder, options).await.unwrap();
    let stop = watch::Sender::new(false);
    let ran = worker.call(Work::program(path, arguments), stop.subscribe(), ()).await.unwrap();
    worker.end().await;
    ran
}

fn executable(folder: &Path, name: &str, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;

    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[tokio::test]
async fn a_program_reads_its_arguments_from_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = executable(folder.path(), "echo args.sh", "#!/bin/sh\ncat; echo $#; exit 4\n");
    for named_pipes in [false, true] {
        let mut options = options();
        options.named_pipes = named_pipes;
        let ran = program(&path, r#"{"a":"\u0000 b"}"#, &options).await;
        assert_eq!(ran.ended, Ended::Returned(4));
        assert_eq!(text(&ran.stdout.bytes), "{\"a\":\"\\u0000 b\"}\n0\n");
        let ran = program(&path, "", &options).await;
        assert_eq!(text(&ran.stdout.bytes), "{}\n0\n");
    }
}

#[tokio::test]
async fn four_megabytes_go_into_a_program_and_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = executable(folder.path(), "cat", "#!/bin/sh\nexec cat\n");
    let arguments = format!("{{\"text\":\"{}\"}}", "x".repeat(4 * 1024 * 1024));
    let mut wide = options();
    wide.max_output = 8 * 1024 * 1024;
    let ran = program(&path, &arguments, &wide).await;
    assert_eq!(ran.stdout.bytes.len(), arguments.len() + 1);
    assert_eq!(text(&ran.stdout.bytes).trim_end(), arguments);
}

#[tokio::test]
async fn a_program_speaks_on_the_channel_that_it_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let text_of_it = "#!/bin/sh
        mkdir -p -m 700 \"$CANDOR_FOLDER/attached\" && echo data >\"$CANDOR_FOLDER/attached/x1\"
        eval \"echo attach x1 text/csv table.csv >&$CANDOR_FD\"
        eval \"echo ask sure:boolean Really? >&$CANDOR_FD\"
        exit 10\n";
    let path = executable(folder.path(), "tool", text_of_it);
    let ran = program(&path, "{}", &options()).await;
    assert_eq!(attached(&ran), [("table.csv", Some("text/csv"), Some("data\n".to_owned()))]);
    assert_eq!(ran.question.as_deref(), Some("Really?"));
}

#[tokio::test]
async fn a_link_is_not_attached_in_place_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let text_of_it = "#!/bin/sh
        mkdir -p -m 700 \"$CANDOR_FOLDER/attached\"; ln -s /etc/passwd \"$CANDOR_FOLDER/attached/x1\"
        mkfifo \"$CANDOR_FOLDER/attached/x2\"
        eval \"echo attach x1 - a >&$CANDOR_FD\"; eval \"echo attach x2 - b >&$CANDOR_FD\"\n";
    let path = executable(folder.path(), "tool", text_of_it);
    let ran = program(&path, "{}", &options()).await;
    assert_eq!(attached(&ran), [("a", None, None), ("b", None, None)]);
}

#[tokio::test]
async fn a_program_that_cannot_be_run_is_a_broken_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = executable(folder.path(), "odd", "#!/no/such/interpreter\n");
    assert_eq!(program(&path, "{}", &options()).await.ended, Ended::Returned(127));
    assert_eq!(program(folder.path(), "{}", &options()).await.ended, Ended::Returned(126));
    let missing = folder.path().join("gone");
    assert_eq!(program(&missing, "{}", &options()).await.ended, Ended::Returned(127));
}

/// So short that every program that waits takes too long.
fn brief() -> Options {
    let mut options = options();
    options.timeout = Duration::from_millis(500);
    options
}

#[tokio::test]
async fn a_program_that_takes_too_long_is_asked_to_end_and_then_made_to() {
    let folder = tempfile::tempdir().unwrap();
    for (name, trap, said) in [
        ("polite", "trap 'echo cleared up; exit 1' TERM", "cleared up\n"),
        ("deaf", "trap '' TERM", ""),
    ] {
        let pid = folder.path().join(format!("{name}.pid"));
        let script = format!(
            "#!/bin/sh\n{trap}\necho $$ >{0}.new; mv {0}.new {0}\necho working\n\
             while :; do sleep 0.02; done\n",
            pid.display()
        );
        let path = executable(folder.path(), name, &script);
        let ran = program(&path, "{}", &brief()).await;
        assert_eq!(ran.ended, Ended::TimedOut(Duration::from_millis(500)), "{name}");
        assert_eq!(text(&ran.stdout.bytes), format!("working\n{said}"));
        gone(&marker(&pid).await).await;
    }
}

#[tokio::test]
async fn what_a_program_leaves_running_neither_delays_its_answer_nor_outlives_it() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let script = format!("#!/bin/sh\nsleep 1000 &\necho $! >{}\necho answer\n", pid.display());
    let ran = program(&executable(folder.path(), "leave", &script), "{}", &options()).await;
    assert_eq!((ran.ended, text(&ran.stdout.bytes).as_str()), (Ended::Returned(0), "answer\n"));
    gone(&marker(&pid).await).await;
}

#[tokio::test]
async fn a_program_that_is_killed_has_not_returned() {
    let folder = tempfile::tempdir().unwrap();
    let path = executable(folder.path(), "kill", "#!/bin/sh\necho last words\nkill -9 $$\n");
    let ran = program(&path, "{}", &options()).await;
    assert_eq!(ran.ended, Ended::Signalled(9));
    assert_eq!(text(&ran.stdout.bytes), "last words\n");
}

#[tokio::test]
async fn a_program_runs_where_it_is_served_with_what_is_passed_on() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let script = "#!/bin/sh\npwd; env | grep -c '^CARGO_MANIFEST_DIR='; env | grep -c '^PATH='\n\
                  env | grep '__candor\\|BASH_FUNC'\n";
    let path = executable(folder.path(), "look", script);
    let mut options = options();
    options.folder = Some(elsewhere.path().into());
    let ran = program(&path, "{}", &options).await;
    let here = elsewhere.path().canonicalize().unwrap();
    assert_eq!(text(&ran.stdout.bytes), format!("{}\n0\n1\n", here.display()));
}

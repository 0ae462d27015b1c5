//! What a call says besides its answer, and what it is given besides its arguments.

use std::path::Path;

use candor_shell::{Ended, Work};

use crate::serve::{attached, everywhere, options, serve, serve_with, text};

#[tokio::test]
async fn a_file_is_attached_as_it_was_then() {
    let script = "tool_show() {
          local file; file=$(mktemp) || return
          printf 'first' >\"$file\"
          mv \"$file\" \"$PWD/a plot.txt\"
          candor attach \"$PWD/a plot.txt\" text/plain
          printf 'second' >\"$PWD/a plot.txt\"
          candor attach \"$PWD/a plot.txt\"
          rm \"$PWD/a plot.txt\"
          echo Two.
        }";
    everywhere(script, async |served| {
        let ran = served.call("show").await;
        assert_eq!((text(&ran.stdout.bytes).as_str(), text(&ran.stderr).as_str()), ("Two.\n", ""));
        assert_eq!(
            attached(&ran),
            [
                ("a plot.txt", Some("text/plain"), Some("first".to_owned())),
                ("a plot.txt", None, Some("second".to_owned())),
            ]
        );
    })
    .await;
}

#[tokio::test]
async fn what_is_attached_counts_as_what_is_said() {
    let script = "tool_show() {
          printf '123456' >six; printf '12345678' >eight; printf '12' >two
          candor attach six; candor attach eight; candor attach two
        }";
    let mut narrow = options();
    narrow.max_output = 8;
    let ran = serve_with(script, &narrow).await.call("show").await;
    assert_eq!(
        attached(&ran),
        [
            ("six", None, Some("123456".to_owned())),
            ("eight", None, None),
            ("two", None, Some("12".to_owned())),
        ]
    );
}

#[tokio::test]
async fn what_cannot_be_attached_is_said_where_its_author_sees_it() {
    let script = "tool_missing() { candor attach nowhere.png; }
        tool_typed() { candor attach \"$0\" picture; }
        tool_folder() { candor attach .; }";
    let served = serve(script).await;
    for (tool, status, said) in [
        ("missing", 1, "candor attach: nowhere.png is not a file that can be read\n"),
        ("typed", 2, "Write candor attach FILE [TYPE], and a TYPE is like image/png.\n"),
        ("folder", 1, "candor attach: . is not a file that can be read\n"),
    ] {
        let ran = served.call(tool).await;
        assert_eq!((ran.ended, text(&ran.stderr)), (Ended::Returned(status), said.to_owned()));
        assert_eq!(attached(&ran), []);
    }
}

#[tokio::test]
async fn a_call_has_one_folder_of_its_own_that_goes_with_it() {
    let script = "tool_keep() {
          local one other
          one=$(candor temp) && other=$(candor temp) && [[ $one == \"$other\" ]] || return 3
          echo kept >\"$one/file\"
          candor attach \"$one/file\"
          stat -c %a \"${one%/*}\"; echo \"$one\"
        }
        tool_leave() { trap '' TERM; cd \"$(candor temp)\" && pwd && exit 7; }";
    let served = serve(script).await;
    let ran = served.call("keep").await;
    let said = text(&ran.stdout.bytes);
    let (mode, folder) = said.trim_end().split_once('\n').unwrap();
    assert_eq!(mode, "700", "only its owner looks into it");
    assert!(!Path::new(folder).parent().unwrap().exists());
    assert_eq!(attached(&ran), [("file", None, Some("kept\n".to_owned()))]);

    let ran = served.call("leave").await;
    assert_eq!(ran.ended, Ended::Returned(7));
    assert!(!Path::new(text(&ran.stdout.bytes).trim_end()).exists());
}

#[tokio::test]
async fn a_call_without_files_leaves_no_folder() {
    let served = serve("tool_where() { echo \"$CANDOR_FOLDER\"; }").await;
    assert!(!Path::new(served.said("where").await.trim_end()).exists());
}

#[tokio::test]
async fn a_question_is_kept_and_ends_the_call() {
    let script = "tool_book() {
          candor ask sure:boolean \"Book $(( 4 + 4 )) seats?\" || return
          echo booked
        }
        tool_misspelt() { candor ask sure Book?; }";
    let served = serve(script).await;
    let ran = served.call("book").await;
    assert_eq!(ran.ended, Ended::Returned(10));
    assert_eq!(ran.question.as_deref(), Some("Book 8 seats?"));
    assert_eq!(text(&ran.stdout.bytes), "");

    let ran = served.call("misspelt").await;
    assert_eq!(ran.ended, Ended::Returned(2));
    assert_eq!(text(&ran.stderr), "Write candor ask KEY:TYPE TEXT.\n");
}

#[tokio::test]
async fn verbs_work_whatever_the_file_has_set() {
    let script = "set -euo pipefail; IFS=,; shopt -s nullglob extglob
        tool_say() {
          set -eu
          candor progress 1 2 'a  b' c
          candor progress 2
          candor log notice x y
          echo done
        }";
    let served = serve(script).await;
    assert_eq!(served.said("say").await, "done\n");
}

#[tokio::test]
async fn a_word_that_is_no_verb_is_told_which_there_are() {
    let served = serve("tool_say() { candor sing; }\ntool_count() { candor progress lots; }").await;
    let ran = served.call("say").await;
    assert_eq!(ran.ended, Ended::Returned(2));
    assert_eq!(
        text(&ran.stderr),
        "Write candor progress, candor log, candor attach, candor temp or candor ask.\n"
    );
    let ran = served.call("count").await;
    assert_eq!(text(&ran.stderr), "Write candor progress DONE [TOTAL] [TEXT].\n");
}

#[tokio::test]
async fn a_file_may_have_a_candor_of_its_own() {
    let script = "candor() { echo mine; }; tool_say() { candor progress 1; }";
    assert_eq!(serve(script).await.said("say").await, "mine\n");
    let script = "command -v candor >/dev/null || candor() { echo stub; }
        tool_say() { candor progress 1; echo ours; }";
    assert_eq!(serve(script).await.said("say").await, "ours\n");
}

#[tokio::test]
async fn what_is_said_while_the_file_loads_is_part_of_what_it_prints() {
    let served = serve("candor log info loading; candor progress 1; tool_a() { :; }").await;
    assert_eq!(text(&served.loaded.said), "candor log info loading\ncandor progress 1 - \n");
}

#[tokio::test]
async fn memory_has_a_limit_where_one_is_set() {
    let script = "tool_fill() {
          local text=xxxxxxxxxxxxxxxx
          for ((n = 0; n < 22; n++)); do text+=$text; done
          echo ${#text}
        }";
    let served = serve(script).await;
    let fill =
        async |work: Work| served.worker.call(work, served.stop.subscribe(), ()).await.unwrap();
    let ran = fill(Work::function("fill", *b"{}").memory(16 * 1024 * 1024)).await;
    assert_eq!(ran.ended, Ended::Returned(2), "bash ends where it gets no more");
    assert!(text(&ran.stderr).contains("cannot allocate"), "{}", text(&ran.stderr));
    assert_eq!(text(&fill(Work::function("fill", *b"{}")).await.stdout.bytes), "67108864\n");
}

#[tokio::test]
async fn what_escapes_its_group_cannot_compute_for_ever() {
    let script = "tool_limits() { ulimit -t; ulimit -d; }";
    let served = serve(script).await;
    let work = Work::function("limits", *b"{}")
        .time(std::time::Duration::from_secs(9))
        .memory(1024 * 1024 * 1024);
    let ran = served.worker.call(work, served.stop.subscribe(), ()).await.unwrap();
    let processors = std::thread::available_parallelism().unwrap().get();
    assert_eq!(text(&ran.stdout.bytes), format!("{}\n1048576\n", 10 * processors));
    assert_eq!(served.said("limits").await, "unlimited\nunlimited\n");
}

//! What a tool says besides its answer, and how it is given its arguments.

use serde_json::{Value, json};

use crate::{Script, done, failed};

fn shown(text: &str, content: &[Value]) -> Value {
    let mut answer = done(text);
    let blocks = answer["result"]["content"].as_array_mut().unwrap();
    if text.is_empty() {
        blocks.clear();
    }
    blocks.extend_from_slice(content);
    answer
}

#[tokio::test]
async fn a_file_that_is_attached_is_shown_as_what_it_is() {
    let text = r#"
        # Draws.
        tool_draw() {
          local folder; folder=$(candor temp) || return
          printf '\x89PNG\r\n\x1a\n' >"$folder/plot"
          printf 'a,b\n' >"$folder/my table.csv"
          candor attach "$folder/plot" && candor attach "$folder/plot" audio/ogg &&
            candor attach "$folder/my table.csv"
          [[ $1 == *quiet* ]] || echo Drawn.
        }
    "#;
    let mut stage = Script::new(text).serve().await;
    let content = [
        json!({ "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" }),
        json!({ "type": "audio", "data": "iVBORw0KGgo=", "mimeType": "audio/ogg" }),
        json!({
            "type": "resource",
            "resource": {
                "uri": "attachment:///my%20table.csv", "mimeType": "text/csv", "text": "a,b\n",
            },
        }),
    ];
    assert_eq!(stage.call("draw", json!({})).await, shown("Drawn.", &content));
    assert_eq!(stage.call("draw", json!({ "quiet": true })).await, shown("", &content));
}

#[tokio::test]
async fn what_is_attached_goes_with_a_failure_too() {
    let text = "# Tests a page.\ntool_try() {
          printf 'GIF89a' >shot; candor attach shot; echo 'The page has no button.'; return 1
        }";
    let mut stage = Script::new(text).serve().await;
    let mut expected = failed(
        "The page has no button.",
        json!({ "kind": "tool", "retry": "no", "fingerprint": "…" }),
    );
    let image = json!({ "type": "image", "data": "R0lGODlh", "mimeType": "image/gif" });
    expected["result"]["content"].as_array_mut().unwrap().push(image);
    assert_eq!(stage.call("try", json!({})).await, expected);
}

#[tokio::test]
async fn a_file_over_the_limit_of_its_call_is_said_to_be_left_out() {
    let text =
        "# Draws.\ntool_draw() { printf '%09d' 0 >nine.bin; candor attach nine.bin; echo x; }";
    let mut script = Script::new(text);
    script.options.max_output = 8;
    let note = "[nine.bin is left out: with it, this answer would be over its limit of 8 bytes]";
    assert_eq!(
        script.serve().await.call("draw", json!({})).await,
        shown("x", &[json!({ "type": "text", "text": note })])
    );
}

#[tokio::test]
async fn what_a_tool_tells_the_log_is_there_and_nowhere_else() {
    let text = "# Works.\ntool_work() {
          candor log error 'disk full'; candor log warning a b; candor log info c; echo done
        }";
    let mut stage = Script::new(text).serve().await;
    assert_eq!(stage.call("work", json!({})).await, done("done"));
    assert_eq!(
        stage.log.lines(),
        ["candor: error: work: disk full", "candor: warning: work: a b", "candor: work: c"]
    );
}

#[tokio::test]
async fn a_question_that_cannot_be_put_ends_the_call_in_words() {
    let text = "# Books.\n# @asks\ntool_book() {
          candor ask sure:boolean 'Book 8 seats?' || return
          touch booked
        }
        # Is back at ten.\ntool_ten() { return 10; }";
    let mut stage = Script::new(text).serve().await;
    assert_eq!(
        stage.call("book", json!({})).await,
        failed(
            "book needs an answer from the user to \"Book 8 seats?\", and this server cannot put \
             questions to the user. Changing the arguments will not help. Use another way.",
            json!({ "kind": "unavailable", "retry": "no", "fingerprint": "…" }),
        )
    );
    assert!(!stage.path("booked").exists());
    let (said, _) = stage.says("ten", json!({})).await;
    assert_eq!(said, "Tool 'ten' failed with exit status 10", "it asked nothing");
}

#[tokio::test]
async fn arguments_are_variables_with_their_defaults_and_nothing_of_the_last_call() {
    let text = r#"
        arg_word=stale
        # Shows.
        # @arg  count:integer
        # @arg  word?:string
        # @arg  row:front|back=back
        # @arg  price?:number
        # @arg  sure?:boolean
        # @arg  tags?:string[]
        # @arg  movie-id?:string
        # @does read
        tool_show() {
          set -u
          printf '%s|' "$arg_count" "${arg_word-unset}" "$arg_row" "${arg_price-unset}" \
            "${arg_sure-unset}" "${arg_tags-unset}"
          (( arg_count > 6 )) && echo many
          echo "${!arg_*}"
        }
    "#;
    let mut stage = Script::new(text).serve().await;
    let full = json!({
        "count": 1e2, "word": "a \"b\"\n$(touch broken) ü\\", "row": "front", "price": 1.5,
        "sure": true, "tags": ["x", "y z"], "movie-id": "z",
    });
    assert_eq!(
        stage.says("show", full).await.0,
        "100|a \"b\"\n$(touch broken) ü\\|front|1.5|true|[\"x\",\"y z\"]|many\n\
         arg_count arg_price arg_row arg_sure arg_tags arg_word"
    );
    assert_eq!(
        stage.says("show", json!({ "count": 7 })).await.0,
        "7|unset|back|unset|unset|unset|many\narg_count arg_row"
    );
    assert!(!stage.path("broken").exists());
}

#[tokio::test]
async fn a_number_that_a_shell_would_cut_is_the_models_to_change() {
    let text = "# Counts.\n# @arg n:integer\ntool_count() { touch ran; echo $(( arg_n )); }";
    let mut stage = Script::new(text).serve().await;
    assert_eq!(stage.says("count", json!({ "n": i64::MIN })).await.0, "-9223372036854775808");
    std::fs::remove_file(stage.path("ran")).unwrap();
    let (said, is_error) = stage.says("count", json!({ "n": u64::MAX })).await;
    assert_eq!(
        said,
        "count did not run: 1 argument needs changing.\n\
         n: must be from -9223372036854775808 to 9223372036854775807, which is as far as a shell \
         counts. Got 18446744073709551615.\n\
         Correct it and call again."
    );
    assert!(is_error && !stage.path("ran").exists());
}

#[tokio::test]
async fn how_far_a_tool_is_goes_to_whoever_asked_and_to_nobody_else() {
    let text = "# Books.\ntool_book() {
          candor progress 1 2 'holding  seats'
          candor progress 1 2 again
          until [[ -e go ]]; do sleep 0.01; done
          candor progress 2 2; echo booked
        }";
    let mut stage = Script::new(text).serve().await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "t-1",
    });
    let request = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "book", "_meta": meta },
    });
    stage.wire.send(&request.to_string()).await.unwrap();
    assert_eq!(
        stage.receive().await,
        json!({
            "jsonrpc": "2.0", "method": "notifications/progress",
            "params": {
                "progressToken": "t-1", "progress": 1, "total": 2, "message": "holding  seats",
            },
        })
    );
    std::fs::write(stage.path("go"), "").unwrap();
    let mut last = stage.receive().await;
    if last["method"] == "notifications/progress" {
        assert_eq!(last["params"], json!({ "progressToken": "t-1", "progress": 2, "total": 2 }));
        last = stage.receive().await;
    }
    assert_eq!(last, done("booked"));
    assert_eq!(stage.call("book", json!({})).await, done("booked"), "nobody asked this time");
}

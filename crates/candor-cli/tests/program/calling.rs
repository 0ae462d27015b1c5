//! `candor call`.

use std::io::Write;
use std::process::Stdio;

use crate::stage::{Folder, Ran, candor, run, signal, wait_for_end};

#[test]
fn an_answer_is_printed_and_nothing_else() {
    candor(&[
        "call",
        "examples/cinema.sh",
        "book_ticket",
        "movieId=1",
        "showTime=13:30",
        "numTickets=2",
    ])
    .assert(
        0,
        "{\"bookingId\":\"BK-1-1330-2\",\"movie\":\"The Long Tide\",\"showTime\":\"13:30\",\
         \"numTickets\":2,\"total\":25.00}\n",
        "",
    );
}

#[test]
fn arguments_that_do_not_fit_go_to_the_model() {
    candor(&[
        "call",
        "examples/cinema.sh",
        "book_ticket",
        "movieId=1",
        "showTime=13:30",
        "numTickets=two",
    ])
    .assert(
        1,
        "book_ticket did not run: 1 argument needs changing.\n\
         numTickets: must be an integer from 1 to 10. Got the string \"two\". Send a number.\n\
         Correct it and call again.\n",
        "tool error: the model can act on this (kind arguments, same call again: with_changes)\n",
    );
}

#[test]
fn a_refusal_goes_to_the_model_and_says_so() {
    let book = |film: &str, time: &str| {
        let file = "examples/cinema.sh";
        candor(&["call", file, "book_ticket", film, time, "numTickets=2"])
    };
    let says = "tool error: the model can act on this (kind tool, same call again: no)\n";

    book("movieId=9", "showTime=13:30").assert(
        1,
        "movieId: there is no film 9. Send one of 1, 2, 3, 4, or call get_movies.\n",
        says,
    );
    book("movieId=2", "showTime=13:30").assert(
        1,
        "showTime: must be one of 18:30, 21:00 for Night Train North. Got 13:30.\n",
        says,
    );
}

#[test]
fn an_unknown_tool_goes_to_the_host_and_says_what_there_is() {
    candor(&["call", "examples/cinema.sh", "bok_ticket"]).assert(
        3,
        "",
        "protocol error -32602: the host has to repair this: Unknown tool: bok_ticket\n\
         Did you mean book_ticket? There are: get_movies, book_ticket, validate_age\n",
    );
}

#[test]
fn a_call_that_is_no_call_goes_to_the_host() {
    candor(&["call", "examples/cinema.sh", "get_movies", "--arguments", "[1]"]).assert(
        3,
        "",
        "protocol error -32602: the host has to repair this: Invalid params: `arguments` must be \
         an object\n",
    );
}

#[test]
fn scripts_get_what_the_server_sent() {
    let folder = Folder::of("# Say no.\ntool_no() { echo No.; return 1; }\n");
    let ran = folder.candor(&["call", "--json", "tools.sh", "no"]);
    ran.assert(
        1,
        "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"No.\"}],\
         \"isError\":true,\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"tools\",\
         \"version\":\"0.0.0\"},\"dev.candor/failure\":{\"kind\":\"tool\",\"retry\":\"no\",\
         \"fingerprint\":\"46cd9efb87b67d47\"}}}\n",
        "tool error: the model can act on this (kind tool, same call again: no)\n",
    );
    folder.candor(&["call", "--json", "tools.sh", "yes"]).assert(
        3,
        "{\"code\":-32602,\"message\":\"Unknown tool: yes\"}\n",
        "protocol error -32602: the host has to repair this: Unknown tool: yes\n\
         There are: no\n",
    );
}

#[test]
fn a_broken_tool_goes_to_its_author_with_the_cause() {
    let folder = Folder::of("# Break.\ntool_break() { echo half; no_such_command; }\n");

    folder.candor(&["call", "tools.sh", "break"]).assert(
        1,
        "half\n\nbreak failed inside the server (incident 00000000). Changing the arguments will \
         not help. It may have taken effect: check before calling it again.\n",
        "candor: warning: break on stderr: FOLDER/tools.sh: line 2: no_such_command: command not found\n\
         candor: error: incident 00000000: break: the tool crashed: exit status 127: \
         FOLDER/tools.sh: line 2: no_such_command: command not found\n\
         tool error: the author of the tool has to repair this (kind crash, same call again: unknown_effect, \
         incident 00000000)\n",
    );
}

#[test]
fn a_tool_that_takes_too_long_is_stopped_and_what_it_did_is_to_be_checked() {
    let folder = Folder::of("# Wait.\ntool_wait() { echo half; sleep 60; }\n");

    folder.candor(&["call", "--timeout", "200ms", "tools.sh", "wait"]).assert(
        1,
        "half\n\nwait did not finish within 200 ms and was stopped. It may have taken effect: check \
         before calling it again.\n",
        "candor: warning: wait: the tool was stopped after 200ms\n\
         tool error: the model must check what was done before it calls again (kind timeout, same call again: \
         unknown_effect)\n",
    );
}

const ECHO: &str = "# Say what came.\ntool_echo() { printf %s \"$1\"; }\n";

fn sent(arguments: &[&str]) -> Ran {
    let folder =
        Folder::of(ECHO).with("text.txt", "a\n\"b\"\n").with("object.json", "{\"a\":\n1.0}");
    folder.candor(&[&["call", "tools.sh", "echo"], arguments].concat())
}

#[test]
fn what_is_typed_arrives_digit_by_digit() {
    sent(&[
        "a=12345678901234567890",
        "b=1.0",
        "c=true",
        "d=é",
        "e.f=null",
        "g[]=x",
        "h:={\"i\": 2}",
    ])
    .assert(
        0,
        "{\"a\":12345678901234567890,\"b\":1.0,\"c\":true,\"d\":\"é\",\"e\":{\"f\":null},\
             \"g\":[\"x\"],\"h\":{\"i\":2}}\n",
        "",
    );
    sent(&[]).assert(0, "{}\n", "");
    sent(&["--", "-a=1"]).assert(0, "{\"-a\":1}\n", "");
}

#[test]
fn arguments_come_from_files_and_from_standard_input() {
    sent(&["a=@text.txt", "b:=@object.json"]).assert(
        0,
        "{\"a\":\"a\\n\\\"b\\\"\\n\",\"b\":{\"a\":1.0}}\n",
        "",
    );
    sent(&["--arguments", "@object.json"]).assert(0, "{\"a\":1.0}\n", "");

    let folder = Folder::of(ECHO);
    let mut command = folder.program(&["call", "tools.sh", "echo", "--arguments", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b" {\"a\" : [ ]} \n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "{\"a\":[]}\n");
}

#[test]
fn a_value_is_typed_by_the_schema() {
    let call = |word: &str| {
        candor(&["call", "examples/sdk/cinema-sdk.sh", "validate_age", "age=21", word]).stdout
    };

    assert_eq!(call("movieRating=A"), "A guest of 21 may see a film rated A.\n");
    assert_eq!(
        call("movieRating=1"),
        "validate_age did not run: 1 argument needs changing.\n\
         movieRating: must be one of U, PG-13, A. Got \"1\".\nCorrect it and call again.\n"
    );
}

#[test]
fn a_tool_runs_in_the_folder_and_with_the_variables_that_are_named() {
    let folder = Folder::of("# Look.\ntool_look() { echo \"$PWD:${CANDOR_TEST_KEY-unset}\"; }\n");
    std::fs::create_dir(folder.path("there")).unwrap();
    let look = |options: &[&str]| {
        let arguments = [&["-q", "tools.sh", "look"], options].concat();
        let mut program = folder.program(&[&["call"], arguments.as_slice()].concat());
        let ran = folder.tidy(run(program.env("CANDOR_TEST_KEY", "secret")));
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
        ran.stdout
    };

    assert!(look(&[]).ends_with("FOLDER:unset\n"));
    assert!(look(&["--env", "CANDOR_TEST_KEY"]).ends_with("FOLDER:secret\n"));
    assert!(look(&["--env", "*"]).ends_with("FOLDER:secret\n"));
    assert!(look(&["--cwd", "there"]).ends_with("FOLDER/there:unset\n"));
}

#[test]
fn a_function_that_the_list_leaves_out_can_be_called_if_that_is_wanted() {
    let folder = Folder::of("# A.\ntool_a() { :; }\ntool_b() { echo b; }\n");

    assert_eq!(folder.candor(&["call", "-q", "tools.sh", "b"]).status, Some(3));
    let ran = folder.candor(&["call", "-q", "--callable-unlisted", "tools.sh", "b"]);
    ran.assert(0, "b\n", "");
}

#[test]
fn ctrl_c_cancels_the_call_and_leaves_nothing() {
    let folder = Folder::of(
        "# Wait.\ntool_wait() {\n  trap 'echo cleaned >cleaned; exit 1' TERM\n  sleep 600 & \
         echo \"$!\" >began\n  wait\n}\n",
    );
    for name in ["INT", "TERM"] {
        let mut command = folder.program(&["call", "tools.sh", "wait"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pid = folder.wait_for("began");
        signal(name, &child);
        let output = child.wait_with_output().unwrap();

        assert_eq!(output.status.code(), Some(130));
        assert_eq!(output.stdout, b"");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "interrupted: the call was cancelled; it may have taken effect\n"
        );
        assert_eq!(folder.read("cleaned"), "cleaned\n");
        wait_for_end(&pid);
        std::fs::remove_file(folder.path("began")).unwrap();
        std::fs::remove_file(folder.path("cleaned")).unwrap();
    }
}

#[test]
fn ctrl_c_ends_a_tool_that_does_not_want_to() {
    let folder =
        Folder::of("# Wait.\ntool_wait() { trap '' TERM; echo \"$BASHPID\" >began; sleep 600; }\n");
    let mut command = folder.program(&["call", "tools.sh", "wait"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = folder.wait_for("began");
    signal("INT", &child);

    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    wait_for_end(&pid);
}

#[test]
fn ctrl_c_while_a_file_is_loaded_ends_it_at_once() {
    let folder = Folder::of("echo \"$$\" >began\nsleep 600\n");
    let mut command = folder.program(&["list", "tools.sh"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = folder.wait_for("began");
    signal("INT", &child);
    let output = child.wait_with_output().unwrap();

    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    wait_for_end(&pid);
}

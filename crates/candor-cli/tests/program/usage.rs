//! Command lines that cannot be meant: status 2, and one line that says what would be right.

use crate::stage::{Folder, candor};

#[test]
fn a_wrong_command_line_is_told_what_would_be_right() {
    for (line, said) in [
        ("", "say what to do: new, serve, list, call or config; candor --help says more"),
        ("serv", "there is no command \"serv\"; did you mean serve?; candor --help says more"),
        ("help", "there is no command \"help\"; candor --help says more"),
        (
            "--verson",
            "there is no option --verson; did you mean --version?; candor --help says more",
        ),
        ("serve", "TARGET is missing; candor serve --help says more"),
        ("list", "TARGET is missing; candor list --help says more"),
        ("call", "TARGET and TOOL are missing; candor call --help says more"),
        ("call a.sh", "TOOL is missing; candor call --help says more"),
        (
            "serve --timout 3s a.sh",
            "there is no option --timout; did you mean --timeout?; candor serve --help says more",
        ),
        (
            "call a.sh book --movieId=1",
            "there is no option --movieId; an argument of the tool is written movieId=value; \
             candor call --help says more",
        ),
        ("serve --timeout 30 a.sh", "--timeout \"30\" has no unit; write 30s or 30ms"),
        (
            "serve --timeout soon a.sh",
            "--timeout \"soon\" is not a time; write 500ms, 30s or 2m, for example",
        ),
        ("serve --timeout", "--timeout needs a value; candor --help says more"),
        (
            "serve --max-output 1MB a.sh",
            "--max-output \"1MB\" is not a size; write a number of bytes, or 64K, 1M, 1G",
        ),
        (
            "serve --max-message 0 a.sh",
            "--max-message \"0\" would leave no room at all; write 1M, for example",
        ),
        ("serve --cwd /nowhere a.sh", "--cwd \"/nowhere\" is not a folder"),
        (
            "serve --env KEY=secret a.sh",
            "--env \"KEY=…\" holds a value; set the variable where candor is started, and write \
             --env KEY",
        ),
        (
            "serve --modern-only=yes a.sh",
            "--modern-only takes no value; candor serve --help says more",
        ),
        (
            "config --name a.b a.sh",
            "--name \"a.b\" is no name for a server; write letters (a to z), digits, _ and -",
        ),
        ("serve --log a --log b a.sh", "--log is given twice; candor serve --help says more"),
        (
            "serve -v -q a.sh",
            "--quiet and --verbose exclude each other; candor serve --help says more",
        ),
        (
            "call a.sh book --arguments {} movieId=1",
            "key=value and --arguments exclude each other; candor call --help says more",
        ),
        ("call a.sh book two", "\"two\" is not key=value, such as numTickets=2"),
        (
            "call a.sh book --arguments {a:1}",
            "what stands in --arguments is not JSON: key must be a string at line 1 column 2",
        ),
        (
            "call examples/cinema.sh book_ticket a=1 a=2",
            "a is given twice; for an array write a[]= each time",
        ),
    ] {
        let arguments: Vec<_> = line.split_whitespace().collect();
        candor(&arguments).assert(2, "", &format!("candor: {said}\n"));
    }
}

#[test]
fn a_target_that_candor_does_not_serve_is_named_in_one_sentence() {
    const ONLY: &str = "only a file that defines functions named tool_NAME, or a folder of \
                        programs, is understood here";
    for (target, what) in [
        ("https://example.com/mcp", "https://example.com/mcp is a URL"),
        ("npx some-server", "\"npx some-server\" looks like a command line"),
    ] {
        for arguments in [&["list", target][..], &["call", target, "book"]] {
            candor(arguments).assert(2, "", &format!("candor: {what}, and {ONLY}\n"));
        }
    }
}

#[test]
fn a_file_that_cannot_be_served_is_named_in_one_sentence() {
    const TOOL: &str = "# Say it.\ntool_a() { :; }\n";
    let folder = Folder::of(TOOL)
        .with("same.sh", TOOL)
        .with("broken.sh", "# Say it.\ntool_a() { if; }\n")
        .with("none.sh", "a() { :; }\n")
        .with("bare.sh", "tool_a() { :; }\n")
        .with("list.sh", "MCP_TOOLS_LIST_FILE=nowhere.json\ntool_a() { :; }\n");
    std::fs::create_dir(folder.path("empty")).unwrap();

    for (files, said) in [
        (&["nowhere.sh"][..], "nowhere.sh is not there; check the path"),
        (
            &["broken.sh"],
            "broken.sh is not valid bash: line 2: syntax error near unexpected token `;'",
        ),
        (&["none.sh"], "none.sh defines no function named tool_NAME"),
        (&["empty"], "empty holds no executable file; each would be a tool"),
        (&["tools.sh", "same.sh"], "tools.sh and same.sh both define a tool named a"),
        (&["--only", "b", "tools.sh"], "--only names b, and there is no such tool"),
    ] {
        let arguments = [&["serve"], files].concat();
        folder.candor(&arguments).assert(2, "", &format!("candor: {said}\n"));
    }
    for command in [&["list", "nowhere.sh"][..], &["call", "nowhere.sh", "a"]] {
        folder.candor(command).assert(2, "", "candor: nowhere.sh is not there; check the path\n");
    }
}

#[test]
fn all_mistakes_in_tags_are_said_a_line_each() {
    let folder = Folder::of("# Say it.\n# @arg a:int\n# @limit time=5\ntool_a() { :; }\n");
    let said = "\
candor: tools.sh:2:10: \"int\" is not a type. Did you mean integer? Types are string, integer, \
number, boolean, object, json, one of a|b|c, or any of these with [].
candor: tools.sh:3:15: \"5\" is not a time. Write 500ms, 20s or 2m; a day, 1440m, is the most.
";
    for command in [&["serve", "tools.sh"][..], &["list", "tools.sh"], &["call", "tools.sh", "a"]] {
        folder.candor(command).assert(2, "", said);
    }
}

//! Which files can be served, and what is said of those that cannot.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use candor_shell::{Core, LoadError, Options, Settings};
use tempfile::TempDir;

use crate::serve::{folder, load_error, marker, options, refused, refused_with, serve, serve_with};

/// A core as a script would source it: it defines much, and its loop reads standard input.
const CORE: &str = r#"
SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
MCP_PROTOCOL_VERSION="2026-07-28"
MCP_CONFIG_FILE="${MCP_CONFIG_FILE:-"$SCRIPT_DIR/assets/mcpserverconfig.json"}"
MCP_TOOLS_LIST_FILE="${MCP_TOOLS_LIST_FILE:-"$SCRIPT_DIR/assets/tools_list.json"}"
MCP_LOG_FILE="${MCP_LOG_FILE:-"$SCRIPT_DIR/mcpserver.log"}"
MCP_DEFAULT_TTL_MS="${MCP_DEFAULT_TTL_MS:-60000}"
MCP_DEFAULT_CACHE_SCOPE="${MCP_DEFAULT_CACHE_SCOPE:-public}"
readonly MCP_FS=$'\x1f'
log() { echo "real $*" >>"$MCP_LOG_FILE"; }
run_mcp_server() { echo "real loop" >&2; touch "$SCRIPT_DIR/real_loop"; sleep 1000; }
"#;

const HTTP: &str = "run_mcp_http_server() { touch real_loop; sleep 1000; }\n";

const TOOL: &str = "tool_hi() { echo \"hi $0 ${BASH_SOURCE[0]}\"; log INFO hello; }\n";

/// Serves `script` beside a core, and calls its tool.
async fn serves_beside_a_core(script: &str) {
    let here = folder(script);
    std::fs::write(here.path().join("mcpserver_core.sh"), CORE).unwrap();
    std::fs::write(here.path().join("mcpserver_http.sh"), HTTP).unwrap();
    std::fs::write(here.path().join("renamed.sh"), CORE).unwrap();
    let served = crate::serve::serve_in(here, &options()).await;
    let file = served.path("tools.sh");
    let said = format!("hi {0} {0}\n", file.display());
    assert_eq!(served.said("hi").await, said, "{script}");
    assert_eq!(marker(&served.path("mcpserver.log")).await, "real INFO hello", "{script}");
    assert!(!served.path("real_loop").exists(), "{script}");
}

#[tokio::test]
async fn every_way_to_use_a_core_loads() {
    let here = "DIR=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\n";
    let source = "source \"$(dirname \"${BASH_SOURCE[0]}\")/mcpserver_core.sh\"\n";
    for script in [
        format!(
            "{source}source \"$(dirname \"${{BASH_SOURCE[0]}}\")/mcpserver_http.sh\"\n{TOOL}
            case ${{1:-}} in --http) run_mcp_http_server ;; *) run_mcp_server \"$@\" ;; esac"
        ),
        format!(
            "set -euo pipefail\n. \"$(dirname \"$0\")/mcpserver_core.sh\"\n{TOOL}run_mcp_server"
        ),
        format!("{source}{TOOL}[[ ${{BASH_SOURCE[0]}} != \"$0\" ]] || run_mcp_server"),
        format!("{here}builtin source \"$DIR/mcpserver_core.sh\"\n{TOOL}run_mcp_server"),
        format!("{here}source \"$DIR/renamed.sh\"\n{TOOL}run_mcp_server"),
        format!("{here}. \"$DIR/renamed.sh\" 2>/dev/null || exit 9\n{TOOL}run_mcp_server"),
        format!("SCRIPT_DIR=$PWD MCP_LOG_FILE=$PWD/mcpserver.log{}{TOOL}run_mcp_server", inlined()),
        format!("{source}{TOOL}main() {{ run_mcp_server \"$@\"; }}\nmain \"$@\""),
        format!("main() {{ {source} run_mcp_server \"$@\"; }}\n{TOOL}main \"$@\""),
        format!("{source}{TOOL}run_mcp_server || exit 1"),
        format!("{source}{TOOL}if run_mcp_server; then :; fi"),
        format!("{source}{TOOL}MODE=stdio run_mcp_server"),
        format!("{source}{TOOL}run=run_mcp_server\n\"$run\""),
        format!("{source}{TOOL}"),
        format!("{source}tmp=$(mktemp)\ntrap 'rm -f \"$tmp\"' EXIT\n{TOOL}run_mcp_server"),
        format!("set -u\n{TOOL}\n{source}run_mcp_server"),
    ] {
        serves_beside_a_core(&script).await;
    }
}

fn inlined() -> String {
    CORE.lines().filter(|line| !line.starts_with("SCRIPT_DIR")).fold(
        String::from("\n"),
        |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        },
    )
}

#[tokio::test]
async fn a_core_that_is_missing_is_stood_in_for() {
    for source in [
        "source \"$(dirname \"${BASH_SOURCE[0]}\")/sdk/mcpserver_core.sh\"
        source \"$(dirname \"${BASH_SOURCE[0]}\")/sdk/mcpserver_http.sh\"",
        "set -euo pipefail\nD=$(dirname \"$0\")/sdk\n. \"$D/mcpserver_core.sh\" || exit 1\n. $D/mcpserver_http.sh",
    ] {
        let script = format!(
            "{source}
            tool_look() {{
              echo \"$MCP_HTTP_PORT $MCP_HTTP_BIND $MCP_HTTP_PATH $MCP_ALLOWED_ORIGINS\"
              printf '%q\\n' \"$MCP_FS\"
              echo '{{\"a\":1,
                \"b\":2}}' >x.json
              read_json_file x.json | tr -d ' '
              read_json_file y.json || echo none
              echo '{{\"c\":3}}' | create_response 7 >/dev/null && echo fine
              create_error_response 8 -32603 'say \"no\"'
              log INFO 'a word'
            }}
            run_mcp_server"
        );
        let served = serve(&script).await;
        let sdk = served.path("sdk");
        assert_eq!(served.loaded.core, Core::StandIn);
        let settings = &served.loaded.settings;
        assert_eq!(settings.config_file, Some(sdk.join("assets/mcpserverconfig.json")));
        assert_eq!(settings.tools_list_file, Some(sdk.join("assets/tools_list.json")));
        assert_eq!(settings.log_file, Some(sdk.join("mcpserver.log")));
        assert_eq!(settings.default_ttl_ms.as_deref(), Some("60000"));
        assert_eq!(settings.default_cache_scope.as_deref(), Some("public"));
        assert_eq!(settings.protocol_version.as_deref(), Some("2026-07-28"));
        assert_eq!(
            served.said("look").await,
            "3000 127.0.0.1 /mcp http://localhost,http://127.0.0.1\n$'\\037'\n\
            {\"a\":1,\"b\":2}\nnone\nfine\n\
            {\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{\"code\":-32603,\"message\":\"say \\\"no\\\"\"}}\n"
        );
        let log = marker(&sdk.join("mcpserver.log")).await;
        assert!(log.ends_with("] [INFO] a word"), "{log}");
    }
}

#[tokio::test]
async fn a_file_needs_no_core_and_no_last_line() {
    let served = serve("tool_hi() { echo hi; }").await;
    assert_eq!(served.loaded.core, Core::None);
    assert_eq!(served.loaded.settings, Settings::default());
    assert_eq!(served.said("hi").await, "hi\n");
    let served = serve("tool_hi() { echo hi; }\nrun_mcp_server").await;
    assert_eq!(served.said("hi").await, "hi\n");
}

#[tokio::test]
async fn a_file_may_end_with_a_failure() {
    let served = serve("tool_hi() { echo hi; }\n[[ -n $DEBUG_TOOLS ]] && echo debugging").await;
    assert_eq!(served.said("hi").await, "hi\n");
}

#[tokio::test]
async fn settings_that_a_file_makes_beat_the_core_and_are_seen_from_its_folder() {
    let script = "MCP_CONFIG_FILE=assets/config.json\nMCP_TOOLS_LIST_FILE=/srv/tools.json
        MCP_DEFAULT_TTL_MS=5\nsource ./mcpserver_core.sh\nrun_mcp_server";
    let served = serve(script).await;
    let settings = &served.loaded.settings;
    let here = served.folder.path().canonicalize().unwrap();
    assert_eq!(settings.config_file, Some(here.join("assets/config.json")));
    assert_eq!(settings.tools_list_file.as_deref(), Some(Path::new("/srv/tools.json")));
    assert_eq!(settings.default_ttl_ms.as_deref(), Some("5"));
}

#[tokio::test]
async fn functions_are_listed_with_their_place() {
    let script =
        "#!/bin/bash\n\n# Tool: Say hi\n# to NAME.\ntool_hi() { :; }\n\ntool_bare()\n{\n  :\n}\n
helper() { :; }\nsource ./more.sh\nsource \"./empty.sh\"\n";
    let here = folder(script);
    std::fs::write(here.path().join("more.sh"), "# More.\nfunction tool_more { :; }\n").unwrap();
    std::fs::write(here.path().join("empty.sh"), "X=1\n").unwrap();
    let served = crate::serve::serve_in(here, &options()).await;
    let functions: Vec<_> = served
        .loaded
        .functions
        .iter()
        .map(|it| {
            let file = it.file.file_name().unwrap().to_str().unwrap();
            (it.name.as_str(), file, it.line)
        })
        .collect();
    let mut sorted = functions.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [("bare", "tools.sh", 7), ("hi", "tools.sh", 5), ("more", "more.sh", 2),]);
    let sourced: Vec<_> =
        served.loaded.sourced.iter().map(|it| it.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(sourced, ["more.sh", "empty.sh"]);
}

#[tokio::test]
async fn what_a_sourced_file_declares_is_kept() {
    let here = folder("source ./lib.sh\ntool_x() { echo \"${NAMES[1]} $LAST $#\"; }");
    std::fs::write(here.path().join("lib.sh"), "declare -a NAMES=(a b)\ndeclare -r LAST=z\n")
        .unwrap();
    assert_eq!(crate::serve::serve_in(here, &options()).await.said("x").await, "b z 1\n");
}

#[test]
fn functions_of_the_environment_are_none_of_the_files() {
    let here = folder("tool_mine() { :; }");
    // A test cannot change its own environment.
    let mut bash = Command::new("bash");
    bash.args(["-c", "tool_evil() { :; }; export -f tool_evil; exec \"$@\"", "bash"])
        .arg(std::env::current_exe().unwrap());
    passes(&mut bash, "loading::lists_only_its_own", &here);
}

#[tokio::test]
#[ignore = "run by another test"]
async fn lists_only_its_own() {
    assert!(std::env::vars().any(|(name, _)| name == "BASH_FUNC_tool_evil%%"));
    let mut all = options();
    all.environment = vec!["*".into()];
    let (_worker, loaded) = candor_shell::Worker::start(&file_passed(), &all).await.unwrap();
    let names: Vec<_> = loaded.functions.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["mine"]);
}

#[test]
fn a_missing_bash_is_told() {
    let here = folder("tool_x() { :; }");
    let mut test = Command::new(std::env::current_exe().unwrap());
    passes(test.env("PATH", here.path()), "loading::misses_bash", &here);
}

#[tokio::test]
#[ignore = "run by another test"]
async fn misses_bash() {
    let file = file_passed();
    assert_eq!(
        load_error(&file, &options()).await.to_string(),
        format!("bash was not found on PATH; {} needs it", file.display())
    );
}

/// Runs another test of this program, with a file for it.
fn passes(program: &mut Command, test: &str, here: &TempDir) {
    let output = program
        .args(["--exact", test, "--ignored"])
        .env("CANDOR_TEST_FILE", here.path().join("tools.sh"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

fn file_passed() -> PathBuf {
    PathBuf::from(std::env::var_os("CANDOR_TEST_FILE").unwrap())
}

#[tokio::test]
async fn the_environment_is_scrubbed_and_what_is_missed_is_named() {
    // Cargo sets this for every test.
    let script = "tool_x() { echo \"${CARGO_PKG_NAME:-none} ${HOME:+home}\"; }";
    let served = serve(script).await;
    assert_eq!(served.loaded.withheld, ["CARGO_PKG_NAME"]);
    assert_eq!(served.said("x").await, "none home\n");
    let mut passing = options();
    passing.environment = vec!["CARGO_PKG_NAME".into()];
    let served = serve_with(script, &passing).await;
    assert_eq!(served.loaded.withheld, [""; 0]);
    assert_eq!(served.said("x").await, "candor-shell home\n");
}

#[tokio::test]
async fn what_a_file_prints_while_it_loads_is_kept_apart() {
    let served = serve("echo banner; echo warning >&2; read -r x; tool_x() { echo x; }").await;
    assert_eq!(served.loaded.said, b"banner\nwarning\n");
    assert_eq!(served.said("x").await, "x\n");
}

#[tokio::test]
async fn what_follows_the_loop_runs_when_the_worker_ends() {
    let script = "trap 'echo trapped >>after' EXIT\ntool_x() { :; }\nrun_mcp_server
        echo cleared up >>after";
    let served = serve(script).await;
    served.worker.end().await;
    assert_eq!(served.marker("after").await, "cleared up\ntrapped");
}

#[tokio::test]
async fn a_file_that_is_not_there_is_refused() {
    let here = folder("");
    let missing = here.path().join("nothing.sh");
    assert_eq!(
        load_error(&missing, &options()).await.to_string(),
        format!("{} is not there; check the path", missing.display())
    );
    assert_eq!(
        load_error(here.path(), &options()).await.to_string(),
        format!("{} is not a file of shell functions", here.path().display())
    );
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_refused() {
    let here = folder("tool_x() { :; }");
    let file = here.path().join("tools.sh");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o000)).unwrap();
    if std::fs::read(&file).is_ok() {
        return; // Nothing is unreadable to the one who runs this.
    }
    let refusal = load_error(&file, &options()).await;
    assert!(matches!(refusal, LoadError::Unreadable { .. }), "{refusal}");
}

#[tokio::test]
async fn a_mistake_in_grammar_is_refused_with_its_line() {
    let refusal = refused("tool_x() {\n  if true; then\n}\nrun_mcp_server\n").await;
    assert_eq!(
        refusal,
        "tools.sh is not valid bash: line 3: syntax error near unexpected token `}'"
    );
    let refusal = refused("set -e\ntool_x() { :; }\n)\n").await;
    assert_eq!(
        refusal,
        "tools.sh is not valid bash: line 3: syntax error near unexpected token `)'"
    );
}

#[tokio::test]
async fn a_file_that_exits_is_refused() {
    assert_eq!(
        refused("echo no licence; exit 3").await,
        "tools.sh ended with status 3 while it was loaded, before it got to run_mcp_server; \
         it said: no licence"
    );
    assert_eq!(
        refused("set -e\nfalse\ntool_x() { :; }").await,
        "tools.sh ended with status 1 while it was loaded, before it got to run_mcp_server"
    );
}

#[tokio::test]
async fn a_file_that_becomes_another_program_is_refused() {
    assert_eq!(
        refused("tool_x() { :; }\nexec true").await,
        "tools.sh ended with status 0 while it was loaded, before it got to run_mcp_server"
    );
}

#[tokio::test]
async fn a_file_that_hangs_is_refused_and_leaves_nothing_behind() {
    let here = folder("sleep 1000 &\necho $! >pid\nsleep 1000");
    let mut hasty = Options::default();
    hasty.load_timeout = Duration::from_secs(1);
    hasty.folder = Some(here.path().into());
    assert_eq!(
        refused_with(&here, &hasty).await,
        "tools.sh did not get to run_mcp_server within 1 s; it waits for something, or has \
         started a server of its own"
    );
    crate::serve::gone(&marker(&here.path().join("pid")).await).await;
}

#[tokio::test]
async fn a_loop_in_a_subshell_is_refused() {
    for call in ["cat requests | run_mcp_server", "(run_mcp_server)", "run_mcp_server & wait"] {
        assert_eq!(
            refused(&format!("tool_x() {{ :; }}\n{call}")).await,
            "tools.sh calls run_mcp_server in a pipeline, in the background or in parentheses; \
             call it by itself",
            "{call}"
        );
    }
}

#[tokio::test]
async fn a_function_that_hides_what_the_loader_needs_is_refused() {
    assert_eq!(
        refused("command() { echo mine; }\ntool_x() { :; }").await,
        "tools.sh defines a function named `command`, which candor needs for itself; rename it"
    );
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_not_mistaken_for_a_missing_bash() {
    let here = folder("tool_x() { :; }");
    let mut lost = options();
    lost.folder = Some(here.path().join("nowhere"));
    let refusal = refused_with(&here, &lost).await;
    assert!(refusal.starts_with("tools.sh could not be loaded: "), "{refusal}");
}

#[tokio::test]
async fn what_counts_while_it_names_a_file_counts_once() {
    let script = "libs=(a.sh b.sh c.sh) i=0
        source \"./${libs[i++]}\"
        . \"./${libs[i++]}\"
        source \"./${last:=c.sh}\"
        tool_said() { echo \"$i$read\"; }";
    let here = folder(script);
    for name in ["a", "b", "c"] {
        std::fs::write(here.path().join(format!("{name}.sh")), format!("read+={name}")).unwrap();
    }
    let served = crate::serve::serve_in(here, &options()).await;
    assert_eq!(served.said("said").await, "2abc\n");
}

#[tokio::test]
async fn a_function_named_like_one_of_ours_is_refused() {
    for name in ["__candor_call", "local"] {
        assert_eq!(
            refused(&format!("{name}() {{ echo mine; }}\ntool_x() {{ :; }}")).await,
            format!(
                "tools.sh defines a function named `{name}`, which candor needs for itself; \
                 rename it"
            )
        );
    }
}

#[tokio::test]
async fn a_mistake_in_a_condition_is_refused_as_any_other() {
    for (condition, complaint) in [
        ("[[ x ]; then :; fi", "conditional binary operator expected"),
        ("[[ a == b c ]]; then :; fi", "syntax error in conditional expression"),
    ] {
        let refusal =
            refused(&format!("tool_x() {{\n  if {condition}\n}}\ntool_y() {{ :; }}")).await;
        let expected = format!("tools.sh is not valid bash: line 2: {complaint}");
        assert!(refusal.starts_with(&expected), "{refusal}");
    }
}

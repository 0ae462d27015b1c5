//! The examples: what people copy has to work, and to fail well.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::stage::{Folder, Ran, candor, program, repository, run};

const MODEL: &str = "tool error: the model can act on this (kind tool, same call again: no)\n";
const LATER: &str = "tool error: the model can act on this (kind tool, same call again: later)\n";

/// Are the programs here that an example needs? If not, its test is left out, and says so.
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn has(programs: &[&str]) -> bool {
    let is_missing = |name: &&&str| {
        let mut version = Command::new(name);
        let version = version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        !version.status().is_ok_and(|status| status.success())
    };
    let missing: Vec<_> = programs.iter().filter(is_missing).copied().collect();
    if !missing.is_empty() {
        eprintln!("left out, for there is no {} here", missing.join(" and no "));
    }
    missing.is_empty()
}

fn example(name: &str) -> PathBuf {
    repository().join("examples").join(name)
}

#[test]
fn every_example_says_what_its_tools_take() {
    for (target, tools) in [
        ("cinema.sh", "get_movies book_ticket validate_age"),
        ("files.sh", "list_files read_file search_files"),
        ("git.sh", "log show diff blame"),
        ("picture.sh", "draw_chart"),
        ("programs", "summarise take_apart"),
        ("sdk/cinema-sdk.sh", "get_movies book_ticket validate_age"),
        ("weather.sh", "forecast"),
    ] {
        let ran = candor(&["list", "--json", &format!("examples/{target}")]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{target}");
        let list: Value = serde_json::from_str(&ran.stdout).unwrap();
        let names = list.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap());
        assert_eq!(names.collect::<Vec<_>>().join(" "), tools, "{target}");
    }
}

// ---- weather.sh ---------------------------------------------------------------------------------

/// A weather service on this machine.
struct Service {
    address: SocketAddr,
    /// Request line and key of each request.
    asked: Arc<Mutex<Vec<String>>>,
}

impl Service {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                Self::answer(&stream.unwrap(), &heard);
            }
        });
        Self { address, asked }
    }

    fn answer(mut stream: &TcpStream, asked: &Mutex<Vec<String>>) {
        let lines = BufReader::new(stream).lines().map(Result::unwrap);
        let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        let key = head.iter().find(|line| line.starts_with("Authorization: ")).unwrap();
        let request = head.first().unwrap();
        asked.lock().unwrap().push(format!("{request}, {key}"));
        let city = request.split(['=', ' ']).nth(2).unwrap();
        let (status, text) = match city {
            "Lima" => ("200 OK", ten_hours()),
            "Nowhere" => ("404 Not Found", "no row in cities".to_owned()),
            "Locked" => ("401 Unauthorized", "token k3y is not in table keys".to_owned()),
            "Busy" => ("429 Too Many Requests", String::new()),
            _ => ("500 Internal Server Error", "at line 7 of 10.0.0.7:/srv/app".to_owned()),
        };
        let length = text.len();
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{text}").unwrap();
    }

    /// Asks the tool for the weather.
    fn forecast(&self, words: &[&str]) -> Ran {
        forecast(&format!("http://{}", self.address), words)
    }
}

fn ten_hours() -> String {
    let hours: Vec<_> = (13..23).map(|hour| format!("{hour}:00 21 °C, dry\n")).collect();
    hours.concat()
}

fn forecast(url: &str, words: &[&str]) -> Ran {
    let options = ["call", "--env", "WEATHER_URL", "--env", "WEATHER_KEY"];
    let call = ["examples/weather.sh", "forecast"];
    let mut program = program(&repository(), &[&options[..], &call, words].concat());
    run(program.env("WEATHER_URL", url).env("WEATHER_KEY", "k3y"))
}

#[test]
fn the_weather_is_as_long_as_it_was_asked_for() {
    if !has(&["curl"]) {
        return;
    }
    let service = Service::start();

    service.forecast(&["city=Lima", "hours=2"]).assert(
        0,
        "13:00 21 °C, dry\n14:00 21 °C, dry\n(8 more hours are known: hours takes up to 48.)\n",
        "",
    );
    let ran = service.forecast(&["city=Lima", "hours=10"]);
    assert_eq!(ran.stdout.lines().count(), 10);
    assert!(ran.stdout.ends_with("22:00 21 °C, dry\n"), "{}", ran.stdout);
    assert_eq!(
        *service.asked.lock().unwrap(),
        ["GET /forecast?city=Lima HTTP/1.1, Authorization: Bearer k3y"; 2]
    );
}

#[test]
fn what_the_weather_service_says_is_no_business_of_a_models() {
    if !has(&["curl"]) {
        return;
    }
    let service = Service::start();
    for (city, told, logged, remark) in [
        (
            "Nowhere",
            "city: the weather service knows no \"Nowhere\". Send another spelling, or a larger \
             city nearby.\n",
            "",
            MODEL,
        ),
        (
            "Locked",
            "The weather service does not accept the key of this tool. Changing the arguments will \
             not help.\n",
            "WEATHER_KEY was refused with status 401",
            MODEL,
        ),
        (
            "Busy",
            "The weather service has been asked too often. Wait a minute before the next call.\n",
            "",
            LATER,
        ),
        (
            "Broken",
            "The weather service is out of order. Changing the arguments will not help.\n",
            "status 500: at line 7 of 10.0.0.7:/srv/app",
            LATER,
        ),
    ] {
        let logged = match logged {
            "" => String::new(),
            logged => format!("candor: warning: forecast on stderr: {logged}\n"),
        };
        service.forecast(&[&format!("city={city}")]).assert(1, told, &format!("{logged}{remark}"));
    }
}

#[test]
fn what_is_sent_to_the_weather_service_is_a_city_and_nothing_else() {
    if !has(&["curl"]) {
        return;
    }
    let service = Service::start();
    for city in ["\"a&key=b\"", "\"@/etc/passwd\"", "\"--output x\"", "\"$(id)`id`\""] {
        assert_eq!(service.forecast(&[&format!("city:={city}")]).status, Some(1));
    }
    let asked = service.asked.lock().unwrap();
    let sent = asked.iter().map(|asked| asked.split(' ').nth(1).unwrap().to_lowercase());
    assert_eq!(
        sent.collect::<Vec<_>>(),
        [
            "/forecast?city=a%26key%3db",
            "/forecast?city=%40%2fetc%2fpasswd",
            "/forecast?city=--output%20x",
            "/forecast?city=%24%28id%29%60id%60"
        ]
        .map(|path| path.replace("%20", if asked[2].contains("%20") { "%20" } else { "+" }))
    );
}

#[test]
fn without_a_service_the_weather_is_not_known() {
    if !has(&["curl"]) {
        return;
    }
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    forecast(&format!("http://127.0.0.1:{port}"), &["city=Lima"]).assert(
        1,
        "The weather service cannot be reached. Changing the arguments will not help.\n",
        LATER,
    );
    candor(&["call", "examples/weather.sh", "forecast", "city=Lima"]).assert(
        1,
        "This tool has not been told its service, or has no key for it. Changing the arguments \
         will not help.\n",
        &format!(
            "candor: warning: forecast on stderr: pass on WEATHER_URL and WEATHER_KEY with --env\n\
             {MODEL}"
        ),
    );
}

// ---- files.sh -----------------------------------------------------------------------------------

/// A folder with a folder to serve in it, and something beside that.
struct Files(Folder);

impl Files {
    fn lay() -> Self {
        let folder = Folder::empty();
        for name in ["root", "root/docs", "root/void", "beside"] {
            std::fs::create_dir(folder.path(name)).unwrap();
        }
        let folder = folder
            .with("beside/secret.txt", "lunch is secret\n")
            .with("root/.hidden", "")
            .with("root/docs/menu.txt", "soup\nlunch: rice\nLunch: tea")
            .with("root/picture.bin", "a\0b");
        for (link, to) in [
            ("root/to_docs", "docs"),
            ("root/docs/out", "../../beside"),
            ("root/out.txt", "../beside/secret.txt"),
            ("root/circle", "circle"),
        ] {
            std::os::unix::fs::symlink(to, folder.path(link)).unwrap();
        }
        let absolute = folder.path("root/docs/menu.txt");
        std::os::unix::fs::symlink(absolute, folder.path("root/menu.txt")).unwrap();
        Self(folder)
    }

    fn call(&self, tool: &str, words: &[&str]) -> Ran {
        let files = example("files.sh");
        let call = ["call", "--env", "FILES_ROOT", files.to_str().unwrap(), tool];
        let mut program = self.0.program(&[&call, words].concat());
        run(program.env("FILES_ROOT", self.0.path("root")))
    }
}

#[test]
fn a_folder_can_be_looked_at() {
    let files = Files::lay();
    let answer = |tool: &str, words: &[&str]| {
        let ran = files.call(tool, words);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{words:?}");
        ran.stdout
    };

    assert_eq!(
        answer("list_files", &[]),
        ".hidden\ncircle\ndocs/\nmenu.txt\nout.txt\npicture.bin\nto_docs/\nvoid/\n"
    );
    assert_eq!(answer("list_files", &["path=to_docs/"]), "menu.txt\nout/\n");
    assert_eq!(answer("list_files", &["path=void"]), "(The folder is empty.)\n");

    assert_eq!(answer("read_file", &["path=menu.txt"]), "soup\nlunch: rice\nLunch: tea\n");
    assert_eq!(
        answer("read_file", &["path=docs/menu.txt", "from=2", "lines=1"]),
        "lunch: rice\n(These are lines 2 to 2 of 3.)\n"
    );
    assert_eq!(answer("read_file", &["path=.hidden"]), "");

    assert_eq!(answer("search_files", &["text=lunch"]), "docs/menu.txt:2:lunch: rice\n");
    assert_eq!(
        answer("search_files", &["text=unch", "path=to_docs"]),
        "docs/menu.txt:2:lunch: rice\ndocs/menu.txt:3:Lunch: tea\n"
    );
    assert_eq!(answer("search_files", &["text=-r"]), "Nowhere.\n");
}

#[test]
fn no_path_leads_out_of_the_folder() {
    const OUT: &str = "path: leads out of the folder of this tool. Send another one.\n";
    const DOTS: &str = "path: must not have .. in it. Paths start in the folder of this tool, like \
                        docs/serve.md.\n";
    const NOWHERE: &str =
        "path: there is no such file or folder. Call list_files to see what there is.\n";
    let files = Files::lay();
    let secret = files.0.path("beside/secret.txt");
    for (path, told) in [
        ("out.txt", OUT),
        ("docs/out", OUT),
        ("docs/out/secret.txt", OUT),
        ("to_docs/out/secret.txt", OUT),
        ("..", DOTS),
        ("../beside/secret.txt", DOTS),
        ("docs/../../beside/secret.txt", DOTS),
        (secret.to_str().unwrap(), NOWHERE),
        ("circle", NOWHERE),
        ("nowhere/at/all", NOWHERE),
        ("docs/menu.txt/more", NOWHERE),
    ] {
        for tool in ["list_files", "read_file"] {
            files.call(tool, &[&format!("path={path}")]).assert(1, told, MODEL);
        }
        let words = ["text=secret", &format!("path={path}")];
        files.call("search_files", &words).assert(1, told, MODEL);
    }
}

#[test]
fn what_cannot_be_read_is_said_in_words() {
    let files = Files::lay();
    for (tool, words, told) in [
        (
            "list_files",
            &["path=menu.txt"][..],
            "path: is a file. Send a folder, or call read_file.\n",
        ),
        ("read_file", &["path=docs"], "path: is not a file. Send a file, or call list_files.\n"),
        ("read_file", &["path=picture.bin"], "path: is not a text. Send another file.\n"),
        (
            "read_file",
            &["path=menu.txt", "from=4"],
            "from: must be at most 3, which is how many lines there are. Got 4.\n",
        ),
    ] {
        files.call(tool, words).assert(1, told, MODEL);
    }
}

#[test]
fn a_folder_that_is_not_there_is_not_served() {
    let mut program = program(&repository(), &["list", "--env", "FILES_ROOT", "examples/files.sh"]);
    let ran = run(program.env("FILES_ROOT", "/no/such/folder"));

    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("/no/such/folder: No such file or directory"), "{}", ran.stderr);
}

// ---- git.sh -------------------------------------------------------------------------------------

/// A repository that is the same each time, to the number of its commits.
struct Repository(Folder);

impl Repository {
    fn make() -> Self {
        let repository = Self(Folder::empty().with("poem.txt", "one\ntwo\n"));
        repository.git("init --quiet --initial-branch=main");
        repository.commit("Ada", "2026-01-01", "Begin");
        std::fs::write(repository.0.path("poem.txt"), "one\nthree\n").unwrap();
        std::fs::write(repository.0.path("--help"), "no option\n").unwrap();
        repository.commit("Bob", "2026-01-02", "Correct the second line");
        repository
    }

    fn commit(&self, name: &str, date: &str, subject: &str) {
        self.git("add --all");
        let mut git = self.command();
        git.args(["commit", "--quiet", "--message", subject]);
        for who in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{who}_NAME"), name)
                .env(format!("GIT_{who}_EMAIL"), format!("{name}@example.com"))
                .env(format!("GIT_{who}_DATE"), format!("{date}T12:00:00Z"));
        }
        assert!(git.status().unwrap().success());
    }

    fn git(&self, line: &str) {
        assert!(self.command().args(line.split(' ')).status().unwrap().success());
    }

    fn command(&self) -> Command {
        let mut git = Command::new("git");
        git.current_dir(self.0.path("")).env("HOME", self.0.path("")).env_remove("GIT_DIR");
        git
    }

    fn call(&self, tool: &str, words: &[&str]) -> Ran {
        call_git(&self.0, Some(&self.0.path("")), tool, words)
    }
}

fn call_git(home: &Folder, root: Option<&Path>, tool: &str, words: &[&str]) -> Ran {
    let file = example("git.sh");
    let call = ["call", "--env", "GIT_ROOT", file.to_str().unwrap(), tool];
    let mut program = home.program(&[&call, words].concat());
    run(program.env("HOME", home.path("")).env("GIT_ROOT", root.unwrap_or(Path::new("/"))))
}

#[test]
fn a_history_can_be_looked_at() {
    if !has(&["git"]) {
        return;
    }
    let repository = Repository::make();
    let answer = |tool: &str, words: &[&str]| {
        let ran = repository.call(tool, words);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{words:?}");
        ran.stdout
    };

    assert_eq!(
        answer("log", &[]),
        "\
cd30265 2026-01-02 Bob: Correct the second line
c60b58b 2026-01-01 Ada: Begin
"
    );
    assert_eq!(answer("log", &["count=1", "rev=main~1"]), "c60b58b 2026-01-01 Ada: Begin\n");
    assert_eq!(answer("log", &["author=ada@"]), "c60b58b 2026-01-01 Ada: Begin\n");
    assert_eq!(
        answer("log", &["path=--help"]),
        "cd30265 2026-01-02 Bob: Correct the second line\n"
    );
    assert_eq!(answer("log", &["author=.*"]), "No such commits.\n");
    assert_eq!(
        answer("show", &["rev=HEAD", "path=poem.txt"]),
        "\
commit cd30265ff350df9b6a7b939c88662cf61c50dd9e
Author:     Bob <Bob@example.com>
AuthorDate: Fri Jan 2 12:00:00 2026 +0000
Commit:     Bob <Bob@example.com>
CommitDate: Fri Jan 2 12:00:00 2026 +0000

    Correct the second line
---
 poem.txt | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

diff --git a/poem.txt b/poem.txt
index 814f4a4..4c7442b 100644
--- a/poem.txt
+++ b/poem.txt
@@ -1,2 +1,2 @@
 one
-two
+three
"
    );
    assert_eq!(
        answer("diff", &["from=HEAD~1", "path=--help"]),
        "\
diff --git a/--help b/--help
new file mode 100644
index 0000000..2a0a466
--- /dev/null
+++ b/--help
@@ -0,0 +1 @@
+no option
"
    );
    assert_eq!(answer("diff", &["from=HEAD", "to=main"]), "Nothing has changed.\n");
    assert_eq!(
        answer("blame", &["path=poem.txt"]),
        "\
^c60b58b (Ada 2026-01-01 1) one
cd30265f (Bob 2026-01-02 2) three
"
    );
    assert_eq!(answer("blame", &["path=--help"]), "cd30265f (Bob 2026-01-02 1) no option\n");
}

#[test]
fn what_a_history_does_not_have_is_said_in_words() {
    if !has(&["git"]) {
        return;
    }
    let repository = Repository::make();
    for (tool, words, told) in [
        (
            "log",
            &["rev=--all"][..],
            "rev: there is no \"--all\" here. Send a branch, a tag or the number of a commit, like \
             HEAD~2.\n",
        ),
        (
            "show",
            &["rev=--output=stolen"],
            "rev: there is no \"--output=stolen\" here. Send a branch, a tag or the number of a \
             commit, like HEAD~2.\n",
        ),
        (
            "show",
            &["rev=HEAD:poem.txt"],
            "rev: there is no \"HEAD:poem.txt\" here. Send a branch, a tag or the number of a \
             commit, like HEAD~2.\n",
        ),
        (
            "diff",
            &["from=HEAD~1", "to=draft"],
            "to: there is no \"draft\" here. Send a branch, a tag or the number of a commit, like \
             HEAD~2.\n",
        ),
        (
            "blame",
            &["path=nowhere.txt"],
            "path: is not a file in HEAD. Send a path from the folder of this tool on.\n",
        ),
        (
            "blame",
            &["path=poem.txt", "from=3"],
            "from: must be at most 2, which is how many lines there are. Got 3.\n",
        ),
    ] {
        repository.call(tool, words).assert(1, told, MODEL);
    }
    let status = repository.command().args(["status", "--porcelain"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&status.stdout), "", "nothing was written");
}

#[test]
fn without_a_repository_there_is_no_history() {
    if !has(&["git"]) {
        return;
    }
    let ran = call_git(&Folder::empty(), None, "log", &[]);

    assert_eq!(ran.status, Some(1));
    assert_eq!(
        ran.stdout,
        "This tool has no repository to look at. Changing the arguments will not help.\n"
    );
}

// ---- picture.sh ---------------------------------------------------------------------------------

#[test]
fn a_chart_is_a_picture() {
    let ran = candor(&["call", "examples/picture.sh", "draw_chart", "heights:=[3, 1, 4]"]);
    ran.assert(0, "A chart with 3 bars.\n[image, image/png, 102 bytes]\n", "");

    let ran = candor(&["call", "--json", "examples/picture.sh", "draw_chart", "heights:=[1,0]"]);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        result["content"][1],
        serde_json::json!({
            "type": "image",
            "data": "iVBORw0KGgoAAAANSUhEUgAAABAAAAABAQMAAADtt7wcAAAABlBMVEX///8zZpnJm292AAAADklEQVR4AQ\
                     EDAPz/AH4AAP8Af5BMX8AAAAAASUVORK5CYII=",
            "mimeType": "image/png",
        })
    );
}

#[test]
fn a_chart_of_what_is_no_number_of_pixels_is_not_drawn() {
    let ran = candor(&["call", "examples/picture.sh", "draw_chart", "heights:=[1, 2e1]"]);
    ran.assert(1, "heights: must be written in digits. Got 2e1. Send 20, for example.\n", MODEL);
}

#[test]
fn a_chart_can_be_drawn_without_candor() {
    let folder = Folder::empty();
    let picture = example("picture.sh");
    let line = format!(
        "source '{}' && arg_heights='[1,2]' tool_draw_chart && head -c 4 chart.png | tail -c 3",
        picture.display()
    );
    let mut bash = Command::new("bash");
    bash.args(["-c", &line]).current_dir(folder.path("")).env("PATH", "/usr/bin:/bin");

    run(&mut bash).assert(0, "A chart with 2 bars.\nPNG", "");
}

// ---- programs -----------------------------------------------------------------------------------

#[test]
fn a_program_in_python_answers_and_attaches_a_picture() {
    if !has(&["python3"]) {
        return;
    }
    let call =
        |words: &[&str]| candor(&[&["call", "examples/programs", "summarise"], words].concat());

    call(&["numbers:=[1, 2, 4]"]).assert(
        0,
        "{\"count\": 3, \"least\": 1, \"greatest\": 4, \"mean\": 2.3333333333333335, \"median\": 2}\n",
        "",
    );
    call(&["numbers[]=2", "numbers[]=8", "mean=geometric", "picture=true"]).assert(
        0,
        "{\"count\": 2, \"least\": 2, \"greatest\": 8, \"mean\": 4.0, \"median\": 5.0}\n[image, \
         image/svg+xml, 513 bytes]\n",
        "",
    );
    call(&["numbers:=[1, 0]", "mean=geometric"]).assert(
        1,
        "numbers: must all be above 0 for a geometric mean. Got 0. Leave it out, or take the \
         arithmetic mean.\n",
        MODEL,
    );
}

#[test]
fn a_program_for_node_answers() {
    if !has(&["node"]) {
        return;
    }
    let call = |address: &str| {
        candor(&["call", "examples/programs", "take_apart", &format!("address={address}")])
    };

    call("https://example.com:8080/search?q=tea&q=milk&__proto__=x#top").assert(
        0,
        "{\"scheme\":\"https\",\"host\":\"example.com\",\"port\":8080,\"path\":\"/search\",\
         \"parameters\":{\"q\":[\"tea\",\"milk\"],\"__proto__\":[\"x\"]},\"fragment\":\"top\"}\n",
        "",
    );
    call("https://example.com").assert(
        0,
        "{\"scheme\":\"https\",\"host\":\"example.com\",\"path\":\"/\",\"parameters\":{}}\n",
        "",
    );
    call("example.com").assert(
        1,
        "address: must be whole, with its scheme. Got \"example.com\". Send https://example.com/, \
         for example.\n",
        MODEL,
    );
}

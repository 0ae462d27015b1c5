//! `candor new`, and the file that it writes.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::stage::{Folder, run};

const FILE: &str = "breakfast.sh";

#[test]
fn a_new_file_says_what_to_try_and_that_works() {
    let folder = Folder::empty();
    let ran = folder.candor(&["new", FILE]);
    ran.assert(
        0,
        "breakfast.sh has two tools to start from. Call one, and give them to a host:\n  candor \
         call breakfast.sh shopping_list dish=pancakes guests=4\n  candor config breakfast.sh\n",
        "",
    );
    let bin = Path::new(env!("CARGO_BIN_EXE_candor")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let text = folder.read(FILE);
    let shown = text.lines().filter_map(|line| line.strip_prefix("#   candor "));
    let printed = ran.stdout.lines().filter_map(|line| line.strip_prefix("  candor "));
    let commands: Vec<_> = shown.chain(printed).collect();
    assert_eq!(commands.len(), 4);
    for command in commands {
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("candor {command}")]).env("PATH", &path);
        let ran = run(bash.current_dir(folder.path("")));
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{command}");
    }
}

#[test]
fn its_tools_declare_what_they_take() {
    let folder = Folder::empty();
    folder.candor(&["new", FILE]);

    folder.candor(&["list", FILE]).assert(
        0,
        "\
shopping_list
  Write the shopping list for a breakfast.

  Arguments:
    dish    one of pancakes, waffles, porridge  required       What there will be
    guests  integer from 1 to 40                required       How many will eat
    vegan   boolean                             default false  With nothing that is from animals
    note    string of 1 to 80 characters        optional       What else to remember
  Hints: changes nothing

now
  Tell the date and the time on this machine.

  Arguments: none
  Hints: changes nothing
",
        "",
    );
}

#[test]
fn its_tools_answer_and_fail_in_words() {
    let folder = Folder::empty();
    folder.candor(&["new", FILE]);
    let list = |words: &str| {
        let words: Vec<_> = words.split(' ').collect();
        folder.candor(&[&["call", FILE, "shopping_list"], words.as_slice()].concat())
    };

    list("dish=pancakes guests=4").assert(0, "240 g flour\n600 ml milk\n", "");
    list("dish=waffles guests=2").assert(0, "140 g flour, 2 eggs\n300 ml milk\n", "");
    list("dish=porridge guests=1 vegan=true note=napkins").assert(
        0,
        "50 g oats\n150 ml oat milk\nand: napkins\n",
        "",
    );
    list("dish=waffles guests=2 vegan=true").assert(
        1,
        "vegan: must be false for waffles. Got true. Send false, or ask for pancakes.\n",
        "tool error: the model can act on this (kind tool, same call again: no)\n",
    );
    let ran = folder.candor(&["call", FILE, "now"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn it_is_an_executable_that_its_author_can_read() {
    let folder = Folder::empty();
    folder.candor(&["new", FILE]);

    let mode = std::fs::metadata(folder.path(FILE)).unwrap().permissions().mode();
    assert_eq!(mode & 0o700, 0o700);
    let status = Command::new(folder.path(FILE)).status().unwrap();
    assert!(status.success(), "bash reads it without candor");
    assert!(folder.read(FILE).lines().all(|line| line.len() <= 100));
}

#[test]
fn a_path_is_written_as_a_shell_reads_it() {
    let folder = Folder::empty();
    let ran = folder.candor(&["new", "my tools.sh"]);
    assert_eq!(ran.stdout.lines().last(), Some("  candor config 'my tools.sh'"));
    assert!(folder.read("my tools.sh").contains("#   candor list 'my tools.sh'\n"));
}

#[test]
fn what_is_there_already_is_left_alone() {
    let folder = Folder::of("# mine\n");
    folder.candor(&["new", "tools.sh"]).assert(
        2,
        "",
        "candor: tools.sh is there already, and stays as it is; choose another name\n",
    );
    assert_eq!(folder.read("tools.sh"), "# mine\n");
}

#[test]
fn what_is_no_bash_file_is_told_what_would_be() {
    let folder = Folder::empty();
    std::fs::create_dir(folder.path("there")).unwrap();
    for (file, said) in [
        ("there", "there is a folder; name a file, such as there/breakfast.sh"),
        ("here/", "here/ is a folder; name a file, such as here/breakfast.sh"),
        (
            "breakfast.py",
            "breakfast.py would be a .py file, and what is written here is bash; name it \
             breakfast.sh, or serve a folder with programs of your own",
        ),
        ("here/a.sh", "here/a.sh cannot be written, for its folder is not there"),
        ("a\nb.sh", "a\\nb.sh cannot be typed; choose another name"),
    ] {
        folder.candor(&["new", file]).assert(2, "", &format!("candor: {said}\n"));
    }
}

//! `candor list`.

use serde_json::Value;

use crate::stage::{Folder, candor};

#[test]
fn a_file_says_in_comments_what_its_tools_take() {
    candor(&["list", "examples/cinema.sh"]).assert(
        0,
        "\
get_movies
  List the films showing today, each with its id, rating, price and show times.

  Arguments: none
  Answer:
    films  array of object
  Hints: changes nothing

book_ticket
  Book seats for one showing, and return the booking with its total price.

  Arguments:
    movieId     integer, at least 1      required  The id of a film, from get_movies
    showTime    string like ^\\d\\d:\\d\\d$  required  A time that film is shown, such as 13:30
    numTickets  integer from 1 to 10     required  How many seats
  Answer:
    bookingId   string
    movie       string
    showTime    string
    numTickets  integer
    total       number
  Hints: changes things, destroys nothing, the same call again changes nothing more

validate_age
  Tell whether a guest may see a film. Fails if the guest is too young for its rating.

  Arguments:
    age          integer from 0 to 120  required  The guest's age in whole years
    movieRating  one of U, PG-13, A     required  The film's rating, from get_movies
  Hints: changes nothing
",
        "",
    );
}

#[test]
fn a_tool_without_tags_takes_anything() {
    let folder = Folder::of("# Greet someone. Takes name.\ntool_greet() { :; }\n");
    folder.candor(&["list", "tools.sh"]).assert(
        0,
        "greet\n  Greet someone. Takes name.\n\n  Arguments: anything\n",
        "",
    );
}

#[test]
fn a_tools_file_says_what_its_tools_take() {
    candor(&["list", "examples/sdk/cinema-sdk.sh"]).assert(
        0,
        "\
get_movies (What is on)
  List the films showing today, each with its id, rating, price and show times.

  Arguments: none
  Hints: changes nothing

book_ticket (Book seats)
  Book seats for one showing, and return the booking with its total price.

  Arguments:
    movieId     integer, at least 1                  required  The id of a film, from get_movies.
    showTime    string like ^[0-2][0-9]:[0-5][0-9]$  required  A time that film is shown, as HH:MM.
    numTickets  integer from 1 to 10                 required  How many seats.
  Hints: changes things, destroys nothing, the same call again changes nothing more

validate_age (Check a guest's age)
  Tell whether a guest may see a film. Fails if the guest is too young for its rating.

  Arguments:
    age          integer from 0 to 120  required  The guest's age in whole years.
    movieRating  one of U, PG-13, A     required  The film's rating, from get_movies.
  Hints: changes nothing
",
        "",
    );
}

#[test]
fn scripts_get_the_array_on_one_line() {
    let ran = candor(&["list", "--json", "examples/cinema.sh", "--only", "validate_age"]);

    ran.assert(
        0,
        "[{\"name\":\"validate_age\",\"description\":\"Tell whether a guest may see a film. Fails if \
         the guest is too young for its rating.\",\"inputSchema\":{\"type\":\"object\",\"properties\":\
         {\"age\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":120,\"description\":\"The guest's \
         age in whole years\"},\"movieRating\":{\"type\":\"string\",\"enum\":[\"U\",\"PG-13\",\"A\"],\
         \"description\":\"The film's rating, from get_movies\"}},\"required\":[\"age\",\
         \"movieRating\"],\"additionalProperties\":false},\"annotations\":{\"readOnlyHint\":true}}]\n",
        "",
    );
    assert!(serde_json::from_str::<Value>(&ran.stdout).unwrap().is_array());
}

#[test]
fn a_choice_of_tools_is_what_a_host_would_see() {
    let folder =
        Folder::of("# A.\ntool_a() { :; }\n# B.\ntool_b() { :; }\n# C.\ntool_c() { :; }\n");
    let names = |arguments: &[&str]| {
        let ran = folder.candor(&[&["list", "--json", "tools.sh"], arguments].concat());
        let tools: Value = serde_json::from_str(&ran.stdout).unwrap();
        let tools = tools.as_array().unwrap().iter();
        tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<String>()
    };

    assert_eq!(names(&[]), "abc");
    assert_eq!(names(&["--only", "a,c"]), "ac");
    assert_eq!(names(&["--only", "c", "--only", "a"]), "ac");
    assert_eq!(names(&["--except", "b"]), "ac");
    assert_eq!(names(&["--only", "a,b", "--except", "b"]), "a");
}

#[test]
fn what_is_not_listed_and_what_is_not_passed_on_is_said_on_standard_error() {
    let folder = Folder::of("# A.\ntool_a() { echo \"$CANDOR_TEST_KEY\"; }\ntool_b() { :; }\n");
    let mut program = folder.program(&["list", "tools.sh"]);
    let ran = crate::stage::run(program.env("CANDOR_TEST_KEY", "secret"));

    ran.assert(
        0,
        "a\n  A.\n\n  Arguments: anything\n",
        "candor: warning: tools.sh: CANDOR_TEST_KEY is not passed on; add --env CANDOR_TEST_KEY\n\
         candor: warning: tools.sh: tool_b (line 3) is not listed; write above it, in a comment, \
         what it does\n",
    );
}

#[test]
fn a_reader_that_has_read_enough_is_no_trouble() {
    let list = format!("{} list examples/cinema.sh", env!("CARGO_BIN_EXE_candor"));
    let script = format!("set -o pipefail; {{ sleep 0.3; {list}; }} | true");
    let mut bash = std::process::Command::new("bash");
    let ran = crate::stage::run(bash.args(["-c", &script]).current_dir(crate::stage::repository()));

    ran.assert(0, "", "");
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_cannot_be_written_is_no_success() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut program =
        crate::stage::program(&crate::stage::repository(), &["list", "examples/cinema.sh"]);
    let ran = crate::stage::run(program.stdout(full));

    ran.assert(
        4,
        "",
        "candor: the answer cannot be written to stdout: No space left on device (os error 28)\n",
    );
}

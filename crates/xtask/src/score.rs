//! `cargo xtask score redact`: how well the redactor masks, as tables.
//!
//! The samples and the score are a test of `candor-redact`, which holds the floors. Here it runs as
//! a user's program does, optimised, and prints what it found.

use std::process::ExitCode;

use crate::house::House;

const USAGE: &str = "\
cargo xtask score redact [OPTION…]

  --misses      what was missed, and what was masked though it is harmless
  --seed N      other samples of the same kinds (the tests take 0)
  --everything  what is held out, too: not for whoever writes rules
";

pub(crate) fn redact(house: &House, options: &[&str]) -> ExitCode {
    if options.iter().any(|option| matches!(*option, "--help" | "-h")) {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let wish = match read(options) {
        Ok(wish) => wish,
        Err(why) => {
            eprint!("{why}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let mut score = house.cargo(&["test", "--quiet", "--release", "--package=candor-redact"]);
    score.args(["--test=score", "--", "--ignored", "--exact", "--nocapture", "tables"]);
    match score.env("CANDOR_SCORE", wish).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(cause) => {
            eprintln!("cargo could not be started: {cause}");
            ExitCode::FAILURE
        }
    }
}

/// Options as the words that the test knows.
fn read(options: &[&str]) -> Result<String, String> {
    let mut words = Vec::new();
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--misses" => words.push("misses".to_owned()),
            "--everything" => words.push("everything".to_owned()),
            "--seed" => {
                let seed = options.next().and_then(|seed| seed.parse::<u64>().ok());
                words.push(format!("seed={}", seed.ok_or("--seed takes a whole number")?));
            }
            other => return Err(format!("score has no option {other}")),
        }
    }
    Ok(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_become_words() {
        assert_eq!(read(&["--misses", "--seed", "7"]), Ok("misses seed=7".to_owned()));
        assert_eq!(read(&["--seed", "x"]), Err("--seed takes a whole number".to_owned()));
        assert_eq!(read(&["--miss"]), Err("score has no option --miss".to_owned()));
    }
}

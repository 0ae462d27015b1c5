//! `cargo xtask bench serve` and `bench shell`: builds what is measured as a user would, and starts the driver.
//!
//! The driver, its floors and its library server are a workspace of their own in `bench/`.

use std::process::{Command, ExitCode};

use crate::house::House;

pub(crate) fn run(house: &House, what: &str, options: &[&str]) -> ExitCode {
    match measure(house, what, options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(house: &House, what: &str, options: &[&str]) -> Result<(), String> {
    let target = house.target()?;
    let own = house.root().join("bench").join("target");
    let mut bench = house.cargo(&["build", "--release", "--manifest-path=bench/Cargo.toml"]);
    bench.arg("--target-dir").arg(&own);
    done(house.cargo(&["build", "--release", "--package=candor-cli"]))?;
    done(bench)?;
    let mut driver = Command::new(own.join("release").join("bench"));
    driver.arg(what).arg("--candor").arg(target.join("release").join("candor")).args(options);
    done(driver)
}

fn done(mut command: Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program}: {status}")),
        Err(cause) => Err(format!("{program} could not be started: {cause}")),
    }
}

//! Words of the command line to values: times, sizes, folders.

use std::path::PathBuf;
use std::time::Duration;

use candor_shell::Rates;

/// `500ms`, `30s`, `2m`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let number: Option<u64> = number.parse().ok();
    let millis = match (number, unit) {
        (Some(number), "") => return Err(format!("has no unit; write {number}s or {number}ms")),
        (Some(number), "ms") => Some(number),
        (Some(number), "s") => number.checked_mul(1000),
        (Some(number), "m") => number.checked_mul(60_000),
        _ => None,
    };
    match millis {
        Some(0) => Err("would leave no time at all; write 30s, for example".to_owned()),
        // A day is as good as for ever, and a clock can count it.
        Some(millis) if millis <= 86_400_000 => Ok(Duration::from_millis(millis)),
        Some(_) => Err("is more than a day; write 1440m at most".to_owned()),
        None => Err("is not a time; write 500ms, 30s or 2m, for example".to_owned()),
    }
}

/// `1048576`, `1024K`, `1M`, `1G`.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    let (number, unit) = split(text);
    let unit: Option<usize> = match unit {
        "" => Some(1),
        "K" | "k" => Some(1024),
        "M" | "m" => Some(1024 * 1024),
        "G" | "g" => Some(1024 * 1024 * 1024),
        _ => None,
    };
    let number: Option<usize> = number.parse().ok();
    match number.zip(unit).and_then(|(number, unit)| number.checked_mul(unit)) {
        Some(0) => Err("would leave no room at all; write 1M, for example".to_owned()),
        Some(size) => Ok(size),
        None => Err("is not a size; write a number of bytes, or 64K, 1M, 1G".to_owned()),
    }
}

/// `5/s`, `10/m`, `100/h`, or `off`.
pub(crate) fn rates(text: &str) -> Result<Rates, String> {
    match text {
        "off" => Ok(Rates::Off),
        rate => rate
            .parse()
            .map(Rates::Unless)
            .map_err(|_| "is not a rate; write 5/s, 10/m, 100/h or off".to_owned()),
    }
}

/// A folder that is there.
pub(crate) fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_dir() { Ok(path) } else { Err("is not a folder".to_owned()) }
}

/// The name of a variable, or `*`.
pub(crate) fn variable(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, _)) => Err(format!(
            "holds a value; set the variable where candor is started, and write --env {name}"
        )),
        None if text.is_empty() => Err("is no name; write --env API_KEY, for example".to_owned()),
        None => Ok(text.to_owned()),
    }
}

/// The name of a tool.
pub(crate) fn tool(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("is no name; write one or more, with commas between them".to_owned()),
        name => Ok(name.to_owned()),
    }
}

/// What a host may call a server: its name becomes part of the names of tools.
pub(crate) fn server(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !text.is_empty() && text.chars().all(is_plain) {
        Ok(text.to_owned())
    } else {
        Err("is no name for a server; write letters (a to z), digits, _ and -".to_owned())
    }
}

/// The digits at the start, and the rest.
fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use candor_shell::Rates;

    use super::{rates, server, size, time, tool, variable};

    #[test]
    fn a_time_is_a_number_with_its_unit() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(time("2m"), Ok(Duration::from_mins(2)));
    }

    #[test]
    fn what_is_no_time_is_told_what_would_be() {
        assert_eq!(time("30"), Err("has no unit; write 30s or 30ms".to_owned()));
        assert_eq!(
            time("0s"),
            Err("would leave no time at all; write 30s, for example".to_owned())
        );
        for text in ["", "s", "1h", "-1s", "1.5s", "1 s", "99999999999999999999s", "5S"] {
            assert_eq!(
                time(text),
                Err("is not a time; write 500ms, 30s or 2m, for example".to_owned()),
                "{text}"
            );
        }
        for text in ["1441m", "999999999999999999s"] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_size_is_a_number_of_bytes() {
        assert_eq!(size("1000"), Ok(1000));
        assert_eq!(size("64K"), Ok(65_536));
        assert_eq!(size("1M"), Ok(1_048_576));
        assert_eq!(size("2g"), Ok(2_147_483_648));
    }

    #[test]
    fn what_is_no_size_is_told_what_would_be() {
        for text in ["", "M", "1MB", "1.5M", "-1", "1T", "99999999999999999999G"] {
            assert_eq!(
                size(text),
                Err("is not a size; write a number of bytes, or 64K, 1M, 1G".to_owned()),
                "{text}"
            );
        }
        assert!(size("0").is_err());
    }

    #[test]
    fn a_rate_is_a_number_of_calls_in_a_time() {
        assert_eq!(rates("10/m"), Ok(Rates::Unless("10/m".parse().unwrap())));
        assert_eq!(rates("off"), Ok(Rates::Off));
        for text in ["", "10", "0/m", "10/d", "OFF", "10 / m"] {
            let said = "is not a rate; write 5/s, 10/m, 100/h or off";
            assert_eq!(rates(text), Err(said.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_variable_is_named_and_not_set() {
        assert_eq!(variable("API_KEY"), Ok("API_KEY".to_owned()));
        assert_eq!(variable("*"), Ok("*".to_owned()));
        assert_eq!(
            variable("API_KEY=secret"),
            Err("holds a value; set the variable where candor is started, and write --env API_KEY"
                .to_owned())
        );
    }

    #[test]
    fn a_server_is_named_with_what_every_host_takes() {
        assert_eq!(server("box-office_2"), Ok("box-office_2".to_owned()));
        for text in ["", "box office", "tools.sh", "käse"] {
            assert!(server(text).is_err(), "{text}");
        }
    }

    #[test]
    fn spaces_around_a_tool_are_not_of_its_name() {
        assert_eq!(tool(" book "), Ok("book".to_owned()));
        assert!(tool(" ").is_err());
    }
}

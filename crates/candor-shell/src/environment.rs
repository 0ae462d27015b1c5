//! Which variables of ours a served file sees.

use std::ffi::{OsStr, OsString};

const ALWAYS: [&str; 5] = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"];

/// These steer bash itself, or smuggle functions into it.
const NEVER: [&str; 8] =
    ["BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "POSIXLY_CORRECT", "CDPATH", "GLOBIGNORE", "PS4"];

/// `variables` as the shell gets them; `pass` are names to let through besides the usual ones.
pub(crate) fn passed(
    variables: impl Iterator<Item = (OsString, OsString)>,
    pass: &[String],
) -> Vec<(OsString, OsString)> {
    variables.filter(|(name, _)| passes(name, pass)).collect()
}

fn passes(name: &OsStr, pass: &[String]) -> bool {
    // A name that is not UTF-8 is none a script can write.
    let Some(name) = name.to_str() else { return false };
    if NEVER.contains(&name) || name.starts_with("BASH_FUNC_") {
        return false;
    }
    ALWAYS.contains(&name)
        || name.starts_with("LC_")
        || name.starts_with("MCP_")
        || pass.iter().any(|passed| passed == name || passed == "*")
}

#[cfg(test)]
mod tests {
    use super::passed;

    fn names(pass: &[&str], variables: &[&str]) -> Vec<String> {
        let pass: Vec<String> = pass.iter().map(ToString::to_string).collect();
        passed(variables.iter().map(|name| (name.into(), "x".into())), &pass)
            .into_iter()
            .map(|(name, _)| name.into_string().unwrap())
            .collect()
    }

    #[test]
    fn only_the_usual_variables_pass_unasked() {
        let ours = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "MCP_LOG_FILE", "API_KEY"];
        assert_eq!(names(&[], &ours), &ours[..7]);
    }

    #[test]
    fn a_variable_passes_when_named_and_all_do_with_a_star() {
        assert_eq!(names(&["API_KEY"], &["API_KEY", "OTHER"]), ["API_KEY"]);
        assert_eq!(names(&["*"], &["API_KEY", "OTHER"]), ["API_KEY", "OTHER"]);
    }

    #[test]
    fn what_steers_bash_never_passes() {
        let ours = [
            "BASH_ENV",
            "ENV",
            "SHELLOPTS",
            "BASHOPTS",
            "POSIXLY_CORRECT",
            "CDPATH",
            "GLOBIGNORE",
            "PS4",
            "BASH_FUNC_tool_x%%",
        ];
        assert_eq!(names(&["*", "BASH_ENV"], &ours), Vec::<String>::new());
    }
}

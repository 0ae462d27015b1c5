//! Options and the environment to what a model may not read.

use candor::{Journal, Level, Redactor};

use crate::options::Running;

/// Parts of the names of variables whose values are secrets.
const SECRET: [&str; 9] =
    ["KEY", "TOKEN", "SECRET", "PASS", "PWD", "CREDENTIAL", "AUTH", "COOKIE", "DSN"];

/// What finds secrets, stack traces and paths; `None` if everything is to be shown, which is said.
pub(crate) fn redactor(running: &Running, journal: &Journal) -> Option<Redactor> {
    if running.no_redact {
        let text = "--no-redact: secrets, paths and stack traces are shown to the model";
        journal.note(Level::Warning, text);
        return None;
    }
    let mut redactor = Redactor::builder().pii(running.pii);
    let here = running.cwd.clone().or_else(|| std::env::current_dir().ok());
    for root in here.iter().chain(&running.allow_root) {
        // A path that is not Unicode can stand in no text.
        if let Some(root) = std::path::absolute(root).ok().as_deref().and_then(|it| it.to_str()) {
            redactor = redactor.root(root);
        }
    }
    for (name, value) in secrets(&running.env, std::env::vars_os()) {
        redactor = redactor.secret(&name, &value);
    }
    Some(redactor.build())
}

/// A log that is not told what is masked.
pub(crate) fn of_log(journal: &Journal, redactor: Option<&Redactor>) -> Journal {
    match redactor {
        Some(redactor) => journal.clone().redacted(redactor.clone()),
        None => journal.clone(),
    }
}

/// The variables that tools are given and that are secrets, by their names.
fn secrets(
    passed: &[String],
    variables: impl Iterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
) -> Vec<(String, String)> {
    let is_passed = |name: &str| passed.iter().any(|it| it == name || it == "*");
    let is_secret = |name: &str| {
        let name = name.to_ascii_uppercase();
        SECRET.iter().any(|part| name.contains(part))
    };
    variables
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| (is_passed(name) || name.starts_with("MCP_")) && is_secret(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::secrets;

    #[test]
    fn variables_that_are_passed_on_and_named_like_secrets_are_secrets() {
        let found = |passed: &[&str]| -> Vec<String> {
            let passed: Vec<String> = passed.iter().map(ToString::to_string).collect();
            let variables = ["API_KEY", "region", "db_password", "MCP_TOKEN", "PATH"];
            let variables = variables.into_iter().map(|name| (name.into(), "value".into()));
            secrets(&passed, variables).into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(found(&[]), ["MCP_TOKEN"]);
        assert_eq!(found(&["API_KEY", "region"]), ["API_KEY", "MCP_TOKEN"]);
        assert_eq!(found(&["*"]), ["API_KEY", "db_password", "MCP_TOKEN"]);
    }
}

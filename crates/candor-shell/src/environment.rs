//! Which variables of ours a served file sees, and which of those it does not see it asks for.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

const ALWAYS: [&str; 5] = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"];

/// These steer bash itself, or smuggle functions into it.
const NEVER: [&str; 8] =
    ["BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "POSIXLY_CORRECT", "CDPATH", "GLOBIGNORE", "PS4"];

/// Bash gives these a value of its own.
const ITS_OWN: [&str; 14] = [
    "_", "PWD", "OLDPWD", "SHLVL", "SHELL", "TERM", "HOSTNAME", "HOSTTYPE", "OSTYPE", "MACHTYPE",
    "UID", "PPID", "COLUMNS", "LINES",
];

/// Words after which the words that follow are names to be assigned.
const ASSIGNING: [&str; 11] = [
    "for",
    "select",
    "read",
    "local",
    "declare",
    "typeset",
    "readonly",
    "mapfile",
    "readarray",
    "getopts",
    "-v",
];

/// `variables` as the shell gets them; `pass` are names to let through besides the usual ones.
pub(crate) fn passed(
    variables: impl Iterator<Item = (OsString, OsString)>,
    pass: &[String],
) -> Vec<(OsString, OsString)> {
    variables.filter(|(name, _)| passes(name, pass)).collect()
}

/// A search path with this folder on it, behind all others.
pub(crate) fn path_with(path: Option<OsString>, folder: &Path) -> OsString {
    let Some(path) = path else { return folder.into() };
    let mut folders: Vec<_> = std::env::split_paths(&path).collect();
    if folders.iter().any(|it| it == folder) {
        return path;
    }
    folders.push(folder.to_owned());
    // A folder that cannot be part of a path is left out of it.
    std::env::join_paths(folders).unwrap_or(path)
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

/// The names among `variables` that `text` reads without assigning them, and does not get.
pub(crate) fn withheld(
    text: &str,
    variables: impl Iterator<Item = OsString>,
    pass: &[String],
) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = variables
        .filter(|name| !passes(name, pass))
        .filter_map(|name| name.into_string().ok())
        .filter(|name| !ITS_OWN.contains(&name.as_str()) && !NEVER.contains(&name.as_str()))
        .collect();
    let mut read = BTreeSet::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        for name in assigns(line) {
            names.remove(name);
        }
        read.extend(reads(line).into_iter().map(str::to_owned));
    }
    names.retain(|name| read.contains(name));
    names
}

fn reads(line: &str) -> BTreeSet<&str> {
    let mut after_dollar = line.split('$');
    let mut before = after_dollar.next().unwrap_or_default();
    let mut names = BTreeSet::new();
    for text in after_dollar {
        if !before.ends_with('\\') {
            let text = text.strip_prefix('{').map_or(text, |it| it.trim_start_matches(['#', '!']));
            names.insert(identifier(text));
        }
        before = text;
    }
    names.remove("");
    names
}

fn assigns(line: &str) -> impl Iterator<Item = &str> {
    let mut assigning = false;
    line.split(|c: char| c.is_whitespace() || ";&|()".contains(c)).filter_map(move |word| {
        let name = identifier(word);
        let rest = word.get(name.len()..).unwrap_or_default();
        let assigned = if rest.is_empty() {
            assigning
        } else {
            // `X=${X:-…}` gives X a value, but asks the environment first.
            (rest.starts_with('=') || rest.starts_with("+=")) && !reads(rest).contains(name)
        };
        assigning = ASSIGNING.contains(&word) || (assigning && word != "in");
        (assigned && !name.is_empty()).then_some(name)
    })
}

fn identifier(text: &str) -> &str {
    let ends = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let name = text.get(..ends).unwrap_or_default();
    if name.starts_with(|c: char| c.is_ascii_digit()) { "" } else { name }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{passed, path_with, withheld};

    fn names(pass: &[&str], variables: &[&str]) -> Vec<String> {
        let pass: Vec<String> = pass.iter().map(ToString::to_string).collect();
        passed(variables.iter().map(|name| (name.into(), "x".into())), &pass)
            .into_iter()
            .map(|(name, _)| name.into_string().unwrap())
            .collect()
    }

    fn asked_for(text: &str, variables: &[&str]) -> Vec<String> {
        withheld(text, variables.iter().map(Into::into), &[]).into_iter().collect()
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
    fn a_folder_of_commands_is_looked_at_last_and_once() {
        let path = |path: &str| path_with(Some(path.into()), Path::new("/opt/candor"));

        assert_eq!(path("/usr/bin:/bin"), "/usr/bin:/bin:/opt/candor");
        assert_eq!(path("/opt/candor:/bin"), "/opt/candor:/bin");
        assert_eq!(path_with(None, Path::new("/opt/candor")), "/opt/candor");
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

    #[test]
    fn a_file_asks_for_what_it_reads_and_does_not_assign() {
        let text = "curl -H \"$API_KEY\"\necho ${TOKEN:-none} ${#LENGTH}\necho $API_KEYS \\$PRICE";
        assert_eq!(
            asked_for(text, &["API_KEY", "TOKEN", "LENGTH", "API", "PRICE", "OTHER"]),
            ["API_KEY", "LENGTH", "TOKEN"]
        );
    }

    #[test]
    fn names_the_file_assigns_are_its_own() {
        for text in [
            "NAME=1\necho $NAME",
            "local NAME; echo $NAME",
            "for NAME in a b; do echo $NAME; done",
            "IFS= read -r line NAME\necho \"$NAME\"",
            "printf -v NAME %s x\necho $NAME",
            "# $NAME in a comment",
            "export NAME=x\necho $NAME",
        ] {
            assert_eq!(asked_for(text, &["NAME"]), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_default_for_a_variable_still_asks_for_it() {
        assert_eq!(asked_for("ROOT=\"${ROOT:-/srv}\"\nls $ROOT", &["ROOT"]), ["ROOT"]);
    }

    #[test]
    fn what_bash_sets_itself_is_not_asked_for() {
        assert_eq!(asked_for("echo $PWD $SHLVL $TERM", &["PWD", "SHLVL", "TERM"]), [""; 0]);
    }
}

//! `cargo metadata` to verdict: which crate may know which.

use std::path::Path;

use serde_json::Value;

use crate::house::House;

/// What each crate may depend on, among our own. Every arrow that is not here is forbidden.
const ARROWS: &[(&str, &[&str])] = &[
    ("candor-protocol", &[]),
    ("candor-schema", &[]),
    ("candor-transport", &["candor-protocol"]),
    ("candor-redact", &[]),
    ("candor-macros", &[]),
    (
        "candor",
        &["candor-macros", "candor-protocol", "candor-redact", "candor-schema", "candor-transport"],
    ),
    ("candor-shell", &["candor", "candor-protocol"]),
    (
        "candor-cli",
        &["candor", "candor-protocol", "candor-redact", "candor-shell", "candor-transport"],
    ),
    (TESTKIT, &["candor-protocol", "candor-transport"]),
    ("xtask", &[]),
];

/// For tests only: any crate may dev-depend on it, none may ship with it.
const TESTKIT: &str = "candor-testkit";

pub(crate) fn check(house: &House) -> Result<(), String> {
    let complaints = judge(&house.metadata()?);
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// One sentence for each crate or dependency that breaks the table.
fn judge(metadata: &Value) -> Vec<String> {
    let crates: Vec<&Value> = list(metadata, "packages").collect();
    let ours: Vec<&str> = crates.iter().map(|package| text(package, "name")).collect();
    let mut complaints = Vec::new();
    for package in &crates {
        let from = text(package, "name");
        if direct(from).is_none() {
            complaints.push(format!("{from} is not in the table of arrows (xtask/src/arrows.rs)"));
        }
        if folder(package) != Some(from) {
            complaints.push(format!("{from} must lie in a folder of its own name"));
        }
        for dependency in list(package, "dependencies") {
            let to = text(dependency, "name");
            let dev = text(dependency, "kind") == "dev";
            if ours.contains(&to) && !allowed(from, to, dev) {
                let manner = if dev { "dev-depend" } else { "depend" };
                complaints.push(format!("{from} must not {manner} on {to}"));
            }
        }
    }
    complaints
}

/// A dev-dependency may reach everything below its crate, not only what is next to it.
fn allowed(from: &str, to: &str, dev: bool) -> bool {
    let next = direct(from).unwrap_or_default();
    next.contains(&to)
        || (dev && (to == TESTKIT || next.iter().any(|between| allowed(between, to, true))))
}

fn direct(from: &str) -> Option<&'static [&'static str]> {
    ARROWS.iter().find(|(name, _)| *name == from).map(|(_, to)| *to)
}

fn folder(package: &Value) -> Option<&str> {
    Path::new(text(package, "manifest_path")).parent()?.file_name()?.to_str()
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_arrows_of_this_workspace_are_allowed() {
        assert_eq!(check(&House::here()), Ok(()));
    }

    #[test]
    fn the_table_has_no_way_round() {
        for (from, _) in ARROWS {
            for (to, _) in ARROWS {
                let both = direct(from).is_some_and(|next| next.contains(to)) && below(to, from);
                assert!(!both, "{from} and {to} would know each other");
            }
        }
    }

    #[test]
    fn a_forbidden_arrow_is_found() {
        assert_eq!(
            judge(&house(&[("candor-protocol", "candor-transport", None)])),
            ["candor-protocol must not depend on candor-transport"]
        );
        assert_eq!(
            judge(&house(&[("candor-shell", "candor-transport", Some("build"))])),
            ["candor-shell must not depend on candor-transport"]
        );
    }

    #[test]
    fn nothing_depends_on_the_program() {
        assert_eq!(
            judge(&house(&[("candor-shell", "candor-cli", Some("dev"))])),
            ["candor-shell must not dev-depend on candor-cli"]
        );
    }

    #[test]
    fn the_testkit_is_for_tests() {
        assert_eq!(judge(&house(&[("candor-protocol", TESTKIT, Some("dev"))])), NONE);
        assert_eq!(
            judge(&house(&[("candor-cli", TESTKIT, None)])),
            ["candor-cli must not depend on candor-testkit"]
        );
    }

    #[test]
    fn tests_may_reach_further_down_but_never_up() {
        assert_eq!(judge(&house(&[("candor-shell", "candor-transport", Some("dev"))])), NONE);
        assert_eq!(
            judge(&house(&[("candor-transport", "candor", Some("dev"))])),
            ["candor-transport must not dev-depend on candor"]
        );
    }

    #[test]
    fn a_dependency_of_others_is_no_arrow() {
        assert_eq!(judge(&house(&[("candor-protocol", "serde_json", None)])), NONE);
    }

    #[test]
    fn an_unknown_crate_is_found() {
        let metadata = json!({"packages": [package("candor-gate", "candor-gate", &json!([]))]});
        assert_eq!(
            judge(&metadata),
            ["candor-gate is not in the table of arrows (xtask/src/arrows.rs)"]
        );
    }

    #[test]
    fn a_crate_in_a_folder_of_another_name_is_found() {
        let metadata = json!({"packages": [package("candor", "core", &json!([]))]});
        assert_eq!(judge(&metadata), ["candor must lie in a folder of its own name"]);
    }

    const NONE: [&str; 0] = [];

    fn below(from: &str, to: &str) -> bool {
        direct(from)
            .is_some_and(|next| next.contains(&to) || next.iter().any(|between| below(between, to)))
    }

    /// The whole workspace, with only these dependencies: (from, to, kind).
    fn house(arrows: &[(&str, &str, Option<&str>)]) -> Value {
        let packages: Vec<Value> = ARROWS
            .iter()
            .map(|(name, _)| {
                let dependencies: Vec<Value> = arrows
                    .iter()
                    .filter(|(from, ..)| from == name)
                    .map(|(_, to, kind)| json!({"name": to, "kind": kind}))
                    .collect();
                package(name, name, &json!(dependencies))
            })
            .collect();
        json!({ "packages": packages })
    }

    fn package(name: &str, folder: &str, dependencies: &Value) -> Value {
        let manifest = format!("/house/crates/{folder}/Cargo.toml");
        json!({"name": name, "manifest_path": manifest, "dependencies": dependencies})
    }
}

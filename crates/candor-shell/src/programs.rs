//! A folder to the tools it offers: the programs in it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use candor::Definition;
use rustix::fs::{Access, access};

use crate::comments::Comment;
use crate::declared::{self, Declared, Place};
use crate::findings::Findings;
use crate::joined;
use crate::offered::{Offer, Offered};
use crate::work::Runs;
use crate::written;

/// How much of a program is read: its first comment stands at its head.
const HEAD: u64 = 64 * 1024;

/// The programs of a folder: files in it, or links to files, that can be run. What is hidden, what
/// an editor keeps as a copy, and what describes another are none.
pub(crate) fn within(folder: &Path) -> BTreeSet<PathBuf> {
    files(folder).into_iter().filter(|file| is_executable(file)).collect()
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| folder.join(entry.file_name()));
    paths.filter(|path| !is_aside(path) && path.is_file()).collect()
}

fn is_aside(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(['.', '#']) || name.ends_with('~') || name.ends_with(".json")
}

fn is_executable(file: &Path) -> bool {
    access(file, Access::EXEC_OK).is_ok()
}

/// What a folder offers. Tools that do not say what they do are only for those who know of them.
pub(crate) fn offers(folder: &Path, callable_unlisted: bool, findings: &mut Findings) -> Offered {
    findings.read.look_into(folder);
    if let Err(cause) = std::fs::read_dir(folder) {
        findings.mistake(format!("{} cannot be read: {cause}", folder.display()));
        return Offered::default();
    }
    let mut programs: BTreeMap<String, PathBuf> = BTreeMap::new();
    for file in files(folder) {
        if !is_executable(&file) {
            warn_of_script(&file, findings);
            continue;
        }
        let Some(name) = name(&file, findings) else { continue };
        if let Some(other) = programs.get(&name) {
            findings.mistake(format!(
                "{} and {} would both be the tool {name}; rename one of them",
                other.display(),
                file.display()
            ));
            continue;
        }
        programs.insert(name, file);
    }
    if programs.is_empty() && findings.mistakes.is_empty() {
        let folder = folder.display();
        findings.mistake(format!("{folder} holds no executable file; each would be a tool"));
    }
    let offers: Vec<_> =
        programs.iter().filter_map(|(name, file)| program(name, file, findings)).collect();
    let is_enough = callable_unlisted || offers.iter().any(|offer| offer.is_listed);
    if !is_enough && findings.mistakes.is_empty() {
        findings.mistake(format!(
            "{} has no tool that says what it does; write it in the first comment of each \
             program, or in NAME.json beside it",
            folder.display()
        ));
    }
    Offered { about: None, hints: None, offers }
}

/// A script that cannot be run was probably meant to be.
fn warn_of_script(file: &Path, findings: &mut Findings) {
    if head(file).starts_with("#!") {
        let file = file.display();
        findings.warn(format!("{file} is not executable, and so no tool; chmod +x {file}"));
    }
}

/// The name of the tool that a program is: that of the file, without its extension.
fn name(file: &Path, findings: &mut Findings) -> Option<String> {
    let stem = file.file_stem().unwrap_or_default();
    let name = stem.to_str().filter(|name| Definition::is_name(name));
    if name.is_none() {
        findings.warn(format!(
            "{} is not served: {:?} is no name for a tool, which has 1 to 128 letters (a to z, A \
             to Z), digits, _, - and .",
            file.display(),
            stem.to_string_lossy()
        ));
    }
    name.map(str::to_owned)
}

/// One program; `None` if it has mistakes.
fn program(name: &str, file: &Path, findings: &mut Findings) -> Option<Offer> {
    let sidecar = file.with_file_name(format!("{name}.json"));
    findings.read.look_at(&sidecar);
    let json = match written::tool(&sidecar, name) {
        Ok(json) => json,
        Err(mistake) => {
            findings.mistake(mistake);
            return None;
        }
    };
    let head = head(file);
    if defines_tools(&head) {
        let file = file.display();
        findings.warn(format!(
            "{file} is one tool here, and the functions tool_NAME that it defines are none; serve \
             the file by its own name for those"
        ));
    }
    let comment = Comment::first(&head);
    let place = Place { name: file, path: file };
    let declared = match (&comment, &json) {
        (None, _) => Declared::default(),
        (Some(comment), None) => declared::read(comment, place, findings)?,
        (Some(comment), Some(json)) => {
            let tool = declared::Written { name, file: &sidecar, json };
            declared::read_beside(comment, place, tool, findings)?
        }
    };
    let json = json.unwrap_or_else(|| format!("{{\"name\":\"{name}\"}}"));
    let definition = match Definition::from_json(&joined::filled(&json, &declared)) {
        Ok(definition) => definition,
        Err(problem) => {
            findings.mistake(format!("{}: {problem}", sidecar.display()));
            return None;
        }
    };
    // Found by name, it would be looked for on PATH.
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let says_what_it_does = definition.member("description").is_some_and(|it| it != "\"\"");
    let offer = Offer::new(definition, Runs::Program(path), &declared).from(file);
    if says_what_it_does {
        return Some(offer);
    }
    findings.warn(format!(
        "{} is not listed; write in its first comment, or in {}, what it does",
        file.display(),
        sidecar.display()
    ));
    Some(offer.unlisted())
}

/// The head of a program, which need not be text.
/// A tools file, which does nothing when it is run, is probably meant to be served as one.
fn defines_tools(head: &str) -> bool {
    head.starts_with("#!")
        && head.lines().any(|line| {
            let name = line.strip_prefix("tool_").and_then(|rest| rest.split_once("()"));
            name.is_some_and(|(name, _)| Definition::is_name(name.trim_end()))
        })
}

fn head(file: &Path) -> String {
    let mut head = Vec::new();
    // One that may be run but not read has nothing to say here.
    if let Ok(file) = std::fs::File::open(file) {
        let _ = file.take(HEAD).read_to_end(&mut head);
    }
    String::from_utf8_lossy(&head).into_owned()
}

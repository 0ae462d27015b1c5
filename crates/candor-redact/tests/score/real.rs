//! Files that others wrote, from the cache of cargo, to the marks that a redactor makes in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::subject::Subject;

/// A mark in a file that others wrote.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    /// From the name of the package on, without its version.
    pub(crate) file: String,
    /// The line as it was masked, without the numbers of marks.
    pub(crate) line: String,
}

/// What was read, and what was found.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) files: usize,
    pub(crate) bytes: usize,
    pub(crate) marks: Vec<Mark>,
    /// How many marks there are where a line has several.
    pub(crate) count: usize,
}

/// No package gives more, so that many have their turn.
const OF_ONE: usize = 1 << 20;
/// Longer files are tables, mostly.
const LONGEST: usize = 256 << 10;
/// As much of a line as is shown.
const SHOWN: usize = 200;

/// Which packages are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packages {
    /// Those that this workspace is locked to: the same on each machine that has built it.
    Locked,
    /// These first, then whatever else is there.
    All,
}

/// Masks as many bytes of the cache as this, or as there are.
pub(crate) fn read(subject: &dyn Subject, packages: Packages, most: usize) -> Reading {
    let mut reading = Reading::default();
    for package in folders(packages) {
        let name = without_version(&package);
        let mut of_one = 0;
        for path in files(&package) {
            if reading.bytes >= most || of_one >= OF_ONE {
                break;
            }
            let Some(text) = text(&path) else { continue };
            of_one += text.len();
            reading.bytes += text.len();
            reading.files += 1;
            let inside = path.strip_prefix(&package).unwrap_or(&path);
            let file = format!("{name}/{}", inside.display());
            marks(subject, &file, &text, &mut reading);
        }
    }
    reading
}

fn marks(subject: &dyn Subject, file: &str, text: &str, reading: &mut Reading) {
    let masked = subject.success(text);
    if masked == text {
        return;
    }
    // A text may speak of marks itself.
    let own: BTreeSet<&str> = text.lines().filter(|line| line.contains(OPENING)).collect();
    for line in masked.lines().filter(|line| line.contains(OPENING) && !own.contains(line)) {
        reading.count += line.matches(OPENING).count();
        reading.marks.push(Mark { file: file.to_owned(), line: without_numbers(line) });
    }
}

const OPENING: &str = "[redacted:";

/// `[redacted:jwt#3]` becomes `[redacted:jwt]`: the number depends on what stands before it.
fn without_numbers(line: &str) -> String {
    let mut pieces = line.split(OPENING);
    let mut short = pieces.next().unwrap_or_default().trim_start().to_owned();
    for piece in pieces {
        let (mark, rest) = piece.split_once(']').unwrap_or((piece, ""));
        let name = mark.split_once('#').map_or(mark, |(name, _)| name);
        short.push_str(&format!("{OPENING}{name}]{rest}"));
    }
    let start = short.find(OPENING).unwrap_or(0).saturating_sub(SHOWN / 2);
    short
        .chars()
        .skip(short.char_indices().take_while(|(at, _)| *at < start).count())
        .take(SHOWN)
        .collect()
}

/// Lines that somebody judged: `verdict<TAB>file<TAB>line`.
pub(crate) struct Judged(BTreeMap<(String, String), String>);

impl Judged {
    pub(crate) fn read(list: &str) -> Self {
        let lines = list.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let entries = lines.filter_map(|line| {
            let mut parts = line.splitn(3, '\t');
            let verdict = parts.next()?.to_owned();
            Some(((parts.next()?.to_owned(), parts.next()?.to_owned()), verdict))
        });
        Self(entries.collect())
    }

    /// What was said about a mark: `right`, or `acceptable`.
    pub(crate) fn verdict(&self, mark: &Mark) -> Option<&str> {
        self.0.get(&(mark.file.clone(), mark.line.clone())).map(String::as_str)
    }

    /// Marks about which nothing was said.
    pub(crate) fn unjudged<'a>(&self, reading: &'a Reading) -> Vec<&'a Mark> {
        let unjudged: BTreeSet<&Mark> =
            reading.marks.iter().filter(|mark| self.verdict(mark).is_none()).collect();
        unjudged.into_iter().collect()
    }
}

/// The folders of packages, in the order of their names.
fn folders(packages: Packages) -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let source = home.unwrap_or_default().join("registry").join("src");
    let mut all: Vec<PathBuf> = entries(&source).iter().flat_map(|index| entries(index)).collect();
    all.sort_by(|one, other| one.file_name().cmp(&other.file_name()));
    let locked = locked();
    let is_locked = |path: &Path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| locked.contains(&name))
    };
    let (first, rest): (Vec<PathBuf>, Vec<PathBuf>) =
        all.into_iter().partition(|path| is_locked(path));
    match packages {
        Packages::Locked => first,
        Packages::All => first.into_iter().chain(rest).collect(),
    }
}

/// The packages of our own lock file, as their folders are called.
fn locked() -> BTreeSet<String> {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let text = fs::read_to_string(lock).unwrap_or_default();
    let mut names = BTreeSet::new();
    let mut name = "";
    for line in text.lines() {
        if let Some(said) = line.strip_prefix("name = ") {
            name = said.trim_matches('"');
        } else if let Some(said) = line.strip_prefix("version = ") {
            names.insert(format!("{name}-{}", said.trim_matches('"')));
        }
    }
    names
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in entries(folder) {
        if entry.is_dir() {
            files.extend(self::files(&entry));
        } else {
            files.push(entry);
        }
    }
    files
}

/// What is in a folder, in the order of names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// A file, if it is text.
fn text(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok().filter(|bytes| bytes.len() <= LONGEST)?;
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0') && !text.is_empty())
}

fn without_version(package: &Path) -> String {
    let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let version = name
        .match_indices('-')
        .find(|(at, _)| name[at + 1..].starts_with(|mark: char| mark.is_ascii_digit()));
    version.map_or(name.clone(), |(at, _)| name[..at].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Marks;

    impl Subject for Marks {
        fn success(&self, text: &str) -> String {
            text.replace("hunter2", "[redacted:password#7]")
        }

        fn error(&self, text: &str) -> String {
            self.success(text)
        }

        fn json(&self, text: &str) -> String {
            self.success(text)
        }
    }

    fn found(text: &str) -> Reading {
        let mut reading = Reading::default();
        marks(&Marks, "a/b.rs", text, &mut reading);
        reading
    }

    #[test]
    fn each_line_with_a_mark_is_kept_without_its_number() {
        let reading = found("one\n  x = hunter2;\nhunter2 and hunter2\n[redacted:own#1]\n");
        let lines: Vec<&str> = reading.marks.iter().map(|mark| mark.line.as_str()).collect();
        assert_eq!(
            lines,
            ["x = [redacted:password];", "[redacted:password] and [redacted:password]"]
        );
        assert_eq!(reading.count, 3);
    }

    #[test]
    fn what_was_judged_is_not_asked_again() {
        let reading = found("a hunter2\nb hunter2\n");
        let judged = Judged::read("# a list\n\nright\ta/b.rs\ta [redacted:password]\n");
        let lines: Vec<&str> =
            judged.unjudged(&reading).iter().map(|mark| mark.line.as_str()).collect();
        assert_eq!(lines, ["b [redacted:password]"]);
        assert_eq!(judged.verdict(&reading.marks[0]), Some("right"));
    }

    #[test]
    fn a_package_is_known_without_its_version() {
        assert_eq!(without_version(Path::new("/x/linux-raw-sys-0.12.1")), "linux-raw-sys");
        assert_eq!(without_version(Path::new("/x/a-1.0.0-rc.1+7")), "a");
    }
}

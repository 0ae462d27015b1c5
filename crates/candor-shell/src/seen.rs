//! Paths to what they looked like, so that a change is noticed without reading.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::programs;

/// Some file systems keep times no finer than this: of two changes within it, the second may look
/// like the first.
const FINEST: Duration = Duration::from_millis(20);

/// What some paths looked like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    files: BTreeMap<PathBuf, Option<Stamp>>,
    /// Folders, with the programs in them.
    folders: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

/// By what a file is known to be the same. Its time alone would not do: it may be set back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    size: u64,
    device: u64,
    inode: u64,
}

impl Seen {
    /// Looks at a file, unless it was looked at before.
    pub(crate) fn look_at(&mut self, file: &Path) {
        if !self.files.contains_key(file) {
            self.files.insert(file.to_owned(), Stamp::of(file));
        }
    }

    /// Looks at which programs a folder holds, and at each of them.
    pub(crate) fn look_into(&mut self, folder: &Path) {
        let programs = programs::within(folder);
        for program in &programs {
            self.look_at(program);
        }
        self.folders.insert(folder.to_owned(), programs);
    }

    /// What the same paths look like now.
    pub(crate) fn again(&self) -> Self {
        let mut now = Self::default();
        for file in self.files.keys() {
            now.look_at(file);
        }
        for folder in self.folders.keys() {
            now.look_into(folder);
        }
        now
    }

    /// Adds what was seen of other paths.
    pub(crate) fn add(&mut self, other: Self) {
        for (file, stamp) in other.files {
            self.files.entry(file).or_insert(stamp);
        }
        for (folder, programs) in other.folders {
            self.folders.entry(folder).or_insert(programs);
        }
    }

    /// The same of these files only.
    pub(crate) fn only<'a>(&self, files: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut kept = Self::default();
        for file in files {
            let stamp = self.files.get(file).copied().unwrap_or_else(|| Stamp::of(file));
            kept.files.insert(file.to_owned(), stamp);
        }
        kept
    }

    /// Is something gone that was there before?
    pub(crate) fn lacks(&self, before: &Self) -> bool {
        let is_gone = |file: &Path| self.files.get(file).is_some_and(Option::is_none);
        let is_out = |folder: &PathBuf, programs: &BTreeSet<PathBuf>| {
            self.folders.get(folder).is_none_or(|now| !programs.is_subset(now))
        };
        before.files.iter().any(|(file, stamp)| stamp.is_some() && is_gone(file))
            || before.folders.iter().any(|(folder, programs)| is_out(folder, programs))
    }

    /// May something have been changed again that looks the same?
    pub(crate) fn is_fresh(&self) -> bool {
        let now = SystemTime::now();
        let times = self.files.values().flatten().filter_map(|stamp| stamp.modified);
        let mut ages = times.filter_map(|time| now.duration_since(time).ok());
        ages.any(|age| age < FINEST)
    }
}

impl Stamp {
    fn of(file: &Path) -> Option<Self> {
        let about = std::fs::metadata(file).ok()?;
        Some(Self {
            modified: about.modified().ok(),
            size: about.size(),
            device: about.dev(),
            inode: about.ino(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File, Permissions};
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    use super::Seen;

    /// A file that was changed a minute ago.
    fn write(file: &Path, text: &str) {
        fs::write(file, text).unwrap();
        let before = SystemTime::now() - Duration::from_mins(1);
        File::options().append(true).open(file).unwrap().set_modified(before).unwrap();
    }

    #[test]
    fn a_file_that_was_written_or_replaced_or_removed_looks_different() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        write(&file, "one");
        let mut seen = Seen::default();
        seen.look_at(&file);
        assert_eq!(seen.again(), seen);
        assert!(!seen.is_fresh());

        let time = fs::metadata(&file).unwrap().modified().unwrap();
        let other = folder.path().join("b");
        fs::write(&other, "two").unwrap();
        File::options().append(true).open(&other).unwrap().set_modified(time).unwrap();
        fs::rename(&other, &file).unwrap();
        assert_ne!(seen.again(), seen, "its time and size are the same");

        let seen = seen.again();
        fs::write(&file, "three").unwrap();
        let now = seen.again();
        assert_ne!(now, seen);
        assert!(!now.lacks(&seen));
        assert!(now.is_fresh());

        fs::remove_file(&file).unwrap();
        assert!(now.again().lacks(&now));
        assert!(!now.again().lacks(&now.again()));
    }

    #[test]
    fn a_folder_looks_different_when_its_programs_do_and_not_for_anything_else() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("a.sh");
        write(&program, "");
        let mut seen = Seen::default();
        seen.look_into(folder.path());
        fs::write(folder.path().join("log"), "").unwrap();
        assert_eq!(seen.again(), seen);

        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        let now = seen.again();
        assert_ne!(now, seen);
        assert!(!now.lacks(&seen) && seen.lacks(&now));
        fs::write(&program, "more").unwrap();
        assert_ne!(now.again(), now);
    }
}

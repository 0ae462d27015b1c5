//! The folder of one call: what it attaches, and what it keeps for as long as it lasts.
//!
//! It is made by the tool, when it first needs it, under a name that nobody can guess.

use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::BuildHasher;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use crate::verbs::Copy;

/// Names for the folders of calls.
#[derive(Debug)]
pub(crate) struct CallFolders(String);

/// The folder of one call. Dropped, it is gone with all that is in it.
#[derive(Debug)]
pub(crate) struct CallFolder(PathBuf);

/// A file that goes with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attached {
    /// What it was called.
    pub name: String,
    /// The media type that its author gave.
    pub media_type: Option<String>,
    /// What was in it; `None` if that was more than the call may say.
    pub bytes: Option<Vec<u8>>,
}

impl CallFolders {
    pub(crate) fn new() -> Self {
        let random = RandomState::new().hash_one(std::process::id());
        let beside = std::env::temp_dir();
        let beside = beside.to_str().filter(|it| !it.contains('\n')).unwrap_or("/tmp");
        Self(format!("{}/candor-{random:016x}-", beside.trim_end_matches('/')))
    }

    /// What every name starts with; the number of the call follows.
    pub(crate) fn prefix(&self) -> &str {
        &self.0
    }

    pub(crate) fn of_call(&self, id: u64) -> CallFolder {
        CallFolder(PathBuf::from(format!("{}{id}", self.0)))
    }
}

impl CallFolder {
    /// Takes out what was attached, `limit` bytes in all; and removes the folder.
    pub(crate) async fn empty(mut self, copies: Vec<Copy>, limit: usize) -> Vec<Attached> {
        if copies.is_empty() && self.0.symlink_metadata().is_err() {
            // So it is with most calls, and nothing is there to be removed.
            self.0.clear();
            return Vec::new();
        }
        let taken = tokio::task::spawn_blocking(move || self.take(copies, limit));
        taken.await.unwrap_or_default()
    }

    fn take(&self, copies: Vec<Copy>, limit: usize) -> Vec<Attached> {
        let mut left = limit;
        let mut take = |Copy { id, media_type, name }| {
            let bytes = read(&self.0.join("attached").join(id), left);
            left -= bytes.as_ref().map_or(0, Vec::len);
            Attached { name, media_type, bytes }
        };
        copies.into_iter().map(&mut take).collect()
    }
}

/// A file of no more than so many bytes.
fn read(path: &Path, most: usize) -> Option<Vec<u8>> {
    let mut open = File::options();
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    open.read(true).custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    let file = open.open(path).ok().filter(|file| file.metadata().is_ok_and(|it| it.is_file()))?;
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= most).then_some(bytes)
}

impl Drop for CallFolder {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() && self.0.symlink_metadata().is_ok() {
            // What cannot be removed is in a place for what is not kept.
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

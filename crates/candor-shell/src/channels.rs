//! Pipes to and from a shell that was started long before the call they are for.
//!
//! A pipe cannot be handed to a running bash, but bash can open it by name: under the host's
//! `/proc/PID/fd/` where there is one, else as a named pipe in a folder that is ours alone.
//!
//! Such a name must not come to mean something else while a shell may still open it, though the
//! host has given up on that shell. So the shell's ends get numbers that are used in turn, far
//! above those that the system gives out first.

use std::collections::hash_map::RandomState;
use std::fs::{DirBuilder, File, OpenOptions};
use std::hash::BuildHasher;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{Mode, OFlags};
use rustix::process::{Resource, getrlimit};

/// What the shell opens by names that are made for it.
#[derive(Debug)]
pub(crate) struct Channels {
    way: Way,
    nothing: Held,
}

/// How the shell finds them.
#[derive(Debug)]
enum Way {
    /// As open files of this process.
    Descriptors,
    /// As names in a folder.
    Folder(Folder),
}

/// A private folder, gone when dropped.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    next: AtomicU64,
}

/// The shell's end, open here too until the shell has it, so that its name stays good.
#[derive(Debug)]
pub(crate) struct Held {
    /// What follows the prefix in the name that the shell opens.
    pub(crate) name: String,
    _end: OwnedFd,
    path: Option<PathBuf>,
}

impl Channels {
    /// The best way there is here, or named pipes if told so.
    pub(crate) fn new(named_pipes: bool) -> io::Result<Self> {
        // Read, not only there: a process that may not be dumped cannot open its own.
        if !named_pipes && std::fs::read_dir(descriptors()).is_ok() {
            let nothing = Held::descriptor(File::open(NOTHING)?.into(), &RUNNERS);
            return Ok(Self { way: Way::Descriptors, nothing });
        }
        let folder = Folder::new()?;
        let path = folder.name();
        std::os::unix::fs::symlink(NOTHING, &path)?;
        let nothing = Held::named(File::open(NOTHING)?.into(), path);
        Ok(Self { way: Way::Folder(folder), nothing })
    }

    /// The name of what there is nothing to read from.
    pub(crate) fn nothing(&self) -> &str {
        &self.nothing.name
    }

    /// What every name starts with.
    pub(crate) fn prefix(&self) -> String {
        match &self.way {
            Way::Descriptors => descriptors(),
            Way::Folder(folder) => format!("{}/", folder.path.display()),
        }
    }

    /// A pipe that the shell writes.
    pub(crate) fn reading(&self, turn: &Turn) -> io::Result<(OwnedFd, Held)> {
        Ok(match &self.way {
            Way::Descriptors => {
                let (read, write) = pipe()?;
                (read, Held::descriptor(write, turn))
            }
            Way::Folder(folder) => {
                let (read, write, path) = folder.pipe()?;
                (read, Held::named(write, path))
            }
        })
    }

    /// A pipe that the shell reads.
    pub(crate) fn writing(&self, turn: &Turn) -> io::Result<(OwnedFd, Held)> {
        Ok(match &self.way {
            Way::Descriptors => {
                let (read, write) = pipe()?;
                (write, Held::descriptor(read, turn))
            }
            Way::Folder(folder) => {
                let (read, write, path) = folder.pipe()?;
                rustix::io::ioctl_fionbio(&write, true)?;
                (write, Held::named(read, path))
            }
        })
    }

    /// A file that the shell reads: a pipe would cost it one system call for each byte.
    pub(crate) fn file(&self, turn: &Turn, parts: &[&[u8]]) -> io::Result<Held> {
        let (mut file, path) = match &self.way {
            Way::Descriptors => (unnamed()?, None),
            Way::Folder(folder) => {
                let path = folder.name();
                let file =
                    OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
                (file, Some(path))
            }
        };
        for part in parts {
            file.write_all(part)?;
        }
        let end = OwnedFd::from(file);
        Ok(match path {
            Some(path) => Held::named(end, path),
            None => Held::descriptor(end, turn),
        })
    }
}

/// Numbers for open files, used in turn.
#[derive(Debug)]
pub(crate) struct Turn {
    /// Its part of all numbers there are, in quarters.
    quarter: u64,
    next: AtomicU64,
}

/// For what a call needs. There are many calls, and each can tell a wrong file from its own.
pub(crate) static CALLS: Turn = Turn { quarter: 2, next: AtomicU64::new(0) };

/// For what a runner needs, which cannot tell. There are few.
pub(crate) static RUNNERS: Turn = Turn { quarter: 3, next: AtomicU64::new(0) };

const NOTHING: &str = "/dev/null";

/// More numbers than this are not needed, and cost memory.
const NUMBERS: u64 = 4096;

impl Turn {
    fn take(&self, end: OwnedFd) -> OwnedFd {
        // Asked once, not for each end of each call.
        static LIMIT: OnceLock<u64> = OnceLock::new();
        let limit = || getrlimit(Resource::Nofile).current.unwrap_or(NUMBERS).min(NUMBERS);
        let all = LIMIT.get_or_init(limit);
        let quarter = (all / 4).max(1);
        let number = self.quarter * quarter + self.next.fetch_add(1, Ordering::Relaxed) % quarter;
        let number = i32::try_from(number).unwrap_or(0);
        // The next free one from there. If there is none, the number it has must do.
        rustix::io::fcntl_dupfd_cloexec(&end, number).unwrap_or(end)
    }
}

impl Held {
    fn descriptor(end: OwnedFd, turn: &Turn) -> Self {
        let end = turn.take(end);
        Self { name: end.as_raw_fd().to_string(), _end: end, path: None }
    }

    fn named(end: OwnedFd, path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { name, _end: end, path: Some(path) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // Gone already, with its folder, or never to be opened again: nothing to do.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Folder {
    fn new() -> io::Result<Self> {
        let beside = std::env::temp_dir();
        loop {
            let random = RandomState::new().hash_one(std::process::id());
            let path = beside.join(format!("candor-{random:016x}"));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self { path, next: AtomicU64::new(0) }),
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {}
                Err(cause) => return Err(cause),
            }
        }
    }

    fn name(&self) -> PathBuf {
        self.path.join(self.next.fetch_add(1, Ordering::Relaxed).to_string())
    }

    /// Both ends of a new named pipe; the reading one does not block.
    fn pipe(&self) -> io::Result<(OwnedFd, OwnedFd, PathBuf)> {
        let path = self.name();
        make_pipe(&path)?;
        // The reader first: a writer would wait for one.
        let read = rustix::fs::open(
            &path,
            OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC,
            Mode::empty(),
        )?;
        let write = rustix::fs::open(&path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
        Ok((read, write, path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

fn descriptors() -> String {
    format!("/proc/{}/fd/", std::process::id())
}

/// A pipe whose ends here do not block. The shell opens ends of its own, which do.
#[cfg(target_os = "linux")]
fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    use rustix::pipe::{PipeFlags, pipe_with};
    Ok(pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?)
}

#[cfg(not(target_os = "linux"))]
fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(target_os = "linux")]
fn unnamed() -> io::Result<File> {
    Ok(rustix::fs::memfd_create("candor", rustix::fs::MemfdFlags::CLOEXEC)?.into())
}

#[cfg(not(target_os = "linux"))]
fn unnamed() -> io::Result<File> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(not(target_vendor = "apple"))]
fn make_pipe(path: &Path) -> io::Result<()> {
    Ok(rustix::fs::mkfifoat(rustix::fs::CWD, path, Mode::RUSR | Mode::WUSR)?)
}

/// There, a named pipe is made by a call that rustix does not offer.
#[cfg(target_vendor = "apple")]
fn make_pipe(path: &Path) -> io::Result<()> {
    let made = std::process::Command::new("mkfifo").arg("-m").arg("600").arg(path).status()?;
    if made.success() { Ok(()) } else { Err(io::Error::other("mkfifo failed")) }
}

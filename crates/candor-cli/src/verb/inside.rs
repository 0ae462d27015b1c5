//! Inside a tool: lines for the server, and files in the folder of the call.

use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::OFlags;

use super::line::Saying;

const FD: &str = "CANDOR_FD";
const FOLDER: &str = "CANDOR_FOLDER";
const OUTPUT: &str = "CANDOR_OUTPUT";

/// The call that runs this program.
#[derive(Debug)]
pub(crate) struct Call {
    descriptor: OsString,
    folder: Option<OsString>,
    output: Option<OsString>,
}

impl Call {
    /// Whose tool we are; nobody's, if someone has started the tool by hand.
    pub(crate) fn here() -> Option<Self> {
        let set = |name| std::env::var_os(name).filter(|set| !set.is_empty());
        Some(Self { descriptor: set(FD)?, folder: set(FOLDER), output: set(OUTPUT) })
    }

    /// Says something to the server.
    ///
    /// # Errors
    ///
    /// Nobody hears it; said in a sentence.
    pub(crate) fn say(&self, saying: Saying<'_>) -> Result<(), String> {
        let number = self.descriptor.to_str().and_then(|number| number.parse::<u32>().ok());
        let Some(number) = number else {
            return Err(format!("{FD} is {}, which is no descriptor", self.descriptor.display()));
        };
        channel(number)
            .and_then(|pipe| write(pipe, saying.line().as_bytes()))
            .map_err(|cause| format!("the server does not hear this: {cause}"))
    }

    /// Keeps what a file holds, up to what the call may say, and gives the name of the copy.
    ///
    /// # Errors
    ///
    /// It cannot be kept; said in a sentence.
    pub(crate) fn keep(&self, file: File) -> Result<String, String> {
        let folder = self.own("attached")?;
        let most = match &self.output {
            Some(most) => most.to_str().and_then(|most| most.parse::<u64>().ok()),
            None => Some(u64::MAX),
        };
        let most = most.ok_or_else(|| format!("{OUTPUT} is no number"))?;
        let copy = || {
            let (name, mut copy) = fresh(&folder)?;
            // One byte more than may be said shows that it is too much.
            io::copy(&mut file.take(most.saturating_add(1)), &mut copy)?;
            Ok(name)
        };
        copy().map_err(|cause: io::Error| format!("the file cannot be copied: {cause}"))
    }

    /// A folder that goes when the call ends.
    ///
    /// # Errors
    ///
    /// It cannot be made; said in a sentence.
    pub(crate) fn temp(&self) -> Result<PathBuf, String> {
        self.own("temp")
    }

    /// A folder within the one of the call, which nobody else can look into.
    fn own(&self, name: &str) -> Result<PathBuf, String> {
        let Some(folder) = self.folder.as_ref().map(PathBuf::from) else {
            return Err(format!("{FOLDER} is not set, so there is no place for files"));
        };
        let made = || {
            make(&folder)?;
            let about = folder.symlink_metadata()?;
            if !about.is_dir() || about.uid() != rustix::process::geteuid().as_raw() {
                return Err(io::Error::other("something else is there"));
            }
            let own = folder.join(name);
            make(&own)?;
            Ok(own)
        };
        made().map_err(|cause: io::Error| format!("{} cannot be made: {cause}", folder.display()))
    }
}

/// The pipe with this number, ours or that of whoever has started us: Python, for one, closes what
/// it has inherited in all that it starts.
fn channel(number: u32) -> io::Result<File> {
    let opened = open(Path::new(&format!("/dev/fd/{number}")));
    let theirs = || {
        let paths = Ancestors::new().map(|process| format!("/proc/{process}/fd/{number}"));
        paths.map(|path| open(Path::new(&path))).find_map(Result::ok)
    };
    opened.or_else(|cause| theirs().ok_or(cause))
}

/// Opens a pipe for lines. One that nobody reads is refused: to open it the usual way would wait for
/// ever. So is anything else; it may have the number by chance.
fn open(path: &Path) -> io::Result<File> {
    let without_waiting = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let pipe = File::options().append(true).custom_flags(without_waiting).open(path)?;
    if pipe.metadata()?.file_type().is_fifo() {
        Ok(pipe)
    } else {
        Err(io::Error::other("something else has its number"))
    }
}

/// Writes a line whole, and waits where the server is slow.
fn write(mut pipe: File, line: &[u8]) -> io::Result<()> {
    loop {
        match pipe.write_all(line) {
            Err(cause) if cause.kind() == ErrorKind::WouldBlock => {
                poll(&mut [PollFd::new(&pipe, PollFlags::OUT)], None)?;
            }
            written => return written,
        }
    }
}

/// The processes that this one descends from, within the call: a call is a process group. None where
/// there is no `/proc`.
struct Ancestors {
    group: Option<u32>,
    next: Option<u32>,
}

impl Ancestors {
    fn new() -> Self {
        let (parent, group) = Self::of("self").unzip();
        Self { group, next: parent }
    }

    /// The parent of a process, and its group.
    fn of(process: &str) -> Option<(u32, u32)> {
        let about = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name before these may hold anything.
        let (_, about) = about.rsplit_once(')')?;
        let mut numbers = about.split_whitespace().skip(1).map_while(|word| word.parse().ok());
        Some((numbers.next()?, numbers.next()?))
    }
}

impl Iterator for Ancestors {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let process = self.next?;
        let (parent, group) = Self::of(&process.to_string())?;
        if Some(group) != self.group {
            return None;
        }
        self.next = Some(parent);
        Some(process)
    }
}

/// Makes a folder for us alone, if there is none yet. That of a call lies in one which is there.
fn make(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(cause) if cause.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// A new file under a name that no other has.
fn fresh(folder: &Path) -> io::Result<(String, File)> {
    loop {
        let name = name();
        let opened =
            File::options().write(true).create_new(true).mode(0o600).open(folder.join(&name));
        match opened {
            Err(cause) if cause.kind() == ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (name, file)),
        }
    }
}

/// Sixteen digits that nobody can guess.
pub(crate) fn name() -> String {
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

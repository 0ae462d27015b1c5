//! A server under measurement: one process, or several side by side, on pipes.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use memchr::memchr;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::time::ClockId;
use nix::unistd::Pid;

use crate::cores::Cores;
use crate::wire::{Answer, Speech};

/// As long as a server may take for anything; then it has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

const BUFFER: usize = 256 * 1024;

/// What is to be measured.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) command: Vec<OsString>,
    /// How many processes of it stand side by side and share the calls.
    pub(crate) lanes: usize,
    pub(crate) speech: Speech,
    pub(crate) answer: Answer,
}

/// A running target. Ended at the latest when it is dropped.
pub(crate) struct Server {
    pub(crate) lanes: Vec<Lane>,
    children: Vec<Child>,
    stderr: PathBuf,
    /// CPU time of all children waited for before this server's.
    before: Duration,
}

/// The two pipes of one process, and what is on its way in them.
pub(crate) struct Lane {
    pub(crate) pid: u32,
    pub(crate) in_flight: usize,
    to: File,
    from: File,
    unsent: Vec<u8>,
    sent: usize,
    heard: Vec<u8>,
    filled: usize,
}

impl Server {
    /// Starts it; its stderr goes to a file in `scratch`.
    pub(crate) fn start(target: &Target, cores: Cores, scratch: &Path) -> io::Result<Self> {
        let before = children_cpu()?;
        let stderr = scratch.join("stderr");
        let log = File::create(&stderr)?;
        let mut server = Self { lanes: Vec::new(), children: Vec::new(), stderr, before };
        let (program, arguments) =
            target.command.split_first().ok_or_else(|| io::Error::other("no command"))?;
        cores.as_server()?;
        for _ in 0..target.lanes {
            let mut child = Command::new(program)
                .args(arguments)
                .current_dir(scratch)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(log.try_clone()?)
                .spawn()?;
            let pipes = child.stdin.take().zip(child.stdout.take());
            let pid = child.id();
            server.children.push(child);
            let (to, from) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
            server.lanes.push(Lane::new(pid, to.into(), from.into())?);
        }
        cores.as_client()?;
        Ok(server)
    }

    /// The CPU time that its first processes took until now, without what they started.
    pub(crate) fn own_cpu(&self) -> io::Result<Duration> {
        let mut all = Duration::ZERO;
        for lane in &self.lanes {
            let pid = Pid::from_raw(lane.pid.try_into().map_err(io::Error::other)?);
            all += Duration::from(ClockId::pid_cpu_clock_id(pid)?.now()?);
        }
        Ok(all)
    }

    /// Closes its stdin, waits, and gives the CPU time that it took from its start on, with that of
    /// everything that it started.
    pub(crate) fn end(mut self) -> io::Result<Duration> {
        self.lanes.clear();
        let deadline = Instant::now() + PATIENCE;
        for child in &mut self.children {
            while child.try_wait()?.is_none() {
                if Instant::now() > deadline {
                    return Err(io::Error::other("it did not end with its input"));
                }
                sleep(Duration::from_millis(1));
            }
        }
        wait_for_orphans(deadline)?;
        Ok(children_cpu()?.saturating_sub(self.before))
    }

    /// Waits until an answer or, where something is unsent, room for more of it is there.
    /// False if neither came in time.
    pub(crate) fn wait(&self, patience: Duration) -> io::Result<bool> {
        let mut fds: Vec<PollFd<'_>> = Vec::with_capacity(4);
        for lane in &self.lanes {
            fds.push(PollFd::new(lane.from.as_fd(), PollFlags::POLLIN));
            if !lane.is_sent() {
                fds.push(PollFd::new(lane.to.as_fd(), PollFlags::POLLOUT));
            }
        }
        ready(&mut fds, patience)
    }

    /// Why a measurement failed: the error, and the last that the server wrote to stderr.
    pub(crate) fn trouble(&self, error: &io::Error) -> String {
        let log = fs::read(&self.stderr).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let last = log.lines().rev().find(|line| !line.trim().is_empty());
        last.map_or_else(|| error.to_string(), |last| format!("{error}; on stderr: {last}"))
    }

    /// What it wrote to stderr.
    pub(crate) fn log(scratch: &Path) -> io::Result<String> {
        fs::read_to_string(scratch.join("stderr"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for child in &mut self.children {
            if matches!(child.try_wait(), Ok(None)) {
                // It may have ended between the two; then there is nothing to do.
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

impl Lane {
    fn new(pid: u32, to: OwnedFd, from: OwnedFd) -> io::Result<Self> {
        // Each end of a pipe has flags of its own: the server's ends still block.
        unblock(to.as_fd())?;
        unblock(from.as_fd())?;
        Ok(Self {
            pid,
            in_flight: 0,
            to: to.into(),
            from: from.into(),
            unsent: Vec::with_capacity(BUFFER),
            sent: 0,
            heard: vec![0; BUFFER],
            filled: 0,
        })
    }

    /// What is to be sent; [`Lane::send`] sends it.
    pub(crate) fn unsent(&mut self) -> &mut Vec<u8> {
        &mut self.unsent
    }

    pub(crate) fn is_sent(&self) -> bool {
        self.sent == self.unsent.len()
    }

    /// Sends as much as the pipe takes now, and says how much that was.
    pub(crate) fn send(&mut self) -> io::Result<usize> {
        let before = self.sent;
        while !self.is_sent() {
            match self.to.write(self.unsent.get(self.sent..).unwrap_or_default()) {
                Ok(written) => self.sent += written,
                Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => break,
                Err(cause) => return Err(cause),
            }
        }
        let sent = self.sent - before;
        if self.is_sent() {
            self.unsent.clear();
            self.sent = 0;
        }
        Ok(sent)
    }

    /// Reads once what is there, and hands over each whole line.
    pub(crate) fn hear(&mut self, mut line: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if self.filled == self.heard.len() {
            self.heard.resize(self.heard.len() * 2, 0);
        }
        match self.from.read(self.heard.get_mut(self.filled..).unwrap_or_default()) {
            Ok(0) => return Err(io::Error::other("it closed its output")),
            Ok(read) => self.filled += read,
            Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            Err(cause) => return Err(cause),
        }
        let mut rest = self.heard.get(..self.filled).unwrap_or_default();
        while let Some((one, after)) =
            memchr(b'\n', rest).and_then(|end| rest.split_at_checked(end))
        {
            line(one)?;
            rest = after.get(1..).unwrap_or_default();
        }
        let left = rest.len();
        self.heard.copy_within(self.filled - left..self.filled, 0);
        self.filled = left;
        Ok(())
    }

    /// Waits until the pipe takes more; false if it does not in time.
    pub(crate) fn wait_for_room(&self, patience: Duration) -> io::Result<bool> {
        ready(&mut [PollFd::new(self.to.as_fd(), PollFlags::POLLOUT)], patience)
    }
}

/// Makes this process the parent of what a server leaves behind, so that its time counts, too.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(nix::sys::prctl::set_child_subreaper(true)?)
}

/// Waits for every process that is left, once the servers themselves are waited for.
fn wait_for_orphans(deadline: Instant) -> io::Result<()> {
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Err(Errno::ECHILD) => return Ok(()),
            Err(cause) => return Err(cause.into()),
            Ok(WaitStatus::StillAlive) if Instant::now() > deadline => {
                return Err(io::Error::other("something that it started did not end with it"));
            }
            Ok(WaitStatus::StillAlive) => sleep(Duration::from_millis(1)),
            Ok(_) => {}
        }
    }
}

fn ready(fds: &mut [PollFd<'_>], patience: Duration) -> io::Result<bool> {
    let patience = PollTimeout::try_from(patience).map_err(io::Error::other)?;
    match poll(fds, patience) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::EINTR) => Ok(true),
        Err(cause) => Err(cause.into()),
    }
}

fn unblock(fd: BorrowedFd<'_>) -> io::Result<()> {
    let flags = OFlag::from_bits_retain(fcntl(fd, FcntlArg::F_GETFL)?);
    fcntl(fd, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}

/// The CPU time of this process.
pub(crate) fn own_cpu() -> io::Result<Duration> {
    cpu(UsageWho::RUSAGE_SELF)
}

/// The CPU time of all processes that were waited for.
pub(crate) fn children_cpu() -> io::Result<Duration> {
    cpu(UsageWho::RUSAGE_CHILDREN)
}

fn cpu(whose: UsageWho) -> io::Result<Duration> {
    let usage = getrusage(whose)?;
    let both = usage.user_time() + usage.system_time();
    let seconds = u64::try_from(both.tv_sec()).map_err(io::Error::other)?;
    let micros = u64::try_from(both.tv_usec()).map_err(io::Error::other)?;
    Ok(Duration::from_secs(seconds) + Duration::from_micros(micros))
}

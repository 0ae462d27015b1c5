//! A fork of the warm shell that runs one call after another.

use std::io;
use std::os::fd::OwnedFd;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;

use crate::channels::{Channels, Held, RUNNERS};

/// The host's side of one runner.
#[derive(Debug)]
pub(crate) struct Runner {
    requests: OwnedFd,
    reports: pipe::Receiver,
    heard: Vec<u8>,
    /// Its ends of the two pipes, until it has them.
    held: Option<[Held; 2]>,
    pid: Option<Pid>,
    busy: bool,
}

/// What a runner says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Report {
    /// It has opened its pipes.
    Up,
    /// This call runs, in this process group.
    Group(u64, Pid),
    /// This call is over, with this status, and nothing is left of its group.
    Status(u64, u8),
    /// There is no runner any more.
    Gone,
}

impl Runner {
    /// Asks the warm shell to fork one.
    pub(crate) fn launch(channels: &Channels, warm: &OwnedFd) -> io::Result<Self> {
        let (requests, its_requests) = channels.writing(&RUNNERS)?;
        let (reports, its_reports) = channels.reading(&RUNNERS)?;
        let reports = pipe::Receiver::from_owned_fd_unchecked(reports)?;
        send(warm, format!("{} {}\n", its_requests.name, its_reports.name).as_bytes())?;
        Ok(Self {
            requests,
            reports,
            heard: Vec::new(),
            held: Some([its_requests, its_reports]),
            pid: None,
            busy: false,
        })
    }

    pub(crate) fn is_up(&self) -> bool {
        self.held.is_none()
    }

    pub(crate) fn request(&mut self, line: &[u8]) -> io::Result<()> {
        send(&self.requests, line)?;
        self.busy = true;
        Ok(())
    }

    /// The next thing it says. May be dropped and asked again.
    pub(crate) async fn report(&mut self) -> Report {
        loop {
            while let Some(end) = self.heard.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.heard.drain(..=end).collect();
                if let Some(report) = self.read(&line) {
                    return report;
                }
            }
            match self.reports.read_buf(&mut self.heard).await {
                Ok(0) | Err(_) => return Report::Gone,
                Ok(_) => {}
            }
        }
    }

    fn read(&mut self, line: &[u8]) -> Option<Report> {
        let line = std::str::from_utf8(line).ok()?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["up", pid] => {
                self.pid = Pid::from_raw(pid.parse().ok()?);
                self.held = None;
                Some(Report::Up)
            }
            [id, "group", group] => {
                Some(Report::Group(id.parse().ok()?, Pid::from_raw(group.parse().ok()?)?))
            }
            [id, "status", status] => {
                self.busy = false;
                Some(Report::Status(id.parse().ok()?, status.parse().ok()?))
            }
            // Not ours: a call that was given up may have found another's pipe under its number.
            _ => None,
        }
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // One that is free ends by itself when its requests do. One that is not is given up.
        if self.busy
            && let Some(pid) = self.pid
        {
            // Gone already: as wanted.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Writes a line, which a pipe takes whole or not at all.
pub(crate) fn send(pipe: &OwnedFd, line: &[u8]) -> io::Result<()> {
    match rustix::io::retry_on_intr(|| rustix::io::write(pipe, line))? {
        written if written == line.len() => Ok(()),
        _ => Err(io::ErrorKind::WriteZero.into()),
    }
}

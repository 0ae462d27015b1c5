//! A pipe that a call writes to what has come through it.

use std::future::pending;
use std::io;
use std::os::fd::OwnedFd;

use tokio::net::unix::pipe;

/// As much as a full pipe may hold: what is there when a call ends, and no more.
const LEFT: usize = 1024 * 1024;

const CHUNK: usize = 16 * 1024;

/// The host's end of a pipe that a call writes.
///
/// Most calls are over before a pipe is full. So it costs the runtime nothing until it is watched.
#[derive(Debug)]
pub(crate) struct Outlet {
    end: OwnedFd,
    /// A second one for the runtime.
    watched: Option<pipe::Receiver>,
}

impl Outlet {
    /// `end` does not block.
    pub(crate) fn new(end: OwnedFd) -> Self {
        Self { end, watched: None }
    }

    /// One that is watched from the first.
    pub(crate) fn watched(end: OwnedFd) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&end, true)?;
        let mut outlet = Self::new(end);
        outlet.watch()?;
        Ok(outlet)
    }

    pub(crate) fn watch(&mut self) -> io::Result<()> {
        let end = self.end.try_clone()?;
        self.watched = Some(pipe::Receiver::from_owned_fd_unchecked(end)?);
        Ok(())
    }

    /// Waits until [`Outlet::take`] may find something, which is never if it is not watched.
    pub(crate) async fn ready(&self) -> io::Result<()> {
        match &self.watched {
            // What is ready stays so until nothing is found there.
            Some(watched) => watched.readable().await,
            None => pending().await,
        }
    }

    /// Takes a piece of what is there; false once the pipe is at its end.
    pub(crate) fn take(&self, add: impl FnOnce(&[u8])) -> io::Result<bool> {
        let Some(watched) = &self.watched else { return Ok(true) };
        let mut chunk = [0; CHUNK];
        match watched.try_read(&mut chunk) {
            Ok(taken) => {
                add(chunk.get(..taken).unwrap_or_default());
                Ok(taken > 0)
            }
            Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => Ok(true),
            Err(cause) => Err(cause),
        }
    }

    /// Takes all that is there and is over, which the runtime may not yet have noticed.
    pub(crate) fn drain(&self, mut add: impl FnMut(&[u8])) {
        let mut chunk = [0; CHUNK];
        let mut left = LEFT / CHUNK;
        while left > 0 {
            left -= 1;
            match rustix::io::retry_on_intr(|| rustix::io::read(&self.end, &mut chunk)) {
                Ok(taken) if taken > 0 => {
                    add(chunk.get(..taken).unwrap_or_default());
                    if taken < CHUNK {
                        // A pipe gives all that it has.
                        return;
                    }
                }
                // Empty, at its end, or broken: it has no more to say.
                Ok(_) | Err(_) => return,
            }
        }
    }
}

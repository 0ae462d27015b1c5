//! A pipe or socket, read and written without blocking.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as Socket;

use rustix::fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl, fstat};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{UnixStream, unix::pipe};

/// The mode in which a stream was found. It belongs to the open file, which other processes may
/// share, so it is put back at the end.
#[derive(Debug)]
pub(super) struct FoundMode {
    stream: OwnedFd,
    flags: OFlags,
}

impl Drop for FoundMode {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and nobody is left to be told.
        let _ = fcntl_setfl(&self.stream, self.flags);
    }
}

/// A stream without its blocking, and the mode to put back.
pub(super) type Found<S> = (Box<S>, FoundMode);

/// Input; `None` if the stream is of a kind that cannot be waited for.
pub(super) fn input(stream: impl AsFd) -> io::Result<Option<Found<dyn AsyncRead + Send + Unpin>>> {
    let Some((stream, kind, mode)) = open(stream)? else { return Ok(None) };
    let input: Box<dyn AsyncRead + Send + Unpin> = match kind {
        Kind::Pipe => Box::new(pipe::Receiver::from_owned_fd_unchecked(stream)?),
        Kind::Socket => Box::new(UnixStream::from_std(Socket::from(stream))?),
    };
    Ok(Some((input, mode)))
}

/// Output; `None` if the stream is of a kind that cannot be waited for.
pub(super) fn output(
    stream: impl AsFd,
) -> io::Result<Option<Found<dyn AsyncWrite + Send + Unpin>>> {
    let Some((stream, kind, mode)) = open(stream)? else { return Ok(None) };
    let output: Box<dyn AsyncWrite + Send + Unpin> = match kind {
        Kind::Pipe => Box::new(pipe::Sender::from_owned_fd_unchecked(stream)?),
        Kind::Socket => Box::new(UnixStream::from_std(Socket::from(stream))?),
    };
    Ok(Some((output, mode)))
}

enum Kind {
    Pipe,
    Socket,
}

fn open(stream: impl AsFd) -> io::Result<Option<(OwnedFd, Kind, FoundMode)>> {
    let stream = stream.as_fd().try_clone_to_owned()?;
    let found = FileType::from_raw_mode(fstat(&stream)?.st_mode);
    let kind = if found == FileType::Fifo {
        Kind::Pipe
    } else if found == FileType::Socket {
        Kind::Socket
    } else {
        // A terminal could be waited for, but the shell that owns it shares its mode.
        return Ok(None);
    };
    let flags = fcntl_getfl(&stream)?;
    let mode = FoundMode { stream: stream.try_clone()?, flags };
    fcntl_setfl(&stream, flags | OFlags::NONBLOCK)?;
    Ok(Some((stream, kind, mode)))
}

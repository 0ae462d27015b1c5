//! The standard streams, taken away from everything else in this process.
//!
//! The protocol is the only thing that may stand on standard output, and a stray `println!` in a
//! tool, or a library's, would stand there too. So while a server runs, the wire is on descriptors
//! of its own, standard input is empty and what is printed goes to standard error.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as Socket;
use std::pin::Pin;
use std::task::{Context, Poll};

use rustix::fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl, fstat};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::{dup2_stdin, dup2_stdout};
use tokio::io::{AsyncRead, AsyncWrite, Interest};
use tokio::net::{UnixStream, unix::pipe};

use super::threaded;

/// Low numbers are what programs that inherit descriptors look at.
const PRIVATE: i32 = 10;

/// Gives the streams back as they were found. Nothing can be done about a failure to, and nobody
/// is left to be told.
#[derive(Debug)]
pub(super) struct GiveBack {
    input: OwnedFd,
    output: OwnedFd,
    /// The mode belongs to the open file, which other processes may share.
    modes: Vec<(OwnedFd, OFlags)>,
}

impl Drop for GiveBack {
    fn drop(&mut self) {
        // One open file may be both streams, and the mode of the first was found as it was.
        for (stream, flags) in self.modes.iter().rev() {
            let _ = fcntl_setfl(stream, *flags);
        }
        let _ = dup2_stdin(&self.input);
        let _ = dup2_stdout(&self.output);
    }
}

pub(super) type Input = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Takes standard input and standard output.
pub(super) fn take() -> io::Result<(Input, Output, Hearing, GiveBack)> {
    io::stdout().flush()?;
    let input = fcntl_dupfd_cloexec(io::stdin(), PRIVATE)?;
    let output = fcntl_dupfd_cloexec(io::stdout(), PRIVATE)?;
    let mut give_back =
        GiveBack { input: input.try_clone()?, output: output.try_clone()?, modes: Vec::new() };
    dup2_stdin(File::open("/dev/null")?)?;
    dup2_stdout(io::stderr())?;
    let input = reader(input, &mut give_back)?;
    let hearing = Hearing::of(&output)?;
    let output = writer(output, &mut give_back)?;
    Ok((input, output, hearing, give_back))
}

/// Knows when nobody can hear us any more, without having to say something first.
pub(super) struct Hearing(Option<pipe::Sender>);

impl Hearing {
    fn of(output: &OwnedFd) -> io::Result<Self> {
        // A socket says so when it is read. What is neither is not closed by somebody else.
        if !matches!(Kind::of(output)?, Kind::Pipe) || !cfg!(target_os = "linux") {
            return Ok(Self(None));
        }
        let watched = pipe::Sender::from_owned_fd_unchecked(output.try_clone()?)?;
        Ok(Self(Some(watched)))
    }

    /// Comes to an end when the other side has closed its end.
    pub(super) async fn ends(&self) {
        let has_ended = match &self.0 {
            Some(watched) => watched.ready(Interest::ERROR).await.is_ok(),
            None => false,
        };
        if !has_ended {
            std::future::pending::<()>().await;
        }
    }
}

fn reader(stream: OwnedFd, give_back: &mut GiveBack) -> io::Result<Input> {
    Ok(match Kind::of(&stream)? {
        Kind::Pipe => {
            give_back.unblock(&stream)?;
            Box::new(pipe::Receiver::from_owned_fd_unchecked(stream)?)
        }
        Kind::Socket => {
            give_back.unblock(&stream)?;
            Box::new(UnixStream::from_std(Socket::from(stream))?)
        }
        Kind::Other => Box::new(threaded::Input::start(File::from(stream))?),
    })
}

fn writer(stream: OwnedFd, give_back: &mut GiveBack) -> io::Result<Output> {
    Ok(match Kind::of(&stream)? {
        Kind::Pipe => {
            give_back.unblock(&stream)?;
            Box::new(pipe::Sender::from_owned_fd_unchecked(stream)?)
        }
        Kind::Socket => {
            give_back.unblock(&stream)?;
            Box::new(UnixStream::from_std(Socket::from(stream))?)
        }
        Kind::Other => Box::new(Plain(File::from(stream))),
    })
}

impl GiveBack {
    fn unblock(&mut self, stream: &OwnedFd) -> io::Result<()> {
        let found = fcntl_getfl(stream)?;
        self.modes.push((stream.try_clone()?, found));
        fcntl_setfl(stream, found | OFlags::NONBLOCK)?;
        Ok(())
    }
}

enum Kind {
    Pipe,
    Socket,
    /// A file, which never blocks for long, or a terminal. A terminal could be waited for, but the
    /// shell that owns it shares its mode.
    Other,
}

impl Kind {
    fn of(stream: impl AsFd) -> io::Result<Self> {
        let kind = FileType::from_raw_mode(fstat(stream)?.st_mode);
        Ok(if kind == FileType::Fifo {
            Self::Pipe
        } else if kind == FileType::Socket {
            Self::Socket
        } else {
            Self::Other
        })
    }
}

/// A stream that is written where it stands.
struct Plain(File);

impl AsyncWrite for Plain {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(self.0.write(bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

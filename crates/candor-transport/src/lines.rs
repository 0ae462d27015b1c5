//! One message a line, over any two streams: the loop that serves a connection.
//!
//! Reading, working and writing take turns in one task, so that nothing is handed between threads
//! and answers that are ready together leave in one write. Nothing is read while the peer leaves
//! too many answers unread or the answerer has no room: then the peer blocks, not our memory.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::answerer::{Answerer, HowItEnds, Outbox};
use crate::framing::{Frame, Framing};

/// Reading stops while so many bytes of answers wait to be read by the peer.
const UNREAD_ANSWERS: usize = 64 * 1024;

/// What a connection may cost, and how long its end may take.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The largest message that is read, in bytes.
    pub max_message: usize,
    /// How long work may go on after the peer has said its last.
    pub grace: Duration,
    /// How long everything may take once the process is told to stop. Hosts kill after two
    /// seconds.
    pub stop_within: Duration,
}

impl Default for Limits {
    /// 16 MiB, 5 s, 0.4 s.
    fn default() -> Self {
        Self {
            max_message: 16 * 1024 * 1024,
            grace: Duration::from_secs(5),
            stop_within: Duration::from_millis(400),
        }
    }
}

/// Serves a connection until the peer has said its last, hangs up, or `stop` says so.
///
/// `stop` is polled like a stream. The first time it is ready, reading ends, work is stopped and
/// answered; the second time, the function returns at once.
///
/// # Errors
///
/// What reading or writing gave. A peer that hangs up is no error, nor is one that stops listening.
pub async fn serve(
    reader: impl AsyncRead,
    writer: impl AsyncWrite,
    answerer: impl Answerer,
    limits: Limits,
    stop: impl FnMut(&mut Context<'_>) -> Poll<()>,
) -> io::Result<()> {
    let mut reader = pin!(reader);
    let mut writer = pin!(writer);
    let mut timer = pin!(sleep_until(Instant::now()));
    let mut connection = Connection {
        answerer,
        stop,
        limits,
        framing: Framing::new(limits.max_message),
        outbox: Outbox::default(),
        phase: Phase::Open,
    };
    poll_fn(|context| connection.poll(context, reader.as_mut(), writer.as_mut(), timer.as_mut()))
        .await
}

/// The end of a time that begins now. One too long to be told is as good as for ever.
fn after(time: Duration) -> Instant {
    const FOR_EVER: Duration = Duration::from_hours(24 * 365);
    Instant::now() + time.min(FOR_EVER)
}

/// Whoever stops listening is not there to be told of it, and a socket whose peer left answers
/// unread says so when it is read. Anything else has a cause that someone should know.
fn unless_gone(cause: io::Error) -> io::Result<()> {
    let is_gone = [io::ErrorKind::BrokenPipe, io::ErrorKind::ConnectionReset];
    if is_gone.contains(&cause.kind()) { Ok(()) } else { Err(cause) }
}

struct Connection<A, S> {
    answerer: A,
    stop: S,
    limits: Limits,
    framing: Framing,
    outbox: Outbox,
    phase: Phase,
}

/// How far the end has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    /// The peer has said its last; work may finish until the timer is up.
    Draining,
    /// As before, but whatever was unfinished has been stopped. A peer that takes nothing more until
    /// the timer is up will not.
    Drained,
    /// Told to stop; when the timer is up, that is it.
    Stopping,
}

/// Did anything happen that may let something else happen?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moved {
    Yes,
    No,
}

impl<A: Answerer, S: FnMut(&mut Context<'_>) -> Poll<()>> Connection<A, S> {
    fn poll(
        &mut self,
        context: &mut Context<'_>,
        mut reader: Pin<&mut impl AsyncRead>,
        mut writer: Pin<&mut impl AsyncWrite>,
        mut timer: Pin<&mut Sleep>,
    ) -> Poll<io::Result<()>> {
        while (self.stop)(context).is_ready() {
            if self.phase == Phase::Stopping {
                return Poll::Ready(Ok(()));
            }
            self.phase = Phase::Stopping;
            self.answerer.end(HowItEnds::Now);
            timer.as_mut().reset(after(self.limits.stop_within));
        }
        loop {
            let mut moved = self.take_lines(context);
            let had_room = self.may_take();
            let is_idle = self.answerer.poll_answers(context, &mut self.outbox).is_ready();
            let has_left = match self.write(context, writer.as_mut()) {
                Poll::Ready(Ok(written)) => {
                    moved = if written == Moved::Yes { written } else { moved };
                    true
                }
                Poll::Pending => false,
                Poll::Ready(Err(cause)) => return Poll::Ready(unless_gone(cause)),
            };
            if !had_room && self.may_take() {
                // Lines may be left that could not be taken before.
                continue;
            }
            // A little is read ahead even while nothing may be taken: the end must be seen.
            if self.phase == Phase::Open && (self.may_take() || self.framing.may_read_ahead()) {
                match self.read(context, reader.as_mut()) {
                    Poll::Ready(Ok(())) => moved = Moved::Yes,
                    Poll::Ready(Err(cause)) => return Poll::Ready(unless_gone(cause)),
                    Poll::Pending => {}
                }
                if self.framing.has_ended() {
                    self.phase = Phase::Draining;
                    self.answerer.end(HowItEnds::InputEnded);
                    timer.as_mut().reset(after(self.limits.grace));
                    moved = Moved::Yes;
                }
            }
            if moved == Moved::Yes {
                if self.phase == Phase::Drained {
                    // A peer that still reads has its time.
                    timer.as_mut().reset(after(self.limits.grace.max(self.limits.stop_within)));
                }
                continue;
            }
            if self.phase == Phase::Open {
                return Poll::Pending;
            }
            let is_heard = self.phase == Phase::Stopping || self.framing.is_finished();
            if is_idle && has_left && is_heard {
                return Poll::Ready(Ok(()));
            }
            ready!(timer.as_mut().poll(context));
            if self.phase != Phase::Draining {
                return Poll::Ready(Ok(()));
            }
            self.phase = Phase::Drained;
            self.answerer.end(HowItEnds::Now);
            timer.as_mut().reset(after(self.limits.grace.max(self.limits.stop_within)));
        }
    }

    fn may_take(&self) -> bool {
        self.outbox.len() < UNREAD_ANSWERS && self.answerer.has_room()
    }

    fn take_lines(&mut self, context: &mut Context<'_>) -> Moved {
        let mut moved = Moved::No;
        while self.may_take() {
            match self.framing.next() {
                Some(Frame::Line(line)) => self.answerer.receive(context, line, &mut self.outbox),
                Some(Frame::Oversized(skim)) => {
                    let limit = self.limits.max_message;
                    self.answerer.receive_oversized(&skim, limit, &mut self.outbox);
                }
                None => break,
            }
            moved = Moved::Yes;
        }
        moved
    }

    fn read(
        &mut self,
        context: &mut Context<'_>,
        reader: Pin<&mut impl AsyncRead>,
    ) -> Poll<io::Result<()>> {
        let space = self.framing.space();
        debug_assert!(!space.is_empty(), "a read into nothing would look like the end");
        let mut space = ReadBuf::new(space);
        ready!(reader.poll_read(context, &mut space))?;
        let count = space.filled().len();
        self.framing.filled(count);
        Poll::Ready(Ok(()))
    }

    /// Ready once everything has left, not only been taken.
    fn write(
        &mut self,
        context: &mut Context<'_>,
        mut writer: Pin<&mut impl AsyncWrite>,
    ) -> Poll<io::Result<Moved>> {
        let mut moved = Moved::No;
        while !self.outbox.is_empty() {
            let sent = ready!(writer.as_mut().poll_write(context, self.outbox.waiting()))?;
            if sent == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.outbox.advance(sent);
            moved = Moved::Yes;
        }
        ready!(writer.poll_flush(context))?;
        Poll::Ready(Ok(moved))
    }
}

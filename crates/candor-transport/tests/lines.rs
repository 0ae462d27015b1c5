//! The loop that serves a connection, with an answerer that only repeats what it hears.

#![cfg(test)]

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use candor_protocol::inbound::Skim;
use candor_testkit::fault::{Pieces, valve};
use candor_testkit::{converse, paused};
use candor_transport::{Answerer, HowItEnds, Limits, Outbox, serve};
use proptest::prelude::*;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Repeats each line, and counts them.
#[derive(Clone, Default)]
struct Repeats {
    heard: Rc<Cell<usize>>,
}

impl Answerer for Repeats {
    fn receive(&mut self, _: &mut Context<'_>, message: &[u8], out: &mut Outbox) {
        self.heard.set(self.heard.get() + 1);
        out.send(|out| out.extend_from_slice(message));
    }

    fn receive_oversized(&mut self, _: &Skim, limit: usize, out: &mut Outbox) {
        out.send(|out| out.extend_from_slice(format!("more than {limit}").as_bytes()));
    }

    fn has_room(&self) -> bool {
        true
    }

    fn poll_answers(&mut self, _: &mut Context<'_>, _: &mut Outbox) -> Poll<()> {
        Poll::Ready(())
    }

    fn end(&mut self, _: HowItEnds) {}
}

fn limits(max_message: usize) -> Limits {
    let mut limits = Limits::default();
    limits.max_message = max_message;
    limits
}

/// Polls a future once.
fn poll<T>(future: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

proptest! {
    #[test]
    fn lines_are_the_same_however_their_bytes_arrive(
        lines in prop::collection::vec("[a-z]{0,30}\r?", 0..20),
        sizes in prop::collection::vec(1_usize..40, 0..6),
        ends in any::<bool>(),
    ) {
        let mut said = lines.join("\n");
        if ends {
            said.push('\n');
        }
        let expected: String = lines
            .iter()
            .map(|line| line.strip_suffix('\r').unwrap_or(line))
            .filter(|line| !line.is_empty())
            .map(|line| if line.len() > 20 { "more than 20\n".to_owned() } else { format!("{line}\n") })
            .collect();
        let reader = Pieces::new(said.clone(), sizes);
        prop_assert_eq!(paused(converse(Repeats::default(), reader, limits(20))), expected);
    }
}

#[test]
fn while_a_peer_reads_nothing_nothing_more_is_taken_from_it() {
    paused(async {
        let repeats = Repeats::default();
        let (writer, hand) = valve(1000);
        // Each answer is 1,000 bytes, and there are ten thousand.
        let said = format!("{}\n", "x".repeat(999)).repeat(10_000);
        let served =
            serve(said.as_bytes(), writer, repeats.clone(), limits(1000), |_| Poll::Pending);
        let mut served = pin!(served);
        assert!(poll(served.as_mut()).is_pending());
        let taken = repeats.heard.get();
        assert!((60..=100).contains(&taken), "{taken} answers wait");
        assert!(poll(served.as_mut()).is_pending());
        assert_eq!(repeats.heard.get(), taken);
        hand.open();
        served.await.unwrap();
        assert_eq!(repeats.heard.get(), 10_000);
        assert_eq!(hand.taken().len(), 10_000_000);
    });
}

#[test]
fn an_outbox_that_is_never_empty_does_not_grow() {
    let mut outbox = Outbox::default();
    let line = vec![b'x'; 999];
    for _ in 0..10 {
        outbox.send(|out| out.extend_from_slice(&line));
    }
    let mut most = 0;
    for _ in 0..10_000 {
        outbox.send(|out| {
            out.extend_from_slice(&line);
            most = most.max(out.capacity());
        });
        outbox.advance(1000);
        assert_eq!(outbox.len(), 10_000);
    }
    assert!(most < 100_000, "{most} bytes for 10,000");
}

/// Takes everything at once, and is done with it only when it is told so.
struct Lazy {
    taken: Rc<Cell<usize>>,
    may_flush: Rc<Cell<bool>>,
}

impl AsyncWrite for Lazy {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.taken.set(self.taken.get() + bytes.len());
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.may_flush.get() { Poll::Ready(Ok(())) } else { Poll::Pending }
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[test]
fn the_end_waits_until_the_last_answer_has_left() {
    paused(async {
        let (taken, may_flush) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(false)));
        let writer = Lazy { taken: Rc::clone(&taken), may_flush: Rc::clone(&may_flush) };
        let served =
            serve(&b"last\n"[..], writer, Repeats::default(), limits(100), |_| Poll::Pending);
        let mut served = pin!(served);
        assert!(poll(served.as_mut()).is_pending());
        assert_eq!(taken.get(), 5);
        assert!(poll(served.as_mut()).is_pending(), "it has not left");
        may_flush.set(true);
        assert!(poll(served.as_mut()).is_ready());
    });
}

/// Fails to be read, in this way.
struct Fails(io::ErrorKind);

impl AsyncRead for Fails {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        _: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Poll::Ready(Err(self.0.into()))
    }
}

#[test]
fn a_peer_that_hangs_up_is_no_error_and_one_that_cannot_be_read_is() {
    let ended = |kind| {
        paused(serve(Fails(kind), tokio::io::sink(), Repeats::default(), limits(9), |_| {
            Poll::Pending
        }))
    };
    assert!(ended(io::ErrorKind::ConnectionReset).is_ok());
    assert_eq!(ended(io::ErrorKind::Other).unwrap_err().kind(), io::ErrorKind::Other);
}

/// Cannot be written to.
struct Closed;

impl AsyncWrite for Closed {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[test]
fn a_peer_that_stops_listening_is_no_error() {
    let served = serve(&b"a\nb\n"[..], Closed, Repeats::default(), limits(9), |_| Poll::Pending);
    assert!(paused(served).is_ok());
}

//! Streams with faults: one that arrives in pieces, and one that stops.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;

/// Bytes that arrive in pieces, with a pause after each.
#[derive(Debug)]
pub struct Pieces {
    bytes: Vec<u8>,
    at: usize,
    sizes: Vec<usize>,
    turn: usize,
    is_paused: bool,
}

impl Pieces {
    /// These bytes, in pieces of these sizes, over and over. Without sizes: in one piece.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>, sizes: impl Into<Vec<usize>>) -> Self {
        let sizes = sizes.into();
        Self { bytes: bytes.into(), at: 0, sizes, turn: 0, is_paused: false }
    }
}

impl AsyncRead for Pieces {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.is_paused = !self.is_paused;
        if self.is_paused {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let turn = self.turn.checked_rem(self.sizes.len()).unwrap_or_default();
        let size = self.sizes.get(turn).map_or(usize::MAX, |&size| size.max(1));
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = size.min(rest.len()).min(buffer.remaining());
        buffer.put_slice(rest.get(..count).unwrap_or_default());
        self.at += count;
        self.turn += 1;
        Poll::Ready(Ok(()))
    }
}

/// A writer that takes so many bytes and then blocks, until it is opened.
#[derive(Debug)]
pub struct Valve(Arc<Mutex<Flow>>);

/// The hand on a [`Valve`].
#[derive(Clone, Debug)]
pub struct Hand(Arc<Mutex<Flow>>);

#[derive(Debug)]
struct Flow {
    taken: Vec<u8>,
    most: usize,
    blocked: Option<Waker>,
}

/// A valve that is closed once it has taken `most` bytes, and the hand that opens it.
#[must_use]
pub fn valve(most: usize) -> (Valve, Hand) {
    let flow = Arc::new(Mutex::new(Flow { taken: Vec::new(), most, blocked: None }));
    (Valve(Arc::clone(&flow)), Hand(flow))
}

fn locked(flow: &Mutex<Flow>) -> MutexGuard<'_, Flow> {
    flow.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hand {
    /// Lets everything through from now on.
    pub fn open(&self) {
        let mut flow = locked(&self.0);
        flow.most = usize::MAX;
        if let Some(waker) = flow.blocked.take() {
            waker.wake();
        }
    }

    /// What has come through.
    #[must_use]
    pub fn taken(&self) -> Vec<u8> {
        locked(&self.0).taken.clone()
    }
}

impl AsyncWrite for Valve {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut flow = locked(&self.0);
        let count = bytes.len().min(flow.most.saturating_sub(flow.taken.len()));
        if count == 0 && !bytes.is_empty() {
            flow.blocked = Some(context.waker().clone());
            return Poll::Pending;
        }
        flow.taken.extend_from_slice(bytes.get(..count).unwrap_or_default());
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Something to wait for that a test lets happen. Clones are the same gate.
#[derive(Clone, Debug)]
pub struct Gate(watch::Sender<bool>);

impl Default for Gate {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Gate {
    /// Opens it, for good.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    /// Waits until it is open.
    pub async fn passed(&self) {
        // The gate itself keeps the sender, so waiting cannot fail.
        let _ = self.0.subscribe().wait_for(|&is_open| is_open).await;
    }
}

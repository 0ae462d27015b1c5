//! Standard input that cannot be waited for, read by a thread.
//!
//! The thread is our own and not one of tokio's: a runtime waits for its threads when it ends, and
//! this one may sit in a read that nobody ever answers.

use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::thread;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc;

const CHUNK: usize = 16 * 1024;

#[derive(Debug)]
pub(super) struct Input {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    taken: usize,
}

impl Input {
    pub(super) fn start(mut stream: impl Read + Send + 'static) -> io::Result<Self> {
        // One chunk waits while the next is read; a peer that floods us blocks.
        let (sender, chunks) = mpsc::channel(1);
        thread::Builder::new().name("stdin".to_owned()).spawn(move || {
            loop {
                let mut chunk = vec![0; CHUNK];
                let read = stream.read(&mut chunk);
                let has_ended = !matches!(read, Ok(1..));
                let read = read.map(|count| {
                    chunk.truncate(count);
                    chunk
                });
                if sender.blocking_send(read).is_err() || has_ended {
                    return;
                }
            }
        })?;
        Ok(Self { chunks, chunk: Vec::new(), taken: 0 })
    }
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.taken == self.chunk.len() {
            match ready!(self.chunks.poll_recv(context)) {
                Some(Ok(chunk)) => (self.chunk, self.taken) = (chunk, 0),
                Some(Err(cause)) => return Poll::Ready(Err(cause)),
                None => return Poll::Ready(Ok(())),
            }
        }
        let rest = self.chunk.get(self.taken..).unwrap_or_default();
        let count = rest.len().min(buffer.remaining());
        buffer.put_slice(rest.get(..count).unwrap_or_default());
        self.taken += count;
        Poll::Ready(Ok(()))
    }
}

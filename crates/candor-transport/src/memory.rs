//! The in-memory transport: a server and its client in one process.

use std::io;
use std::task::Poll;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

use crate::{Answerer, Limits, serve};

/// How many bytes may be on their way in each direction, as in a pipe of the system's.
const IN_FLIGHT: usize = 64 * 1024;

/// The client's end of a connection that runs in this process.
///
/// ```no_run
/// # async fn example(answerer: impl candor_transport::Answerer + Send + 'static) {
/// use candor_transport::{Limits, memory};
///
/// let mut wire = memory::connect(answerer, Limits::default());
/// wire.send(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await.unwrap();
/// println!("{}", wire.receive().await.unwrap().unwrap());
/// # }
/// ```
#[derive(Debug)]
pub struct Wire {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
}

/// Serves an answerer on a task of its own, and gives the other end of the connection.
///
/// # Panics
///
/// Outside a tokio runtime.
pub fn connect(answerer: impl Answerer + Send + 'static, limits: Limits) -> Wire {
    let (ours, theirs) = tokio::io::duplex(IN_FLIGHT);
    tokio::spawn(async move {
        let (reader, writer) = tokio::io::split(theirs);
        // A wire in memory cannot fail to be read.
        let _ = serve(reader, writer, answerer, limits, |_| Poll::Pending).await;
    });
    let (reader, writer) = tokio::io::split(ours);
    Wire { reader: BufReader::new(reader), writer }
}

impl Wire {
    /// Sends one message.
    ///
    /// # Errors
    ///
    /// The server is gone.
    pub async fn send(&mut self, message: &str) -> io::Result<()> {
        self.send_bytes(message.as_bytes()).await?;
        self.send_bytes(b"\n").await
    }

    /// Sends bytes as they are: half a line, or none at all.
    ///
    /// # Errors
    ///
    /// The server is gone.
    pub async fn send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes).await
    }

    /// Receives one message; `None` once the server has said its last.
    ///
    /// # Errors
    ///
    /// What the server says is not UTF-8.
    pub async fn receive(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let count = self.reader.read_line(&mut line).await?;
        line.truncate(line.trim_end_matches('\n').len());
        Ok((count > 0).then_some(line))
    }

    /// Says that no message follows.
    ///
    /// # Errors
    ///
    /// The server is gone.
    pub async fn end_input(&mut self) -> io::Result<()> {
        self.writer.shutdown().await
    }
}

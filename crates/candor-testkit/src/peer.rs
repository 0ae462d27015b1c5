//! The other end of a connection, whatever it is made of.

use std::future::Future;
use std::io;
use std::process::{ExitStatus, Stdio};

use candor_transport::memory::Wire;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::conversation::PATIENCE;

/// A server, seen from the client's end.
pub trait Peer: Send {
    /// Sends bytes as they are.
    fn send_bytes(&mut self, bytes: &[u8]) -> impl Future<Output = io::Result<()>> + Send;

    /// Receives one line; `None` once the server has said its last. Gives up after a minute.
    fn receive(&mut self) -> impl Future<Output = io::Result<Option<String>>> + Send;

    /// Says that nothing follows.
    fn end_input(&mut self) -> impl Future<Output = io::Result<()>> + Send;
}

impl Peer for Wire {
    async fn send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        Self::send_bytes(self, bytes).await
    }

    async fn receive(&mut self) -> io::Result<Option<String>> {
        timeout(PATIENCE, Self::receive(self)).await?
    }

    async fn end_input(&mut self) -> io::Result<()> {
        Self::end_input(self).await
    }
}

/// A server that is another process. It is killed when this is dropped.
#[derive(Debug)]
pub struct Child {
    process: tokio::process::Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
    stderr: Option<ChildStderr>,
}

impl Child {
    /// Starts it, with a pipe at each of its standard streams.
    ///
    /// # Errors
    ///
    /// It cannot be started.
    pub fn start(command: std::process::Command) -> io::Result<Self> {
        let mut command = Command::from(command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self::start_as_is(command)
    }

    /// Starts it with the streams that the command names.
    ///
    /// # Errors
    ///
    /// It cannot be started.
    pub fn start_as_is(mut command: Command) -> io::Result<Self> {
        let mut process = command.kill_on_drop(true).spawn()?;
        let input = process.stdin.take();
        let output = process.stdout.take().map(BufReader::new);
        let stderr = process.stderr.take();
        Ok(Self { process, input, output, stderr })
    }

    /// Its number; `None` once it has ended and been waited for.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// Takes its input away, to be written to at the same time as its output is read.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.input.take()
    }

    /// Stops listening.
    pub fn close_output(&mut self) {
        self.output = None;
    }

    /// Waits for its end. Gives how it ended, and what it wrote to standard error.
    ///
    /// # Errors
    ///
    /// It does not end within a minute.
    pub async fn wait(&mut self) -> io::Result<(ExitStatus, String)> {
        let status = timeout(PATIENCE, self.process.wait()).await??;
        let mut said = String::new();
        if let Some(stderr) = &mut self.stderr {
            timeout(PATIENCE, stderr.read_to_string(&mut said)).await??;
        }
        Ok((status, said))
    }
}

impl Peer for Child {
    async fn send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(input) = &mut self.input else { return Err(io::ErrorKind::NotConnected.into()) };
        input.write_all(bytes).await?;
        input.flush().await
    }

    async fn receive(&mut self) -> io::Result<Option<String>> {
        let Some(output) = &mut self.output else { return Ok(None) };
        let mut line = String::new();
        let count = timeout(PATIENCE, output.read_line(&mut line)).await??;
        if line.ends_with('\n') {
            line.pop();
        }
        Ok((count > 0).then_some(line))
    }

    async fn end_input(&mut self) -> io::Result<()> {
        self.input = None;
        Ok(())
    }
}

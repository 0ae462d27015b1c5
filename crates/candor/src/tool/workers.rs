//! Workers for futures that are not trusted to come back soon.
//!
//! They are a runtime of our own, made when first needed and never ended: the session's task is on
//! another, so that whatever a tool does, deadlines are kept and the process can end.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, ready};

use candor_protocol::{ToolError, ToolOutcome, Why};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use super::Running;

/// The fewest workers, however few cores there are: one that a tool blocks is not the last.
const FEWEST: usize = 4;

/// Where work is done that is not done at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Workers {
    /// On threads of candor's own.
    #[default]
    Own,
    /// On the runtime that serves the connection, with its clock. For tests that stop the clock; a
    /// tool that never comes back can keep everything.
    Here,
}

impl Workers {
    /// Has a future done. Dropping what this gives drops the future.
    pub fn spawn(self, future: impl Future<Output = ToolOutcome> + Send + 'static) -> Running {
        static OWN: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            Builder::new_multi_thread()
                .worker_threads(cores.max(FEWEST))
                .thread_name("tool")
                .enable_all()
                .build()
        });
        match (self, &*OWN) {
            (Self::Here, _) => Box::pin(future),
            (Self::Own, Ok(runtime)) => Box::pin(Spawned(runtime.spawn(future))),
            (Self::Own, Err(cause)) => {
                let failure = ToolError::seen(Why::Unavailable).because(cause.to_string());
                Box::pin(std::future::ready(ToolOutcome::Failed(failure)))
            }
        }
    }
}

/// A future that a worker has.
struct Spawned(JoinHandle<ToolOutcome>);

impl Future for Spawned {
    type Output = ToolOutcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<ToolOutcome> {
        Poll::Ready(match ready!(Pin::new(&mut self.0).poll(context)) {
            Ok(outcome) => outcome,
            Err(ended) => match ended.try_into_panic() {
                // A panic there is a panic here.
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_cancelled) => {
                    ToolOutcome::Failed(ToolError::seen(Why::Crashed { said: String::new() }))
                }
            },
        })
    }
}

impl Drop for Spawned {
    fn drop(&mut self) {
        self.0.abort();
    }
}

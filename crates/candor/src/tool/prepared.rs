//! Functions to tools, where something has to be taken of the call before the function runs.

use std::future::Future;

use candor_protocol::{ToolError, ToolOutcome};

use super::answers::Answer;
use super::call::Call;
use super::{Calling, Running, Tool, functions, threads};

/// [`functions::inline`], from a function that may find out that it cannot run.
pub(crate) fn inline<A: Answer>(
    function: impl Fn(Call<'_>) -> Result<A, ToolError> + Send + Sync + 'static,
) -> impl Tool {
    functions::inline(function)
}

/// [`functions::blocking`], from what takes of the call what the function needs.
pub(crate) fn blocking<A: Answer, F: FnOnce() -> A + Send + 'static>(
    prepare: impl Fn(Call<'_>) -> Result<F, ToolError> + Send + Sync + 'static,
) -> impl Tool {
    functions::Function(move |call: Call<'_>| match prepare(call) {
        Ok(function) => {
            let seat = call.seat();
            Calling::Running(threads::run(call.workers(), move || {
                let outcome = function().into_outcome();
                drop(seat);
                outcome
            }))
        }
        Err(failure) => Calling::Done(ToolOutcome::Failed(failure)),
    })
}

/// [`functions::asynchronous`], from what takes of the call what the function needs.
pub(crate) fn asynchronous<A: Answer, F: Future<Output = A> + Send + 'static>(
    prepare: impl Fn(Call<'_>) -> Result<F, ToolError> + Send + Sync + 'static,
) -> impl Tool {
    functions::Function(move |call: Call<'_>| match prepare(call) {
        Ok(future) => {
            let seat = call.seat();
            Calling::Running(call.workers().spawn(async move {
                let outcome = future.await.into_outcome();
                drop(seat);
                outcome
            }))
        }
        Err(failure) => Calling::Done(ToolOutcome::Failed(failure)),
    })
}

/// [`functions::polled`], from what takes of the call what the function needs.
pub(crate) fn polled<A: Answer, F: Future<Output = A> + Send + 'static>(
    prepare: impl Fn(Call<'_>) -> Result<F, ToolError> + Send + Sync + 'static,
) -> impl Tool {
    functions::Function(move |call: Call<'_>| match prepare(call) {
        Ok(future) => {
            let running: Running = Box::pin(async move { future.await.into_outcome() });
            Calling::Running(running)
        }
        Err(failure) => Calling::Done(ToolOutcome::Failed(failure)),
    })
}

//! What a function may return, to the outcome of its call.

use candor_protocol::{Content, Reply, ToolError, ToolOutcome, Why};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::to_raw_value;

use crate::schemas;

/// What a function may return to be a tool: words, numbers, [`Content`], a [`Reply`] of all of
/// these, a value as [`Json`], or a [`Result`] of one with [`ToolError`].
///
/// There is no answer without words: a tool that has nothing to say says `"Done."`.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "a tool returns a reply, or `Result<_, ToolError>` of one",
    note = "protocol errors are the server's to send; a tool that fails says `ToolError::tell(..)`",
    note = "a value of your own goes into `candor::Json(..)`; a tool that has nothing to say says `\"Done.\"`"
)]
pub trait Answer {
    /// Settles the channel.
    fn into_outcome(self) -> ToolOutcome;

    /// The JSON Schema that its structured content keeps to, if it promises any.
    #[must_use]
    fn output_schema() -> Option<Value>
    where
        Self: Sized,
    {
        None
    }
}

impl<A: Answer> Answer for Result<A, ToolError> {
    fn into_outcome(self) -> ToolOutcome {
        match self {
            Ok(answer) => answer.into_outcome(),
            Err(failure) => ToolOutcome::Failed(failure),
        }
    }

    fn output_schema() -> Option<Value> {
        A::output_schema()
    }
}

/// A value that the wire carries as `structuredContent`, and as its JSON for hosts that look only
/// at text. A tool that returns one publishes its schema as `outputSchema`, and the value is held
/// against it.
///
/// ```
/// use candor::{Json, schemars::JsonSchema, tool};
/// use serde::Serialize;
///
/// #[derive(Serialize, JsonSchema)]
/// # #[schemars(crate = "candor::schemars")]
/// struct Seats {
///     /// The seats that nobody has taken yet.
///     free: Vec<u32>,
/// }
///
/// let seats = tool::inline(|_| Json(Seats { free: vec![3, 4] }));
/// # let _ = seats;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "it is its value, and made and taken apart as one")]
pub struct Json<T>(pub T);

impl<T: Serialize + JsonSchema> Answer for Json<T> {
    fn into_outcome(self) -> ToolOutcome {
        match to_raw_value(&self.0) {
            Ok(json) => ToolOutcome::Done(Reply::structured(json)),
            // A map whose keys are no strings, or an author's own words for what it cannot write.
            Err(cause) => ToolOutcome::Failed(
                ToolError::seen(Why::BadOutput { said: String::new() }).because(cause),
            ),
        }
    }

    fn output_schema() -> Option<Value> {
        Some(schemas::output::<T>())
    }
}

impl Answer for Reply {
    fn into_outcome(self) -> ToolOutcome {
        ToolOutcome::Done(self)
    }
}

macro_rules! answers_as_reply {
    ($($answer:ty),*) => {$(
        impl Answer for $answer {
            fn into_outcome(self) -> ToolOutcome {
                ToolOutcome::Done(self.into())
            }
        }
    )*};
}

answers_as_reply!(Content, String, &str);

macro_rules! answers_in_words {
    ($($answer:ty),*) => {$(
        impl Answer for $answer {
            fn into_outcome(self) -> ToolOutcome {
                ToolOutcome::Done(Reply::text(self.to_string()))
            }
        }
    )*};
}

answers_in_words!(
    bool, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, char
);

impl Answer for std::borrow::Cow<'_, str> {
    fn into_outcome(self) -> ToolOutcome {
        ToolOutcome::Done(Reply::text(self))
    }
}

impl Answer for Vec<Content> {
    fn into_outcome(self) -> ToolOutcome {
        ToolOutcome::Done(Reply::of(self))
    }
}

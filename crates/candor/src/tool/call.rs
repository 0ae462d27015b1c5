//! One call, as a tool gets it.

use std::fmt;
use std::sync::Arc;

use candor_protocol::inbound::{Client, Trace};
use candor_protocol::text::{LONGEST_NAME, LONGEST_VALUE, cut};
use candor_protocol::{Arguments, ToolError, Version, Why};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::watch;

use super::context::{Cancellation, Cancelling, State, States};
use super::workers::Workers;
use crate::progress::Progress;
use crate::seats::{Seat, Seating};

/// One call, as a tool gets it.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    name: &'a str,
    arguments: &'a Arguments<'a>,
    surroundings: &'a Surroundings<'a>,
}

/// What a call happens in.
pub(crate) struct Surroundings<'a> {
    pub(crate) ending: &'a Ending,
    pub(crate) seating: &'a Seating<'a>,
    pub(crate) progress: &'a Progress,
    pub(crate) cancelling: &'a Cancelling,
    pub(crate) states: &'a Arc<States>,
    pub(crate) workers: Workers,
    pub(crate) version: Version,
    /// What the request says of itself.
    pub(crate) meta: &'a str,
    /// Who opened the connection, in the eras in which that is said once.
    pub(crate) opened_by: Option<&'a Arc<Client>>,
}

impl fmt::Debug for Surroundings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surroundings").field("version", &self.version).finish_non_exhaustive()
    }
}

impl<'a> Call<'a> {
    pub(crate) const fn new(
        name: &'a str,
        arguments: &'a Arguments<'a>,
        surroundings: &'a Surroundings<'a>,
    ) -> Self {
        Self { name, arguments, surroundings }
    }

    /// The tool's own name, as called.
    #[must_use]
    pub const fn name(self) -> &'a str {
        self.name
    }

    /// The arguments: the text of a JSON object.
    #[must_use]
    pub const fn json(self) -> &'a str {
        self.arguments.as_json()
    }

    /// Reads the arguments.
    ///
    /// # Errors
    ///
    /// What the model is told if they do not fit: the parameter and what it must be.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, ToolError> {
        read(self.json())
    }

    /// Who asks. It is heard, not verified.
    #[must_use]
    pub fn client(self) -> Arc<Client> {
        let Surroundings { version, meta, opened_by, .. } = *self.surroundings;
        match opened_by.filter(|_| !version.is_modern()) {
            Some(client) => Arc::clone(client),
            None => Arc::new(Client::of_meta(meta, version)),
        }
    }

    /// Where the request belongs in a trace.
    #[must_use]
    pub fn trace(self) -> Trace {
        Trace::of_meta(self.surroundings.meta)
    }

    /// What the server was given of this type with [`Builder::state`](crate::Builder::state).
    ///
    /// # Errors
    ///
    /// It was given none. The model is told that the tool is out of order, and the log which type
    /// is missing.
    pub fn state<T: Send + Sync + 'static>(self) -> Result<State<T>, ToolError> {
        self.surroundings.states.find()
    }

    /// Says when nobody waits for the answer any more. It may be kept for longer than the call.
    #[must_use]
    pub fn cancellation(self) -> Cancellation {
        self.surroundings.cancelling.watch()
    }

    /// Tells a tool that goes on when the server is about to end.
    #[must_use]
    pub fn ending(self) -> Ending {
        self.surroundings.ending.clone()
    }

    /// Tells the caller how far this call has got. It may be kept for longer than the call.
    #[must_use]
    pub fn progress(self) -> Progress {
        self.surroundings.progress.clone()
    }

    /// The seat of this call among those of its caller. Work that may go on when the call is over
    /// keeps it until it has ended.
    #[must_use]
    pub fn seat(self) -> Seat {
        self.surroundings.seating.seat()
    }

    /// Where work of this call that is not done at once is to be done.
    #[must_use]
    pub const fn workers(self) -> Workers {
        self.surroundings.workers
    }

    /// A copy that outlives the message.
    #[must_use]
    pub fn detach(self) -> OwnedCall {
        OwnedCall {
            name: self.name.to_owned(),
            json: self.json().to_owned(),
            meta: self.surroundings.meta.to_owned(),
            version: self.surroundings.version,
            opened_by: self.surroundings.opened_by.cloned(),
            states: Arc::clone(self.surroundings.states),
            awaited: Arc::clone(self.surroundings.cancelling.teller()),
            ending: self.ending(),
            progress: self.progress(),
            _seat: self.seat(),
        }
    }
}

/// One call, as a tool gets it that goes on after the message is gone.
#[derive(Clone)]
pub struct OwnedCall {
    name: String,
    json: String,
    meta: String,
    version: Version,
    opened_by: Option<Arc<Client>>,
    states: Arc<States>,
    awaited: Arc<watch::Sender<bool>>,
    ending: Ending,
    progress: Progress,
    _seat: Seat,
}

impl OwnedCall {
    /// The tool's own name, as called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments: the text of a JSON object.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Reads the arguments.
    ///
    /// # Errors
    ///
    /// What the model is told if they do not fit: the parameter and what it must be.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        read(&self.json)
    }

    /// Who asks. It is heard, not verified.
    #[must_use]
    pub fn client(&self) -> Arc<Client> {
        match self.opened_by.as_ref().filter(|_| !self.version.is_modern()) {
            Some(client) => Arc::clone(client),
            None => Arc::new(Client::of_meta(&self.meta, self.version)),
        }
    }

    /// Where the request belongs in a trace.
    #[must_use]
    pub fn trace(&self) -> Trace {
        Trace::of_meta(&self.meta)
    }

    /// What the server was given of this type with [`Builder::state`](crate::Builder::state).
    ///
    /// # Errors
    ///
    /// It was given none. The model is told that the tool is out of order, and the log which type
    /// is missing.
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<State<T>, ToolError> {
        self.states.find()
    }

    /// Says when nobody waits for the answer any more. It may be kept for longer than the call.
    #[must_use]
    pub fn cancellation(&self) -> Cancellation {
        Cancellation::of(&self.awaited)
    }

    /// Tells the tool when the server is about to end.
    #[must_use]
    pub const fn ending(&self) -> &Ending {
        &self.ending
    }

    /// Tells the caller how far this call has got. It may be kept for longer than the call.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }
}

impl fmt::Debug for OwnedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Arguments are not for logs.
        f.debug_struct("OwnedCall").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Reads arguments that the schema has admitted.
fn read<T: DeserializeOwned>(json: &str) -> Result<T, ToolError> {
    serde_json::from_str(json).or_else(|cause| {
        // To the schema 2.0 is an integer; to an integer type of Rust it is none.
        let whole = serde_json::from_str(json).ok().and_then(with_whole_numbers);
        let again = whole.and_then(|whole| serde_json::from_value(whole).ok());
        again.ok_or_else(|| unfit::<T>(json, &cause))
    })
}

/// The same with each number that is whole written as one; `None` if there is none to rewrite.
fn with_whole_numbers(mut value: Value) -> Option<Value> {
    fn rewrite(value: &mut Value) -> bool {
        match value {
            Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
                Some(float) if float.fract() == 0.0 && float.abs() < EXACT => {
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "it is whole, and in range"
                    )]
                    let whole = float as i64;
                    *number = whole.into();
                    true
                }
                Some(_) | None => false,
            },
            // Each of them, so no short way out.
            Value::Array(items) => items.iter_mut().fold(false, |any, it| rewrite(it) | any),
            Value::Object(members) => members.values_mut().fold(false, |any, it| rewrite(it) | any),
            Value::Null | Value::Bool(_) | Value::String(_) => false,
        }
    }
    /// Below it, every whole number is a double of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    rewrite(&mut value).then_some(value)
}

fn unfit<T: DeserializeOwned>(json: &str, cause: &serde_json::Error) -> ToolError {
    // Only now is it worth knowing where.
    let mut again = serde_json::Deserializer::from_str(json);
    let (path, said) = match serde_path_to_error::deserialize::<_, T>(&mut again) {
        Ok(_) => ("arguments".to_owned(), cause.to_string()),
        Err(cause) => (cause.path().to_string(), cause.into_inner().to_string()),
    };
    let path = if path == "." { "arguments" } else { path.as_str() };
    // A place in a line means nothing to a model, and what it sent is not said back at length.
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
    let said = match (said.find('"'), said.rfind('"')) {
        (Some(from), Some(to)) if from < to => {
            let (before, after) = (said.get(..=from), said.get(to..));
            let value = said.get(from + 1..to).unwrap_or_default();
            let value = cut(value, LONGEST_VALUE);
            format!("{}{value}{}", before.unwrap_or_default(), after.unwrap_or_default())
        }
        _ => cut(said, LONGEST_NAME).into_owned(),
    };
    let line = format!("{}: {said}.", cut(path, LONGEST_NAME));
    ToolError::seen(Why::Arguments(line.into()))
}

/// Resolves when the server is about to end and wants what is unfinished to come to an end now.
#[derive(Clone, Debug)]
pub struct Ending(watch::Receiver<bool>);

impl Ending {
    pub(crate) const fn new(receiver: watch::Receiver<bool>) -> Self {
        Self(receiver)
    }

    /// Waits for it.
    pub async fn reached(&mut self) {
        if self.0.wait_for(|&has_come| has_come).await.is_err() {
            // The session is gone without a word, and this call is about to be dropped with it.
            std::future::pending::<()>().await;
        }
    }

    /// The same as a channel that holds whether it has come.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.0.clone()
    }

    /// Has it come?
    #[must_use]
    pub fn is_reached(&self) -> bool {
        *self.0.borrow()
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::read;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Seats {
        count: u8,
        rows: Vec<i64>,
        price: f64,
    }

    #[test]
    fn a_whole_number_is_an_integer_however_it_is_written() {
        let seats = read::<Seats>(r#"{"count":2.0,"rows":[1e2,-3.0],"price":5.5}"#).unwrap();
        assert_eq!(seats, Seats { count: 2, rows: vec![100, -3], price: 5.5 });
        let failure = read::<Seats>(r#"{"count":2.5,"rows":[],"price":5}"#).unwrap_err();
        assert_eq!(failure.to_string(), "count: invalid type: floating point `2.5`, expected u8.");
    }
}

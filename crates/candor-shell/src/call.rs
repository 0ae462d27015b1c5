//! A call of a shell function to an outcome: what `return 0` and all the other ends mean.

use std::sync::Arc;
use std::time::Duration;

use candor::tool::{Availability, Calling};
use candor::{Call, Journal, Level, Reply, Tool, ToolError, ToolOutcome, Turns, Why};
use candor_protocol::outbound::response::write_without_space;
use candor_protocol::text::{LONGEST_VALUE, cut};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::media::content;
use crate::output::Said;
use crate::run::{Ended, Ran};
use crate::tags::Limits;
use crate::terms::{Terms, Uncountable};
use crate::verbs::Verb;
use crate::work::{Listener, Runs, Variables, Work};
use crate::worker::{Worker, WorkerError};

/// `EX_TEMPFAIL` of `sysexits.h`: the same call may work later.
const LATER: u8 = 75;
/// What `candor ask` returns.
const ASKED: u8 = 10;
/// What a shell returns for a command that cannot be run, and for one that is not there.
const BROKEN: [u8; 2] = [126, 127];
/// How many lines of standard error stand in for an answer that was never given.
const LAST_LINES: usize = 20;

/// One tool of a served file or folder.
#[derive(Debug)]
pub(crate) struct ShellTool {
    pub(crate) worker: Arc<Worker>,
    pub(crate) runs: Runs,
    pub(crate) terms: Terms,
    pub(crate) turns: Turns,
    /// Its standard output is the JSON that an `outputSchema` describes.
    pub(crate) promises_structure: bool,
    /// How long a call may take that sets itself no limit.
    pub(crate) usual_time: Duration,
    pub(crate) max_output: usize,
    pub(crate) journal: Journal,
}

impl Tool for ShellTool {
    fn call(&self, call: Call<'_>) -> Calling {
        let work = match self.work(call) {
            Ok(work) => work,
            Err(line) => {
                let unfit = ToolError::seen(Why::Arguments(line.into()));
                return Calling::Done(ToolOutcome::Failed(unfit));
            }
        };
        let worker = Arc::clone(&self.worker);
        let stop = call.ending().watch();
        let seat = call.seat();
        let judge = Judge {
            tool: call.name().to_owned(),
            promises_structure: self.promises_structure,
            max_output: work.output.unwrap_or(self.max_output),
            journal: self.journal.clone(),
        };
        Calling::Running(Box::pin(async move {
            // A worker that is replaced has to live until its last call is over.
            let keep = (seat, Arc::clone(&worker));
            match worker.call(work, stop, keep).await {
                Ok(ran) => judge.outcome(ran),
                Err(cause) => ToolOutcome::Failed(not_run(cause)),
            }
        }))
    }

    /// The worker stops what takes too long, and keeps what it had said.
    fn time(&self) -> Option<Duration> {
        None
    }

    fn patience(&self) -> Duration {
        self.terms.limits.time.unwrap_or(self.usual_time)
    }

    fn turns(&self) -> Turns {
        self.turns.clone()
    }

    fn availability(&self) -> Availability {
        match self.worker.fault(&self.runs) {
            Some(why) => Availability::Broken(why.to_owned()),
            None => Availability::Ready,
        }
    }
}

impl ShellTool {
    /// What is to be run, or which argument no shell can be given.
    fn work(&self, call: Call<'_>) -> Result<Work, String> {
        // In one form, however the host spaced them: scripts take them apart with patterns.
        let mut arguments = Vec::with_capacity(call.json().len());
        write_without_space(&mut arguments, call.json());
        let variables = match &self.runs {
            Runs::Function(_) => self.variables(call.json())?,
            Runs::Program(_) => {
                self.terms.fill(&mut arguments);
                Variables::default()
            }
        };
        let Limits { time, output, memory, .. } = self.terms.limits;
        let mut work = Work::of(self.runs.clone(), arguments);
        work.variables = variables;
        work.time = time;
        work.output = output.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        work.memory = memory;
        work.listener = self.listener(call);
        Ok(work)
    }

    fn variables(&self, arguments: &str) -> Result<Variables, String> {
        if let Some(path) = path_of_nul(arguments) {
            return Err(format!(
                "{path}: must not hold the character U+0000, which a shell cannot be given. \
                 Send the text without it."
            ));
        }
        self.terms.variables(arguments).map_err(|Uncountable { name, value }| {
            let value = cut(&value, LONGEST_VALUE);
            format!(
                "{name}: must be from {} to {}, which is as far as a shell counts. Got {value}.",
                i64::MIN,
                i64::MAX
            )
        })
    }

    /// Hands on what the tool says while it runs.
    fn listener(&self, call: Call<'_>) -> Listener {
        let (tool, journal) = (call.name().to_owned(), self.journal.clone());
        let progress = call.progress();
        Listener::new(move |verb| match verb {
            Verb::Log { level, text } => journal.note(level, &format!("{tool}: {text}")),
            Verb::Progress { done, total, text } => progress.report(done, total, text.as_deref()),
            Verb::Attach(_) | Verb::Ask { .. } => {}
        })
    }
}

/// Knows what a function's end means.
#[derive(Debug)]
struct Judge {
    tool: String,
    promises_structure: bool,
    max_output: usize,
    journal: Journal,
}

impl Judge {
    fn outcome(&self, ran: Ran) -> ToolOutcome {
        let Ran { ended, stdout, stderr, attached, question } = ran;
        let said = self.text(&stdout);
        let complaint = last_lines(&stderr);
        if !complaint.is_empty() {
            let level = if ended == Ended::Returned(0) { Level::Debug } else { Level::Warning };
            self.journal.note(level, &format!("{} on stderr: {complaint}", self.tool));
        }
        let broken =
            |cause: String| ToolError::seen(Why::Crashed { said: said.clone() }).because(cause);
        let failure = match ended {
            Ended::Returned(0) => match self.done(&stdout, said) {
                Ok(reply) => {
                    let content = attached.into_iter().map(|it| content(it, self.max_output));
                    return ToolOutcome::Done(content.fold(reply, Reply::and));
                }
                Err(failure) => failure,
            },
            Ended::Returned(ASKED) if question.is_some() => {
                ToolError::seen(Why::CannotAsk { question: question.unwrap_or_default() })
            }
            Ended::Returned(status) if BROKEN.contains(&status) => {
                broken(format!("exit status {status}: {complaint}"))
            }
            Ended::Returned(status) => self.told(status, said, &tail(&stderr)),
            Ended::Signalled(signal) => broken(format!("ended by signal {signal}: {complaint}")),
            Ended::WorkerGone => broken("it stopped its own server process".to_owned()),
            Ended::TimedOut(after) => ToolError::seen(Why::TimedOut { after, said }),
            Ended::Stopped => ToolError::seen(Why::ServerEnded { said }),
        };
        let content = attached.into_iter().map(|it| content(it, self.max_output));
        ToolOutcome::Failed(content.fold(failure, ToolError::showing))
    }

    fn done(&self, stdout: &Said, said: String) -> Result<Reply, ToolError> {
        if is_binary(&stdout.bytes) {
            let cause = "it wrote bytes that are no text to standard output";
            let said = String::new();
            return Err(ToolError::seen(Why::BadOutput { said }).because(cause));
        }
        if !self.promises_structure {
            return Ok(Reply::text(said));
        }
        if stdout.cut.is_some() {
            return Err(ToolError::seen(Why::TooMuch { limit: self.max_output, said }));
        }
        match serde_json::from_str::<Box<RawValue>>(&said) {
            Ok(json) => Ok(Reply::structured(json)),
            Err(cause) => Err(ToolError::seen(Why::BadOutput { said }).because(cause)),
        }
    }

    /// The tool says that it failed, on standard output or else on standard error.
    fn told(&self, status: u8, said: String, complaint: &str) -> ToolError {
        let text = if !said.trim().is_empty() {
            said
        } else if !complaint.is_empty() {
            complaint.to_owned()
        } else {
            format!("Tool '{}' failed with exit status {status}", self.tool)
        };
        let told = ToolError::tell(text);
        if status == LATER { told.later() } else { told }
    }

    /// What was printed, without the line ends at its end. A cut says so.
    fn text(&self, stdout: &Said) -> String {
        let text = String::from_utf8_lossy(&stdout.bytes);
        if text.contains(char::REPLACEMENT_CHARACTER) {
            let note = format!("{} wrote bytes that are not UTF-8", self.tool);
            self.journal.note(Level::Debug, &note);
        }
        let kept = text.trim_end_matches('\n');
        match stdout.cut {
            None => kept.to_owned(),
            Some(dropped) => format!(
                "{kept}\n[cut here: {dropped} more bytes were written, and the limit is {}]",
                self.max_output
            ),
        }
    }
}

fn not_run(cause: WorkerError) -> ToolError {
    if let WorkerError::NulInArguments = cause {
        let line = "arguments: must not hold the character U+0000. Send the text without it.";
        return ToolError::seen(Why::Arguments(line.into()));
    }
    ToolError::seen(Why::Unavailable).because(cause)
}

/// Text has no NUL, and is not mostly something else.
fn is_binary(bytes: &[u8]) -> bool {
    let strange = String::from_utf8_lossy(bytes).matches(char::REPLACEMENT_CHARACTER).count();
    bytes.contains(&0) || strange * 3 > bytes.len()
}

/// The last lines of what was said on standard error, for the log.
fn last_lines(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.get(lines.len().saturating_sub(LAST_LINES)..).unwrap_or_default().join("\n")
}

/// The same for a model, without the place in the file that bash puts before its own complaints.
fn tail(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<_> = text.lines().map(without_place).filter(|it| !it.is_empty()).collect();
    let from = lines.len().saturating_sub(LAST_LINES);
    let last = lines.get(from..).unwrap_or_default();
    last.join("\n")
}

/// `/path/to/file.sh: line 12: foo: command not found` → `foo: command not found`, in any language
/// that bash speaks.
fn without_place(line: &str) -> &str {
    let line = line.trim_end();
    let Some((_file, rest)) = line.split_once(": ") else { return line };
    let Some((place, complaint)) = rest.split_once(": ") else { return line };
    let mut words = place.split_whitespace().rev();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if words.next().is_some_and(is_number) && words.count() < 3 { complaint } else { line }
}

/// Where in the arguments a NUL stands, if one does.
fn path_of_nul(json: &str) -> Option<String> {
    if !json.contains("\\u0000") {
        return None;
    }
    nul_in(&serde_json::from_str(json).ok()?, "")
}

fn nul_in(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::String(text) => text.contains('\0').then(|| path.to_owned()),
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(at, item)| nul_in(item, &format!("{path}[{at}]")))
        }
        Value::Object(members) => members.iter().find_map(|(key, member)| {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            if key.contains('\0') { Some("arguments".to_owned()) } else { nul_in(member, &path) }
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use candor::{Journal, ToolOutcome, Why};
    use serde_json::value::RawValue;

    use super::{Judge, path_of_nul, tail};
    use crate::output::Said;
    use crate::run::{Ended, Ran};

    fn judge(promises_structure: bool) -> Judge {
        let journal = Journal::new(|_| ());
        Judge { tool: "book".to_owned(), promises_structure, max_output: 8, journal }
    }

    fn ran(ended: Ended, stdout: &[u8], stderr: &str) -> Ran {
        let stdout = Said { bytes: stdout.to_vec(), cut: None };
        let stderr = stderr.as_bytes().to_vec();
        Ran { ended, stdout, stderr, attached: Vec::new(), question: None }
    }

    fn reply(ended: Ended, stdout: &[u8]) -> String {
        match judge(false).outcome(ran(ended, stdout, "")) {
            ToolOutcome::Done(reply) => reply.as_text().to_owned(),
            ToolOutcome::Failed(failure) => panic!("{failure}"),
        }
    }

    fn why(ended: Ended, stdout: &[u8], stderr: &str) -> Why {
        match judge(false).outcome(ran(ended, stdout, stderr)) {
            ToolOutcome::Done(reply) => panic!("{reply:?}"),
            ToolOutcome::Failed(failure) => failure.why().clone(),
        }
    }

    fn told(text: &str, later: bool) -> Why {
        Why::Told { text: text.to_owned(), later }
    }

    #[test]
    fn status_zero_is_the_text_without_the_line_ends_at_its_end() {
        assert_eq!(reply(Ended::Returned(0), b"a\n\nb\n\n\n"), "a\n\nb");
        assert_eq!(reply(Ended::Returned(0), b""), "");
    }

    #[test]
    fn any_other_status_is_a_failure_in_the_tools_own_words() {
        let returned = Ended::Returned(1);
        assert_eq!(why(returned, b"No such film.\n", "noise"), told("No such film.", false));
        assert_eq!(
            why(returned, b"", "/srv/a.sh: line 3: foo: command not found\nsecond\n"),
            told("foo: command not found\nsecond", false)
        );
        assert_eq!(
            why(Ended::Returned(9), b"", ""),
            told("Tool 'book' failed with exit status 9", false)
        );
        assert_eq!(why(Ended::Returned(75), b"Busy.", ""), told("Busy.", true));
    }

    #[test]
    fn a_broken_tool_has_crashed_and_what_it_said_is_kept() {
        for ended in
            [Ended::Returned(126), Ended::Returned(127), Ended::Signalled(9), Ended::WorkerGone]
        {
            assert_eq!(why(ended, b"half\n", "x"), Why::Crashed { said: "half".to_owned() });
        }
    }

    #[test]
    fn a_tool_that_was_stopped_keeps_what_it_said() {
        let (after, said) = (Duration::from_secs(2), "half".to_owned());
        assert_eq!(
            why(Ended::TimedOut(after), b"half\n", ""),
            Why::TimedOut { after, said: said.clone() }
        );
        assert_eq!(why(Ended::Stopped, b"half\n", ""), Why::ServerEnded { said });
    }

    #[test]
    fn a_cut_is_marked_and_breaks_only_a_promise_of_structure() {
        let mut cut = ran(Ended::Returned(0), b"12345678", "");
        cut.stdout.cut = Some(92);
        let ToolOutcome::Done(reply) = judge(false).outcome(cut.clone()) else { panic!() };
        assert_eq!(
            reply.as_text(),
            "12345678\n[cut here: 92 more bytes were written, and the limit is 8]"
        );
        let ToolOutcome::Failed(failure) = judge(true).outcome(cut) else { panic!() };
        assert!(matches!(failure.why(), Why::TooMuch { limit: 8, .. }));
    }

    #[test]
    fn a_promise_of_structure_is_kept_with_the_json_it_printed() {
        let json = ran(Ended::Returned(0), b"{\"a\": 1.0}\n", "");
        let ToolOutcome::Done(reply) = judge(true).outcome(json) else { panic!() };
        assert_eq!(reply.as_structured().map(RawValue::get), Some("{\"a\": 1.0}"));

        let text = ran(Ended::Returned(0), b"Booked.\n", "");
        let ToolOutcome::Failed(failure) = judge(true).outcome(text) else { panic!() };
        assert_eq!(*failure.why(), Why::BadOutput { said: "Booked.".to_owned() });
    }

    #[test]
    fn bytes_that_are_no_text_are_a_broken_answer_and_a_few_are_forgiven() {
        assert!(matches!(why(Ended::Returned(0), b"a\0b", ""), Why::BadOutput { .. }));
        assert!(matches!(why(Ended::Returned(0), &[0xff; 40], ""), Why::BadOutput { .. }));
        assert_eq!(reply(Ended::Returned(0), b"caf\xe9 au lait"), "caf\u{fffd} au lait");
    }

    #[test]
    fn only_the_end_of_what_was_said_on_standard_error_is_kept() {
        let lines: Vec<_> = (1..=30).map(|n| n.to_string()).collect();
        let kept = tail(lines.join("\n").as_bytes());

        assert!(kept.starts_with("11\n"));
        assert!(kept.ends_with("\n30"));
    }

    #[test]
    fn what_stands_in_for_an_answer_names_no_lines_of_a_file() {
        let told = |stderr: &str| tail(stderr.as_bytes());

        assert_eq!(told("/srv/a.sh: line 3: foo: command not found"), "foo: command not found");
        assert_eq!(
            told("./a.sh: Zeile 3: foo: Kommando nicht gefunden"),
            "foo: Kommando nicht gefunden"
        );
        assert_eq!(told("/srv/a.sh: ligne 3 : foo : introuvable"), "foo : introuvable");
        assert_eq!(told("error: 3: not found"), "not found");
    }

    #[test]
    fn a_nul_is_found_where_it_stands() {
        assert_eq!(path_of_nul(r#"{"a":{"b":["x","\u0000"]}}"#).as_deref(), Some("a.b[1]"));
        assert_eq!(path_of_nul(r#"{"a":"\\u0000"}"#), None);
        assert_eq!(path_of_nul(r#"{"a":"x"}"#), None);
    }
}

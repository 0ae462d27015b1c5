//! The words for failures that a tool does not speak of itself.
//!
//! Each says which tool, what was seen, whether other arguments would help, and when to stop.

use std::time::Duration;

use candor_protocol::Complaint;
use candor_protocol::outbound::{Kind, Retry};
use candor_protocol::text::{LONGEST_NAME, cut};

/// A failure in words, and what a host can act on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wording {
    pub(crate) kind: Kind,
    pub(crate) retry: Retry,
    pub(crate) sentence: String,
}

/// What the tool says about itself: does it change anything?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    ReadOnly,
    Writes,
}

/// The most characters of a question that a sentence repeats.
const LONGEST_QUESTION: usize = 200;

const CHECK: &str = "It may have taken effect: check before calling it again.";

pub(crate) fn crashed(tool: &str, effect: Effect, incident: &str) -> Wording {
    let rest = rest(effect, "Use another way.");
    Wording {
        kind: Kind::Crash,
        retry: no_or_unknown(effect),
        sentence: format!(
            "{tool} failed inside the server (incident {incident}). Changing the arguments will \
             not help. {rest}"
        ),
    }
}

pub(crate) fn timed_out(tool: &str, effect: Effect, after: Duration) -> Wording {
    let rest = rest(effect, "It changes nothing, so one more call is reasonable.");
    let after = spell(after);
    Wording {
        kind: Kind::Timeout,
        retry: later_or_unknown(effect),
        sentence: format!("{tool} did not finish within {after} and was stopped. {rest}"),
    }
}

pub(crate) fn server_ended(tool: &str, effect: Effect) -> Wording {
    let rest = rest(effect, "It changes nothing, so one more call is reasonable.");
    Wording {
        kind: Kind::Timeout,
        retry: later_or_unknown(effect),
        sentence: format!("{tool} was stopped because the server is ending. {rest}"),
    }
}

pub(crate) fn bad_output(tool: &str, effect: Effect, incident: &str) -> Wording {
    let rest = rest(effect, "Use another way.");
    Wording {
        kind: Kind::Output,
        retry: no_or_unknown(effect),
        sentence: format!(
            "{tool} finished, but its answer is not what it promises (incident {incident}). \
             Changing the arguments will not help. {rest}"
        ),
    }
}

pub(crate) fn too_much(tool: &str, effect: Effect, limit: usize) -> Wording {
    let rest = rest(effect, "Ask for less.");
    Wording {
        kind: Kind::Limit,
        retry: no_or_unknown(effect),
        sentence: format!(
            "{tool} wrote more than {limit} bytes, so its answer was cut and is not what it \
             promises. {rest}"
        ),
    }
}

/// Of a failure of which nothing can be shown, most are of a service behind the tool.
pub(crate) fn out_of_reach(tool: &str) -> String {
    format!("{tool} could not reach a service it needs. Changing the arguments will not help.")
}

pub(crate) fn unavailable(tool: &str) -> Wording {
    Wording {
        kind: Kind::Unavailable,
        retry: Retry::Later,
        sentence: format!(
            "{tool} is not available at the moment. Nothing ran. Call it again in a few seconds."
        ),
    }
}

pub(crate) fn arguments(tool: &str, complaint: &Complaint) -> Wording {
    let text = complaint.text();
    let sentence = match complaint.count() {
        None => text.to_owned(),
        Some(0 | 1) => format!(
            "{tool} did not run: 1 argument needs changing.\n{text}\nCorrect it and call again."
        ),
        Some(count) => format!(
            "{tool} did not run: {count} arguments need changing.\n{text}\nCorrect all of them in \
             one call."
        ),
    };
    Wording { kind: Kind::Arguments, retry: Retry::WithChanges, sentence }
}

pub(crate) fn repeated_key(tool: &str, key: &str) -> Wording {
    let key = cut(key, LONGEST_NAME);
    arguments(tool, &format!("{key}: stands twice in one object. Send it once.").into())
}

pub(crate) fn over_limit(tool: &str, limit: &str, after: Option<Duration>) -> Wording {
    let rest = match after {
        Some(after) => format!("The next call is possible in {}.", spell(whole(after))),
        None => "Call it again when one of them has ended.".to_owned(),
    };
    Wording {
        kind: Kind::Limit,
        retry: Retry::Later,
        sentence: format!("{tool} is limited to {limit}. Nothing ran. {rest}"),
    }
}

pub(crate) fn cannot_ask(tool: &str, question: &str) -> Wording {
    let question = match cut(question.trim(), LONGEST_QUESTION) {
        question if question.is_empty() => String::new(),
        question => format!(" to \"{question}\""),
    };
    Wording {
        kind: Kind::Unavailable,
        retry: Retry::No,
        sentence: format!(
            "{tool} needs an answer from the user{question}, and this server cannot put questions to \
             the user. Changing the arguments will not help. Use another way."
        ),
    }
}

/// What to do next: what reads only can be told, what writes must be checked first.
const fn rest(effect: Effect, if_it_only_reads: &'static str) -> &'static str {
    match effect {
        Effect::ReadOnly => if_it_only_reads,
        Effect::Writes => CHECK,
    }
}

fn no_or_unknown(effect: Effect) -> Retry {
    match effect {
        Effect::ReadOnly => Retry::No,
        Effect::Writes => Retry::UnknownEffect,
    }
}

fn later_or_unknown(effect: Effect) -> Retry {
    match effect {
        Effect::ReadOnly => Retry::Later,
        Effect::Writes => Retry::UnknownEffect,
    }
}

/// A time to wait, never shorter than it is: in seconds, or in milliseconds where it is less than
/// one.
fn whole(time: Duration) -> Duration {
    let nanos = time.as_nanos();
    let unit = if nanos > 999_000_000 { 1_000_000_000 } else { 1_000_000 };
    let units = u64::try_from(nanos.div_ceil(unit)).unwrap_or(u64::MAX).max(1);
    if unit > 1_000_000 { Duration::from_secs(units) } else { Duration::from_millis(units) }
}

/// A time as a person says it: whole seconds where they are whole.
fn spell(time: Duration) -> String {
    let millis = time.as_millis();
    if millis < 1000 {
        format!("{millis} ms")
    } else if millis.is_multiple_of(1000) {
        format!("{} s", millis / 1000)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use candor_protocol::Complaint;

    use super::{
        Effect, arguments, cannot_ask, crashed, over_limit, repeated_key, spell, timed_out, whole,
    };

    #[test]
    fn the_sentences_are_these() {
        assert_eq!(
            crashed("book_ticket", Effect::Writes, "7f3a91c2").sentence,
            "book_ticket failed inside the server (incident 7f3a91c2). Changing the arguments will \
             not help. It may have taken effect: check before calling it again."
        );
        assert_eq!(
            crashed("timetable", Effect::ReadOnly, "7f3a91c2").sentence,
            "timetable failed inside the server (incident 7f3a91c2). Changing the arguments will \
             not help. Use another way."
        );
        assert_eq!(
            timed_out("timetable", Effect::ReadOnly, Duration::from_secs(10)).sentence,
            "timetable did not finish within 10 s and was stopped. It changes nothing, so one more \
             call is reasonable."
        );
        assert_eq!(
            timed_out("book_ticket", Effect::Writes, Duration::from_secs(10)).sentence,
            "book_ticket did not finish within 10 s and was stopped. It may have taken effect: \
             check before calling it again."
        );
        assert_eq!(
            repeated_key("book_ticket", "cabin").sentence,
            "book_ticket did not run: 1 argument needs changing.\ncabin: stands twice in one \
             object. Send it once.\nCorrect it and call again."
        );
    }

    #[test]
    fn what_needs_changing_is_counted() {
        let said = |complaint| arguments("book_ticket", &complaint).sentence;
        assert_eq!(
            said("seats: must be at most 3. Got 9.".into()),
            "book_ticket did not run: 1 argument needs changing.\nseats: must be at most 3. Got 9.\n\
             Correct it and call again."
        );
        assert_eq!(
            said(Complaint::of(2, "seats: is missing.\nrow: is missing.")),
            "book_ticket did not run: 2 arguments need changing.\nseats: is missing.\nrow: is \
             missing.\nCorrect all of them in one call."
        );
        assert_eq!(said(Complaint::whole("All is said.")), "All is said.");
    }

    #[test]
    fn a_limit_says_when_to_come_back() {
        assert_eq!(
            over_limit("book_ticket", "10 calls a minute", Some(Duration::from_secs(23))).sentence,
            "book_ticket is limited to 10 calls a minute. Nothing ran. The next call is possible in \
             23 s."
        );
        assert_eq!(
            over_limit("book_ticket", "4 calls at once", None).sentence,
            "book_ticket is limited to 4 calls at once. Nothing ran. Call it again when one of them \
             has ended."
        );
    }

    #[test]
    fn a_question_that_cannot_be_put_is_quoted_and_cut() {
        assert_eq!(
            cannot_ask("book_ticket", "Which row?\n").sentence,
            "book_ticket needs an answer from the user to \"Which row?\", and this server cannot put \
             questions to the user. Changing the arguments will not help. Use another way."
        );
        assert_eq!(
            cannot_ask("book_ticket", " ").sentence,
            "book_ticket needs an answer from the user, and this server cannot put questions to the \
             user. Changing the arguments will not help. Use another way."
        );
        let long = cannot_ask("book_ticket", &"ä".repeat(201)).sentence;
        assert!(long.contains(&format!("\"{}…\"", "ä".repeat(200))), "{long}");
    }

    #[test]
    fn a_time_to_wait_is_never_said_too_short() {
        let said = |nanos| spell(whole(Duration::from_nanos(nanos)));
        assert_eq!(said(0), "1 ms");
        assert_eq!(said(1_000_001), "2 ms");
        assert_eq!(said(999_000_000), "999 ms");
        assert_eq!(said(999_000_001), "1 s");
        assert_eq!(said(22_000_000_001), "23 s");
    }

    #[test]
    fn a_time_is_spelt_as_a_person_says_it() {
        assert_eq!(spell(Duration::from_millis(250)), "250 ms");
        assert_eq!(spell(Duration::from_secs(30)), "30 s");
        assert_eq!(spell(Duration::from_millis(1500)), "1.5 s");
    }
}

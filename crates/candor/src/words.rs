//! The words for failures that a tool does not speak of itself.
//!
//! Each says which tool, what was seen, whether other arguments would help, and when to stop.

use std::time::Duration;

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

pub(crate) fn unavailable(tool: &str) -> Wording {
    Wording {
        kind: Kind::Unavailable,
        retry: Retry::Later,
        sentence: format!(
            "{tool} is not available at the moment. Nothing ran. Call it again in a few seconds."
        ),
    }
}

pub(crate) fn arguments(tool: &str, line: &str) -> Wording {
    Wording {
        kind: Kind::Arguments,
        retry: Retry::WithChanges,
        sentence: format!(
            "{tool} did not run: 1 argument needs changing.\n{line}\nCorrect it and call again."
        ),
    }
}

pub(crate) fn repeated_key(tool: &str, key: &str) -> Wording {
    let key = cut(key, LONGEST_NAME);
    arguments(tool, &format!("{key}: stands twice in one object. Send it once."))
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

    use super::{Effect, crashed, repeated_key, spell, timed_out};

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
    fn a_time_is_spelt_as_a_person_says_it() {
        assert_eq!(spell(Duration::from_millis(250)), "250 ms");
        assert_eq!(spell(Duration::from_secs(30)), "30 s");
        assert_eq!(spell(Duration::from_millis(1500)), "1.5 s");
    }
}

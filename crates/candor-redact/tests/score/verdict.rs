//! A text before and after to what became of its secrets.

use std::collections::HashMap;

use super::written::Written;

/// As many characters of a secret in a row as may not remain.
pub(crate) const TOO_MANY: usize = 6;

/// How a redactor did with one text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Verdict {
    /// Nowhere do six characters in a row remain of what nobody could guess.
    pub(crate) recalled: bool,
    /// Not one character remains of what has to go.
    pub(crate) full: bool,
    /// How much of the text around the secrets remains, from 0 to 1.
    pub(crate) kept: f64,
}

/// Judges what a redactor made of a text.
pub(crate) fn judge(before: &Written, after: &str) -> Verdict {
    let whole: usize = before.whole.iter().map(ExactSizeIterator::len).sum();
    let around = before.text.len() - whole;
    let pieces = between_marks(after);
    let left: usize = pieces.iter().map(|piece| piece.len()).sum();
    // A text that was not masked but rewritten has no characters of which one could say that they
    // remained.
    let surviving = surviving(before, &pieces);
    let kept = surviving.map_or(0, |secret| left.saturating_sub(secret));
    Verdict {
        recalled: leak(before, after).is_none(),
        full: surviving == Some(0),
        kept: if around == 0 { 1.0 } else { kept as f64 / around as f64 },
    }
}

/// The first six characters of a secret that remain, if any do. What stands elsewhere in the text
/// as well is no leak.
pub(crate) fn leak<'a>(before: &'a Written, after: &str) -> Option<&'a str> {
    let mut elsewhere = before.text.clone();
    for range in &before.whole {
        elsewhere.replace_range(range.clone(), &"\0".repeat(range.len()));
    }
    let cores = before.core.iter().map(|range| &before.text[range.clone()]);
    cores.flat_map(in_a_row).find(|piece| after.contains(*piece) && !elsewhere.contains(*piece))
}

/// Every six characters in a row. A shorter remnant, of a secret that was split, proves nothing.
fn in_a_row(core: &str) -> Vec<&str> {
    let mut places: Vec<usize> = core.char_indices().map(|(at, _)| at).collect();
    places.push(core.len());
    places.windows(TOO_MANY + 1).map(|row| &core[row[0]..row[TOO_MANY]]).collect()
}

const OPENING: &str = "[redacted:";

/// What stands between the marks: one more than there are marks, unless two marks touch.
fn between_marks(after: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut look) = (0, 0);
    while let Some(found) = after[look..].find(OPENING) {
        let mark = look + found;
        let name = after[mark + OPENING.len()..].find(']').map(|end| mark + OPENING.len() + end);
        let Some(end) = name.filter(|&end| is_name(&after[mark + OPENING.len()..end])) else {
            look = mark + OPENING.len();
            continue;
        };
        if mark > start || pieces.is_empty() {
            pieces.push(&after[start..mark]);
        }
        (start, look) = (end + 1, end + 1);
    }
    pieces.push(&after[start..]);
    pieces
}

/// `github-token#1`.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_#".contains(&byte))
}

/// How many bytes of the secrets are in the pieces that remain, if the text can be made up of these
/// pieces and something masked between each two of them. Where that is possible in several ways,
/// the one that masks best.
fn surviving(before: &Written, pieces: &[&str]) -> Option<usize> {
    let text = before.text.as_str();
    let mut secret_until = vec![0; text.len() + 1];
    for range in &before.whole {
        for at in range.clone() {
            secret_until[at + 1] = 1;
        }
    }
    for at in 0..text.len() {
        secret_until[at + 1] += secret_until[at];
    }
    let cost = |start: usize, end: usize| secret_until[end] - secret_until[start];

    let (first, rest) = pieces.split_first()?;
    if !text.starts_with(first) {
        return None;
    }
    let Some((last, middle)) = rest.split_last() else {
        return (*first == text).then(|| cost(0, text.len()));
    };
    // Where a piece can end, and what it costs to have come there.
    let mut ends: HashMap<usize, usize> = HashMap::from([(first.len(), cost(0, first.len()))]);
    for piece in middle {
        let mut further = HashMap::new();
        let mut places: Vec<(usize, usize)> = ends.into_iter().collect();
        places.sort_unstable();
        for start in occurrences(text, piece) {
            let reached = places.iter().take_while(|(end, _)| *end < start);
            if let Some(best) = reached.map(|(_, cost)| *cost).min() {
                let end = start + piece.len();
                further.insert(end, best + cost(start, end));
            }
        }
        ends = further;
    }
    let start = text.len().checked_sub(last.len()).filter(|_| text.ends_with(last))?;
    let reached = ends.into_iter().filter(|(end, _)| *end < start);
    reached.map(|(_, so_far)| so_far + cost(start, text.len())).min()
}

fn occurrences(text: &str, piece: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(piece)) {
        places.push(from + found);
        from += found + 1;
        while !text.is_char_boundary(from) {
            from += 1;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "Gq7rT2xLw9";

    fn text() -> Written {
        Written::plain("token=").known("tk_").secret(SECRET).then("; token_count=9\n")
    }

    fn verdict(after: &str) -> (bool, bool) {
        let verdict = judge(&text(), after);
        (verdict.recalled, verdict.full)
    }

    #[test]
    fn what_is_masked_exactly_is_full_and_keeps_the_rest() {
        let verdict = judge(&text(), "token=[redacted:tk-token#1]; token_count=9\n");
        assert_eq!(verdict, Verdict { recalled: true, full: true, kept: 1.0 });
    }

    #[test]
    fn what_is_untouched_is_neither() {
        assert_eq!(verdict(&text().text), (false, false));
    }

    #[test]
    fn one_character_that_remains_is_recalled_but_not_full() {
        for after in [
            "token=t[redacted:a#1]; token_count=9\n",
            "token=[redacted:a#1]9; token_count=9\n",
            "token=tk_[redacted:a#1]; token_count=9\n",
        ] {
            assert_eq!(verdict(after), (true, false), "{after}");
        }
    }

    #[test]
    fn five_characters_that_remain_are_recalled_and_six_are_not() {
        assert_eq!(verdict("token=tk_Gq7rT[redacted:a#1]; token_count=9\n"), (true, false));
        assert_eq!(verdict("token=tk_Gq7rT2[redacted:a#1]; token_count=9\n"), (false, false));
        assert_eq!(verdict("token=[redacted:a#1]rT2xLw9; token_count=9\n"), (false, false));
    }

    #[test]
    fn what_is_masked_too_widely_is_full_and_keeps_less() {
        let after = "[redacted:a#1]; token_count=9\n";
        assert_eq!(verdict(after), (true, true));
        assert!(judge(&text(), after).kept < 0.8);
        assert_eq!(judge(&text(), "[redacted:a#1]").kept.to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn a_text_that_was_rewritten_is_not_fully_masked() {
        assert_eq!(verdict("token=…; token_count=9\n"), (true, false));
        assert_eq!(verdict("[redacted:a#1]; token count is 9\n"), (true, false));
        assert_eq!(verdict(""), (true, false));
    }

    #[test]
    fn something_is_masked_at_every_mark() {
        let nothing = "token=tk_[redacted:a#1]Gq7rT2xLw9; token_count=9\n";
        assert_eq!(verdict(nothing), (false, false));
    }

    #[test]
    fn two_secrets_must_both_go() {
        let both = Written::plain("a=").secret(SECRET).then(" b=").secret("Zk4mN8vQ1c").then(".");
        let one = judge(&both, "a=[redacted:a#1] b=Zk4mN8vQ1c.");
        assert_eq!((one.recalled, one.full), (false, false));
        let two = judge(&both, "a=[redacted:a#1] b=[redacted:a#2].");
        assert_eq!((two.recalled, two.full), (true, true));
    }

    #[test]
    fn a_piece_that_stands_twice_is_taken_where_it_serves_best() {
        let twice = Written::plain("x,").secret(SECRET).then(",y,").secret(SECRET).then(",z");
        let verdict = judge(&twice, "x,[redacted:a#1],y,[redacted:a#1],z");
        assert_eq!((verdict.recalled, verdict.full), (true, true));
    }

    #[test]
    fn what_stands_elsewhere_too_is_no_leak() {
        let text = Written::plain("user=lantern42 password=").secret("lantern42");
        let verdict = judge(&text, "user=lantern42 password=[redacted:a#1]");
        assert_eq!((verdict.recalled, verdict.full), (true, true));
    }

    #[test]
    fn marks_that_touch_count_as_one() {
        let verdict = judge(&text(), "token=[redacted:a#1][redacted:b#1]; token_count=9\n");
        assert_eq!((verdict.recalled, verdict.full), (true, true));
    }

    #[test]
    fn what_only_looks_like_a_mark_is_text() {
        let text = Written::plain("say [redacted:] or [redacted:a b] ").secret(SECRET);
        let verdict = judge(&text, "say [redacted:] or [redacted:a b] [redacted:c#1]");
        assert_eq!((verdict.recalled, verdict.full), (true, true));
    }
}

//! A name that nobody declared to the one that was probably meant.

use crate::shown;

/// The declared name that is closest: one that differs by its spelling, or else the only one that
/// begins like it, or that shares a word with it.
pub(crate) fn closest<'n>(name: &str, declared: &'n [String]) -> Option<&'n str> {
    if let Some(near) = near(name, declared.iter().map(String::as_str)) {
        return Some(near);
    }
    // `address` for `addr`.
    let folded = fold(name);
    let mut longer = declared.iter().filter(|it| {
        let other = fold(it);
        folded.len().min(other.len()) >= 3
            && (folded.starts_with(&other) || other.starts_with(&folded))
    });
    if let (Some(only), None) = (longer.next(), longer.next()) {
        return Some(only);
    }
    let words = stems(name);
    let mut related = declared.iter().filter(|it| stems(it).iter().any(|it| words.contains(it)));
    let only = related.next()?;
    related.next().is_none().then_some(only)
}

/// The text that differs by case and separators, or by at most two edits.
pub(crate) fn near<'n>(text: &str, all: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    const MOST_EDITS: usize = 2;
    const LONGEST: usize = 64;
    if text.len() > LONGEST {
        return None;
    }
    let folded = fold(text);
    let measured = all.filter(|it| it.len() <= LONGEST).map(|it| {
        let other = fold(it);
        let shorter = folded.len().min(other.len());
        (edits(&folded, &other), shorter, it)
    });
    // Of texts that short, everything is close to everything.
    measured
        .filter(|(edits, shorter, _)| *edits == 0 || (*edits <= MOST_EDITS && edits * 2 < *shorter))
        .min_by_key(|(edits, ..)| *edits)
        .map(|(_, _, it)| it)
}

fn fold(text: &str) -> Vec<char> {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a name of three letters or more, without the `s` of a plural.
fn stems(name: &str) -> Vec<String> {
    let words = shown::words(name).into_iter();
    words
        .map(|word| word.strip_suffix('s').map(str::to_owned).unwrap_or(word))
        .filter(|word| word.len() >= 3)
        .collect()
}

/// How many letters must be put in, left out, replaced or swapped with their neighbour.
fn edits(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    let mut left: Option<char> = None;
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        let mut left_other: Option<char> = None;
        for (column, letter_other) in other.iter().enumerate() {
            let at = |list: &[usize], at: usize| list.get(at).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&last, column) + usize::from(letter != letter_other);
            let mut fewest = replaced.min(at(&last, column + 1) + 1).min(at(&next, column) + 1);
            if left == Some(*letter_other) && left_other == Some(*letter) && column > 0 {
                fewest = fewest.min(at(&before, column - 1) + 1);
            }
            next.push(fewest);
            left_other = Some(*letter_other);
        }
        left = Some(*letter);
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().unwrap_or(one.len())
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn a_name_is_found_by_its_spelling_or_by_a_word() {
        let declared = ["numTickets", "cabin", "date", "showTime"].map(str::to_owned);
        for (name, found) in [
            ("num_tickets", Some("numTickets")),
            ("numTicket", Some("numTickets")),
            ("numTicekts", Some("numTickets")),
            ("ticketCount", Some("numTickets")),
            ("CABIN", Some("cabin")),
            ("cabn", Some("cabin")),
            ("start_time", Some("showTime")),
            ("dt", None),
            ("price", None),
            ("", None),
        ] {
            assert_eq!(closest(name, &declared), found, "{name}");
        }
        let both = ["start_date", "end_date"].map(str::to_owned);
        assert_eq!(closest("the_date", &both), None);
    }
}

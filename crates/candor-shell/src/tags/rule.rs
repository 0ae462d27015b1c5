//! What stands in parentheses: a range, or a pattern between slashes.

use std::fmt::{self, Display};

use super::mistake::{Flaw, quoted};
use super::pattern::Pattern;
use super::text::{Cursor, Spot, Word};

/// The least and the most, both allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range<T> {
    pub(crate) least: Option<T>,
    pub(crate) most: Option<T>,
}

impl<T> Range<T> {
    /// No limits.
    pub(crate) const fn any() -> Self {
        Self { least: None, most: None }
    }
}

impl<T: PartialOrd> Range<T> {
    pub(crate) fn holds(&self, value: &T) -> bool {
        self.least.as_ref().is_none_or(|least| value >= least)
            && self.most.as_ref().is_none_or(|most| value <= most)
    }
}

impl<T: Display> Display for Range<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(least) = &self.least {
            write!(f, "{least}")?;
        }
        f.write_str("..")?;
        self.most.as_ref().map_or(Ok(()), |most| write!(f, "{most}"))
    }
}

/// A rule whose meaning depends on the type before it.
pub(super) enum Rule {
    Range(Word),
    /// Where it begins; without the pattern if that had a flaw.
    Pattern(Option<Pattern>, Spot),
    /// It had a flaw that left nothing of it.
    Nothing(Spot),
}

impl Rule {
    pub(super) const fn spot(&self) -> Spot {
        match self {
            Self::Range(Word { spot, .. }) | Self::Pattern(_, spot) | Self::Nothing(spot) => *spot,
        }
    }
}

/// Reads a rule, if one follows.
pub(super) fn read(cursor: &mut Cursor<'_>, flaws: &mut Vec<Flaw>) -> Option<Rule> {
    let opening = cursor.spot();
    if !cursor.eat('(') {
        return None;
    }
    let slash = cursor.spot();
    if cursor.eat('/') {
        return Some(pattern(cursor, slash, flaws));
    }
    let word = cursor.until(|letter| letter == ')');
    if cursor.eat(')') {
        return Some(Rule::Range(word));
    }
    flaws.push(Flaw::new(opening, "\"(\" is not closed.", "Write (1..10), for example."));
    Some(Rule::Nothing(opening))
}

fn pattern(cursor: &mut Cursor<'_>, slash: Spot, flaws: &mut Vec<Flaw>) -> Rule {
    let mut is_escaped = false;
    let end = cursor.rest().chars().position(|letter| {
        let is_end = letter == '/' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        is_end
    });
    let Some(end) = end else {
        cursor.until(|_| false);
        let right = "Write (/^[a-z]+$/), for example.";
        flaws.push(Flaw::new(slash, "the pattern has no \"/\" at its end.", right));
        return Rule::Nothing(slash);
    };
    let text = cursor.take(end);
    let closing = cursor.take(1);
    let read = Pattern::read(&text.text)
        .map_err(|wrong| flaws.push(Flaw::new(text.spot_of(wrong.at), wrong.said, wrong.right)));
    if !cursor.eat(')') {
        let right = r"Write \/ for a slash within the pattern, and ) behind the last one.";
        flaws.push(Flaw::new(closing.spot, "the pattern ends here, and no \")\" follows.", right));
        cursor.until(|letter| letter == ')');
        cursor.eat(')');
        return Rule::Nothing(slash);
    }
    Rule::Pattern(read.ok(), slash)
}

/// A rule as a range of lengths or counts.
pub(super) fn count(rule: Rule, of: &str, flaws: &mut Vec<Flaw>) -> Option<Range<u64>> {
    match rule {
        Rule::Range(word) => {
            range(&word, of, |text| text.parse().ok().filter(|_| !text.starts_with('+')), flaws)
        }
        Rule::Pattern(_, spot) => {
            let right = "Write how many, such as (1..10); put a rule for each value before the [].";
            flaws.push(Flaw::new(spot, format!("a /pattern/ is no rule for {of}."), right));
            None
        }
        Rule::Nothing(_) => None,
    }
}

/// `1..10`, `1..` or `..10`, each end read by `read`.
pub(super) fn range<T: PartialOrd + Display>(
    word: &Word,
    of: &str,
    read: impl Fn(&str) -> Option<T>,
    flaws: &mut Vec<Flaw>,
) -> Option<Range<T>> {
    let said = quoted(&word.text);
    let flaw = |said: String, right: String| Flaw::new(word.spot, said, right);
    let wrong = match word.text.split_once("..") {
        Some((least, most)) if least.trim().is_empty() && most.trim().is_empty() => flaw(
            format!("{said} sets no limit for {of}."),
            "Write (1..10), (1..) or (..10).".to_owned(),
        ),
        Some((least, most)) => {
            let end = |text: &str| match text.trim() {
                "" => Some(None),
                text => read(text).map(Some),
            };
            match (end(least), end(most)) {
                (Some(Some(least)), Some(Some(most))) if least > most => {
                    flaw(format!("{said} runs backwards."), format!("Write ({most}..{least})."))
                }
                (Some(least), Some(most)) => return Some(Range { least, most }),
                (None, _) => unread(word, 0, least, of),
                (_, None) => unread(word, least.chars().count() + 2, most, of),
            }
        }
        None => match as_range(&word.text, &read) {
            Some(meant) => {
                flaw(format!("{said} is not a range."), format!("Did you mean ({meant})?"))
            }
            None => flaw(
                format!("{said} is not a rule."),
                "Write a range such as (1..10), (1..) or (..10), or for strings a (/pattern/)."
                    .to_owned(),
            ),
        },
    };
    flaws.push(wrong);
    None
}

fn unread(word: &Word, at: usize, end: &str, of: &str) -> Flaw {
    let said = format!("{} is no limit for {of}.", quoted(end.trim()));
    Flaw::new(word.spot_of(at), said, "Write (1..10), (1..) or (..10).")
}

/// What was probably meant by something that is no range: `5`, `1-10`, `1,10`, `>=1`, `<=10`.
fn as_range<T>(text: &str, read: &impl Fn(&str) -> Option<T>) -> Option<String> {
    let is_end = |text: &str| read(text.trim()).is_some();
    if is_end(text) {
        let number = text.trim();
        return Some(format!("{number}..{number}"));
    }
    if let Some(least) = text.strip_prefix(">=").filter(|it| is_end(it)) {
        return Some(format!("{}..", least.trim()));
    }
    if let Some(most) = text.strip_prefix("<=").filter(|it| is_end(it)) {
        return Some(format!("..{}", most.trim()));
    }
    ['-', ',', ':', '–'].into_iter().find_map(|sign| {
        let (least, most) = text.split_once(sign)?;
        let is_range = is_end(least) && is_end(most);
        is_range.then(|| format!("{}..{}", least.trim(), most.trim()))
    })
}

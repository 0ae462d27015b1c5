//! The texts of one result, in turn, to the same texts with marks.

use std::borrow::Cow;
use std::time::Instant;

use crate::effort::Effort;
use crate::finding::{Finding, Numbers, apply, identity};
use crate::redactor::{Inner, Profile};
use crate::scan::Scan;
use crate::{control, internals, json, marks, personal, trace};

/// Masks several texts that belong together. Equal values get equal numbers in all of them.
///
/// ```
/// let redactor = candor_redact::Redactor::default();
/// let mut redaction = redactor.begin();
/// assert_eq!(redaction.success("password=hunter2!x"), "password=[redacted:password#1]");
/// assert_eq!(redaction.success("PGPASSWORD=hunter2!x"), "PGPASSWORD=[redacted:password#1]");
/// assert_eq!(redaction.masked(), 2);
/// ```
#[derive(Debug)]
pub struct Redaction<'r> {
    inner: &'r Inner,
    pub(crate) numbers: Numbers,
    spent: usize,
}

/// A text that is masked may hold something new to mask, but rarely twice.
const MOST_ROUNDS: usize = 6;
/// A cut goes back to a blank within so many bytes, so that no half of a token stays.
const LONGEST_STEP_BACK: usize = 4096;

impl<'r> Redaction<'r> {
    pub(crate) fn new(inner: &'r Inner) -> Self {
        Self { inner, numbers: Numbers::default(), spent: 0 }
    }

    /// A text without credentials.
    pub fn success<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        self.text(text, Profile::Success)
    }

    /// The text of a failure, without anything that a model must not read.
    pub fn error<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        if json::is_document(text) {
            return self.json(text, Profile::Error);
        }
        self.text(text, Profile::Error)
    }

    /// JSON whose strings have lost the same.
    pub fn json<'t>(&mut self, text: &'t str, profile: Profile) -> Cow<'t, str> {
        json::mask(self, text, profile)
    }

    /// How many credentials were masked so far.
    #[must_use]
    pub const fn masked(&self) -> usize {
        self.numbers.credentials
    }

    /// How many bytes the rules have looked at so far, some of them more than once.
    #[must_use]
    pub const fn looked_at(&self) -> usize {
        self.spent
    }

    pub(crate) fn text<'t>(&mut self, text: &'t str, profile: Profile) -> Cow<'t, str> {
        self.text_with(text, profile, &mut |_| {})
    }

    /// Masks a text, with findings that the caller knows of besides.
    pub(crate) fn text_with<'t>(
        &mut self,
        text: &'t str,
        profile: Profile,
        more: &mut dyn FnMut(&mut Scan<'_>),
    ) -> Cow<'t, str> {
        let until = Instant::now().checked_add(self.inner.most_time);
        let mut text = self.within_budget(text);
        for _ in 0..MOST_ROUNDS {
            let mut is_done = true;
            if profile == Profile::Error {
                for step in [control::clean, trace::fold] {
                    if let Cow::Owned(shorter) = step(&text) {
                        is_done = is_done && shorter == *text;
                        text = Cow::Owned(shorter);
                    }
                }
            }
            match self.round(&text, profile, until, more) {
                Some(masked) => text = Cow::Owned(masked),
                None if is_done => break,
                None => {}
            }
        }
        text
    }

    fn round(
        &mut self,
        text: &str,
        profile: Profile,
        until: Option<Instant>,
        more: &mut dyn FnMut(&mut Scan<'_>),
    ) -> Option<String> {
        let known = self.inner.known.as_deref();
        let mut effort = Effort::new(until);
        let mut scan = Scan::new(text.as_bytes(), known, &mut effort);
        scan.credentials();
        more(&mut scan);
        if profile == Profile::Error {
            internals::look(&mut scan, &self.inner.roots);
        }
        if self.inner.pii {
            personal::look(&mut scan);
        }
        let found: Vec<Finding> = scan.found;
        self.spent = self.spent.saturating_add(effort.spent());
        let masked = match effort.is_cut(text.len()) {
            None => return apply(text, found, known, &mut self.numbers).filter(|new| new != text),
            Some(cut) => {
                let cut = step_back(text, cut);
                let kept: Vec<Finding> =
                    found.into_iter().filter(|finding| finding.start < cut).collect();
                let head = text.get(..cut).unwrap_or_default();
                apply(head, kept, known, &mut self.numbers).unwrap_or_else(|| head.to_owned())
            }
        };
        Some(self.ended(masked, text))
    }

    /// Cuts what is too long to look at.
    fn within_budget<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let most = self.inner.most_bytes;
        if text.len() <= most {
            return Cow::Borrowed(text);
        }
        // What we wrote ourselves does not count, or a text would be cut again and again.
        let ours: usize = marks::all(text.as_bytes()).map(|mark| mark.end - mark.start).sum();
        if text.len() - ours <= most {
            return Cow::Borrowed(text);
        }
        let head = text.get(..step_back(text, most)).unwrap_or_default();
        Cow::Owned(self.ended(head.to_owned(), text))
    }

    /// Says that a text does not end here.
    fn ended(&mut self, mut head: String, whole: &str) -> String {
        let number = self.numbers.number(identity(whole.as_bytes()));
        marks::write(&mut head, "not-checked", number);
        head
    }
}

/// The last blank before a place, or the place itself if none is near.
fn step_back(text: &str, place: usize) -> usize {
    let place = text.floor_char_boundary(place);
    let from = text.floor_char_boundary(place.saturating_sub(LONGEST_STEP_BACK));
    let near = text.get(from..place).unwrap_or_default();
    near.rfind(char::is_whitespace).map_or(from, |at| from + at)
}

//! What is known beforehand, to a redactor that many threads may use.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use crate::exact::{Known, is_worth_looking_for};
use crate::marks;
use crate::redaction::Redaction;

/// Longer texts are cut, with a mark that says so.
const MOST_BYTES: usize = 16 << 20;
/// Far more than any text within the limit needs, on any machine.
const MOST_TIME: Duration = Duration::from_secs(10);

/// Who reads a text, and so what must go from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// What a tool gives when it succeeds loses credentials, and nothing else.
    Success,
    /// What it says when it fails loses all that tells of our insides too.
    Error,
}

/// Masks what must not be read. Cheap to clone.
///
/// ```
/// let redactor = candor_redact::Redactor::default();
/// assert_eq!(
///     redactor.success("API_TOKEN=k3Jx9-pQ7vR2mW8sT4nL"),
///     "API_TOKEN=[redacted:api-key#1]"
/// );
/// assert_eq!(redactor.success("API_TOKEN=${API_TOKEN}"), "API_TOKEN=${API_TOKEN}");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) known: Option<Arc<Known>>,
    pub(crate) roots: Vec<String>,
    pub(crate) pii: bool,
    pub(crate) most_bytes: usize,
    pub(crate) most_time: Duration,
    not_taken: Vec<String>,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            known: None,
            roots: Vec::new(),
            pii: false,
            most_bytes: MOST_BYTES,
            most_time: MOST_TIME,
            not_taken: Vec::new(),
        }
    }
}

/// Collects what a redactor shall know.
#[derive(Clone, Default)]
pub struct Builder {
    secrets: Vec<(String, String)>,
    roots: Vec<String>,
    pii: bool,
    most_bytes: Option<usize>,
    most_time: Option<Duration>,
}

// The secrets are not shown.
impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.secrets.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Builder")
            .field("secrets", &names)
            .field("roots", &self.roots)
            .finish_non_exhaustive()
    }
}

impl Builder {
    /// A secret that we hold: a variable of the environment, a header, a token. It is found in
    /// base64, in hexadecimal, and escaped for URLs, JSON, shell and HTML too. Its name stands in
    /// the mark.
    ///
    /// Values that are too short or too common are not taken; see [`Redactor::not_taken`].
    #[must_use]
    pub fn secret(mut self, name: &str, value: &str) -> Self {
        self.secrets.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A folder that a model may know of. Paths below it become relative to it.
    #[must_use]
    pub fn root(mut self, path: &str) -> Self {
        let path = path.trim_end_matches(['/', '\\']);
        if !path.is_empty() {
            self.roots.push(path.to_owned());
        }
        self
    }

    /// Shall e-mail addresses, telephone numbers, cards and bank accounts be masked as well?
    #[must_use]
    pub const fn pii(mut self, wanted: bool) -> Self {
        self.pii = wanted;
        self
    }

    /// How much of a text may be looked at. The rest is cut. 16 MiB and ten seconds, unless told.
    #[must_use]
    pub const fn budget(mut self, bytes: usize, time: Duration) -> Self {
        self.most_bytes = Some(bytes);
        self.most_time = Some(time);
        self
    }

    /// The redactor that knows all this.
    #[must_use]
    pub fn build(self) -> Redactor {
        let (taken, left): (Vec<_>, Vec<_>) =
            self.secrets.into_iter().partition(|(_, value)| is_worth_looking_for(value.trim()));
        let mut roots = self.roots;
        // The innermost root decides.
        roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        Redactor {
            inner: Arc::new(Inner {
                known: Known::new(&taken),
                roots,
                pii: self.pii,
                most_bytes: self.most_bytes.unwrap_or(MOST_BYTES),
                most_time: self.most_time.unwrap_or(MOST_TIME),
                not_taken: left.into_iter().map(|(name, _)| name).collect(),
            }),
        }
    }
}

impl Redactor {
    /// Collects what a redactor shall know.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Begins the texts of one result: equal values get equal numbers in all of them.
    #[must_use]
    pub fn begin(&self) -> Redaction<'_> {
        Redaction::new(&self.inner)
    }

    /// A text without credentials.
    #[must_use]
    pub fn success<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.begin().success(text)
    }

    /// The text of a failure, without anything that a model must not read.
    #[must_use]
    pub fn error<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.begin().error(text)
    }

    /// JSON whose strings have lost the same. Numbers, order and blanks stay as they are.
    ///
    /// ```
    /// use candor_redact::{Profile, Redactor};
    ///
    /// let json = r#"{"user": "ada", "password": "c0rrect-h0rse", "tries": 1.0}"#;
    /// assert_eq!(
    ///     Redactor::default().json(json, Profile::Success),
    ///     r#"{"user": "ada", "password": "[redacted:password#1]", "tries": 1.0}"#,
    /// );
    /// ```
    #[must_use]
    pub fn json<'t>(&self, text: &'t str, profile: Profile) -> Cow<'t, str> {
        self.begin().json(text, profile)
    }

    /// Does a text hold a mark of ours? A caller that sends one back has a masked value in hand.
    ///
    /// ```
    /// use candor_redact::Redactor;
    ///
    /// assert!(Redactor::is_marked("deploy with [redacted:github-token#1]"));
    /// assert!(!Redactor::is_marked("deploy with [redacted]"));
    /// ```
    #[must_use]
    pub fn is_marked(text: &str) -> bool {
        marks::all(text.as_bytes()).next().is_some()
    }

    /// The names of secrets whose values are too short or too common to look for: shorter than six
    /// bytes, a word like `production`, one letter repeated, or only digits up to ten.
    #[must_use]
    pub fn not_taken(&self) -> &[String] {
        &self.inner.not_taken
    }
}

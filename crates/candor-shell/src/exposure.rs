//! Which tools callers may see and call.

use std::collections::HashMap;
use std::path::Path;

/// Which tools callers may see and call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exposure {
    /// Only these exist for callers; all, if `None`.
    pub only: Option<Vec<String>>,
    /// These do not exist for callers.
    pub except: Vec<String>,
    /// Functions that a list of tools leaves out can be called all the same.
    pub callable_unlisted: bool,
}

impl Exposure {
    pub(crate) fn shows(&self, name: &str) -> bool {
        let is_named = |names: &[String]| names.iter().any(|it| it == name);
        self.only.as_deref().is_none_or(is_named) && !is_named(&self.except)
    }

    /// A name that nothing bears was meant for something else.
    pub(crate) fn check(&self, tools: &HashMap<String, &Path>) -> Result<(), String> {
        let only = self.only.iter().flatten().map(|name| ("--only", name));
        let except = self.except.iter().map(|name| ("--except", name));
        match only.chain(except).find(|(_, name)| !tools.contains_key(*name)) {
            None => Ok(()),
            Some((flag, name)) => Err(format!("{flag} names {name}, and there is no such tool")),
        }
    }
}

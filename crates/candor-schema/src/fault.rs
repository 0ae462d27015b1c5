//! Where a value breaks a schema, and how, before it is put into words.

use std::fmt::Write as _;

use crate::node::Id;
use crate::shown;

/// A step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Member(String),
    Entry(usize),
}

/// One rule that one part of the value breaks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) path: Vec<Step>,
    pub(crate) keyword: &'static str,
    pub(crate) what: What,
    /// The nodes that judged this part, from the one that its parent names to the one that
    /// complains. What an author says of the part may stand at any of them.
    pub(crate) site: Vec<Id>,
    pub(crate) is_sensitive: bool,
    pub(crate) because: Option<Because>,
}

/// What made a rule apply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Because {
    /// The value fits this node, which is an `if`.
    Holds(Id),
    /// This member is given.
    Given(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Type,
    Values,
    Constant,
    Minimum,
    ExclusiveMinimum,
    Maximum,
    ExclusiveMaximum,
    MultipleOf,
    MinLength,
    MaxLength,
    Pattern,
    Format,
    /// `contentEncoding`, `contentMediaType`: which of them.
    Content(usize),
    /// The part is missing; the nodes that would judge it.
    Missing(Vec<Id>),
    /// A member that this node does not declare.
    Unknown(Id),
    /// A name that `propertyNames` does not admit.
    Name(Box<Fault>),
    MinMembers,
    MaxMembers,
    MinEntries,
    MaxEntries,
    /// Only so many entries are declared.
    Extra(usize),
    /// Pairs of equal entries.
    Twins(Vec<(usize, usize)>),
    /// So many entries fit `contains`.
    TooFew(u64),
    TooMany(u64),
    Not(Id),
    Never,
    /// Fits none of these, and nothing says which was meant.
    NoneOf(Vec<Id>),
    /// The value has none of the members that tell these apart.
    NoKeyOf {
        keys: Vec<Vec<String>>,
        extra: Vec<String>,
        is_one: bool,
    },
    /// Its type, or its value, is none that one of these admits.
    NoTypeOf(Vec<Id>),
    /// A member tells the alternatives apart, and is none of these.
    NoTagOf(Vec<serde_json::Value>),
    /// Fits these at once, and may fit only one.
    ManyOf(Vec<Id>),
}

/// What the arguments as a whole are called.
pub(crate) const ROOT: &str = "arguments";

/// Names a part as a model writes it: `addr.geo.lat`, `tags[0]`; the root is `arguments`.
pub(crate) fn path(steps: &[Step]) -> String {
    path_from(ROOT, steps)
}

/// The same with another root.
pub(crate) fn path_from(root: &str, steps: &[Step]) -> String {
    /// The most characters; what comes first is left out.
    const LONGEST: usize = 120;
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Entry(at) => {
                let _ = write!(path, "[{at}]");
            }
            Step::Member(name) if is_plain(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Step::Member(name) => {
                let _ = write!(path, "[{}]", shown::name(name));
            }
        }
    }
    // Only entries or odd names: a root that reads as one.
    if path.is_empty() || path.starts_with('[') {
        path.insert_str(0, root);
    }
    let count = path.chars().count();
    if count > LONGEST {
        let rest: String = path.chars().skip(count - LONGEST).collect();
        return format!("…{rest}");
    }
    path
}

/// A name within a sentence: bare where it could be in a path.
pub(crate) fn label(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { shown::name(name) }
}

/// Can a name stand in a path without quotes?
fn is_plain(name: &str) -> bool {
    (1..=shown::LONGEST_NAME).contains(&name.len())
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '$' | '@'))
        && !shown::is_secret_shaped(name)
}

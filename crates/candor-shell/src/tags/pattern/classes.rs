//! Which characters stand in one place of a pattern.

/// Some characters.
#[derive(Clone, Debug)]
pub(in crate::tags) struct Set {
    items: Vec<Item>,
    is_all_but: bool,
}

/// Characters that belong together.
#[derive(Clone, Copy, Debug)]
pub(in crate::tags) enum Item {
    Range(char, char),
    /// `d`, `w` or `s`.
    Class(char),
    /// What is not in the class.
    AllBut(char),
}

impl Set {
    pub(super) const fn of(items: Vec<Item>, is_all_but: bool) -> Self {
        Self { items, is_all_but }
    }

    pub(super) fn letter(letter: char) -> Self {
        Self::of(vec![Item::Range(letter, letter)], false)
    }

    pub(super) const fn nothing() -> Self {
        Self::of(Vec::new(), false)
    }

    /// What `.` stands for.
    pub(super) fn any() -> Self {
        Self::of(vec![Item::Range('\n', '\n'), Item::Range('\r', '\r')], true)
    }

    pub(super) fn holds(&self, letter: char) -> bool {
        self.items.iter().any(|item| item.holds(letter)) != self.is_all_but
    }
}

impl Item {
    /// The class of `\d`, `\W` and so on.
    pub(super) const fn class(name: char) -> Option<Self> {
        match name {
            'd' | 'w' | 's' => Some(Self::Class(name)),
            'D' | 'W' | 'S' => Some(Self::AllBut(name.to_ascii_lowercase())),
            _ => None,
        }
    }

    fn holds(self, letter: char) -> bool {
        match self {
            Self::Range(first, last) => (first..=last).contains(&letter),
            Self::Class(name) => is_in_class(name, letter),
            Self::AllBut(name) => !is_in_class(name, letter),
        }
    }
}

/// Engines agree on these characters of a class, and not on others.
fn is_in_class(name: char, letter: char) -> bool {
    match name {
        'd' => letter.is_ascii_digit(),
        'w' => letter.is_ascii_alphanumeric() || letter == '_',
        _ => letter.is_whitespace(),
    }
}

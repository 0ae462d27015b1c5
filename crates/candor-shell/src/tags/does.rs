//! `@does`: what a call changes.

use super::mistake::{Flaw, perhaps, quoted};
use super::text::{Cursor, Spot};

/// What a tool says of its calls. What it does not say stays open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Does {
    pub(crate) effect: Option<Effect>,
    /// A second call with the same arguments changes nothing more.
    pub(crate) is_idempotent: bool,
    /// It reaches things beyond this machine.
    pub(crate) is_outside: bool,
}

/// What a call does to what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It changes nothing.
    Read,
    /// It adds.
    Write,
    /// It may overwrite or remove.
    Destroy,
}

const WORDS: [&str; 5] = ["read", "write", "destroy", "idempotent", "outside"];
const KNOWN: &str = "Words are read, write or destroy, and idempotent, outside.";

impl Effect {
    const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Destroy => "destroy",
        }
    }
}

impl Does {
    /// Reads the rest of a `@does`, which adds to what others said.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_>, flaws: &mut Vec<Flaw>) {
        let mut is_empty = true;
        loop {
            cursor.until(|letter| letter != ',' && !letter.is_whitespace());
            if cursor.peek().is_none() {
                break;
            }
            is_empty = false;
            let word = cursor.until(|letter| letter == ',' || letter.is_whitespace());
            self.add(&word.text, word.spot, flaws);
        }
        if is_empty {
            flaws.push(Flaw::new(cursor.spot(), "@does says nothing.", KNOWN));
        }
    }

    fn add(&mut self, word: &str, spot: Spot, flaws: &mut Vec<Flaw>) {
        let effect = match word {
            "read" => Effect::Read,
            "write" => Effect::Write,
            "destroy" => Effect::Destroy,
            "idempotent" if !self.is_idempotent => return self.is_idempotent = true,
            "outside" if !self.is_outside => return self.is_outside = true,
            "idempotent" | "outside" => return flaws.push(twice(word, spot)),
            _ => {
                let said = format!("{} is not a word of @does.", quoted(word));
                flaws.push(Flaw::new(spot, said, format!("{}{KNOWN}", perhaps(word, WORDS))));
                return;
            }
        };
        match self.effect {
            None => self.effect = Some(effect),
            Some(before) if before == effect => flaws.push(twice(word, spot)),
            Some(before) => flaws.push(Flaw::new(
                spot,
                format!("{word} contradicts {}.", before.word()),
                "Keep the one that says more: destroy over write, write over read.",
            )),
        }
    }
}

fn twice(word: &str, spot: Spot) -> Flaw {
    Flaw::new(spot, format!("{word} is said twice."), "Say it once.")
}

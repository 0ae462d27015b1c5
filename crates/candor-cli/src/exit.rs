//! How the program ends: one table for every command.

use std::fmt::Write;
use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Done,
    ToolError,
    Unusable,
    ProtocolError,
    NoAnswer,
    InputRequired,
    Unreachable,
    Interrupted,
}

impl Exit {
    const ALL: [Self; 8] = [
        Self::Done,
        Self::ToolError,
        Self::Unusable,
        Self::ProtocolError,
        Self::NoAnswer,
        Self::InputRequired,
        Self::Unreachable,
        Self::Interrupted,
    ];

    /// The status that a shell sees.
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::ToolError => 1,
            Self::Unusable => 2,
            Self::ProtocolError => 3,
            Self::NoAnswer => 4,
            Self::InputRequired => 5,
            Self::Unreachable => 6,
            Self::Interrupted => 130,
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::ToolError => "the tool answered with an error",
            Self::Unusable => "wrong usage, or a file that cannot be served",
            Self::ProtocolError => "a protocol error",
            Self::NoAnswer => "no answer came, so the effect is unknown",
            Self::InputRequired => "the tool asks for input",
            Self::Unreachable => "the server could not be reached; nothing was sent",
            Self::Interrupted => "interrupted",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.status().into()
    }
}

/// The table, as `--help` prints it.
pub(crate) fn table() -> String {
    let mut table = String::from("Exit status:");
    for exit in Exit::ALL {
        // Writing to a string cannot fail.
        let _ = write!(table, "\n  {:<3}  {}", exit.status(), exit.meaning());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_document_has_the_same_table() {
        let document = include_str!("../../../docs/serve.md");
        for exit in Exit::ALL {
            let row = format!("\n| {} | {} |\n", exit.status(), exit.meaning());
            assert!(document.contains(&row), "{row}");
        }
    }
}

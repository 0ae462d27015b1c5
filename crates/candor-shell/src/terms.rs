//! A tool's definition and limits to what holds for each of its calls.

use candor::Definition;

use crate::tags::Limits;

/// What holds for each call of one tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    /// What it limits itself to. Where it says nothing, the server's limits hold.
    pub(crate) limits: Limits,
}

impl Terms {
    /// The terms of a tool that is published as `definition`.
    pub(crate) fn new(_definition: &Definition, limits: Limits) -> Self {
        Self { limits }
    }
}

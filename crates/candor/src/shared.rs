//! What all connections of a server have in common.

use std::sync::Arc;

use crate::catalog::Source;
use crate::journal::Journal;
use crate::masking::Masking;
use crate::policy::Policy;
use crate::tool::States;

/// What all connections of a server have in common.
pub(crate) struct Shared {
    pub(crate) source: Arc<dyn Source>,
    pub(crate) policy: Policy,
    /// The log as it was given.
    pub(crate) log: Journal,
    /// The same, which is not told what is masked.
    pub(crate) journal: Journal,
    pub(crate) masking: Masking,
    /// What the tools share.
    pub(crate) states: Arc<States>,
}

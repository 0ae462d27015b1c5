//! What all connections of a server have in common.

use std::sync::Arc;

use crate::catalog::Source;
use crate::journal::Journal;
use crate::policy::Policy;

/// What all connections of a server have in common.
pub(crate) struct Shared {
    pub(crate) source: Arc<dyn Source>,
    pub(crate) policy: Policy,
    pub(crate) journal: Journal,
}

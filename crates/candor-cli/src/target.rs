//! Files to the source of a server.

use std::path::PathBuf;
use std::sync::Arc;

use candor::Journal;
use candor_shell::{Exposure, Options, Tools};

use crate::options::{Choice, Running};

/// Starts loading files.
pub(crate) fn load(
    files: &[PathBuf],
    running: Running,
    choice: Choice,
    journal: &Journal,
) -> Arc<Tools> {
    let Running { timeout, max_output, env, cwd } = running;
    let mut options = Options::default();
    options.environment = env;
    options.folder = cwd;
    options.timeout = timeout;
    options.max_output = max_output;
    let Choice { only, except, callable_unlisted } = choice;
    let mut exposure = Exposure::default();
    exposure.only = (!only.is_empty()).then_some(only);
    exposure.except = except;
    exposure.callable_unlisted = callable_unlisted;
    Arc::new(Tools::open(files, options, exposure, journal.clone()))
}

//! The process groups that run now, to be ended with or without a runtime.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// Each call's group, from its beginning to its status.
#[derive(Debug, Default)]
pub(crate) struct Groups(Mutex<BTreeMap<u64, Pid>>);

impl Groups {
    pub(crate) fn add(&self, id: u64, group: Pid) {
        self.live().insert(id, group);
    }

    pub(crate) fn remove(&self, id: u64) {
        self.live().remove(&id);
    }

    /// Signals the group of this call, if it has one.
    pub(crate) fn signal(&self, id: u64, signal: Signal) {
        if let Some(group) = self.live().get(&id) {
            send(*group, signal);
        }
    }

    pub(crate) fn kill_all(&self) {
        for group in self.live().values() {
            send(*group, Signal::KILL);
        }
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<u64, Pid>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send(group: Pid, signal: Signal) {
    // A group that is gone needs no signal.
    let _ = kill_process_group(group, signal);
    if signal == Signal::TERM {
        // One that was stopped would not hear it.
        let _ = kill_process_group(group, Signal::CONT);
    }
}

//! The process groups that run now, to be ended with or without a runtime.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// Each call's group, from its beginning to its status.
#[derive(Debug, Default)]
pub(crate) struct Groups(Mutex<BTreeMap<u64, Group>>);

#[derive(Debug)]
struct Group {
    leader: Pid,
    asked: bool,
}

impl Groups {
    pub(crate) fn add(&self, id: u64, leader: Pid) {
        self.live().insert(id, Group { leader, asked: false });
    }

    pub(crate) fn remove(&self, id: u64) {
        self.live().remove(&id);
    }

    /// Asks this call to end, once.
    pub(crate) fn ask(&self, id: u64) {
        if let Some(group) = self.live().get_mut(&id).filter(|group| !group.asked) {
            group.asked = true;
            send(group.leader, Signal::TERM);
            // Were it stopped, it would not hear.
            send(group.leader, Signal::CONT);
        }
    }

    /// Makes this call end.
    pub(crate) fn kill(&self, id: u64) {
        if let Some(group) = self.live().get(&id) {
            send(group.leader, Signal::KILL);
        }
    }

    pub(crate) fn kill_all(&self) {
        for group in self.live().values() {
            send(group.leader, Signal::KILL);
        }
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<u64, Group>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send(leader: Pid, signal: Signal) {
    // A group that is gone needs no signal.
    let _ = kill_process_group(leader, signal);
}

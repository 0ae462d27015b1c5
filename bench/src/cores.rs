//! Which cores the client and the server may use.

use std::io;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// How the two sides share the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cores {
    /// The kernel decides.
    Free(CpuSet),
    /// One core for the client, another for the server and all that it starts. On a virtual
    /// machine a lone call then waits for a halted core to wake, which hides the server's own time.
    Apart { client: usize, server: usize },
    /// One core for both: the time that both take.
    Together(usize),
}

impl Cores {
    /// What this process may use.
    pub(crate) fn free() -> io::Result<Self> {
        Ok(Self::Free(sched_getaffinity(Pid::from_raw(0))?))
    }

    /// The first two cores of these; none if there is only one.
    pub(crate) fn apart(self) -> Option<Self> {
        let mut allowed = self.allowed();
        Some(Self::Apart { client: allowed.next()?, server: allowed.next()? })
    }

    pub(crate) fn together(self) -> Option<Self> {
        self.allowed().last().map(Self::Together)
    }

    fn allowed(self) -> impl Iterator<Item = usize> {
        (0..CpuSet::count()).filter(move |&core| match self {
            Self::Free(all) => all.is_set(core).unwrap_or_default(),
            Self::Apart { client, server } => [client, server].contains(&core),
            Self::Together(one) => one == core,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Free(_) => "free",
            Self::Apart { .. } => "apart",
            Self::Together(_) => "together",
        }
    }

    /// Moves this thread to the server's side: what it starts there stays there.
    pub(crate) fn as_server(self) -> io::Result<()> {
        match self {
            Self::Free(all) => stay_on(&all),
            Self::Apart { server, .. } | Self::Together(server) => stay_on(&only(server)?),
        }
    }

    pub(crate) fn as_client(self) -> io::Result<()> {
        match self {
            Self::Free(all) => stay_on(&all),
            Self::Apart { client, .. } | Self::Together(client) => stay_on(&only(client)?),
        }
    }
}

fn only(core: usize) -> io::Result<CpuSet> {
    let mut set = CpuSet::new();
    set.set(core)?;
    Ok(set)
}

fn stay_on(cores: &CpuSet) -> io::Result<()> {
    Ok(sched_setaffinity(Pid::from_raw(0), cores)?)
}

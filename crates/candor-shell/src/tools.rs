//! Files and folders to a source of tools for a server.

use std::path::PathBuf;
use std::sync::Arc;

use candor::{About, Catalog, Journal, Loading, Source};
use tokio::sync::watch;

use crate::Options;
use crate::assembled::Assembly;
use crate::early::early;
use crate::exposure::Exposure;
use crate::kept::Kept;
use crate::loader::LoadError;
use crate::offered::Strictness;
use crate::target::Target;

/// The tools of some files and folders, as a source for a server.
///
/// A file holds functions named `tool_NAME`; in a folder, each program is a tool. What is edited
/// counts at the next request, as soon as it can be served.
#[derive(Debug)]
pub struct Tools {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// Known before anything is loaded, if nothing can say otherwise.
    early: Option<Arc<About>>,
    phase: watch::Sender<Phase>,
}

#[derive(Clone, Debug)]
enum Phase {
    Loading,
    Loaded(Arc<Kept>),
    Failed(Arc<LoadError>),
}

impl Tools {
    /// Starts loading files and folders. Needs a tokio runtime with its I/O and time drivers
    /// enabled.
    ///
    /// # Panics
    ///
    /// Outside such a runtime.
    #[must_use]
    pub fn open(
        targets: &[PathBuf],
        options: Options,
        exposure: Exposure,
        journal: Journal,
    ) -> Self {
        let phase = watch::Sender::new(Phase::Loading);
        let inner = Arc::new(Inner { early: early(targets), phase });
        let (targets, loading) = (targets.to_vec(), Arc::clone(&inner));
        let assembly = Assembly { options, exposure, journal };
        tokio::spawn(async move {
            // What can be answered before bash is started is answered first.
            tokio::task::yield_now().await;
            let phase = match load(&targets, assembly).await {
                Ok(kept) => Phase::Loaded(Arc::new(kept)),
                Err(cause) => Phase::Failed(Arc::new(cause)),
            };
            loading.phase.send_replace(phase);
        });
        Self { inner }
    }

    /// Waits until everything is loaded.
    ///
    /// # Errors
    ///
    /// Something cannot be served; the text says why, in a line for each mistake.
    pub async fn ready(&self) -> Result<(), Arc<LoadError>> {
        match self.inner.settled().await {
            Phase::Failed(cause) => Err(cause),
            Phase::Loading | Phase::Loaded(_) => Ok(()),
        }
    }

    /// From now on an edit is looked at soon after it was made, whether anyone asks or not, so that
    /// its author is told of mistakes.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn watch(&self) {
        let inner = Arc::clone(&self.inner);
        tokio::spawn(async move {
            if let Phase::Loaded(kept) = inner.settled().await {
                kept.watch();
            }
        });
    }

    /// Ends the workers, and with them everything that a file has started in their groups.
    pub async fn end(&self) {
        let phase = self.inner.phase.borrow().clone();
        if let Phase::Loaded(kept) = phase {
            kept.end().await;
        }
    }
}

impl Source for Tools {
    fn about(&self) -> Option<Arc<About>> {
        match &*self.inner.phase.borrow() {
            Phase::Loaded(kept) => Some(Arc::clone(kept.current()?.about())),
            Phase::Loading | Phase::Failed(_) => self.inner.early.clone(),
        }
    }

    fn catalog(&self) -> Option<Arc<Catalog>> {
        match &*self.inner.phase.borrow() {
            Phase::Loaded(kept) => kept.current(),
            Phase::Loading | Phase::Failed(_) => None,
        }
    }

    fn loaded(&self) -> Loading {
        let inner = Arc::clone(&self.inner);
        Box::pin(async move {
            if let Phase::Loaded(kept) = inner.settled().await {
                kept.settled().await;
            }
        })
    }

    fn fault(&self) -> Option<String> {
        match &*self.inner.phase.borrow() {
            Phase::Failed(cause) => Some(cause.to_string()),
            Phase::Loading | Phase::Loaded(_) => None,
        }
    }
}

impl Inner {
    async fn settled(&self) -> Phase {
        let mut phase = self.phase.subscribe();
        let settled = phase.wait_for(|phase| !matches!(phase, Phase::Loading)).await;
        settled.map_or(Phase::Loading, |phase| phase.clone())
    }
}

/// Loads everything at once, and tells of everything that keeps it from being served.
async fn load(names: &[PathBuf], assembly: Assembly) -> Result<Kept, LoadError> {
    let mut starting = Vec::new();
    for name in names {
        let (path, reading) = (name.clone(), assembly.reading(Strictness::AtStart));
        let opening = tokio::spawn(async move { Target::open(&path, &reading).await });
        starting.push((name, opening));
    }
    let (mut targets, mut refused) = (Vec::new(), Vec::new());
    for (name, opening) in starting {
        match opening.await {
            Ok(Ok(target)) => {
                target.tell(&assembly.journal, None);
                targets.push(Arc::new(target));
            }
            Ok(Err(refusal)) => {
                refusal.tell(&assembly.journal);
                refused.push(refusal.why);
            }
            Err(cause) => {
                let cause = std::io::Error::other(cause);
                refused.push(LoadError::System { file: name.clone(), cause });
            }
        }
    }
    match refused.pop() {
        None => {}
        Some(one) if refused.is_empty() => return Err(one),
        Some(last) => {
            refused.push(last);
            let all: Vec<_> = refused.iter().map(ToString::to_string).collect();
            return Err(LoadError::Unservable(all.join("\n")));
        }
    }
    let catalog = assembly.catalog(&targets, Strictness::AtStart);
    let catalog = catalog.map_err(LoadError::Unservable)?;
    Ok(Kept::new(assembly, targets, catalog))
}

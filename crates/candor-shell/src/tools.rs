//! Tools files to a catalog that a server can offer, and keeps up to date.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use candor::{About, Catalog, Definition, Journal, Level, Loading, Source, Tool, Toolset};
use tokio::sync::watch;

use crate::Options;
use crate::call::ShellTool;
use crate::early::{early, unconfigured};
use crate::exposure::Exposure;
use crate::findings::Findings;
use crate::functions::File;
use crate::loaded::Loaded;
use crate::loader::LoadError;
use crate::offered::{Offer, Strictness};
use crate::terms::Terms;
use crate::turns::Turns;
use crate::worker::Worker;

/// A file that was just looked at is not looked at again.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The tools of some files, as a source for a server.
#[derive(Debug)]
pub struct Tools {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    exposure: Exposure,
    usual_time: Duration,
    max_output: usize,
    journal: Journal,
    /// Known before any file is loaded, if no file can say otherwise.
    early: Option<Arc<About>>,
    phase: watch::Sender<Phase>,
}

#[derive(Clone, Debug)]
enum Phase {
    Loading,
    Loaded(Arc<Kept>),
    Failed(Arc<LoadError>),
}

/// What is served, and what it was made from.
#[derive(Debug)]
struct Kept {
    files: Vec<Served>,
    now: Mutex<Now>,
}

#[derive(Debug)]
struct Now {
    catalog: Arc<Catalog>,
    looked: Instant,
    /// The files beside the served ones that were read for it, and when each was last changed.
    read: Vec<(PathBuf, Option<SystemTime>)>,
}

/// A file that is loaded.
#[derive(Debug)]
struct Served {
    file: PathBuf,
    worker: Arc<Worker>,
    loaded: Loaded,
}

impl Tools {
    /// Starts loading the files. Needs a tokio runtime with its I/O and time drivers enabled.
    ///
    /// # Panics
    ///
    /// Outside such a runtime.
    #[must_use]
    pub fn open(files: &[PathBuf], options: Options, exposure: Exposure, journal: Journal) -> Self {
        let inner = Arc::new(Inner {
            exposure,
            usual_time: options.timeout,
            max_output: options.max_output,
            journal,
            early: early(files),
            phase: watch::Sender::new(Phase::Loading),
        });
        let (files, loading) = (files.to_vec(), Arc::clone(&inner));
        tokio::spawn(async move {
            // What can be answered before bash is started is answered first.
            tokio::task::yield_now().await;
            let phase = match loading.load(&files, &options).await {
                Ok(offered) => Phase::Loaded(Arc::new(offered)),
                Err(cause) => Phase::Failed(Arc::new(cause)),
            };
            loading.phase.send_replace(phase);
        });
        Self { inner }
    }

    /// Waits until every file is loaded.
    ///
    /// # Errors
    ///
    /// A file cannot be served; the text says why in a sentence.
    pub async fn ready(&self) -> Result<(), Arc<LoadError>> {
        match self.inner.settled().await {
            Phase::Failed(cause) => Err(cause),
            Phase::Loading | Phase::Loaded(_) => Ok(()),
        }
    }

    /// Ends the workers, and with them everything that a file has started in their groups.
    pub async fn end(&self) {
        let phase = self.inner.phase.borrow().clone();
        if let Phase::Loaded(offered) = phase {
            for served in &offered.files {
                served.worker.end().await;
            }
        }
    }
}

impl Source for Tools {
    fn about(&self) -> Option<Arc<About>> {
        match &*self.inner.phase.borrow() {
            Phase::Loaded(offered) => Some(Arc::clone(offered.current(&self.inner).about())),
            Phase::Loading | Phase::Failed(_) => self.inner.early.clone(),
        }
    }

    fn catalog(&self) -> Option<Arc<Catalog>> {
        match &*self.inner.phase.borrow() {
            Phase::Loaded(offered) => Some(offered.current(&self.inner)),
            Phase::Loading | Phase::Failed(_) => None,
        }
    }

    fn loaded(&self) -> Loading {
        let inner = Arc::clone(&self.inner);
        Box::pin(async move {
            inner.settled().await;
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

    async fn load(&self, files: &[PathBuf], options: &Options) -> Result<Kept, LoadError> {
        let mut starting = Vec::new();
        for file in files {
            let (path, options) = (file.clone(), options.clone());
            starting.push((
                file.clone(),
                tokio::spawn(async move { Worker::start(&path, &options).await }),
            ));
        }
        let mut served = Vec::new();
        for (file, started) in starting {
            let refused = |cause| LoadError::System { file: file.clone(), cause };
            let started = started.await.map_err(std::io::Error::other).map_err(refused)?;
            let (worker, loaded) = started.map_err(|cause| cause.naming(&file))?;
            served.push(Served { file, worker: Arc::new(worker), loaded });
        }
        let mut findings = Findings::default();
        let catalog = self.catalog(&served, Strictness::AtStart, &mut findings);
        findings.tell(&self.journal, &[]);
        let catalog = Arc::new(catalog.map_err(LoadError::Unservable)?);
        let now = Now { catalog, looked: Instant::now(), read: dated(findings.read) };
        Ok(Kept { files: served, now: Mutex::new(now) })
    }

    /// Makes a catalog of what is loaded and what is written beside it, and says what is read.
    fn catalog(
        &self,
        files: &[Served],
        strictness: Strictness,
        findings: &mut Findings,
    ) -> Result<Catalog, String> {
        let mut about = None;
        let mut list_hints = None;
        let mut tools = Toolset::new();
        let mut origins: HashMap<String, &Path> = HashMap::new();
        let offered: Vec<_> = files
            .iter()
            .map(|Served { file, loaded, .. }| {
                let callable_unlisted = self.exposure.callable_unlisted;
                File { name: file, loaded, callable_unlisted }.offers(strictness, findings)
            })
            .collect();
        if !findings.mistakes.is_empty() {
            return Err(findings.mistakes.join("\n"));
        }
        for (served, offered) in files.iter().zip(offered) {
            if let Some(said) = offered.about {
                about.get_or_insert(said);
            }
            if let Some(hints) = offered.hints {
                list_hints.get_or_insert(hints);
            }
            for offer in offered.offers {
                if !offer.is_listed && !self.exposure.callable_unlisted {
                    continue;
                }
                let name = offer.definition.name().to_owned();
                if let Some(other) = origins.insert(name.clone(), &served.file) {
                    return Err(format!(
                        "{} and {} both define a tool named {name}",
                        other.display(),
                        served.file.display()
                    ));
                }
                if !self.exposure.shows(&name) {
                    continue;
                }
                let is_listed = offer.is_listed;
                let (definition, tool) = self.tool(served, offer);
                let added = if is_listed {
                    tools.add(definition, tool)
                } else {
                    tools.add_unlisted(definition, tool)
                };
                added.map_err(|problem| format!("{}: {problem}", served.file.display()))?;
            }
        }
        if strictness == Strictness::AtStart {
            self.exposure.check(&origins)?;
        }
        let names: Vec<_> = files.iter().map(|served| &served.file).collect();
        let about = about.unwrap_or_else(|| unconfigured(&names));
        let hints = list_hints.unwrap_or(about.hints);
        Ok(Catalog::new(Arc::new(about), tools).list_hints(hints))
    }

    fn tool(&self, served: &Served, offer: Offer) -> (Definition, Arc<dyn Tool>) {
        let Offer { definition, runs, limits, .. } = offer;
        let terms = Terms::new(&definition, limits);
        let tool = Arc::new(ShellTool {
            worker: Arc::clone(&served.worker),
            runs,
            turns: Arc::new(Turns::new(&terms.limits)),
            terms,
            promises_structure: definition.promises_structure(),
            usual_time: self.usual_time,
            max_output: self.max_output,
            journal: self.journal.clone(),
        });
        (definition, tool)
    }
}

fn dated(files: impl IntoIterator<Item = PathBuf>) -> Vec<(PathBuf, Option<SystemTime>)> {
    let date = |file: &Path| std::fs::metadata(file).and_then(|about| about.modified()).ok();
    let dated = files.into_iter().map(|file| {
        let date = date(&file);
        (file, date)
    });
    dated.collect()
}

impl Kept {
    /// What is offered now. A list that was edited counts at once; one that was broken by the edit
    /// is said to be, once, and the last good one stays.
    fn current(&self, inner: &Inner) -> Arc<Catalog> {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if now.looked.elapsed() >= LOOK_EVERY {
            now.looked = Instant::now();
            let read = dated(now.read.iter().map(|(file, _)| file.clone()));
            if read != now.read {
                let mut findings = Findings::default();
                match inner.catalog(&self.files, Strictness::Later, &mut findings) {
                    Ok(catalog) => now.catalog = Arc::new(catalog),
                    Err(problem) => {
                        let text = format!("{problem}; what was served before stays");
                        inner.journal.note(Level::Error, &text);
                    }
                }
                findings.tell(&inner.journal, &[]);
                now.read = dated(findings.read);
            }
        }
        Arc::clone(&now.catalog)
    }
}

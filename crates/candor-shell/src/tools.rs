//! Tools files to a catalog that a server can offer, and keeps up to date.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use candor::{
    About, CacheScope, Catalog, Definition, Hints, Journal, Level, Loading, Source, Tool, Toolset,
};
use tokio::sync::watch;

use crate::call::ShellTool;
use crate::loaded::{Function, Loaded};
use crate::loader::LoadError;
use crate::tags::Limits;
use crate::terms::Terms;
use crate::turns::Turns;
use crate::work::Runs;
use crate::worker::Worker;
use crate::{Options, written};

/// A file that was just looked at is not looked at again.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Which tools callers may see and call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exposure {
    /// Only these exist for callers; all, if `None`.
    pub only: Option<Vec<String>>,
    /// These do not exist for callers.
    pub except: Vec<String>,
    /// Functions that a list of tools leaves out can be called all the same.
    pub callable_unlisted: bool,
}

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
    Loaded(Arc<Offered>),
    Failed(Arc<LoadError>),
}

/// What is offered, and what it was made from.
#[derive(Debug)]
struct Offered {
    files: Vec<Served>,
    now: Mutex<Now>,
}

#[derive(Debug)]
struct Now {
    catalog: Arc<Catalog>,
    looked: Instant,
    /// When each JSON file was last changed, as far as we know.
    changed: Vec<Option<SystemTime>>,
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

/// What can be said of the server before bash has read a line: everything, unless a file may name
/// a config.
fn early(files: &[PathBuf]) -> Option<Arc<About>> {
    let may_be_configured = |file: &PathBuf| {
        // Whatever else it is will be refused, and reading it might never end.
        let is_file = std::fs::metadata(file).is_ok_and(|about| about.is_file());
        is_file
            && std::fs::read(file).is_ok_and(|text| {
                let text = String::from_utf8_lossy(&text);
                text.contains("MCP_") || text.lines().any(may_source)
            })
    };
    let is_in_environment = std::env::var_os("MCP_CONFIG_FILE").is_some();
    let is_early = !is_in_environment && !files.iter().any(may_be_configured);
    is_early.then(|| Arc::new(unconfigured(files)))
}

/// Does a line of a script look as if it read another file, which may name a config?
fn may_source(line: &str) -> bool {
    line.split([';', '&', '|', '(', '{']).map(str::trim_start).any(|command| {
        command.starts_with("source ") || command.starts_with(". ") || command.contains(" source ")
    })
}

/// A server is named after its file, unless something else names it.
fn unconfigured<P: AsRef<Path>>(files: &[P]) -> About {
    let name = match files {
        [file] => file.as_ref().file_stem().map(|stem| stem.to_string_lossy().into_owned()),
        _ => None,
    };
    About::new(name.as_deref().unwrap_or("candor"), "0.0.0")
}

impl Inner {
    async fn settled(&self) -> Phase {
        let mut phase = self.phase.subscribe();
        let settled = phase.wait_for(|phase| !matches!(phase, Phase::Loading)).await;
        settled.map_or(Phase::Loading, |phase| phase.clone())
    }

    async fn load(&self, files: &[PathBuf], options: &Options) -> Result<Offered, LoadError> {
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
            self.report(&file, &loaded);
            served.push(Served { file, worker: Arc::new(worker), loaded });
        }
        let changed = changed(&served);
        let catalog = self.catalog(&served, Strictness::AtStart).map_err(LoadError::Unservable)?;
        let now = Now { catalog: Arc::new(catalog), looked: Instant::now(), changed };
        Ok(Offered { files: served, now: Mutex::new(now) })
    }

    /// What an author should know of a file that can be served.
    fn report(&self, file: &Path, loaded: &Loaded) {
        let file = file.display();
        for name in &loaded.withheld {
            let text = format!("{file}: {name} is not passed on; add --env {name}");
            self.journal.note(Level::Warning, &text);
        }
        let said = String::from_utf8_lossy(&loaded.said);
        for line in said.lines().filter(|line| !line.trim().is_empty()) {
            self.journal.note(Level::Warning, &format!("{file} said while it was loaded: {line}"));
        }
    }

    /// Makes a catalog of what is loaded and what is written beside it.
    fn catalog(&self, files: &[Served], strictness: Strictness) -> Result<Catalog, String> {
        let mut about = None;
        let mut list_hints = None;
        let mut tools = Toolset::new();
        let mut origins: HashMap<String, &Path> = HashMap::new();
        for served in files {
            let usual = usual_hints(&served.loaded);
            if let Some(config) = served.config() {
                let (said, unserved) = written::about(config, usual)?;
                for name in unserved {
                    let text = format!("{}: {name} is not served here", config.display());
                    self.journal.note(Level::Warning, &text);
                }
                about.get_or_insert(said);
            }
            let (offered, hints) = self.offered(served, usual, strictness)?;
            if let Some(hints) = hints {
                list_hints.get_or_insert(hints);
            }
            for Offer { definition, function, is_listed } in offered {
                let name = definition.name().to_owned();
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
                let tool = self.tool(served, function, &definition);
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

    /// The tools of one file: those of its list if it has one, else its described functions.
    fn offered(
        &self,
        served: &Served,
        usual: Hints,
        strictness: Strictness,
    ) -> Result<(Vec<Offer>, Option<Hints>), String> {
        let Some(list) = served.list() else { return Ok((self.described(served)?, None)) };
        let (definitions, hints) = written::tools(list, usual)?;
        let defined: HashSet<&str> =
            served.loaded.functions.iter().map(|function| function.name.as_str()).collect();
        let mut offers = Vec::new();
        for definition in definitions {
            let name = definition.name().to_owned();
            if defined.contains(name.as_str()) {
                offers.push(Offer { definition, function: name, is_listed: true });
                continue;
            }
            let problem = format!(
                "{} lists the tool {name}, and {} defines no function tool_{name}",
                list.display(),
                served.file.display()
            );
            match strictness {
                Strictness::AtStart => return Err(problem),
                Strictness::Later => self.journal.note(Level::Error, &problem),
            }
        }
        if self.exposure.callable_unlisted {
            let listed: HashSet<String> =
                offers.iter().map(|offer| offer.definition.name().to_owned()).collect();
            let unlisted = served.loaded.functions.iter().filter(|it| !listed.contains(&it.name));
            offers.extend(unlisted.map(|function| Offer {
                definition: Definition::new(&function.name),
                function: function.name.clone(),
                is_listed: false,
            }));
        }
        Ok((offers, Some(hints)))
    }

    fn described(&self, served: &Served) -> Result<Vec<Offer>, String> {
        let file = served.file.display();
        let functions = &served.loaded.functions;
        if functions.is_empty() {
            return Err(format!("{file} defines no function named tool_NAME"));
        }
        let mut offers = Vec::new();
        for Function { name, line, description, .. } in functions {
            let is_listed = description.is_some();
            if let Some(text) = description {
                let definition = Definition::new(name).description(text);
                offers.push(Offer { definition, function: name.clone(), is_listed });
                continue;
            }
            if self.exposure.callable_unlisted {
                let definition = Definition::new(name);
                offers.push(Offer { definition, function: name.clone(), is_listed });
            }
            let text = format!(
                "{file}: tool_{name} (line {line}) is not listed; write above it, in a comment, \
                 what it does"
            );
            self.journal.note(Level::Warning, &text);
        }
        if offers.is_empty() {
            return Err(format!(
                "{file} has no tool that says what it does; write a comment above each function \
                 tool_NAME"
            ));
        }
        Ok(offers)
    }

    fn tool(&self, served: &Served, function: String, definition: &Definition) -> Arc<dyn Tool> {
        let terms = Terms::new(definition, Limits::default());
        Arc::new(ShellTool {
            worker: Arc::clone(&served.worker),
            turns: Arc::new(Turns::new(&terms.limits)),
            runs: Runs::Function(function),
            terms,
            promises_structure: definition.promises_structure(),
            usual_time: self.usual_time,
            max_output: self.max_output,
            journal: self.journal.clone(),
        })
    }
}

/// A tool that a file offers.
struct Offer {
    definition: Definition,
    function: String,
    is_listed: bool,
}

/// What is a reason not to start is only a line in the log once the server runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strictness {
    AtStart,
    Later,
}

impl Exposure {
    fn shows(&self, name: &str) -> bool {
        let is_named = |names: &[String]| names.iter().any(|it| it == name);
        self.only.as_deref().is_none_or(is_named) && !is_named(&self.except)
    }

    /// A name that nothing bears was meant for something else.
    fn check(&self, tools: &HashMap<String, &Path>) -> Result<(), String> {
        let only = self.only.iter().flatten().map(|name| ("--only", name));
        let except = self.except.iter().map(|name| ("--except", name));
        match only.chain(except).find(|(_, name)| !tools.contains_key(*name)) {
            None => Ok(()),
            Some((flag, name)) => Err(format!("{flag} names {name}, and there is no such tool")),
        }
    }
}

impl Served {
    /// The config that the file or its core names.
    fn config(&self) -> Option<&Path> {
        self.loaded.settings.config_file.as_deref()
    }

    fn list(&self) -> Option<&Path> {
        self.loaded.settings.tools_list_file.as_deref()
    }

    fn written(&self) -> impl Iterator<Item = &Path> {
        self.config().into_iter().chain(self.list())
    }
}

fn usual_hints(loaded: &Loaded) -> Hints {
    let settings = &loaded.settings;
    let usual = Hints::default();
    Hints {
        ttl_ms: settings
            .default_ttl_ms
            .as_deref()
            .and_then(|ttl| ttl.trim().parse().ok())
            .unwrap_or(usual.ttl_ms),
        cache_scope: match settings.default_cache_scope.as_deref() {
            Some("private") => CacheScope::Private,
            Some(_) | None => usual.cache_scope,
        },
    }
}

fn changed(files: &[Served]) -> Vec<Option<SystemTime>> {
    let changed = |file: &Path| std::fs::metadata(file).and_then(|about| about.modified()).ok();
    files.iter().flat_map(Served::written).map(changed).collect()
}

impl Offered {
    /// What is offered now. A list that was edited counts at once; one that was broken by the edit
    /// is said to be, once, and the last good one stays.
    fn current(&self, inner: &Inner) -> Arc<Catalog> {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if now.looked.elapsed() >= LOOK_EVERY {
            now.looked = Instant::now();
            let changed = changed(&self.files);
            if changed != now.changed {
                now.changed = changed;
                match inner.catalog(&self.files, Strictness::Later) {
                    Ok(catalog) => now.catalog = Arc::new(catalog),
                    Err(problem) => {
                        let text = format!("{problem}; what was served before stays");
                        inner.journal.note(Level::Error, &text);
                    }
                }
            }
        }
        Arc::clone(&now.catalog)
    }
}

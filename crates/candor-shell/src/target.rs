//! A file or a folder to what it offers, and the worker that runs it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use candor::{Journal, Level};

use crate::findings::Findings;
use crate::functions::File;
use crate::loaded::Loaded;
use crate::loader::LoadError;
use crate::offered::{Offered, Strictness};
use crate::seen::Seen;
use crate::worker::Worker;
use crate::{Options, programs};

/// One version of a file or folder that is served.
#[derive(Debug)]
pub(crate) struct Target {
    /// As its user calls it.
    pub(crate) name: PathBuf,
    pub(crate) worker: Arc<Worker>,
    pub(crate) offered: Offered,
    /// Everything it was made from, as it looked then.
    pub(crate) seen: Seen,
    holds: Holds,
    notes: Vec<(Level, String)>,
}

#[derive(Clone, Debug)]
enum Holds {
    Functions(Arc<Loaded>),
    Programs,
}

/// Why a version cannot be served.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) why: LoadError,
    /// What it would have been made from: it may do once that changes.
    pub(crate) seen: Seen,
    notes: Vec<(Level, String)>,
}

/// How targets are read.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) options: Options,
    /// Then a tool need not say what it does.
    pub(crate) callable_unlisted: bool,
    pub(crate) strictness: Strictness,
}

impl Target {
    /// Reads a file or folder for the first time.
    pub(crate) async fn open(name: &Path, reading: &Reading) -> Result<Self, Box<Refusal>> {
        if name.is_dir() {
            let worker = Worker::for_programs(name, &reading.options).await;
            let worker = worker.map_err(|why| Refusal::of(why, Seen::default(), name))?;
            return Self::offering(
                name,
                Arc::new(worker),
                Holds::Programs,
                Seen::default(),
                reading,
            );
        }
        let mut sources = Seen::default();
        sources.look_at(name);
        Self::load(name, sources, reading).await
    }

    /// Reads it again. What is as it was is not loaded again.
    pub(crate) async fn again(&self, reading: &Reading) -> Result<Self, Box<Refusal>> {
        let (name, worker) = (&self.name, &self.worker);
        let mut next = match &self.holds {
            Holds::Programs => {
                Self::offering(name, Arc::clone(worker), Holds::Programs, Seen::default(), reading)?
            }
            Holds::Functions(loaded) => {
                let before = self.seen.only(sources(name, loaded));
                let now = before.again();
                if before == now {
                    let holds = Holds::Functions(Arc::clone(loaded));
                    Self::offering(name, Arc::clone(worker), holds, now, reading)?
                } else {
                    Self::load(name, now, reading).await?
                }
            }
        };
        next.offered.counts_on(&self.offered);
        Ok(next)
    }

    /// Starts a worker; `sources` are the files that it will read, as far as they are known.
    async fn load(name: &Path, sources: Seen, reading: &Reading) -> Result<Self, Box<Refusal>> {
        match Worker::start(name, &reading.options).await {
            Ok((worker, loaded)) => {
                let seen = sources.only(self::sources(name, &loaded));
                let holds = Holds::Functions(Arc::new(loaded));
                Self::offering(name, Arc::new(worker), holds, seen, reading)
            }
            Err(why) => Err(Refusal::of(why, sources, name)),
        }
    }

    fn offering(
        name: &Path,
        worker: Arc<Worker>,
        holds: Holds,
        mut seen: Seen,
        reading: &Reading,
    ) -> Result<Self, Box<Refusal>> {
        let &Reading { callable_unlisted, strictness, .. } = reading;
        let mut findings = Findings::default();
        let offered = match &holds {
            Holds::Functions(loaded) => {
                File { name, loaded, callable_unlisted }.offers(strictness, &mut findings)
            }
            Holds::Programs => programs::offers(name, callable_unlisted, &mut findings),
        };
        let offered = offered.limited(reading.options.rates);
        let Findings { mistakes, notes, read } = findings;
        seen.add(read);
        if mistakes.is_empty() {
            Ok(Self { name: name.to_owned(), worker, offered, seen, holds, notes })
        } else {
            let why = LoadError::Unservable(mistakes.join("\n"));
            Err(Box::new(Refusal { why, seen, notes }))
        }
    }

    /// Tells the log what its author should know and was not told of the version before.
    pub(crate) fn tell(&self, journal: &Journal, before: Option<&Self>) {
        let told = before.map_or(&[][..], |before| &before.notes);
        tell(journal, self.notes.iter().filter(|note| !told.contains(note)));
    }

    /// Is it the same version, but for what is written beside it?
    pub(crate) fn shares_worker(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.worker, &other.worker)
    }
}

impl Refusal {
    fn of(why: LoadError, seen: Seen, name: &Path) -> Box<Self> {
        Box::new(Self { why: why.naming(name), seen, notes: Vec::new() })
    }

    /// Tells the log what its author should know besides.
    pub(crate) fn tell(&self, journal: &Journal) {
        tell(journal, &self.notes);
    }
}

fn tell<'a>(journal: &Journal, notes: impl IntoIterator<Item = &'a (Level, String)>) {
    for (level, text) in notes {
        journal.note(*level, text);
    }
}

/// The files that a shell reads to become what it is.
fn sources<'a>(name: &'a Path, loaded: &'a Loaded) -> impl Iterator<Item = &'a Path> {
    std::iter::once(name).chain(loaded.sourced.iter().map(PathBuf::as_path))
}

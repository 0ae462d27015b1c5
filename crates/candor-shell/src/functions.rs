//! A loaded file to the tools it offers: those of its list if it has one, else its described
//! functions.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use candor::{About, CacheScope, Definition, Hints, Level};

use crate::declared::{self, Declared, Place, Written};
use crate::findings::Findings;
use crate::joined;
use crate::loaded::{Function, Loaded};
use crate::offered::{Offer, Offered, Strictness};
use crate::work::Runs;
use crate::written;

/// A file that is loaded, under the name by which its user knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct File<'a> {
    pub(crate) name: &'a Path,
    pub(crate) loaded: &'a Loaded,
    /// Then a tool need not say what it does.
    pub(crate) callable_unlisted: bool,
}

impl File<'_> {
    /// What the file offers.
    pub(crate) fn offers(self, strictness: Strictness, findings: &mut Findings) -> Offered {
        self.report(findings);
        let settings = &self.loaded.settings;
        let usual = usual_hints(self.loaded);
        let about = settings.config_file.as_deref().map(|config| about(config, usual, findings));
        let (offers, hints) = match settings.tools_list_file.as_deref() {
            Some(list) => self.listed(list, usual, strictness, findings),
            None => (self.described(findings), None),
        };
        Offered { about: about.flatten(), hints, offers }
    }

    /// What an author should know of a file that can be served.
    fn report(self, findings: &mut Findings) {
        let file = self.name.display();
        for name in &self.loaded.withheld {
            findings.warn(format!("{file}: {name} is not passed on; add --env {name}"));
        }
        let said = String::from_utf8_lossy(&self.loaded.said);
        for line in said.lines().filter(|line| !line.trim().is_empty()) {
            findings.warn(format!("{file} said while it was loaded: {line}"));
        }
    }

    fn listed(
        self,
        list: &Path,
        usual: Hints,
        strictness: Strictness,
        findings: &mut Findings,
    ) -> (Vec<Offer>, Option<Hints>) {
        findings.read.look_at(list);
        let (tools, hints) = match written::tools(list, usual) {
            Ok(read) => read,
            Err(mistake) => {
                findings.mistake(mistake);
                return (Vec::new(), None);
            }
        };
        let mut offers = Vec::new();
        let mut names = HashSet::new();
        for json in tools {
            let definition = match Definition::from_json(json.get()) {
                Ok(definition) => definition,
                Err(problem) => {
                    findings.mistake(format!("{}: {problem}", list.display()));
                    continue;
                }
            };
            let name = definition.name().to_owned();
            let functions = &self.loaded.functions;
            let Some(function) = functions.iter().find(|function| function.name == name) else {
                let problem = format!(
                    "{} lists the tool {name}, and {} defines no function tool_{name}",
                    list.display(),
                    self.name.display()
                );
                match strictness {
                    Strictness::AtStart => findings.mistake(problem),
                    Strictness::Later => findings.notes.push((Level::Error, problem)),
                }
                continue;
            };
            names.insert(name);
            let comment = self.beside(list, json.get(), function, findings).unwrap_or_default();
            let definition = Definition::from_json(&joined::filled(json.get(), &comment));
            let offer =
                definition.map(|it| Offer::new(it, runs(function), &comment).from(self.name));
            offers.extend(offer.map_err(|problem| findings.mistake(problem.to_string())));
        }
        let unlisted = self.loaded.functions.iter().filter(|it| !names.contains(&it.name));
        offers.extend(unlisted.map(|it| {
            let offer = Offer::new(Definition::new(&it.name), runs(it), &Declared::default());
            offer.from(self.name).unlisted()
        }));
        (offers, Some(hints))
    }

    /// What the comment of a listed function says, which is little beside its list.
    fn beside(
        self,
        list: &Path,
        json: &str,
        function: &Function,
        findings: &mut Findings,
    ) -> Option<Declared> {
        let comment = function.comment.as_ref()?;
        let name = self.known_as(&function.file);
        let place = Place { name: &name, path: &function.file };
        let tool = Written { name: &function.name, file: list, json };
        declared::read_beside(comment, place, tool, findings)
    }

    fn described(self, findings: &mut Findings) -> Vec<Offer> {
        let functions = &self.loaded.functions;
        if functions.is_empty() {
            findings
                .mistake(format!("{} defines no function named tool_NAME", self.name.display()));
        }
        let mut is_enough = functions.is_empty() || self.callable_unlisted;
        let mut offers = Vec::new();
        for function in functions {
            let Function { name, file, line, comment, .. } = function;
            let known = self.known_as(file);
            let place = Place { name: &known, path: file };
            let declared = match comment {
                Some(comment) => declared::read(comment, place, findings),
                None => Some(Declared::default()),
            };
            let Some(declared) = declared else {
                is_enough = true;
                continue;
            };
            let json = format!("{{\"name\":\"{name}\"}}");
            let offer = match Definition::from_json(&joined::filled(&json, &declared)) {
                Ok(definition) => Offer::new(definition, runs(function), &declared).from(self.name),
                Err(problem) => {
                    findings.mistake(format!("{}: {problem}", known.display()));
                    continue;
                }
            };
            if declared.declaration.description.is_some() {
                is_enough = true;
                offers.push(offer);
                continue;
            }
            offers.push(offer.unlisted());
            findings.warn(format!(
                "{}: tool_{name} (line {line}) is not listed; write above it, in a comment, what \
                 it does",
                known.display()
            ));
        }
        if !is_enough {
            findings.mistake(format!(
                "{} has no tool that says what it does; write a comment above each function \
                 tool_NAME",
                self.name.display()
            ));
        }
        offers
    }

    /// The name of a file for the author of this one, who knows it and what lies beside it.
    fn known_as(self, file: &Path) -> PathBuf {
        let Ok(own) = std::path::absolute(self.name) else { return file.to_owned() };
        if file == own {
            return self.name.to_owned();
        }
        let beside = own.parent().and_then(|folder| file.strip_prefix(folder).ok());
        let folder = self.name.parent().unwrap_or(Path::new(""));
        beside.map_or_else(|| file.to_owned(), |file| folder.join(file))
    }
}

fn runs(function: &Function) -> Runs {
    Runs::Function(function.name.clone())
}

fn about(config: &Path, usual: Hints, findings: &mut Findings) -> Option<About> {
    findings.read.look_at(config);
    match written::about(config, usual) {
        Ok((about, unserved)) => {
            for name in unserved {
                findings.warn(format!("{}: {name} is not served here", config.display()));
            }
            Some(about)
        }
        Err(mistake) => {
            findings.mistake(mistake);
            None
        }
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

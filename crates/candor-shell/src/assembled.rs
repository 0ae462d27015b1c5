//! What files and folders offer to the catalog of one server.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use candor::{Catalog, Journal, Tool, Toolset};

use crate::Options;
use crate::call::ShellTool;
use crate::early::unconfigured;
use crate::exposure::Exposure;
use crate::offered::{Offer, Strictness};
use crate::target::{Reading, Target};
use crate::terms::Terms;

/// How a catalog is made.
#[derive(Debug)]
pub(crate) struct Assembly {
    pub(crate) options: Options,
    pub(crate) exposure: Exposure,
    pub(crate) journal: Journal,
}

impl Assembly {
    /// How targets are read for it.
    pub(crate) fn reading(&self, strictness: Strictness) -> Reading {
        Reading {
            options: self.options.clone(),
            callable_unlisted: self.exposure.callable_unlisted,
            strictness,
        }
    }

    /// Makes a catalog.
    ///
    /// # Errors
    ///
    /// The targets cannot be served together; the text says why in a sentence.
    pub(crate) fn catalog(
        &self,
        targets: &[Arc<Target>],
        strictness: Strictness,
    ) -> Result<Catalog, String> {
        let mut tools = Toolset::new();
        let mut origins: HashMap<String, &Path> = HashMap::new();
        for target in targets {
            for offer in &target.offered.offers {
                if !offer.is_listed && !self.exposure.callable_unlisted {
                    continue;
                }
                let name = offer.definition.name();
                if let Some(other) = origins.insert(name.to_owned(), &offer.origin) {
                    return Err(format!(
                        "{} and {} both define a tool named {name}",
                        other.display(),
                        offer.origin.display()
                    ));
                }
                if !self.exposure.shows(name) {
                    continue;
                }
                let (definition, tool) = (offer.definition.clone(), self.tool(target, offer));
                let added = if offer.is_listed {
                    tools.add(definition, tool)
                } else {
                    tools.add_unlisted(definition, tool)
                };
                added.map_err(|problem| format!("{}: {problem}", offer.origin.display()))?;
            }
        }
        if strictness == Strictness::AtStart {
            self.exposure.check(&origins)?;
        }
        let about = targets.iter().find_map(|target| target.offered.about.clone());
        let about = about.unwrap_or_else(|| {
            let names: Vec<_> = targets.iter().map(|target| &target.name).collect();
            unconfigured(&names)
        });
        let hints = targets.iter().find_map(|target| target.offered.hints).unwrap_or(about.hints);
        Ok(Catalog::new(Arc::new(about), tools).list_hints(hints))
    }

    fn tool(&self, target: &Target, offer: &Offer) -> Arc<dyn Tool> {
        Arc::new(ShellTool {
            worker: Arc::clone(&target.worker),
            turns: offer.turns.clone(),
            runs: offer.runs.clone(),
            terms: Terms::new(&offer.definition, offer.limits.clone()),
            promises_structure: offer.definition.promises_structure(),
            usual_time: self.options.timeout,
            max_output: self.options.max_output,
            journal: self.journal.clone(),
        })
    }
}

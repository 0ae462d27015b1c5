//! A server: what it offers, what it allows, and where its log goes.

use std::io;
use std::sync::Arc;

use candor_redact::Redactor;
use candor_transport::{Limits, stdio};

use crate::catalog::{About, Catalog, Fixed, Source};
use crate::journal::Journal;
use crate::masking::Masking;
use crate::policy::Policy;
use crate::session::Session;
use crate::shared::Shared;
use crate::tool::Tool;
use crate::toolset::{BuildError, Definition, Toolset};

/// A server. Cheap to clone; every clone is the same server.
#[derive(Clone)]
pub struct Server {
    pub(crate) shared: Arc<Shared>,
}

impl Server {
    /// A server of this name and version, to be given its tools.
    pub fn builder(name: &str, version: &str) -> Builder {
        Builder {
            about: About::new(name, version),
            tools: Vec::new(),
            policy: Policy::default(),
            journal: Journal::to_stderr(),
            masking: Masking::default(),
        }
    }

    /// A server whose tools come from somewhere else, and may change.
    #[must_use]
    pub fn from_source(source: Arc<dyn Source>, policy: Policy, journal: Journal) -> Self {
        Self::new(source, policy, journal, Masking::default())
    }

    fn new(source: Arc<dyn Source>, policy: Policy, log: Journal, masking: Masking) -> Self {
        let journal = match &masking.0 {
            Some(redactor) => log.clone().redacted(redactor.clone()),
            None => log.clone(),
        };
        Self { shared: Arc::new(Shared { source, policy, log, journal, masking }) }
    }

    /// The same server, whose texts lose what this redactor finds; `None` shows everything, and is
    /// for those who look for a mistake.
    #[must_use]
    pub fn redacting(self, redactor: Option<Redactor>) -> Self {
        let Shared { source, policy, log, .. } = &*self.shared;
        Self::new(Arc::clone(source), *policy, log.clone(), Masking(redactor))
    }

    /// Opens a connection: something that a transport can serve.
    #[must_use]
    pub fn session(&self) -> Session {
        Session::new(Arc::clone(&self.shared))
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("policy", &self.shared.policy).finish_non_exhaustive()
    }
}

/// Serves one server on this process's standard streams, until the peer hangs up or the process is
/// told to stop.
///
/// # Errors
///
/// The streams cannot be opened or read.
///
/// # Panics
///
/// Outside a tokio runtime with its I/O and time drivers enabled.
pub async fn serve_stdio(server: &Server) -> io::Result<()> {
    serve_stdio_within(server, Limits::default()).await
}

/// Serves like [`serve_stdio`], within other limits.
///
/// # Errors
///
/// The streams cannot be opened or read.
///
/// # Panics
///
/// Outside a tokio runtime with its I/O and time drivers enabled.
pub async fn serve_stdio_within(server: &Server, limits: Limits) -> io::Result<()> {
    stdio::serve(server.session(), limits, std::future::pending()).await
}

/// A server that is being put together.
#[derive(Debug)]
#[must_use = "a builder does nothing until it is built"]
pub struct Builder {
    about: About,
    tools: Vec<(Definition, Box<dyn Tool>)>,
    policy: Policy,
    journal: Journal,
    masking: Masking,
}

impl Builder {
    /// Adds a tool. Tools are listed in the order in which they are added.
    pub fn tool(mut self, definition: Definition, tool: impl Tool) -> Self {
        self.tools.push((definition, Box::new(tool)));
        self
    }

    /// What the model should know about the server as a whole.
    pub fn instructions(mut self, text: &str) -> Self {
        self.about.instructions = Some(text.to_owned());
        self
    }

    /// What callers may do. Without this: [`Policy::default`].
    pub const fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Where the log goes. Without this: [`Journal::to_stderr`].
    pub fn journal(mut self, journal: Journal) -> Self {
        self.journal = journal;
        self
    }

    /// What is masked in the texts that leave, and in the log. Without this: credentials that can
    /// be told by themselves, and in failures also stack traces, paths and hosts. Give one that
    /// knows the secrets which the tools hold. `None` shows everything.
    pub fn redactor(mut self, redactor: Option<Redactor>) -> Self {
        self.masking = Masking(redactor);
        self
    }

    /// Puts the server together.
    ///
    /// # Errors
    ///
    /// A definition is not one, or two tools have one name.
    pub fn build(self) -> Result<Server, BuildError> {
        let mut tools = Toolset::new();
        for (definition, tool) in self.tools {
            tools.add(definition, Arc::from(tool))?;
        }
        let catalog = Arc::new(Catalog::new(Arc::new(self.about), tools));
        Ok(Server::new(Arc::new(Fixed(catalog)), self.policy, self.journal, self.masking))
    }
}

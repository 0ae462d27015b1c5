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
use crate::tool::{DefinedTool, States, Tool, Tools};
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
            states: States::default(),
            state_given_twice: None,
            policy: Policy::default(),
            journal: Journal::to_stderr(),
            masking: Masking::default(),
        }
    }

    /// A server whose tools come from somewhere else, and may change.
    #[must_use]
    pub fn from_source(source: Arc<dyn Source>, policy: Policy, journal: Journal) -> Self {
        Self::new(source, policy, journal, Masking::default(), Arc::default())
    }

    fn new(
        source: Arc<dyn Source>,
        policy: Policy,
        log: Journal,
        masking: Masking,
        states: Arc<States>,
    ) -> Self {
        let journal = match &masking.0 {
            Some(redactor) => log.clone().redacted(redactor.clone()),
            None => log.clone(),
        };
        Self { shared: Arc::new(Shared { source, policy, log, journal, masking, states }) }
    }

    /// The same server, whose texts lose what this redactor finds; `None` shows everything, and is
    /// for those who look for a mistake.
    #[must_use]
    pub fn redacting(self, redactor: Option<Redactor>) -> Self {
        let Shared { source, policy, log, states, .. } = &*self.shared;
        let (source, states) = (Arc::clone(source), Arc::clone(states));
        Self::new(source, *policy, log.clone(), Masking(redactor), states)
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
    tools: Vec<DefinedTool>,
    states: States,
    state_given_twice: Option<&'static str>,
    policy: Policy,
    journal: Journal,
    masking: Masking,
}

impl Builder {
    /// Adds a tool. Tools are listed in the order in which they are added.
    pub fn tool(mut self, definition: Definition, tool: impl Tool) -> Self {
        self.tools.push(DefinedTool::new(definition, tool));
        self
    }

    /// Adds tools that come with their definitions: `toolbox![add, subtract]`, or a value whose type
    /// is marked `#[tools]`.
    ///
    /// ```
    /// use candor::{Server, tool, toolbox};
    ///
    /// /// Adds two integers.
    /// #[tool(read_only)]
    /// fn add(a: i32, b: i32) -> i64 {
    ///     i64::from(a) + i64::from(b)
    /// }
    ///
    /// # fn main() -> Result<(), candor::BuildError> {
    /// let server = Server::builder("sums", "1.0.0").tools(toolbox![add]).build()?;
    /// # let _ = server;
    /// # Ok(())
    /// # }
    /// ```
    pub fn tools(mut self, tools: impl Tools) -> Self {
        self.tools.extend(tools.into_tools());
        self
    }

    /// Gives the tools something to share: they take it as [`State`](crate::State). One value of
    /// each type.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        if self.states.add(value) {
            self.state_given_twice = Some(std::any::type_name::<T>());
        }
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
    /// A definition is not one, two tools have one name, or a tool takes state that the server
    /// was not given.
    pub fn build(self) -> Result<Server, BuildError> {
        let mut tools = Toolset::new();
        if let Some(state) = self.state_given_twice {
            return Err(BuildError::StateTwice { state });
        }
        for tool in self.tools {
            if let Some(need) = tool.needs().iter().find(|need| !self.states.has(**need)) {
                return Err(BuildError::StateMissing {
                    tool: tool.definition().name().to_owned(),
                    state: need.type_name(),
                });
            }
            let (definition, tool) = tool.into_parts();
            tools.add(definition, tool)?;
        }
        let catalog = Arc::new(Catalog::new(Arc::new(self.about), tools));
        let (source, states) = (Arc::new(Fixed(catalog)), Arc::new(self.states));
        Ok(Server::new(source, self.policy, self.journal, self.masking, states))
    }
}

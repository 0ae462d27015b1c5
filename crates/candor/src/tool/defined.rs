//! A tool with its definition: what a server is given.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::context::Need;
use super::{Tool, limited, within};
use crate::toolset::Definition;
use crate::turns::Turns;

/// A tool, and what is published of it. `#[tool]` makes one of a function.
pub struct DefinedTool {
    definition: Definition,
    tool: Arc<dyn Tool>,
    needs: Vec<Need>,
}

impl DefinedTool {
    /// This tool, published as this.
    pub fn new(definition: Definition, tool: impl Tool) -> Self {
        Self { definition, tool: Arc::new(tool), needs: Vec::new() }
    }

    /// The same, which needs a server to have this.
    #[must_use]
    pub fn needing(mut self, needs: impl IntoIterator<Item = Need>) -> Self {
        self.needs.extend(needs);
        self
    }

    /// What is published of it.
    #[must_use]
    pub const fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The same, published otherwise.
    ///
    /// ```
    /// use candor::{tool, toolbox};
    ///
    /// /// Says what time it is.
    /// #[tool(read_only)]
    /// fn time() -> &'static str {
    ///     "Noon."
    /// }
    ///
    /// let [time] = toolbox![time];
    /// let time = time.published(|definition| definition.title("Time of day"));
    /// assert_eq!(time.definition().member("title"), Some("\"Time of day\""));
    /// ```
    #[must_use]
    pub fn published(mut self, change: impl FnOnce(Definition) -> Definition) -> Self {
        self.definition = change(self.definition);
        self
    }

    /// The same, with another time limit.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.tool = Arc::new(within(time, self.tool));
        self
    }

    /// The same, with turns: how often it may be called, and how many of its calls may go on at
    /// once.
    #[must_use]
    pub fn limited(mut self, turns: Turns) -> Self {
        self.tool = Arc::new(limited(turns, self.tool));
        self
    }

    pub(crate) fn needs(&self) -> &[Need] {
        &self.needs
    }

    pub(crate) fn into_parts(self) -> (Definition, Arc<dyn Tool>) {
        (self.definition, self.tool)
    }
}

impl fmt::Debug for DefinedTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DefinedTool").field(&self.definition.name()).finish()
    }
}

/// Tools to give to a server: one, several, or all that the methods of a type are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool and has none",
    note = "a function marked `#[tool]` is named in `candor::toolbox![..]`; a type has tools if its \
            methods are marked `#[tool]` and their `impl` block `#[tools]`"
)]
pub trait Tools {
    /// The tools, in the order in which they are to be listed.
    fn into_tools(self) -> Vec<DefinedTool>;
}

impl Tools for DefinedTool {
    fn into_tools(self) -> Vec<DefinedTool> {
        vec![self]
    }
}

impl Tools for Vec<DefinedTool> {
    fn into_tools(self) -> Vec<DefinedTool> {
        self
    }
}

impl<const N: usize> Tools for [DefinedTool; N] {
    fn into_tools(self) -> Vec<DefinedTool> {
        self.into()
    }
}

/// A function that is a tool: `#[tool]` implements it for the type that has the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool",
    note = "a function is one if it is marked `#[candor::tool]`"
)]
pub trait Function {
    /// The tool.
    fn defined() -> DefinedTool;
}

/// Tools by the names of their functions, for [`Builder::tools`](crate::Builder::tools).
///
/// ```
/// use candor::{tool, toolbox};
///
/// mod clock {
///     /// Says what time it is.
///     #[candor::tool(read_only)]
///     pub fn time() -> &'static str {
///         "Noon."
///     }
/// }
///
/// /// Adds two integers.
/// #[tool(read_only)]
/// fn add(a: i32, b: i32) -> i64 {
///     i64::from(a) + i64::from(b)
/// }
///
/// let tools = toolbox![add, clock::time];
/// assert_eq!(tools[1].definition().name(), "time");
/// ```
#[macro_export]
macro_rules! toolbox {
    ($($function:ty),* $(,)?) => {
        [$(<$function as $crate::tool::Function>::defined()),*]
    };
}

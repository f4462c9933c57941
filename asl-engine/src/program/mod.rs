//! Programs: definitions made ready to run.
//!
//! Compilation resolves every name to an index, so that a transition is an array access, and works out once what
//! an execution would otherwise ask again and again: whether a path is the whole input, whether a state reads the
//! Context Object, how deep and long a literal is.

mod compile;
mod context_use;
mod expression;
mod processing;
mod state;
mod template;

pub(crate) use expression::CompiledExpression;
pub(crate) use state::{
    Catcher, CatcherOutput, ChoiceRule, DataPath, Items, JsonPathProcessing, Literal, MapState,
    Processing, ResultPath, Retrier, ScopeIndex, StateAction, StateIndex, StateProgram, TaskState,
};
pub(crate) use template::{CompiledAssign, CompiledNode, CompiledTemplate, ObjectTemplate};

use asl_model::{Profile, StateMachine};
use std::sync::Arc;

/// A compiled definition: immutable, shared by all its executions, cheap to clone.
#[derive(Debug, Clone)]
pub struct Program {
    profile: Profile,
    states: Arc<[StateProgram]>,
    /// Start states: of the machine, of each branch, of each processor.
    scopes: Arc<[StateIndex]>,
    pub(crate) timeout_seconds: Option<u64>,
}

impl From<Arc<Program>> for Program {
    fn from(program: Arc<Program>) -> Self {
        Arc::unwrap_or_clone(program)
    }
}

impl From<&Program> for Program {
    fn from(program: &Program) -> Self {
        program.clone()
    }
}

/// A state of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct StateReference(StateIndex);

/// Why a definition cannot be compiled; none that validation accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// A transition to a state that its scope does not have.
    #[error("state {from} leads to {to}, which is not a state of its scope")]
    MissingTarget {
        /// The state, or `StartAt`.
        from: String,
        /// Where it leads.
        to: String,
    },
    /// More states than an index can name.
    #[error("a definition may have at most {0} states")]
    TooManyStates(usize),
}

impl Program {
    /// Makes a definition ready to run, by the rules of the profile that it was read by.
    ///
    /// ```
    /// use asl_engine::Program;
    /// use asl_model::{Options, Profile};
    /// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#;
    /// let options = Options { profile: Profile::Spec, ..Options::default() };
    /// let (machine, _warnings) = asl_model::parse(text, options)?;
    /// assert_eq!(Program::compile(&machine)?.profile(), Profile::Spec);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A definition that [`asl_model::parse`] accepted compiles; one built by hand may lead to a state that is not there.
    pub fn compile(machine: &StateMachine) -> Result<Self, CompileError> {
        compile::compile(machine)
    }

    /// Whose rules it follows.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The resources of all Task States, in the order of the definition, each once.
    pub fn task_resources(&self) -> Vec<&crate::Resource> {
        let mut seen: Vec<&crate::Resource> = Vec::new();
        let mut uris = std::collections::BTreeSet::new();
        for state in self.states.iter() {
            if let StateAction::Task(task) = &state.action
                && uris.insert(task.resource.uri.as_str())
            {
                seen.push(&task.resource);
            }
        }
        seen
    }

    /// The state of this name, wherever it is nested: where an execution may begin, see [`StartAt`](crate::StartAt).
    pub fn find_state(&self, name: &str) -> Option<StateReference> {
        let index = self.states.iter().position(|state| &*state.name == name)?;
        Some(StateReference(StateIndex(index as u32)))
    }

    /// The state that was referred to; the first of all where it was one of another program.
    pub(crate) fn referred(&self, reference: StateReference) -> StateIndex {
        let StateReference(index) = reference;
        if (index.0 as usize) < self.states.len() {
            index
        } else {
            self.start_of(ScopeIndex(0))
        }
    }

    pub(crate) fn state(&self, index: StateIndex) -> &StateProgram {
        &self.states[index.0 as usize]
    }

    pub(crate) fn start_of(&self, scope: ScopeIndex) -> StateIndex {
        self.scopes[scope.0 as usize]
    }
}

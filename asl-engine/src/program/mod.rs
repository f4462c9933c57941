//! Programs: definitions made ready to run.
//!
//! Compilation resolves every name to an index, so that a transition is an array access, and works out once what
//! an execution would otherwise ask again and again: whether a path is the whole input, whether a state reads the
//! Context Object, how deep and long a literal is.

mod compile;
mod context_use;
mod expression;
mod fingerprint;
mod literal;
mod processing;
mod state;
mod task;
mod template;

pub(crate) use expression::CompiledExpression;
pub(crate) use literal::Literal;
pub(crate) use state::{
    Catcher, CatcherOutput, ChoiceRule, DataPath, ItemSource, JsonPathProcessing, MapState,
    Processing, ResultPath, Retrier, ScopeIndex, StateAction, StateIndex, StateProgram, TaskState,
};
pub use task::ProgramTask;
pub(crate) use template::{
    CompiledAssign, CompiledNode, CompiledTemplate, ObjectTemplate, TemplateField,
};

use crate::DefinitionError;
use asl_model::{Diagnostics, Options, Placeholders, Profile, StateMachine};
use std::sync::Arc;

/// A compiled definition: immutable, shared by all its executions, cheap to clone.
#[derive(Debug, Clone)]
pub struct Program {
    source: Arc<Source>,
    profile: Profile,
    states: Arc<[StateProgram]>,
    /// Of the machine, of each branch, of each processor; their states follow each other in the same order.
    scopes: Arc<[Scope]>,
    pub(crate) timeout_seconds: Option<u64>,
    fingerprint: u64,
}

/// A state machine, and the warnings of its text.
#[derive(Debug)]
struct Source {
    machine: StateMachine,
    warnings: Diagnostics,
}

/// States of which one follows the other.
#[derive(Debug, Clone, Copy)]
struct Scope {
    /// The first of its states by index.
    base: StateIndex,
    /// The first state.
    start: StateIndex,
}

impl From<Arc<Self>> for Program {
    fn from(program: Arc<Self>) -> Self {
        Arc::unwrap_or_clone(program)
    }
}

impl From<&Self> for Program {
    fn from(program: &Self) -> Self {
        program.clone()
    }
}

/// Makes a definition ready to run, as [`Program::compile`] does.
impl TryFrom<StateMachine> for Program {
    type Error = CompileError;

    fn try_from(machine: StateMachine) -> Result<Self, CompileError> {
        let warnings = Diagnostics::default();
        Self::of_source(Source { machine, warnings })
    }
}

/// A state of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct StateReference(pub(crate) StateIndex);

/// The reason why a definition cannot be compiled; validated definitions always compile.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The target of a transition is not in the same scope.
    #[error("state {from} leads to {to}, which is not a state of its scope")]
    MissingTarget {
        /// The state, or `StartAt`.
        from: String,
        /// Name of the target.
        to: String,
    },
    /// The definition has more states than an index can count.
    #[error("a definition may have at most {0} states")]
    TooManyStates(usize),
}

debug_as_display!(CompileError);

impl Program {
    /// Reads a definition in JSON or YAML and makes it ready to run.
    ///
    /// A "Resource" may be any URI or plain name, since it is this program's own handlers that do the tasks. Otherwise the
    /// service's rules hold; for others see [`parse_with`](Self::parse_with), and [`asl_model::parse`] for warnings.
    ///
    /// ```
    /// use asl_engine::Program;
    ///
    /// let text = r#"{"StartAt": "A", "States": {
    ///     "A": {"Type": "Task", "Resource": "charge-card", "Next": "B"}}}"#;
    /// let faults = Program::parse(text).unwrap_err().to_string();
    /// assert_eq!(faults.lines().collect::<Vec<_>>(), [
    ///     "the definition is not valid",
    ///     "  line 1, column 1: error: Workflow has no terminal state (at /)",
    ///     "    hint: add \"End\": true to a state, or add a Succeed or Fail state",
    ///     "  line 2, column 62: error: Missing 'Next' target: B (at /States/A/Next)",
    ///     "    hint: the only state of this scope is `A`",
    /// ]);
    /// ```
    ///
    /// # Errors
    /// All faults of the text; they read well also if `?` lets them leave `main`.
    pub fn parse(text: &str) -> Result<Self, DefinitionError> {
        Self::parse_with(text, Options::embedded())
    }

    /// Returns true if it has a distributed Map State.
    pub fn has_map_runs(&self) -> bool {
        self.states.iter().any(|state| {
            matches!(&state.action, StateAction::Map(map) if map.mode == asl_model::ProcessorMode::Distributed)
        })
    }

    /// Parses a definition with other options, and compiles it.
    ///
    /// # Errors
    ///
    /// The errors of [`parse`](Self::parse). An unreplaced placeholder that affects the execution is an error with any
    /// `options`.
    pub fn parse_with(text: &str, options: Options) -> Result<Self, DefinitionError> {
        let options = options.with_placeholders(Placeholders::Left);
        let (machine, warnings) = asl_model::parse(text, options)?;
        Ok(Self::of_source(Source { machine, warnings })?)
    }

    /// Makes a definition ready to run, by the rules of the profile that it was read by. The machine
    /// is copied; `Program::try_from(machine)` takes it instead.
    ///
    /// ```
    /// use asl_engine::Program;
    /// use asl_model::{Options, Profile};
    /// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#;
    /// let options = Options::default().with_profile(Profile::Spec);
    /// let (machine, _warnings) = asl_model::parse(text, options)?;
    /// assert_eq!(Program::compile(&machine)?.profile(), Profile::Spec);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A definition that [`asl_model::parse`] accepted compiles; one built by hand may lead to a state that is not there.
    pub fn compile(machine: &StateMachine) -> Result<Self, CompileError> {
        Self::try_from(machine.clone())
    }

    fn of_source(source: Source) -> Result<Self, CompileError> {
        let machine = &source.machine;
        let compiled = compile::compile(machine)?;
        Ok(Self {
            profile: machine.profile,
            states: compiled.states.into(),
            scopes: compiled.scopes.into(),
            timeout_seconds: machine.timeout_seconds,
            fingerprint: fingerprint::fingerprint(machine),
            source: Arc::new(source),
        })
    }

    /// Returns the state machine that it was made of, for instance to draw it or to explain an execution.
    ///
    /// ```
    /// use asl_engine::Program;
    /// let program = Program::parse(r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#)?;
    /// assert_eq!(program.machine().states.start_at.as_str(), "A");
    /// # Ok::<(), asl_engine::DefinitionError>(())
    /// ```
    pub fn machine(&self) -> &StateMachine {
        &self.source.machine
    }

    /// Returns the warnings of the text that it was parsed from; none if it was made of a machine.
    ///
    /// ```
    /// use asl_engine::Program;
    /// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Assign": {"unused": 1}, "End": true}}}"#;
    /// let program = Program::parse(text)?;
    /// let warning = program.warnings().iter().next().unwrap();
    /// assert_eq!(warning.message, "the variable 'unused' is never used");
    /// # Ok::<(), asl_engine::DefinitionError>(())
    /// ```
    pub fn warnings(&self) -> &Diagnostics {
        &self.source.warnings
    }

    /// Returns the profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns a hash of the canonical form of the definition, with its states in order, and of the profile. It is the same
    /// in every process, on every platform, and for every spelling of the definition. A save can be restored only with the
    /// program of the same fingerprint.
    ///
    /// ```
    /// use asl_engine::Program;
    /// let fingerprint = |text| -> Result<u64, Box<dyn std::error::Error>> {
    ///     let (machine, _warnings) = asl_model::parse(text, asl_model::Options::default())?;
    ///     Ok(Program::compile(&machine)?.fingerprint())
    /// };
    /// let one = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}"#;
    /// let same = r#"{ "States": { "A": { "End": true, "Type": "Pass" } }, "StartAt": "A" }"#;
    /// assert_eq!(fingerprint(one)?, fingerprint(same)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Returns its Task States, in the order of the definition, nested ones included.
    pub fn tasks(&self) -> impl Iterator<Item = ProgramTask<'_>> {
        self.states.iter().filter_map(ProgramTask::from_state)
    }

    /// Returns the state of this name, wherever it is nested: where an execution may begin, see [`StartAt`](crate::StartAt).
    pub fn find_state(&self, name: &str) -> Option<StateReference> {
        let index = self.states.iter().position(|state| &*state.name == name)?;
        Some(StateReference(StateIndex(index as u32)))
    }

    /// Returns the state of a reference; the first state for a reference to another program.
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
        self.scopes[scope.0 as usize].start
    }

    /// The scope that a state is in.
    pub(crate) fn scope_of(&self, state: StateIndex) -> ScopeIndex {
        // Scopes without states, which validation refuses, begin where the next one does.
        let after = self.scopes.partition_point(|scope| scope.base.0 <= state.0);
        ScopeIndex(after.saturating_sub(1) as u32)
    }

    pub(crate) fn state_count(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn scope_count(&self) -> usize {
        self.scopes.len()
    }
}

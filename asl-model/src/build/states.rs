//! Scopes of states: a machine's top level, a branch of a Parallel State, the processor of a Map State.
use super::state::State;
use crate::text::Duplicate;
use crate::{Location, QueryLanguage};
use serde_json::{Map, Value};

/// Levels of scopes, and of rules, that a builder keeps. Deeper ones are left out, and refused by
/// [`build`](super::StateMachineBuilder::build): without a limit, dropping them could overflow the stack.
pub(super) const MAX_NESTING: usize = 200;

/// Builds a scope of states. States are in the order in which they are added.
///
/// ```
/// use asl_model::Options;
/// use asl_model::build::json_path::{ParallelState, StateMachineBuilder, States, TaskState};
///
/// let call = |resource| States::start_at("Call").state("Call", TaskState::new(resource).end());
/// let both = ParallelState::new().branch(call("left")).branch(States::start_at("Other").state("Other", TaskState::new("right").end()));
/// let machine = StateMachineBuilder::start_at("Both").state("Both", both.end()).build(Options::embedded())?;
/// assert!(machine.state("Other").is_some());
/// # Ok::<(), asl_model::build::BuildError>(())
/// ```
#[must_use = "states are built to be given to a Parallel or Map State"]
#[derive(Debug, Clone, PartialEq)]
pub struct States {
    start_at: String,
    comment: Option<String>,
    processor_config: Option<Value>,
    states: Vec<(String, State)>,
    /// Scopes within each other, with this one.
    nesting: usize,
    /// True if something in it was left out.
    pub(super) is_too_deep: bool,
}

impl States {
    /// Begins a scope with the name of its first state: "StartAt".
    pub fn start_at(name: impl Into<String>) -> Self {
        Self {
            start_at: name.into(),
            comment: None,
            processor_config: None,
            states: Vec::new(),
            nesting: 1,
            is_too_deep: false,
        }
    }

    /// Adds a state.
    pub fn state(mut self, name: impl Into<String>, state: impl Into<State>) -> Self {
        let mut state = state.into();
        let within = state.scopes.iter().map(|scope| scope.nesting).max();
        let nesting = 1 + within.unwrap_or_default();
        let within_is_too_deep = state.scopes.iter().any(|scope| scope.is_too_deep);
        if nesting > MAX_NESTING {
            state.scopes.clear();
        }
        self.is_too_deep |= within_is_too_deep || nesting > MAX_NESTING || state.fields.is_too_deep;
        self.nesting = self.nesting.max(nesting.min(MAX_NESTING));
        self.states.push((name.into(), state));
        self
    }

    /// Sets "Comment".
    pub fn comment(mut self, comment: impl Into<String>) -> Self {
        self.comment = Some(comment.into());
        self
    }

    pub(super) fn processor_config(mut self, config: Value) -> Self {
        self.processor_config = Some(config);
        self
    }

    /// Returns true if no state, at any depth, has another query language.
    pub(super) fn are_all(&self, query_language: QueryLanguage) -> bool {
        self.states.iter().all(|(_, state)| {
            state.query_language == query_language
                && state
                    .scopes
                    .iter()
                    .all(|scope| scope.are_all(query_language))
        })
    }
}

/// Writes scopes as JSON.
#[derive(Debug)]
pub(super) struct Writer {
    /// Of the machine: states of the same language omit theirs.
    pub(super) query_language: QueryLanguage,
    /// States whose name their scope has already.
    pub(super) duplicates: Vec<Duplicate>,
}

impl Writer {
    /// Adds the fields of a scope to those of its owner.
    pub(super) fn write(
        &mut self,
        states: States,
        place: &Location,
        fields: &mut Map<String, Value>,
    ) {
        if let Some(comment) = states.comment {
            fields.insert("Comment".to_owned(), comment.into());
        }
        if let Some(config) = states.processor_config {
            fields.insert("ProcessorConfig".to_owned(), config);
        }
        fields.insert("StartAt".to_owned(), states.start_at.into());
        let place = place.clone().field("States");
        let mut written = Map::new();
        for (name, state) in states.states {
            let location = place.clone().field(&name);
            let state = self.state(state, &location);
            if written.insert(name.clone(), state).is_some() {
                self.duplicates.push(Duplicate { location, name });
            }
        }
        fields.insert("States".to_owned(), written.into());
    }

    fn state(&mut self, state: State, place: &Location) -> Value {
        let mut fields = state.fields.into_map();
        if state.query_language != self.query_language {
            fields.insert(
                "QueryLanguage".to_owned(),
                state.query_language.as_str().into(),
            );
        }
        let mut scopes = state.scopes.into_iter();
        match fields.get("Type").and_then(Value::as_str) {
            Some("Parallel") => {
                let place = place.clone().field("Branches");
                let branches = scopes.enumerate().map(|(index, states)| {
                    let mut branch = Map::new();
                    self.write(states, &place.clone().element(index), &mut branch);
                    Value::Object(branch)
                });
                let branches: Vec<Value> = branches.collect();
                fields.insert("Branches".to_owned(), branches.into());
            }
            _ => {
                if let Some(states) = scopes.next() {
                    let place = place.clone().field("ItemProcessor");
                    let mut processor = Map::new();
                    self.write(states, &place, &mut processor);
                    fields.insert("ItemProcessor".to_owned(), processor.into());
                }
            }
        }
        fields.into()
    }
}

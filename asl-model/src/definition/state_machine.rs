//! The machine and its scopes of states.
use super::word::words;
use super::{QueryLanguage, State};
use crate::Profile;
use std::fmt;
use std::sync::Arc;

/// A state's name: at most 80 characters (2024 specification, States). Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateName(Arc<str>);

impl StateName {
    /// Creates a name; its length is checked by validation.
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }
    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
    /// Returns the shared text.
    pub fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

impl fmt::Display for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A scope of states: a machine's top level, a branch of a Parallel State or the processor of a Map State.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct States {
    /// "StartAt".
    pub start_at: StateName,
    /// "States", in the order of the text, with their names.
    pub states: Vec<(StateName, State)>,
    /// "Comment".
    pub comment: Option<String>,
}

impl States {
    /// Returns the state of this scope with a name.
    pub fn state(&self, name: &str) -> Option<&State> {
        let found = self.states.iter().find(|(known, _)| known.as_str() == name);
        found.map(|(_, state)| state)
    }
}

words! {
    /// "Version".
    pub enum Version {
        /// The only one.
        V1 = "1.0",
    }
}

/// A state machine (2024 specification, Structure of a State Machine).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StateMachine {
    /// "Comment" is in [`States`].
    pub states: States,
    /// "Version".
    pub version: Option<Version>,
    /// "TimeoutSeconds".
    pub timeout_seconds: Option<u64>,
    /// "QueryLanguage".
    pub query_language: Option<QueryLanguage>,
    /// The profile that the definition was read with, and runs with. It is not a field of a definition.
    pub profile: Profile,
}

impl StateMachine {
    /// Returns the state with a name, from any scope; in a valid machine of the service names are unique.
    ///
    /// ```
    /// use asl_model::{StateKind, StateMachine};
    /// let machine: StateMachine = r#"{"StartAt": "Each", "States": {"Each": {"Type": "Map", "End": true,
    ///     "ItemProcessor": {"StartAt": "Item", "States": {"Item": {"Type": "Succeed"}}}}}}"#.parse()?;
    /// assert!(matches!(machine.state("Item").unwrap().kind, StateKind::Succeed));
    /// assert_eq!((machine.states.state("Item"), machine.state("Other")), (None, None));
    /// # Ok::<(), asl_model::Diagnostics>(())
    /// ```
    pub fn state(&self, name: &str) -> Option<&State> {
        let mut all = self.all_states().into_iter();
        let found = all.find(|(known, _)| known.as_str() == name);
        found.map(|(_, state)| state)
    }

    /// Returns the states of all scopes with their names, those of a scope in the order of the text.
    pub fn all_states(&self) -> Vec<(&StateName, &State)> {
        let mut all = Vec::new();
        let mut open = vec![&self.states];
        while let Some(scope) = open.pop() {
            for (name, state) in &scope.states {
                all.push((name, state));
                open.extend(state.scopes());
            }
        }
        all
    }
}

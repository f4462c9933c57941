//! The machine.
use super::calls::BuildError;
use super::fields::Fields;
use super::state::State;
use super::states::{MAX_NESTING, States, Writer};
use crate::parse::{parse_value_with, twice, whole};
use crate::{Diagnostic, DiagnosticRule, Location, Options, QueryLanguage, StateMachine};
use serde_json::Value;

/// Builds a state machine. States are in the order in which they are added.
///
/// The machine's query language is JSONata if that of all states is, and JSONPath otherwise; a state with another language
/// than its machine has "QueryLanguage".
#[must_use = "a machine is built by `build`"]
#[derive(Debug, Clone, PartialEq)]
pub struct StateMachineBuilder {
    fields: Fields,
    query_language: Option<QueryLanguage>,
    states: States,
}

impl StateMachine {
    /// Begins to build a machine with the name of its first state: "StartAt".
    pub fn builder(start_at: impl Into<String>) -> StateMachineBuilder {
        StateMachineBuilder::start_at(start_at)
    }
}

impl StateMachineBuilder {
    /// Begins a machine with the name of its first state: "StartAt".
    pub fn start_at(name: impl Into<String>) -> Self {
        Self::from(States::start_at(name))
    }

    /// Adds a state.
    pub fn state(mut self, name: impl Into<String>, state: impl Into<State>) -> Self {
        self.states = self.states.state(name, state);
        self
    }

    /// Sets "Comment".
    pub fn comment(mut self, comment: impl Into<String>) -> Self {
        self.states = self.states.comment(comment);
        self
    }

    /// Sets "Version" to the only one, "1.0".
    pub fn version(mut self) -> Self {
        self.fields.set("Version", "1.0");
        self
    }

    /// Sets "TimeoutSeconds".
    pub fn timeout_seconds(mut self, seconds: u64) -> Self {
        self.fields.set("TimeoutSeconds", seconds);
        self
    }

    /// Sets "QueryLanguage". A machine with JSONata cannot have states that use JSONPath.
    pub fn query_language(mut self, query_language: QueryLanguage) -> Self {
        self.query_language = Some(query_language);
        self
    }

    /// Builds and validates the machine; [`StateMachine::validate`] returns its warnings too.
    ///
    /// # Errors
    /// All faults, with the calls that made them.
    ///
    /// ```
    /// use asl_model::Options;
    /// use asl_model::build::json_path::{StateMachineBuilder, TaskState};
    /// let error = StateMachineBuilder::start_at("Charge")
    ///     .state("Charge", TaskState::new("charge-card").result_path("$.a[").timeout_seconds(0).end())
    ///     .build(Options::embedded())
    ///     .unwrap_err();
    /// let calls: Vec<String> = error.calls().map(|(call, _)| call).collect();
    /// assert_eq!(calls, [r#"state("Charge").result_path"#, r#"state("Charge").timeout_seconds"#]);
    /// ```
    pub fn build(self, options: Options) -> Result<StateMachine, BuildError> {
        let mut faults = Vec::new();
        if self.states.is_too_deep {
            faults.push(too_deep());
        }
        let definition = self.write(&mut faults);
        match parse_value_with(&definition, faults, options) {
            Ok((machine, _)) => Ok(machine),
            Err(diagnostics) => Err(BuildError::new(diagnostics)),
        }
    }

    /// Writes the definition; states of one name are faults.
    fn write(self, faults: &mut Vec<Diagnostic>) -> Value {
        let is_jsonata = self.states.are_all(QueryLanguage::JSONata);
        let written = self
            .query_language
            .or(is_jsonata.then_some(QueryLanguage::JSONata));
        let mut fields = self.fields.into_map();
        if let Some(language) = written {
            fields.insert("QueryLanguage".to_owned(), language.as_str().into());
        }
        let mut writer = Writer {
            query_language: written.unwrap_or_default(),
            duplicates: Vec::new(),
        };
        writer.write(self.states, &Location::default(), &mut fields);
        faults.extend(writer.duplicates.into_iter().map(twice));
        fields.into()
    }
}

/// A machine whose top level is this scope.
impl From<States> for StateMachineBuilder {
    fn from(states: States) -> Self {
        Self {
            fields: Fields::default(),
            query_language: None,
            states,
        }
    }
}

fn too_deep() -> Diagnostic {
    let message = format!("states or rules are nested more than {MAX_NESTING} levels deep");
    whole(DiagnosticRule::TOO_DEEPLY_NESTED, message)
}

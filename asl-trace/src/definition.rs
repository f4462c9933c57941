//! Data of the definition about the states in an explanation.
use crate::account::Finding;
use crate::rules::{Test, list_rules};
use asl_model::{Processing, ProcessorMode, ResultPath, State, StateKind, StateMachine, StateName};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The states of a definition by their names; without a definition there are none.
#[derive(Debug, Default)]
pub(crate) struct Definition {
    states: HashMap<String, State>,
}

impl Definition {
    pub(crate) fn new(machine: &StateMachine) -> Self {
        let mut known = Self::default();
        let mut open = vec![machine.states.states.clone()];
        while let Some(scope) = open.pop() {
            for (name, mut state) in scope {
                open.extend(take_nested(&mut state.kind));
                known.states.insert(name.as_str().to_owned(), state);
            }
        }
        known
    }

    pub(crate) fn state(&self, name: &str) -> Option<&State> {
        self.states.get(name)
    }

    pub(crate) fn state_type(&self, name: &str) -> &'static str {
        self.state(name)
            .map_or("", |state| state.state_type().as_str())
    }

    /// Returns the rules that were tested, up to the one that matched.
    pub(crate) fn rules(
        &self,
        step: &crate::Step,
        variables: &Map<String, Value>,
        tests: &[Test],
        matched: Option<usize>,
    ) -> Vec<Finding> {
        let rules = match self.state(&step.state).map(|state| &state.kind) {
            Some(StateKind::Choice(choice)) => choice.choices.as_slice(),
            _ => &[],
        };
        list_rules(rules, &step.input, variables, tests, matched)
    }

    /// Returns true if a state has the field. The values of ResultPath and MaxConcurrency are reported even if the fields
    /// are absent.
    pub(crate) fn has_field(&self, state: &str, field: &str, value: &Value) -> bool {
        match (field, self.state(state).map(|state| &state.processing)) {
            ("ResultPath", Some(Processing::JsonPath(processing))) => {
                processing.result_path != ResultPath::Absent
            }
            ("MaxConcurrency", Some(_)) => *value != 0,
            _ => true,
        }
    }

    /// Returns true if a state is a distributed Map.
    pub(crate) fn is_distributed(&self, state: &str) -> bool {
        let Some(StateKind::Map(map)) = self.state(state).map(|state| &state.kind) else {
            return false;
        };
        let config = map.item_processor.processor_config;
        config.is_some_and(|config| config.mode == Some(ProcessorMode::Distributed))
    }

    fn error_equals(&self, state: &str, field: &str) -> Vec<Vec<String>> {
        let Some(state) = self.state(state) else {
            return Vec::new();
        };
        match field {
            "Retry" => state
                .retry
                .iter()
                .map(|it| it.error_equals.0.clone())
                .collect(),
            _ => state
                .catch
                .iter()
                .map(|it| it.error_equals.0.clone())
                .collect(),
        }
    }

    /// Returns the error names of a retrier or catcher.
    pub(crate) fn names(&self, state: &str, field: &str, index: usize) -> Vec<String> {
        let mut all = self.error_equals(state, field).into_iter();
        all.nth(index).unwrap_or_default()
    }

    /// Returns the maximum number of attempts of a retrier (2024 specification, Retrying after error).
    pub(crate) fn max_attempts(&self, state: &str, index: usize) -> Option<u64> {
        const BY_DEFAULT: u64 = 3;
        let retrier = self.state(state)?.retry.get(index)?;
        Some(retrier.max_attempts.unwrap_or(BY_DEFAULT))
    }

    fn handlers_passed(&self, state: &str, field: &'static str, count: usize) -> Vec<Finding> {
        let names = self.error_equals(state, field).into_iter().enumerate();
        names
            .take(count)
            .map(|(index, error_equals)| Finding::PassedBy {
                field,
                index,
                error_equals,
            })
            .collect()
    }

    /// Returns the handlers that were tried before one matched the error.
    pub(crate) fn handlers_before(&self, state: &str, taken: &Finding) -> Vec<Finding> {
        match taken {
            Finding::Retry {
                index: Some(index), ..
            }
            | Finding::Exhausted { index, .. } => self.handlers_passed(state, "Retry", *index),
            Finding::Catch {
                index: Some(index), ..
            } => {
                let mut asked = self.handlers_passed(state, "Retry", usize::MAX);
                asked.extend(self.handlers_passed(state, "Catch", *index));
                asked
            }
            _ => Vec::new(),
        }
    }

    /// Returns the handlers that were tried for an unhandled error.
    pub(crate) fn all_handlers(&self, state: &str, has_told_retriers: bool) -> Vec<Finding> {
        let retriers = if has_told_retriers { 0 } else { usize::MAX };
        let mut asked = self.handlers_passed(state, "Retry", retriers);
        asked.extend(self.handlers_passed(state, "Catch", usize::MAX));
        asked
    }
}

/// Removes the nested states of a state, which are reported separately, and returns them.
fn take_nested(kind: &mut StateKind) -> Vec<Vec<(StateName, State)>> {
    match kind {
        StateKind::Parallel(parallel) => {
            let branches = std::mem::take(&mut parallel.branches);
            branches.into_iter().map(|branch| branch.states).collect()
        }
        StateKind::Map(map) => vec![std::mem::take(&mut map.item_processor.states.states)],
        _ => Vec::new(),
    }
}

//! The machine and its scopes of states (2024 specification, Structure of a State Machine).
use super::state::Scope;
use super::{Object, Place, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use crate::rules::transition_targets::TargetField;
use crate::{DiagnosticRule, QueryLanguage, StateMachine, StateName, States};
use serde_json::Value;

pub(super) const MACHINE: &[&str] = &[
    "Comment",
    "QueryLanguage",
    "StartAt",
    "States",
    "TimeoutSeconds",
    "Version",
];
const LARGEST_TIMEOUT: u64 = 99_999_999;

/// Properties shared by all states of a scope.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings {
    /// Of the machine.
    pub(crate) query_language: QueryLanguage,
    /// Number of enclosing scopes of a state; 1 for states of the machine itself.
    pub(crate) nesting: usize,
    /// True if the states of the scope see no variables of the scopes around it: those of the machine itself and, in the
    /// service, those of a distributed Map State.
    pub(crate) is_isolated: bool,
}

impl<'v> Reader<'v> {
    pub(crate) fn machine(&mut self, definition: &'v Value) -> Read<StateMachine> {
        let machine = self.object(definition, &Place::Whole)?;
        let known = self.check_known_fields(machine, MACHINE);
        let (written, query_language) = self.machine_query_language(machine);
        let version = self.word(machine, "Version");
        let timeout_seconds = self.whole(machine, "TimeoutSeconds", 0..=LARGEST_TIMEOUT);
        let surroundings = Surroundings {
            query_language,
            nesting: 0,
            is_isolated: true,
        };
        let states = self.states(machine, surroundings);
        known?;
        Ok(StateMachine {
            states: states?,
            version: version?,
            timeout_seconds: timeout_seconds?,
            query_language: written?,
            profile: self.options.profile,
        })
    }

    /// "StartAt", "States" and "Comment" of a machine, a branch or a processor.
    pub(crate) fn states(
        &mut self,
        object: Object<'v, '_>,
        surroundings: Surroundings,
    ) -> Read<States> {
        let nesting = surroundings.nesting + 1;
        if nesting > self.options.max_nesting {
            let message = format!(
                "States are nested more than {} levels deep",
                self.options.max_nesting
            );
            return Err(self.fault(object.place, DiagnosticRule::TOO_DEEPLY_NESTED, message));
        }
        let surroundings = Surroundings {
            nesting,
            ..surroundings
        };
        let required = self.required(object, &["States", "StartAt"]);
        let comment = self.owned_text(object, "Comment");
        let mut scope = Scope::default();
        let start_at = match object.has("StartAt") {
            true => self.target(object, "StartAt", TargetField::StartAt, &mut scope),
            false => Err(super::ErrorReported),
        };
        let states = self.states_field(object, surroundings, &mut scope);
        required?;
        Ok(States {
            start_at: start_at?,
            states: states?,
            comment: comment?,
        })
    }

    fn states_field(
        &mut self,
        object: Object<'v, '_>,
        surroundings: Surroundings,
        scope: &mut Scope<'v>,
    ) -> Read<Vec<(StateName, crate::State)>> {
        let Some(value) = object.get("States") else {
            return Err(super::ErrorReported);
        };
        let place = object.place.field("States");
        let states = self.object(value, &place)?;
        if states.fields.is_empty() {
            let reported = self.fault_with_hint(
                &place,
                DiagnosticRule::EMPTY_VALUE,
                "Value cannot be empty",
                "a machine, branch or processor has at least one state",
            );
            let _ = self.check_transitions(object, states, scope);
            return Err(reported);
        }
        let mut list = Vec::with_capacity(states.fields.len());
        let mut faulty = None;
        let begin = self.variables.mark();
        for (number, (name, value)) in states.fields.iter().enumerate() {
            let place = place.field(name);
            if let Err(reported) = self.state_name(name, &place) {
                faulty = Some(reported);
            }
            scope.start_state();
            let before = self.variables.mark();
            let state = self.state(value, &place, surroundings, scope);
            self.variables.number(before, number);
            match state {
                Ok(state) => list.push((StateName::new(name), state)),
                Err(reported) => faulty = Some(reported),
            }
        }
        let transitions = self.check_transitions(object, states, scope);
        let found = self.variables.take(begin);
        if let Some(reported) = faulty {
            // What a faulty state does is not known to its end: no rule of variables can be held against the scope.
            self.variables.inner.extend(found.inner);
            self.variables.inner.extend(found.assigned);
            return Err(reported);
        }
        let variables = self.check_variables(states, scope, found, surroundings.is_isolated);
        transitions?;
        variables?;
        Ok(list)
    }

    /// Returns the name of a state to go to.
    pub(crate) fn target(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
        field: TargetField,
        scope: &mut Scope<'v>,
    ) -> Read<StateName> {
        let text = self.text(object, name);
        match scope.unless_faulty(text)? {
            Some(text) => {
                if is_placeholder(text) {
                    scope.has_unknown = true;
                    scope.has_placeholder = true;
                    self.check_left_placeholder(&object.place.field(name), text);
                } else {
                    scope.lead_to(field, text);
                }
                Ok(StateName::new(text))
            }
            None => Err(super::ErrorReported),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, refused, task};
    use crate::{Options, parse_value};
    use serde_json::json;

    #[test]
    fn a_machine_has_states_and_a_start() {
        refused(
            &json!({}),
            "These fields are required: [States, StartAt] at /",
        );
        refused(
            &json!({"StartAt": "A"}),
            "These fields are required: [States] at /",
        );
        refused(&json!([]), "Expected value of type Object at /");
        let empty = json!({"StartAt": "A", "States": {}});
        assert_eq!(
            errors(&empty),
            [
                "MISSING_END_STATE: Workflow has no terminal state at null",
                "MISSING_TRANSITION_TARGET: Missing 'Next' target: A at /StartAt",
                "SCHEMA_VALIDATION_FAILED: Value cannot be empty at /States",
            ]
        );
        let wrong = json!({"StartAt": "A", "States": []});
        refused(&wrong, "Expected value of type Object at /States");
    }

    #[test]
    fn fields_of_a_machine_are_checked() {
        let mut definition = task(json!({}));
        definition["Version"] = "1.0".into();
        definition["TimeoutSeconds"] = 300.into();
        accepted(&definition);
        definition["Version"] = "2.0".into();
        definition["TimeoutSeconds"] = "300".into();
        definition["Comment"] = 1.into();
        assert_eq!(
            errors(&definition),
            [
                "SCHEMA_VALIDATION_FAILED: Value should be one of the following: [1.0] at /Version",
                "SCHEMA_VALIDATION_FAILED: Expected value of type Integer at /TimeoutSeconds",
                "SCHEMA_VALIDATION_FAILED: Expected value of type String at /Comment",
            ]
        );
    }

    #[test]
    fn scopes_are_nested_to_a_limit() {
        let branch = json!({"StartAt": "B", "States": {"B": {"Type": "Succeed"}}});
        let definition = json!({"StartAt": "A", "States": {
            "A": {"Type": "Parallel", "Branches": [branch], "End": true},
        }});
        accepted(&definition);
        let options = Options::default().with_max_nesting(1);
        let faults = parse_value(&definition, options).unwrap_err();
        assert_eq!(
            faults.to_string(),
            "TOO_DEEPLY_NESTED: States are nested more than 1 levels deep at /States/A/Branches[0]"
        );
    }
}

//! "QueryLanguage" and what comes with JSONata. This version runs JSONPath only: JSONata is refused
//! where it is asked for, and of a JSONata state only what does not depend on the language is checked.
use crate::read::machine::Surroundings;
use crate::read::state::Scope;
use crate::read::{Object, Read, Reader, Reported};
use crate::{QueryLanguage, StateKind};
use serde_json::Value;

const LANGUAGES: [(&str, QueryLanguage); 2] = [
    ("JSONPath", QueryLanguage::JSONPath),
    ("JSONata", QueryLanguage::JSONata),
];

impl<'v> Reader<'v> {
    /// "QueryLanguage" of the machine.
    pub(crate) fn machine_query_language(
        &mut self,
        machine: Object<'v, '_>,
    ) -> Read<Option<QueryLanguage>> {
        let language = self.choice_of(machine, "QueryLanguage", &LANGUAGES)?;
        if language == Some(QueryLanguage::JSONata) {
            self.jsonata_is_unsupported(machine);
        }
        Ok(language)
    }

    /// "QueryLanguage" of a state: JSONata within JSONPath is an upgrade, the other way round is refused.
    pub(crate) fn state_query_language(
        &mut self,
        state: Object<'v, '_>,
        surroundings: Surroundings,
    ) -> Read<Option<QueryLanguage>> {
        let language = self.choice_of(state, "QueryLanguage", &LANGUAGES)?;
        match (surroundings.query_language, language) {
            (QueryLanguage::JSONata, Some(QueryLanguage::JSONPath)) => Err(self.schema(
                state.place,
                "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine",
            )),
            (QueryLanguage::JSONPath, Some(QueryLanguage::JSONata)) => {
                self.jsonata_is_unsupported(state);
                Ok(language)
            }
            _ => Ok(language),
        }
    }

    fn jsonata_is_unsupported(&mut self, object: Object<'v, '_>) {
        self.schema_with_hint(
            &object.at("QueryLanguage"),
            "JSONata is not supported by this version",
            "use JSONPath",
        );
    }

    /// Checks what a JSONata state has in common with any other: transitions, scopes, retriers, catchers, credentials.
    pub(crate) fn jsonata_state(
        &mut self,
        state: Object<'v, '_>,
        surroundings: Surroundings,
        scope: &mut Scope<'v>,
    ) -> Read<StateKind> {
        self.required(state, &["Type"])?;
        let _ = self.retry(state);
        match self.text(state, "Type")? {
            Some("Task") => {
                let _ = self.resource(state);
                let _ = self.check_credentials(state);
                let _ = self.catch(state, scope);
                let _ = self.transition(state, scope);
            }
            Some("Pass") => {
                let _ = self.transition(state, scope);
            }
            Some("Wait") => {
                let _ = self.jsonata_timestamp(state);
                let _ = self.transition(state, scope);
            }
            Some("Parallel") => {
                let _ = self.branches(state, surroundings);
                let _ = self.catch(state, scope);
                let _ = self.transition(state, scope);
            }
            Some("Map") => {
                let _ = self.item_processor(state, surroundings);
                let _ = self.label(state);
                let _ = self.catch(state, scope);
                let _ = self.transition(state, scope);
            }
            Some("Choice") => self.jsonata_choice(state, scope),
            Some("Succeed" | "Fail") => scope.end(),
            _ => {
                self.unknown_type(state);
            }
        }
        Err(Reported)
    }

    /// A timestamp that is not an expression.
    fn jsonata_timestamp(&mut self, state: Object<'v, '_>) -> Read<()> {
        match state.get("Timestamp") {
            Some(Value::String(text)) if text.starts_with("{%") && text.ends_with("%}") => Ok(()),
            _ => self.timestamp(state, "Timestamp").map(|_| ()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{errors, machine, refused, task};
    use serde_json::json;

    const UNSUPPORTED: &str = "JSONata is not supported by this version";

    #[test]
    fn jsonata_is_refused_once_where_it_is_asked_for() {
        let mut definition = task(json!({"Arguments": "{% $states.input %}", "Output": 1}));
        definition["QueryLanguage"] = "JSONata".into();
        refused(&definition, &format!("{UNSUPPORTED} at /QueryLanguage"));
        let state = json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": 1, "End": true});
        refused(
            &machine(state),
            &format!("{UNSUPPORTED} at /States/A/QueryLanguage"),
        );
    }

    #[test]
    fn what_is_common_to_both_languages_is_checked() {
        let definition = json!({"StartAt": "A", "QueryLanguage": "JSONata", "States": {
            "A": {"Type": "Task", "Resource": "x", "Credentials": {}, "Next": "B"},
            "B": {"Type": "Wait", "Timestamp": "yesterday", "Next": "C"},
            "C": {"Type": "Choice", "Choices": [{"Condition": "{% true %}", "Next": "X"}], "Default": "D"},
            "D": {"Type": "Pass", "QueryLanguage": "JSONPath", "Retry": [{"ErrorEquals": []}], "End": true},
        }});
        assert_eq!(
            errors(&definition),
            [
                "SCHEMA_VALIDATION_FAILED: JSONata is not supported by this version at /QueryLanguage",
                "SCHEMA_VALIDATION_FAILED: Value is not a valid resource ARN at /States/A/Resource",
                "SCHEMA_VALIDATION_FAILED: The field 'RoleArn' is required but was missing at /States/A/Credentials",
                "SCHEMA_VALIDATION_FAILED: String does not match RFC3339 timestamp at /States/B/Timestamp",
                "MISSING_TRANSITION_TARGET: Missing 'Next' target: X at /States/C/Choices/0/Next",
                "SCHEMA_VALIDATION_FAILED: 'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine at /States/D",
                "SCHEMA_VALIDATION_FAILED: Value cannot be empty at /States/D/Retry/0/ErrorEquals",
            ]
        );
    }

    #[test]
    fn an_expression_may_stand_for_a_timestamp() {
        let state = json!({"Type": "Wait", "QueryLanguage": "JSONata", "Timestamp": "{% $a %}", "End": true});
        refused(
            &machine(state),
            &format!("{UNSUPPORTED} at /States/A/QueryLanguage"),
        );
    }

    #[test]
    fn the_language_is_one_of_two() {
        let state = json!({"Type": "Pass", "QueryLanguage": "XPath", "End": true});
        refused(
            &machine(state),
            "Value should be one of the following: [JSONPath, JSONata] at /States/A/QueryLanguage",
        );
    }
}

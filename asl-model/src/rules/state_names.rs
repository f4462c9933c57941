//! Names of states: at most 80 characters, each once in the whole machine (2024 specification, States).
use crate::DiagnosticRule;
use crate::read::{Place, Read, Reader};
use std::collections::HashSet;

const LONGEST: usize = 80;

/// The names of a machine so far.
#[derive(Debug, Default)]
pub(crate) struct StateNames<'v>(HashSet<&'v str>);

impl<'v> Reader<'v> {
    /// Reports a name that is too long, or that another state has.
    pub(crate) fn state_name(&mut self, name: &'v str, place: &Place<'_>) -> Read<()> {
        let length = name.chars().count();
        if name.is_empty() || length > LONGEST {
            let message = match name.is_empty() {
                true => "State name cannot be empty".to_owned(),
                // The beginning and the end are recorded.
                false => format!(
                    "Invalid State name: '{name}' exceeds the {LONGEST}-character limit allowed by the service"
                ),
            };
            let hint = "move longer text to the Comment of the state";
            let rule = DiagnosticRule::INVALID_STATE_NAME;
            return Err(self.fault_with_hint(place, rule, message, hint));
        }
        if !self.state_names.0.insert(name) {
            let message = format!("Duplicate State name: {name}");
            let hint = "state names are unique in the whole state machine, including branches and processors";
            let rule = DiagnosticRule::DUPLICATE_STATE_NAME;
            return Err(self.fault_with_hint(place, rule, message, hint));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors};
    use serde_json::{Value, json};

    fn named(name: &str) -> Value {
        json!({"StartAt": name, "States": {name: {"Type": "Succeed"}}})
    }

    #[test]
    fn a_name_has_at_most_80_characters() {
        accepted(&named(&"é".repeat(80)));
        let name = "é".repeat(81);
        let text = format!(
            "INVALID_STATE_NAME: Invalid State name: '{name}' exceeds the 80-character limit allowed by the service at /States/{name}"
        );
        assert_eq!(errors(&named(&name)), [text]);
    }

    #[test]
    fn a_name_is_used_once_in_all_scopes() {
        let branch = json!({"StartAt": "A", "States": {"A": {"Type": "Succeed"}}});
        let definition = json!({"StartAt": "A", "States": {
            "A": {"Type": "Parallel", "Branches": [branch], "End": true},
        }});
        let text =
            "DUPLICATE_STATE_NAME: Duplicate State name: A at /States/A/Branches[0]/States/A";
        assert_eq!(errors(&definition), [text]);
    }
}

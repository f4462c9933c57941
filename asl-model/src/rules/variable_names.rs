//! The name of a variable is an identifier of at most 80 characters, and not "states" (2024 specification, State Machine
//! Variables).
use crate::DiagnosticRule;
use crate::read::{Place, Read, Reader};
use asl_path::{LONGEST_VARIABLE_NAME, is_variable_name};

const RESERVED: &str = "states";

impl Reader<'_> {
    /// The name of a variable that is assigned.
    pub(crate) fn variable_name(&mut self, name: &str, place: &Place<'_>) -> Read<()> {
        if name == RESERVED {
            let message = format!("Cannot assign to reserved variable '${name}'.");
            let hint = "the interpreter defines $states: rename the variable";
            let rule = DiagnosticRule::RESERVED_VARIABLE_NAME;
            return Err(self.fault_with_hint(place, rule, message, hint));
        }
        if is_variable_name(name) {
            return Ok(());
        }
        let hint = format!(
            "a name starts with a letter, continues with letters, digits and underscores, and has at most {LONGEST_VARIABLE_NAME} characters"
        );
        let is_long = name.chars().count() > LONGEST_VARIABLE_NAME;
        let message = match is_long {
            true => format!("Invalid variable name '{name}': the variable name is too long."),
            false => format!(
                "Invalid variable name '{name}': the variable name contains invalid characters."
            ),
        };
        Err(self.fault_with_hint(place, DiagnosticRule::INVALID_VARIABLE_NAME, message, hint))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, jsonata, machine};
    use serde_json::{Value, json};

    fn assigning(name: &str) -> [Value; 2] {
        let state = json!({"Type": "Pass", "Assign": {name: 1}, "End": true});
        [machine(state.clone()), jsonata(state)]
    }

    #[test]
    fn a_name_is_an_identifier() {
        for name in ["x", "größe_1", "変数", &"x".repeat(80)] {
            assigning(name).iter().for_each(accepted);
        }
        for name in ["", "9lives", "a b", "a-b", "_a"] {
            let text = format!(
                "INVALID_VARIABLE_NAME: Invalid variable name '{name}': the variable name contains invalid characters. at /States/A/Assign/{name}"
            );
            for definition in assigning(name) {
                assert_eq!(errors(&definition), [text.as_str()]);
            }
        }
        let name = "x".repeat(81);
        let text = format!(
            "INVALID_VARIABLE_NAME: Invalid variable name '{name}': the variable name is too long. at /States/A/Assign/{name}"
        );
        for definition in assigning(&name) {
            assert_eq!(errors(&definition), [text.as_str()]);
        }
    }

    #[test]
    fn a_name_is_not_reserved() {
        for definition in assigning("states") {
            assert_eq!(
                errors(&definition),
                [
                    "RESERVED_VARIABLE_NAME: Cannot assign to reserved variable '$states'. at /States/A/Assign/states"
                ]
            );
        }
    }

    #[test]
    fn the_suffix_of_a_path_is_no_part_of_a_name() {
        let state = json!({"Type": "Pass", "Assign": {"a.$": "$.a"}, "End": true});
        accepted(&machine(state.clone()));
        assert_eq!(
            errors(&jsonata(state)),
            [
                "INVALID_VARIABLE_NAME: Invalid variable name 'a.$': the variable name contains invalid characters. at /States/A/Assign/a.$"
            ]
        );
    }

    #[test]
    fn a_placeholder_may_be_a_name() {
        assigning("${Name}").iter().for_each(accepted);
    }
}

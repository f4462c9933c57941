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
            let message = format!("the variable name '{name}' is reserved");
            let hint = "the interpreter defines $states; give the variable another name";
            return Err(self.fault_with_hint(
                place,
                DiagnosticRule::INVALID_VARIABLE_NAME,
                message,
                hint,
            ));
        }
        if is_variable_name(name) {
            return Ok(());
        }
        let hint = format!(
            "a name begins with a letter, goes on with letters, digits and underscores, and has at most {LONGEST_VARIABLE_NAME} characters"
        );
        let message = format!("the variable name '{name}' is not valid");
        Err(self.fault_with_hint(place, DiagnosticRule::INVALID_VARIABLE_NAME, message, hint))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, jsonata, machine, refused};
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
        for name in ["", "9lives", "a b", "a-b", "_a", &"x".repeat(81)] {
            let message =
                format!("the variable name '{name}' is not valid at /States/A/Assign/{name}");
            assigning(name)
                .iter()
                .for_each(|definition| refused(definition, &message));
        }
    }

    #[test]
    fn a_name_is_not_reserved() {
        for definition in assigning("states") {
            refused(
                &definition,
                "the variable name 'states' is reserved at /States/A/Assign/states",
            );
        }
    }

    #[test]
    fn the_suffix_of_a_path_is_no_part_of_a_name() {
        let state = json!({"Type": "Pass", "Assign": {"a.$": "$.a"}, "End": true});
        accepted(&machine(state.clone()));
        refused(
            &jsonata(state),
            "the variable name 'a.$' is not valid at /States/A/Assign/a.$",
        );
    }

    #[test]
    fn a_placeholder_may_be_a_name() {
        assigning("${Name}").iter().for_each(accepted);
    }
}

//! Warnings of variables that nothing refers to.
use crate::read::{Reader, VariableUse};
use crate::{DiagnosticRule, Severity};
use std::collections::HashSet;

impl Reader<'_> {
    /// Warns once of each variable of a scope that is assigned, and read nowhere.
    pub(crate) fn warn_of_unused_variables(&mut self, scope: &VariableUse<'_>) {
        let references = scope.references.iter();
        let mut known: HashSet<&str> = references.map(|used| used.name.as_str()).collect();
        for assigned in &scope.assigned {
            if known.insert(assigned.name) {
                let message = format!("the variable '{}' is never used", assigned.name);
                let rule = DiagnosticRule::UNUSED_VARIABLE;
                self.report_at(&assigned.site, Severity::Warning, rule, message)
                    .with_hint(self, "use it, or remove it");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{jsonata, machine, warnings};
    use serde_json::json;

    #[test]
    fn a_variable_that_nothing_reads_is_pointed_out_once() {
        let definition = json!({"StartAt": "A", "States": {
            "A": {"Type": "Pass", "Assign": {"x": 1, "y": 2}, "Next": "B"},
            "B": {"Type": "Pass", "Assign": {"x": 3}, "InputPath": "$y", "End": true},
        }});
        assert_eq!(
            warnings(&definition),
            ["UNUSED_VARIABLE: the variable 'x' is never used at /States/A/Assign/x"]
        );
    }

    #[test]
    fn a_scope_within_may_be_the_one_that_reads() {
        let scope = json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "Output": "{% $x %}", "End": true}}});
        let mut definition = jsonata(json!({"Type": "Pass", "Assign": {"x": 1}, "Next": "B"}));
        definition["States"]["B"] = json!({"Type": "Map", "ItemProcessor": scope, "End": true});
        assert_eq!(warnings(&definition), [""; 0]);
    }

    #[test]
    fn a_state_may_refer_to_what_it_assigns() {
        let state =
            json!({"Type": "Pass", "Assign": {"n.$": "States.MathAdd($n, 1)"}, "End": true});
        assert_eq!(
            warnings(&machine(state)),
            [
                "POSSIBLY_UNDEFINED_VARIABLE: Variable 'n' is possibly not defined. at /States/A/Assign/n.$"
            ]
        );
    }

    #[test]
    fn a_variable_hides_the_function_of_its_name() {
        let mut definition = jsonata(json!({"Type": "Pass", "Assign": {"range": 1}, "Next": "B"}));
        definition["States"]["B"] =
            json!({"Type": "Succeed", "Output": "{% $range + $sum([1]) %}"});
        assert_eq!(warnings(&definition), [""; 0]);
    }
}

//! A scope does not assign a variable of a scope around it (2024 specification, Variable Scope).
use crate::read::{Read, Reader, VariableUse, Way};
use crate::{DiagnosticRule, Severity};
use std::collections::HashSet;

impl Reader<'_> {
    /// Reports variables that nested scopes assign although this scope assigns them too.
    pub(crate) fn inner_names_are_unique(&mut self, scope: &VariableUse<'_>) -> Read<()> {
        let shares = self.options.profile.shares_names_with_catchers();
        let own = scope
            .assigned
            .iter()
            .filter(|one| !(shares && matches!(one.way, Way::Catcher(_))));
        let names: HashSet<&str> = own.map(|one| one.name).collect();
        let mut sound = Ok(());
        for inner in scope.inner.iter().filter(|one| names.contains(one.name)) {
            let message = format!(
                "The variable name '{}' was already defined in a parent scope.",
                inner.name
            );
            let rule = DiagnosticRule::DUPLICATE_VARIABLE;
            let reported = self.report_at(&inner.site, Severity::Error, rule, message);
            sound = Err(reported.with_hint(
                self,
                "rename the variable; use the output to pass data to the enclosing scope",
            ));
        }
        sound
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, machine};
    use serde_json::{Value, json};

    fn scope(assign: Value) -> Value {
        json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "Assign": assign, "End": true}}})
    }

    fn map(inner: Value, assign: Value) -> Value {
        json!({"Type": "Map", "ItemProcessor": inner, "Assign": assign, "End": true})
    }

    #[test]
    fn what_a_catcher_assigns_takes_no_name() {
        let catcher =
            |assign: Value| json!([{"ErrorEquals": ["States.ALL"], "Assign": assign, "Next": "B"}]);
        let mut definition = machine(map(scope(json!({"x": 1})), json!({})));
        definition["States"]["A"]["Catch"] = catcher(json!({"x": 1}));
        definition["States"]["B"] = json!({"Type": "Pass", "OutputPath": "$x", "End": true});
        accepted(&definition);
    }

    #[test]
    fn an_inner_scope_has_names_of_its_own() {
        let definition = |inner: Value| machine(map(scope(inner), json!({"x": 1})));
        accepted(&definition(json!({"y": 1})));
        assert_eq!(
            errors(&definition(json!({"y": 1, "x.$": "$.a"}))),
            [
                "DUPLICATE_VARIABLE_NAME: The variable name 'x' was already defined in a parent scope. at /States/A/ItemProcessor/States/I/Assign/x.$"
            ]
        );
    }

    #[test]
    fn scopes_are_compared_however_deep_one_is_in_the_other() {
        let mut deepest = map(scope(json!({"x": 1})), json!({"z": 1}));
        deepest["ItemProcessor"]["StartAt"] = "K".into();
        let state = deepest["ItemProcessor"]["States"]["I"].take();
        deepest["ItemProcessor"]["States"] = json!({"K": state});
        let middle = json!({"StartAt": "J", "States": {"J": deepest}});
        assert_eq!(
            errors(&machine(map(middle, json!({"x": 1})))),
            [
                "DUPLICATE_VARIABLE_NAME: The variable name 'x' was already defined in a parent scope. at /States/A/ItemProcessor/States/J/ItemProcessor/States/K/Assign/x"
            ]
        );
    }

    #[test]
    fn branches_share_no_names() {
        let branch = |name: &str| json!({"StartAt": name, "States": {name: {"Type": "Pass", "Assign": {"x": 1}, "End": true}}});
        accepted(&machine(
            json!({"Type": "Parallel", "Branches": [branch("B"), branch("C")], "End": true}),
        ));
    }

    #[test]
    fn rules_assign_too() {
        let rule = json!({"Variable": "$.a", "IsNull": true, "Assign": {"x": 2}, "Next": "A"});
        let mut definition = machine(map(scope(json!({"x": 1})), json!({})));
        definition["States"]["B"] = json!({"Type": "Choice", "Choices": [rule], "Default": "A"});
        definition["States"]["A"]["Next"] = json!("B");
        definition["States"]["A"]
            .as_object_mut()
            .map(|state| state.remove("End"));
        definition["States"]["A"]["Catch"] = json!([{"ErrorEquals": ["States.ALL"], "Next": "C"}]);
        definition["States"]["C"] = json!({"Type": "Succeed"});
        assert_eq!(errors(&definition).len(), 1);
    }
}

//! References and assignments of variables by state.
use crate::{ChoiceRule, Query, State, StateKind, StateMachine};
use asl_jsonata::VariableReference;
use asl_path::Root;
use std::collections::{BTreeMap, BTreeSet, HashSet};

impl State {
    /// Returns the names that the state, its rules and its catchers assign.
    pub fn assigned_variables(&self) -> Vec<&str> {
        let rules: &[ChoiceRule] = match &self.kind {
            StateKind::Choice(choice) => &choice.choices,
            _ => &[],
        };
        let rules = rules.iter().map(|rule| &rule.assign);
        let catchers = self.catch.iter().map(|catcher| &catcher.assign);
        let all = std::iter::once(&self.assign).chain(rules).chain(catchers);
        all.flatten()
            .flat_map(|assign| &assign.variables)
            .map(|variable| variable.name.as_str())
            .collect()
    }
}

impl StateMachine {
    /// Returns the variables that each state refers to, by the names of both, for hosts that answer DescribeStateMachine;
    /// states that refer to none are left out.
    ///
    /// ```
    /// use asl_model::{Options, parse};
    /// let text = r#"{"StartAt": "A", "States": {
    ///     "A": {"Type": "Pass", "Assign": {"x": 1}, "Next": "B"},
    ///     "B": {"Type": "Pass", "InputPath": "$x.a", "End": true}
    /// }}"#;
    /// let (machine, _) = parse(text, Options::default()).unwrap();
    /// let references = machine.variable_references();
    /// assert_eq!(references["B"].iter().copied().collect::<Vec<_>>(), ["x"]);
    /// assert_eq!(references.len(), 1);
    /// ```
    pub fn variable_references(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let states = self.all_states();
        let assigned: HashSet<&str> = states
            .iter()
            .flat_map(|(_, state)| state.assigned_variables())
            .collect();
        let mut references: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, state) in states {
            let mut variables = BTreeSet::new();
            state.visit_queries(&mut |query| add_variables(query, &assigned, &mut variables));
            if !variables.is_empty() {
                references.insert(name.as_str(), variables);
            }
        }
        references
    }
}

/// Adds the variables that a query reads, but for the reserved one. A function whose name a variable has is hidden by it.
fn add_variables<'m>(
    query: Query<'m>,
    assigned: &HashSet<&str>,
    variables: &mut BTreeSet<&'m str>,
) {
    match query {
        Query::Path(path) => match path.root() {
            Root::Variable(name) if name != "states" => {
                variables.insert(name);
            }
            _ => {}
        },
        Query::Expression(expression) => {
            let references = expression.expression().references();
            let names = |list: &'m [VariableReference]| list.iter().map(|used| used.name.as_str());
            variables.extend(names(&references.variables));
            variables.extend(names(&references.built_in).filter(|name| assigned.contains(name)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::machine;
    use crate::{Options, parse_value};
    use serde_json::{Value, json};

    fn references(definition: &Value) -> Value {
        let (machine, _) = parse_value(definition, Options::default()).unwrap();
        json!(machine.variable_references())
    }

    #[test]
    fn names_are_sorted_and_each_is_listed_once() {
        let rule = json!({"Variable": "$guess", "StringEqualsPath": "$answer", "Assign": {"x.$": "$guess"}, "Next": "B"});
        let mut definition =
            machine(json!({"Type": "Choice", "Choices": [{"And": [rule], "Next": "B"}]}));
        definition["States"]["B"] = json!({"Type": "Succeed"});
        definition["States"]["A"]["Choices"][0]["And"][0]
            .as_object_mut()
            .unwrap()
            .retain(|name, _| !matches!(name.as_str(), "Next" | "Assign"));
        assert_eq!(references(&definition), json!({"A": ["answer", "guess"]}));
    }

    #[test]
    fn a_state_within_another_is_listed_by_itself() {
        let inner = json!({"Type": "Pass", "Parameters": {"q.$": "States.Array($b, $a.c[0])"}, "End": true});
        let definition = machine(json!({
            "Type": "Map",
            "ItemsPath": "$list",
            "ToleratedFailureCountPath": "$count",
            "MaxConcurrencyPath": "$.x",
            "Catch": [{"ErrorEquals": ["States.ALL"], "Assign": {"e.$": "$old"}, "Next": "A"}],
            "ItemProcessor": {"StartAt": "I", "States": {"I": inner}},
            "End": true,
        }));
        assert_eq!(
            references(&definition),
            json!({"A": ["count", "list", "old"], "I": ["a", "b"]})
        );
    }

    #[test]
    fn expressions_refer_to_variables_too() {
        let definition = machine(json!({
            "Type": "Task",
            "QueryLanguage": "JSONata",
            "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f",
            "TimeoutSeconds": "{% $t %}",
            "Arguments": {"a": ["{% $states.input.x + $b.c %}"]},
            "Assign": {"z": "{% $b %}"},
            "End": true,
        }));
        assert_eq!(references(&definition), json!({"A": ["b", "t"]}));
    }

    #[test]
    fn a_variable_hides_the_function_of_its_name() {
        let mut definition = machine(json!({
            "Type": "Wait",
            "QueryLanguage": "JSONata",
            "Seconds": "{% $sum($range) %}",
            "End": true,
        }));
        assert_eq!(references(&definition), json!({}));
        definition["States"]["A"]["Assign"] = json!({"range": 1});
        assert_eq!(references(&definition), json!({"A": ["range"]}));
    }
}

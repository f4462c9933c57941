//! A Map State over a value that is never an array (2024 specification, Map State).
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Items, Severity, StateKind};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("map-over-no-array"),
    severity: Severity::Warning,
    look,
};

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    for findings in super::data::findings(subject) {
        let Some(no_array) = &findings.no_array else {
            continue;
        };
        let kind = subject.states.get(findings.state).map(|it| &it.state.kind);
        let field = match kind {
            Some(StateKind::Map(map)) => map.items.as_ref().map(|items| match items {
                Items::Path(_) => "ItemsPath",
                Items::Template(_) => "Items",
            }),
            _ => None,
        };
        let location = subject.location(findings.state);
        let (location, what) = match field {
            Some(field) => (location.field(field), "what it names"),
            None => (location, "its input"),
        };
        found.report(
            &LINT,
            location,
            format!("a Map state iterates over an array, and {what} is always {no_array}"),
            "select an array, or wrap the value in an array",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, found_by, jsonata, machine};
    use asl_model::{Options, Profile};
    use serde_json::{Value, json};

    fn map(fields: Value) -> Value {
        let processor = json!({"StartAt": "I", "States": {"I": {"Type": "Succeed"}}});
        let mut state = json!({"Type": "Map", "ItemProcessor": processor, "Next": "C"});
        for (name, value) in fields.as_object().into_iter().flatten() {
            state[name] = value.clone();
        }
        state
    }

    fn after(result: Value, fields: Value) -> Value {
        machine(json!({"A": {"Type": "Pass", "Result": result, "Next": "B"}, "B": map(fields)}))
    }

    fn text(what: &str, place: &str) -> String {
        format!(
            "map-over-no-array: a Map state iterates over an array, and {what} at /States/B{place}"
        )
    }

    #[test]
    fn what_is_made_before_is_no_array() {
        let result = || json!({"lines": {"a": 1}, "items": [1]});
        let what = "what it names is always an object of 'a'";
        assert_eq!(
            found(&after(result(), json!({"ItemsPath": "$.lines"}))),
            [text(what, "/ItemsPath")]
        );
        assert_eq!(
            found(&after(result(), json!({"ItemsPath": "$.items"}))),
            [""; 0]
        );
        let what = "its input is always an object of 'items', 'lines'";
        assert_eq!(found(&after(result(), json!({}))), [text(what, "")]);
    }

    #[test]
    fn what_is_not_known_may_be_one() {
        assert_eq!(found(&after(json!("${Items}"), json!({}))), [""; 0]);
        let definition = machine(json!({"A": map(json!({"ItemsPath": "$.items"}))}));
        assert_eq!(found(&definition), [""; 0]);
    }

    #[test]
    fn items_of_jsonata_that_are_written_out() {
        let definition = |items: Value| {
            jsonata(
                json!({"A": {"Type": "Pass", "Output": {"n": 1}, "Next": "B"}, "B": map(json!({"Items": items}))}),
            )
        };
        let what = "what it names is always a string, number, boolean or null";
        assert_eq!(
            found(&definition("{% $states.input.n %}".into())),
            [text(what, "/Items")]
        );
        assert_eq!(
            found(&definition("{% [$states.input.n] %}".into())),
            [""; 0]
        );
        assert_eq!(found(&definition(json!([1, 2]))), [""; 0]);
    }

    #[test]
    fn a_distributed_map_goes_over_the_fields_of_an_object() {
        let processor = json!({
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "I", "States": {"I": {"Type": "Succeed"}},
        });
        let definition = after(json!({"a": 1}), json!({"ItemProcessor": processor}));
        assert_eq!(found(&definition), [""; 0]);
        let by_specification = Options::default().with_profile(Profile::Spec);
        let what = "its input is always an object of 'a'";
        assert_eq!(found_by(&definition, by_specification), [text(what, "")]);
    }
}

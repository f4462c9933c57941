//! Definitions as the tests of lints write them.
use serde_json::{Value, json};

/// Returns the findings of the lints in a valid definition: rule, message and location.
pub(super) fn found(definition: &Value) -> Vec<String> {
    found_by(definition, asl_model::Options::default())
}

/// The same by other options.
pub(super) fn found_by(definition: &Value, options: asl_model::Options) -> Vec<String> {
    let parsed = asl_model::parse_value(definition, options);
    let (machine, _) = parsed.unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut found = crate::lint(&machine, options);
    found.retain(|one| !crate::integrations::testing::is_own(one));
    found.iter().map(ToString::to_string).collect()
}

/// Returns a machine with the given states that starts at "A"; B, C and D are Succeed states unless given.
pub(super) fn machine(states: Value) -> Value {
    let mut definition = json!({"StartAt": "A", "States": states});
    let text = definition.to_string();
    for name in ["B", "C", "D"] {
        let is_target = text.contains(&format!(":\"{name}\""));
        if is_target && definition["States"].get(name).is_none() {
            definition["States"][name] = json!({"Type": "Succeed"});
        }
    }
    definition
}

/// The same in JSONata.
pub(super) fn jsonata(states: Value) -> Value {
    let mut definition = machine(states);
    definition["QueryLanguage"] = "JSONata".into();
    definition
}

/// Returns a Task State of a Lambda function with other fields, as the only one that works.
pub(super) fn task(fields: Value) -> Value {
    let mut state = json!({"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f"}, "End": true});
    for (name, value) in fields.as_object().into_iter().flatten() {
        state[name] = value.clone();
    }
    machine(json!({"A": state}))
}

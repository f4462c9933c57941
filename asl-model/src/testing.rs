//! Helpers for tests of rules: small definitions, and their problems as text.
use crate::{Diagnostics, Options, Profile, Severity, StateMachineType, parse_value};
use serde_json::{Value, json};

/// Returns a machine of one state "A".
pub(crate) fn machine(state: Value) -> Value {
    json!({"StartAt": "A", "States": {"A": state}})
}

/// Returns a JSONata machine of one state "A".
pub(crate) fn jsonata(state: Value) -> Value {
    in_jsonata(machine(state))
}

fn in_jsonata(mut machine: Value) -> Value {
    machine["QueryLanguage"] = "JSONata".into();
    machine
}

/// Returns a machine of a Task State "A" with these fields besides.
pub(crate) fn task(fields: Value) -> Value {
    let mut state = json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f", "End": true});
    if let (Some(state), Value::Object(fields)) = (state.as_object_mut(), fields) {
        state.extend(fields);
    }
    machine(state)
}

/// The same of a JSONata machine.
pub(crate) fn jsonata_task(fields: Value) -> Value {
    in_jsonata(task(fields))
}

/// Returns a JSONata machine of a Choice State "A" with this rule, which leads to "B".
pub(crate) fn jsonata_choice(rule: Value) -> Value {
    in_jsonata(choice(rule))
}

/// Returns a machine of a Choice State "A" with this rule, which leads to "B".
pub(crate) fn choice(mut rule: Value) -> Value {
    if let Some(rule) = rule.as_object_mut() {
        rule.insert("Next".to_owned(), "B".into());
    }
    json!({"StartAt": "A", "States": {
        "A": {"Type": "Choice", "Choices": [rule]},
        "B": {"Type": "Succeed"},
    }})
}

/// Returns a machine of a distributed Map State "A" with this field besides.
pub(crate) fn distributed_map(name: &str, value: Value) -> Value {
    machine(json!({
        "Type": "Map",
        "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"},
            "StartAt": "I",
            "States": {"I": {"Type": "Succeed"}},
        },
        name: value,
        "End": true,
    }))
}

/// The same of a JSONata machine.
pub(crate) fn jsonata_map(name: &str, value: Value) -> Value {
    in_jsonata(distributed_map(name, value))
}

fn check(definition: &Value, options: Options) -> Diagnostics {
    match parse_value(definition, options) {
        Ok((_, diagnostics)) => {
            assert!(!diagnostics.has_errors());
            diagnostics
        }
        Err(diagnostics) => {
            assert!(diagnostics.has_errors(), "refused without a reason");
            diagnostics
        }
    }
}

fn of(diagnostics: &Diagnostics, severity: Severity) -> Vec<String> {
    let found = diagnostics.iter().filter(|d| d.severity == severity);
    found.map(ToString::to_string).collect()
}

/// Returns the errors, as `CODE: message at location`.
pub(crate) fn errors(definition: &Value) -> Vec<String> {
    of(&check(definition, Options::default()), Severity::Error)
}

/// Returns the warnings.
pub(crate) fn warnings(definition: &Value) -> Vec<String> {
    of(&check(definition, Options::default()), Severity::Warning)
}

/// Returns the errors by the specification.
pub(crate) fn spec_errors(definition: &Value) -> Vec<String> {
    let options = Options::default().with_profile(Profile::Spec);
    of(&check(definition, options), Severity::Error)
}

/// Returns the errors of an Express machine.
pub(crate) fn express_errors(definition: &Value) -> Vec<String> {
    let options = Options::default().with_state_machine_type(StateMachineType::Express);
    of(&check(definition, options), Severity::Error)
}

/// Asserts that a definition has just this fault of the most usual kind.
#[track_caller]
pub(crate) fn refused(definition: &Value, message_and_place: &str) {
    let expected = format!("SCHEMA_VALIDATION_FAILED: {message_and_place}");
    assert_eq!(errors(definition), [expected], "{definition}");
}

/// Asserts that a definition has no fault.
#[track_caller]
pub(crate) fn accepted(definition: &Value) {
    assert_eq!(errors(definition), [""; 0], "{definition}");
}

/// Returns the advice for each problem: its hint, and in brackets its fix, with a question mark if the fix is only offered.
pub(crate) fn advice(definition: &Value) -> Vec<String> {
    let told = check(definition, Options::default());
    let told = told.iter().map(|fault| {
        let hint = fault.hint.clone().unwrap_or_default();
        match &fault.fix {
            Some(fix) => format!(
                "{hint} ({}{})",
                fix.title,
                if fix.is_sure { "" } else { "?" }
            ),
            None => hint,
        }
    });
    told.collect()
}

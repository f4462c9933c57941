//! Definitions, as the API takes and refuses them.
use crate::protocol::{ApiError, ErrorCode};
use asl_engine::{Program, ResourceKind};
use asl_model::{
    Diagnostics, Options, Placeholders, Severity, StateMachineType, Syntax, parse, value_from_text,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Returns the options of the service for definitions.
pub(crate) fn options(machine_type: StateMachineType) -> Options {
    Options::default()
        .with_state_machine_type(machine_type)
        .with_placeholders(Placeholders::Left)
        .with_syntax(Syntax::Json)
}

/// Refuses a text that is no JSON object, in the service's words.
///
/// # Errors
/// InvalidDefinition.
pub(crate) fn check_json(text: &str) -> Result<(), ApiError> {
    let read = value_from_text(text, options(StateMachineType::default()));
    read.map(drop).map_err(|faults| invalid(&errors(&faults)))
}

/// Checks that a definition can run. Returns the ARNs of the activities that it invokes.
///
/// # Errors
/// InvalidDefinition, with all its faults in the service's words.
pub(crate) fn check(text: &str, machine_type: StateMachineType) -> Result<Vec<String>, ApiError> {
    let (machine, _) =
        parse(text, options(machine_type)).map_err(|faults| invalid(&errors(&faults)))?;
    let program = Program::try_from(machine).map_err(|error| invalid(&error.to_string()))?;
    let resources = program.tasks().map(|task| task.resource());
    let activities = resources.filter(|it| matches!(it.kind, ResourceKind::Activity));
    let arns: BTreeSet<String> = activities.map(|it| it.uri.to_string()).collect();
    Ok(arns.into_iter().collect())
}

/// "variableReferences" of a definition; None if no state refers to a variable.
pub(crate) fn variable_references(text: &str, machine_type: StateMachineType) -> Option<Value> {
    let (machine, _) = parse(text, options(machine_type)).ok()?;
    let references = machine.variable_references();
    (!references.is_empty()).then(|| json!(references))
}

fn invalid(faults: &str) -> ApiError {
    ApiError::new(
        ErrorCode::InvalidDefinition,
        format!("Invalid State Machine Definition: '{faults}'"),
    )
}

/// Returns the errors without the warnings.
fn errors(faults: &Diagnostics) -> String {
    let errors = faults
        .iter()
        .filter(|fault| fault.severity == Severity::Error);
    let errors: Vec<String> = errors.map(ToString::to_string).collect();
    errors.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_in_the_services_words() {
        let error = check(r#"{"StartAt": "A"}"#, StateMachineType::Standard).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidDefinition);
        assert_eq!(
            error.message,
            "Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: These fields are required: [States] at /'"
        );
    }

    /// Recorded from the service, whose API takes no YAML.
    #[test]
    fn definitions_are_json() {
        let message = |text| check(text, StateMachineType::Standard).unwrap_err().message;
        assert_eq!(
            message("not a definition"),
            "Invalid State Machine Definition: 'INVALID_JSON_DESCRIPTION: Unrecognized token 'not': was expecting (JSON String, Number, Array, Object \
             or token 'null', 'true' or 'false')\n at [Source: (String)\"not a definition\"; line: 1, column: 4] at [Source: (String)\"not a \
             definition\"; line: 1, column: 4]'"
        );
        for text in [" ", "[]", "1", "\"{}\""] {
            assert_eq!(
                message(text),
                "Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: Definition must be a valid JSON object at null'"
            );
        }
        let yaml = message("StartAt: A\nStates: {A: {Type: Succeed}}\n");
        assert!(yaml.contains("Unrecognized token 'StartAt'"), "{yaml}");
    }

    #[test]
    fn express_machines_refuse_more() {
        let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "End": true,
            "Resource": "arn:aws:states:us-east-1:000000000000:activity:a"}}}"#;
        assert_eq!(
            check(text, StateMachineType::Standard),
            Ok(vec![
                "arn:aws:states:us-east-1:000000000000:activity:a".to_owned()
            ])
        );
        let error = check(text, StateMachineType::Express).unwrap_err();
        assert!(
            error.message.contains(
                "Express state machine does not support Activity ARN at /States/A/Resource"
            )
        );
    }

    #[test]
    fn references_are_told_where_there_are_some() {
        let text = r#"{"StartAt": "A", "States": {
            "A": {"Type": "Pass", "Assign": {"x": 1}, "Next": "B"},
            "B": {"Type": "Pass", "InputPath": "$x", "End": true}}}"#;
        let references = variable_references(text, StateMachineType::Standard);
        assert_eq!(references, Some(json!({"B": ["x"]})));
        let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#;
        assert_eq!(variable_references(text, StateMachineType::Standard), None);
    }
}

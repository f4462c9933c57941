//! ValidateStateMachineDefinition.
use super::computed::computed;
use super::read;
use crate::api::{Api, Call};
use crate::definition::options;
use crate::protocol::ApiError;
use asl_model::{Diagnostic, Severity, StateMachineType, validate as diagnostics};
use serde::Deserialize;
use serde_json::{Value, json};

/// Default, also for 0 (API Reference, ValidateStateMachineDefinition).
const DEFAULT_RESULTS: usize = 100;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    definition: String,
    #[serde(rename = "type")]
    machine_type: Option<StateMachineType>,
    severity: Option<String>,
    max_results: Option<usize>,
}

pub(super) async fn validate(api: &Api, call: Call) -> Result<Value, ApiError> {
    let request: Request = read(call.request)?;
    let bytes = request.definition.len();
    computed(api, bytes, move || answer(&request)).await
}

fn answer(request: &Request) -> Value {
    let machine_type = request.machine_type.unwrap_or_default();
    let found = diagnostics(&request.definition, options(machine_type));
    let tells_warnings = request.severity.as_deref() == Some("WARNING");
    let is_told = |fault: &&Diagnostic| tells_warnings || fault.severity == Severity::Error;
    let told: Vec<Value> = found.iter().filter(is_told).map(to_json).collect();
    let most = match request.max_results {
        None | Some(0) => DEFAULT_RESULTS,
        Some(most) => most,
    };
    json!({
        "diagnostics": told.get(..most).unwrap_or(&told),
        "result": if found.has_errors() { "FAIL" } else { "OK" },
        "truncated": told.len() > most,
    })
}

fn to_json(fault: &Diagnostic) -> Value {
    let mut shown = json!({
        "code": fault.code(),
        "message": fault.message,
        "severity": match fault.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
        },
    });
    if let Some(location) = fault.service_location() {
        shown["location"] = location.into();
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(definition: &str, severity: Option<&str>, most: Option<usize>) -> Value {
        answer(&Request {
            definition: definition.to_owned(),
            machine_type: None,
            severity: severity.map(str::to_owned),
            max_results: most,
        })
    }

    #[test]
    fn faults_are_told_with_their_places() {
        let answer = answered(r#"{"States": {"A": {"Type": "Succeed"}}}"#, None, None);
        assert_eq!(
            answer,
            json!({"result": "FAIL", "truncated": false, "diagnostics": [{
                "code": "SCHEMA_VALIDATION_FAILED", "location": "/", "severity": "ERROR",
                "message": "These fields are required: [StartAt]"}]})
        );
    }

    #[test]
    fn warnings_are_told_where_they_are_asked_for() {
        let text =
            r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": "$.x", "End": true}}}"#;
        assert_eq!(answered(text, None, None)["diagnostics"], json!([]));
        let answer = answered(text, Some("WARNING"), None);
        assert_eq!(answer["result"], "OK");
        assert_eq!(answer["diagnostics"][0]["severity"], "WARNING");
    }

    #[test]
    fn what_is_too_much_is_cut() {
        let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "X"}, "B": {"Type": "Pass", "Next": "Y"}}}"#;
        let all = answered(text, None, Some(0));
        let count = all["diagnostics"].as_array().unwrap().len();
        assert!(count >= 2 && all["truncated"] == false, "{all}");
        let one = answered(text, None, Some(1));
        assert_eq!(
            (
                one["diagnostics"].as_array().unwrap().len(),
                &one["truncated"]
            ),
            (1, &json!(true))
        );
    }
}

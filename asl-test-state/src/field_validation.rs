//! A mocked result held against what the API of its task returns.
//!
//! Messages with a string, an array, a number, an expected value, its bounds and the minimum length are recorded from the service; the
//! others are worded after them. A field that the API does not have is accepted, under a name in another case too (recorded).
use crate::checks::parsed_result;
use crate::definition::TestedState;
use crate::error::TestStateError;
use crate::request::{FieldValidation, Mock};
use asl_engine::{Integration, IntegrationPattern, Resource};
use asl_services::{Kind, Member, Service, Services, Shape, polled_operation};
use serde_json::{Map, Value};

/// Refuses a result that is not what the API returns, as far as the mock requests that.
pub(crate) fn check(
    services: &Services,
    state: &TestedState,
    mock: &Mock,
) -> Result<(), TestStateError> {
    let (Some(text), true) = (&mock.result, mock.field_validation != FieldValidation::None) else {
        return Ok(());
    };
    let resource = Resource::parse(state.text("Resource"));
    let Some((service, action)) = resource
        .integration()
        .and_then(|integration| find_api(services, integration))
    else {
        return Ok(());
    };
    let Some(output) = service.operation(&action).and_then(|it| it.output()) else {
        return Ok(());
    };
    let requires = mock.field_validation == FieldValidation::Strict;
    check_value(&parsed_result(text)?, output, "Result", requires).map_err(|fault| {
        TestStateError::validation(format!("Mock result schema validation error: {fault}"))
    })
}

/// Returns the API whose output is the task's result; None if the result does not come from an API.
pub(crate) fn find_api(
    services: &Services,
    integration: &Integration,
) -> Option<(Service, String)> {
    let own = integration.service.as_str();
    let action = integration.action.split('.').next().unwrap_or_default();
    let action = match integration.pattern {
        IntegrationPattern::RequestResponse => action,
        IntegrationPattern::Sync => polled_operation(own, action)?,
        IntegrationPattern::WaitForTaskToken => return None,
    };
    Some((services.called_service(own, action)?, action.to_owned()))
}

/// Checks a value. Recursion is bounded by the nesting of the value, which was limited when it was parsed.
fn check_value(value: &Value, shape: Shape<'_>, field: &str, requires: bool) -> Result<(), String> {
    let must_be = |expected: &str| Err(format!("Field '{field}' must be {expected}"));
    match (shape.kind(), value) {
        (Kind::Document, _) => Ok(()),
        (Kind::Structure, Value::Object(fields)) => check_fields(fields, shape, requires),
        (Kind::Map { value: shape, .. }, Value::Object(fields)) => fields
            .iter()
            .try_for_each(|(name, value)| check_value(value, shape, name, requires)),
        (Kind::List(member), Value::Array(items)) => {
            check_length(items.len(), shape, field)?;
            items
                .iter()
                .try_for_each(|item| check_value(item, member, field, requires))
        }
        (Kind::String | Kind::Blob, Value::String(text)) => check_text(text, shape, field),
        (Kind::Timestamp, Value::String(_)) | (Kind::Boolean, Value::Bool(_)) => Ok(()),
        (Kind::Integer | Kind::Long | Kind::Float | Kind::Double, Value::Number(number)) => {
            check_number(number.as_f64().unwrap_or(0.0), shape, field)
        }
        (Kind::Structure | Kind::Map { .. }, _) => must_be("an object"),
        (Kind::List(_), _) => must_be("an array"),
        (Kind::String | Kind::Blob | Kind::Timestamp, _) => must_be("a string"),
        (Kind::Boolean, _) => must_be("a boolean"),
        (Kind::Integer | Kind::Long | Kind::Float | Kind::Double, _) => must_be("a number"),
    }
}

fn check_fields(
    fields: &Map<String, Value>,
    shape: Shape<'_>,
    requires: bool,
) -> Result<(), String> {
    let members = shape.members();
    let members: Vec<([String; 2], Member<'_>)> = members
        .map(|member| (member.step_functions_names(), member))
        .collect();
    for (names, member) in &members {
        let is_there = || names.iter().any(|name| fields.contains_key(name));
        if requires && member.is_required() && !is_there() {
            let [name, _] = names;
            return Err(format!("Required field '{name}' is missing"));
        }
    }
    for (name, value) in fields {
        let named = members.iter().find(|(names, _)| names.contains(name));
        if let Some((_, member)) = named {
            check_value(value, member.shape(), name, requires)?;
        }
    }
    Ok(())
}

fn check_text(text: &str, shape: Shape<'_>, field: &str) -> Result<(), String> {
    let values = shape.values();
    if !values.is_empty() && !values.iter().any(|value| value == text) {
        return Err(format!("Field '{field}' is not an expected value"));
    }
    check_length(text.chars().count(), shape, field)
}

fn check_length(length: usize, shape: Shape<'_>, field: &str) -> Result<(), String> {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    // What stands for bytes is a third longer.
    let most = match shape.kind() {
        Kind::Blob => shape.maximum().map(|most| most.saturating_mul(4) / 3 + 4),
        _ => shape.maximum(),
    };
    if shape.minimum().is_some_and(|least| length < least) {
        return Err(format!(
            "Field '{field}' is smaller than the minimum length"
        ));
    }
    if most.is_some_and(|most| length > most) {
        return Err(format!("Field '{field}' is larger than the maximum length"));
    }
    Ok(())
}

fn check_number(number: f64, shape: Shape<'_>, field: &str) -> Result<(), String> {
    if shape.minimum().is_some_and(|least| number < least as f64) {
        return Err(format!("Field '{field}' is less than the minimum value"));
    }
    if shape.maximum().is_some_and(|most| number > most as f64) {
        return Err(format!("Field '{field}' exceeds the maximum value"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mocked_call::test_mocked_call;
    use serde_json::json;

    /// Returns the fault of a mocked result, or an empty text if it is accepted.
    fn fault_of(resource: &str, mode: &str, result: Value) -> String {
        match test_mocked_call(&Services::new(), resource, mode, &result) {
            Ok(_) => String::new(),
            Err(error) => error
                .message
                .replace("Mock result schema validation error: ", ""),
        }
    }

    #[test]
    fn every_type_is_checked() {
        let cases = [
            (
                "aws-sdk:kms:encrypt",
                json!({"CiphertextBlob": 1}),
                "Field 'CiphertextBlob' must be a string",
            ),
            (
                "aws-sdk:kms:encrypt",
                json!({"CiphertextBlob": ""}),
                "Field 'CiphertextBlob' is smaller than the minimum length",
            ),
            (
                "aws-sdk:kms:encrypt",
                json!({"EncryptionAlgorithm": "rot13"}),
                "Field 'EncryptionAlgorithm' is not an expected value",
            ),
            (
                "aws-sdk:s3:getObject",
                json!({"ContentLength": "1"}),
                "Field 'ContentLength' must be a number",
            ),
            (
                "aws-sdk:s3:getObject",
                json!({"DeleteMarker": "no"}),
                "Field 'DeleteMarker' must be a boolean",
            ),
            (
                "aws-sdk:s3:getObject",
                json!({"LastModified": 1}),
                "Field 'LastModified' must be a string",
            ),
            (
                "aws-sdk:s3:getObject",
                json!({"Metadata": []}),
                "Field 'Metadata' must be an object",
            ),
            (
                "aws-sdk:s3:getObject",
                json!({"Metadata": {"a": 1}}),
                "Field 'a' must be a string",
            ),
            (
                "aws-sdk:s3:getObject",
                json!({"SsekmsKeyId": 1}),
                "Field 'SsekmsKeyId' must be a string",
            ),
            (
                "events:putEvents",
                json!({"Entries": {}}),
                "Field 'Entries' must be an array",
            ),
            (
                "events:putEvents",
                json!({"Entries": [1]}),
                "Field 'Entries' must be an object",
            ),
            (
                "events:putEvents",
                json!({"Entries": [{}, {"EventId": []}]}),
                "Field 'EventId' must be a string",
            ),
            (
                "lambda:invoke",
                json!({"StatusCode": "200"}),
                "Field 'StatusCode' must be a number",
            ),
            (
                "lambda:invoke",
                json!({"Payload": {}}),
                "Field 'Payload' must be a string",
            ),
            (
                "states:startExecution",
                json!([]),
                "Field 'Result' must be an object",
            ),
        ];
        for (resource, result, expected) in cases {
            assert_eq!(
                fault_of(resource, "PRESENT", result.clone()),
                expected,
                "{resource} {result}"
            );
            assert_eq!(fault_of(resource, "NONE", result), "");
        }
    }

    #[test]
    fn what_is_required_is_wanted_by_strict_alone() {
        let missing = "Required field 'ExecutionArn' is missing";
        for result in [json!({}), json!({"executionArn": "a", "startDate": "b"})] {
            assert_eq!(
                fault_of("states:startExecution", "STRICT", result.clone()),
                missing
            );
            assert_eq!(fault_of("states:startExecution", "PRESENT", result), "");
        }
        let whole = json!({"ExecutionArn": "a", "StartDate": "2025-12-03T00:34:15", "More": 1});
        assert_eq!(fault_of("states:startExecution", "STRICT", whole), "");
    }

    #[test]
    fn sync_returns_what_polls_and_a_token_anything() {
        let described = json!({"Status": "DONE"});
        let status = "Field 'Status' is not an expected value";
        assert_eq!(
            fault_of("states:startExecution.sync:2", "PRESENT", described.clone()),
            status
        );
        assert_eq!(fault_of("states:startExecution", "PRESENT", described), "");
        assert_eq!(
            fault_of("sqs:sendMessage.waitForTaskToken", "STRICT", json!(1)),
            ""
        );
    }

    #[test]
    fn what_is_no_api_returns_anything() {
        for resource in [
            "apigateway:invoke",
            "http:invoke",
            "aws-sdk:nothing:doIt",
            "aws-sdk:s3:doNothing",
        ] {
            assert_eq!(fault_of(resource, "STRICT", json!(1)), "", "{resource}");
        }
    }
}

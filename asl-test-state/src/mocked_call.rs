//! Mocked calls of services, for tests.
use crate::{TestStateError, TestStateRequest, TestStateResponse, Tester};
use asl_engine::Timestamp;
use asl_services::Services;
use serde_json::{Value, json};

/// Tests a Task State that calls `resource`, whose mocked result is `result`.
pub(crate) fn test_mocked_call(
    services: &Services,
    resource: &str,
    field_validation_mode: &str,
    result: &Value,
) -> Result<TestStateResponse, TestStateError> {
    let request = TestStateRequest::from_value(&json!({
        "definition": {"Type": "Task", "Resource": format!("arn:aws:states:::{resource}"), "Parameters": required_arguments(), "End": true},
        "mock": {"result": result, "fieldValidationMode": field_validation_mode}}))?;
    Tester::new(Timestamp::from_milliseconds(0))
        .with_services(services)
        .test(&request)
}

/// Returns the required arguments of all calls in these tests.
fn required_arguments() -> Value {
    json!({"QueueUrl": "q", "MessageBody": "m", "TableName": "t", "Key": {}, "Entries": [], "TaskDefinition": "d", "JobName": "j",
        "StateMachineArn": "a", "FunctionName": "f"})
}

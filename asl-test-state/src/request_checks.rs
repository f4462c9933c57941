//! Valid combinations of members in a request for any state.
//!
//! The messages without a note are recorded from the service; the others are worded after them.
use crate::error::{TestStateError, TestStateErrorCode};
use crate::request::{Mock, TestStateRequest};

/// Checks the request without the definition.
pub(crate) fn check_request(request: &TestStateRequest) -> Result<(), TestStateError> {
    if let Some(role) = &request.role_arn
        && !(role.starts_with("arn:") && role.contains(":iam:") && role.contains(":role/"))
    {
        return Err(TestStateError {
            code: TestStateErrorCode::InvalidArn,
            message: format!("Invalid Role Arn: '{role}'"),
        });
    }
    match &request.mock {
        Some(mock) => check_mock(request, mock),
        None => check_without_mock(request),
    }
}

fn check_mock(request: &TestStateRequest, mock: &Mock) -> Result<(), TestStateError> {
    if request.reveal_secrets {
        return Err(TestStateError::validation(
            "TestState does not support RevealSecrets when a mock is specified.",
        ));
    }
    match (&mock.result, &mock.error_output) {
        // Not recorded here: the service is known to refuse both.
        (Some(_), Some(_)) => Err(TestStateError::validation(
            "A test mock should have only one of the following fields: [result, errorOutput].",
        )),
        (None, None) => Err(TestStateError::validation(
            "A test mock should have one of the following fields: [result, errorOutput].",
        )),
        _ => Ok(()),
    }
}

/// Recorded of MapIterationFailureCount.
fn check_without_mock(request: &TestStateRequest) -> Result<(), TestStateError> {
    let configuration = &request.configuration;
    let members = [
        (
            "MapIterationFailureCount",
            configuration.map_iteration_failure_count.is_some(),
        ),
        (
            "RetrierRetryCount",
            configuration.retrier_retry_count.is_some(),
        ),
        (
            "ErrorCausedByState",
            configuration.error_caused_by_state.is_some(),
        ),
        (
            "MapItemReaderData",
            configuration.map_item_reader_data.is_some(),
        ),
    ];
    match members.iter().find(|(_, is_there)| *is_there) {
        Some((member, _)) => Err(TestStateError::validation(format!(
            "TestState does not support {member} when a mock is not specified."
        ))),
        None => Ok(()),
    }
}

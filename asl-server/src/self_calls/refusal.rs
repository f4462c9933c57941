//! Errors of tasks whose request the API refuses.
use super::requested_operation::Integration;
use crate::protocol::ApiError;
use asl_engine::TaskError;

/// Returns the errors that the API's model does not have are one for each SDK. Recorded, of both integrations.
pub(super) fn refusal(error: &ApiError, integration: Integration, request_id: &str) -> TaskError {
    let code = error.code;
    let (message, status) = (&error.message, code.status());
    match integration {
        Integration::Optimized => TaskError::new(
            name("StepFunctions", "AWSStepFunctionsException", error),
            format!(
                "{message} (Service: AWSStepFunctions; Status Code: {status}; Error Code: {}; Request ID: {request_id}; \
                 Proxy: null)",
                code.name()
            ),
        ),
        Integration::Sdk => TaskError::new(
            name("Sfn", "SfnException", error),
            format!(
                "{message} (Service: Sfn, Status Code: {status}, Request ID: {request_id}) (SDK Attempt Count: 1)"
            ),
        ),
    }
}

fn name(service: &str, other: &str, error: &ApiError) -> String {
    let name = error.code.name();
    match error.code.is_modeled() {
        false => format!("{service}.{other}"),
        true if name.ends_with("Exception") => format!("{service}.{name}"),
        true => format!("{service}.{name}Exception"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::ErrorCode;

    fn describe(error: &ApiError, integration: Integration) -> (String, String) {
        let output = refusal(error, integration, "id").error_output;
        (
            output.error.unwrap_or_default(),
            output.cause.unwrap_or_default(),
        )
    }

    #[test]
    fn refusals_are_told_as_each_sdk_tells_them() {
        let (error, cause) = describe(&ApiError::no_state_machine("arn:m"), Integration::Optimized);
        assert_eq!(error, "StepFunctions.StateMachineDoesNotExistException");
        assert_eq!(
            cause,
            "State Machine Does Not Exist: 'arn:m' (Service: AWSStepFunctions; Status Code: 400; Error Code: \
             StateMachineDoesNotExist; Request ID: id; Proxy: null)"
        );
        let (error, cause) = describe(&ApiError::invalid_token(), Integration::Sdk);
        assert_eq!(error, "Sfn.InvalidTokenException");
        assert_eq!(
            cause,
            "Invalid Token: 'Invalid token' (Service: Sfn, Status Code: 400, Request ID: id) (SDK Attempt Count: 1)"
        );
    }

    #[test]
    fn exceptions_are_called_so_once_and_unknown_ones_have_one_name() {
        let validation = ApiError::validation("no");
        assert_eq!(
            describe(&validation, Integration::Sdk).0,
            "Sfn.ValidationException"
        );
        let busy = ApiError::new(ErrorCode::ServiceUnavailable, "busy");
        assert_eq!(describe(&busy, Integration::Sdk).0, "Sfn.SfnException");
        assert_eq!(
            describe(&busy, Integration::Optimized).0,
            "StepFunctions.AWSStepFunctionsException"
        );
    }
}

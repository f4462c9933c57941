//! Errors of requests.
use asl_backend::BackendError;
use asl_test_state::TestStateError;
use serde_json::{Value, json};

/// The service's name for why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorCode {
    AccessDenied,
    ActivityDoesNotExist,
    ActivityWorkerLimitExceeded,
    Conflict,
    ExecutionAlreadyExists,
    ExecutionDoesNotExist,
    ExecutionLimitExceeded,
    ExecutionNotRedrivable,
    InternalServerError,
    InvalidArn,
    InvalidDefinition,
    InvalidEncryptionConfiguration,
    InvalidExecutionInput,
    InvalidLoggingConfiguration,
    InvalidName,
    InvalidOutput,
    InvalidToken,
    MissingRequiredParameter,
    RequestEntityTooLarge,
    ResourceNotFound,
    Serialization,
    ServiceQuotaExceeded,
    ServiceUnavailable,
    StateMachineAlreadyExists,
    StateMachineDeleting,
    StateMachineDoesNotExist,
    StateMachineTypeNotSupported,
    TaskDoesNotExist,
    TaskTimedOut,
    TooManyTags,
    UnknownOperation,
    Validation,
}

/// Of the errors that the API's model has.
const MODEL: &str = "com.amazonaws.swf.service.v2.model#";
/// Of the errors of every AWS API.
const PROTOCOL: &str = "com.amazon.coral.service#";
const CONSTRAINTS: &str = "com.amazon.coral.validate#";

impl ErrorCode {
    /// Returns its name, after `#` of `__type`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AccessDenied => "AccessDeniedException",
            Self::ActivityDoesNotExist => "ActivityDoesNotExist",
            Self::ActivityWorkerLimitExceeded => "ActivityWorkerLimitExceeded",
            Self::Conflict => "ConflictException",
            Self::ExecutionAlreadyExists => "ExecutionAlreadyExists",
            Self::ExecutionDoesNotExist => "ExecutionDoesNotExist",
            Self::ExecutionLimitExceeded => "ExecutionLimitExceeded",
            Self::ExecutionNotRedrivable => "ExecutionNotRedrivable",
            Self::InternalServerError => "InternalServerError",
            Self::InvalidArn => "InvalidArn",
            Self::InvalidDefinition => "InvalidDefinition",
            Self::InvalidEncryptionConfiguration => "InvalidEncryptionConfiguration",
            Self::InvalidExecutionInput => "InvalidExecutionInput",
            Self::InvalidLoggingConfiguration => "InvalidLoggingConfiguration",
            Self::InvalidName => "InvalidName",
            Self::InvalidOutput => "InvalidOutput",
            Self::InvalidToken => "InvalidToken",
            Self::MissingRequiredParameter => "MissingRequiredParameter",
            Self::RequestEntityTooLarge => "RequestEntityTooLargeException",
            Self::ResourceNotFound => "ResourceNotFound",
            Self::Serialization => "SerializationException",
            Self::ServiceQuotaExceeded => "ServiceQuotaExceededException",
            Self::ServiceUnavailable => "ServiceUnavailable",
            Self::StateMachineAlreadyExists => "StateMachineAlreadyExists",
            Self::StateMachineDeleting => "StateMachineDeleting",
            Self::StateMachineDoesNotExist => "StateMachineDoesNotExist",
            Self::StateMachineTypeNotSupported => "StateMachineTypeNotSupported",
            Self::TaskDoesNotExist => "TaskDoesNotExist",
            Self::TaskTimedOut => "TaskTimedOut",
            Self::TooManyTags => "TooManyTags",
            Self::UnknownOperation => "UnknownOperationException",
            Self::Validation => "ValidationException",
        }
    }

    /// Returns the status of the response. SDKs retry 5xx, so errors of the request are 4xx.
    pub(crate) fn status(self) -> u16 {
        match self {
            Self::AccessDenied => 403,
            Self::RequestEntityTooLarge => 413,
            Self::InternalServerError => 500,
            Self::ServiceUnavailable => 503,
            _ => 400,
        }
    }

    /// Returns true if clients know it as an error of this API, not of any.
    pub(crate) fn is_modeled(self) -> bool {
        self.namespace() != PROTOCOL
    }

    fn namespace(self) -> &'static str {
        match self {
            Self::AccessDenied
            | Self::InternalServerError
            | Self::RequestEntityTooLarge
            | Self::Serialization
            | Self::ServiceUnavailable
            | Self::UnknownOperation => PROTOCOL,
            Self::Validation => CONSTRAINTS,
            _ => MODEL,
        }
    }
}

/// An error of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    /// Of a ValidationException.
    pub(crate) reason: Option<&'static str>,
}

impl ApiError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            reason: None,
        }
    }

    /// Recorded: `Invalid Arn: '…'`.
    pub(crate) fn invalid_arn(fault: impl std::fmt::Display) -> Self {
        Self::new(ErrorCode::InvalidArn, format!("Invalid Arn: '{fault}'"))
    }

    pub(crate) fn validation(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Validation, message)
    }

    /// Recorded, of page tokens and task tokens alike.
    pub(crate) fn invalid_token() -> Self {
        Self::new(ErrorCode::InvalidToken, "Invalid Token: 'Invalid token'")
    }

    pub(crate) fn no_state_machine(arn: &str) -> Self {
        Self::new(
            ErrorCode::StateMachineDoesNotExist,
            format!("State Machine Does Not Exist: '{arn}'"),
        )
    }

    pub(crate) fn deleting(arn: &str) -> Self {
        Self::new(
            ErrorCode::StateMachineDeleting,
            format!("State Machine is being deleted: '{arn}'"),
        )
    }

    pub(crate) fn no_execution(arn: &str) -> Self {
        Self::new(
            ErrorCode::ExecutionDoesNotExist,
            format!("Execution Does Not Exist: '{arn}'"),
        )
    }

    pub(crate) fn no_activity(arn: &str) -> Self {
        Self::new(
            ErrorCode::ActivityDoesNotExist,
            format!("Activity Does Not Exist: '{arn}'"),
        )
    }

    /// Recorded: what tags are asked of that has none.
    pub(crate) fn no_resource(arn: &str) -> Self {
        Self::new(
            ErrorCode::ResourceNotFound,
            format!("Resource not found: '{arn}'"),
        )
    }

    /// Recorded: an alias, or the version that one is to lead to, that is not there.
    pub(crate) fn no_reference() -> Self {
        Self::new(
            ErrorCode::ResourceNotFound,
            "Request references a resource that does not exist.",
        )
    }

    pub(crate) fn unknown_operation(name: &str) -> Self {
        Self::new(
            ErrorCode::UnknownOperation,
            format!("unknown operation {name}"),
        )
    }

    /// Returns the body of the answer.
    pub(crate) fn body(&self) -> Value {
        let mut body = json!({
            "__type": format!("{}{}", self.code.namespace(), self.code.name()),
            "message": self.message,
        });
        if let Some(reason) = self.reason {
            body["reason"] = reason.into();
        }
        body
    }
}

impl From<BackendError> for ApiError {
    fn from(error: BackendError) -> Self {
        let code = match error {
            BackendError::Unavailable(_) => ErrorCode::ServiceUnavailable,
            _ => ErrorCode::InternalServerError,
        };
        Self::new(code, error.to_string())
    }
}

impl From<TestStateError> for ApiError {
    fn from(error: TestStateError) -> Self {
        use asl_test_state::TestStateErrorCode as Code;
        let code = match error.code {
            Code::ValidationException => ErrorCode::Validation,
            Code::InvalidDefinition => ErrorCode::InvalidDefinition,
            Code::InvalidExecutionInput => ErrorCode::InvalidExecutionInput,
            Code::InvalidArn => ErrorCode::InvalidArn,
        };
        Self::new(code, error.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_read_the_code_after_the_hash() {
        let error = ApiError::no_execution("arn:x");
        let body = error.body();
        let (_, code) = body["__type"].as_str().unwrap().split_once('#').unwrap();
        assert_eq!(code, "ExecutionDoesNotExist");
        assert_eq!(body["message"], "Execution Does Not Exist: 'arn:x'");
        assert_eq!(error.code.status(), 400);
    }

    #[test]
    fn only_what_may_be_tried_again_is_a_fault_of_the_server() {
        let unavailable = ApiError::from(BackendError::Unavailable("no room".into()));
        assert_eq!(unavailable.code.status(), 503);
        let broken = ApiError::from(BackendError::Broken("torn".into()));
        assert_eq!((broken.code.status(), &*broken.message), (500, "torn"));
    }

    #[test]
    fn a_reason_is_a_member_of_its_own() {
        let error = ApiError {
            reason: Some("INVALID_ROUTING_CONFIGURATION"),
            ..ApiError::validation("no")
        };
        assert_eq!(error.body()["reason"], "INVALID_ROUTING_CONFIGURATION");
    }
}

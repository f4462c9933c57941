//! Errors of requests, responses and services.

/// A request that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The service has a protocol or an operation that is not supported.
    #[error("{0}")]
    Unsupported(String),
    /// A parameter has an unknown name.
    #[error("the parameter {place}{name} is unknown: expected one of {expected}")]
    UnknownParameter {
        /// Path of its structure with a dot; empty for the outermost one.
        place: String,
        /// Its name.
        name: String,
        /// The names that the operation has there.
        expected: String,
    },
    /// A parameter that the path of the request needs is missing or empty.
    #[error("the parameter {0} is missing: the request needs it")]
    MissingParameter(String),
    /// A parameter has another type.
    #[error("the parameter {place} must be {expected}, found {found}")]
    WrongType {
        /// Path of the parameter.
        place: String,
        /// The type that is expected.
        expected: &'static str,
        /// The type that was found.
        found: &'static str,
    },
    /// The parameters are nested too deep.
    #[error("the parameters are nested more than {0} levels deep")]
    TooDeep(usize),
}

/// A response that does not follow the protocol of its service.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the response of the service is not valid: {0}")]
pub struct ResponseError(pub(crate) String);

/// An error that a service returned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message} (status {status})")]
#[non_exhaustive]
pub struct ServiceError {
    /// The code in the response: `AWS.SimpleQueueService.NonExistentQueue`.
    pub code: String,
    /// The name of the error in the model: `QueueDoesNotExist`; None if the model does not describe it.
    pub name: Option<String>,
    /// Its message.
    pub message: String,
    /// Status code of the response.
    pub status: u16,
    /// The id that the service gave to the request.
    pub request_id: Option<String>,
    /// A second id, which S3 gives.
    pub extended_request_id: Option<String>,
}

/// A call without a result: the service returned an error, or no valid response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(clippy::exhaustive_enums, reason = "callers handle each")]
pub enum CallError {
    /// An error of the service.
    #[error(transparent)]
    Service(Box<ServiceError>),
    /// An invalid response.
    #[error(transparent)]
    Response(#[from] ResponseError),
}

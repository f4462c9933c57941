//! Errors of requests to Restate.
use asl_backend::BackendError;

/// The reason why a request to Restate failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ClientError {
    /// It may be asked again later.
    #[error("{0}")]
    Unavailable(String),
    /// It would be answered the same again.
    #[error("{0}")]
    Broken(String),
}

impl From<ClientError> for BackendError {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Unavailable(what) => Self::Unavailable(what),
            ClientError::Broken(what) => Self::Broken(what),
        }
    }
}

//! Invocations, and how they end.
use crate::names::FunctionName;
use crate::{InvocationLabel, LogTail};
use serde_json::json;
use std::time::Duration;

/// Bytes of an event at most (AWS Lambda Developer Guide, Lambda quotas).
pub(crate) const MAX_EVENT_BYTES: usize = 6 << 20;
/// Bytes of a response at most: as many, and some for its envelope.
pub(crate) const MAX_RESPONSE_BYTES: usize = MAX_EVENT_BYTES + 100;

/// An event for a function.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Invocation {
    /// The event, as JSON.
    pub event: Vec<u8>,
    /// The id of the request, a UUID; a random one if it is empty.
    pub request_id: String,
    /// The time that the caller waits at most, which limits the function's deadline.
    pub time_limit: Option<Duration>,
    /// The client context, as JSON.
    pub client_context: Option<String>,
    /// The X-Ray trace header.
    pub trace_id: Option<String>,
    /// The name of the execution that invokes the function.
    pub execution: Option<String>,
    /// The state that does.
    pub state: Option<String>,
    /// Receives the end of the log.
    pub log_tail: Option<LogTail>,
}

impl Invocation {
    /// Creates one of an event.
    pub fn new(event: impl Into<Vec<u8>>) -> Self {
        Self {
            event: event.into(),
            ..Self::default()
        }
    }

    /// Sets a random id, for a caller that has none.
    #[must_use]
    pub fn with_random_id(self) -> Self {
        self.with_request_id(crate::functions::random_id())
    }

    pub(crate) fn label(&self) -> InvocationLabel {
        InvocationLabel {
            request_id: self.request_id.clone(),
            execution: self.execution.clone(),
            state: self.state.clone(),
        }
    }
}

asl_path::with_methods! {
    impl Invocation {
        with_request_id(request_id: String),
        with_time_limit(time_limit: Option<Duration>),
        with_client_context(client_context: Option<String>),
        with_trace_id(trace_id: Option<String>),
        with_execution(execution: Option<String>),
        with_state(state: Option<String>),
        with_log_tail(log_tail: Option<LogTail>),
    }
}

/// The end of an invocation that reached its function.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvocationOutcome {
    /// The function returned this, which should be JSON.
    Result(Vec<u8>),
    /// The function failed, or its process did: an object with "errorType" and "errorMessage".
    Failed(Vec<u8>),
}

impl InvocationOutcome {
    /// An error that Lambda reports itself.
    pub(crate) fn of_platform(error_type: &str, request_id: &str, message: &str) -> Self {
        let message = match request_id {
            "" => message.to_owned(),
            id => format!("RequestId: {id} {message}"),
        };
        let body = json!({"errorType": error_type, "errorMessage": message});
        Self::Failed(body.to_string().into_bytes())
    }
}

/// Reasons why an event reaches no function.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvokeError {
    /// There is no function of this name.
    #[error("Function not found: {arn}")]
    NotFound {
        /// The ARN that it would have.
        arn: String,
    },
    /// The event is longer than Lambda takes.
    #[error(
        "Request must be smaller than {MAX_EVENT_BYTES} bytes for the InvokeFunction operation"
    )]
    TooLarge,
}

impl InvokeError {
    pub(crate) fn not_found(region: &str, account: &str, function: FunctionName<'_>) -> Self {
        let qualifier = function.qualifier.unwrap_or("$LATEST");
        let arn = format!(
            "arn:aws:lambda:{region}:{account}:function:{}:{qualifier}",
            function.name
        );
        Self::NotFound { arn }
    }
}

//! The Invoke API of AWS Lambda, for any server of it.
use asl_engine::TaskError;
use asl_engine::runtime::{BoxFuture, Task};
use hyper::Response;

/// A request of Lambda's Invoke API (AWS Lambda API Reference, Invoke).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvokeRequest {
    /// The name or the ARN of the function, with or without a qualifier.
    pub function: String,
    /// The version or the alias, if it is a parameter of its own.
    pub qualifier: Option<String>,
    /// `RequestResponse`, `Event` or `DryRun`.
    pub invocation_type: String,
    /// `None` or `Tail`.
    pub log_type: Option<String>,
    /// JSON in Base64 for the function's client context.
    pub client_context: Option<String>,
    /// The event, as JSON.
    pub event: Vec<u8>,
    /// A UUID for the request, which is the same when a task is performed again after a crash. It may be empty.
    pub request_id: String,
}

impl InvokeRequest {
    /// Creates a request that waits for the function's result.
    pub fn new(function: impl Into<String>, event: impl Into<Vec<u8>>) -> Self {
        Self {
            function: function.into(),
            qualifier: None,
            invocation_type: "RequestResponse".to_owned(),
            log_type: None,
            client_context: None,
            event: event.into(),
            request_id: String::new(),
        }
    }
}

/// Invokes functions: a server, AWS Lambda, or processes of this machine.
pub trait FunctionInvoker: Send + Sync + 'static {
    /// Invokes a function for a task, and returns the response of the Invoke API.
    ///
    /// # Errors
    /// There is no response, as the error says.
    fn invoke<'t>(
        &'t self,
        request: InvokeRequest,
        task: &'t Task,
    ) -> BoxFuture<'t, Result<Response<Vec<u8>>, TaskError>>;

    /// Returns true if it can invoke a function of this name or ARN; None is a function that only the execution knows.
    fn has(&self, _function: Option<&str>) -> bool {
        true
    }
}

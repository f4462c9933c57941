//! Log entries of answered requests.
use std::time::Duration;

/// An answered request: its time, account and outcome, without payloads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnsweredRequest {
    /// The operation; None if the request names none of this API.
    pub operation: Option<String>,
    /// The ARN of the execution that it is about, else of the state machine, activity or Map Run; None if it names none.
    pub resource: Option<String>,
    /// The account that it is for.
    pub account: String,
    /// The region of the model.
    pub region: String,
    /// The status of HTTP.
    pub status: u16,
    /// The error name, if the response is an error.
    pub error: Option<&'static str>,
    /// Time from the request's head to its response.
    pub duration: Duration,
    /// Bytes of its body, where its head says how many.
    pub request_bytes: Option<u64>,
    /// Bytes of the answer's body.
    pub answer_bytes: u64,
    /// Request id, as in the response header `x-amzn-RequestId`.
    pub request_id: String,
}

/// Receives log entries.
pub(crate) type Log = Box<dyn Fn(&AnsweredRequest) + Send + Sync>;

//! Messages of workers about tasks, by token.
use super::{nothing, read};
use crate::api::{Api, Call};
use crate::input::read_output;
use crate::protocol::{ApiError, ErrorCode};
use asl_backend::{TaskReply, TokenRefused};
use asl_engine::ErrorOutput;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Success {
    task_token: String,
    output: String,
}

pub(super) async fn succeed(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Success = read(call.request)?;
    let reply = TaskReply::Success(read_output(request.output)?);
    send_reply(api, &request.task_token, reply).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Failure {
    task_token: String,
    error: Option<String>,
    cause: Option<String>,
}

pub(super) async fn fail(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Failure = read(call.request)?;
    let reply = TaskReply::Failure(ErrorOutput {
        error: request.error,
        cause: request.cause,
    });
    send_reply(api, &request.task_token, reply).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Heartbeat {
    task_token: String,
}

pub(super) async fn heartbeat(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Heartbeat = read(call.request)?;
    send_reply(api, &request.task_token, TaskReply::Heartbeat).await
}

async fn send_reply(api: &Arc<Api>, token: &str, reply: TaskReply) -> Result<Value, ApiError> {
    let told = api.backend.reply_to_task(token.into(), reply).await;
    told.map(|()| nothing()).map_err(refused)
}

fn refused(error: TokenRefused) -> ApiError {
    match error {
        TokenRefused::Invalid => ApiError::invalid_token(),
        TokenRefused::TimedOut => ApiError::new(
            ErrorCode::TaskTimedOut,
            "Task Timed Out: 'Provided task does not exist anymore'",
        ),
        TokenRefused::Backend(error) => error.into(),
        _ => ApiError::new(
            ErrorCode::TaskDoesNotExist,
            "Task Does Not Exist: 'Provided task does not exist'",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_have_their_codes() {
        let code = |error| refused(error).code;
        assert_eq!(code(TokenRefused::Invalid), ErrorCode::InvalidToken);
        assert_eq!(code(TokenRefused::TimedOut), ErrorCode::TaskTimedOut);
        assert_eq!(code(TokenRefused::NoTask), ErrorCode::TaskDoesNotExist);
        let full = asl_backend::BackendError::Unavailable("full".into());
        assert_eq!(code(full.into()), ErrorCode::ServiceUnavailable);
    }
}

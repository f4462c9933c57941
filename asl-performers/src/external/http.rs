//! Tasks done by servers: the payload is POSTed, the body of a 2xx response is the answer, unless it is the error of a Lambda
//! function.
use super::places::Places;
use super::server::{Server, function_error, while_awaited};
use super::{ExternalHandlers, UrlError, answer};
use asl_engine::runtime::{BoxFuture, Task, TaskHandler};
use asl_engine::{OrError as _, TaskAnswer, TaskError};
use http_body_util::Full;
use hyper::Response;
use serde_json::Value;
use std::sync::Arc;

/// POSTs each task to a server: the body of a 2xx response is the result, unless it is the error of a Lambda function.
///
/// Headers name the task: `Idempotency-Key`, `Asl-Resource`, `Asl-Execution-Arn`,
/// `Asl-Execution-Name`, `Asl-State-Name`, `Asl-Retry-Count`, `Asl-Task-Token`. A response of another
/// status fails the task, with the error in its body where that is `{"Error": …, "Cause": …}`.
#[derive(Debug)]
pub struct Http {
    server: Arc<Server>,
    places: Arc<Places>,
}

impl Http {
    /// Reads `http://HOST[:PORT][/PATH]`.
    ///
    /// # Errors
    /// It is no such URL.
    pub fn parse(url: &str, external: &ExternalHandlers) -> Result<Self, UrlError> {
        Ok(Self {
            server: Arc::new(Server::parse(url)?),
            places: Arc::clone(&external.places),
        })
    }
}

impl TaskHandler for Http {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let (server, places) = (Arc::clone(&self.server), Arc::clone(&self.places));
        Box::pin(async move {
            let answer = while_awaited(&task, &places, post(&server, &task)).await;
            answer.map(TaskAnswer::Completed)
        })
    }
}

async fn post(server: &Server, task: &Task) -> Result<Value, TaskError> {
    let payload = serde_json::to_vec(task.payload()).or_failed()?;
    let request = server.request(server.path(), task);
    let request = request.body(Full::new(payload.into())).or_failed()?;
    result(&server.shown_url, server.exchange(request).await?)
}

fn result(url: &str, response: Response<Vec<u8>>) -> Result<Value, TaskError> {
    let status = response.status();
    if let Some(error) = function_error(&response) {
        return Err(error);
    }
    let body = response.into_body();
    if status.is_success() {
        return answer::parse(url, body);
    }
    let text = String::from_utf8_lossy(&body);
    Err(answer::parse_error(&text).unwrap_or_else(|| {
        let said = match text.trim().is_empty() {
            true => String::new(),
            false => format!(": {}", answer::quoted(text.trim())),
        };
        TaskError::failed(format!("{url} answered {status}{said}"))
    }))
}

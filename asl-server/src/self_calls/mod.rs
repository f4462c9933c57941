//! Calls of this API by executions.
mod refusal;
mod requested_operation;
mod translation;

use crate::api::{Api, Call};
use crate::arn::Arn;
use crate::names::{new_uuid, uuid};
use crate::operations::{self, StartedBy};
use crate::protocol::ApiError;
use asl_backend::NestedTask;
use asl_engine::runtime::{BoxFuture, PerformResult, Performer, Request, Task};
use asl_engine::{Answer, ProgramTask, StorageRequest, TaskAnswer, TaskError, TaskInvocation};
use requested_operation::{Form, Integration, RequestedOperation};
use serde_json::{Value, json};
use std::sync::{Arc, Weak};
use tokio::sync::watch;

/// The API, after the server has started.
type Connection = Option<Weak<Api>>;

/// The tasks by which executions call the API that they are served by: `arn:aws:states:::states:startExecution` in its
/// forms, and the actions of `arn:aws:states:::aws-sdk:sfn`.
///
/// A backend wants its performer before there is a server for it: tasks that are requested before
/// [`Server::answer_self_calls`](crate::Server::answer_self_calls), or after the server is gone, wait.
///
/// ```
/// use asl_engine::runtime::{Performer, TaskHandlers};
/// use asl_server::SelfCalls;
/// use std::sync::Arc;
///
/// let calls = SelfCalls::new();
/// let performer = calls.performer(Arc::new(TaskHandlers::new()));
/// # fn is_one(_: impl Performer) {}
/// # is_one(performer);
/// ```
#[derive(Debug, Clone)]
pub struct SelfCalls {
    connection: Arc<watch::Sender<Connection>>,
}

impl Default for SelfCalls {
    fn default() -> Self {
        Self::new()
    }
}

impl SelfCalls {
    /// Without a server yet.
    pub fn new() -> Self {
        Self {
            connection: Arc::new(watch::Sender::new(None)),
        }
    }

    /// Returns a performer that calls the server for these tasks, in the account and region of the requesting execution, and
    /// `otherwise` for all others.
    pub fn performer(&self, otherwise: Arc<dyn Performer>) -> impl Performer + use<> {
        SelfPerformer {
            calls: self.clone(),
            otherwise,
        }
    }

    pub(crate) fn connect(&self, api: &Arc<Api>) {
        self.connection.send_replace(Some(Arc::downgrade(api)));
    }

    /// Returns the API. If the server is gone, the caller ends soon too.
    async fn api(&self) -> Arc<Api> {
        let mut connection = self.connection.subscribe();
        let connected = connection.wait_for(Option::is_some).await;
        let api = connected.ok().and_then(|api| api.as_ref()?.upgrade());
        match api {
            Some(api) => api,
            None => std::future::pending().await,
        }
    }
}

struct SelfPerformer {
    calls: SelfCalls,
    otherwise: Arc<dyn Performer>,
}

impl Performer for SelfPerformer {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let task = match request {
            Request::Task(task) => task,
            other => return self.otherwise.perform(other),
        };
        match RequestedOperation::from_resource(task.resource()) {
            Some(asked) => Box::pin(perform(self.calls.clone(), asked, task)),
            None => self.otherwise.perform(Request::Task(task)),
        }
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        RequestedOperation::from_resource(task.resource()).is_some()
            || self.otherwise.can_perform(task)
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        self.otherwise.can_perform_storage(request)
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        self.otherwise.follows(task)
    }

    fn execution_ended(&self, root: asl_engine::runtime::ExecutionId) {
        self.otherwise.execution_ended(root);
    }
}

async fn perform(calls: SelfCalls, asked: RequestedOperation, task: Task) -> PerformResult {
    // The first step runs in the backend itself, which must not wait for its own answers.
    tokio::task::yield_now().await;
    let answer = async {
        let api = calls.api().await;
        answer(&api, &asked, &task).await
    };
    tokio::select! {
        answer = answer => answer.map(Answer::Task),
        // A worker that nobody waits for takes no task of an activity.
        () = task.cancelled() => Err(TaskError::failed("nobody waits for the task")),
    }
}

async fn answer(
    api: &Arc<Api>,
    asked: &RequestedOperation,
    task: &Task,
) -> Result<TaskAnswer, TaskError> {
    let request_id = new_uuid().unwrap_or_default();
    let answered = call(api, asked, task).await;
    let answer =
        answered.map_err(|error| refusal::refusal(&error, asked.integration, &request_id))?;
    let operation = api.constraints.service().operation(&asked.operation);
    let output = operation.and_then(|operation| operation.output());
    let mut shown = match output {
        Some(shape) => translation::answer(shape, &answer, asked.integration),
        None => json!({}),
    };
    if asked.integration == Integration::Optimized {
        add_metadata(&mut shown, &answer, &request_id);
    }
    Ok(match asked.form {
        Form::RequestResponse => TaskAnswer::Completed(shown),
        Form::Nested(_) | Form::Callback => TaskAnswer::Submitted(shown),
    })
}

async fn call(api: &Arc<Api>, asked: &RequestedOperation, task: &Task) -> Result<Value, ApiError> {
    let service = api.constraints.service();
    let operation = service.operation(&asked.operation);
    let Some(operation) = operation else {
        return Err(ApiError::unknown_operation(&asked.operation));
    };
    let request = match operation.input() {
        Some(shape) => translation::request(shape, task.payload()),
        None => json!({}),
    };
    api.constraints.check(operation.name(), &request)?;
    let call = Call {
        operation: operation.name().to_owned(),
        scope: Arn::parse(&task.invocation().identity.execution_arn())?.scope,
        request,
    };
    match operation.name() {
        "StartExecution" => operations::start_by_task(api, call, started_by(asked, task)).await,
        _ => operations::answer(api, call).await,
    }
}

/// A task that is performed again after a crash finds by the name the execution that it started before.
fn started_by(asked: &RequestedOperation, task: &Task) -> StartedBy {
    let key = task.idempotency_key();
    let nested = |form| NestedTask {
        token: task.token().into(),
        form,
    };
    StartedBy {
        name: u128::from_str_radix(&key, 16).map_or(key, |key| uuid(key.to_be_bytes())),
        nested: match asked.form {
            Form::Nested(form) => Some(nested(form)),
            Form::RequestResponse | Form::Callback => None,
        },
    }
}

/// Adds the metadata of the SDK of optimized integrations (recorded).
fn add_metadata(shown: &mut Value, answer: &Value, request_id: &str) {
    let length = answer.to_string().len().to_string();
    let content_type = "application/x-amz-json-1.0";
    shown["SdkHttpMetadata"] = json!({
        "AllHttpHeaders": {
            "Content-Length": [length],
            "Content-Type": [content_type],
            "x-amzn-RequestId": [request_id],
        },
        "HttpHeaders": {
            "Content-Length": length,
            "Content-Type": content_type,
            "x-amzn-RequestId": request_id,
        },
        "HttpStatusCode": 200,
    });
    shown["SdkResponseMetadata"] = json!({ "RequestId": request_id });
}

//! A line of the log for each task that is performed. It names no input, output or cause.
use super::log;
use crate::arguments::ServeLog;
use asl_engine::runtime::{BoxFuture, ExecutionId, PerformResult, Performer, Request, Task};
use asl_engine::{Answer, ProgramTask, StorageRequest, TaskAnswer, TaskInvocation};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A performer whose tasks are logged.
pub(super) struct LoggedTasks {
    pub(super) performer: Arc<dyn Performer>,
    pub(super) how: ServeLog,
}

impl Performer for LoggedTasks {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let performed = match (&request, self.how) {
            (_, ServeLog::Off) | (Request::Storage(_), _) => None,
            (Request::Task(task), _) => Some(PerformedTask::new(task)),
        };
        let (how, started) = (self.how, Instant::now());
        let answered = self.performer.perform(request);
        let Some(performed) = performed else {
            return answered;
        };
        Box::pin(async move {
            let answered = answered.await;
            performed.log(how, &answered, started.elapsed());
            answered
        })
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        self.performer.can_perform(task)
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        self.performer.can_perform_storage(request)
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        self.performer.follows(task)
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.performer.execution_ended(root);
    }
}

/// The names of a task.
struct PerformedTask {
    execution_arn: String,
    state: String,
    /// The function of an invocation, else the resource.
    target: String,
    retry_count: u64,
}

impl PerformedTask {
    fn new(task: &Task) -> Self {
        let resource = task.resource();
        let invokes = resource
            .integration()
            .is_some_and(|it| it.invokes_function());
        let function = task.payload().get("FunctionName").and_then(Value::as_str);
        let target = match function.filter(|_| invokes) {
            Some(function) => format!("{} {function}", resource.uri),
            None => resource.uri.to_string(),
        };
        Self {
            execution_arn: task.execution().identity.execution_arn().to_owned(),
            state: task.state_name().to_owned(),
            target,
            retry_count: task.retry_count(),
        }
    }

    fn log(&self, how: ServeLog, answered: &PerformResult, duration: Duration) {
        let (result, error) = match answered {
            Ok(Answer::Task(TaskAnswer::Submitted(_))) => ("submitted", None),
            Ok(_) => ("succeeded", None),
            Err(error) => ("failed", error.error_output.error.as_deref()),
        };
        let milliseconds = duration.as_secs_f64() * 1_000.0;
        let Self {
            execution_arn,
            state,
            target,
            retry_count,
        } = self;
        match how {
            ServeLog::Off => {}
            ServeLog::Text => {
                let error = error.map(|error| format!(" {error}")).unwrap_or_default();
                let retry = match retry_count {
                    0 => String::new(),
                    count => format!(", retry {count}"),
                };
                log::text_line(&format!(
                    "task of state '{state}' of {execution_arn}: {target} {result}{error}{retry}, {milliseconds:.1} ms"
                ));
            }
            ServeLog::Json => log::json_line(
                json!({"time": null, "event": "task", "executionArn": execution_arn, "state": state, "target": target,
                "retryCount": retry_count, "result": result, "error": error, "durationMs": (milliseconds * 1e3).round() / 1e3}),
            ),
        }
    }
}

//! What is answered to a task, and what the core is told of it.
//!
//! Recorded histories of `.sync` and `.waitForTaskToken` tasks show TaskSubmitted before TaskSucceeded, TaskFailed and
//! TaskTimedOut alike: the service took the request, and the job failed later. Only a request that the service itself
//! refused shows no TaskSubmitted; its error bears the service's name (`Sqs.QueueDoesNotExistException`).
use crate::{EffectId, Input, Integration, IntegrationPattern, Resource, ResourceKind};
use serde_json::{Map, Value};
use std::fmt;

/// What a handler answers.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskAnswer {
    /// The task is done, with this result; one of `.sync` or `.waitForTaskToken` too, which then waits for no token.
    Completed(Value),
    /// The task was handed on, with this first answer. Its result comes later, by the task's token, through
    /// [`send_task_success`](crate::runtime::RuntimeHandle::send_task_success) or
    /// [`send_task_failure`](crate::runtime::RuntimeHandle::send_task_failure): the way of `.waitForTaskToken` and `.sync`.
    Submitted(Value),
}

impl From<Value> for TaskAnswer {
    fn from(output: Value) -> Self {
        Self::Completed(output)
    }
}

/// Why a task failed: an Error Name and a cause.
///
/// Every `std::error::Error` becomes one by `?`: States.TaskFailed, with the error and its sources as the cause.
///
/// ```
/// use asl_engine::runtime::TaskError;
///
/// fn parse(text: &str) -> Result<u32, TaskError> {
///     Ok(text.parse::<u32>()?)
/// }
/// assert_eq!(parse("x").unwrap_err().to_string(), "States.TaskFailed: invalid digit found in string");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskError {
    /// The Error Name, which Retry and Catch go by.
    pub error: Option<String>,
    /// For people.
    pub cause: Option<String>,
    /// Whether the execution is to end by it.
    pub(crate) fatal: bool,
}

/// The Error Name of a failure that has no better one (specification, Error Names).
pub(crate) const TASK_FAILED: &str = "States.TaskFailed";

impl TaskError {
    /// With an Error Name and a cause.
    pub fn new(error: impl Into<String>, cause: impl Into<String>) -> Self {
        Self {
            error: Some(error.into()),
            cause: Some(cause.into()),
            fatal: false,
        }
    }

    /// States.TaskFailed, with a cause.
    pub fn failed(cause: impl Into<String>) -> Self {
        Self::new(TASK_FAILED, cause)
    }

    /// With an Error Name alone.
    pub fn without_cause(error: impl Into<String>) -> Self {
        Self {
            error: Some(error.into()),
            cause: None,
            fatal: false,
        }
    }

    /// Fails the whole execution (with its parents): no Retry and no Catch sees it, the outcome is
    /// [`Failed`](crate::Outcome::Failed) with this error and cause.
    #[must_use]
    pub fn failing_the_execution(mut self) -> Self {
        self.fatal = true;
        self
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.error.as_deref().unwrap_or(TASK_FAILED))?;
        match &self.cause {
            Some(cause) => write!(f, ": {cause}"),
            None => Ok(()),
        }
    }
}

impl<E: std::error::Error> From<E> for TaskError {
    fn from(error: E) -> Self {
        let mut cause = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            cause = format!("{cause}: {inner}");
            source = inner.source();
        }
        Self::failed(cause)
    }
}

/// What the core is to be told, in order.
pub(crate) type Inputs = [Option<Input>; 2];

/// How a handler took up a task, where the core wants to know.
pub(crate) fn started(resource: &Resource, id: EffectId) -> Option<Input> {
    matches!(resource.kind, ResourceKind::Activity).then_some(Input::TaskStarted {
        id,
        worker_name: None,
    })
}

/// The inputs of an answer. `submitted`: the core knows already that the request was taken.
pub(crate) fn inputs(
    resource: &Resource,
    submitted: bool,
    id: EffectId,
    answer: Result<TaskAnswer, TaskError>,
) -> Inputs {
    let integration = answers_later(resource);
    let first = |output| (!submitted && integration.is_some()).then_some(submission(id, output));
    match answer {
        Ok(TaskAnswer::Submitted(output)) => [first(output), None],
        Ok(TaskAnswer::Completed(output)) => [
            first(Value::Object(Map::new())),
            Some(Input::TaskSucceeded {
                id,
                output: output.into(),
            }),
        ],
        Err(TaskError { error, cause, .. }) => {
            let refused = integration.is_some_and(|it| is_refusal(it, error.as_deref()));
            let submission = if refused {
                None
            } else {
                first(Value::Object(Map::new()))
            };
            [submission, Some(Input::TaskFailed { id, error, cause })]
        }
    }
}

fn submission(id: EffectId, output: Value) -> Input {
    Input::TaskSubmitted {
        id,
        output: output.into(),
    }
}

/// The integration, where its result comes after the service's first answer.
pub(crate) fn answers_later(resource: &Resource) -> Option<&Integration> {
    let integration = resource.integration();
    integration.filter(|it| it.pattern != IntegrationPattern::RequestResponse)
}

/// Whether an error bears the name of the service that was asked.
fn is_refusal(integration: &Integration, error: Option<&str>) -> bool {
    let Some((service, _)) = error.and_then(|error| error.split_once('.')) else {
        return false;
    };
    let asked = integration.service.as_str();
    let asked = asked.strip_prefix("aws-sdk:").unwrap_or(asked);
    match asked {
        // Errors named States.… are of the job, or of the language.
        "states" | "sfn" => ["StepFunctions", "Sfn"]
            .iter()
            .any(|name| name.eq_ignore_ascii_case(service)),
        _ => asked.eq_ignore_ascii_case(service),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ID: EffectId = EffectId(7);

    fn told(uri: &str, submitted: bool, answer: Result<TaskAnswer, TaskError>) -> Vec<Input> {
        let inputs = inputs(&Resource::parse(uri), submitted, ID, answer);
        inputs.into_iter().flatten().collect()
    }
    fn submitted() -> Input {
        submission(ID, json!({}))
    }
    fn succeeded(output: Value) -> Input {
        Input::TaskSucceeded {
            id: ID,
            output: output.into(),
        }
    }
    fn failed(error: &str) -> Input {
        Input::TaskFailed {
            id: ID,
            error: Some(error.to_owned()),
            cause: None,
        }
    }

    #[test]
    fn a_request_and_response_has_one_answer() {
        let uri = "arn:aws:states:::sqs:sendMessage";
        assert_eq!(told(uri, false, Ok(json!(1).into())), [succeeded(json!(1))]);
        let error = TaskError::without_cause("Sqs.X");
        assert_eq!(told(uri, false, Err(error)), [failed("Sqs.X")]);
    }

    #[test]
    fn a_job_is_submitted_before_it_ends() {
        for uri in [
            "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
            "arn:aws:states:::ecs:runTask.sync",
        ] {
            assert_eq!(
                told(uri, false, Ok(json!(1).into())),
                [submitted(), succeeded(json!(1))]
            );
            assert_eq!(told(uri, true, Ok(json!(1).into())), [succeeded(json!(1))]);
            let error = TaskError::without_cause("States.Timeout");
            assert_eq!(
                told(uri, false, Err(error)),
                [submitted(), failed("States.Timeout")]
            );
            let first = Ok(TaskAnswer::Submitted(json!({"MessageId": "m"})));
            assert_eq!(
                told(uri, false, first),
                [submission(ID, json!({"MessageId": "m"}))]
            );
        }
    }

    #[test]
    fn a_refused_request_was_never_submitted() {
        let refused =
            |uri, error: &str| told(uri, false, Err(TaskError::without_cause(error))).len() == 1;
        let sqs = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";
        assert!(refused(sqs, "Sqs.QueueDoesNotExistException"));
        assert!(refused(sqs, "SQS.AmazonSQSException"));
        assert!(!refused(sqs, "Failure error"));
        let execution = "arn:aws:states:::states:startExecution.sync:2";
        assert!(refused(
            execution,
            "StepFunctions.ExecutionAlreadyExistsException"
        ));
        assert!(!refused(execution, "States.TaskFailed"));
    }

    #[test]
    fn only_an_activity_is_started_by_a_worker() {
        let activity = Resource::parse("arn:aws:states:us-east-1:123456789012:activity:a");
        assert_eq!(
            started(&activity, ID),
            Some(Input::TaskStarted {
                id: ID,
                worker_name: None
            })
        );
        let lambda = Resource::parse("arn:aws:lambda:us-east-1:123456789012:function:f");
        assert_eq!(started(&lambda, ID), None);
    }

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] std::num::ParseIntError);

    #[test]
    fn an_error_becomes_a_failure_with_all_its_sources() {
        let error = TaskError::from(Outer("x".parse::<i32>().unwrap_err()));
        assert_eq!(
            error,
            TaskError::new(TASK_FAILED, "outer: invalid digit found in string")
        );
    }
}

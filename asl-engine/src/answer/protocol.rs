//! The protocol of an effect up to its result, and the inputs for the core.
//!
//! Recorded histories of `.sync` and `.waitForTaskToken` tasks show TaskSubmitted before TaskSucceeded, TaskFailed and
//! TaskTimedOut alike: the service took the request, and the job failed later. Only a request that the service itself
//! refused shows no TaskSubmitted; its error bears the service's name (`Sqs.QueueDoesNotExistException`).
use super::{Answer, TaskAnswer, TaskError};
use crate::error_output::ErrorOutput;
use crate::{
    Effect, EffectId, Input, Integration, IntegrationPattern, PendingEffect, Resource,
    ResourceKind, TaskProgress,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Inputs for an execution, in order.
type Inputs = [Option<Input>; 2];

/// A host follows each effect through these steps: requested, started or submitted at most once, completed. Each step
/// returns the inputs for the execution.
impl PendingEffect {
    /// An effect that was just requested.
    pub fn new(effect: Effect) -> Self {
        Self {
            effect,
            progress: TaskProgress::Asked,
        }
    }

    /// Records that a performer started the work: an activity's task counts as started by a worker.
    pub fn record_start(&mut self) -> Option<Input> {
        match &self.effect {
            Effect::Task(task) if matches!(task.resource.kind, ResourceKind::Activity) => {
                self.progress = TaskProgress::Started;
                Some(Input::TaskStarted {
                    id: task.id,
                    worker_name: None,
                })
            }
            _ => None,
        }
    }

    /// Records that the task was submitted, with this first result. Returns nothing if it was submitted before, or if its
    /// integration has only one result.
    pub fn record_submission(&mut self, output: Value) -> Option<Input> {
        let later =
            matches!(&self.effect, Effect::Task(task) if answers_later(&task.resource).is_some());
        if !later || matches!(self.progress, TaskProgress::Submitted(_)) {
            return None;
        }
        let output = Arc::new(output);
        self.progress = TaskProgress::Submitted(Arc::clone(&output));
        let id = self.effect.id();
        Some(Input::TaskSubmitted { id, output })
    }

    /// Records the final result; [`TaskAnswer::Submitted`] is not final. Returns nothing for a child execution.
    pub fn record_answer(
        &mut self,
        answer: Result<Answer, TaskError>,
    ) -> impl Iterator<Item = Input> + use<> {
        let inputs = match &self.effect {
            Effect::Task(_) => self.task_answered(answer),
            Effect::Storage(request) => [Some(storage_answered(request.id, answer)), None],
            Effect::Child(_) => [None, None],
        };
        inputs.into_iter().flatten()
    }

    fn task_answered(&mut self, answer: Result<Answer, TaskError>) -> Inputs {
        let id = self.effect.id();
        match answer {
            Ok(Answer::Task(TaskAnswer::Submitted(output))) => {
                [self.record_submission(output), None]
            }
            Ok(Answer::Task(TaskAnswer::Completed(output))) => [
                self.record_submission(Value::Object(Map::new())),
                Some(Input::TaskSucceeded {
                    id,
                    output: output.into(),
                }),
            ],
            Ok(Answer::Storage(_)) => {
                let cause = "the task was answered with what an object store gave";
                self.task_answered(Err(TaskError::failed(cause)))
            }
            Err(TaskError { error_output, .. }) => {
                let submission = match self.is_refusal(error_output.error.as_deref()) {
                    true => None,
                    false => self.record_submission(Value::Object(Map::new())),
                };
                [submission, Some(Input::TaskFailed { id, error_output })]
            }
        }
    }

    /// Returns true if an error bears the name of the service that was asked.
    fn is_refusal(&self, error: Option<&str>) -> bool {
        let Effect::Task(task) = &self.effect else {
            return false;
        };
        answers_later(&task.resource).is_some_and(|it| bears_name_of(it, error))
    }
}

fn storage_answered(id: EffectId, answer: Result<Answer, TaskError>) -> Input {
    match answer {
        Ok(Answer::Storage(result)) => Input::StorageSucceeded { id, result },
        Ok(Answer::Task(_)) => Input::StorageFailed {
            id,
            cause: "what an object store was asked for was answered as a task".to_owned(),
        },
        Err(error) => Input::StorageFailed {
            id,
            cause: {
                let ErrorOutput { error, cause } = error.error_output;
                cause.or(error).unwrap_or_default()
            },
        },
    }
}

/// Returns the integration, where its result comes after the service's first answer.
fn answers_later(resource: &Resource) -> Option<&Integration> {
    let integration = resource.integration();
    integration.filter(|it| it.pattern != IntegrationPattern::RequestResponse)
}

fn bears_name_of(integration: &Integration, error: Option<&str>) -> bool {
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
    use crate::{StorageOperation, StorageRequest, StorageResult, TaskInvocation};

    use serde_json::json;

    const ID: EffectId = EffectId(7);

    fn pending_effect(uri: &str) -> PendingEffect {
        let mut invocation = TaskInvocation::new("T", Resource::parse(uri), Value::Null);
        invocation.id = ID;
        PendingEffect::new(Effect::Task(Arc::new(invocation)))
    }

    fn inputs_of(
        uri: &str,
        was_submitted: bool,
        answer: Result<TaskAnswer, TaskError>,
    ) -> Vec<Input> {
        let mut pending = pending_effect(uri);
        if was_submitted {
            assert!(pending.record_submission(json!({})).is_some());
        }
        pending.record_answer(answer.map(Answer::Task)).collect()
    }

    fn submission(output: Value) -> Input {
        let output = output.into();
        Input::TaskSubmitted { id: ID, output }
    }

    fn submitted() -> Input {
        submission(json!({}))
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
            error_output: ErrorOutput::without_cause(error),
        }
    }

    #[test]
    fn a_request_and_response_has_one_answer() {
        let uri = "arn:aws:states:::sqs:sendMessage";
        assert_eq!(
            inputs_of(uri, false, Ok(json!(1).into())),
            [succeeded(json!(1))]
        );
        let error = TaskError::without_cause("Sqs.X");
        assert_eq!(inputs_of(uri, false, Err(error)), [failed("Sqs.X")]);
    }

    #[test]
    fn a_job_is_submitted_before_it_ends() {
        for uri in [
            "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
            "arn:aws:states:::ecs:runTask.sync",
        ] {
            assert_eq!(
                inputs_of(uri, false, Ok(json!(1).into())),
                [submitted(), succeeded(json!(1))]
            );
            assert_eq!(
                inputs_of(uri, true, Ok(json!(1).into())),
                [succeeded(json!(1))]
            );
            let error = TaskError::without_cause("States.Timeout");
            assert_eq!(
                inputs_of(uri, false, Err(error)),
                [submitted(), failed("States.Timeout")]
            );
            let first = Ok(TaskAnswer::Submitted(json!({"MessageId": "m"})));
            assert_eq!(
                inputs_of(uri, false, first),
                [submission(json!({"MessageId": "m"}))]
            );
        }
    }

    #[test]
    fn a_refused_request_was_never_submitted() {
        let refused = |uri, error: &str| {
            inputs_of(uri, false, Err(TaskError::without_cause(error))).len() == 1
        };
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
    fn a_first_answer_is_told_once_and_only_of_what_has_two() {
        let mut job = pending_effect("arn:aws:states:::ecs:runTask.sync");
        assert_eq!(job.record_submission(json!(1)), Some(submission(json!(1))));
        assert_eq!(job.record_submission(json!(2)), None);
        let lambda = "arn:aws:lambda:us-east-1:123456789012:function:f";
        assert_eq!(pending_effect(lambda).record_submission(json!(1)), None);
    }

    #[test]
    fn only_an_activity_is_started_by_a_worker() {
        let mut activity = pending_effect("arn:aws:states:us-east-1:123456789012:activity:a");
        let started = Input::TaskStarted {
            id: ID,
            worker_name: None,
        };
        assert_eq!(activity.record_start(), Some(started));
        assert_eq!(activity.progress, TaskProgress::Started);
        let mut lambda = pending_effect("arn:aws:lambda:us-east-1:123456789012:function:f");
        assert_eq!(lambda.record_start(), None);
    }

    #[test]
    fn an_answer_of_the_wrong_kind_is_a_failure() {
        let lambda = "arn:aws:lambda:us-east-1:123456789012:function:f";
        let told: Vec<Input> = pending_effect(lambda)
            .record_answer(Ok(StorageResult::Written.into()))
            .collect();
        assert!(
            matches!(&told[..], [Input::TaskFailed { error_output: ErrorOutput { cause: Some(cause), .. }, .. }] if cause.contains("object store")),
            "{told:?}"
        );
        let request = Box::new(StorageRequest {
            id: ID,
            bucket: "b".to_owned(),
            operation: StorageOperation::ListObjects {
                prefix: None,
                max_items: None,
            },
        });
        for (answer, cause) in [
            (Ok(TaskAnswer::Completed(json!(1)).into()), "as a task"),
            (Err(TaskError::failed("no bucket")), "no bucket"),
        ] {
            let mut asked = PendingEffect::new(Effect::Storage(request.clone()));
            let told: Vec<Input> = asked.record_answer(answer).collect();
            assert!(
                matches!(&told[..], [Input::StorageFailed { cause: found, .. }] if found.contains(cause)),
                "{told:?}"
            );
        }
    }
}

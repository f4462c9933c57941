//! Jobs that a performer submits and follows: they outlive the process.
mod common;

use asl_backend::{Backend as _, ExecutionStatus};
use asl_engine::runtime::{BoxFuture, Task, TaskAnswer, TaskHandler};
use asl_engine::{ErrorOutput, TaskError, TaskInvocation};
use asl_store::Store;
use common::*;
use serde_json::{Value, json};
use std::future::ready;
use tokio::sync::{mpsc, watch};

/// A request to a performer.
#[derive(Debug, PartialEq)]
enum JobRequest {
    Submission,
    /// With the answer to the submission.
    End(Value),
    Stop,
}

/// Follows its jobs until they are over.
struct Jobs {
    asked: mpsc::UnboundedSender<JobRequest>,
    are_over: watch::Receiver<bool>,
}

impl TaskHandler for Jobs {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let Some(submission) = task.submission().cloned() else {
            self.asked.send(JobRequest::Submission).unwrap();
            return Box::pin(ready(Ok(TaskAnswer::Submitted(json!({"JobId": "j"})))));
        };
        self.asked.send(JobRequest::End(submission)).unwrap();
        let (asked, mut are_over) = (self.asked.clone(), self.are_over.clone());
        Box::pin(async move {
            tokio::select! {
                over = are_over.wait_for(|over| *over) => {
                    over.map_err(|gone| TaskError::failed(gone.to_string()))?;
                    Ok(TaskAnswer::Completed(json!({"Status": "SUCCEEDED"})))
                }
                () = task.cancelled() => {
                    asked.send(JobRequest::Stop).unwrap();
                    Err(TaskError::failed("stopped"))
                }
            }
        })
    }

    fn follows(&self, _task: &TaskInvocation) -> bool {
        true
    }
}

fn job() -> Value {
    json!({"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "arn:aws:states:::batch:submitJob.sync", "End": true}}})
}

fn jobs() -> (
    Jobs,
    mpsc::UnboundedReceiver<JobRequest>,
    watch::Sender<bool>,
) {
    let (asked, receiver) = mpsc::unbounded_channel();
    let (over, are_over) = watch::channel(false);
    (Jobs { asked, are_over }, receiver, over)
}

fn followed() -> JobRequest {
    JobRequest::End(json!({"JobId": "j"}))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_followed_again_after_a_restart_and_not_submitted_again() {
    let folder = Folder::new();
    let (handler, mut asked, _over) = jobs();
    let store = Store::open(&folder.0, options(handler)).unwrap();
    let started = start(&store, &job(), "e", "{}").await.unwrap();
    assert_eq!(asked.recv().await, Some(JobRequest::Submission));
    assert_eq!(asked.recv().await, Some(followed()));
    drop(store);
    assert_eq!(asked.try_recv().ok(), None, "the job goes on");

    let (handler, mut asked, over) = jobs();
    let store = Store::open(&folder.0, options(handler)).unwrap();
    assert_eq!(asked.recv().await, Some(followed()));
    over.send(true).unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded);
    assert_eq!(end.output.as_deref(), Some(r#"{"Status":"SUCCEEDED"}"#));
    let types = event_types(&store, &started.arn).await;
    let of_task = types.iter().filter(|it| it.starts_with("Task")).cloned();
    let expected = [
        "TaskStateEntered",
        "TaskScheduled",
        "TaskStarted",
        "TaskSubmitted",
        "TaskSucceeded",
        "TaskStateExited",
    ];
    assert_eq!(of_task.collect::<Vec<_>>(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_cancelled_with_its_execution() {
    let (handler, mut asked, _over) = jobs();
    let store = Store::in_memory(options(handler)).unwrap();
    let started = start(&store, &job(), "e", "{}").await.unwrap();
    assert_eq!(asked.recv().await, Some(JobRequest::Submission));
    assert_eq!(asked.recv().await, Some(followed()));
    let stopped = store.stop(started.arn, ErrorOutput::default()).await;
    stopped.unwrap();
    assert_eq!(asked.recv().await, Some(JobRequest::Stop));
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_are_followed_do_not_keep_other_tasks_waiting() {
    let (handler, mut asked, _over) = jobs();
    let mut options = options(handler);
    options.max_performing = 1;
    let store = Store::in_memory(options).unwrap();
    for name in ["a", "b", "c"] {
        start(&store, &job(), name, "{}").await.unwrap();
        assert_eq!(asked.recv().await, Some(JobRequest::Submission));
        assert_eq!(asked.recv().await, Some(followed()));
    }
}

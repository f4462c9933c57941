//! Following a job to its end.
use super::{JobKind, request};
use crate::aws::ServiceCalls;
use crate::external::out_of_time;
use asl_aws::{CallError, CallFailure};
use asl_engine::runtime::Task;
use asl_engine::{TaskAnswer, TaskError};
use serde_json::Value;
use std::pin::pin;
use std::time::Duration;

/// Pauses between two reports: the first, and the longest. Each is half as long again as the one before.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// Time to stop a job, and to learn of one that is being submitted.
const STOPPING: Duration = Duration::from_secs(10);
/// Reports in a row that do not have the job.
const MISSING_REPORTS: u32 = 10;

/// Waits until a job is submitted. Where the task is over meanwhile, the job is stopped.
pub(in crate::aws) async fn submitted(
    kind: &JobKind,
    calls: &ServiceCalls<'_>,
    submitting: impl Future<Output = Result<Value, TaskError>>,
) -> Result<TaskAnswer, TaskError> {
    let mut submitting = pin!(submitting);
    let over = tokio::select! {
        submission = &mut submitting => return submission.map(TaskAnswer::Submitted),
        over = task_over(calls.task) => over,
    };
    if let Ok(Ok(submission)) = tokio::time::timeout(STOPPING, submitting).await {
        stop(kind, calls, &submission).await;
    }
    Err(over)
}

/// Follows a job to its end. Where the task is over before, the job is stopped.
pub(in crate::aws) async fn follow(
    kind: &JobKind,
    calls: &ServiceCalls<'_>,
    submission: &Value,
) -> Result<TaskAnswer, TaskError> {
    let over = tokio::select! {
        result = ended(kind, calls, submission) => return result.map(TaskAnswer::Completed),
        over = task_over(calls.task) => over,
    };
    stop(kind, calls, submission).await;
    Err(over)
}

/// Ready when the result of a task is not needed any more, or it has had its time.
async fn task_over(task: &Task) -> TaskError {
    tokio::select! {
        error = out_of_time(task) => error,
        () = task.cancelled() => TaskError::failed("the result is no longer needed"),
    }
}

/// Waits for the end of a job.
async fn ended(
    kind: &JobKind,
    calls: &ServiceCalls<'_>,
    submission: &Value,
) -> Result<Value, TaskError> {
    let operation = kind.polled();
    let operation =
        operation.ok_or_else(|| TaskError::failed("expected the operation of a job"))?;
    let parameters = request(kind.asked_by, calls.task.payload(), submission);
    let mut missing = 0;
    let mut pause = FIRST_PAUSE;
    loop {
        // A virtual clock must not jump to the end of what takes its time elsewhere.
        tokio::time::sleep(pause).await;
        pause = LONGEST_PAUSE.min(pause * 3 / 2);
        let report = match calls.call(operation, &parameters).await? {
            Ok(answer) => answer.result,
            Err(failure) if is_passing(&failure) => continue,
            Err(failure) => return Err(calls.error(operation, &failure)),
        };
        match kind.has_succeeded(&report) {
            Some(true) => return Ok(kind.result(&report, submission)),
            Some(false) => {
                let result = kind.result(&report, submission);
                return Err(TaskError::failed(result.to_string()));
            }
            None if report.pointer(kind.status).is_some() => missing = 0,
            None if missing < MISSING_REPORTS => missing += 1,
            None => {
                let cause = format!("{operation} does not report the job: {report}");
                return Err(TaskError::failed(cause));
            }
        }
    }
}

/// Returns true if the next call may succeed: the job itself continues.
fn is_passing(failure: &CallFailure) -> bool {
    match failure {
        CallFailure::Connection(_) => true,
        CallFailure::Answered(CallError::Service(error)) => {
            let is_throttled = ["Throttl", "TooManyRequests", "LimitExceeded"]
                .iter()
                .any(|part| error.code.contains(part));
            error.status >= 500 || error.status == 429 || is_throttled
        }
        _ => false,
    }
}

/// Asks the service to stop a job. The task is over: a failure has no effect.
async fn stop(kind: &JobKind, calls: &ServiceCalls<'_>, submission: &Value) {
    let Some((operation, members)) = kind.stopped_by else {
        return;
    };
    let parameters = request(members, calls.task.payload(), submission);
    let _ = tokio::time::timeout(STOPPING, calls.call(operation, &parameters)).await;
}

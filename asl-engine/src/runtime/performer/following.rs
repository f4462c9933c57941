//! Jobs that a performer submits and then follows (`.sync`).
use super::{BoxFuture, PerformResult, Performer, Request, Task};
use crate::{Answer, IntegrationPattern, TaskAnswer, TaskInvocation};
use std::future::ready;
use std::sync::Arc;

/// Returns the task of a request, if it is a job that is yet to be submitted, and that the performer follows then.
///
/// A host asks before it has the request performed, and gives the result to [`follow`]. The two steps are apart because a
/// job takes longer than a request: it should not hold a place that limits how many requests are performed at a time.
pub fn followed_task(performer: &dyn Performer, request: &Request) -> Option<Task> {
    match request {
        Request::Task(task) if !is_submitted(request) => {
            follows(performer, task.invocation()).then(|| task.clone())
        }
        _ => None,
    }
}

/// Returns true if a request is a job that was submitted, and that is only to be followed.
pub fn is_submitted(request: &Request) -> bool {
    matches!(request, Request::Task(task) if task.submission().is_some())
}

/// Returns true if a task is a job that a performer follows.
pub fn follows(performer: &dyn Performer, task: &TaskInvocation) -> bool {
    let integration = task.resource.integration();
    integration.is_some_and(|it| it.pattern == IntegrationPattern::Sync) && performer.follows(task)
}

/// Has a job followed to its end, if `first` says that it was submitted. The host gets the submission before.
pub fn follow(
    performer: &dyn Performer,
    task: Task,
    first: PerformResult,
) -> BoxFuture<'static, PerformResult> {
    match first {
        Ok(Answer::Task(TaskAnswer::Submitted(output))) => {
            task.submit(output.clone());
            performer.perform(task.with_submission(Arc::new(output)).into())
        }
        other => Box::pin(ready(other)),
    }
}

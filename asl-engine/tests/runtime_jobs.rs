//! Jobs that a performer submits, and then follows.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{BoxFuture, Runtime, Task, TaskAnswer, TaskHandler, TaskHandlers};
use asl_engine::{MacTokens, TaskError, TaskInvocation};
use futures::FutureExt as _;
use runtime_support::*;
use serde_json::{Value, json};
use std::future::{pending, ready};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Submits jobs, and keeps the submissions that it follows.
struct Jobs {
    submissions: Arc<AtomicUsize>,
    /// False where a job never ends.
    end: bool,
    followed: Arc<Mutex<Vec<Value>>>,
}

impl TaskHandler for Jobs {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let Some(submission) = task.submission() else {
            let number = self.submissions.fetch_add(1, Ordering::Relaxed);
            return ready(Ok(TaskAnswer::Submitted(json!({"job": number})))).boxed();
        };
        self.followed.lock().unwrap().push(submission.clone());
        match self.end {
            true => ready(Ok(TaskAnswer::Completed(json!("done")))).boxed(),
            false => pending().boxed(),
        }
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        task.resource.uri.contains("ecs")
    }
}

fn jobs(end: bool) -> (Jobs, Arc<AtomicUsize>, Arc<Mutex<Vec<Value>>>) {
    let (submissions, followed) = (Arc::default(), Arc::default());
    let jobs = Jobs {
        submissions: Arc::clone(&submissions),
        end,
        followed: Arc::clone(&followed),
    };
    (jobs, submissions, followed)
}

#[tokio::test]
async fn a_job_is_followed_once_it_is_submitted() {
    for clock in [virtual_time(), Runtime::builder()] {
        let (jobs, submissions, followed) = jobs(true);
        let runtime = clock.handlers(jobs).build();
        let program = task("arn:aws:states:::ecs:runTask.sync", json!({}));
        let outcome = runtime.run(program, start(json!({}))).await;
        assert_eq!(outcome, succeeded(json!("done")));
        assert_eq!(submissions.load(Ordering::Relaxed), 1);
        assert_eq!(*followed.lock().unwrap(), [json!({"job": 0})]);
    }
}

fn tokens() -> MacTokens {
    MacTokens::new("k", b"one key for both runtimes")
}

#[tokio::test]
async fn a_restored_execution_has_its_job_followed_and_not_submitted_again() {
    let (first, submissions, followed) = jobs(false);
    let runtime = Runtime::builder().tokens(tokens()).handlers(first).build();
    let program = task("arn:aws:states:::ecs:runTask.sync", json!({}));
    let handle = runtime
        .start_execution(Arc::clone(&program), start(json!({})))
        .await;
    while followed.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let saved = handle.save().await.unwrap();
    drop(runtime);
    assert_eq!(submissions.load(Ordering::Relaxed), 1);

    let (second, submissions, followed) = jobs(true);
    let runtime = Runtime::builder().tokens(tokens()).handlers(second).build();
    let resumed = runtime.resume(saved, program).await.unwrap();
    assert_eq!(end_of(resumed).await, succeeded(json!("done")));
    assert_eq!(submissions.load(Ordering::Relaxed), 0);
    assert_eq!(*followed.lock().unwrap(), [json!({"job": 0})]);
}

#[tokio::test]
async fn a_restored_job_holds_no_place_of_other_tasks() {
    let (first, _, followed) = jobs(false);
    let runtime = Runtime::builder().tokens(tokens()).handlers(first).build();
    let program = task("arn:aws:states:::ecs:runTask.sync", json!({}));
    let handle = runtime
        .start_execution(Arc::clone(&program), start(json!({})))
        .await;
    while followed.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let saved = handle.save().await.unwrap();
    drop(runtime);

    let (second, _, followed) = jobs(false);
    let handlers = TaskHandlers::new().on_value("other", |input| async { Ok(input) });
    let runtime = Runtime::builder()
        .tokens(tokens())
        .max_tasks(NonZeroUsize::MIN)
        .handlers(handlers.otherwise(second))
        .build();
    let _resumed = runtime.resume(saved, program).await.unwrap();
    while followed.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let other = runtime.run(task("other", json!({})), runtime.unnamed(json!(7)));
    let outcome = tokio::time::timeout(Duration::from_secs(20), other).await;
    assert_eq!(outcome.expect("it has a place"), succeeded(json!(7)));
}

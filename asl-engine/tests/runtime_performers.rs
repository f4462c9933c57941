//! Performers: the first answer and the last, tasks and object stores alike.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{
    HistoryRecorder, PerformResult, Performer, Request, Runtime, Task, TaskAnswer, TaskHandlers,
};
use asl_engine::{EventDetails, StorageResult};
use futures::future::BoxFuture;
use runtime_support::*;
use serde_json::json;
use std::sync::Arc;

#[tokio::test]
async fn a_first_answer_is_told_while_the_task_goes_on_and_once() {
    for resource in [
        "arn:aws:states:::ecs:runTask.sync",
        "arn:aws:states:::lambda:invoke.waitForTaskToken",
    ] {
        for clock in [virtual_time(), Runtime::builder()] {
            let recorder = Arc::new(HistoryRecorder::default());
            let job = |task: Task| async move {
                task.submit(json!({"job": 1}));
                task.submit(json!({"job": 2}));
                tokio::task::yield_now().await;
                task.submit(json!({"job": 3}));
                Ok(json!("done"))
            };
            let handlers = TaskHandlers::new()
                .on_task("F", job)
                .on_task("arn:aws:states:::ecs:*", job);
            let runtime = clock
                .handlers(handlers)
                .observer(Arc::clone(&recorder))
                .build();
            let fields = json!({"Parameters": {"FunctionName": "F", "Token.$": "$$.Task.Token"}});
            let program = task(resource, fields);
            let mut handle = runtime.start_execution(program, start(json!({}))).await;
            assert_eq!(handle.outcome().await, succeeded(json!("done")));
            let submitted: Vec<_> = recorder
                .take(handle.id())
                .into_iter()
                .filter_map(|event| match event.details {
                    EventDetails::TaskSubmitted { output, .. } => output,
                    _ => None,
                })
                .collect();
            let first = match resource.contains("lambda") {
                true => {
                    json!({"ExecutedVersion": "$LATEST", "Payload": {"job": 1}, "StatusCode": 200})
                }
                false => json!({"job": 1}),
            };
            assert_eq!(submitted, [Arc::new(first)]);
        }
    }
}

/// Performs both tasks and requests to object stores, as hosts will have it.
struct Everything;

impl Performer for Everything {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let answer = match request {
            Request::Task(task) => TaskAnswer::Completed(task.payload().clone()).into(),
            Request::Storage(task) => {
                assert_eq!(task.request().bucket, "b");
                StorageResult::Object(b"[1, 2, 3]".to_vec()).into()
            }
        };
        Box::pin(std::future::ready(Ok(answer)))
    }
}

#[tokio::test]
async fn one_performer_does_tasks_and_what_concerns_object_stores() {
    let runtime = virtual_time().handlers(Everything).build();
    let map = program(json!({"StartAt": "M", "States": {"M": {
        "Type": "Map", "End": true,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket": "b", "Key": "k"}},
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "T", "States": {"T": {"Type": "Task", "Resource": FUNCTION, "End": true}}},
    }}}));
    assert_eq!(
        runtime.run(map, start(json!({}))).await,
        succeeded(json!([1, 2, 3]))
    );
}

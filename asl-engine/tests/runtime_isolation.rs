//! A handler that blocks, is slow or is one of many does no harm to other executions.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{Runtime, RuntimeBuilder, Task, TaskError, TaskHandlers};
use asl_engine::{Outcome, Start};
use runtime_support::*;
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

fn named(name: &str, input: Value) -> Start {
    Start::new(name, input, Default::default())
}

/// A handler that blocks its thread until it is released, after a sign of life.
fn blocking() -> (
    mpsc::Sender<()>,
    impl Fn(Task) -> std::future::Ready<Result<Value, TaskError>> + Send + Sync,
) {
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let block = move |task: Task| {
        // The event loop is woken by the thread that is blocked then.
        task.heartbeat();
        let released = released.lock().expect("no panic");
        // A test that failed has dropped the other end.
        let _ = released.recv();
        std::future::ready(Ok(json!("released")))
    };
    (release, block)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_handler_that_blocks_all_threads_delays_no_execution_without_tasks() {
    let (release, block) = blocking();
    let handlers = TaskHandlers::new().on_task("block", block);
    let one = NonZeroUsize::MIN;
    let runtime = Runtime::builder()
        .handlers(handlers)
        .event_loops(one)
        .build();
    let blocked = task("block", json!({}));
    let mut blocked = runtime
        .start_execution(blocked, named("blocked", json!({})))
        .await;
    let waits =
        json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 1, "End": true}}});
    let waited = runtime.run(program(waits), named("waits", json!(1)));
    assert_eq!(waited.await, succeeded(json!(1)));
    release.send(()).expect("it waits");
    assert_eq!(blocked.outcome().await, succeeded(json!("released")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_timeout_counts_from_the_moment_at_which_the_handler_has_the_task() {
    let (release, block) = blocking();
    let handlers = TaskHandlers::new()
        .on_task("block", block)
        .on_value("quick", |input| async move { Ok(input) })
        .on_value("hang", |_| std::future::pending());
    let runtime = Runtime::builder().handlers(handlers).build();
    let blocked = runtime
        .start_execution(task("block", json!({})), named("blocked", json!({})))
        .await;
    let timing = |resource| task(resource, json!({"TimeoutSeconds": 1}));
    let mut waiting = Vec::new();
    for number in 0..16 {
        let start = named(&format!("quick-{number}"), json!(number));
        waiting.push(runtime.start_execution(timing("quick"), start).await);
    }
    let beating = task(
        "quick",
        json!({"TimeoutSeconds": 90, "HeartbeatSeconds": 1}),
    );
    waiting.push(
        runtime
            .start_execution(beating, named("beats", json!(16)))
            .await,
    );
    let mut hanging = runtime
        .start_execution(timing("hang"), named("hangs", json!({})))
        .await;
    // Two timeouts are over by then. Tokio's own timers stand still meanwhile.
    std::thread::sleep(Duration::from_millis(2_500));
    let released = runtime.now();
    release.send(()).expect("it waits");
    for (number, execution) in waiting.iter_mut().enumerate() {
        assert_eq!(execution.outcome().await, succeeded(json!(number)));
    }
    let ended = hanging.ended().await;
    assert_eq!(failure(ended.outcome).0, "States.Timeout");
    assert!(
        ended.stop_date >= released.plus_seconds(1),
        "it counts from the beginning"
    );
    drop(blocked);
}

/// Number of tasks at work, and the highest so far.
#[derive(Default)]
struct AtWork {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl AtWork {
    fn handlers(self: &Arc<Self>) -> TaskHandlers {
        let this = Arc::clone(self);
        TaskHandlers::new().on_value("work", move |input| {
            let this = Arc::clone(&this);
            async move {
                let now = this.now.fetch_add(1, Ordering::SeqCst) + 1;
                this.most.fetch_max(now, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(300)).await;
                this.now.fetch_sub(1, Ordering::SeqCst);
                Ok(input)
            }
        })
    }

    /// Runs ten executions of one task each, and returns how many were at work at a time.
    async fn most_of_ten(builder: RuntimeBuilder) -> usize {
        let at_work = Arc::new(Self::default());
        let runtime = builder.handlers(at_work.handlers()).build();
        let program = task("work", json!({"TimeoutSeconds": 1}));
        let runs = (0..10).map(|number| {
            let start = named(&format!("work-{number}"), json!(number));
            runtime.run(Arc::clone(&program), start)
        });
        let outcomes: Vec<Outcome> = futures::future::join_all(runs).await;
        for (number, outcome) in outcomes.into_iter().enumerate() {
            assert_eq!(outcome, succeeded(json!(number)));
        }
        at_work.most.load(Ordering::SeqCst)
    }
}

#[tokio::test]
async fn no_more_tasks_are_at_work_than_the_limit_allows_and_those_that_wait_do_not_time_out() {
    let two = NonZeroUsize::MIN.saturating_add(1);
    let most = AtWork::most_of_ten(Runtime::builder().max_tasks(two));
    assert_eq!(most.await, 2);
}

#[tokio::test]
async fn no_more_executions_run_than_the_limit_allows() {
    let three = NonZeroUsize::MIN.saturating_add(2);
    let most = AtWork::most_of_ten(Runtime::builder().max_executions(three));
    assert_eq!(most.await, 3);
}

#[tokio::test]
async fn without_limits_all_are_at_work_at_once() {
    assert_eq!(AtWork::most_of_ten(Runtime::builder()).await, 10);
}

/// Says when it is dropped.
struct Guard(tokio::sync::mpsc::UnboundedSender<&'static str>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

#[tokio::test]
async fn an_execution_whose_caller_gave_up_is_stopped_and_its_handler_dropped() {
    let (says, mut said) = tokio::sync::mpsc::unbounded_channel();
    let handlers = TaskHandlers::new().on_value("hang", move |_| {
        let guard = Guard(says.clone());
        async move {
            let _ = guard.0.send("begun");
            std::future::pending::<Result<Value, TaskError>>().await
        }
    });
    let runtime = Runtime::builder().handlers(handlers).build();
    let run = tokio::spawn({
        let runtime = runtime.handle().clone();
        async move {
            runtime
                .run(task("hang", json!({})), named("hangs", json!({})))
                .await
        }
    });
    assert_eq!(said.recv().await, Some("begun"));
    run.abort();
    assert!(run.await.expect_err("it is aborted").is_cancelled());
    assert_eq!(said.recv().await, Some("dropped"));
}

#[tokio::test]
async fn a_start_is_detached_unless_it_is_to_stop() {
    let wait =
        json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 600, "End": true}}});
    let program = program(wait);
    let runtime = Runtime::builder().build();
    let ids = [false, true].map(|stops| {
        let (program, start) = (Arc::clone(&program), named("waits", json!({})));
        let runtime = &runtime;
        async move {
            let mut handle = runtime.start_execution(program, start).await;
            if stops {
                handle = handle.stop_when_dropped();
            }
            handle.id()
        }
    });
    let [goes_on, stops] = futures::future::join_all(ids).await[..] else {
        panic!("two executions");
    };
    assert!(runtime.save(goes_on).await.is_some());
    assert!(runtime.save(stops).await.is_none());
}

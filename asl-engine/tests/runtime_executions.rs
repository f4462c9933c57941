//! Many executions: order, fairness, children, observers, ends.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{
    ExecutionId, HistoryRecorder, Observer, RunningExecution, Runtime, TaskHandlers,
};
use asl_engine::{ErrorOutput, Input, Limits, Outcome, TaskInvocation};
use asl_model::Timestamp;
use proptest::prelude::*;
use runtime_support::*;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// A year, which no execution may take, but for a second.
const YEAR: u64 = 31_535_999;

fn waiting(seconds: u64) -> Value {
    json!({"Type": "Wait", "Seconds": seconds, "End": true})
}

fn wait(seconds: u64) -> Arc<asl_engine::Program> {
    program(json!({"StartAt": "W", "States": {"W": waiting(seconds)}}))
}

#[tokio::test]
async fn a_wait_of_a_year_ends_at_once() {
    let runtime = virtual_time().build();
    let mut handle = runtime
        .start_execution(wait(YEAR), start(json!("in")))
        .await;
    let ended = handle.ended().await;
    assert_eq!(ended.outcome, succeeded(json!("in")));
    assert_eq!(
        (ended.start_date, ended.stop_date),
        (seconds(0), seconds(YEAR))
    );
    assert!(ended.transitions >= 1);
    assert_eq!(handle.outcome().await, ended.outcome, "asked again");
}

#[tokio::test]
async fn a_virtual_clock_goes_on_in_any_year() {
    let moment = Timestamp::parse("9999-12-31T23:59:59Z").unwrap();
    let clock = asl_engine::runtime::Clock::virtual_from(moment);
    let runtime = Runtime::builder().clock(clock).build();
    let mut handle = runtime.start_execution(wait(YEAR), start(json!({}))).await;
    let ended = handle.ended().await;
    assert_eq!(ended.stop_date, moment.plus_seconds(YEAR));
    assert_eq!(ended.start_date, moment);
}

/// Nothing is due after the last moment: what would wait on fails, and does not spin.
#[tokio::test]
async fn the_last_moment_ends_every_wait() {
    let clock = asl_engine::runtime::Clock::virtual_from(Timestamp::MAX);
    let runtime = Runtime::builder().clock(clock).build();
    let mut handle = runtime.start_execution(wait(1), start(json!({}))).await;
    let (error, cause) = failure(handle.ended().await.outcome);
    assert_eq!(error, "States.Runtime", "{cause}");
}

#[tokio::test]
async fn a_real_clock_waits() {
    let runtime = Runtime::builder().build();
    let mut handle = runtime.start_execution(wait(1), start(json!({}))).await;
    let ended = handle.ended().await;
    assert_eq!(ended.outcome.status(), "SUCCEEDED");
    let took = ended.stop_date.nanoseconds() - ended.start_date.nanoseconds();
    assert!((1_000_000_000..20_000_000_000).contains(&took), "{took}");
}

/// Keeps which execution ended when.
#[derive(Default)]
struct Ends(Mutex<Vec<String>>);

impl Observer for Ends {
    fn ended(&self, execution: &RunningExecution, _: &Outcome) {
        self.0
            .lock()
            .unwrap()
            .push(execution.identity.execution_name().to_owned());
    }
}

fn named(name: String) -> asl_engine::Start {
    let mut start = start(json!({}));
    start.identity = Arc::new(asl_engine::Identity::new("M", &name));
    start
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Under the virtual clock executions wake by time, and those of one moment in the order of their waiting.
    #[test]
    fn wake_order_is_time_order(waits in prop::collection::vec(1_u64..30, 1..40)) {
        let tokio = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let ends = Arc::new(Ends::default());
        tokio.block_on(async {
            let runtime = virtual_time().observer(Arc::clone(&ends)).build();
            let hold = runtime.clock().hold();
            let mut handles = Vec::new();
            for (number, seconds) in waits.iter().enumerate() {
                handles.push(runtime.start_execution(wait(*seconds), named(number.to_string())).await);
            }
            drop(hold);
            for handle in handles {
                end_of(handle).await;
            }
        });
        let mut expected: Vec<_> = waits.iter().zip(0..).collect();
        expected.sort();
        let expected: Vec<_> = expected.into_iter().map(|(_, number): (_, i32)| number.to_string()).collect();
        prop_assert_eq!(&*ends.0.lock().unwrap(), &expected);
    }
}

#[tokio::test]
async fn an_endless_loop_starves_nobody() {
    let runtime = virtual_time().build();
    let mut endless = start(json!({}));
    endless.limits = Limits::unlimited().with_turn_cost(100);
    let looping = program(json!({"StartAt": "L", "States": {
        "L": {"Type": "Choice", "Choices": [{"Variable": "$.end", "IsPresent": true, "Next": "E"}], "Default": "L"},
        "E": {"Type": "Succeed"},
    }}));
    let handle = runtime.start_execution(looping, endless).await;
    let quick = program(json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}));
    assert_eq!(
        runtime.run(quick, start(json!(1))).await,
        succeeded(json!(1))
    );
    handle.stop(ErrorOutput::without_name("enough")).await;
    assert_eq!(end_of(handle).await.status(), "ABORTED");
}

#[tokio::test]
async fn an_execution_is_stopped_by_its_id_while_its_end_is_waited_for() {
    let runtime = virtual_time().handlers(TaskHandlers::new()).build();
    let waiting = program(json!({"StartAt": "W", "States": {
        "W": {"Type": "Wait", "Seconds": 1_000, "End": true},
    }}));
    let _held = runtime.clock().hold();
    let handle = runtime.start_execution(waiting, start(json!({}))).await;
    let id = handle.id();
    let ended = tokio::spawn(end_of(handle));
    runtime.stop(id, ErrorOutput::without_cause("Enough")).await;
    let expected = Outcome::Aborted(ErrorOutput::without_cause("Enough"));
    assert_eq!(ended.await.unwrap(), expected);
    // Without effect once it has ended.
    runtime.stop(id, ErrorOutput::default()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_executions_run_at_once_on_several_threads() {
    let handlers = TaskHandlers::new().on_value("*", |input| async move {
        tokio::task::yield_now().await;
        Ok(input)
    });
    let runtime = virtual_time().handlers(handlers).build();
    let program = program(json!({"StartAt": "W", "States": {
        "W": {"Type": "Wait", "SecondsPath": "$.seconds", "Next": "T"},
        "T": {"Type": "Task", "Resource": FUNCTION, "End": true},
    }}));
    let mut handles = Vec::new();
    for number in 0..3000_u64 {
        let input = json!({"seconds": number % 7, "number": number});
        handles.push((
            runtime
                .start_execution(Arc::clone(&program), start(input.clone()))
                .await,
            input,
        ));
    }
    for (handle, input) in handles {
        assert_eq!(end_of(handle).await, succeeded(input));
    }
}

#[tokio::test]
async fn an_execution_goes_on_without_its_handle() {
    let ends = Arc::new(Ends::default());
    let runtime = virtual_time().observer(Arc::clone(&ends)).build();
    drop(
        runtime
            .start_execution(wait(5), named("dropped".to_owned()))
            .await,
    );
    runtime.run(wait(10), named("kept".to_owned())).await;
    assert_eq!(*ends.0.lock().unwrap(), ["dropped", "kept"]);
}

#[tokio::test]
async fn a_recorder_keeps_the_events_of_each_execution() {
    let recorder = Arc::new(HistoryRecorder::default());
    let runtime = virtual_time()
        .observer((Arc::clone(&recorder), Ends::default()))
        .build();
    let mut handle = runtime.start_execution(wait(5), start(json!({}))).await;
    handle.ended().await;
    let kept = recorder.history(handle.id());
    let events = recorder.take(handle.id());
    assert_eq!(kept, events);
    let types: Vec<_> = events.iter().map(|event| event.event_type()).collect();
    assert_eq!(
        types,
        [
            "ExecutionStarted",
            "WaitStateEntered",
            "WaitStateExited",
            "ExecutionSucceeded"
        ]
    );
    assert_eq!(events[2].timestamp, seconds(5));
    assert!(recorder.take(handle.id()).is_empty());
}

#[tokio::test]
async fn a_recorder_has_histories_recorded_of_children_and_of_what_is_resumed_too() {
    let program = program(json!({"StartAt": "M", "States": {
        "M": {"Type": "Map", "Next": "W", "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}},
        "W": {"Type": "Wait", "Seconds": 5, "End": true},
    }}));
    let runtime = virtual_time().build();
    let hold = runtime.clock().hold();
    let handle = runtime
        .start_execution(Arc::clone(&program), start(json!([7])))
        .await;
    let saved = handle.save().await.unwrap();
    drop(hold);
    let recorder = Arc::new(HistoryRecorder::default());
    let runtime = virtual_time().observer(Arc::clone(&recorder)).build();
    let resumed = runtime.resume(saved, Arc::clone(&program)).await.unwrap();
    let begun = runtime.start_execution(program, start(json!([7]))).await;
    let last = |id| {
        recorder
            .take(id)
            .last()
            .map(|event| event.event_type().to_string())
    };
    for handle in [resumed, begun] {
        let id = handle.id();
        assert_eq!(end_of(handle).await, succeeded(json!([7])));
        assert_eq!(last(id).as_deref(), Some("ExecutionSucceeded"));
    }
    let child = (0..10).find_map(|id| last(ExecutionId::new(id)));
    assert_eq!(child.as_deref(), Some("ExecutionSucceeded"));
}

/// Keeps what executions are told, in short.
#[derive(Default)]
struct Trace(Mutex<Vec<String>>);

impl Observer for Trace {
    fn started(&self, _: &RunningExecution) {
        self.0.lock().unwrap().push("started".to_owned());
    }

    fn task_invoked(&self, _: &RunningExecution, invocation: &TaskInvocation) {
        self.0
            .lock()
            .unwrap()
            .push(format!("invoke {}", invocation.state_name));
    }

    fn input(&self, _: &RunningExecution, input: &Input) {
        let input = match input {
            Input::TaskStarted { .. } => "task started",
            Input::TaskSubmitted { .. } => "task submitted",
            Input::TaskSucceeded { .. } => "task succeeded",
            Input::TaskFailed { .. } => "task failed",
            Input::TimePassed => "time passed",
            other => panic!("unexpected: {other:?}"),
        };
        self.0.lock().unwrap().push(input.to_owned());
    }
}

async fn traced(resource: &str) -> Vec<String> {
    let trace = Arc::new(Trace::default());
    let handlers = TaskHandlers::new().on_value("*", |_| async { Ok(json!({})) });
    let runtime = virtual_time()
        .handlers(handlers)
        .observer(Arc::clone(&trace))
        .build();
    runtime
        .run(task(resource, json!({})), start(json!({})))
        .await;
    trace.0.lock().unwrap().clone()
}

#[tokio::test]
async fn an_observer_sees_what_is_asked_and_told() {
    assert_eq!(
        traced(FUNCTION).await,
        ["started", "invoke T", "task succeeded"]
    );
    let activity = traced("arn:aws:states:us-east-1:123456789012:activity:a").await;
    assert_eq!(
        activity,
        ["started", "invoke T", "task started", "task succeeded"]
    );
    assert_eq!(
        traced(CALLBACK).await,
        ["started", "invoke T", "task submitted", "task succeeded"]
    );
}

#[tokio::test]
async fn a_start_is_at_the_present_of_the_runtime() {
    let runtime = virtual_time().build();
    runtime.run(wait(100), start(json!({}))).await;
    let mut start = start(json!({}));
    start.now = Timestamp::from_nanoseconds(-5);
    let started = program(json!({"StartAt": "P", "States": {
        "P": {"Type": "Pass", "Parameters": {"at.$": "$$.Execution.StartTime"}, "End": true}}}));
    let outcome = runtime.run(started, start).await;
    assert_eq!(
        outcome,
        succeeded(json!({"at": "1970-01-01T00:01:40.000Z"}))
    );
}

/// Panics whenever it is told something, and counts how often.
#[derive(Default)]
struct Panicking(Mutex<Vec<&'static str>>);

impl Panicking {
    fn told(&self, what: &'static str) {
        self.0.lock().unwrap().push(what);
        panic!("told of {what}");
    }
}

impl Observer for Panicking {
    fn records_history(&self) -> bool {
        true
    }

    fn started(&self, _: &RunningExecution) {
        self.told("start");
    }

    fn event(&self, _: &RunningExecution, _: asl_engine::HistoryEvent) {
        self.told("event");
    }

    fn input(&self, _: &RunningExecution, _: &Input) {
        self.told("input");
    }

    fn ended(&self, _: &RunningExecution, _: &Outcome) {
        self.told("end");
    }
}

#[tokio::test]
async fn an_observer_that_panics_disturbs_no_execution() {
    let observer = Arc::new(Panicking::default());
    let runtime = virtual_time().observer(Arc::clone(&observer)).build();
    for _ in 0..2 {
        let handle = runtime
            .start_execution(wait(YEAR), start(json!("in")))
            .await;
        assert_eq!(end_of(handle).await, succeeded(json!("in")));
    }
    let told = observer.0.lock().unwrap().clone();
    for what in ["start", "event", "input", "end"] {
        assert!(
            told.iter().filter(|it| **it == what).count() >= 2,
            "{what}: {told:?}"
        );
    }
}

#[derive(Default)]
struct Waits(Mutex<Vec<(String, i64)>>);

impl Observer for Waits {
    fn waits(&self, _: &RunningExecution, state: &str, until: Timestamp) {
        let mut waits = self.0.lock().unwrap();
        waits.push((state.to_owned(), until.milliseconds()));
    }
}

/// A branch that waits while the other's task is under way says nothing: the execution does something.
#[tokio::test]
async fn observers_learn_when_nothing_but_time_must_pass() {
    let definition = json!({"StartAt": "Wait", "States": {
        "Wait": {"Type": "Wait", "Seconds": 5, "Next": "Fails"},
        "Fails": {"Type": "Task", "Resource": "f", "Next": "Both",
            "Retry": [{"ErrorEquals": ["States.ALL"], "IntervalSeconds": 7, "MaxAttempts": 1}],
            "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Done"}]},
        "Both": {"Type": "Succeed"},
        "Done": {"Type": "Succeed"}}});
    let waits = Arc::new(Waits::default());
    let handlers = TaskHandlers::new().on_value("f", |_| async {
        Err::<Value, _>(asl_engine::TaskError::new("E", ""))
    });
    let runtime = virtual_time()
        .handlers(handlers)
        .observer(Arc::clone(&waits))
        .build();
    let begun = start(json!({}));
    let now = begun.now.milliseconds();
    let mut handle = runtime.start_execution(program(definition), begun).await;
    handle.ended().await;
    let waits = waits.0.lock().unwrap().clone();
    let seconds: Vec<(String, i64)> = waits
        .into_iter()
        .map(|(state, until)| (state, (until - now) / 1_000))
        .collect();
    assert_eq!(seconds, [("Wait".to_owned(), 5), ("Fails".to_owned(), 12)]);
}

#[derive(Default)]
struct Holds(Mutex<Vec<u64>>);

impl Observer for Holds {
    fn watches_memory(&self) -> bool {
        true
    }

    fn holds(&self, _: &RunningExecution, bytes: u64) {
        self.0.lock().unwrap().push(bytes);
    }
}

/// Does not watch memory.
#[derive(Default)]
struct HoldsWithoutMemory(Holds);

impl Observer for HoldsWithoutMemory {
    fn holds(&self, execution: &RunningExecution, bytes: u64) {
        self.0.holds(execution, bytes);
    }
}

#[tokio::test]
async fn memory_is_estimated_only_for_observers_that_watch_it() {
    let unwatched = Arc::new(HoldsWithoutMemory::default());
    let runtime = virtual_time().observer(Arc::clone(&unwatched)).build();
    let mut handle = runtime.start_execution(wait(5), start(json!("in"))).await;
    handle.ended().await;
    assert!(unwatched.0.0.lock().unwrap().is_empty());
}

#[tokio::test]
async fn observers_learn_what_executions_hold() {
    let doubled = |next: &str| json!({"Type": "Pass", "Output": "{% $states.input & $states.input %}", "Next": next});
    let definition = json!({"QueryLanguage": "JSONata", "StartAt": "First", "States": {
        "First": {"Type": "Wait", "Seconds": 5, "Next": "Double"},
        "Double": doubled("Again"),
        "Again": doubled("Last"),
        "Last": {"Type": "Wait", "Seconds": 5, "End": true}}});
    let holds = Arc::new(Holds::default());
    let runtime = virtual_time().observer(Arc::clone(&holds)).build();
    let begun = start(json!("x".repeat(50_000)));
    let mut handle = runtime.start_execution(program(definition), begun).await;
    handle.ended().await;
    let holds = holds.0.lock().unwrap().clone();
    let (first, last) = (holds[0], holds[holds.len() - 1]);
    assert!((50_000..150_000).contains(&first), "{holds:?}");
    assert!((250_000..600_000).contains(&last), "{holds:?}");
}

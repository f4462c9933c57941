//! Executions that compute for long, by a real clock: they delay nobody, and hear what is said to them meanwhile.
#![cfg(feature = "runtime")]

mod runtime_support;

use asl_engine::runtime::{Observer, RunningExecution, Runtime, TaskHandlers};
use asl_engine::{Outcome, Program};
use runtime_support::{FUNCTION, end_of, program, start, succeeded};
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

/// Long next to all that the others do.
const HEAVY: &str = "{% $sum([1..100000].($ % 7)) %}";

fn heavy() -> Arc<Program> {
    let state = json!({"Type": "Pass", "Output": HEAVY, "End": true});
    program(json!({"QueryLanguage": "JSONata", "StartAt": "Heavy", "States": {"Heavy": state}}))
}

fn light() -> Arc<Program> {
    program(json!({"StartAt": "Light", "States": {"Light": {"Type": "Succeed"}}}))
}

/// Computes for ever, with these fields of the state machine.
fn endless(fields: Value) -> Arc<Program> {
    let mut machine = json!({"QueryLanguage": "JSONata", "StartAt": "Loop", "States": {
        "Loop": {"Type": "Choice", "Choices": [{"Condition": "{% $sum([1..20000]) = 0 %}", "Next": "End"}], "Default": "Loop"},
        "End": {"Type": "Succeed"}}});
    let fields = fields.as_object().expect("fields").clone();
    machine.as_object_mut().expect("a machine").extend(fields);
    program(machine)
}

/// The statuses of executions, as they ended.
#[derive(Default)]
struct Ends(Mutex<Vec<String>>);

impl Observer for Ends {
    fn ended(&self, execution: &RunningExecution, _: &Outcome) {
        let name = execution.identity.execution_name().to_owned();
        self.0.lock().unwrap().push(name);
    }
}

fn named(name: &str) -> asl_engine::Start {
    let mut start = start(json!({}));
    start.identity = Arc::new(asl_engine::Identity::new("M", name));
    start
}

#[tokio::test]
async fn an_expression_that_takes_long_delays_nobody() {
    let ends = Arc::new(Ends::default());
    let runtime = Runtime::builder().observer(Arc::clone(&ends)).build();
    let heavy = runtime.start_execution(heavy(), named("heavy")).await;
    let light = runtime.start_execution(light(), named("light")).await;
    assert_eq!(end_of(light).await.status(), "SUCCEEDED");
    assert_eq!(end_of(heavy).await.status(), "SUCCEEDED");
    assert_eq!(*ends.0.lock().unwrap(), ["light", "heavy"]);
}

#[tokio::test]
async fn what_computes_for_ever_is_stopped() {
    let runtime = Runtime::builder().build();
    let endless = runtime
        .start_execution(endless(json!({})), named("endless"))
        .await;
    let light = runtime.start_execution(light(), named("light")).await;
    assert_eq!(end_of(light).await.status(), "SUCCEEDED");
    endless.stop(asl_engine::ErrorOutput::default()).await;
    assert_eq!(end_of(endless).await.status(), "ABORTED");
}

#[tokio::test]
async fn what_computes_for_ever_ends_when_its_time_is_over() {
    let runtime = Runtime::builder().build();
    let program = endless(json!({"TimeoutSeconds": 1}));
    let endless = runtime.start_execution(program, named("endless")).await;
    assert_eq!(end_of(endless).await, Outcome::TimedOut);
}

#[tokio::test]
async fn answers_are_heard_after_a_turn() {
    let branch = |name: &str, state: Value| json!({"StartAt": name, "States": {name: state}});
    let heavy = json!({"Type": "Pass", "Output": HEAVY, "End": true});
    let task = json!({"Type": "Task", "Resource": FUNCTION, "End": true});
    let wait = json!({"Type": "Task", "Resource": FUNCTION, "End": true, "TimeoutSeconds": 1,
        "Catch": [{"ErrorEquals": ["States.Timeout"], "Next": "T"}]});
    let mut waits = branch("W", wait);
    waits["States"]["T"] = json!({"Type": "Pass", "Output": "timed out", "End": true});
    let program = program(
        json!({"QueryLanguage": "JSONata", "StartAt": "P", "States": {"P": {
        "Type": "Parallel", "End": true, "Branches": [branch("H", heavy.clone()), branch("A", task), waits, branch("J", heavy)]}}}),
    );
    let calls = Mutex::new(0);
    let handlers = TaskHandlers::new().on_value("F", move |_| {
        let mut calls = calls.lock().unwrap();
        *calls += 1;
        let is_first = *calls == 1;
        async move {
            if is_first {
                tokio::task::yield_now().await;
                return Ok(json!("answer"));
            }
            std::future::pending().await
        }
    });
    let runtime = Runtime::builder().handlers(handlers).build();
    let handle = runtime.start_execution(program, named("parallel")).await;
    let sum = 300_000;
    let expected = succeeded(json!([sum, "answer", "timed out", sum]));
    assert_eq!(end_of(handle).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn children_compute_in_turns_and_their_parent_hears_of_all() {
    let state = json!({"Type": "Pass", "Output": HEAVY, "End": true});
    let program = program(
        json!({"QueryLanguage": "JSONata", "StartAt": "M", "States": {"M": {
        "Type": "Map", "Items": "{% [1..12] %}", "End": true, "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "S", "States": {"S": state}}}}}),
    );
    let loops = NonZeroUsize::new(2).unwrap();
    let runtime = Runtime::builder().event_loops(loops).build();
    let mut start = named("map");
    start.limits.max_execution_bytes = Some(100_000);
    let handle = runtime.start_execution(program, start).await;
    assert_eq!(end_of(handle).await, succeeded(vec![300_000; 12].into()));
}

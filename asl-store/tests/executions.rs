//! Executions of a store: how they run, end, and continue after it was closed.
mod common;

use asl_backend::{
    Backend as _, ExecutionStatus, HistoryQuery, NestedForm, NestedTask, Payload, RedriveError,
    StartError, TaskReply, TokenRefused,
};
use asl_engine::runtime::{TaskAnswer, TaskHandlers, task_fn};
use asl_engine::{ErrorOutput, Resource, TaskError, TaskInvocation};
use asl_store::Store;
use common::*;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

const FUNCTION: &str = "arn:aws:lambda:us-east-1:111111111111:function:F";

fn pass() -> Value {
    json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "Result": {"a": 1}, "End": true}}})
}

fn task(fields: Value) -> Value {
    let mut state = json!({"Type": "Task", "Resource": FUNCTION, "End": true});
    for (name, value) in fields.as_object().unwrap() {
        state[name] = value.clone();
    }
    json!({"StartAt": "T", "States": {"T": state}})
}

fn wait(seconds: u64) -> Value {
    json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": seconds, "End": true}}})
}

fn callback() -> Value {
    task(
        json!({"Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
        "Parameters": {"QueueUrl": "q", "MessageBody.$": "$$.Task.Token"}}),
    )
}

/// Hands every task on, and gives its token to whoever listens.
fn handing_on() -> (asl_store::Options, mpsc::UnboundedReceiver<Arc<str>>) {
    let (tokens, given) = mpsc::unbounded_channel();
    let handler = task_fn(move |task| {
        let _ = tokens.send(task.token().into());
        async { Ok(TaskAnswer::Submitted(json!({"MessageId": "m"}))) }
    });
    (options(handler), given)
}

#[tokio::test]
async fn an_execution_runs_to_its_end_and_is_told_of() {
    let store = Store::in_memory(no_handlers()).unwrap();
    let started = start(&store, &pass(), "e", r#"{ "x":  1 }"#).await.unwrap();
    assert!(started.is_new);
    let end = ended(&store, &started.arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded);
    assert_eq!(
        (end.output.as_deref(), &*end.input),
        (Some(r#"{"a":1}"#), r#"{ "x":  1 }"#)
    );
    assert_eq!(
        &*started.arn,
        "arn:aws:states:us-east-1:111111111111:execution:M:e"
    );
    let expected = [
        "ExecutionStarted",
        "PassStateEntered",
        "PassStateExited",
        "ExecutionSucceeded",
    ];
    assert_eq!(event_types(&store, &started.arn).await, expected);
    assert_eq!(end.event_count, 4);
}

#[tokio::test]
async fn a_name_is_taken_once() {
    let store = Store::in_memory(no_handlers()).unwrap();
    let first = start(&store, &wait(60), "e", "{}").await.unwrap();
    let again = start(&store, &wait(60), "e", "{}").await.unwrap();
    assert!(first.is_new && !again.is_new);
    assert_eq!(
        first.start_date.nanoseconds() / 1_000_000,
        again.start_date.nanoseconds() / 1_000_000
    );
    let other = start(&store, &wait(60), "e", "[]").await;
    assert_eq!(other, Err(StartError::AlreadyExists));
    store
        .stop(Arc::clone(&first.arn), ErrorOutput::new("E", "c"))
        .await
        .unwrap();
    let end = ended(&store, &first.arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::Aborted);
    assert_eq!(end.error_output, ErrorOutput::new("E", "c"));
    assert_eq!(
        start(&store, &wait(60), "e", "{}").await,
        Err(StartError::AlreadyExists)
    );
}

#[tokio::test]
async fn what_waits_goes_on_in_another_process() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let started = start(&store, &wait(1), "e", "7").await.unwrap();
    drop(store);
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(end.output.as_deref(), Some("7"));
    let waited = end
        .summary
        .stop_date
        .unwrap()
        .duration_since(end.summary.start_date);
    assert!(waited.as_millis() >= 999, "{waited:?}");
    let expected = [
        "ExecutionStarted",
        "WaitStateEntered",
        "WaitStateExited",
        "ExecutionSucceeded",
    ];
    assert_eq!(event_types(&store, &started.arn).await, expected);
}

#[tokio::test]
async fn a_task_that_was_handed_on_is_waited_for_and_not_repeated() {
    let folder = Folder::new();
    let (first, mut tokens) = handing_on();
    let store = Store::open(&folder.0, first).unwrap();
    let started = start(&store, &callback(), "e", "{}").await.unwrap();
    let token = tokens.recv().await.unwrap();
    until(&store, &started.arn, "TaskSubmitted").await;
    drop(store);
    let (second, mut repeated) = handing_on();
    let store = Store::open(&folder.0, second).unwrap();
    store
        .reply_to_task(Arc::clone(&token), TaskReply::Heartbeat)
        .await
        .unwrap();
    store
        .reply_to_task(
            Arc::clone(&token),
            TaskReply::Success(Payload::parse("[1]").unwrap()),
        )
        .await
        .unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(end.output.as_deref(), Some("[1]"));
    assert!(repeated.try_recv().is_err());
    let late = store
        .reply_to_task(token, TaskReply::Success(Payload::parse("2").unwrap()))
        .await;
    assert_eq!(late, Err(TokenRefused::TimedOut));
    let made_up = store
        .reply_to_task("AAAA".into(), TaskReply::Heartbeat)
        .await;
    assert_eq!(made_up, Err(TokenRefused::Invalid));
}

#[tokio::test]
async fn a_task_without_an_answer_is_performed_again_with_the_same_key() {
    let folder = Folder::new();
    let (keys, mut given) = mpsc::unbounded_channel();
    let never = task_fn(move |task| {
        let _ = keys.send(task.idempotency_key());
        std::future::pending::<Result<Value, TaskError>>()
    });
    let store = Store::open(&folder.0, options(never)).unwrap();
    let started = start(&store, &task(json!({})), "e", "{}").await.unwrap();
    let key = given.recv().await.unwrap();
    drop(store);
    let answering = task_fn(|task| async move { Ok(Value::from(task.idempotency_key())) });
    let store = Store::open(&folder.0, options(answering)).unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(end.output.as_deref(), Some(&*format!("\"{key}\"")));
}

#[tokio::test]
async fn executions_that_wait_leave_memory_and_come_back() {
    let folder = Folder::new();
    let (mut small, mut tokens) = handing_on();
    small.max_in_memory = 2;
    let store = Store::open(&folder.0, small).unwrap();
    let mut arns = Vec::new();
    for number in 0..20 {
        let started = start(&store, &callback(), &format!("e{number}"), "{}")
            .await
            .unwrap();
        arns.push(started.arn);
    }
    let mut given = Vec::new();
    for _ in &arns {
        given.push(tokens.recv().await.unwrap());
    }
    for arn in &arns {
        until(&store, arn, "TaskSubmitted").await;
    }
    for token in given {
        store
            .reply_to_task(token, TaskReply::Success(Payload::parse("true").unwrap()))
            .await
            .unwrap();
    }
    for arn in &arns {
        assert_eq!(ended(&store, arn).await.output.as_deref(), Some("true"));
    }
}

#[tokio::test]
async fn an_activity_gives_its_task_to_one_worker() {
    let folder = Folder::new();
    let activity = "arn:aws:states:us-east-1:111111111111:activity:A";
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let started = start(
        &store,
        &task(json!({"Resource": activity})),
        "e",
        r#"{"n":1}"#,
    )
    .await
    .unwrap();
    until(&store, &started.arn, "ActivityScheduled").await;
    drop(store);
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    // A worker that left has taken nothing.
    drop(store.take_activity_task(activity.into(), None));
    let taken = store
        .take_activity_task(activity.into(), Some("w".into()))
        .await
        .unwrap();
    assert_eq!(&*taken.input, r#"{"n":1}"#);
    let failure = TaskReply::Failure(ErrorOutput::new("E", "c"));
    store.reply_to_task(taken.token, failure).await.unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(end.error_output, ErrorOutput::new("E", "c"));
    let types = event_types(&store, &started.arn).await;
    assert!(types.contains(&"ActivityStarted".to_owned()), "{types:?}");
}

/// Recorded: TaskSubmitted is before the end also of an execution that ends at once.
#[tokio::test]
async fn a_nested_execution_answers_the_task_that_started_it() {
    let (tokens, mut given) = mpsc::unbounded_channel::<Arc<str>>();
    // Its own answer is late.
    let handler = task_fn(move |task| {
        let _ = tokens.send(task.token().into());
        std::future::pending::<Result<TaskAnswer, TaskError>>()
    });
    let store = Store::in_memory(options(handler)).unwrap();
    let starting = task(json!({"Resource": "arn:aws:states:::states:startExecution.sync:2"}));
    let parent = start(&store, &starting, "parent", "{}").await.unwrap();
    let token = given.recv().await.unwrap();
    start_nested(
        &store,
        &pass(),
        "child",
        NestedTask {
            token,
            form: NestedForm::Json,
        },
    )
    .await
    .unwrap();
    let ended = ended(&store, &parent.arn).await;
    let output: Value = serde_json::from_str(&ended.output.unwrap()).unwrap();
    assert_eq!(
        (&output["Status"], &output["Output"]),
        (&json!("SUCCEEDED"), &json!({"a": 1}))
    );
    let query = HistoryQuery {
        from: None,
        limit: 100,
        is_reversed: false,
    };
    let history = store
        .history(parent.arn, query)
        .await
        .unwrap()
        .unwrap()
        .events;
    let submitted = history
        .iter()
        .find(|event| event.contains("\"TaskSubmitted\""));
    let is_submitted = submitted.is_some_and(|event| event.contains("ExecutionArn"));
    assert!(is_submitted, "{history:#?}");
}

fn each(processor_fields: Value) -> Value {
    let mut processor = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
        "StartAt": "T", "States": {"T": {"Type": "Task", "Resource": FUNCTION, "End": true}}});
    for (name, value) in processor_fields.as_object().unwrap() {
        processor[name] = value.clone();
    }
    json!({"StartAt": "M", "States": {"M": {"Type": "Map", "ItemProcessor": processor, "Label": "Each", "End": true}}})
}

#[tokio::test]
async fn children_of_a_map_run_are_executions_of_their_own() {
    let doubling = TaskHandlers::new().on_value("*", |input: Value| async move {
        Ok(json!(input.as_i64().unwrap() * 2))
    });
    let store = Store::in_memory(options(doubling)).unwrap();
    let started = start(&store, &each(json!({})), "e", "[1,2,3]")
        .await
        .unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(end.output.as_deref(), Some("[2,4,6]"));
    let runs = store
        .map_runs(Arc::clone(&started.arn))
        .await
        .unwrap()
        .unwrap();
    let [run] = runs.as_slice() else {
        panic!("{runs:?}")
    };
    assert_eq!(run.status, ExecutionStatus::Succeeded);
    assert_eq!(
        (
            run.items.succeeded,
            run.items.total,
            run.executions.succeeded
        ),
        (3, 3, 3)
    );
    assert!(
        run.state_machine_arn.ends_with(":stateMachine:M/Each"),
        "{run:?}"
    );
    let children = asl_backend::ExecutionFilter {
        parent: asl_backend::ExecutionParent::MapRun(Arc::clone(&run.arn)),
        status: None,
        is_redriven: None,
    };
    let page = store.executions(children, None, 2).await.unwrap();
    assert_eq!((page.executions.len(), page.next.is_some()), (2, true));
    let child = page.executions[0].arn.clone();
    assert_eq!(
        event_types(&store, &child).await.last().map(String::as_str),
        Some("ExecutionSucceeded")
    );
}

#[tokio::test]
async fn a_redrive_goes_on_where_the_execution_failed() {
    let folder = Folder::new();
    let calls = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&calls);
    let handler = task_fn(move |_| {
        let call = counted.fetch_add(1, Ordering::Relaxed);
        async move {
            match call {
                0 => Err(TaskError::new("E", "first")),
                _ => Ok(json!(call)),
            }
        }
    });
    let store = Store::open(&folder.0, options(handler)).unwrap();
    let started = start(&store, &task(json!({})), "e", "{}").await.unwrap();
    assert_eq!(
        ended(&store, &started.arn).await.summary.status,
        ExecutionStatus::Failed
    );
    store.redrive(Arc::clone(&started.arn), None).await.unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(
        (end.output.as_deref(), end.summary.redrive_count),
        (Some("1"), 1)
    );
    let types = event_types(&store, &started.arn).await;
    assert!(types.contains(&"ExecutionRedriven".to_owned()), "{types:?}");
    let again = store.redrive(Arc::clone(&started.arn), None).await;
    assert!(
        matches!(again, Err(RedriveError::NotRedrivable(_))),
        "{again:?}"
    );
}

#[tokio::test]
async fn a_folder_is_of_one_process() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let error = Store::open(&folder.0, no_handlers())
        .expect_err("it is in use")
        .to_string();
    assert!(
        error.contains(&format!("in use by process {}", std::process::id())),
        "{error}"
    );
    drop(store);
    Store::open(&folder.0, no_handlers()).unwrap();
}

#[tokio::test]
async fn what_ended_long_ago_is_let_go() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let started = start(&store, &pass(), "e", "{}").await.unwrap();
    let waiting = start(&store, &wait(60), "w", "{}").await.unwrap();
    ended(&store, &started.arn).await;
    drop(store);
    let begun = Instant::now();
    // What is not packed yet stays until it is.
    let store = loop {
        let mut options = no_handlers();
        options.retention = Duration::ZERO;
        let store = Store::open(&folder.0, options).unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
        if store
            .describe(Arc::clone(&started.arn))
            .await
            .unwrap()
            .is_none()
        {
            break store;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "it is kept");
    };
    assert!(store.describe(waiting.arn).await.unwrap().is_some());
    start(&store, &pass(), "e", "{}")
        .await
        .expect("the name is free again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_much_is_let_go_as_ends() {
    let mut options = no_handlers();
    options.retention = Duration::ZERO;
    let store = Store::in_memory(options).unwrap();
    let mut last = None;
    for number in 0..1_100 {
        let started = start(&store, &pass(), &format!("e{number}"), "{}").await;
        last = Some(started.unwrap().arn);
    }
    let (begun, last) = (Instant::now(), last.unwrap());
    let mut number = 0;
    while store.describe(Arc::clone(&last)).await.unwrap().is_some() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it is kept");
        // As long as something happens.
        start(&store, &wait(60), &format!("w{number}"), "{}")
            .await
            .unwrap();
        number += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_backup_is_a_store_of_its_own() {
    let (folder, other) = (Folder::new(), Folder::new());
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let started = start(&store, &pass(), "e", "{}").await.unwrap();
    ended(&store, &started.arn).await;
    assert_eq!(store.check().unwrap(), Vec::<String>::new());
    store.back_up(other.0.join("asl.db")).unwrap();
    let copy = Store::open(&other.0, no_handlers()).unwrap();
    assert_eq!(
        ended(&copy, &started.arn).await.output.as_deref(),
        Some(r#"{"a":1}"#)
    );
}

#[tokio::test]
async fn a_test_case_counts_attempts_over_a_restart() {
    let folder = Folder::new();
    let mocked = || {
        let configuration = json!({
            "StateMachines": {"M": {"TestCases": {"Retried": {"T": "R", "A": "R2"}}}},
            "MockedResponses": {"R": {"0": {"Throw": {"Error": "E", "Cause": "c"}}, "1": {"Return": "second"}},
                "R2": {"0": {"Return": "of an activity"}}}});
        let mut options = no_handlers();
        options.mocks =
            Some(asl_performers::MockConfiguration::from_value(&configuration).unwrap());
        options
    };
    let definition = json!({"StartAt": "T", "States": {
        "T": {"Type": "Task", "Resource": FUNCTION, "Next": "A", "Retry": [{"ErrorEquals": ["E"], "IntervalSeconds": 1}]},
        "A": {"Type": "Task", "Resource": "arn:aws:states:us-east-1:111111111111:activity:A", "End": true}}});
    let store = Store::open(&folder.0, mocked()).unwrap();
    let started = start_mocked(&store, &definition, "e", "{}", Some("Retried"))
        .await
        .unwrap();
    until(&store, &started.arn, "LambdaFunctionFailed").await;
    drop(store);
    let store = Store::open(&folder.0, mocked()).unwrap();
    let end = ended(&store, &started.arn).await;
    let types = event_types(&store, &started.arn).await;
    assert_eq!(
        types
            .iter()
            .filter(|it| *it == "LambdaFunctionScheduled")
            .count(),
        2
    );
    assert_eq!(end.output.as_deref(), Some("\"of an activity\""));
}

#[tokio::test]
async fn items_of_batches_are_counted() {
    let echoing = TaskHandlers::new().on_value("*", |input: Value| async move { Ok(input) });
    let store = Store::in_memory(options(echoing)).unwrap();
    let mut batched = each(json!({}));
    batched["States"]["M"]["ItemBatcher"] = json!({"MaxItemsPerBatch": 2});
    let input = r#"[{"Items": [1, 2, 3, 4]}, 2, 3]"#;
    let started = start(&store, &batched, "batched", input).await.unwrap();
    ended(&store, &started.arn).await;
    let single = start(&store, &each(json!({})), "single", input)
        .await
        .unwrap();
    ended(&store, &single.arn).await;
    for (arn, executions) in [(started.arn, 2), (single.arn, 3)] {
        let runs = store.map_runs(arn).await.unwrap().unwrap();
        assert_eq!(
            (runs[0].items.total, runs[0].executions.total),
            (3, executions)
        );
    }
}

#[tokio::test]
async fn an_express_execution_that_is_waited_for_is_mocked_too() {
    let configuration = json!({
        "StateMachines": {"M": {"TestCases": {"Mocked": {"T": "R"}}}},
        "MockedResponses": {"R": {"0": {"Return": {"mocked": true}}}}});
    let mut options = no_handlers();
    options.mocks = Some(asl_performers::MockConfiguration::from_value(&configuration).unwrap());
    let store = Store::in_memory(options).unwrap();
    let definition = task(
        json!({"Resource": "arn:aws:states:::sqs:sendMessage", "Parameters": {"QueueUrl": "q"}}),
    );
    let ended = run_express(&store, &definition, "Mocked").await.unwrap();
    assert_eq!(ended.output.as_deref(), Some(r#"{"mocked":true}"#));
    let ended = run_express(&store, &definition, "Missing").await.unwrap();
    assert_eq!(ended.status, ExecutionStatus::Failed);
}

#[tokio::test]
async fn children_that_have_not_begun_end_with_their_parent() {
    let never = task_fn(|_| std::future::pending::<Result<Value, TaskError>>());
    let mut options = options(never);
    options.max_in_memory = 3;
    let store = Store::in_memory(options).unwrap();
    let input: Value = (0..20).collect();
    let started = start(&store, &each(json!({})), "e", &input.to_string())
        .await
        .unwrap();
    until(&store, &started.arn, "MapRunStarted").await;
    store
        .stop(Arc::clone(&started.arn), ErrorOutput::default())
        .await
        .unwrap();
    let begun = Instant::now();
    loop {
        let runs = store
            .map_runs(Arc::clone(&started.arn))
            .await
            .unwrap()
            .unwrap();
        let [run] = runs.as_slice() else {
            panic!("{runs:?}")
        };
        if run.executions.aborted == 20 {
            assert_eq!(run.status, ExecutionStatus::Aborted);
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{run:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_worker_is_given_a_task_that_was_asked_for_after_a_yield() {
    let activity = "arn:aws:states:us-east-1:111111111111:activity:A";
    // More transitions than one call makes, so that the task is requested without an input before it.
    let definition = json!({"StartAt": "Count", "States": {
        "Count": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, -1)"}, "Next": "More"},
        "More": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 0, "Next": "Count"}], "Default": "Ask"},
        "Ask": {"Type": "Task", "Resource": activity, "End": true}}});
    let store = Store::in_memory(no_handlers()).unwrap();
    let worker = store.clone();
    let taking =
        tokio::spawn(async move { worker.take_activity_task(activity.into(), None).await });
    let started = start(&store, &definition, "e", r#"{"n": 6000}"#)
        .await
        .unwrap();
    let taken = tokio::time::timeout(Duration::from_secs(20), taking).await;
    let taken = taken.expect("it is handed out at once").unwrap().unwrap();
    store
        .reply_to_task(
            taken.token,
            TaskReply::Success(Payload::parse("1").unwrap()),
        )
        .await
        .unwrap();
    assert_eq!(
        ended(&store, &started.arn).await.output.as_deref(),
        Some("1")
    );
}

#[tokio::test]
async fn an_error_that_fails_the_execution_fails_the_outermost() {
    let fatal = task_fn(|_| async {
        let error = TaskError::new("E", "no mock");
        Err::<Value, _>(error.failing_the_execution())
    });
    let store = Store::in_memory(options(fatal)).unwrap();
    let mut tolerant = each(json!({}));
    tolerant["States"]["M"]["ToleratedFailurePercentage"] = json!(100);
    let started = start(&store, &tolerant, "e", "[1]").await.unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(
        end.error_output,
        ErrorOutput::new("E", "no mock"),
        "{end:?}"
    );
}

#[tokio::test]
async fn a_task_of_no_execution_is_performed_as_those_of_executions() {
    let store = Store::in_memory(options(task_fn(|task| async move {
        match &*task.resource().uri {
            "add" => Ok(json!({"sum": 3})),
            "panic" => panic!("no"),
            _ => Err(TaskError::new("Refused", "too dear")),
        }
    })))
    .unwrap();
    let perform = |resource: &str| {
        store.perform_task(TaskInvocation::new(
            "T",
            Resource::parse(resource),
            json!({}),
        ))
    };
    assert_eq!(perform("add").await, Ok(json!({"sum": 3})));
    let refused = ErrorOutput::new("Refused", "too dear");
    assert_eq!(perform("subtract").await, Err(refused));
    let broken = perform("panic").await.unwrap_err();
    assert_eq!(broken.error.as_deref(), Some("States.Runtime"));
}

#[tokio::test]
async fn lists_have_all_statuses_in_one_order() {
    let store = Store::in_memory(no_handlers()).unwrap();
    let passes = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    let fails = json!({"StartAt": "F", "States": {"F": {"Type": "Fail"}}});
    let waits =
        json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 60, "End": true}}});
    let mut newest_first = Vec::new();
    for (number, definition) in [&passes, &waits, &fails, &passes, &waits, &fails, &passes]
        .into_iter()
        .enumerate()
    {
        let started = start(&store, definition, &format!("e{number}"), "{}").await;
        newest_first.insert(0, started.unwrap().arn);
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let list = async |status: Option<ExecutionStatus>| {
        let (mut arns, mut after) = (Vec::new(), None);
        loop {
            let filter = asl_backend::ExecutionFilter {
                parent: asl_backend::ExecutionParent::StateMachine(
                    "arn:aws:states:us-east-1:111111111111:stateMachine:M".into(),
                ),
                status,
                is_redriven: None,
            };
            let page = store.executions(filter, after, 2).await.unwrap();
            assert!(page.executions.len() <= 2);
            arns.extend(page.executions.into_iter().map(|it| it.arn));
            after = page.next;
            if after.is_none() {
                return arns;
            }
        }
    };
    let each = |places: &[usize]| -> Vec<Arc<str>> {
        places.iter().map(|it| newest_first[*it].clone()).collect()
    };
    assert_eq!(list(None).await, newest_first);
    let of = async |status| list(Some(status)).await;
    assert_eq!(of(ExecutionStatus::Succeeded).await, each(&[0, 3, 6]));
    assert_eq!(of(ExecutionStatus::Failed).await, each(&[1, 4]));
    assert_eq!(of(ExecutionStatus::Running).await, each(&[2, 5]));
    assert_eq!(of(ExecutionStatus::TimedOut).await, each(&[]));
    store.close();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_starts_of_one_name_one_begins() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let definition = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    for name in 0..20 {
        let name = name.to_string();
        let starts = (0..8).map(|_| start(&store, &definition, &name, "{}"));
        let started = futures::future::join_all(starts).await;
        let new = started.iter().flatten().filter(|it| it.is_new).count();
        assert_eq!(new, 1, "{started:?}");
    }
    store.close();
}

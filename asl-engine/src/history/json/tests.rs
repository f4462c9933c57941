//! Every kind of event, and how it is shown.
use super::super::StateType;
use super::*;
use serde_json::json;
use std::sync::Arc;

fn event(details: EventDetails) -> HistoryEvent {
    HistoryEvent {
        id: 3,
        previous_event_id: 2,
        timestamp: asl_model::Timestamp::from_milliseconds(1_457_920_740_000),
        details,
    }
}

/// Returns the details object of an event, and the name of its member.
fn details(details: EventDetails) -> (String, Value) {
    let shown = event(details).to_json();
    let members = shown.as_object().expect("an object");
    let (name, value) = members.iter().nth(4).expect("details");
    (name.clone(), value.clone())
}

fn data(value: Value) -> Arc<Value> {
    Arc::new(value)
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn queue() -> Arc<TaskResource> {
    Arc::new(TaskResource {
        resource_type: "sqs".to_owned(),
        resource: "sendMessage.waitForTaskToken".to_owned(),
    })
}

/// Returns one event of each kind, with details if possible.
pub(in crate::history) fn one_of_each() -> Vec<HistoryEvent> {
    let all = [
        of_executions_and_states(),
        of_tasks(),
        of_maps_and_parallels(),
    ];
    all.into_iter().flatten().map(event).collect()
}

fn value() -> Arc<Value> {
    data(json!({"a": ["é\n", 1.5, null]}))
}

fn name() -> Arc<str> {
    "State".into()
}

fn error() -> Option<String> {
    some("States.TaskFailed")
}

fn cause() -> Option<String> {
    some("no such queue")
}

fn failed(make: fn(Option<String>, Option<String>) -> EventDetails) -> EventDetails {
    make(error(), cause())
}

fn failed_task(make: fn(Arc<TaskResource>, ErrorOutput) -> EventDetails) -> EventDetails {
    let (error, cause) = (error(), cause());
    make(queue(), ErrorOutput { error, cause })
}

fn iteration(make: fn(Arc<str>, u64) -> EventDetails) -> EventDetails {
    make(name(), 7)
}

fn of_executions_and_states() -> Vec<EventDetails> {
    use EventDetails as E;
    vec![
        E::ExecutionStarted {
            input_text: None,
            input: value(),
            role_arn: "arn:role".to_owned(),
        },
        E::ExecutionRedriven { redrive_count: 2 },
        E::ExecutionSucceeded { output: value() },
        failed(|error, cause| E::ExecutionFailed(ErrorOutput { error, cause })),
        failed(|error, cause| E::ExecutionTimedOut(ErrorOutput { error, cause })),
        failed(|error, cause| E::ExecutionAborted(ErrorOutput { error, cause })),
        E::StateEntered {
            input_text: None,
            state_type: StateType::Pass,
            name: name(),
            input: value(),
        },
        E::StateExited {
            state_type: StateType::Pass,
            name: name(),
            output: value(),
            assigned_variables: vec![],
        },
    ]
}

fn of_tasks() -> Vec<EventDetails> {
    use EventDetails as E;
    vec![
        E::LambdaFunctionScheduled {
            resource: "arn:f".to_owned(),
            input: value(),
            timeout_in_seconds: Some(5),
            task_credentials: Some(json!({"RoleArn": "arn:other"})),
        },
        failed(|error, cause| E::LambdaFunctionScheduleFailed(ErrorOutput { error, cause })),
        failed(|error, cause| E::LambdaFunctionStartFailed(ErrorOutput { error, cause })),
        failed(|error, cause| E::ActivityScheduleFailed(ErrorOutput { error, cause })),
        failed_task(|task, error_output| E::TaskStartFailed { task, error_output }),
        failed_task(|task, error_output| E::TaskSubmitFailed { task, error_output }),
        failed_task(|task, error_output| E::TaskFailed { task, error_output }),
        failed_task(|task, error_output| E::TaskTimedOut { task, error_output }),
        E::LambdaFunctionStarted,
        E::LambdaFunctionSucceeded { output: value() },
        failed(|error, cause| E::LambdaFunctionFailed(ErrorOutput { error, cause })),
        failed(|error, cause| E::LambdaFunctionTimedOut(ErrorOutput { error, cause })),
        E::ActivityScheduled {
            resource: "arn:activity".to_owned(),
            input: value(),
            timeout_in_seconds: Some(5),
            heartbeat_in_seconds: Some(1),
        },
        E::ActivityStarted {
            worker_name: some("worker"),
        },
        E::ActivitySucceeded { output: value() },
        failed(|error, cause| E::ActivityFailed(ErrorOutput { error, cause })),
        failed(|error, cause| E::ActivityTimedOut(ErrorOutput { error, cause })),
        E::TaskScheduled {
            task: queue(),
            region: "us-east-1".to_owned(),
            parameters: value(),
            timeout_in_seconds: Some(600),
            heartbeat_in_seconds: Some(5),
            task_credentials: Some(json!({"RoleArn": "arn:other"})),
        },
        E::TaskStarted { task: queue() },
        E::TaskSubmitted {
            task: queue(),
            output: Some(value()),
        },
        E::TaskSucceeded {
            task: queue(),
            output: value(),
        },
    ]
}

fn of_maps_and_parallels() -> Vec<EventDetails> {
    use EventDetails as E;
    vec![
        E::MapStateStarted { length: 3 },
        E::MapStateSucceeded,
        E::MapStateFailed,
        iteration(|name, index| E::MapIterationStarted { name, index }),
        iteration(|name, index| E::MapIterationSucceeded { name, index }),
        iteration(|name, index| E::MapIterationFailed { name, index }),
        iteration(|name, index| E::MapIterationAborted { name, index }),
        E::StateAborted {
            state_type: StateType::Task,
        },
        E::ParallelStateStarted,
        E::ParallelStateSucceeded,
        E::ParallelStateFailed,
        E::MapRunStarted {
            map_run_arn: "arn:run".to_owned(),
        },
        E::MapRunSucceeded,
        failed(|error, cause| E::MapRunFailed(ErrorOutput { error, cause })),
        E::MapRunRedriven {
            map_run_arn: "arn:run".to_owned(),
            redrive_count: 1,
        },
        E::EvaluationFailed {
            state: name(),
            location: some("Output"),
            error: "States.QueryEvaluationError".to_owned(),
            cause: "nothing".to_owned(),
        },
    ]
}

#[test]
fn an_event_without_details_has_four_members() {
    let shown = event(EventDetails::MapRunSucceeded).to_json();
    assert_eq!(
        shown.to_string(),
        r#"{"timestamp":"2016-03-14T01:59:00.000Z","type":"MapRunSucceeded","id":3,"previousEventId":2}"#
    );
}

#[test]
fn input_and_output_are_compact_json_texts() {
    let input = data(json!({"b": "é\"", "a": [1, null]}));
    let entered = EventDetails::StateEntered {
        input_text: None,
        state_type: StateType::Pass,
        name: "P".into(),
        input,
    };
    assert_eq!(
        details(entered),
        (
            "stateEnteredEventDetails".to_owned(),
            json!({
                "name": "P",
                "input": r#"{"b":"é\"","a":[1,null]}"#,
                "inputDetails": {"truncated": false},
            })
        )
    );
    let exited = EventDetails::StateExited {
        state_type: StateType::Pass,
        name: "P".into(),
        output: data(json!("text")),
        assigned_variables: vec![],
    };
    assert_eq!(
        details(exited).1,
        json!({"name": "P", "output": r#""text""#, "outputDetails": {"truncated": false}})
    );
}

#[test]
fn absent_parts_of_a_failure_are_left_out() {
    let failed =
        |error, cause| details(EventDetails::ExecutionFailed(ErrorOutput { error, cause })).1;
    assert_eq!(failed(None, None), json!({}));
    assert_eq!(failed(some("E"), None), json!({"error": "E"}));
    assert_eq!(failed(None, some("C")), json!({"cause": "C"}));
}

#[test]
fn a_scheduled_task_shows_its_request() {
    let scheduled = |timeout_in_seconds, heartbeat_in_seconds, task_credentials| {
        details(EventDetails::TaskScheduled {
            task: queue(),
            region: "us-east-1".to_owned(),
            parameters: data(json!({"QueueUrl": "q"})),
            timeout_in_seconds,
            heartbeat_in_seconds,
            task_credentials,
        })
    };
    let credentials = json!({"RoleArn": "arn:other", "Note": "not shown"});
    assert_eq!(
        scheduled(Some(600), Some(5), Some(credentials)).1,
        json!({
            "resourceType": "sqs",
            "resource": "sendMessage.waitForTaskToken",
            "region": "us-east-1",
            "parameters": r#"{"QueueUrl":"q"}"#,
            "timeoutInSeconds": 600,
            "heartbeatInSeconds": 5,
            "taskCredentials": {"roleArn": "arn:other"},
        })
    );
    let plain = scheduled(None, None, None).1;
    assert_eq!(plain.as_object().map(serde_json::Map::len), Some(4));
}

#[test]
fn a_scheduled_function_and_activity_show_their_request() {
    let input = data(json!({}));
    let function = EventDetails::LambdaFunctionScheduled {
        resource: "arn:f".to_owned(),
        input: input.clone(),
        timeout_in_seconds: Some(9),
        task_credentials: Some(json!({"RoleArn": "arn:other"})),
    };
    assert_eq!(
        details(function).1,
        json!({
            "resource": "arn:f",
            "input": "{}",
            "inputDetails": {"truncated": false},
            "timeoutInSeconds": 9,
            "taskCredentials": {"roleArn": "arn:other"},
        })
    );
    let activity = EventDetails::ActivityScheduled {
        resource: "arn:a".to_owned(),
        input,
        timeout_in_seconds: None,
        heartbeat_in_seconds: Some(2),
    };
    assert_eq!(
        details(activity).1,
        json!({
            "resource": "arn:a",
            "input": "{}",
            "inputDetails": {"truncated": false},
            "heartbeatInSeconds": 2,
        })
    );
}

#[test]
fn what_happened_to_a_task_names_its_resource() {
    let timed_out = EventDetails::TaskTimedOut {
        task: queue(),
        error_output: ErrorOutput {
            error: error(),
            cause: None,
        },
    };
    assert_eq!(
        details(timed_out).1,
        json!({
            "resourceType": "sqs",
            "resource": "sendMessage.waitForTaskToken",
            "error": "States.TaskFailed",
        })
    );
    let submitted = |output| {
        details(EventDetails::TaskSubmitted {
            task: queue(),
            output,
        })
        .1
    };
    assert_eq!(submitted(None).get("outputDetails"), None);
    assert_eq!(submitted(Some(data(json!([]))))["output"], "[]");
    let started = details(EventDetails::ActivityStarted { worker_name: None }).1;
    assert_eq!(started, json!({}));
}

#[test]
fn an_iteration_has_the_name_of_its_map_and_its_index() {
    let failed = EventDetails::MapIterationFailed {
        name: "Each".into(),
        index: 4,
    };
    assert_eq!(
        details(failed),
        (
            "mapIterationFailedEventDetails".to_owned(),
            json!({"name": "Each", "index": 4})
        )
    );
    let started = EventDetails::MapStateStarted { length: 0 };
    assert_eq!(details(started).1, json!({"length": 0}));
}

#[test]
fn a_failed_evaluation_says_where() {
    let shown = |location| {
        details(EventDetails::EvaluationFailed {
            state: "Compute".into(),
            location,
            error: "States.QueryEvaluationError".to_owned(),
            cause: "nothing".to_owned(),
        })
        .1
    };
    assert_eq!(
        shown(some("Output")),
        json!({
            "error": "States.QueryEvaluationError",
            "cause": "nothing",
            "location": "Output",
            "state": "Compute",
        })
    );
    assert_eq!(shown(None).get("location"), None);
}

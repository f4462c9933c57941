//! Activities, task tokens, and one state at a time.
use crate::client::{Api, PREFIX, ROLE, message};
use asl_server::ServerOptions;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt;

async fn activity(api: &Api) -> (String, String) {
    let created = api.call("CreateActivity", json!({"name": "a"})).await;
    let activity = created["activityArn"].as_str().unwrap().to_owned();
    let definition = json!({"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": activity, "End": true}}});
    let machine = api.machine("m", &definition).await;
    (activity, machine)
}

fn briefly() -> ServerOptions {
    let mut options = ServerOptions::default();
    options.activity_wait = Duration::from_millis(50);
    options
}

#[tokio::test]
async fn a_worker_takes_a_task_and_answers_it() {
    let api = Api::new().await;
    let (activity, machine) = activity(&api).await;
    let execution = api.start(&machine, "e").await;
    let task = api
        .call(
            "GetActivityTask",
            json!({"activityArn": activity, "workerName": "w"}),
        )
        .await;
    assert_eq!(task["input"], "{}");
    let token = &task["taskToken"];
    api.call("SendTaskHeartbeat", json!({"taskToken": token}))
        .await;
    let refused = api
        .refused(
            "SendTaskSuccess",
            json!({"taskToken": token, "output": "{"}),
        )
        .await;
    assert_eq!(refused.0, "InvalidOutput");
    api.call(
        "SendTaskSuccess",
        json!({"taskToken": token, "output": "[1]"}),
    )
    .await;
    assert_eq!(api.ended(&execution).await["output"], "[1]");
    let refused = api
        .refused("SendTaskFailure", json!({"taskToken": "x"}))
        .await;
    assert_eq!(refused.0, "InvalidToken");
}

/// Recorded: the execution fails as it enters the state.
#[tokio::test]
async fn a_task_of_a_deleted_activity_fails_the_execution() {
    let api = Api::new().await;
    let (activity, machine) = activity(&api).await;
    api.call("DeleteActivity", json!({"activityArn": activity}))
        .await;
    let execution = api.start(&machine, "deleted").await;
    let ended = api.ended(&execution).await;
    assert_eq!(ended["error"], "States.Runtime");
    let cause = format!(
        "An error occurred while executing the state 'A' (entered at the event id #2). The activity {activity} does not exist."
    );
    assert_eq!(ended["cause"], cause);
    api.call("CreateActivity", json!({"name": "a"})).await;
    let execution = api.start(&machine, "created-again").await;
    let task = json!({"activityArn": activity});
    let task = api.call("GetActivityTask", task).await;
    let reply = json!({"taskToken": task["taskToken"], "output": "1"});
    api.call("SendTaskSuccess", reply).await;
    assert_eq!(api.ended(&execution).await["output"], "1");
}

#[tokio::test]
async fn a_worker_that_waits_in_vain_gets_no_token() {
    let api = Api::with(briefly()).await;
    let (activity, _) = activity(&api).await;
    let none = api
        .call("GetActivityTask", json!({"activityArn": activity}))
        .await;
    assert_eq!(none, json!({"taskToken": null}));
    let missing = format!("{PREFIX}:activity:b");
    let refused = api
        .refused("GetActivityTask", json!({"activityArn": missing}))
        .await;
    assert_eq!(refused.1, format!("Activity Does Not Exist: '{missing}'"));
}

#[tokio::test]
async fn a_worker_that_left_has_taken_no_task() {
    let api = Api::new().await;
    let (activity, machine) = activity(&api).await;
    let poll = message(
        "GetActivityTask",
        "",
        &json!({"activityArn": activity}).to_string(),
    );
    let mut worker = api.connect().await;
    worker.write_all(poll.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(worker);
    tokio::time::sleep(Duration::from_millis(50)).await;
    api.start(&machine, "e").await;
    let task = api
        .call("GetActivityTask", json!({"activityArn": activity}))
        .await;
    assert!(task["taskToken"].is_string());
}

#[tokio::test]
async fn no_more_workers_wait_than_may() {
    let mut options = ServerOptions::default();
    options.max_waiting_workers = 1;
    options.activity_wait = Duration::from_millis(300);
    let api = Api::with(options).await;
    let (activity, _) = activity(&api).await;
    let poll = || api.request("GetActivityTask", json!({"activityArn": activity}));
    let first = tokio::spawn(poll());
    tokio::time::sleep(Duration::from_millis(50)).await;
    let refused = poll().await;
    assert_eq!(
        (refused.status, &*refused.code()),
        (400, "ActivityWorkerLimitExceeded")
    );
    assert_eq!(first.await.unwrap().status, 200);
    assert_eq!(poll().await.status, 200);
}

#[tokio::test]
async fn workers_are_sent_home_when_the_server_stops() {
    workers_are_sent_home(Api::new().await).await;
}

#[tokio::test]
async fn workers_are_sent_home_when_an_application_with_the_api_stops() {
    let api = Api::in_application().await;
    let health = api
        .send("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        .await;
    assert_eq!((health.status, &*health.text), (200, "of the application"));
    workers_are_sent_home(api).await;
}

/// Stops a server while a worker waits for a minute.
async fn workers_are_sent_home(api: Api) {
    let (activity, _) = activity(&api).await;
    let poll = api.request("GetActivityTask", json!({"activityArn": activity}));
    let waiting = tokio::spawn(poll);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let stopped = tokio::time::timeout(Duration::from_secs(30), api.stop()).await;
    stopped.expect("the server stops before the worker has waited for a minute");
    assert_eq!(waiting.await.unwrap().json(), json!({"taskToken": null}));
}

#[tokio::test]
async fn a_state_is_tested_and_a_definition_checked() {
    let api = Api::new().await;
    let state = json!({"Type": "Pass", "Parameters": {"id.$": "$$.StateMachine.Id"}, "End": true});
    let tested = api
        .call("TestState", json!({"definition": state.to_string()}))
        .await;
    assert_eq!(tested["status"], "SUCCEEDED");
    let output: Value = serde_json::from_str(tested["output"].as_str().unwrap()).unwrap();
    assert_eq!(output["id"], format!("{PREFIX}:stateMachine:TestState"));
    let task = json!({"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
        "Parameters": {"FunctionName": "f"}, "End": true});
    let refused = api.refused("TestState", json!({"definition": task.to_string()}));
    // Without a role.
    assert_eq!(refused.await.0, "ValidationException");
    let validated = api
        .call(
            "ValidateStateMachineDefinition",
            json!({"definition": "{}"}),
        )
        .await;
    assert_eq!(
        (&validated["result"], &validated["truncated"]),
        (&json!("FAIL"), &json!(false))
    );
}

#[tokio::test]
async fn a_task_without_a_mock_is_performed_for_who_asks() {
    let api = Api::new().await;
    let test = |resource: &str| {
        let parameters = match resource.contains("createActivity") {
            true => json!({"Name.$": "$.Name"}),
            false => json!({"QueueUrl": "q", "MessageBody": "m", "StateMachineArn": "a"}),
        };
        let state = json!({"Type": "Task", "Resource": resource, "Parameters": parameters, "End": true,
            "Catch": [{"ErrorEquals": ["States.TaskFailed"], "Next": "Caught"}]});
        json!({"definition": state.to_string(), "roleArn": ROLE, "input": "{\"Name\": \"a\"}"})
    };
    let create = "arn:aws:states:::aws-sdk:sfn:createActivity";
    let tested = api.call("TestState", test(create)).await;
    assert_eq!(tested["status"], "SUCCEEDED", "{tested}");
    let output: Value = serde_json::from_str(tested["output"].as_str().unwrap()).unwrap();
    assert_eq!(output["ActivityArn"], format!("{PREFIX}:activity:a"));
    for (resource, why) in [
        ("arn:aws:states:::sqs:sendMessage", "nothing performs"),
        (
            "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
            "mock the state",
        ),
        (
            "arn:aws:states:::states:startExecution.sync",
            "mock the state",
        ),
        (&format!("{PREFIX}:activity:a"), "mock the state"),
    ] {
        let tested = api.call("TestState", test(resource)).await;
        assert_eq!(tested["status"], "CAUGHT_ERROR", "{tested}");
        let cause = tested["cause"].as_str().unwrap();
        assert!(cause.contains(why), "{cause}");
    }
}

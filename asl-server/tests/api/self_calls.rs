//! Executions that ask something of the API that serves them.
use crate::client::{Api, PREFIX, ROLE, pass};
use serde_json::{Value, json};

/// Returns a state machine of one task.
fn calling(action: &str, parameters: &Value) -> Value {
    let resource = format!("arn:aws:states:::{action}");
    json!({"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": resource, "Parameters": parameters, "End": true}}})
}

/// Runs an execution of one task, and returns its description at the end.
async fn ended(api: &Api, action: &str, parameters: &Value) -> Value {
    let name = action.replace(':', "-");
    let caller = api.machine(&name, &calling(action, parameters)).await;
    let execution = api.start(&caller, "e").await;
    api.ended(&execution).await
}

fn output(ended: &Value) -> Value {
    let output = ended["output"]
        .as_str()
        .unwrap_or_else(|| panic!("{ended}"));
    serde_json::from_str(output).unwrap()
}

#[tokio::test]
async fn an_execution_starts_another_with_any_json_as_its_input() {
    let api = Api::new().await;
    let machine = api.machine("m", &pass()).await;
    let parameters = json!({"StateMachineArn": machine, "Name": "child", "Input": {"a": [1]}});
    let answer = output(&ended(&api, "states:startExecution", &parameters).await);
    assert_eq!(
        answer["ExecutionArn"],
        format!("{PREFIX}:execution:m:child")
    );
    assert!(answer["StartDate"].is_i64(), "{answer}");
    assert_eq!(answer["SdkHttpMetadata"]["HttpStatusCode"], 200);
    assert!(answer["SdkResponseMetadata"]["RequestId"].is_string());
    let child = api.ended(&format!("{PREFIX}:execution:m:child")).await;
    assert_eq!(child["input"], r#"{"a":[1]}"#);
}

#[tokio::test]
async fn a_task_waits_for_the_execution_it_started_in_the_form_it_asked_for() {
    let api = Api::new().await;
    let machine = api.machine("m", &pass()).await;
    for (suffix, form) in [("sync", "Text"), ("sync:2", "Json")] {
        // Without a name: the task makes one.
        let parameters = json!({"StateMachineArn": machine, "Input": {"a": 1}});
        let action = format!("states:startExecution.{suffix}");
        let answer = output(&ended(&api, &action, &parameters).await);
        assert_eq!(answer, json!({"Form": form, "Output": {"a": 1}}));
    }
}

#[tokio::test]
async fn a_task_with_a_token_waits_for_the_token() {
    let api = Api::new().await;
    let child = calling(
        "aws-sdk:sfn:sendTaskSuccess",
        &json!({"TaskToken.$": "$.Token", "Output": {"done": true}}),
    );
    let machine = api.machine("m", &child).await;
    let parameters = json!({"StateMachineArn": machine, "Input": {"Token.$": "$$.Task.Token"}});
    let action = "states:startExecution.waitForTaskToken";
    let answer = output(&ended(&api, action, &parameters).await);
    assert_eq!(answer, json!({"done": true}));
}

#[tokio::test]
async fn what_the_api_refuses_fails_the_task_as_its_sdk_says() {
    let api = Api::new().await;
    let missing = format!("{PREFIX}:stateMachine:missing");
    let parameters = json!({"StateMachineArn": missing});
    let failed = ended(&api, "states:startExecution.sync", &parameters).await;
    assert_eq!(
        failed["error"],
        "StepFunctions.StateMachineDoesNotExistException"
    );
    let start = format!(
        "State Machine Does Not Exist: '{missing}' (Service: AWSStepFunctions; Status Code: 400; Error Code: \
         StateMachineDoesNotExist; Request ID: "
    );
    assert!(
        failed["cause"].as_str().unwrap().starts_with(&start),
        "{failed}"
    );
    let parameters = json!({"TaskToken": "x", "Output": "1"});
    let failed = ended(&api, "aws-sdk:sfn:sendTaskSuccess", &parameters).await;
    assert_eq!(failed["error"], "Sfn.InvalidTokenException");
}

#[tokio::test]
async fn constraints_hold_for_tasks_too() {
    let api = Api::new().await;
    let parameters = json!({"MaxResults": 1001});
    let failed = ended(&api, "aws-sdk:sfn:listStateMachines", &parameters).await;
    assert_eq!(failed["error"], "Sfn.ValidationException");
}

#[tokio::test]
async fn executions_that_take_no_callbacks_are_not_waited_for() {
    let api = Api::new().await;
    let request =
        json!({"name": "m", "definition": pass().to_string(), "roleArn": ROLE, "type": "EXPRESS"});
    let machine = api.call("CreateStateMachine", request).await["stateMachineArn"].clone();
    let parameters = json!({"StateMachineArn": machine});
    let failed = ended(&api, "states:startExecution.sync", &parameters).await;
    assert_eq!(
        failed["error"],
        "StepFunctions.StateMachineTypeNotSupportedException"
    );
    let synchronous = ended(&api, "aws-sdk:sfn:startSyncExecution", &parameters).await;
    assert_eq!(output(&synchronous)["Status"], "SUCCEEDED");
}

#[tokio::test]
async fn a_call_is_in_the_account_and_region_of_its_execution() {
    let api = Api::new().await;
    let headers = "Authorization: AWS4-HMAC-SHA256 Credential=111111111111/20260101/eu-west-1/states/aws4_request\r\n";
    let definition = calling("aws-sdk:sfn:listStateMachines", &json!({}));
    let request = json!({"name": "theirs", "definition": definition.to_string(), "roleArn": ROLE});
    let created = api
        .with_headers("CreateStateMachine", headers, &request)
        .await;
    let machine = created.json()["stateMachineArn"]
        .as_str()
        .unwrap()
        .to_owned();
    api.machine("ours", &pass()).await;
    let execution = api.start(&machine, "e").await;
    let listed = output(&api.ended(&execution).await);
    let names = listed["StateMachines"].as_array().unwrap().iter();
    let names: Vec<&Value> = names.map(|machine| &machine["Name"]).collect();
    assert_eq!(names, ["theirs"]);
}

//! Executions: started, reported, listed, stopped.
use crate::client::{Api, PREFIX, ROLE, pass, wait};
use serde_json::{Value, json};

#[tokio::test]
async fn an_input_is_kept_as_it_was_sent() {
    let api = Api::new().await;
    let machine = api.machine("m", &pass()).await;
    let input = "{ \"b\" : 1,\n \"a\":[ ] }";
    let request =
        json!({"stateMachineArn": machine, "name": "e", "input": input, "traceHeader": "Root=1"});
    let started = api.call("StartExecution", request).await;
    let arn = started["executionArn"].as_str().unwrap();
    assert_eq!(arn, format!("{PREFIX}:execution:m:e"));
    let described = api.ended(arn).await;
    assert_eq!(
        (&described["input"], &described["output"]),
        (&json!(input), &json!(r#"{"b":1,"a":[]}"#))
    );
    assert_eq!(
        (&described["redriveStatus"], &described["traceHeader"]),
        (&json!("NOT_REDRIVABLE"), &json!("Root=1"))
    );
    assert_eq!(
        described["redriveStatusReason"],
        "Execution is SUCCEEDED and cannot be redriven"
    );
    let metadata = json!({"executionArn": arn, "includedData": "METADATA_ONLY"});
    let metadata = api.call("DescribeExecution", metadata).await;
    assert_eq!(
        (metadata.get("input"), &metadata["inputDetails"]),
        (None, &json!({"included": false}))
    );
}

#[tokio::test]
async fn a_start_said_again_is_the_same_start() {
    let api = Api::new().await;
    let machine = api.machine("m", &wait()).await;
    let request = json!({"stateMachineArn": machine, "name": "e", "input": "{}"});
    let first = api.call("StartExecution", request.clone()).await;
    assert_eq!(api.call("StartExecution", request).await, first);
    let other = json!({"stateMachineArn": machine, "name": "e", "input": "{ }"});
    let refused = api.refused("StartExecution", other).await;
    assert_eq!(
        refused,
        (
            "ExecutionAlreadyExists".into(),
            format!("Execution Already Exists: '{PREFIX}:execution:m:e'")
        )
    );
    let stop = json!({"executionArn": first["executionArn"], "error": "E", "cause": "C"});
    let stopped = api.call("StopExecution", stop.clone()).await;
    assert_eq!(api.call("StopExecution", stop).await, stopped);
    let described = api.ended(first["executionArn"].as_str().unwrap()).await;
    assert_eq!(described["status"], "ABORTED");
    assert_eq!(
        (&described["error"], &described["cause"]),
        (&json!("E"), &json!("C"))
    );
    assert_eq!(described["redriveStatus"], "REDRIVABLE");
}

#[tokio::test]
async fn histories_are_given_by_pages_both_ways() {
    let api = Api::new().await;
    let machine = api.machine("m", &pass()).await;
    let execution = api.start(&machine, "e").await;
    api.ended(&execution).await;
    for (reverse, expected) in [(false, [1, 2, 3, 4]), (true, [4, 3, 2, 1])] {
        let mut request =
            json!({"executionArn": execution, "maxResults": 3, "reverseOrder": reverse});
        let first = api.call("GetExecutionHistory", request.clone()).await;
        request["nextToken"] = first["nextToken"].clone();
        let second = api.call("GetExecutionHistory", request).await;
        assert!(second.get("nextToken").is_none());
        let events = [&first, &second]
            .map(|page| page["events"].as_array().unwrap().clone())
            .concat();
        let ids: Vec<i64> = events
            .iter()
            .map(|event| event["id"].as_i64().unwrap())
            .collect();
        assert_eq!(ids, expected);
        assert!(events.iter().all(|event| event["timestamp"].is_f64()));
    }
    let bare = json!({"executionArn": execution, "includeExecutionData": false});
    let bare = api.call("GetExecutionHistory", bare).await;
    assert_eq!(
        bare["events"][0]["executionStartedEventDetails"],
        json!({"roleArn": ROLE})
    );
}

#[tokio::test]
async fn executions_are_listed_by_what_started_them() {
    let api = Api::new().await;
    let machine = api.machine("m", &pass()).await;
    api.call(
        "PublishStateMachineVersion",
        json!({"stateMachineArn": machine}),
    )
    .await;
    let version = format!("{machine}:1");
    let routes = json!([{"stateMachineVersionArn": version, "weight": 100}]);
    api.call(
        "CreateStateMachineAlias",
        json!({"name": "PROD", "routingConfiguration": routes}),
    )
    .await;
    let alias = format!("{machine}:PROD");
    for (by, name) in [(&machine, "one"), (&version, "two"), (&alias, "three")] {
        let execution = api.start(by, name).await;
        api.ended(&execution).await;
    }
    let listed = async |request: Value| -> Vec<String> {
        let listed = api.call("ListExecutions", request).await;
        let executions = listed["executions"].as_array().unwrap().iter();
        executions
            .map(|it| it["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        listed(json!({"stateMachineArn": machine})).await,
        ["three", "two", "one"]
    );
    assert_eq!(
        listed(json!({"stateMachineArn": version})).await,
        ["three", "two"]
    );
    assert_eq!(listed(json!({"stateMachineArn": alias})).await, ["three"]);
    assert_eq!(
        listed(json!({"stateMachineArn": machine, "statusFilter": "FAILED"})).await,
        [""; 0]
    );
    let first = api
        .call(
            "ListExecutions",
            json!({"stateMachineArn": machine, "maxResults": 1}),
        )
        .await;
    let next = json!({"stateMachineArn": machine, "nextToken": first["nextToken"]});
    assert_eq!(listed(next).await, ["two", "one"]);
    let described = api.ended(&format!("{PREFIX}:execution:m:three")).await;
    assert_eq!(
        (
            &described["stateMachineAliasArn"],
            &described["stateMachineVersionArn"]
        ),
        (&json!(alias), &json!(version))
    );
    assert_eq!(described["stateMachineArn"], machine);
}

#[tokio::test]
async fn an_execution_keeps_what_its_state_machine_was() {
    let api = Api::new().await;
    let machine = api.machine("m", &wait()).await;
    let execution = api.start(&machine, "e").await;
    let update = json!({"stateMachineArn": machine, "definition": pass().to_string(), "roleArn": format!("{ROLE}2")});
    api.call("UpdateStateMachine", update).await;
    let named = json!({"executionArn": execution});
    let described = api.call("DescribeStateMachineForExecution", named).await;
    assert_eq!(
        (&described["definition"], &described["roleArn"]),
        (&json!(wait().to_string()), &json!(ROLE))
    );
    assert_eq!(
        (&described["name"], &described["stateMachineArn"]),
        (&json!("m"), &json!(machine))
    );
    assert!(described["updateDate"].is_f64() && described.get("revisionId").is_none());
}

#[tokio::test]
async fn express_executions_are_waited_for_or_not_told_of() {
    let api = Api::new().await;
    let fail =
        json!({"StartAt": "A", "States": {"A": {"Type": "Fail", "Error": "E", "Cause": "C"}}});
    let request =
        json!({"name": "x", "definition": fail.to_string(), "roleArn": ROLE, "type": "EXPRESS"});
    let created = api.call("CreateStateMachine", request).await;
    let machine = created["stateMachineArn"].as_str().unwrap();
    let named = json!({"stateMachineArn": machine, "name": "e", "input": "[ ]"});
    let ended = api.call("StartSyncExecution", named.clone()).await;
    assert_eq!(
        (&ended["status"], &ended["error"], &ended["cause"]),
        (&json!("FAILED"), &json!("E"), &json!("C"))
    );
    assert_eq!(
        (&ended["input"], &ended["name"]),
        (&json!("[ ]"), &json!("e"))
    );
    assert_eq!(
        ended["billingDetails"],
        json!({"billedDurationInMilliseconds": 100, "billedMemoryUsedInMB": 64})
    );
    let express = format!("{PREFIX}:express:x:e:");
    assert!(
        ended["executionArn"]
            .as_str()
            .unwrap()
            .starts_with(&express)
    );
    let first = api.call("StartExecution", named.clone()).await;
    assert_ne!(
        api.call("StartExecution", named).await["executionArn"],
        first["executionArn"]
    );
    let refused = api
        .refused(
            "DescribeExecution",
            json!({"executionArn": first["executionArn"]}),
        )
        .await;
    assert_eq!(
        refused.1,
        "Invalid Arn: 'Resource type not valid in this context: express'"
    );
    let refused = api
        .refused("ListExecutions", json!({"stateMachineArn": machine}))
        .await;
    assert_eq!(refused.0, "StateMachineTypeNotSupported");
    let standard = api.machine("m", &pass()).await;
    let refused = api
        .refused("StartSyncExecution", json!({"stateMachineArn": standard}))
        .await;
    assert_eq!(refused.0, "StateMachineTypeNotSupported");
}

#[tokio::test]
async fn what_is_not_there_is_told_by_its_name() {
    let api = Api::new().await;
    let execution = format!("{PREFIX}:execution:m:e");
    let message = format!("Execution Does Not Exist: '{execution}'");
    for operation in [
        "DescribeExecution",
        "GetExecutionHistory",
        "StopExecution",
        "ListMapRuns",
        "RedriveExecution",
        "DescribeStateMachineForExecution",
    ] {
        let refused = api
            .refused(operation, json!({"executionArn": execution}))
            .await;
        assert_eq!(
            refused,
            ("ExecutionDoesNotExist".into(), message.clone()),
            "{operation}"
        );
    }
    let run = json!({"mapRunArn": format!("{PREFIX}:mapRun:m/l:1")});
    for operation in ["DescribeMapRun", "UpdateMapRun", "ListExecutions"] {
        assert_eq!(
            api.refused(operation, run.clone()).await.0,
            "ResourceNotFound",
            "{operation}"
        );
    }
    assert_eq!(
        api.refused("ListExecutions", json!({})).await.0,
        "ValidationException"
    );
}

#[tokio::test]
async fn a_redrive_is_refused_with_why() {
    let api = Api::new().await;
    let machine = api.machine("m", &wait()).await;
    let execution = api.start(&machine, "e").await;
    let refused = api
        .refused("RedriveExecution", json!({"executionArn": execution}))
        .await;
    assert_eq!(
        refused,
        (
            "ExecutionNotRedrivable".into(),
            "Execution is RUNNING and cannot be redriven".into()
        )
    );
}

#[tokio::test]
async fn a_test_case_is_behind_the_arn_of_the_machine() {
    let api = Api::new().await;
    let machine = api.machine("m", &pass()).await;
    let execution = api.start(&format!("{machine}#Busy"), "e").await;
    assert_eq!(execution, format!("{PREFIX}:execution:m:e"));
    let described = api.ended(&execution).await;
    assert_eq!(described["stateMachineArn"], machine);
    // The backend was reported it: this one shows it as the trace header.
    assert_eq!(described["traceHeader"], "case Busy");
}

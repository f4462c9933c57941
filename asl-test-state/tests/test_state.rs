//! Requests in, responses out: the rules of the TestState API, each as recorded from the service unless it says otherwise.
use asl_model::Timestamp;
use asl_test_state::{TestStateRequest, Tester};
use serde_json::{Value, json};

fn answered(request: Value) -> Value {
    let read = TestStateRequest::from_value(&request);
    let mut tester = Tester::new(Timestamp::from_milliseconds(0));
    match read.and_then(|request| tester.test(&request)) {
        Ok(response) => response.to_readable(),
        Err(error) => error.to_value(),
    }
}

/// Returns a request of a state, with more members.
fn of(state: Value, members: Value) -> Value {
    let mut request = json!({"definition": state, "inspectionLevel": "DEBUG"});
    for (name, value) in members.as_object().expect("members") {
        request[name] = value.clone();
    }
    answered(request)
}

fn message(answer: &Value) -> &str {
    answer["Error"]["Message"].as_str().unwrap_or_default()
}

fn task(fields: Value) -> Value {
    let mut state = json!({"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true,
            "Parameters": {"FunctionName": "f", "Payload.$": "$"}});
    let fields = fields.as_object().expect("fields");
    if fields.contains_key("Arguments")
        && let Some(state) = state.as_object_mut()
    {
        state.remove("Parameters");
    }
    for (name, value) in fields {
        state[name] = value.clone();
    }
    state
}

fn map(fields: Value) -> Value {
    let mut state = json!({"Type": "Map", "End": true,
        "ItemProcessor": {"StartAt": "Item", "States": {"Item": {"Type": "Pass", "End": true}}}});
    for (name, value) in fields.as_object().expect("fields") {
        state[name] = value.clone();
    }
    state
}

fn parallel() -> Value {
    let branch = |name: &str| json!({"StartAt": name, "States": {name: {"Type": "Succeed"}}});
    json!({"Type": "Parallel", "Branches": [branch("A"), branch("B")], "End": true})
}

#[test]
fn a_json_path_state_shows_every_step_and_a_jsonata_state_what_it_wrote() {
    let pass = of(
        json!({"Type": "Pass", "InputPath": "$.a", "End": true}),
        json!({"input": {"a": {"b": 1}}}),
    );
    assert_eq!(
        pass["inspectionData"],
        json!({"input": {"a": {"b": 1}}, "afterInputPath": {"b": 1}, "afterParameters": {"b": 1},
            "afterResultSelector": {"b": 1}, "afterResultPath": {"b": 1}})
    );
    let jsonata = of(
        json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% 1 %}", "End": true}),
        json!({"input": [1]}),
    );
    assert_eq!(jsonata["output"], 1);
    assert_eq!(jsonata["inspectionData"], json!({"input": [1]}));
}

#[test]
fn a_pass_state_with_a_result_reads_no_input() {
    let answer = of(
        json!({"Type": "Pass", "Result": 1, "ResultPath": "$.r", "Next": "B"}),
        json!({"input": {"a": 2}}),
    );
    assert_eq!(
        answer,
        json!({"status": "SUCCEEDED", "nextState": "B", "output": {"a": 2, "r": 1},
            "inspectionData": {"input": {"a": 2}, "result": 1, "afterResultSelector": 1, "afterResultPath": {"a": 2, "r": 1}}})
    );
}

#[test]
fn states_without_a_result_show_their_input_path_alone() {
    let states = [
        json!({"Type": "Succeed"}),
        json!({"Type": "Wait", "Seconds": 299, "Next": "B"}),
        json!({"Type": "Choice", "Choices": [{"Variable": "$.a", "IsPresent": true, "Next": "B"}]}),
    ];
    for state in states {
        let answer = of(state, json!({"input": {"a": 2}}));
        assert_eq!(answer["status"], "SUCCEEDED");
        assert_eq!(
            answer["inspectionData"],
            json!({"input": {"a": 2}, "afterInputPath": {"a": 2}})
        );
    }
    let failed = of(
        json!({"Type": "Fail", "Error": "E", "Cause": "C"}),
        json!({}),
    );
    assert_eq!(
        failed,
        json!({"status": "FAILED", "error": "E", "cause": "C", "inspectionData": {"input": {}, "afterInputPath": {}}})
    );
}

// Not recorded: the guide says that a state may take five minutes.
#[test]
fn a_wait_of_more_than_five_minutes_times_out() {
    let answer = of(
        json!({"Type": "Wait", "Seconds": 301, "End": true}),
        json!({}),
    );
    assert_eq!(answer["status"], "FAILED");
    assert_eq!(answer["error"], "States.Timeout");
}

#[test]
fn a_level_of_info_shows_the_outcome_alone() {
    let answer = answered(json!({"definition": {"Type": "Succeed"}, "input": "[1]"}));
    assert_eq!(answer, json!({"status": "SUCCEEDED", "output": [1]}));
}

#[test]
fn a_mock_stands_in_for_a_task() {
    let state = task(
        json!({"Parameters": {"FunctionName": "f", "Payload.$": "$.p"},
        "ResultSelector": {"r.$": "$.Payload"}, "ResultPath": "$.r"}),
    );
    let answer = of(
        state,
        json!({"input": {"p": 1}, "mock": {"result": r#"{"Payload": 2}"#}}),
    );
    assert_eq!(
        answer["inspectionData"],
        json!({"input": {"p": 1}, "afterInputPath": {"p": 1}, "afterParameters": {"FunctionName": "f", "Payload": 1},
            "result": {"Payload": 2}, "afterResultSelector": {"r": 2}, "afterResultPath": {"p": 1, "r": {"r": 2}}})
    );
    let jsonata = task(
        json!({"QueryLanguage": "JSONata", "Arguments": {"FunctionName": "f"}, "Output": "{% $states.result.Payload %}"}),
    );
    let answer = of(jsonata, json!({"mock": {"result": {"Payload": 2}}}));
    assert_eq!(
        answer,
        json!({"status": "SUCCEEDED", "output": 2, "inspectionData": {"input": {},
            "afterArguments": {"FunctionName": "f"}, "result": {"Payload": 2}}})
    );
}

#[test]
fn a_mocked_error_is_retried_caught_or_final() {
    let state = task(json!({"Parameters": {"FunctionName": "f"},
        "Retry": [{"ErrorEquals": ["Other"]}, {"ErrorEquals": ["E"], "IntervalSeconds": 3, "MaxAttempts": 2, "BackoffRate": 2.0}],
        "Catch": [{"ErrorEquals": ["E"], "Next": "Mend", "ResultPath": "$.e"}]}));
    let after = |count: u64| {
        of(
            state.clone(),
            json!({"mock": {"errorOutput": {"error": "E", "cause": "C"}}, "stateConfiguration": {"retrierRetryCount": count}}),
        )
    };
    let retried = after(1);
    assert_eq!(retried["status"], "RETRIABLE");
    assert_eq!(
        retried["inspectionData"]["errorDetails"],
        json!({"retryIndex": 1, "retryBackoffIntervalSeconds": 6})
    );
    assert_eq!(
        (&retried["error"], &retried["cause"]),
        (&json!("E"), &json!("C"))
    );
    let caught = after(2);
    assert_eq!(caught["status"], "CAUGHT_ERROR");
    assert_eq!(caught["nextState"], "Mend");
    assert_eq!(caught["output"], json!({"e": {"Error": "E", "Cause": "C"}}));
    assert_eq!(
        caught["inspectionData"]["errorDetails"],
        json!({"retryIndex": 1, "catchIndex": 0})
    );
    let failed = of(
        task(json!({})),
        json!({"mock": {"errorOutput": {"error": "E"}}}),
    );
    assert_eq!(
        (&failed["status"], &failed["error"]),
        (&json!("FAILED"), &json!("E"))
    );
    assert_eq!(failed["inspectionData"].get("errorDetails"), None);
}

#[test]
fn a_map_state_shows_its_items_and_its_limits() {
    let state = map(
        json!({"ItemsPath": "$.items", "ItemSelector": {"i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value"},
        "MaxConcurrency": 2, "ToleratedFailureCount": 1}),
    );
    let answer = of(
        state,
        json!({"input": {"items": ["a", "b"]}, "mock": {"result": [1, 2]}}),
    );
    let data = &answer["inspectionData"];
    assert_eq!(answer["output"], json!([1, 2]));
    assert_eq!(data["afterItemsPath"], json!(["a", "b"]));
    assert_eq!(
        data["afterItemSelector"],
        json!([{"i": 0, "v": "a"}, {"i": 1, "v": "b"}])
    );
    assert_eq!(
        (&data["maxConcurrency"], &data["toleratedFailureCount"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(data["afterResultPath"], json!([1, 2]));
    assert_eq!(data.get("result"), None);
}

// Not recorded: that the items are shown where a selector fails after them.
#[test]
fn a_map_state_without_a_path_shows_its_input_as_items() {
    for (selector, status) in [("$", "SUCCEEDED"), ("$.nothing", "FAILED")] {
        let state = map(json!({"ItemSelector": {"v.$": selector}}));
        let answer = of(state, json!({"input": [1], "mock": {"result": [2]}}));
        assert_eq!(answer["status"], status);
        assert_eq!(answer["inspectionData"]["afterItemsPath"], json!([1]));
    }
}

#[test]
fn iterations_that_failed_are_held_against_what_is_tolerated() {
    let state = map(
        json!({"QueryLanguage": "JSONata", "Items": [1, 2, 3], "ToleratedFailurePercentage": 34,
        "Catch": [{"ErrorEquals": ["States.ExceedToleratedFailureThreshold"], "Next": "B"}]}),
    );
    let failing = |count: u64| {
        of(
            state.clone(),
            json!({"mock": {"result": [1, 2, 3]}, "stateConfiguration": {"mapIterationFailureCount": count}}),
        )
    };
    let tolerated = failing(1);
    assert_eq!(tolerated["status"], "SUCCEEDED");
    assert_eq!(
        tolerated["inspectionData"]["toleratedFailurePercentage"],
        34.0
    );
    let caught = failing(2);
    assert_eq!(caught["status"], "CAUGHT_ERROR");
    assert_eq!(caught["error"], "States.ExceedToleratedFailureThreshold");
    assert_eq!(
        message(&failing(4)),
        "Map iteration failure count must be less than or equal to the number of Map iterations"
    );
}

#[test]
fn an_item_reader_reads_what_it_is_given() {
    let state = json!({"Type": "Map", "End": true,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON", "ItemsPointer": "/all"},
            "Parameters": {"Bucket": "b", "Key": "k"}},
        "ItemBatcher": {"MaxItemsPerBatch": 2},
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "Item", "States": {"Item": {"Type": "Pass", "End": true}}}});
    let answer = of(
        state.clone(),
        json!({"mock": {"result": [1, 2]}, "stateConfiguration": {"mapItemReaderData": r#"{"all": [1, 2, 3]}"#}}),
    );
    let data = &answer["inspectionData"];
    assert_eq!(answer["status"], "SUCCEEDED");
    assert_eq!(data["afterItemsPointer"], json!([1, 2, 3]));
    assert_eq!(
        data["afterItemBatcher"],
        json!([{"Items": [1, 2]}, {"Items": [3]}])
    );
    let unread = of(state, json!({"mock": {"result": [1, 2]}}));
    assert_eq!(unread["output"], json!([1, 2]));
}

#[test]
fn mocks_are_refused_where_they_do_not_go() {
    for state_type in ["Pass", "Succeed"] {
        let mut state = json!({"Type": state_type});
        if state_type == "Pass" {
            state["End"] = true.into();
        }
        let answer = of(state, json!({"mock": {"result": "{}"}}));
        let expected =
            format!("State type '{state_type}' is not supported when a mock is specified");
        assert_eq!(message(&answer), expected);
    }
    let cases = [
        (map(json!({})), json!({}), "Mocked result must be an array."),
        (parallel(), json!({}), "Mocked result must be an array."),
        (
            parallel(),
            json!([1]),
            "Mocked result must contain the same number of items as number of Parallel branches.",
        ),
        (
            task(json!({})),
            json!("not JSON"),
            "Mocked result must be valid JSON",
        ),
    ];
    for (state, result, expected) in cases {
        let answer = of(state, json!({"mock": {"result": result}}));
        assert_eq!(message(&answer), expected);
    }
    let both = of(
        task(json!({})),
        json!({"mock": {"result": "{}", "errorOutput": {"error": "E"}}}),
    );
    assert_eq!(both["Error"]["Code"], "ValidationException");
    let secrets = of(
        task(json!({})),
        json!({"mock": {"result": "{}"}, "revealSecrets": true}),
    );
    assert_eq!(
        message(&secrets),
        "TestState does not support RevealSecrets when a mock is specified."
    );
}

#[test]
fn mocks_are_wanted_where_children_and_services_would_be_asked() {
    for state in [map(json!({})), parallel()] {
        let answer = of(state, json!({}));
        assert_eq!(answer["Error"]["Code"], "InvalidDefinition");
        assert_eq!(
            message(&answer),
            "TestState API does not support Map or Parallel states. Supported state types include: \
             [Task, Wait, Pass, Succeed, Fail, Choice]"
        );
    }
    assert_eq!(
        message(&of(task(json!({})), json!({}))),
        "RoleArn must be specified when testing a Task state"
    );
    assert_eq!(
        message(&of(
            map(json!({})),
            json!({"stateConfiguration": {"mapIterationFailureCount": 0}})
        )),
        "TestState does not support MapIterationFailureCount when a mock is not specified."
    );
}

#[test]
fn a_performer_does_a_task_without_a_mock() {
    let request = json!({"definition": task(json!({})), "input": [1], "roleArn": "arn:aws:iam::111111111111:role/r"});
    let request = TestStateRequest::from_value(&request).expect("a request");
    let mut tester = Tester::new(Timestamp::from_milliseconds(0))
        .with_tasks(|task| Ok(json!({"got": *task.payload})));
    let response = tester.test(&request).expect("a response");
    let got = json!({"FunctionName": "f", "Payload": [1]});
    assert_eq!(response.output, Some(json!({"got": got})));
}

#[test]
fn the_context_object_is_the_one_that_is_given_or_one_of_an_express_execution() {
    let state = json!({"Type": "Pass", "Parameters": {"c.$": "$$"}, "End": true});
    let given = of(state.clone(), json!({"context": {"Execution": {}}}));
    assert_eq!(given["output"], json!({"c": {"Execution": {}}}));
    let made = of(
        state,
        json!({"input": [1], "roleArn": "arn:aws-cn:iam::222222222222:role/r"}),
    );
    assert_eq!(
        made["output"]["c"],
        json!({
            "Execution": {"Id": "arn:aws-cn:states:us-east-1:222222222222:express:TestState:TestState", "Input": [1],
                "Name": "TestState", "RoleArn": "arn:aws-cn:iam::222222222222:role/r", "StartTime": "1970-01-01T00:00:00.000Z"},
            "StateMachine": {"Id": "arn:aws-cn:states:us-east-1:222222222222:stateMachine:TestState", "Name": "TestState"},
            "State": {"Name": "StateName", "EnteredTime": "1970-01-01T00:00:00.000Z"}})
    );
    let token = of(
        task(json!({})),
        json!({"context": {"Task": {"Token": "t"}}, "mock": {"result": "{}"}}),
    );
    assert_eq!(
        message(&token),
        "Invalid Context object provided: Context object contains 'Task' when state is not a Task state with a '.sync' or \
         '.waitForTaskToken' service integration pattern"
    );
    let waiting = json!({"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "End": true,
        "Parameters": {"QueueUrl": "q", "MessageBody.$": "$$.Task.Token"}});
    let answer = of(
        waiting,
        json!({"context": {"Task": {"Token": "t"}}, "mock": {"result": "{}"}}),
    );
    assert_eq!(
        answer["inspectionData"]["afterParameters"],
        json!({"QueueUrl": "q", "MessageBody": "t"})
    );
}

#[test]
fn variables_are_those_given_and_those_assigned() {
    let state = json!({"Type": "Pass", "QueryLanguage": "JSONata", "Assign": {"y": "{% $x + 1 %}"}, "End": true});
    let answer = of(state, json!({"variables": {"x": 1}}));
    assert_eq!(
        answer["inspectionData"]["variables"],
        json!({"x": 1, "y": 2})
    );
    let none = of(json!({"Type": "Succeed"}), json!({"variables": {}}));
    assert_eq!(none["inspectionData"].get("variables"), None);
}

/// Not recorded from the service.
#[test]
fn the_calls_of_an_http_task_are_shown_where_all_is_traced() {
    let call = json!({"Type": "Task", "Resource": "arn:aws:states:::http:invoke", "End": true, "Parameters": {
        "ApiEndpoint": "https://example.com/bills", "Method": "POST", "InvocationConfig": {"ConnectionArn": "arn"},
        "Headers": {"Content-Type": "application/json"}, "QueryParameters": {"id.$": "$.id"}, "RequestBody": {"n.$": "$.n"}}});
    let mocked = json!({"input": {"id": "a b", "n": 1}, "inspectionLevel": "TRACE", "mock": {"result":
        {"Headers": {"date": ["Tue"]}, "ResponseBody": {"ok": true}, "StatusCode": 200, "StatusText": "OK"}}});
    let traced = of(call.clone(), mocked.clone());
    assert_eq!(
        traced["inspectionData"]["request"],
        json!({"protocol": "https", "method": "POST", "url": "https://example.com/bills?id=a+b",
            "headers": "[Content-Type: application/json]", "body": "{\"n\":1}"})
    );
    assert_eq!(
        traced["inspectionData"]["response"],
        json!({"protocol": "https", "statusCode": "200", "statusMessage": "OK", "headers": "[date: Tue]", "body": "{\"ok\":true}"})
    );
    let mut less = mocked;
    less["inspectionLevel"] = json!("DEBUG");
    let debugged = of(call, less);
    assert_eq!(debugged["inspectionData"].get("request"), None);
    assert_eq!(debugged["status"], "SUCCEEDED");
}

#[test]
fn a_cause_does_not_say_which_state_was_executed() {
    let answer = of(
        map(json!({"ItemsPath": "$$.Execution.Input"})),
        json!({"input": {}, "mock": {"result": []}}),
    );
    assert_eq!(
        answer,
        json!({"status": "FAILED", "error": "States.Runtime", "cause": "Reference path \"$.Execution.Input\" must point to array.",
            "inspectionData": {"input": {}, "afterInputPath": {}}})
    );
}

#[test]
fn an_input_that_is_no_json_is_refused() {
    let answer = of(json!({"Type": "Succeed"}), json!({"input": "not JSON"}));
    assert_eq!(answer["Error"]["Code"], "InvalidExecutionInput");
    assert!(
        message(&answer)
            .starts_with("Invalid State Machine Execution Input: 'Unrecognized token 'not'")
    );
}

#[test]
fn a_test_that_takes_many_steps_is_given_up_where_that_is_asked_for() {
    let test_within = |count: u32, steps: u64| {
        let output = format!("{{% $sum([1..{count}]) %}}");
        let request = json!({"definition": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": output, "End": true}});
        let request = TestStateRequest::from_value(&request).unwrap();
        let mut tester = Tester::new(Timestamp::from_milliseconds(0));
        let all = tester.test(&request).unwrap();
        let within = tester.test_within(&request, steps).unwrap();
        assert!(
            within
                .as_ref()
                .is_none_or(|it| it.to_value() == all.to_value())
        );
        within.is_some()
    };
    assert!(test_within(10, 1_000));
    assert!(!test_within(10_000, 1_000));
}

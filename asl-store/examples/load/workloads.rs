//! The state machines.
use serde_json::{Value, json};

pub(crate) fn task(next: &str) -> Value {
    json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F", "Next": next})
}

pub(crate) fn looping() -> (Value, Value) {
    let definition = json!({"StartAt": "Count", "States": {
        "Count": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, -1)"}, "Next": "Work"},
        "Work": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F", "ResultPath": null, "Next": "More"},
        "More": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 0, "Next": "Count"}], "Default": "Done"},
        "Done": {"Type": "Succeed"}}});
    (definition, json!({"n": 100}))
}

pub(crate) fn map() -> (Value, Value) {
    let state = json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F", "End": true});
    let definition = json!({"StartAt": "M", "States": {"M": {"Type": "Map", "End": true,
        "ItemProcessor": {"StartAt": "T", "States": {"T": state}}}}});
    let items: Vec<Value> = (0..1_000)
        .map(|id| json!({"id": id, "name": "an item of some length, and more"}))
        .collect();
    (definition, items.into())
}

pub(crate) fn chain() -> (Value, Value) {
    let mut states = serde_json::Map::new();
    for number in 0..20 {
        states.insert(format!("T{number}"), task(&format!("T{}", number + 1)));
    }
    states.insert("T20".to_owned(), json!({"Type": "Succeed"}));
    (
        json!({"StartAt": "T0", "States": states}),
        json!({"text": "x".repeat(1_000)}),
    )
}

pub(crate) fn wait() -> (Value, Value) {
    let definition =
        json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 86_400, "End": true}}});
    (definition, json!({"order": 17}))
}

/// Waits for an answer from outside, and then does a task.
pub(crate) fn callback() -> (Value, Value) {
    let definition = json!({"StartAt": "Ask", "States": {
        "Ask": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
            "Parameters": {"QueueUrl": "q", "MessageBody.$": "$$.Task.Token"}, "Next": "Woken"},
        "Woken": task("Done"), "Done": {"Type": "Succeed"}}});
    (definition, json!({"order": 17}))
}

/// Rounds of Pass, a task and a Choice, nine events each, and then an answer from outside.
pub(crate) fn long(rounds: u64) -> (Value, Value) {
    let (mut definition, _) = looping();
    definition["States"]["Done"] = json!({"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
        "Parameters": {"QueueUrl": "q", "MessageBody.$": "$$.Task.Token"}, "End": true});
    (definition, json!({"n": rounds}))
}

/// Tasks, a wait, a Map and the children of a Map Run.
pub(crate) fn mixed() -> (Value, Value) {
    let (item, _) = map();
    let inline = item["States"]["M"]["ItemProcessor"].clone();
    let mut child = task("");
    if let Some(fields) = child.as_object_mut() {
        fields.remove("Next");
        fields.insert("End".to_owned(), true.into());
    }
    let processor = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
        "StartAt": "Child", "States": {"Child": child}});
    let definition = json!({"StartAt": "First", "States": {
        "First": task("Each"),
        "Each": {"Type": "Map", "ItemProcessor": inline, "Next": "Pause"},
        "Pause": {"Type": "Wait", "Seconds": 2, "Next": "Run"},
        "Run": {"Type": "Map", "ItemProcessor": processor, "Next": "Count"},
        "Count": {"Type": "Pass", "Result": {"n": 5}, "Next": "Less"},
        "Less": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, -1)"}, "Next": "Work"},
        "Work": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F", "ResultPath": null, "Next": "More"},
        "More": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 0, "Next": "Less"}], "Default": "Done"},
        "Done": {"Type": "Succeed"}}});
    let items: Vec<Value> = (0..8)
        .map(|id| json!({"id": id, "text": "x".repeat(100)}))
        .collect();
    (definition, items.into())
}

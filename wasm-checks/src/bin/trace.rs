//! Runs asl-trace in WebAssembly: an execution is explained from its history.
use asl_engine::Program;
use asl_trace::{History, replay};
use serde_json::json;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let program = Program::parse(
        r#"{"StartAt": "Big", "States": {
        "Big": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 5, "Next": "Yes"}], "Default": "No"},
        "Yes": {"Type": "Succeed"}, "No": {"Type": "Succeed"}}}"#,
    )?;
    let event = |id: u64, kind: &str, details: &str, content: serde_json::Value| json!({"id": id, "previousEventId": id - 1, "timestamp": id, "type": kind, details: content});
    let input = r#"{"n":3}"#;
    let history = json!({"events": [
        event(1, "ExecutionStarted", "executionStartedEventDetails", json!({"input": input})),
        event(2, "ChoiceStateEntered", "stateEnteredEventDetails", json!({"name": "Big", "input": input})),
        event(3, "ChoiceStateExited", "stateExitedEventDetails", json!({"name": "Big", "output": input})),
        event(4, "SucceedStateEntered", "stateEnteredEventDetails", json!({"name": "No", "input": input})),
        event(5, "SucceedStateExited", "stateExitedEventDetails", json!({"name": "No", "output": input})),
        event(6, "ExecutionSucceeded", "executionSucceededEventDetails", json!({"output": input})),
    ]});
    let history = History {
        events: history,
        ..History::default()
    };
    let mut account = history.account(Some(program.machine()))?;
    replay(&mut account, program.machine(), &program);
    let states: Vec<&str> = account.steps.iter().map(|step| &*step.state).collect();
    assert_eq!(states, ["Big", "No"]);
    assert!(!account.steps[0].findings.is_empty());
    Ok(())
}

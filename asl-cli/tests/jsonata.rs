//! State machines in JSONata, and with variables, through `asl run`.
mod common;

use common::Folder;
use serde_json::{Value, json};

/// Returns one state "A" of a JSONata machine, and where the others may end.
fn machine(state: &str) -> String {
    format!(
        r#"{{"QueryLanguage": "JSONata", "StartAt": "A", "States": {{"A": {state}, "B": {{"Type": "Succeed"}}}}}}"#
    )
}

const ASSIGNING: &str = r#"{"Type": "Choice", "Default": "B", "Assign": {"way": "default"}, "Choices": [
    {"Condition": "{% $states.input.big %}", "Assign": {"way": {"size": "{% $states.input.name %}"}}, "Next": "B"}]}"#;

#[test]
fn a_history_holds_the_variables_that_a_state_assigned() {
    let folder = Folder::new();
    folder.write("choice.json", machine(ASSIGNING));
    let input = r#"{"big": true, "name": "é"}"#;
    folder
        .asl(&[
            "run",
            "choice.json",
            "-i",
            input,
            "--history",
            "history.json",
        ])
        .exits_with(0, &[]);
    let history: Value = serde_json::from_str(&folder.read("history.json")).unwrap();
    let events = history["events"].as_array().unwrap();
    let exited: Vec<&Value> = events
        .iter()
        .filter_map(|event| event.get("stateExitedEventDetails"))
        .collect();
    assert_eq!(
        exited[0]["assignedVariables"],
        json!({"way": r#"{"size":"é"}"#})
    );
    assert_eq!(
        exited[0]["assignedVariablesDetails"],
        json!({"truncated": false})
    );
    assert_eq!(exited[1].get("assignedVariables"), None);
}

#[test]
fn a_trace_shows_the_variables_that_a_state_assigned() {
    let folder = Folder::new();
    folder.write("choice.json", machine(ASSIGNING)).write(
        "pass.json",
        machine(r#"{"Type": "Pass", "Assign": {"x": [true], "y": "z"}, "Next": "B"}"#),
    );
    let trace = |arguments: &[&str]| folder.asl(&[&["run", "--trace"][..], arguments].concat());
    trace(&["choice.json", "-i", r#"{"big": true, "name": "X"}"#])
        .exits_with(0, &["A         Choice    → B  $way := {\"size\":\"X\"}\n"]);
    trace(&["choice.json", "-i", r#"{"big": false}"#])
        .exits_with(0, &["→ B  $way := \"default\"\n"]);
    trace(&["pass.json"]).exits_with(0, &["A         Pass      $x := [true]  $y := \"z\"\n"]);
}

#[test]
fn an_expression_that_fails_fails_the_execution() {
    let folder = Folder::new();
    let pass = r#"{"Type": "Pass", "Output": {"a": "{% $states.input.missing %}"}, "Next": "B"}"#;
    folder.write("pass.json", machine(pass));
    let cause = "An error occurred while executing the state 'A' (entered at the event id #2). The JSONata expression \
        '$states.input.missing' specified for the field 'Output/a' returned nothing (undefined).";
    let told = format!("FAILED States.QueryEvaluationError: {cause}");
    folder.asl(&["run", "pass.json"]).exits_with(1, &[&told]);
    let report = folder.asl(&["run", "pass.json", "--report", "json"]).json();
    assert_eq!(
        (&report["error"], &report["cause"]),
        (&json!("States.QueryEvaluationError"), &json!(cause))
    );
}

#[test]
fn a_task_gets_its_arguments() {
    let folder = Folder::new();
    let task = r#"{"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:work",
        "Arguments": {"name": "{% $states.input.name & '!' %}"}, "Output": "{% $states.result.name %}", "Next": "B"}"#;
    folder.write("task.json", machine(task));
    let run = [
        "run",
        "task.json",
        "-i",
        r#"{"name": "Ada"}"#,
        "--task",
        "work=exec:cat",
    ];
    let ran = folder.asl(&run);
    ran.exits_with(0, &[]);
    assert_eq!(ran.stdout, "\"Ada!\"\n");
}

#[test]
fn the_context_object_can_be_given() {
    let folder = Folder::new();
    let pass = r#"{"Type": "Pass", "Output": "{% $states.context.Execution.RoleArn & $states.context.User %}", "Next": "B"}"#;
    folder.write("pass.json", machine(pass));
    let context = r#"{"User": "Ada", "Execution": {"RoleArn": "role of "}}"#;
    let ran = folder.asl(&["run", "pass.json", "--context", context]);
    assert_eq!(ran.stdout, "\"role of Ada\"\n", "{ran:?}");
}

#[test]
fn jsonpath_states_read_variables_too() {
    let folder = Folder::new();
    folder.write(
        "mixed.json",
        r#"{"StartAt": "A", "States": {
            "A": {"Type": "Pass", "Assign": {"order.$": "$.order"}, "Next": "B"},
            "B": {"Type": "Pass", "QueryLanguage": "JSONata", "Assign": {"label": "{% $order.id & '!' %}"}, "Next": "C"},
            "C": {"Type": "Pass", "Parameters": {"id.$": "$order.id", "text.$": "States.Format('{} {}', $label, $.order.id)"}, "End": true}}}"#,
    );
    let ran = folder.asl(&["run", "mixed.json", "-i", r#"{"order": {"id": "o-1"}}"#]);
    assert_eq!(
        ran.stdout, "{\"id\":\"o-1\",\"text\":\"o-1! o-1\"}\n",
        "{ran:?}"
    );
}

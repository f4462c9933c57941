//! `asl replay` and `asl mocks record`: histories of real runs become comparisons and tests.
mod common;

use common::Folder;
use serde_json::{Value, json};

fn order() -> Value {
    json!({"StartAt": "Charge", "States": {
        "Charge": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "ResultSelector": {"paid.$": "$.Payload"}, "Next": "Done",
            "Parameters": {"FunctionName": "charge", "Payload.$": "$"}},
        "Done": {"Type": "Succeed"}}})
}

/// A folder with a definition, and the history of one execution.
fn recorded() -> Folder {
    let folder = Folder::new();
    folder.write("order.asl.json", order().to_string());
    let run = [
        "run",
        "order.asl.json",
        "-i",
        r#"{"total": 7, "cardNumber": "4111"}"#,
    ];
    let more = ["--task", "charge=exec:cat", "--history", "history.json"];
    folder.asl(&[&run[..], &more[..]].concat()).reported(0, &[]);
    folder
}

#[test]
fn a_history_is_equal_to_its_replay() {
    let folder = recorded();
    let replay = folder.asl(&["replay", "history.json", "--definition", "order.asl.json"]);
    assert_eq!(replay.code, Some(0));
    assert!(
        replay.stdout.starts_with("equal: all 9 events"),
        "{}",
        replay.stdout
    );
}

#[test]
fn another_definition_has_differences_at_their_events() {
    let folder = recorded();
    let mut changed = order();
    changed["States"]["Charge"]["ResultSelector"] = json!({"paid": 0});
    folder.write("changed.asl.json", changed.to_string());
    let replay = folder.asl(&["replay", "history.json", "--definition", "changed.asl.json"]);
    assert_eq!(replay.code, Some(1));
    let expected = "event 6, TaskStateExited of state 'Charge': output.paid is {\"cardNumber\":\"4111\",\"total\":7} in the history, and 0 in the rerun";
    let reordered = expected.replace(
        "{\"cardNumber\":\"4111\",\"total\":7}",
        "{\"total\":7,\"cardNumber\":\"4111\"}",
    );
    let text = &replay.stdout;
    assert!(
        text.contains(expected) || text.contains(&reordered),
        "{text}"
    );
    let json = folder.asl(&[
        "replay",
        "history.json",
        "--definition",
        "changed.asl.json",
        "--format",
        "json",
    ]);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["isEqual"], false);
    assert_eq!(report["differences"][0]["event"], 6);
}

#[test]
fn a_recorded_case_passes_and_has_no_masked_value() {
    let folder = recorded();
    let record = [
        "mocks",
        "record",
        "history.json",
        "--definition",
        "order.asl.json",
    ];
    let masked = [&record[..], &["--mask", "card*", "--name", "a good order"]].concat();
    folder.asl(&masked).reported(0, &["wrote order.test.yaml"]);
    let text = folder.read("order.test.yaml");
    assert!(text.contains("masked") && !text.contains("4111"), "{text}");
    let again = [&record[..], &["--name", "another"]].concat();
    folder
        .asl(&again)
        .reported(0, &["added the case to order.test.yaml"]);
    let twice = [&record[..], &["--name", "another"]].concat();
    folder
        .asl(&twice)
        .reported(2, &["order.test.yaml has a case 'another'"]);
    let test = folder.asl(&["test"]);
    assert_eq!(test.code, Some(0), "{}", test.stdout);
}

#[test]
fn what_is_no_history_is_refused() {
    let folder = recorded();
    folder.write("none.json", "{}");
    for command in [&["replay"][..], &["mocks", "record"]] {
        let arguments = [command, &["none.json", "--definition", "order.asl.json"]].concat();
        folder
            .asl(&arguments)
            .reported(2, &["none.json: expected an execution history"]);
    }
}

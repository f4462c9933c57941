//! Children of distributed Maps.
use super::common::Folder;
use super::common::served::{MACHINE, ended};
use super::{FUNCTION, Restate, start_named, until};
use std::time::Duration;

/// A Map over the input whose children wait for as many seconds as their item says.
const WAITS: &str = r#"{"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "Label": "L", "ItemProcessor": {
    "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "W",
    "States": {"W": {"Type": "Wait", "SecondsPath": "$", "End": true}}}}}}"#;

#[test]
fn children_of_a_distributed_map_are_workflows_of_their_own() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &["--task", "double=exec:cat"]);
    let definition = format!(
        r#"{{"StartAt": "M", "States": {{"M": {{"Type": "Map", "End": true, "ItemProcessor": {{
            "ProcessorConfig": {{"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}}, "StartAt": "T",
            "States": {{"T": {{"Type": "Task", "Resource": "{FUNCTION}", "End": true}}}}}}}}}}}}"#
    );
    start_named(&server, &definition, "[1,2,3,4,5]");
    let described = ended(&server);
    assert!(
        described.contains(r#""output":"[1,2,3,4,5]""#),
        "{described}"
    );
    // They are of the Map Run, and not of the state machine.
    let of = format!(r#"{{"stateMachineArn": "{MACHINE}"}}"#);
    let listed = until(&server, "ListExecutions", &of, r#""status":"SUCCEEDED""#);
    assert_eq!(listed.matches("executionArn").count(), 1, "{listed}");
}

#[test]
fn children_go_on_where_the_process_was_killed() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let mut server = restate.serve(&folder, &[]);
    start_named(&server, WAITS, "[0, 1, 0, 1, 2]");
    // Some have ended by then, and some wait.
    std::thread::sleep(Duration::from_millis(500));
    server.process.kill().unwrap();
    server.process.wait().unwrap();

    let server = restate.serve(&folder, &[]);
    let described = ended(&server);
    assert!(
        described.contains(r#""output":"[0,1,0,1,2]""#),
        "{described}"
    );
}

//! Children of distributed Maps, and their Map Runs.
use super::common::Folder;
use super::common::served::{MACHINE, ServeProcess, ended};
use super::{EXECUTION, FUNCTION, Restate, start_named, until, until_there};

/// A Map over the input whose children wait for as many seconds as their item says, one after another.
const WAITS: &str = r#"{"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "Label": "L", "MaxConcurrency": 2,
    "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "W",
    "States": {"W": {"Type": "Wait", "SecondsPath": "$", "End": true}}}}}}"#;

/// Returns the only Map Run of an execution.
fn map_run(server: &ServeProcess, named: &str) -> String {
    let listed = until(server, "ListMapRuns", named, "mapRunArn");
    let arn = listed.split(r#""mapRunArn":""#).nth(1).unwrap();
    arn.split('"').next().unwrap().to_owned()
}

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
    let run = map_run(&server, &format!(r#"{{"executionArn": "{EXECUTION}"}}"#));
    let succeeded = format!(r#"{{"mapRunArn": "{run}", "statusFilter": "SUCCEEDED"}}"#);
    let listed = until(&server, "ListExecutions", &succeeded, "executionArn");
    assert!(listed.contains(r#""itemCount":1"#), "{listed}");
    let labelled = format!(r#""stateMachineArn":"{MACHINE}/"#);
    assert!(listed.contains(&labelled), "{listed}");
    let run = server.call("DescribeMapRun", &format!(r#"{{"mapRunArn": "{run}"}}"#));
    for told in [
        r#""status":"SUCCEEDED""#,
        r#""resultsWritten":5"#,
        r#""total":5"#,
        "stopDate",
    ] {
        assert!(run.contains(told), "{run}");
    }
}

#[test]
fn children_go_on_where_the_process_was_killed_and_are_stopped_with_their_parent() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &[]);
    start_named(&server, WAITS, "[0, 1, 0, 500, 500]");
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    let run = format!(r#"{{"mapRunArn": "{}"}}"#, map_run(&server, &named));
    let counted = r#""executionCounts":{"aborted":0,"failed":0,"pending":0,"resultsWritten":0,"running":2,"succeeded":3,"timedOut":0,"total":5}"#;
    server.end("-KILL");

    let server = restate.serve(&folder, &[]);
    until(&server, "DescribeMapRun", &run, r#""succeeded":3"#);
    let described = server.call("DescribeMapRun", &run);
    assert!(described.contains(counted), "{described}");
    let update = run.replace('}', r#", "toleratedFailureCount": 7}"#);
    let updated = server.call("UpdateMapRun", &update);
    assert!(updated.starts_with("HTTP/1.1 200"), "{updated}");
    until(
        &server,
        "DescribeMapRun",
        &run,
        r#""toleratedFailureCount":7"#,
    );

    let stopped = server.call("StopExecution", &named);
    assert!(stopped.contains("stopDate"), "{stopped}");
    until(&server, "DescribeMapRun", &run, r#""status":"ABORTED""#);
    let aborted = run.replace('}', r#", "statusFilter": "ABORTED"}"#);
    until(&server, "ListExecutions", &aborted, "executionArn");
    let late = server.call("UpdateMapRun", &update);
    assert!(late.contains("has ended"), "{late}");
}

/// A Map over the input with Express children that call a command.
const EXPRESS: &str = r#"{"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "Label": "L",
    "ItemSelector": {"n.$": "$$.Map.Item.Value"}, "ItemProcessor": {
    "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"}, "StartAt": "T",
    "States": {"T": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:double", "End": true}}}}}}"#;

#[test]
fn express_children_run_again_where_the_process_was_killed_and_are_listed() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let slow = "double=exec:sh -c 'echo x >> begun; test -e go || sleep 300; cat'";
    let server = restate.serve(&folder, &["--task", slow]);
    start_named(&server, EXPRESS, "[7, 8]");
    until_there(&folder, "begun");
    server.end("-KILL");
    folder.write("go", "");

    let server = restate.serve(&folder, &["--task", slow]);
    let described = ended(&server);
    assert!(
        described.contains(r#""output":"[{\"n\":7},{\"n\":8}]""#),
        "{described}"
    );
    let run = map_run(&server, &format!(r#"{{"executionArn": "{EXECUTION}"}}"#));
    let of = format!(r#"{{"mapRunArn": "{run}", "statusFilter": "SUCCEEDED"}}"#);
    let child = until(&server, "ListExecutions", &of, "executionArn");
    let child = child.split(r#""executionArn":""#).nth(1).unwrap();
    let child = child.split('"').next().unwrap();
    let named = format!(r#"{{"executionArn": "{child}"}}"#);
    let described = server.call("DescribeExecution", &named);
    assert!(described.contains(r#""output":"{\"n\":"#), "{described}");
    let history = server.call("GetExecutionHistory", &named);
    assert!(history.contains("stores no history"), "{history}");
}

#[test]
fn an_express_execution_that_nobody_waits_for_runs_to_its_end() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(
        &folder,
        &["--task", "double=exec:sh -c 'cat > new; mv new done'"],
    );
    let definition = format!(
        r#"{{\"StartAt\": \"T\", \"States\": {{\"T\": {{\"Type\": \"Task\", \"Resource\": \"{FUNCTION}\", \"End\": true}}}}}}"#
    );
    let create = format!(
        r#"{{"name": "m", "roleArn": "arn:r", "type": "EXPRESS", "definition": "{definition}"}}"#
    );
    let created = server.call("CreateStateMachine", &create);
    assert!(created.contains(MACHINE), "{created}");
    let start = format!(r#"{{"stateMachineArn": "{MACHINE}", "input": "[1]"}}"#);
    let started = server.call("StartExecution", &start);
    assert!(started.contains(":express:m:"), "{started}");
    assert_eq!(until_there(&folder, "done"), "[1]");
}

#[test]
fn a_map_whose_children_do_nothing_takes_time() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &[]);
    let definition = WAITS.replace(r#""Wait", "SecondsPath": "$""#, r#""Pass""#);
    start_named(&server, &definition, "[1,2,3]");
    let described = ended(&server);
    let date = |name: &str| {
        let named = format!(r#""{name}":"#);
        let date = described.split(&named).nth(1).unwrap();
        date.split([',', '}']).next().unwrap().to_owned()
    };
    assert_ne!(date("startDate"), date("stopDate"), "{described}");
}

#[test]
fn a_redrive_runs_those_children_again_that_failed_and_lists_them_once() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let task = "double=exec:sh -c 'read n; test $n = 1 -o -e go && echo $n'";
    let server = restate.serve(&folder, &["--task", task]);
    let definition = EXPRESS.replace(r#""ItemSelector": {"n.$": "$$.Map.Item.Value"},"#, "");
    let definition = definition.replace("EXPRESS", "STANDARD");
    let definition = definition.replace(r#""Label""#, r#""MaxConcurrency": 1, "Label""#);
    start_named(&server, &definition, "[1, 2]");
    assert!(ended(&server).contains("FAILED"));
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    let of = format!(r#"{{"mapRunArn": "{}"}}"#, map_run(&server, &named));
    until(&server, "ListExecutions", &of, r#""status":"FAILED""#);
    folder.write("go", "");
    let redriven = server.call("RedriveExecution", &named);
    assert!(redriven.contains("redriveDate"), "{redriven}");
    let described = until(&server, "DescribeExecution", &named, "SUCCEEDED");
    assert!(described.contains(r#""output":"[1,2]""#), "{described}");
    let run = server.call("DescribeMapRun", &of);
    for told in [r#""failed":0"#, r#""succeeded":2"#, r#""redriveCount":1"#] {
        assert!(run.contains(told), "{run}");
    }
    let redriven = of.replace('}', r#", "redriveFilter": "REDRIVEN"}"#);
    let child = until(
        &server,
        "ListExecutions",
        &redriven,
        r#""status":"SUCCEEDED""#,
    );
    let listed = server.call("ListExecutions", &of);
    assert_eq!(listed.matches("executionArn").count(), 2, "{listed}");
    let child = child.split(r#""executionArn":""#).nth(1).unwrap();
    let child = child.split('"').next().unwrap();
    let named = format!(r#"{{"executionArn": "{child}"}}"#);
    let described = server.call("DescribeExecution", &named);
    assert!(described.contains(r#""output":"2""#), "{described}");
    let history = server.call("GetExecutionHistory", &named);
    assert!(history.contains("ExecutionSucceeded"), "{history}");
}

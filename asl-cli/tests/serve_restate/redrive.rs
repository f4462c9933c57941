//! Redrives, and what waits for them.
use super::common::Folder;
use super::common::served::{MACHINE, ended, start};
use super::{EXECUTION, FUNCTION, Restate, patiently, until};

/// Returns the status of the execution's workflow in Restate.
fn invocation_status(restate: &Restate) -> String {
    let query = "SELECT status FROM sys_invocation WHERE target_service_name = 'AslExecution' AND target_handler_name = 'run'";
    restate.query(query)
}

#[test]
fn what_failed_waits_for_its_redrive_in_no_process_and_survives_its_loss() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let task = "double=exec:sh -c 'echo x >> done; test -e go && echo 42'";
    let server = restate.serve(&folder, &["--task", task]);
    start(&server, FUNCTION);
    let described = ended(&server);
    for text in [r#""status":"FAILED""#, r#""redriveStatus":"REDRIVABLE""#] {
        assert!(described.contains(text), "{described}");
    }
    patiently(|| {
        let status = invocation_status(&restate);
        match status.contains("suspended") {
            true => Ok(()),
            false => Err(status),
        }
    });
    server.end("-KILL");
    folder.write("go", "");

    let server = restate.serve(&folder, &["--task", task]);
    let redrive = format!(r#"{{"executionArn": "{EXECUTION}", "clientToken": "t"}}"#);
    let redrive = || {
        let redriven = server.call("RedriveExecution", &redrive);
        redriven.split("redriveDate").nth(1).unwrap().to_owned()
    };
    let date = redrive();
    let described = ended(&server);
    let wanted = [
        r#""status":"SUCCEEDED""#,
        r#""output":"42""#,
        r#""redriveCount":1"#,
        r#""redriveDate""#,
    ];
    for text in wanted {
        assert!(described.contains(text), "{described}");
    }
    assert_eq!(redrive(), date);
    assert_eq!(folder.read("done"), "x\nx\n");
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    let refused = server.call("RedriveExecution", &named);
    assert!(
        refused.contains("Execution is SUCCEEDED and cannot be redriven"),
        "{refused}"
    );
    let history = server.call("GetExecutionHistory", &named);
    let events = [
        "\"ExecutionFailed\"",
        "\"ExecutionRedriven\"",
        "\"ExecutionSucceeded\"",
    ];
    let places = events.map(|event| history.find(event).unwrap_or_else(|| panic!("{history}")));
    assert!(places.is_sorted(), "{history}");
    let of = format!(r#"{{"stateMachineArn": "{MACHINE}", "statusFilter": "SUCCEEDED"}}"#);
    let listed = until(&server, "ListExecutions", &of, r#""redriveCount":1"#);
    assert_eq!(listed.matches("executionArn").count(), 1, "{listed}");
}

#[test]
fn what_was_redriven_is_stopped_and_redriven_again() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &[]);
    let definition =
        r#"{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 500, "End": true}}}"#;
    super::start_named(&server, definition, "{}");
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    for redrives in 0..2 {
        let running = server.call("RedriveExecution", &named);
        assert!(running.contains("Execution is RUNNING"), "{running}");
        let stopped = server.call("StopExecution", &named);
        assert!(stopped.contains("stopDate"), "{stopped}");
        let described = ended(&server);
        let count = format!(r#""redriveCount":{redrives}"#);
        assert!(
            described.contains("ABORTED") && described.contains(&count),
            "{described}"
        );
        let again = server.call("StopExecution", &named);
        let date = |answer: &str| answer.split("stopDate").nth(1).unwrap().to_owned();
        assert_eq!(date(&again), date(&stopped));
        let redriven = server.call("RedriveExecution", &named);
        assert!(redriven.contains("redriveDate"), "{redriven}");
    }
    let of = format!(r#"{{"stateMachineArn": "{MACHINE}", "statusFilter": "RUNNING"}}"#);
    until(&server, "ListExecutions", &of, r#""redriveCount":2"#);
}

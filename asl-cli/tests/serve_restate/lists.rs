//! Lists of executions.
use super::common::Folder;
use super::common::served::{MACHINE, ServeProcess};
use super::{EXECUTION, Restate, patiently, said, start_named, until};

const CHOICE: &str = r#"{"StartAt": "C", "States": {
    "C": {"Type": "Choice", "Choices": [{"Variable": "$.fails", "BooleanEquals": true, "Next": "F"}], "Default": "W"},
    "F": {"Type": "Fail", "Error": "E"}, "W": {"Type": "Wait", "Seconds": 600, "End": true}}}"#;

fn list(server: &ServeProcess, more: &str) -> String {
    let asked = format!(r#"{{"stateMachineArn": "{MACHINE}"{more}}}"#);
    server.call("ListExecutions", &asked)
}

#[test]
fn executions_are_listed_by_pages_and_by_status() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &[]);
    start_named(&server, CHOICE, r#"{"fails": false}"#);
    for name in ["f", "g"] {
        let start = format!(
            r#"{{"stateMachineArn": "{MACHINE}", "name": "{name}", "input": "{{\"fails\": true}}"}}"#
        );
        server.call("StartExecution", &start);
    }
    let failed = format!(r#"{{"stateMachineArn": "{MACHINE}", "statusFilter": "FAILED"}}"#);
    until(&server, "ListExecutions", &failed, r#""name":"f""#);
    until(&server, "ListExecutions", &failed, r#""name":"g""#);
    let running = list(&server, r#", "statusFilter": "RUNNING""#);
    let names = running.matches(r#""name":"e""#).count();
    assert_eq!(
        (names, running.matches("executionArn").count()),
        (1, 1),
        "{running}"
    );
    let none = list(&server, r#", "statusFilter": "TIMED_OUT""#);
    assert!(none.contains(r#""executions":[]"#), "{none}");

    let mut more = String::new();
    for name in ["g", "f", "e"] {
        let page = list(&server, &format!(r#", "maxResults": 1{more}"#));
        assert!(page.contains(&format!(r#""name":"{name}""#)), "{page}");
        let token = page.split(r#""nextToken":""#).nth(1);
        let token = token.and_then(|rest| rest.split('"').next());
        assert_eq!(token.is_some(), name != "e", "{page}");
        more = format!(r#", "nextToken": "{}""#, token.unwrap_or_default());
    }
    // It goes when what runs is found by the index, and is stopped.
    server.call(
        "DeleteStateMachine",
        &format!(r#"{{"stateMachineArn": "{MACHINE}"}}"#),
    );
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    until(&server, "DescribeExecution", &named, "ABORTED");
    let machine = format!(r#"{{"stateMachineArn": "{MACHINE}"}}"#);
    until(
        &server,
        "DescribeStateMachine",
        &machine,
        "StateMachineDoesNotExist",
    );
}

/// Returns the response of a handler of the index.
fn ask(restate: &Restate, place: &str, body: &str) -> String {
    let place = place.replace('|', "%7C");
    let length = body.len();
    let kind = match length {
        0 => "",
        _ => "Content-Type: application/json\r\n",
    };
    let request = format!(
        "POST /restate/call/{place} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{kind}\
         Content-Length: {length}\r\n\r\n{body}"
    );
    said(restate.ingress, &request).unwrap()
}

#[test]
fn what_ended_too_long_ago_is_in_no_list_and_leaves_nothing_behind() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let _server = restate.serve(&folder, &["--retention-days", "1"]);
    let put = |seconds: u64| {
        let all = format!(
            r#"[{{"arn": "arn:e", "name": "e", "state_machine_arn": "arn:m", "version_arn": null, "alias_arn": null,
                "map_run_arn": null, "item_count": null, "status": "FAILED", "start_date": [{seconds}, 0], "stop_date": [{seconds}, 0]}}]"#
        );
        ask(&restate, "AslIndex/arn:m|1970-01-01|000-0/put_all", &all)
    };
    let days = || ask(&restate, "AslIndexDays/arn:m/days", "");
    let until_days = |text: &str| {
        patiently(|| {
            let days = days();
            match days.contains(text) {
                true => Ok(()),
                false => Err(format!("no {text} in {days}")),
            }
        });
    };
    let put = put(1);
    assert!(put.starts_with("HTTP/1.1 200"), "{put}");
    until_days(r#"["1970-01-01"]"#);
    let parts = ask(
        &restate,
        "AslIndexDay/arn:m|1970-01-01/parts",
        r#"{"mark": "FAILED"}"#,
    );
    assert!(parts.contains(r#"["000-0"]"#), "{parts}");
    // As it comes by itself when the day is over.
    ask(&restate, "AslIndex/arn:m|1970-01-01|000-0/clean", "");
    until_days("[]");
}

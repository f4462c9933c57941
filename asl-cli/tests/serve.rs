//! `asl serve`, as a process.
#![cfg(unix)]
mod common;

use common::Folder;
use common::served::{MACHINE, ServeProcess, create, ended, start};
use std::io::{Read, Write};

const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:double";

#[test]
fn tasks_are_done_by_commands_and_lines_to_paste_are_told() {
    let folder = Folder::new();
    let server = ServeProcess::in_memory(&folder, &["--task", "double=exec:cat"]);
    let expected = format!(
        "export AWS_ENDPOINT_URL_SFN=http://{}\nexport AWS_DISABLE_HOST_PREFIX_INJECTION=true\n",
        server.address
    );
    assert_eq!(server.lines, expected);
    start(&server, FUNCTION);
    let described = ended(&server);
    assert!(described.contains(r#""output":"{\"n\":1}""#), "{described}");
    assert!(
        described.contains(r#""input":"{\"n\":  1}""#),
        "{described}"
    );
    assert!(!folder.path(".asl").exists());
    assert_eq!(server.end("-TERM"), Some(0));
}

#[test]
fn what_was_acknowledged_is_there_after_a_kill() {
    let folder = Folder::new();
    let arguments = ["--account", "123456789012", "--data", "state"];
    let server = ServeProcess::new(&folder, &arguments);
    let activity = "arn:aws:states:us-east-1:123456789012:activity:a";
    server.call("CreateActivity", r#"{"name": "a"}"#);
    start(&server, activity);
    assert_eq!(server.end("-KILL"), None);

    let server = ServeProcess::new(&folder, &arguments);
    let taken = server.call(
        "GetActivityTask",
        &format!(r#"{{"activityArn": "{activity}"}}"#),
    );
    let token = taken
        .split(r#""taskToken":""#)
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let token = token.unwrap_or_else(|| panic!("{taken}"));
    let answer = format!(r#"{{"taskToken": "{token}", "output": "[7]"}}"#);
    assert!(
        server
            .call("SendTaskSuccess", &answer)
            .starts_with("HTTP/1.1 200")
    );
    assert!(ended(&server).contains(r#""output":"[7]""#));
    assert_eq!(server.end("-INT"), Some(0));
}

#[test]
fn what_nothing_does_says_how_it_would_be_done() {
    let folder = Folder::new();
    let server = ServeProcess::in_memory(&folder, &[]);
    start(&server, FUNCTION);
    let described = ended(&server);
    assert!(
        described.contains("--task 'double=exec:COMMAND'"),
        "{described}"
    );
}

#[test]
fn a_folder_that_is_in_use_and_an_open_door_are_refused() {
    let folder = Folder::new();
    let server = ServeProcess::new(&folder, &["--data", "state"]);
    let pid = server.process.id().to_string();
    let second = folder.asl(&["serve", "--port", "0", "--data", "state"]);
    second.exits_with(2, &["is in use by process", &pid]);
    let open = folder.asl(&["serve", "--in-memory", "--listen", "0.0.0.0:0"]);
    open.exits_with(
        2,
        &["can be reached from other machines", "--insecure-bind"],
    );
    let account = folder.asl(&["serve", "--in-memory", "--account", "mine"]);
    account.exits_with(2, &["expected an account of twelve digits, found 'mine'"]);
    let task = folder.asl(&["serve", "--in-memory", "--task", "double"]);
    task.exits_with(2, &["--task 'double'", "expected RESOURCE=exec:COMMAND"]);
}

#[test]
fn test_cases_of_a_mock_file_are_behind_the_arn() {
    let folder = Folder::new();
    folder.write(
        "mocks.json",
        r#"{"StateMachines": {"m": {"TestCases": {"Good": {"A": "Seven"}}}},
            "MockedResponses": {"Seven": {"0": {"Return": 7}}}}"#,
    );
    let server = ServeProcess::in_memory(&folder, &["--mocks", "mocks.json"]);
    create(&server, FUNCTION);
    let start = format!(r#"{{"stateMachineArn": "{MACHINE}#Good", "name": "e"}}"#);
    server.call("StartExecution", &start);
    let described = ended(&server);
    assert!(described.contains(r#""output":"7""#), "{described}");
}

#[test]
fn functions_are_invoked_at_an_endpoint() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let asked = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let length = stream.read(&mut request).unwrap();
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n42";
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8_lossy(&request[..length]).into_owned()
    });
    let folder = Folder::new();
    let server = ServeProcess::in_memory(&folder, &["--lambda-endpoint", &endpoint]);
    start(&server, FUNCTION);
    let described = ended(&server);
    assert!(described.contains(r#""output":"42""#), "{described}");
    let asked = asked.join().unwrap();
    let path = format!("POST /2015-03-31/functions/{FUNCTION}/invocations HTTP/1.1");
    assert!(asked.starts_with(&path), "{asked}");
    let wrong = folder.asl(&["serve", "--in-memory", "--lambda-endpoint", "exec:rm"]);
    wrong.exits_with(
        2,
        &["--lambda-endpoint 'exec:rm': expected http://HOST:PORT"],
    );
}

#[test]
fn a_command_only_hands_on_what_waits_for_its_token() {
    let folder = Folder::new();
    let hand_on = "hand-on=exec:sh -c 'printf %s \"$ASL_TASK_TOKEN\" > token.new; mv token.new token; echo 17'";
    let server = ServeProcess::in_memory(&folder, &["--task", hand_on]);
    let definition = r#"{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Task\", \"End\": true,
        \"Resource\": \"arn:aws:states:::lambda:invoke.waitForTaskToken\", \"Parameters\": {\"FunctionName\": \"hand-on\"}}}}"#;
    let create = format!(r#"{{"name": "m", "roleArn": "arn:r", "definition": "{definition}"}}"#)
        .replace('\n', " ");
    let created = server.call("CreateStateMachine", &create);
    assert!(created.contains(MACHINE), "{created}");
    let start = format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "e"}}"#);
    server.call("StartExecution", &start);
    let token = folder.path("token");
    while !token.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let answer = format!(
        r#"{{"taskToken": "{}", "output": "8"}}"#,
        folder.read("token")
    );
    let answered = server.call("SendTaskSuccess", &answer);
    assert!(answered.starts_with("HTTP/1.1 200"), "{answered}");
    assert!(ended(&server).contains(r#""output":"8""#));
}

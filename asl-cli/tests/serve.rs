//! `asl serve`, as a process.
#![cfg(unix)]
mod common;

use common::Folder;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A server; it ends with this.
struct Served {
    process: Child,
    address: String,
    lines: String,
}

impl Served {
    fn new(folder: &Folder, arguments: &[&str]) -> Self {
        let all: Vec<&str> = ["serve", "--port", "0"]
            .iter()
            .chain(arguments)
            .copied()
            .collect();
        let mut process = folder
            .command(&all)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let mut lines = String::new();
        for _ in 0..2 {
            stdout.read_line(&mut lines).unwrap();
        }
        let address = lines
            .lines()
            .next()
            .and_then(|line| line.split("http://").nth(1));
        let address = address.unwrap_or_else(|| panic!("{lines}")).to_owned();
        Self {
            process,
            address,
            lines,
        }
    }

    /// An operation: status line, head and body.
    fn call(&self, operation: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-amz-json-1.0\r\n\
             X-Amz-Target: AWSStepFunctions.{operation}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Ends it by a signal: its exit code.
    fn end(mut self, signal: &str) -> Option<i32> {
        let pid = self.process.id().to_string();
        Command::new("kill").args([signal, &pid]).status().unwrap();
        self.process.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const MACHINE: &str = "arn:aws:states:us-east-1:123456789012:stateMachine:m";

/// A state machine of one task.
fn create(server: &Served, resource: &str) {
    let definition = format!(
        r#"{{\"StartAt\": \"A\", \"States\": {{\"A\": {{\"Type\": \"Task\", \"Resource\": \"{resource}\", \"End\": true}}}}}}"#
    );
    let create = format!(r#"{{"name": "m", "roleArn": "arn:r", "definition": "{definition}"}}"#);
    let created = server.call("CreateStateMachine", &create);
    assert!(created.contains(MACHINE), "{created}");
}

/// A state machine of one task, and an execution `e` of it.
fn start(server: &Served, resource: &str) {
    create(server, resource);
    let start =
        format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "e", "input": "{{\"n\":  1}}"}}"#);
    let started = server.call("StartExecution", &start);
    assert!(started.contains(":execution:m:e"), "{started}");
}

/// The execution, once it has ended.
fn ended(server: &Served) -> String {
    let named = r#"{"executionArn": "arn:aws:states:us-east-1:123456789012:execution:m:e"}"#;
    loop {
        let described = server.call("DescribeExecution", named);
        assert!(described.starts_with("HTTP/1.1 200"), "{described}");
        if !described.contains(r#""status":"RUNNING""#) {
            return described;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:double";

#[test]
fn tasks_are_done_by_commands_and_lines_to_paste_are_told() {
    let folder = Folder::new();
    let server = Served::new(
        &folder,
        &[
            "--in-memory",
            "--account",
            "123456789012",
            "--task",
            "double=exec:cat",
        ],
    );
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
    let server = Served::new(&folder, &arguments);
    let activity = "arn:aws:states:us-east-1:123456789012:activity:a";
    server.call("CreateActivity", r#"{"name": "a"}"#);
    start(&server, activity);
    assert_eq!(server.end("-KILL"), None);

    let server = Served::new(&folder, &arguments);
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
    let server = Served::new(&folder, &["--in-memory", "--account", "123456789012"]);
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
    let server = Served::new(&folder, &["--data", "state"]);
    let pid = server.process.id().to_string();
    let second = folder.asl(&["serve", "--port", "0", "--data", "state"]);
    second.told(2, &["is in use by process", &pid]);
    let open = folder.asl(&["serve", "--in-memory", "--listen", "0.0.0.0:0"]);
    open.told(
        2,
        &["can be reached from other machines", "--insecure-bind"],
    );
    let account = folder.asl(&["serve", "--in-memory", "--account", "mine"]);
    account.told(2, &["expected an account of twelve digits, found 'mine'"]);
    let task = folder.asl(&["serve", "--in-memory", "--task", "double"]);
    task.told(2, &["--task 'double'", "expected RESOURCE=exec:COMMAND"]);
}

#[test]
fn test_cases_of_a_mock_file_are_behind_the_arn() {
    let folder = Folder::new();
    folder.write(
        "mocks.json",
        r#"{"StateMachines": {"m": {"TestCases": {"Good": {"A": "Seven"}}}},
            "MockedResponses": {"Seven": {"0": {"Return": 7}}}}"#,
    );
    let server = Served::new(
        &folder,
        &[
            "--in-memory",
            "--account",
            "123456789012",
            "--mocks",
            "mocks.json",
        ],
    );
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
    let server = Served::new(
        &folder,
        &[
            "--in-memory",
            "--account",
            "123456789012",
            "--lambda-endpoint",
            &endpoint,
        ],
    );
    start(&server, FUNCTION);
    let described = ended(&server);
    assert!(described.contains(r#""output":"42""#), "{described}");
    let asked = asked.join().unwrap();
    let path = format!("POST /2015-03-31/functions/{FUNCTION}/invocations HTTP/1.1");
    assert!(asked.starts_with(&path), "{asked}");
    let wrong = folder.asl(&["serve", "--in-memory", "--lambda-endpoint", "exec:rm"]);
    wrong.told(
        2,
        &["--lambda-endpoint 'exec:rm': expected http://HOST:PORT"],
    );
}

//! `asl serve` as a process, and requests to it.
use super::Folder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server; it ends with this.
pub(crate) struct ServeProcess {
    pub(crate) process: Child,
    pub(crate) address: String,
    pub(crate) lines: String,
    stderr: PathBuf,
}

/// Arguments of a server without a store.
const IN_MEMORY: [&str; 3] = ["--in-memory", "--account", "123456789012"];

impl ServeProcess {
    pub(crate) fn new(folder: &Folder, arguments: &[&str]) -> Self {
        let all = [&["serve", "--port", "0"], arguments].concat();
        Self::run(folder, folder.command(&all))
    }

    /// Creates one that keeps nothing.
    pub(crate) fn in_memory(folder: &Folder, arguments: &[&str]) -> Self {
        Self::new(folder, &[&IN_MEMORY, arguments].concat())
    }

    /// Creates one of `asl dev`.
    pub(crate) fn dev(folder: &Folder, arguments: &[&str]) -> Self {
        let all = [&["dev", "--port", "0"], arguments].concat();
        Self::run(folder, folder.command(&all))
    }

    /// Creates one that keeps nothing, started by a shell that has done something before.
    pub(crate) fn after(folder: &Folder, before: &str, arguments: &[&str]) -> Self {
        let mut shell = Command::new("sh");
        let all = [&["serve", "--port", "0"], &IN_MEMORY[..], arguments].concat();
        shell
            .args(["-c", &format!("{before}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_asl"))
            .args(all)
            .current_dir(folder.path("."));
        Self::run(folder, shell)
    }

    /// Creates a command that becomes a server.
    fn run(folder: &Folder, mut command: Command) -> Self {
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(File::create(folder.path("stderr.txt")).unwrap())
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
            stderr: folder.path("stderr.txt"),
        }
    }

    /// Returns an operation: status line, head and body.
    pub(crate) fn call(&self, operation: &str, body: &str) -> String {
        call_at(&self.address, operation, body)
    }

    /// Returns its output on stderr so far.
    pub(crate) fn stderr(&self) -> String {
        std::fs::read_to_string(&self.stderr).unwrap()
    }

    /// Waits until it has said this on stderr.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) {
        let begun = Instant::now();
        while !self.stderr().contains(text) {
            let said = self.stderr();
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "no {text:?} in {said}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Reports it something by a signal.
    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.process.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status();
        assert!(sent.unwrap().success());
    }

    /// Ends it by a signal: its exit code.
    pub(crate) fn end(mut self, signal: &str) -> Option<i32> {
        self.signal(signal);
        self.process.wait().unwrap().code()
    }
}

/// Returns an operation of a server: status line, head and body; less where it went away.
pub(crate) fn call_at(address: &str, operation: &str, body: &str) -> String {
    call_on(TcpStream::connect(address).unwrap(), operation, body)
}

/// Returns an operation, as all that is said on a connection.
pub(crate) fn call_on(mut stream: TcpStream, operation: &str, body: &str) -> String {
    write!(
        stream,
        "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: AWSStepFunctions.{operation}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

/// Returns a GET request, as all that is said on a connection.
pub(crate) fn get_at(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

impl Drop for ServeProcess {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) const MACHINE: &str = "arn:aws:states:us-east-1:123456789012:stateMachine:m";

/// A state machine of one task.
pub(crate) fn create(server: &ServeProcess, resource: &str) {
    if let Some((_, activity)) = resource.split_once(":activity:") {
        server.call("CreateActivity", &format!(r#"{{"name": "{activity}"}}"#));
    }
    create_defined(
        server,
        &format!(
            r#"{{\"StartAt\": \"A\", \"States\": {{\"A\": {{\"Type\": \"Task\", \"Resource\": \"{resource}\", \"End\": true}}}}}}"#
        ),
    );
}

/// A state machine with a definition that is written as a text in JSON.
pub(crate) fn create_defined(server: &ServeProcess, definition: &str) {
    let create = format!(r#"{{"name": "m", "roleArn": "arn:r", "definition": "{definition}"}}"#);
    let created = server.call("CreateStateMachine", &create);
    assert!(created.contains(MACHINE), "{created}");
}

/// A state machine of one task, and an execution `e` of it.
pub(crate) fn start(server: &ServeProcess, resource: &str) {
    create(server, resource);
    let start =
        format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "e", "input": "{{\"n\":  1}}"}}"#);
    let started = server.call("StartExecution", &start);
    assert!(started.contains(":execution:m:e"), "{started}");
}

/// Returns the execution, once it has ended.
pub(crate) fn ended(server: &ServeProcess) -> String {
    let named = r#"{"executionArn": "arn:aws:states:us-east-1:123456789012:execution:m:e"}"#;
    loop {
        let described = server.call("DescribeExecution", named);
        assert!(described.starts_with("HTTP/1.1 200"), "{described}");
        if !described.contains(r#""status":"RUNNING""#) {
            return described;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

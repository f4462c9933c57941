//! A client of `asl lsp` over its pipes.
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A session with the program.
pub(crate) struct LanguageClient {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: i64,
    /// Notifications that came before the answer that was waited for.
    notifications: Vec<Value>,
}

impl LanguageClient {
    /// Starts the program and says `initialize`; gives its answer too.
    pub(crate) fn start(capabilities: Value) -> (Self, Value) {
        let mut process = Command::new(env!("CARGO_BIN_EXE_asl"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut client = Self {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
            next: 0,
            notifications: Vec::new(),
        };
        let params = json!({"processId": null, "rootUri": null, "capabilities": capabilities});
        let answer = client.request("initialize", params);
        client.notify("initialized", json!({}));
        (client, answer)
    }

    /// Sends what is a message, or none.
    pub(crate) fn send(&mut self, content: &str) {
        let length = content.len();
        write!(self.input, "Content-Length: {length}\r\n\r\n{content}").unwrap();
        self.input.flush().unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// Returns the result of a request, or `{"error": …}`.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        loop {
            let message = self.receive();
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => json!({"error": error}),
                    None => message["result"].clone(),
                };
            }
            self.notifications.push(message);
        }
    }

    /// Returns the parameters of the next notification of a method.
    pub(crate) fn notification(&mut self, method: &str) -> Value {
        let known = self
            .notifications
            .iter()
            .position(|it| it["method"] == method);
        let message = match known {
            Some(index) => self.notifications.remove(index),
            None => loop {
                let message = self.receive();
                if message["method"] == method {
                    break message;
                }
                self.notifications.push(message);
            },
        };
        message["params"].clone()
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(
                self.output.read_line(&mut line).unwrap(),
                0,
                "the server is gone"
            );
            match line.trim_end() {
                "" => break,
                line => {
                    if let Some(number) = line.strip_prefix("Content-Length: ") {
                        length = number.parse().unwrap();
                    }
                }
            }
        }
        let mut content = vec![0; length];
        self.output.read_exact(&mut content).unwrap();
        serde_json::from_slice(&content).unwrap()
    }

    /// Ends the session; the code of the process.
    pub(crate) fn end(mut self) -> Option<i32> {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        self.process.wait().unwrap().code()
    }

    /// Closes the pipe without a word; the code of the process.
    pub(crate) fn vanish(mut self) -> Option<i32> {
        drop(self.input);
        self.process.wait().unwrap().code()
    }
}

//! A server of its own for each test, and a client that shows what is on the wire.
use crate::fake::Fake;
use asl_server::{SelfCalls, Server, ServerOptions};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub(crate) const ROLE: &str = "arn:aws:iam::000000000000:role/r";
pub(crate) const PREFIX: &str = "arn:aws:states:us-east-1:000000000000";

pub(crate) struct Api {
    pub(crate) port: u16,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<std::io::Result<()>>,
}

/// An answer, as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the error code, as SDKs find it.
    pub(crate) fn code(&self) -> String {
        let body = self.json();
        let kind = body["__type"].as_str().unwrap_or_default();
        kind.rsplit('#').next().unwrap_or_default().to_owned()
    }
}

impl Api {
    pub(crate) async fn new() -> Self {
        Self::with(ServerOptions::default()).await
    }

    pub(crate) async fn with(options: ServerOptions) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let calls = SelfCalls::new();
        let server = Server::new(Arc::new(Fake::new(&calls)), options).unwrap();
        server.answer_self_calls(&calls);
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(server.serve(listener, async {
            let _ = stopped.await;
        }));
        Self {
            port,
            stop: Some(stop),
            served,
        }
    }

    /// The API in an application with a route of its own, which ends long polls when it stops.
    pub(crate) async fn in_application() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let calls = SelfCalls::new();
        let backend = Arc::new(Fake::new(&calls));
        let server = Server::new(backend, ServerOptions::default()).unwrap();
        let handle = server.stop_handle();
        let health = axum::routing::get(|| async { "of the application" });
        let application = axum::Router::new()
            .route("/health", health)
            .merge(server.api_router());
        let (stop, stopped) = oneshot::channel::<()>();
        let stopping = async move {
            let _ = stopped.await;
            handle.stop();
        };
        let serving = axum::serve(listener, application).with_graceful_shutdown(stopping);
        Self {
            port,
            stop: Some(stop),
            served: tokio::spawn(serving.into_future()),
        }
    }

    /// Reports the server to stop, and waits until it has.
    pub(crate) async fn stop(mut self) {
        drop(self.stop.take());
        self.served.await.unwrap().unwrap();
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).await.unwrap()
    }

    /// Sends what is given, as it is, and reads until the server closes.
    pub(crate) async fn send(&self, request: &str) -> Answer {
        exchange(self.port, request.to_owned()).await
    }

    /// Returns an operation, to be sent next to others.
    pub(crate) fn request(
        &self,
        operation: &str,
        request: Value,
    ) -> impl Future<Output = Answer> + Send + use<> {
        exchange(self.port, message(operation, "", &request.to_string()))
    }

    /// Returns an operation with more headers.
    pub(crate) async fn with_headers(
        &self,
        operation: &str,
        headers: &str,
        request: &Value,
    ) -> Answer {
        self.send(&message(operation, headers, &request.to_string()))
            .await
    }

    /// Returns an operation that must succeed.
    pub(crate) async fn call(&self, operation: &str, request: Value) -> Value {
        let answer = self.with_headers(operation, "", &request).await;
        assert_eq!(answer.status, 200, "{operation}: {}", answer.text);
        answer.json()
    }

    /// Returns an operation that must be refused: code and message.
    pub(crate) async fn refused(&self, operation: &str, request: Value) -> (String, String) {
        let answer = self.with_headers(operation, "", &request).await;
        assert_eq!(answer.status, 400, "{operation}: {}", answer.text);
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        (answer.code(), message)
    }

    /// Makes a state machine: its ARN.
    pub(crate) async fn machine(&self, name: &str, definition: &Value) -> String {
        let request = json!({"name": name, "definition": definition.to_string(), "roleArn": ROLE});
        let created = self.call("CreateStateMachine", request).await;
        created["stateMachineArn"].as_str().unwrap().to_owned()
    }

    /// Starts an execution: its ARN.
    pub(crate) async fn start(&self, machine: &str, name: &str) -> String {
        let request = json!({"stateMachineArn": machine, "name": name});
        let started = self.call("StartExecution", request).await;
        started["executionArn"].as_str().unwrap().to_owned()
    }

    /// Waits until an execution has ended.
    pub(crate) async fn ended(&self, execution: &str) -> Value {
        loop {
            let request = json!({"executionArn": execution});
            let described = self.call("DescribeExecution", request).await;
            if described["status"] != "RUNNING" {
                return described;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

async fn exchange(port: u16, request: String) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    // A server that has refused already need not read on.
    let _ = stream.write_all(request.as_bytes()).await;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    let text = String::from_utf8(bytes).unwrap();
    let (head, text) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    Answer {
        status: status.unwrap_or_default(),
        head: head.to_ascii_lowercase(),
        text: text.to_owned(),
    }
}

/// Returns a request on the wire.
pub(crate) fn message(operation: &str, headers: &str, body: &str) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: AWSStepFunctions.{operation}\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
}

/// A state machine that ends at once.
pub(crate) fn pass() -> Value {
    json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}})
}

/// Returns one that waits long.
pub(crate) fn wait() -> Value {
    json!({"StartAt": "A", "States": {"A": {"Type": "Wait", "Seconds": 1000, "End": true}}})
}

//! Measures requests under load: `cargo run --example request_load -- 127.0.0.1:8083 [SECONDS] [CONNECTIONS] [BYTES OF DEFINITION]`.
//!
//! Connections start executions one after the other. Next to them one answers tokens: how long after SendTaskSuccess was sent
//! has the worker of the next state, which waits, got its task?
#![allow(clippy::print_stdout, reason = "it is a program")]
use serde_json::{Value, json};
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

type Done<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const ROLE: &str = "arn:aws:iam::000000000000:role/load";

#[tokio::main]
async fn main() -> Done {
    let mut arguments = std::env::args().skip(1);
    let address: Arc<str> = arguments.next().ok_or("say where: HOST:PORT")?.into();
    let mut number = |usual: u64| arguments.next().map_or(Ok(usual), |text| text.parse());
    let (seconds, connections, bytes) = (number(10)?, number(32)?, number(0)?);
    let padding = "x".repeat(usize::try_from(bytes)?);
    let definition =
        json!({"Comment": padding, "StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    let mut client = Client::connect(&address).await?;
    let machine: Arc<str> = client.machine("load", &definition).await?.into();
    let end = Instant::now() + Duration::from_secs(seconds);
    let starts =
        (0..connections).map(|_| tokio::spawn(start(address.clone(), machine.clone(), end)));
    let starts: Vec<_> = starts.collect();
    let answers = tokio::spawn(answer(address.clone(), end));
    let mut taken = Vec::new();
    for start in starts {
        taken.extend(start.await??);
    }
    show(
        &format!(
            "StartExecution, {connections} connections, {} a second",
            taken.len() as u64 / seconds.max(1)
        ),
        taken,
    );
    show(
        "a token's answer to the task of the next state",
        answers.await??,
    );
    Ok(())
}

fn show(what: &str, mut taken: Vec<Duration>) {
    taken.sort_unstable();
    let at = |part: f64| {
        taken
            .get((taken.len() as f64 * part) as usize)
            .copied()
            .unwrap_or_default()
    };
    let [p50, p99, p999] =
        [at(0.5), at(0.99), at(0.999)].map(|taken| taken.as_secs_f64() * 1_000.0);
    println!(
        "{what}: {} measured, p50 {p50:.2} ms, p99 {p99:.2} ms, p99.9 {p999:.2} ms",
        taken.len()
    );
}

/// Starts executions until the end: how long each took.
async fn start(address: Arc<str>, machine: Arc<str>, end: Instant) -> Done<Vec<Duration>> {
    let mut client = Client::connect(&address).await?;
    let request = json!({"stateMachineArn": machine, "input": "{\"order\": 1}"});
    let mut taken = Vec::new();
    while Instant::now() < end {
        let begun = Instant::now();
        client.call("StartExecution", &request).await?;
        taken.push(begun.elapsed());
    }
    Ok(taken)
}

/// Answers tokens of one state, and waits for the task of the next: how long that took each time.
async fn answer(address: Arc<str>, end: Instant) -> Done<Vec<Duration>> {
    let mut client = Client::connect(&address).await?;
    let mut activities = Vec::new();
    for name in ["load-first", "load-second"] {
        let made = client
            .call("CreateActivity", &json!({"name": name}))
            .await?;
        activities.push(json!({"activityArn": made["activityArn"]}));
    }
    let task = |activity: &Value| json!({"Type": "Task", "Resource": activity["activityArn"], "TimeoutSeconds": 60});
    let (mut first, mut second) = (task(&activities[0]), task(&activities[1]));
    first["Next"] = "Second".into();
    second["End"] = true.into();
    let definition = json!({"StartAt": "First", "States": {"First": first, "Second": second}});
    let machine = client.machine("load-tasks", &definition).await?;
    let request = json!({"stateMachineArn": machine});
    let mut taken = Vec::new();
    while Instant::now() < end {
        client.call("StartExecution", &request).await?;
        let task = client.call("GetActivityTask", &activities[0]).await?;
        let (address, next) = (address.clone(), activities[1].clone());
        let worker = tokio::spawn(async move {
            let mut worker = Client::connect(&address).await?;
            let task = worker.call("GetActivityTask", &next).await?;
            Done::Ok((Instant::now(), task))
        });
        // The worker is there before its task.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let begun = Instant::now();
        let done = json!({"taskToken": task["taskToken"], "output": "{}"});
        client.call("SendTaskSuccess", &done).await?;
        let (got, task) = worker.await??;
        taken.push(got - begun);
        let done = json!({"taskToken": task["taskToken"], "output": "{}"});
        client.call("SendTaskSuccess", &done).await?;
    }
    Ok(taken)
}

/// A connection that is kept.
struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    async fn connect(address: &str) -> Done<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::new(stream),
        })
    }

    /// Makes a state machine, or takes the one that is there: its ARN.
    async fn machine(&mut self, name: &str, definition: &Value) -> Done<String> {
        let request = json!({"name": name, "definition": definition.to_string(), "roleArn": ROLE});
        let made = self.call("CreateStateMachine", &request).await?;
        Ok(made["stateMachineArn"]
            .as_str()
            .unwrap_or_default()
            .to_owned())
    }

    async fn call(&mut self, operation: &str, request: &Value) -> Done<Value> {
        let body = request.to_string();
        let request = format!(
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n\
             X-Amz-Target: AWSStepFunctions.{operation}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        let mut status = String::new();
        self.stream.read_line(&mut status).await?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await?;
            match line.trim_end().split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse()?
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        match status.contains(" 200 ") {
            true => Ok(serde_json::from_slice(&body)?),
            false => Err(format!("{operation}: {status}{}", String::from_utf8_lossy(&body)).into()),
        }
    }
}

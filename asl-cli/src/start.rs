//! `asl start`: starts an execution on a running server, and waits for its end.
use crate::arguments::StartArguments;
use crate::exit::{Exit, Failure, print, print_value};
use crate::terminal::{self, ERROR, FAINT};
use asl_aws::{CallError, CallFailure, CallOptions, Caller, Endpoint, Settings, Target};
use asl_model::did_you_mean;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// The file in the folder of a server's data that has its URL.
const URL_FILE: &str = "url";
/// The URL of a server that nothing names.
const DEFAULT_URL: &str = "http://127.0.0.1:8083";
/// The time between looks at the execution: the first, and the longest.
const PERIODS: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));

/// Starts an execution.
pub(crate) fn start(arguments: &StartArguments) -> Result<Exit, Failure> {
    let (_, input) = arguments.input.read_with_text()?;
    let url = url(arguments);
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("cannot start the runtime: {error}")))?;
    Endpoint::parse(&url, "").map_err(|error| Failure::new(format!("--endpoint: {error}")))?;
    // What the environment says of AWS is for the machine's tasks.
    let settings = Settings::of_process().with_target(Target::Url(url.clone()));
    let client = Client {
        caller: Caller::new(settings),
        url,
    };
    tokio.block_on(client.run(arguments, &input))
}

/// Remembers the URL of a server in the folder of its data, for [`start`].
pub(crate) fn remember_url(folder: &Path, url: &str) {
    // Without it, a user names the URL.
    let _ = std::fs::write(folder.join(URL_FILE), url);
}

fn url(arguments: &StartArguments) -> String {
    let of_environment = || std::env::var("AWS_ENDPOINT_URL_SFN").ok();
    let of_data = || std::fs::read_to_string(arguments.data.join(URL_FILE)).ok();
    let given = arguments.endpoint.clone().or_else(of_environment);
    given
        .or_else(of_data)
        .unwrap_or_else(|| DEFAULT_URL.to_owned())
}

struct Client {
    caller: Caller,
    url: String,
}

impl Client {
    async fn run(&self, arguments: &StartArguments, input: &str) -> Result<Exit, Failure> {
        let machine = self.machine(arguments.machine.as_deref()).await?;
        let mut request = json!({"stateMachineArn": machine, "input": input});
        if let Some(name) = &arguments.name {
            request["name"] = name.as_str().into();
        }
        let started = self.call("startExecution", &request).await?;
        let arn = started["executionArn"].as_str().unwrap_or_default();
        if arguments.detach {
            print(arn)?;
            return Ok(Exit::Success);
        }
        terminal::error_line(&format!("{FAINT}{arn}{FAINT:#}"));
        self.follow(arn).await
    }

    /// Waits for the end of an execution, and prints its output or its error.
    async fn follow(&self, arn: &str) -> Result<Exit, Failure> {
        let (mut period, longest) = PERIODS;
        let request = json!({"executionArn": arn});
        loop {
            let described = match self.call("describeExecution", &request).await {
                // An Express execution is known to its client alone.
                Err(failure) if arn.contains(":express:") => {
                    terminal::error_line(&format!(
                        "started an Express execution, whose end is only in the log of the server: {}",
                        failure.0
                    ));
                    return Ok(Exit::Success);
                }
                described => described?,
            };
            let text = |name: &str| described[name].as_str().unwrap_or_default();
            match text("status") {
                "RUNNING" | "PENDING_REDRIVE" => {}
                "SUCCEEDED" => {
                    let output = serde_json::from_str::<Value>(text("output"));
                    print_value(&output.unwrap_or_default())?;
                    return Ok(Exit::Success);
                }
                status => {
                    let (error, cause) = (text("error"), text("cause"));
                    let told = [status, error].join(" ");
                    let told = told.trim_end();
                    let cause = if cause.is_empty() {
                        String::new()
                    } else {
                        format!(": {cause}")
                    };
                    terminal::error_line(&format!("{ERROR}{told}{ERROR:#}{cause}"));
                    return Ok(Exit::Failed);
                }
            }
            tokio::time::sleep(period).await;
            period = (period * 3 / 2).min(longest);
        }
    }

    /// Returns the ARN of a state machine.
    async fn machine(&self, name: Option<&str>) -> Result<String, Failure> {
        if let Some(arn) = name.filter(|name| name.starts_with("arn:")) {
            return Ok(arn.to_owned());
        }
        let machines = self.machines().await?;
        let names: Vec<&str> = machines.iter().map(|(name, _)| name.as_str()).collect();
        let found = match (name, machines.as_slice()) {
            (None, [(_, arn)]) => return Ok(arn.clone()),
            (None, []) => return Err(Failure::new(format!("{} has no state machine", self.url))),
            (None, _) => {
                let names = names.join(", ");
                return Err(Failure::new(format!(
                    "{} has {} state machines: select one of {names}",
                    self.url,
                    machines.len()
                )));
            }
            (Some(name), machines) => machines.iter().find(|(known, _)| known == name),
        };
        found.map(|(_, arn)| arn.clone()).ok_or_else(|| {
            let name = name.unwrap_or_default();
            let hint = did_you_mean(name, names.iter().copied());
            Failure::new(format!("{} has no state machine '{name}'{hint}", self.url))
        })
    }

    /// Returns the names and ARNs of all state machines.
    async fn machines(&self) -> Result<Vec<(String, String)>, Failure> {
        let mut all = Vec::new();
        let mut request = json!({});
        loop {
            let page = self.call("listStateMachines", &request).await?;
            let machines = page["stateMachines"].as_array();
            for machine in machines.into_iter().flatten() {
                let text = |name: &str| machine[name].as_str().unwrap_or_default().to_owned();
                all.push((text("name"), text("stateMachineArn")));
            }
            match page["nextToken"].as_str() {
                Some(token) => request["nextToken"] = token.into(),
                None => return Ok(all),
            }
        }
    }

    async fn call(&self, operation: &str, request: &Value) -> Result<Value, Failure> {
        let options = CallOptions::default();
        let called = self.caller.call("sfn", operation, request, &options).await;
        called.map(|answer| answer.result).map_err(|failure| {
            let url = &self.url;
            Failure::new(match failure {
                CallFailure::Answered(CallError::Service(error)) => {
                    format!("{}: {}", error.code, error.message)
                }
                CallFailure::Connection(error) => {
                    format!("no server answers at {url}: start one with asl dev or asl serve, or name its URL with --endpoint ({error})")
                }
                other => format!("{url}: {other}"),
            })
        })
    }
}

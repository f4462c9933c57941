//! `asl start`: starts an execution on a running server, and waits for its end.
use crate::arguments::StartArguments;
use crate::exit::{Exit, Failure, print, print_value};
use crate::server_client::{ServerClient, runtime};
use crate::terminal::{self, ERROR, FAINT};
use asl_model::did_you_mean;
use serde_json::{Value, json};
use std::time::Duration;

/// The time between looks at the execution: the first, and the longest.
const PERIODS: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));

/// Starts an execution.
pub(crate) fn start(arguments: &StartArguments) -> Result<Exit, Failure> {
    let (_, input) = arguments.input.read_with_text()?;
    let client = Client(ServerClient::new(&arguments.server)?);
    let tokio = runtime()?;
    tokio.block_on(client.run(arguments, &input))
}

struct Client(ServerClient);

impl Client {
    async fn run(&self, arguments: &StartArguments, input: &str) -> Result<Exit, Failure> {
        let machine = self.machine(arguments.machine.as_deref()).await?;
        let mut request = json!({"stateMachineArn": machine, "input": input});
        if let Some(name) = &arguments.name {
            request["name"] = name.as_str().into();
        }
        let started = self.0.call("startExecution", &request).await?;
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
            let described = match self.0.call("describeExecution", &request).await {
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
            (None, []) => {
                return Err(Failure::new(format!(
                    "{} has no state machine",
                    self.0.url()
                )));
            }
            (None, _) => {
                let names = names.join(", ");
                return Err(Failure::new(format!(
                    "{} has {} state machines: select one of {names}",
                    self.0.url(),
                    machines.len()
                )));
            }
            (Some(name), machines) => machines.iter().find(|(known, _)| known == name),
        };
        found.map(|(_, arn)| arn.clone()).ok_or_else(|| {
            let name = name.unwrap_or_default();
            let hint = did_you_mean(name, names.iter().copied());
            Failure::new(format!(
                "{} has no state machine '{name}'{hint}",
                self.0.url()
            ))
        })
    }

    /// Returns the names and ARNs of all state machines.
    async fn machines(&self) -> Result<Vec<(String, String)>, Failure> {
        let mut all = Vec::new();
        let mut request = json!({});
        loop {
            let page = self.0.call("listStateMachines", &request).await?;
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
}

//! Calls of a server of asl, from another process.
use crate::arguments::ServerArguments;
use crate::exit::Failure;
use asl_aws::{CallError, CallFailure, CallOptions, Caller, Endpoint, Settings, Target};
use serde_json::{Value, json};
use std::path::Path;

/// The file in the folder of a server's data that has its URL.
const URL_FILE: &str = "url";
/// The URL of a server that nothing names.
const DEFAULT_URL: &str = "http://127.0.0.1:8083";

/// Remembers the URL of a server in the folder of its data, for other commands.
pub(crate) fn remember_url(folder: &Path, url: &str) {
    // Without it, a user names the URL.
    let _ = std::fs::write(folder.join(URL_FILE), url);
}

/// Returns a runtime for calls.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("cannot start the runtime: {error}")))
}

fn url(server: &ServerArguments) -> String {
    let of_environment = || std::env::var("AWS_ENDPOINT_URL_SFN").ok();
    let of_data = || std::fs::read_to_string(server.data.join(URL_FILE)).ok();
    let given = server.endpoint.clone().or_else(of_environment);
    given
        .or_else(of_data)
        .unwrap_or_else(|| DEFAULT_URL.to_owned())
}

/// Calls a server.
pub(crate) struct ServerClient {
    caller: Caller,
    url: String,
}

impl ServerClient {
    /// Creates a client of the server that the arguments name.
    pub(crate) fn new(server: &ServerArguments) -> Result<Self, Failure> {
        let url = url(server);
        Endpoint::parse(&url, "").map_err(|error| Failure::new(format!("--endpoint: {error}")))?;
        // What the environment says of AWS is for the machine's tasks.
        let settings = Settings::of_process().with_target(Target::Url(url.clone()));
        let caller = Caller::new(settings);
        Ok(Self { caller, url })
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the whole history of an execution.
    pub(crate) fn history(&self, arn: &str) -> Result<Value, Failure> {
        runtime()?.block_on(async {
            let mut events = Vec::new();
            let mut request = json!({"executionArn": arn, "maxResults": 1000});
            loop {
                let mut page = self.call("getExecutionHistory", &request).await?;
                if let Value::Array(found) = page["events"].take() {
                    events.extend(found);
                }
                match page["nextToken"].as_str() {
                    Some(token) => request["nextToken"] = token.into(),
                    None => return Ok(json!({"events": events})),
                }
            }
        })
    }

    /// Calls an operation.
    pub(crate) async fn call(&self, operation: &str, request: &Value) -> Result<Value, Failure> {
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

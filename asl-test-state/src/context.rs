//! The Context Object of a tested state.
use crate::checks::{check_context, invalid_context};
use crate::definition::{STATE_NAME, TestedState};
use crate::error::TestStateError;
use crate::request::TestStateRequest;
use asl_engine::Resource;
use asl_model::Timestamp;
use asl_path::json;
use serde_json::{Value, json};

/// Name of the state machine and the execution, unless the Context Object sets it.
const NAME: &str = "TestState";
const TASK_TOKEN: &str = "TestStateTaskToken";

/// Account and region of the request, unless a role sets them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) partition: String,
    pub(crate) region: String,
    pub(crate) account: String,
}

impl Default for Caller {
    /// Returns a placeholder account in us-east-1.
    fn default() -> Self {
        Self {
            partition: "aws".to_owned(),
            region: "us-east-1".to_owned(),
            account: "111111111111".to_owned(),
        }
    }
}

/// The one that was given, else one as the service makes it: of an Express execution.
pub(crate) fn context(
    request: &TestStateRequest,
    state: &TestedState,
    input: &Value,
    now: Timestamp,
    caller: &Caller,
) -> Result<Value, TestStateError> {
    let Some(text) = &request.context else {
        return Ok(create(request, state, input, now, caller));
    };
    // Not recorded: how a Context Object is refused that is no object.
    let given = json::parse(text, json::DEFAULT_MAX_DEPTH)
        .map_err(|_| invalid_context("Context object must be valid JSON"))?;
    if !given.is_object() {
        return Err(invalid_context("Context object must be a JSON object"));
    }
    check_context(state, &given)?;
    Ok(given)
}

fn create(
    request: &TestStateRequest,
    state: &TestedState,
    input: &Value,
    now: Timestamp,
    caller: &Caller,
) -> Value {
    let role = request.role_arn.as_deref();
    let own = (caller.partition.as_str(), caller.account.as_str());
    let (partition, account) = role.and_then(owner).unwrap_or(own);
    let prefix = format!("arn:{partition}:states:{}:{account}", caller.region);
    let mut context = json!({
        "Execution": {
            "Id": format!("{prefix}:express:{NAME}:{NAME}"),
            "Input": input,
            "Name": NAME,
            "RoleArn": role,
            "StartTime": now.to_string(),
        },
        "StateMachine": { "Id": format!("{prefix}:stateMachine:{NAME}"), "Name": NAME },
        "State": { "Name": STATE_NAME, "EnteredTime": now.to_string() },
    });
    // Recorded: only states that can be retried have it.
    if matches!(state.state_type(), "Task" | "Map" | "Parallel") {
        let count = request.configuration.retrier_retry_count.unwrap_or(0);
        context["State"]["RetryCount"] = count.into();
    }
    if Resource::parse(state.text("Resource")).waits_for_task_token() {
        context["Task"] = json!({ "Token": TASK_TOKEN });
    }
    context
}

/// Returns the partition and the account of a role.
fn owner(role: &str) -> Option<(&str, &str)> {
    let mut parts = role.split(':');
    let partition = parts.nth(1)?;
    Some((partition, parts.nth(2)?))
}

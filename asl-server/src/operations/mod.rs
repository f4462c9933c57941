//! The operations, by groups: a request in, its answer or error out.
mod activities;
mod aliases;
mod callbacks;
mod computed;
mod executions;
mod express;
mod history;
mod list_by_name;
mod machines;
mod map_runs;
mod start;
mod tags;
mod test_state;
mod validate;
mod variable_references;
mod versions;

pub(crate) use start::{StartedBy, start_by_task};

use crate::api::{Api, Call};
use crate::protocol::{ApiError, ErrorCode};
use asl_engine::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Answers a request that its constraints allow.
pub(crate) async fn answer(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    match call.operation.as_str() {
        "CreateStateMachine" => machines::create(api, call).await,
        "DescribeStateMachine" => machines::describe(api, call).await,
        "UpdateStateMachine" => machines::update(api, call).await,
        "DeleteStateMachine" => machines::delete(api, call).await,
        "ListStateMachines" => machines::list(api, call).await,
        "PublishStateMachineVersion" => versions::publish(api, call).await,
        "ListStateMachineVersions" => versions::list(api, call).await,
        "DeleteStateMachineVersion" => versions::delete(api, call).await,
        "CreateStateMachineAlias" => aliases::create(api, call).await,
        "DescribeStateMachineAlias" => aliases::describe(api, call).await,
        "UpdateStateMachineAlias" => aliases::update(api, call).await,
        "DeleteStateMachineAlias" => aliases::delete(api, call).await,
        "ListStateMachineAliases" => aliases::list(api, call).await,
        "StartExecution" => start::start(api, call).await,
        "StartSyncExecution" => express::start(api, call).await,
        "StopExecution" => executions::stop(api, call).await,
        "RedriveExecution" => executions::redrive(api, call).await,
        "DescribeExecution" => executions::describe(api, call).await,
        "DescribeStateMachineForExecution" => executions::describe_state_machine(api, call).await,
        "ListExecutions" => executions::list(api, call).await,
        "GetExecutionHistory" => history::get(api, call).await,
        "CreateActivity" => activities::create(api, call).await,
        "DescribeActivity" => activities::describe(api, call).await,
        "DeleteActivity" => activities::delete(api, call).await,
        "ListActivities" => activities::list(api, call).await,
        "GetActivityTask" => activities::take(api, call).await,
        "SendTaskSuccess" => callbacks::succeed(api, call).await,
        "SendTaskFailure" => callbacks::fail(api, call).await,
        "SendTaskHeartbeat" => callbacks::heartbeat(api, call).await,
        "ListMapRuns" => map_runs::list(api, call).await,
        "DescribeMapRun" => map_runs::describe(api, call).await,
        "UpdateMapRun" => map_runs::update(api, call).await,
        "TagResource" => tags::tag(api, call).await,
        "UntagResource" => tags::untag(api, call).await,
        "ListTagsForResource" => tags::list(api, call).await,
        "TestState" => test_state::test(api, call).await,
        "ValidateStateMachineDefinition" => validate::validate(api, call).await,
        other => Err(ApiError::unknown_operation(other)),
    }
}

/// Returns the members of a request.
fn read<T: DeserializeOwned>(request: Value) -> Result<T, ApiError> {
    serde_json::from_value(request)
        .map_err(|error| ApiError::new(ErrorCode::Serialization, error.to_string()))
}

/// Returns a date: seconds since the epoch, with milliseconds.
fn date(moment: Timestamp) -> Value {
    (moment.milliseconds() as f64 / 1_000.0).into()
}

/// The members of an answer that are there.
fn members<'n>(members: impl IntoIterator<Item = (&'n str, Option<Value>)>) -> Value {
    let members = members.into_iter();
    let members = members.filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(members.collect::<Map<_, _>>())
}

/// A member that is a text.
fn text(value: Option<impl AsRef<str>>) -> Option<Value> {
    value.map(|text| text.as_ref().into())
}

/// `{}`
fn nothing() -> Value {
    json!({})
}

/// True if "includedData" leaves out what executions and definitions hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum IncludedData {
    #[default]
    AllData,
    MetadataOnly,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_seconds_with_milliseconds() {
        assert_eq!(
            date(Timestamp::from_milliseconds(1_763_823_456_123)).to_string(),
            "1763823456.123"
        );
        assert_eq!(date(Timestamp::from_milliseconds(0)).to_string(), "0.0");
    }

    #[test]
    fn members_that_are_not_there_are_left_out() {
        let answer = members([("b", Some(json!(1))), ("a", None), ("c", text(Some("x")))]);
        assert_eq!(answer.to_string(), r#"{"b":1,"c":"x"}"#);
    }
}

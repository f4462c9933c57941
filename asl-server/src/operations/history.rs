//! Histories, by pages.
use super::{members, read, text};
use crate::api::{Api, Call};
use crate::arn::Arn;
use crate::page::{Pages, page_size};
use crate::protocol::{ApiError, ErrorCode};
use asl_backend::HistoryQuery;
use asl_engine::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Get {
    execution_arn: String,
    max_results: Option<usize>,
    #[serde(default)]
    reverse_order: Option<bool>,
    next_token: Option<String>,
    include_execution_data: Option<bool>,
}

pub(super) async fn get(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Get = read(call.request)?;
    let arn = Arn::execution(&request.execution_arn)?;
    let is_reversed = request.reverse_order.unwrap_or(false);
    let order = if is_reversed { "newest" } else { "oldest" };
    let pages = Pages {
        list: &["GetExecutionHistory", arn, order],
        now: api.backend.now(),
    };
    let from = pages.cursor(request.next_token.as_deref())?;
    let query = HistoryQuery {
        from: from.and_then(|id| id.parse().ok()),
        limit: page_size(request.max_results),
        is_reversed,
    };
    let page = api.backend.history(arn.into(), query).await?;
    let page = page.ok_or_else(|| ApiError::no_execution(arn))?;
    let includes_data = request.include_execution_data.unwrap_or(true);
    let events: Result<Vec<Value>, ApiError> = page
        .events
        .iter()
        .map(|event| to_json(event, includes_data))
        .collect();
    let next = page.next.map(|id| pages.token(&id.to_string()));
    Ok(members([
        ("events", Some(events?.into())),
        ("nextToken", text(next)),
    ]))
}

/// An event as the protocol has it: its date is a number.
fn to_json(event: &str, includes_data: bool) -> Result<Value, ApiError> {
    let mut members: Map<String, Value> = serde_json::from_str(event).map_err(|error| {
        let fault = format!("an event of the history cannot be read: {error}");
        ApiError::new(ErrorCode::InternalServerError, fault)
    })?;
    if let Some(moment) = members.get_mut("timestamp")
        && let Some(read) = moment.as_str().and_then(Timestamp::parse)
    {
        *moment = super::date(read);
    }
    if !includes_data {
        members.values_mut().for_each(without_data);
    }
    Ok(Value::Object(members))
}

/// The details of an event without what the execution made (API Reference, GetExecutionHistory, includeExecutionData).
fn without_data(details: &mut Value) {
    const DATA: [&str; 8] = [
        "input",
        "inputDetails",
        "output",
        "outputDetails",
        "parameters",
        "cause",
        "assignedVariables",
        "assignedVariablesDetails",
    ];
    if let Value::Object(details) = details {
        details.retain(|name, _| !DATA.contains(&name.as_str()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const EVENT: &str = r#"{"timestamp": "2026-01-02T03:04:05.678Z", "type": "PassStateEntered", "id": 2, "previousEventId": 0,
        "stateEnteredEventDetails": {"name": "A", "input": "{ }", "inputDetails": {"truncated": false}}}"#;

    #[test]
    fn dates_become_numbers_and_data_stays_as_it_is() {
        let event = to_json(EVENT, true).unwrap();
        assert_eq!(event["timestamp"], json!(1_767_323_045.678));
        assert_eq!(event["stateEnteredEventDetails"]["input"], "{ }");
        let numbers = r#"{"timestamp": 5.5, "id": 1}"#;
        assert_eq!(to_json(numbers, true).unwrap()["timestamp"], json!(5.5));
        assert!(to_json("{", true).is_err());
    }

    #[test]
    fn data_may_be_left_out() {
        let event = to_json(EVENT, false).unwrap();
        assert_eq!(event["stateEnteredEventDetails"], json!({"name": "A"}));
        assert_eq!(
            (&event["id"], &event["type"]),
            (&json!(2), &json!("PassStateEntered"))
        );
    }
}

//! Events, as the API of the service writes them.
use asl_model::Timestamp;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The common fields of an event, and its details.
pub(crate) struct Event<'e> {
    pub(crate) id: u64,
    pub(crate) previous: u64,
    pub(crate) at: Timestamp,
    pub(crate) kind: &'e str,
    details: Option<&'e Map<String, Value>>,
}

impl<'e> Event<'e> {
    pub(crate) fn read(event: &'e Value) -> Option<Self> {
        let event = event.as_object()?;
        let details = event
            .iter()
            .find(|(name, _)| name.ends_with("EventDetails"));
        Some(Self {
            id: event.get("id")?.as_u64()?,
            previous: event
                .get("previousEventId")
                .and_then(Value::as_u64)
                .unwrap_or(0),
            at: moment(event.get("timestamp")?)?,
            kind: event.get("type")?.as_str()?,
            details: details.and_then(|(_, details)| details.as_object()),
        })
    }

    pub(crate) fn has(&self, member: &str) -> bool {
        self.details
            .is_some_and(|details| details.contains_key(member))
    }

    pub(crate) fn text(&self, member: &str) -> Option<&'e str> {
        self.details?.get(member)?.as_str()
    }

    pub(crate) fn number(&self, member: &str) -> Option<u64> {
        self.details?.get(member)?.as_u64()
    }

    /// Parses data, which is JSON in a string. Invalid JSON, such as truncated text, remains a string.
    pub(crate) fn data(&self, member: &str) -> Arc<Value> {
        Arc::new(self.text(member).map_or(Value::Null, value))
    }

    /// Returns the assigned variables.
    pub(crate) fn variables(&self) -> Vec<(String, Arc<Value>)> {
        let assigned = self
            .details
            .and_then(|details| details.get("assignedVariables"));
        let assigned = assigned.and_then(Value::as_object).into_iter().flatten();
        assigned
            .map(|(name, text)| {
                (
                    name.clone(),
                    Arc::new(text.as_str().map_or(Value::Null, value)),
                )
            })
            .collect()
    }
}

fn value(text: &str) -> Value {
    let parsed = asl_path::json::parse(text, asl_path::json::DEFAULT_MAX_DEPTH);
    parsed.unwrap_or_else(|_| Value::from(text))
}

/// Parses an RFC 3339 timestamp, or seconds since 1970.
fn moment(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => Timestamp::parse(text),
        other => {
            let milliseconds = other.as_f64()? * 1_000.0;
            Some(Timestamp::from_milliseconds(milliseconds.round() as i64))
        }
    }
}

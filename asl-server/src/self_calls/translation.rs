//! Requests and answers of the API as states write and read them, by the API's shapes.
use super::requested_operation::Integration;
use asl_engine::Timestamp;
use asl_services::{Kind, Shape};
use serde_json::{Map, Value};

/// A request as the API takes it: members by its names, those that are `null` not there (recorded), and JSON where a text
/// is wanted as its text.
pub(super) fn request(shape: Shape<'_>, value: &Value) -> Value {
    match (shape.kind(), value) {
        (Kind::Structure, Value::Object(members)) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let member = |(name, value): (&String, &Value)| match shape.member(name) {
                Some(member) => (member.name().to_owned(), request(member.shape(), value)),
                None => (name.clone(), value.clone()),
            };
            Value::Object(members.map(member).collect())
        }
        (Kind::List(entry), Value::Array(entries)) => {
            entries.iter().map(|value| request(entry, value)).collect()
        }
        (Kind::String, Value::String(_) | Value::Null) => value.clone(),
        (Kind::String, other) => Value::String(other.to_string()),
        _ => value.clone(),
    }
}

/// An answer as a state gets it: members by the names of the integration, and dates as its SDK writes them.
pub(super) fn answer(shape: Shape<'_>, value: &Value, integration: Integration) -> Value {
    match (shape.kind(), value) {
        (Kind::Structure, Value::Object(members)) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let member = |(name, value): (&String, &Value)| {
                let member = shape.member(name)?;
                let [optimized, sdk] = member.step_functions_names();
                let name = match integration {
                    Integration::Optimized => optimized,
                    Integration::Sdk => sdk,
                };
                Some((name, answer(member.shape(), value, integration)))
            };
            Value::Object(members.filter_map(member).collect::<Map<_, _>>())
        }
        (Kind::List(entry), Value::Array(entries)) => entries
            .iter()
            .map(|value| answer(entry, value, integration))
            .collect(),
        (Kind::Map { value: shape, .. }, Value::Object(members)) => {
            let member = |(name, value): (&String, &Value)| {
                (name.clone(), answer(shape, value, integration))
            };
            Value::Object(members.iter().map(member).collect())
        }
        (Kind::Timestamp, _) => date(value, integration),
        _ => value.clone(),
    }
}

/// Of seconds with milliseconds: milliseconds since the epoch, or in ISO 8601.
fn date(value: &Value, integration: Integration) -> Value {
    let Some(seconds) = value.as_f64() else {
        return value.clone();
    };
    let milliseconds = (seconds * 1_000.0).round() as i64;
    match integration {
        Integration::Optimized => milliseconds.into(),
        Integration::Sdk => Timestamp::from_milliseconds(milliseconds)
            .to_string()
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_services::Services;
    use serde_json::json;

    fn requested(operation: &str, value: Value) -> Value {
        let service = Services::new().service("sfn").unwrap();
        let shape = service.operation(operation).unwrap().input().unwrap();
        request(shape, &value)
    }

    fn answered(operation: &str, value: Value, integration: Integration) -> Value {
        let service = Services::new().service("sfn").unwrap();
        let shape = service.operation(operation).unwrap().output().unwrap();
        answer(shape, &value, integration)
    }

    #[test]
    fn members_have_the_names_of_the_api() {
        let given =
            json!({"StateMachineArn": "arn:m", "Name": null, "Input": {"b": [1], "a": null}});
        let expected = json!({"stateMachineArn": "arn:m", "input": given["Input"].to_string()});
        assert_eq!(requested("startExecution", given), expected);
        let given = json!({"ResourceArn": "arn:m", "Tags": [{"Key": "k", "Value": 1}]});
        let expected = json!({"resourceArn": "arn:m", "tags": [{"key": "k", "value": "1"}]});
        assert_eq!(requested("tagResource", given), expected);
    }

    #[test]
    fn a_text_is_an_input_as_it_is() {
        let given = json!({"Input": "\"text\""});
        assert_eq!(
            requested("startExecution", given),
            json!({"input": "\"text\""})
        );
        assert_eq!(
            requested("startExecution", json!({"Input": 0})),
            json!({"input": "0"})
        );
    }

    #[test]
    fn dates_are_as_each_sdk_writes_them() {
        let started = json!({"executionArn": "arn:e", "startDate": 1_763_823_456.123});
        assert_eq!(
            answered("startExecution", started.clone(), Integration::Optimized),
            json!({"ExecutionArn": "arn:e", "StartDate": 1_763_823_456_123_i64})
        );
        assert_eq!(
            answered("startExecution", started, Integration::Sdk),
            json!({"ExecutionArn": "arn:e", "StartDate": "2025-11-22T14:57:36.123Z"})
        );
    }

    #[test]
    fn answers_are_named_all_the_way_and_without_nulls() {
        let listed =
            json!({"executions": [{"executionArn": "arn:e", "name": "e", "stopDate": null}]});
        assert_eq!(
            answered("listExecutions", listed, Integration::Sdk),
            json!({"Executions": [{"ExecutionArn": "arn:e", "Name": "e"}]})
        );
        let none = json!({"taskToken": null});
        assert_eq!(
            answered("getActivityTask", none, Integration::Sdk),
            json!({})
        );
    }
}

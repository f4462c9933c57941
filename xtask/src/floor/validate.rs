//! validate: a definition's text parsed and its states checked, fields, targets and reachability.
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Returns the number of problems of the definition `text`.
pub(crate) fn faults(text: &str) -> usize {
    let Ok(definition) = serde_json::from_str::<Value>(text) else {
        return 1;
    };
    let Some(states) = definition.get("States").and_then(Value::as_object) else {
        return 1;
    };
    let mut reached = HashSet::with_capacity(states.len());
    let faults: usize = states
        .values()
        .map(|state| faults_of_state(state, states, &mut reached))
        .sum();
    let start = definition
        .get("StartAt")
        .and_then(Value::as_str)
        .unwrap_or("");
    let unreached = states
        .keys()
        .filter(|name| *name != start && !reached.contains(name.as_str()))
        .count();
    faults
        + unreached
        + usize::from(!states.contains_key(start))
        + states
            .keys()
            .filter(|name| name.chars().count() > 80)
            .count()
}

const COMMON: [&str; 6] = ["Type", "Comment", "InputPath", "OutputPath", "Next", "End"];

fn faults_of_state<'d>(
    state: &'d Value,
    states: &Map<String, Value>,
    reached: &mut HashSet<&'d str>,
) -> usize {
    let Some(fields) = state.as_object() else {
        return 1;
    };
    let kind = fields.get("Type").and_then(Value::as_str).unwrap_or("");
    let own: &[&str] = match kind {
        "Pass" => &["Parameters", "Result", "ResultPath"],
        "Task" => &[
            "Resource",
            "Parameters",
            "ResultSelector",
            "ResultPath",
            "TimeoutSeconds",
            "HeartbeatSeconds",
            "Retry",
            "Catch",
        ],
        "Choice" => &["Choices", "Default"],
        "Wait" => &["Seconds", "Timestamp", "SecondsPath", "TimestampPath"],
        "Succeed" => &[],
        "Fail" => &["Error", "Cause"],
        _ => return 1,
    };
    let mut faults = 0;
    let mut target =
        |fields: &'d Map<String, Value>, name: &str| match fields.get(name).and_then(Value::as_str)
        {
            Some(next) => {
                reached.insert(next);
                usize::from(!states.contains_key(next))
            }
            None => 0,
        };
    faults += target(fields, "Next") + target(fields, "Default");
    for list in ["Catch", "Choices"] {
        for rule in objects(fields.get(list)) {
            faults += usize::from(!rule.contains_key("Next")) + target(rule, "Next");
            faults += if list == "Choices" {
                faults_of_rule(rule)
            } else {
                faults_of_errors(rule)
            };
        }
    }
    for retrier in objects(fields.get("Retry")) {
        faults += faults_of_errors(retrier) + faults_of_numbers(retrier);
    }
    let is_end = matches!(kind, "Succeed" | "Fail" | "Choice");
    faults += usize::from(!is_end && fields.contains_key("Next") == fields.contains_key("End"));
    for (name, value) in fields {
        let known = COMMON.contains(&name.as_str()) || own.contains(&name.as_str());
        faults += usize::from(!known) + faults_of_field(name, value);
    }
    faults
}

fn objects(list: Option<&Value>) -> impl Iterator<Item = &Map<String, Value>> {
    list.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
}

fn faults_of_field(name: &str, value: &Value) -> usize {
    match name {
        "Parameters" | "ResultSelector" => faults_of_template(value),
        "ResultPath" | "InputPath" | "OutputPath" => faults_of_path(value),
        "Resource" => usize::from(
            !value
                .as_str()
                .is_some_and(|resource| resource.contains(':')),
        ),
        "TimeoutSeconds" | "HeartbeatSeconds" | "Seconds" => {
            usize::from(value.as_u64().is_none_or(|seconds| seconds >= 100_000_000))
        }
        _ => 0,
    }
}

fn faults_of_path(value: &Value) -> usize {
    let well_formed = |path: &str| {
        path.strip_prefix('$').is_some_and(|rest| {
            rest.is_empty()
                || rest.strip_prefix('.').is_some_and(|names| {
                    names.split('.').all(|name| {
                        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
                    })
                })
        })
    };
    usize::from(!value.is_null() && !value.as_str().is_some_and(well_formed))
}

fn faults_of_template(value: &Value) -> usize {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| {
                if name.ends_with(".$") {
                    faults_of_path(field)
                } else {
                    faults_of_template(field)
                }
            })
            .sum(),
        Value::Array(elements) => elements.iter().map(faults_of_template).sum(),
        _ => 0,
    }
}

fn faults_of_rule(rule: &Map<String, Value>) -> usize {
    let mut operators = 0;
    let mut faults = 0;
    for (name, value) in rule {
        match name.as_str() {
            "Next" | "Comment" => {}
            "Variable" => faults += faults_of_path(value),
            "And" | "Or" => {
                operators += 1;
                faults += objects(Some(value)).map(faults_of_rule).sum::<usize>();
            }
            "Not" => {
                operators += 1;
                faults += value.as_object().map_or(1, faults_of_rule);
            }
            name if name.starts_with("Is") => {
                operators += 1;
                faults += usize::from(!value.is_boolean());
            }
            name if name.starts_with("Numeric") => {
                operators += 1;
                faults += usize::from(!value.is_number());
            }
            name if name.starts_with("String") || name.starts_with("Timestamp") => {
                operators += 1;
                faults += usize::from(!value.is_string());
            }
            _ => faults += 1,
        }
    }
    faults + usize::from(operators != 1)
}

fn faults_of_errors(rule: &Map<String, Value>) -> usize {
    let names = rule.get("ErrorEquals").and_then(Value::as_array);
    usize::from(!names.is_some_and(|names| {
        let all = names.iter().any(|name| name == "States.ALL");
        !names.is_empty() && names.iter().all(Value::is_string) && (!all || names.len() == 1)
    }))
}

fn faults_of_numbers(retrier: &Map<String, Value>) -> usize {
    let outside = |name: &str, least: f64| {
        retrier
            .get(name)
            .is_some_and(|number| !number.as_f64().is_some_and(|number| number >= least))
    };
    usize::from(outside("IntervalSeconds", 1.0))
        + usize::from(outside("MaxAttempts", 0.0))
        + usize::from(outside("BackoffRate", 1.0))
}

#[cfg(test)]
mod tests {
    use super::faults;
    use serde_json::json;

    #[test]
    fn a_sound_definition_has_no_faults() {
        let definition = json!({"StartAt": "A", "States": {
            "A": {"Type": "Pass", "Parameters": {"a.$": "$.b.c"}, "ResultPath": "$.r", "Next": "B"},
            "B": {"Type": "Choice", "Choices": [{"Not": {"Variable": "$.a", "IsPresent": true}, "Next": "C"}], "Default": "C"},
            "C": {"Type": "Succeed"}}});
        assert_eq!(faults(&definition.to_string()), 0);
    }

    #[test]
    fn faults_of_every_kind_are_counted() {
        let definition = json!({"StartAt": "A", "States": {
            "A": {"Type": "Pass", "Next": "Nowhere", "Parameters": {"a.$": "b"}},
            "B": {"Type": "Wait", "Seconds": -1, "End": true, "Unknown": 1},
            "C": {"Type": "Task", "Resource": "a:b", "Next": "B", "Retry": [{"ErrorEquals": ["States.ALL", "X"], "MaxAttempts": -1}]}}});
        // A: target, path; B: number, field; C: unreached, wildcard, number
        assert_eq!(faults(&definition.to_string()), 7);
    }
}

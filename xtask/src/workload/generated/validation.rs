//! A long definition of mixed states.
use super::function;
use crate::workload::files::Workload;
use serde_json::{Map, Value, json};

/// So many states of five types.
pub(super) fn states(count: usize) -> Workload {
    let mut states = Map::new();
    for i in 0..count {
        let next = if i + 1 < count {
            format!("S{}", i + 1)
        } else {
            "Done".to_owned()
        };
        states.insert(format!("S{i}"), state(i, &next));
    }
    states.insert("Done".to_owned(), json!({"Type": "Succeed"}));
    Workload::definition("validate", &json!({"StartAt": "S0", "States": states}))
}

fn state(i: usize, next: &str) -> Value {
    match i % 5 {
        0 => {
            json!({"Type": "Pass", "Parameters": {"a.$": "$.a", "b": {"c.$": "$.b.c"}}, "ResultPath": "$.r", "Next": next})
        }
        1 => {
            json!({"Type": "Task", "Resource": function("echo"), "TimeoutSeconds": 30, "Next": next,
            "Retry": [{"ErrorEquals": ["States.Timeout", "X"], "IntervalSeconds": 2, "MaxAttempts": 3, "BackoffRate": 2.0},
                {"ErrorEquals": ["States.ALL"]}],
            "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.err", "Next": "Done"}]})
        }
        2 => {
            json!({"Type": "Choice", "Default": next, "Choices": [{"Variable": "$.a", "NumericLessThan": i, "Next": next},
            {"And": [{"Variable": "$.a", "IsPresent": true}, {"Not": {"Variable": "$.s", "StringMatches": "x*"}}], "Next": "Done"}]})
        }
        3 => json!({"Type": "Wait", "Seconds": 1, "Next": next}),
        _ => {
            json!({"Type": "Pass", "Result": {"v": i}, "ResultPath": format!("$.r{}", i % 10), "Next": next})
        }
    }
}

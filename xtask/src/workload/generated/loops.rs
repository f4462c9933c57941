//! Loops of a Choice and a Pass state, and a task that fails.
use super::function;
use crate::workload::files::Workload;
use serde_json::{Value, json};

/// Returns a Choice that leads to `work` and back while one of `choices` holds.
fn looping(work: Value, choices: Vec<Value>) -> Value {
    json!({"StartAt": "Check", "States": {
        "Check": {"Type": "Choice", "Choices": choices, "Default": "Done"},
        "Work": work,
        "Done": {"Type": "Succeed"}}})
}

fn until(rounds: usize) -> Vec<Value> {
    vec![json!({"Variable": "$.i", "NumericLessThan": rounds, "Next": "Work"})]
}

/// Generates a loop that increments a number in every round.
pub(super) fn increments(rounds: usize) -> Workload {
    let work =
        json!({"Type": "Pass", "Parameters": {"i.$": "States.MathAdd($.i, 1)"}, "Next": "Check"});
    Workload::generated(
        "loop",
        &looping(work, until(rounds)),
        json!({"i": 0}),
        json!({"i": rounds}),
    )
}

/// 199 rules that do not hold before one that does.
pub(super) fn choice_heavy(rounds: usize) -> Workload {
    let mut rules: Vec<Value> = (0..199).map(rule).collect();
    rules.push(json!({"And": [{"Variable": "$.s", "IsPresent": true}, {"Variable": "$.n", "NumericEquals": 42},
        {"Not": {"Variable": "$.s", "StringEquals": "x"}}, {"Variable": "$.i", "NumericLessThan": rounds}]}));
    for (index, rule) in rules.iter_mut().enumerate() {
        rule["Next"] = if index < 199 { "Done" } else { "Work" }.into();
    }
    let work = json!({"Type": "Pass", "Next": "Check", "Parameters": {"i.$": "States.MathAdd($.i, 1)",
        "s.$": "$.s", "n.$": "$.n", "ts.$": "$.ts", "flag.$": "$.flag"}});
    let input =
        json!({"i": 0, "s": "hello-world", "n": 42, "ts": "2024-01-01T00:00:00Z", "flag": true});
    let mut expected = input.clone();
    expected["i"] = rounds.into();
    Workload::generated("choice-heavy", &looping(work, rules), input, expected)
}

/// One of ten kinds of rules, none of which holds for the input.
fn rule(k: i64) -> Value {
    match k % 10 {
        0 => {
            json!({"And": [{"Variable": "$.s", "StringMatches": format!("*never{k}*")}, {"Variable": "$.n", "NumericEquals": k}]})
        }
        1 => {
            json!({"Or": [{"Variable": "$.n", "NumericEquals": 1000 + k}, {"Variable": "$.s", "StringEquals": format!("nope{k}")},
            {"Variable": "$.flag", "BooleanEquals": false}]})
        }
        2 => json!({"Not": {"Variable": "$.s", "StringMatches": "hello-*"}}),
        3 => {
            json!({"Variable": "$.ts", "TimestampGreaterThan": format!("2030-01-{:02}T00:00:00Z", k % 28 + 1)})
        }
        4 => json!({"Variable": format!("$.missing{k}"), "IsPresent": true}),
        5 => {
            json!({"And": [{"Variable": "$.s", "IsPresent": true}, {"Variable": "$.n", "NumericGreaterThan": 100 + k}]})
        }
        6 => json!({"Variable": "$.s", "StringMatches": format!("*-world-{k}")}),
        7 => {
            json!({"Or": [{"Variable": "$.s", "IsNumeric": true}, {"Variable": "$.ts", "TimestampEquals": "2031-01-01T00:00:00Z"}]})
        }
        8 => json!({"Variable": "$.n", "NumericLessThan": -k}),
        _ => {
            json!({"Not": {"And": [{"Variable": "$.flag", "BooleanEquals": true}, {"Variable": "$.n", "NumericEquals": 42}]}})
        }
    }
}

/// Twenty calls in every round.
pub(super) fn intrinsics(rounds: usize) -> Workload {
    let source = json!({"s": "a,b,c,d", "arr": [1, 2, 3, 4, 5, 6, 7, 8], "dup": [1, 1, 2, 2, 3], "o1": {"a": 1, "b": 2},
        "o2": {"b": 3, "c": 4}, "js": "{\"k\":[1,2]}", "b64": "aGVsbG8="});
    let parameters = json!({"i.$": "States.MathAdd($.i, 1)", "src.$": "$.src",
        "fmt.$": "States.Format('Hello {}, you are {}', $.src.s, $.i)", "s2j.$": "States.StringToJson($.src.js)",
        "j2s.$": "States.JsonToString($.src.arr)", "arr.$": "States.Array($.i, 'x', true)",
        "part.$": "States.ArrayPartition($.src.arr, 3)", "cont.$": "States.ArrayContains($.src.arr, 5)",
        "range.$": "States.ArrayRange(1, 20, 3)", "get.$": "States.ArrayGetItem($.src.arr, 4)",
        "len.$": "States.ArrayLength($.src.arr)", "uniq.$": "States.ArrayUnique($.src.dup)",
        "b64.$": "States.Base64Encode($.src.s)", "unb64.$": "States.Base64Decode($.src.b64)",
        "hash.$": "States.Hash($.src.s, 'SHA-256')", "merge.$": "States.JsonMerge($.src.o1, $.src.o2, false)",
        "rnd.$": "States.MathRandom(1, 100)", "split.$": "States.StringSplit($.src.s, ',')", "uuid.$": "States.UUID()",
        "nest1.$": "States.ArrayLength(States.StringSplit($.src.s, ','))",
        "nest2.$": "States.Format('{}', States.ArrayGetItem($.src.arr, 0))"});
    let last = rounds - 1;
    let expected = json!({"i": rounds, "src": source, "fmt": format!("Hello a,b,c,d, you are {last}"), "s2j": {"k": [1, 2]},
        "j2s": "[1,2,3,4,5,6,7,8]", "arr": [last, "x", true], "part": [[1, 2, 3], [4, 5, 6], [7, 8]], "cont": true,
        "range": [1, 4, 7, 10, 13, 16, 19], "get": 5, "len": 8, "uniq": [1, 2, 3], "b64": "YSxiLGMsZA==", "unb64": "hello",
        "hash": "9a38e561234bdebcecce8f6aa85c89732f71a60aa52c43d9eac20010b650699a",
        "merge": {"a": 1, "b": 3, "c": 4}, "split": ["a", "b", "c", "d"], "nest1": 4, "nest2": "1"});
    let work = json!({"Type": "Pass", "Parameters": parameters, "Next": "Check"});
    let definition = looping(work, until(rounds));
    Workload::generated(
        "intrinsics",
        &definition,
        json!({"i": 0, "src": source}),
        expected,
    )
    .without(&["rnd", "uuid"])
}

/// A task that fails twice and is retried, and one that always fails and is caught.
pub(super) fn retry_catch() -> Workload {
    let definition = json!({"StartAt": "T", "States": {
        "T": {"Type": "Task", "Resource": function("flaky"), "ResultPath": "$.t", "Next": "F",
            "Retry": [{"ErrorEquals": ["Flaky"], "IntervalSeconds": 1, "MaxAttempts": 3, "BackoffRate": 1.0}]},
        "F": {"Type": "Task", "Resource": function("boom"), "End": true,
            "Catch": [{"ErrorEquals": ["Boom"], "ResultPath": "$.err", "Next": "C"}]},
        "C": {"Type": "Pass", "Parameters": {"t.$": "$.t", "e.$": "$.err.Error"}, "End": true}}});
    Workload::generated(
        "retry-catch",
        &definition,
        json!({"x": 1}),
        json!({"t": {"x": 1}, "e": "Boom"}),
    )
}

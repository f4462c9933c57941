//! Definitions of every kind of state, most of them valid.
use super::values;
use crate::fuzz::tape::Tape;
use serde_json::{Map, Value, json};

/// Branches and iterations are nested no deeper.
const DEEPEST: usize = 2;

/// Paths that find something in the data of most states.
const PATHS: [&str; 9] = [
    "$",
    "$.a",
    "$.b",
    "$.n",
    "$.s",
    "$.t",
    "$.flag",
    "$.items",
    "$$.State.Name",
];

/// Paths that often do not, or find several things.
const RARE_PATHS: [&str; 11] = [
    "$.b[0]",
    "$.b[-1].id",
    "$.items[*].id",
    "$..id",
    "$['a']",
    "$.items[0]",
    "$.missing",
    "$.items[?(@.id > 1)]",
    "$.items[1:]",
    "$$.Execution.Input",
    "$$.State.RetryCount",
];

const REFERENCES: [&str; 7] = [
    "$",
    "$.a",
    "$.r",
    "$.r.x.y",
    "$.b[0]",
    "$.items[1].id",
    "$.n",
];

/// What rules test: paths of one node.
const VARIABLES: [&str; 8] = [
    "$.a",
    "$.b[0]",
    "$.n",
    "$.s",
    "$.t",
    "$.missing",
    "$.items[1].id",
    "$$.State.RetryCount",
];

const CALLS: [&str; 16] = [
    "States.Format('{} {}', $.a, $.n)",
    "States.Array($.a, 1, 'x')",
    "States.UUID()",
    "States.MathRandom(1, 10)",
    "States.MathAdd($.n, 1)",
    "States.ArrayGetItem($.items, 0)",
    "States.JsonToString($)",
    "States.StringToJson($.s)",
    "States.ArrayPartition($.items, 2)",
    "States.ArrayLength($.b)",
    "States.ArrayUnique($.b)",
    "States.Base64Encode($.s)",
    "States.Hash($.s, 'SHA-1')",
    "States.StringSplit($.s, '-')",
    "States.ArrayRange(1, $.n, 2)",
    "States.JsonMerge($.a, $, false)",
];

const RESOURCES: [&str; 8] = [
    "arn:aws:lambda:us-east-1:123456789012:function:f",
    "arn:aws:states:us-east-1:123456789012:activity:worker",
    "arn:aws:states:::lambda:invoke",
    "arn:aws:states:::sqs:sendMessage",
    "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
    "arn:aws:states:::ecs:runTask.sync",
    "arn:aws:states:::states:startExecution.sync:2",
    "arn:aws:states:::aws-sdk:s3:listBuckets",
];

const ERRORS: [&str; 8] = [
    "States.ALL",
    "States.Timeout",
    "States.TaskFailed",
    "States.HeartbeatTimeout",
    "States.Permissions",
    "Boom",
    "States.DataLimitExceeded",
    "States.ExceedToleratedFailureThreshold",
];

/// A definition.
pub(super) fn generate(tape: &mut Tape<'_>) -> Value {
    let mut names = 0;
    let mut definition = scope(tape, 0, &mut names);
    if tape.one_in(6) {
        definition["TimeoutSeconds"] = json!(1 + tape.below(30));
    }
    definition
}

/// States in a row, each reachable from the one before; some lead back.
fn scope(tape: &mut Tape<'_>, depth: usize, names: &mut usize) -> Value {
    let first = *names;
    let count = 1 + tape.below(if depth == 0 { 8 } else { 3 });
    *names += count;
    let name = |index: usize| format!("S{}", first + index);
    let mut states = Map::new();
    for index in 0..count {
        let is_last = index + 1 == count;
        let any = name(tape.below(count));
        let next = name((index + 1).min(count - 1));
        let state = state(tape, depth, names, is_last, &next, &any);
        states.insert(name(index), state);
    }
    json!({"StartAt": name(0), "States": states})
}

fn state(
    tape: &mut Tape<'_>,
    depth: usize,
    names: &mut usize,
    is_last: bool,
    next: &str,
    any: &str,
) -> Value {
    let kind = tape.below(if depth < DEEPEST { 14 } else { 10 });
    let mut state = match kind {
        0 if is_last => return json!({"Type": "Succeed"}),
        1 if is_last && tape.one_in(3) => return fail(tape),
        3 if !is_last => return choice(tape, next, any),
        0..=3 => pass(tape),
        4 => wait(tape),
        5..=9 => task(tape),
        10 | 11 => parallel(tape, depth, names),
        _ => map(tape, depth, names),
    };
    if is_last {
        state["End"] = true.into();
    } else {
        state["Next"] = next.into();
    }
    if tape.surprises() {
        state["InputPath"] = path_or_null(tape);
    }
    if tape.surprises() {
        state["OutputPath"] = path_or_null(tape);
    }
    if kind >= 5 {
        error_handling(tape, &mut state, any);
    }
    state
}

fn path(tape: &mut Tape<'_>) -> &'static str {
    if tape.surprises() {
        tape.pick(&RARE_PATHS)
    } else {
        tape.pick(&PATHS)
    }
}

fn path_or_null(tape: &mut Tape<'_>) -> Value {
    if tape.one_in(8) {
        Value::Null
    } else {
        path(tape).into()
    }
}

/// Mostly beside the data, so that the states after it find what they read.
fn result_path(tape: &mut Tape<'_>, state: &mut Value) {
    state["ResultPath"] = match tape.surprises() {
        true if tape.one_in(4) => Value::Null,
        true => tape.pick(&REFERENCES).into(),
        false => "$.r".into(),
    };
}

fn template(tape: &mut Tape<'_>) -> Value {
    let mut template = Map::new();
    for name in ["a", "b", "n", "items"] {
        match tape.below(10) {
            0 => {}
            1 => drop(template.insert(name.to_owned(), values::value(tape, 2))),
            2 => drop(template.insert(name.to_owned(), json!({"x.$": path(tape)}))),
            3 if tape.one_in(3) => {
                drop(template.insert(format!("{name}.$"), tape.pick(&CALLS).into()))
            }
            _ => drop(template.insert(format!("{name}.$"), path(tape).into())),
        }
    }
    template.into()
}

fn pass(tape: &mut Tape<'_>) -> Value {
    let mut state = json!({"Type": "Pass"});
    match tape.below(3) {
        0 => state["Result"] = values::value(tape, 1),
        1 => state["Parameters"] = template(tape),
        _ => {}
    }
    result_path(tape, &mut state);
    state
}

fn fail(tape: &mut Tape<'_>) -> Value {
    match tape.below(3) {
        0 => json!({"Type": "Fail"}),
        1 => json!({"Type": "Fail", "Error": "Boom", "Cause": "why"}),
        _ => json!({"Type": "Fail", "ErrorPath": "$.s", "CausePath": "$.missing"}),
    }
}

fn wait(tape: &mut Tape<'_>) -> Value {
    let mut state = json!({"Type": "Wait"});
    let (field, value) = match tape.below(4) {
        0 => ("Seconds", json!(tape.below(100))),
        1 => ("SecondsPath", json!("$.n")),
        2 => ("Timestamp", json!("2023-11-14T22:14:00Z")),
        _ => ("TimestampPath", json!("$.t")),
    };
    state[field] = value;
    state
}

fn choice(tape: &mut Tape<'_>, next: &str, any: &str) -> Value {
    let mut choices = Vec::new();
    for _ in 0..=tape.below(3) {
        let mut rule = rule(tape, 0);
        rule["Next"] = any.into();
        choices.push(rule);
    }
    json!({"Type": "Choice", "Choices": choices, "Default": next})
}

fn rule(tape: &mut Tape<'_>, depth: usize) -> Value {
    let variable = tape.pick(&VARIABLES);
    match tape.below(if depth < 2 { 10 } else { 7 }) {
        0 => json!({"Variable": variable, "IsPresent": tape.one_in(2)}),
        1 => json!({"Variable": variable, "NumericLessThan": tape.below(20)}),
        2 => json!({"Variable": variable, "StringMatches": "t*-\\*"}),
        3 => json!({"Variable": variable, "NumericGreaterThanEqualsPath": "$.n"}),
        4 => json!({"Variable": variable, "TimestampLessThan": "2023-11-14T22:14:00Z"}),
        5 => json!({"Variable": variable, "IsTimestamp": true}),
        6 => json!({"Variable": variable, "StringEquals": "text-1"}),
        7 => json!({"Not": rule(tape, depth + 1)}),
        8 => json!({"And": [rule(tape, depth + 1), rule(tape, depth + 1)]}),
        _ => json!({"Or": [rule(tape, depth + 1), rule(tape, depth + 1)]}),
    }
}

fn task(tape: &mut Tape<'_>) -> Value {
    let resource = tape.pick(&RESOURCES);
    let mut state = json!({"Type": "Task", "Resource": resource});
    if resource.ends_with("waitForTaskToken") {
        state["Parameters"] = json!({"QueueUrl": "q", "MessageBody": {"token.$": "$$.Task.Token"}});
    } else if tape.one_in(2) {
        state["Parameters"] = template(tape);
    }
    match tape.below(4) {
        0 => state["TimeoutSeconds"] = json!(2 + tape.below(20)),
        1 => {
            state["TimeoutSeconds"] = json!(20 + tape.below(20));
            state["HeartbeatSeconds"] = json!(1 + tape.below(10));
        }
        2 if tape.one_in(2) => state["TimeoutSecondsPath"] = "$.n".into(),
        _ => {}
    }
    if tape.one_in(3) {
        state["ResultSelector"] = template(tape);
    }
    result_path(tape, &mut state);
    state
}

fn parallel(tape: &mut Tape<'_>, depth: usize, names: &mut usize) -> Value {
    let branches: Vec<Value> = (0..=tape.below(3))
        .map(|_| scope(tape, depth + 1, names))
        .collect();
    let mut state = json!({"Type": "Parallel", "Branches": branches});
    if tape.one_in(4) {
        state["ResultSelector"] = json!({"r.$": "$[0]"});
    }
    result_path(tape, &mut state);
    state
}

fn map(tape: &mut Tape<'_>, depth: usize, names: &mut usize) -> Value {
    let mut processor = scope(tape, depth + 1, names);
    let distributed = tape.one_in(2);
    let mut state = json!({"Type": "Map"});
    if distributed {
        let kind = tape.pick(&["STANDARD", "EXPRESS"]);
        processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": kind});
        distribution(tape, &mut state);
    }
    state["ItemProcessor"] = processor;
    if state.get("ItemReader").is_none() {
        state["ItemsPath"] = if tape.surprises() {
            path(tape)
        } else {
            "$.items"
        }
        .into();
    }
    if tape.one_in(2) {
        state["MaxConcurrency"] = json!(tape.below(4));
    }
    if !tape.surprises() {
        state["ItemSelector"] = json!({"a.$": "$$.Map.Item.Value", "b.$": "$.b", "n.$": "$$.Map.Item.Index", "s.$": "$.s",
            "t.$": "$.t", "items.$": "$.items", "flag.$": "$.flag"});
    }
    result_path(tape, &mut state);
    state
}

fn distribution(tape: &mut Tape<'_>, state: &mut Value) {
    if tape.one_in(2) {
        let configuration = match tape.below(4) {
            0 => json!({"InputType": "JSON"}),
            1 => json!({"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "MaxItems": 2}),
            2 => {
                json!({"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["x", "y"]})
            }
            _ => json!({"InputType": "JSONL"}),
        };
        state["ItemReader"] = json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": configuration,
            "Parameters": {"Bucket": "bucket", "Key": "key"}});
    } else if tape.one_in(4) {
        state["ItemReader"] = json!({"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {"Bucket": "bucket", "Prefix": "p"}});
    }
    if tape.one_in(6) {
        state["ItemBatcher"] =
            json!({"MaxItemsPerBatch": 1 + tape.below(3), "BatchInput": {"n.$": "$.n"}});
    }
    match tape.below(4) {
        0 => state["ToleratedFailureCount"] = json!(tape.below(3)),
        1 => state["ToleratedFailurePercentage"] = json!(tape.below(101)),
        _ => {}
    }
    if tape.one_in(3) {
        state["ResultWriter"] = json!({"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "bucket", "Prefix": "out"}});
    }
}

fn error_handling(tape: &mut Tape<'_>, state: &mut Value, any: &str) {
    if tape.one_in(2) {
        let mut retrier = json!({"ErrorEquals": [tape.pick(&ERRORS)], "IntervalSeconds": 1 + tape.below(5),
            "MaxAttempts": tape.below(4), "BackoffRate": 1.0 + tape.below(3) as f64 / 2.0});
        if tape.one_in(2) {
            retrier["JitterStrategy"] = "FULL".into();
        }
        if tape.one_in(2) {
            retrier["MaxDelaySeconds"] = 20.into();
        }
        state["Retry"] = json!([retrier]);
    }
    if tape.one_in(2) {
        let mut catcher = json!({"ErrorEquals": [tape.pick(&ERRORS)], "Next": any});
        result_path(tape, &mut catcher);
        state["Catch"] = json!([catcher]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn most_definitions_are_accepted_and_hold_every_kind_of_state() {
        let mut kinds = BTreeSet::new();
        let mut faults = Vec::new();
        for number in 0..400_u32 {
            let bytes = number.to_le_bytes();
            let definition = generate(&mut Tape::new(&bytes));
            match asl_model::parse_value(&definition, asl_model::Options::default()) {
                Ok(_) => collect_kinds(&definition, &mut kinds),
                Err(found) => faults.push(crate::definition::refused(&found)),
            }
        }
        assert!(
            faults.len() < 40,
            "{} are refused: {:?}",
            faults.len(),
            faults.iter().take(5).collect::<Vec<_>>()
        );
        let all = [
            "Choice", "Fail", "Map", "Parallel", "Pass", "Succeed", "Task", "Wait",
        ];
        assert_eq!(kinds, all.map(str::to_owned).into());
    }

    fn collect_kinds(value: &Value, kinds: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                kinds.extend(
                    fields
                        .get("Type")
                        .and_then(Value::as_str)
                        .map(str::to_owned),
                );
                fields
                    .values()
                    .for_each(|field| collect_kinds(field, kinds));
            }
            Value::Array(elements) => elements
                .iter()
                .for_each(|element| collect_kinds(element, kinds)),
            _ => {}
        }
    }
}

//! The fields of a state of a generated definition.
use super::{Errors, Scope, State, Task, scope};
use serde_json::{Value, json};

pub(super) fn fields(state: &State, within: &Scope, names: &mut usize) -> Value {
    match state {
        State::Pass { kind } => pass_fields(*kind, within),
        State::Wait { kind } => match kind {
            0 => json!({"Type": "Wait", "Seconds": 0}),
            1 => json!({"Type": "Wait", "Seconds": 7}),
            2 => json!({"Type": "Wait", "Timestamp": "2024-01-01T00:01:00Z"}),
            3 => json!({"Type": "Wait", "TimestampPath": "$$.State.EnteredTime"}),
            _ => jsonata(
                json!({"Type": "Wait", "Seconds": "{% 3 + 4 %}", "Output": "{% $states.input %}"}),
            ),
        },
        State::Task(task) => task_fields(task, within),
        State::Again => {
            let present = json!({"Variable": "$.again", "IsPresent": true});
            let again = json!({"And": [present, {"Variable": "$.again", "BooleanEquals": true}],
                "Next": within.start, "Assign": {within.own(): {"again.$": "$.again"}}});
            json!({"Type": "Choice", "Choices": [again]})
        }
        State::Fail { named: true } => {
            json!({"Type": "Fail", "Error": "E", "CausePath": "States.UUID()"})
        }
        State::Fail { named: false } => json!({"Type": "Fail"}),
        State::Parallel {
            branches,
            errors,
            jsonata: in_jsonata,
        } => {
            let branches: Vec<Value> = branches
                .iter()
                .map(|states| scope(states, names, &within.variables))
                .collect();
            let parallel = json!({"Type": "Parallel", "Branches": branches});
            if *in_jsonata {
                let fields = json!({"Arguments": {"in": "{% $states.input %}"},
                    "Output": {"all": "{% $states.result %}"}, "Assign": {within.own(): "{% $count($states.result) %}"}});
                with_jsonata_errors(jsonata(merged(parallel, fields)), errors, within)
            } else {
                with_errors(parallel, errors)
            }
        }
        State::Map {
            states,
            concurrency,
            selector,
            tolerates,
            errors,
            jsonata: in_jsonata,
        } => {
            let processor = scope(states, names, &within.variables);
            let mut map =
                json!({"Type": "Map", "ItemProcessor": processor, "MaxConcurrency": concurrency});
            if *in_jsonata {
                map["Items"] = json!("{% $states.context.Execution.Input.items %}");
                if *selector {
                    map["ItemSelector"] = json!({"item": "{% $states.context.Map.Item.Value %}", "items": [1], "id": "{% $uuid() %}"});
                }
                if *tolerates {
                    map["ToleratedFailureCount"] = json!("{% 1 %}");
                }
                return with_jsonata_errors(jsonata(map), errors, within);
            }
            if *selector {
                map["ItemSelector"] =
                    json!({"item.$": "$$.Map.Item.Value", "items": [1], "id.$": "States.UUID()"});
            }
            map_fields(map, *tolerates, errors)
        }
        State::Distributed {
            states,
            concurrency,
            reads,
            batches,
            writes,
            tolerates,
            errors,
        } => {
            // Its children are executions of their own: they see no variables of this one.
            let mut processor = scope(states, names, &[]);
            processor["ProcessorConfig"] =
                json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
            let mut map =
                json!({"Type": "Map", "ItemProcessor": processor, "MaxConcurrency": concurrency});
            let place = json!({"Bucket": "bucket", "Key": "key"});
            if *reads {
                map["ItemReader"] = json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"}, "Parameters": place});
            }
            if *batches {
                map["ItemBatcher"] = json!({"MaxItemsPerBatch": 2});
            }
            if *writes {
                map["ResultWriter"] = json!({"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "bucket", "Prefix": "p"}});
            }
            let mut map = map_fields(map, *tolerates, errors);
            if *reads && let Some(fields) = map.as_object_mut() {
                fields.shift_remove("ItemsPath");
            }
            map
        }
    }
}

fn pass_fields(kind: u8, within: &Scope) -> Value {
    let (own, outermost) = (within.own(), within.outermost());
    match kind {
        0 => json!({"Type": "Pass"}),
        1 => json!({"Type": "Pass", "Result": {"again": true, "x": [1]}}),
        2 => json!({"Type": "Pass", "Parameters": {"context.$": "$$", "id.$": "States.UUID()"}}),
        3 => {
            json!({"Type": "Pass", "Parameters": {"n.$": "States.MathRandom(1, 9)"}, "ResultPath": "$.random"})
        }
        4 => json!({"Type": "Pass", "InputPath": null, "OutputPath": "$"}),
        5 => json!({"Type": "Pass", "InputPath": "$.gone"}),
        6 => json!({"Type": "Pass", "Assign": {own: {"was.$": "$", "id.$": "States.UUID()"}}}),
        7 => json!({"Type": "Pass", "Parameters": {"v.$": format!("${own}")}}),
        8 => jsonata(
            json!({"Type": "Pass", "Output": {"in": "{% $states.input %}", "id": "{% $uuid() %}"}}),
        ),
        9 => jsonata(
            json!({"Type": "Pass", "Output": format!("{{% [${outermost}] %}}"),
            "Assign": {own: format!("{{% $exists(${own}) ? [${own}, $random()] : $states.input %}}")}}),
        ),
        10 => jsonata(json!({"Type": "Pass", "Output": format!("{{% ${outermost} %}}")})),
        _ => jsonata(json!({"Type": "Pass", "Assign": {own: "{% $states.input %}"}})),
    }
}

fn jsonata(mut state: Value) -> Value {
    state["QueryLanguage"] = json!("JSONata");
    state
}

fn merged(mut state: Value, fields: Value) -> Value {
    if let (Some(state), Value::Object(fields)) = (state.as_object_mut(), fields) {
        state.extend(fields);
    }
    state
}

fn task_fields(task: &Task, within: &Scope) -> Value {
    let resource = if task.callback {
        "arn:aws:states:::sqs:sendMessage.waitForTaskToken"
    } else {
        "arn:aws:states:us-east-1:111111111111:activity:A"
    };
    let mut fields = json!({"Type": "Task", "Resource": resource});
    if task.timeout > 0 {
        fields["TimeoutSeconds"] = json!(10 * u32::from(task.timeout));
    }
    if task.heartbeat {
        fields["HeartbeatSeconds"] = json!(4);
    }
    if task.jsonata {
        return jsonata_task_fields(fields, task, within);
    }
    if task.callback {
        fields["Parameters"] = json!({"token.$": "$$.Task.Token", "data.$": "$"});
    }
    match task.result {
        0 => {}
        1 => fields["ResultPath"] = Value::Null,
        2 => fields["ResultPath"] = json!("$.r"),
        3 => fields["ResultSelector"] = json!({"all.$": "$"}),
        _ => fields["ResultPath"] = json!("$.items[0]"),
    }
    with_errors(fields, &task.errors)
}

fn jsonata_task_fields(mut fields: Value, task: &Task, within: &Scope) -> Value {
    if task.callback {
        fields["Arguments"] =
            json!({"token": "{% $states.context.Task.Token %}", "data": "{% $states.input %}"});
    }
    match task.result {
        0 => {}
        1 => fields["Output"] = json!("{% $states.input %}"),
        2 => fields["Output"] = json!({"r": "{% $states.result %}", "in": "{% $states.input %}"}),
        3 => fields["Assign"] = json!({within.own(): "{% $states.result %}"}),
        _ => fields["Output"] = json!("{% $states.result.gone %}"),
    }
    with_jsonata_errors(jsonata(fields), &task.errors, within)
}

fn map_fields(mut map: Value, tolerates: bool, errors: &Errors) -> Value {
    // Data may have become anything by now; the input of an execution, or its items, most often has items.
    map["ItemsPath"] = json!("$$.Execution.Input.items");
    if tolerates {
        map["ToleratedFailureCount"] = json!(1);
    }
    with_errors(map, errors)
}

fn with_errors(fields: Value, errors: &Errors) -> Value {
    let mut fields = with_retries(fields, errors);
    if errors.catches {
        fields["Catch"] = json!([{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error"}]);
    }
    fields
}

fn with_jsonata_errors(fields: Value, errors: &Errors, within: &Scope) -> Value {
    let mut fields = with_retries(fields, errors);
    if errors.catches {
        fields["Catch"] = json!([{"ErrorEquals": ["States.ALL"], "Output": {"in": "{% $states.input %}"},
            "Assign": {within.own(): "{% $states.errorOutput %}"}}]);
    }
    fields
}

fn with_retries(mut fields: Value, errors: &Errors) -> Value {
    if errors.retries > 0 {
        let jitter = if errors.jitter { "FULL" } else { "NONE" };
        fields["Retry"] = json!([
            {"ErrorEquals": ["States.Timeout"], "IntervalSeconds": 2, "MaxAttempts": errors.retries, "JitterStrategy": jitter},
            {"ErrorEquals": ["States.ALL"], "IntervalSeconds": 1, "MaxAttempts": errors.retries, "JitterStrategy": jitter},
        ]);
    }
    fields
}

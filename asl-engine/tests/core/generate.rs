//! Valid definitions of all state types, nested in each other, and what may happen to their executions.
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A state of a chain; the chain gives it its name and its next state.
#[derive(Debug, Clone)]
enum State {
    Pass {
        kind: u8,
    },
    Wait {
        kind: u8,
    },
    Task(Task),
    /// Back to the start of the chain while the data says "again", then on.
    Again,
    Fail {
        named: bool,
    },
    Parallel {
        branches: Vec<Vec<Self>>,
        errors: Errors,
    },
    Map {
        states: Vec<Self>,
        concurrency: u8,
        selector: bool,
        tolerates: bool,
        errors: Errors,
    },
    Distributed {
        states: Vec<Self>,
        concurrency: u8,
        reads: bool,
        batches: bool,
        writes: bool,
        tolerates: bool,
        errors: Errors,
    },
}

#[derive(Debug, Clone)]
struct Task {
    callback: bool,
    timeout: u8,
    heartbeat: bool,
    result: u8,
    errors: Errors,
}

#[derive(Debug, Clone)]
struct Errors {
    retries: u8,
    jitter: bool,
    /// Catches with a way out of the chain.
    catches: bool,
}

fn errors() -> impl Strategy<Value = Errors> {
    (0..3_u8, any::<bool>(), any::<bool>()).prop_map(|(retries, jitter, catches)| Errors {
        retries,
        jitter,
        catches,
    })
}

fn state() -> impl Strategy<Value = State> {
    let task = (any::<bool>(), 0..3_u8, any::<bool>(), 0..5_u8, errors()).prop_map(
        |(callback, timeout, heartbeat, result, errors)| Task {
            callback,
            timeout,
            heartbeat,
            result,
            errors,
        },
    );
    let leaf = prop_oneof![
        3 => (0..6_u8).prop_map(|kind| State::Pass { kind }),
        2 => (0..4_u8).prop_map(|kind| State::Wait { kind }),
        5 => task.prop_map(State::Task),
        1 => Just(State::Again),
        1 => any::<bool>().prop_map(|named| State::Fail { named }),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let chain = || prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            (prop::collection::vec(chain(), 1..4), errors())
                .prop_map(|(branches, errors)| State::Parallel { branches, errors }),
            (chain(), 0..3_u8, any::<bool>(), any::<bool>(), errors()).prop_map(
                |(states, concurrency, selector, tolerates, errors)| State::Map {
                    states,
                    concurrency,
                    selector,
                    tolerates,
                    errors
                }
            ),
            (chain(), 0..3_u8, any::<[bool; 4]>(), errors()).prop_map(
                |(states, concurrency, [reads, batches, writes, tolerates], errors)| {
                    State::Distributed {
                        states,
                        concurrency,
                        reads,
                        batches,
                        writes,
                        tolerates,
                        errors,
                    }
                }
            ),
        ]
    })
}

/// A definition that the model accepts.
pub(crate) fn definition() -> impl Strategy<Value = Value> {
    (prop::collection::vec(state(), 1..5), any::<bool>()).prop_map(|(states, timeout)| {
        let mut names = 0;
        let mut machine = scope(&states, &mut names);
        if timeout {
            machine["TimeoutSeconds"] = json!(500);
        }
        machine
    })
}

fn scope(states: &[State], names: &mut usize) -> Value {
    let start = format!("State{names}");
    let mut scope = Map::new();
    for (index, state) in states.iter().enumerate() {
        let name = format!("State{names}");
        *names += 1;
        let mut fields = fields(state, &start, names);
        let ended = matches!(state, State::Fail { .. });
        let next = format!("State{names}");
        let last = index + 1 == states.len();
        match state {
            _ if ended => {}
            State::Again if last => {
                fields["Default"] = json!(next);
                scope.insert(next, json!({"Type": "Succeed"}));
                *names += 1;
            }
            State::Again => fields["Default"] = json!(next),
            _ if last => fields["End"] = json!(true),
            _ => fields["Next"] = json!(next),
        }
        if let Some(catch) = fields.get_mut("Catch") {
            let caught = format!("{name}Caught");
            catch[0]["Next"] = json!(caught);
            scope.insert(caught, json!({"Type": "Pass", "End": true}));
        }
        scope.insert(name, fields);
        if ended {
            break;
        }
    }
    json!({"StartAt": start, "States": scope})
}

fn fields(state: &State, start: &str, names: &mut usize) -> Value {
    match state {
        State::Pass { kind } => match kind {
            0 => json!({"Type": "Pass"}),
            1 => json!({"Type": "Pass", "Result": {"again": true, "x": [1]}}),
            2 => {
                json!({"Type": "Pass", "Parameters": {"context.$": "$$", "id.$": "States.UUID()"}})
            }
            3 => {
                json!({"Type": "Pass", "Parameters": {"n.$": "States.MathRandom(1, 9)"}, "ResultPath": "$.random"})
            }
            4 => json!({"Type": "Pass", "InputPath": null, "OutputPath": "$"}),
            _ => json!({"Type": "Pass", "InputPath": "$.gone"}),
        },
        State::Wait { kind } => match kind {
            0 => json!({"Type": "Wait", "Seconds": 0}),
            1 => json!({"Type": "Wait", "Seconds": 7}),
            2 => json!({"Type": "Wait", "Timestamp": "2024-01-01T00:01:00Z"}),
            _ => json!({"Type": "Wait", "TimestampPath": "$$.State.EnteredTime"}),
        },
        State::Task(task) => task_fields(task),
        State::Again => {
            let present = json!({"Variable": "$.again", "IsPresent": true});
            let rule = json!({"And": [present, {"Variable": "$.again", "BooleanEquals": true}], "Next": start});
            json!({"Type": "Choice", "Choices": [rule]})
        }
        State::Fail { named: true } => {
            json!({"Type": "Fail", "Error": "E", "CausePath": "States.UUID()"})
        }
        State::Fail { named: false } => json!({"Type": "Fail"}),
        State::Parallel { branches, errors } => {
            let branches: Vec<Value> = branches.iter().map(|states| scope(states, names)).collect();
            with_errors(json!({"Type": "Parallel", "Branches": branches}), errors)
        }
        State::Map {
            states,
            concurrency,
            selector,
            tolerates,
            errors,
        } => {
            let mut map = json!({"Type": "Map", "ItemProcessor": scope(states, names), "MaxConcurrency": concurrency});
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
            let mut processor = scope(states, names);
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

fn task_fields(task: &Task) -> Value {
    let resource = if task.callback {
        "arn:aws:states:::sqs:sendMessage.waitForTaskToken"
    } else {
        "arn:aws:states:us-east-1:111111111111:activity:A"
    };
    let mut fields = json!({"Type": "Task", "Resource": resource});
    if task.callback {
        fields["Parameters"] = json!({"token.$": "$$.Task.Token", "data.$": "$"});
    }
    if task.timeout > 0 {
        fields["TimeoutSeconds"] = json!(10 * u32::from(task.timeout));
    }
    if task.heartbeat {
        fields["HeartbeatSeconds"] = json!(4);
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

fn map_fields(mut map: Value, tolerates: bool, errors: &Errors) -> Value {
    // Data may have become anything by now; the input of an execution, or its items, most often has items.
    map["ItemsPath"] = json!("$$.Execution.Input.items");
    if tolerates {
        map["ToleratedFailureCount"] = json!(1);
    }
    with_errors(map, errors)
}

fn with_errors(mut fields: Value, errors: &Errors) -> Value {
    if errors.retries > 0 {
        let jitter = if errors.jitter { "FULL" } else { "NONE" };
        fields["Retry"] = json!([
            {"ErrorEquals": ["States.Timeout"], "IntervalSeconds": 2, "MaxAttempts": errors.retries, "JitterStrategy": jitter},
            {"ErrorEquals": ["States.ALL"], "IntervalSeconds": 1, "MaxAttempts": errors.retries, "JitterStrategy": jitter},
        ]);
    }
    if errors.catches {
        fields["Catch"] = json!([{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error"}]);
    }
    fields
}

/// One thing that happens to an execution.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// An effect that waits for an answer gets one: which of them, and how.
    Answer {
        which: usize,
        how: u8,
    },
    /// An answer of any kind to any id.
    Garbage {
        id: u64,
        kind: u8,
    },
    Heartbeat {
        which: usize,
    },
    /// Time goes to what is due next.
    Due,
    /// Time goes on, however far.
    Jump {
        seconds: u64,
    },
    /// The host's clock goes back.
    Back,
    Stop,
}

pub(crate) fn actions() -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        12 => (any::<usize>(), 0..8_u8).prop_map(|(which, how)| Action::Answer { which, how }),
        4 => (0..30_u64, 0..8_u8).prop_map(|(id, kind)| Action::Garbage { id, kind }),
        2 => any::<usize>().prop_map(|which| Action::Heartbeat { which }),
        5 => Just(Action::Due),
        1 => (0..40_u64).prop_map(|seconds| Action::Jump { seconds }),
        1 => Just(Action::Jump { seconds: 300_000_000_000 }),
        1 => Just(Action::Back),
        1 => Just(Action::Stop),
    ];
    prop::collection::vec(action, 0..40)
}

//! Valid definitions of all state types, nested in each other, and what may happen to their executions.
mod actions;
mod fields;

pub(crate) use actions::{Action, actions};

use fields::fields;
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
        jsonata: bool,
    },
    Map {
        states: Vec<Self>,
        concurrency: u8,
        selector: bool,
        tolerates: bool,
        errors: Errors,
        jsonata: bool,
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
    jsonata: bool,
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
    let task = (any::<[bool; 3]>(), 0..3_u8, 0..5_u8, errors()).prop_map(
        |([callback, heartbeat, jsonata], timeout, result, errors)| Task {
            callback,
            timeout,
            heartbeat,
            result,
            errors,
            jsonata,
        },
    );
    let leaf = prop_oneof![
        5 => (0..12_u8).prop_map(|kind| State::Pass { kind }),
        2 => (0..5_u8).prop_map(|kind| State::Wait { kind }),
        5 => task.prop_map(State::Task),
        1 => Just(State::Again),
        1 => any::<bool>().prop_map(|named| State::Fail { named }),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let chain = || prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            (
                prop::collection::vec(chain(), 1..4),
                errors(),
                any::<bool>()
            )
                .prop_map(|(branches, errors, jsonata)| State::Parallel {
                    branches,
                    errors,
                    jsonata
                }),
            (chain(), 0..3_u8, any::<[bool; 3]>(), errors()).prop_map(
                |(states, concurrency, [selector, tolerates, jsonata], errors)| State::Map {
                    states,
                    concurrency,
                    selector,
                    tolerates,
                    errors,
                    jsonata
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

/// A definition that the model accepts: one that does much, or one of any form.
pub(crate) fn definition() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => busy_definition(),
        1 => asl_model::strategies::definition(),
    ]
}

fn busy_definition() -> impl Strategy<Value = Value> {
    (prop::collection::vec(state(), 1..5), any::<bool>()).prop_map(|(states, timeout)| {
        let mut names = 0;
        let mut machine = scope(&states, &mut names, &[]);
        if timeout {
            machine["TimeoutSeconds"] = json!(500);
        }
        machine
    })
}

/// What the states of a scope may name.
struct Scope {
    start: String,
    /// The variables that it sees, its own last: names are unique over all scopes (2024 specification, Variable Scope).
    variables: Vec<String>,
}

impl Scope {
    /// Its own variable.
    fn own(&self) -> &str {
        self.variables.last().map_or("", String::as_str)
    }

    /// The variable of the outermost scope that it sees.
    fn outermost(&self) -> &str {
        self.variables.first().map_or("", String::as_str)
    }
}

fn scope(states: &[State], names: &mut usize, outer: &[String]) -> Value {
    let start = format!("State{names}");
    let own = [format!("variable{names}")];
    let within = Scope {
        start: start.clone(),
        variables: [outer, &own].concat(),
    };
    let mut scope = Map::new();
    for (index, state) in states.iter().enumerate() {
        let name = format!("State{names}");
        *names += 1;
        let mut fields = fields(state, &within, names);
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

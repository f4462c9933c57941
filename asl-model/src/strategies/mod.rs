//! Generators of whole definitions for property tests (feature `strategies`).
//!
//! A definition is generated as a plan without names, then written down: so every name is used once, every transition
//! leads somewhere, and every state is reached.

mod fields;
mod maps;
mod plan;
mod rules;
mod setting;
mod values;

pub use values::{
    expression, intrinsic, json, jsonata_template, path, reference_path, single_path, template,
};

use proptest::prelude::*;
use serde_json::Value;
use setting::{Languages, Place};

/// Valid definitions with states of all eight types in both query languages, two scopes deep at most below the machine.
pub fn definition() -> impl Strategy<Value = Value> {
    prop_oneof![
        json_path_definition(),
        machine(Languages::Both),
        machine(Languages::Jsonata),
    ]
}

/// Valid definitions whose states are all JSONPath states.
pub fn json_path_definition() -> impl Strategy<Value = Value> {
    machine(Languages::JsonPath)
}

fn machine(languages: Languages) -> impl Strategy<Value = Value> {
    let place = Place {
        languages,
        depth: 2,
    };
    plan::scope(place).prop_map(move |scope| {
        let mut machine = plan::Writer::default().machine(&scope);
        if languages == Languages::Jsonata {
            machine["QueryLanguage"] = "JSONata".into();
        }
        machine
    })
}

/// Definitions of which a few parts are replaced or removed: most are refused.
pub fn broken_definition() -> impl Strategy<Value = Value> {
    let change = (
        any::<prop::sample::Index>(),
        prop::option::weighted(0.7, broken_part()),
    );
    (definition(), prop::collection::vec(change, 1..4)).prop_map(|(mut definition, changes)| {
        for (index, replacement) in changes {
            values::change(&mut definition, index, replacement);
        }
        definition
    })
}

fn broken_part() -> impl Strategy<Value = Value> {
    prop_oneof![
        json(),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        template(),
        Just(Value::from("${Placeholder}")),
        definition(),
    ]
}

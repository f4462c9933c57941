//! Generators of whole definitions for property tests (feature `strategies`).
//!
//! A definition is generated as a plan without names, then written down: so every name is used once, every transition
//! leads somewhere, and every state is reached.

mod fields;
mod plan;
mod values;

pub use values::{intrinsic, json, path, reference_path, template};

use proptest::prelude::*;
use serde_json::Value;

/// Valid definitions with states of all eight types, two scopes deep at most below the machine.
pub fn definition() -> impl Strategy<Value = Value> {
    plan::scope(2).prop_map(|scope| plan::Writer::default().machine(&scope))
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

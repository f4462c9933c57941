//! Strategies of proptest for generated definitions (feature `strategies`).
//!
//! A strategy gives the bytes, and shrinks them: to fewer, and to plainer decisions.
use crate::generate::{self, Tape};
use proptest::prelude::*;
use serde_json::Value;
use std::fmt::Debug;

/// Definitions of most sizes are decided by so many bytes.
const LONGEST: usize = 500;

/// Returns a strategy for the data of a generator.
pub fn generated<T: Debug>(generate: fn(&mut Tape<'_>) -> T) -> impl Strategy<Value = T> {
    prop::collection::vec(any::<u8>(), 0..LONGEST)
        .prop_map(move |bytes| generate(&mut Tape::ending(&bytes)))
}

/// Definitions that are accepted, of any languages.
pub fn definition() -> impl Strategy<Value = Value> {
    generated(generate::any_definition)
}

/// Definitions of which a few parts are replaced or removed: most are refused.
pub fn broken_definition() -> impl Strategy<Value = Value> {
    generated(generate::broken_definition)
}

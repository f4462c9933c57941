//! A seed where none is given.
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Returns a seed of the system, by way of the standard library's hash keys.
pub(crate) fn system_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

//! Random numbers that a seed decides.
use asl_intrinsics::RandomSource;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// A seed of the system, by way of the standard library's hash keys.
pub(crate) fn system_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// SplitMix64.
#[derive(Debug)]
pub(crate) struct SeededRandom(u64);

impl SeededRandom {
    /// The generator that `seed` decides.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }
}

impl RandomSource for SeededRandom {
    fn next_u64(&mut self) -> u64 {
        let number = mixed(self.0);
        self.0 = self.0.wrapping_add(INCREMENT);
        number
    }
}

const INCREMENT: u64 = 0x9E37_79B9_7F4A_7C15;

/// Spreads a number over all its bits (the finalizer of SplitMix64).
pub(crate) fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(INCREMENT);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

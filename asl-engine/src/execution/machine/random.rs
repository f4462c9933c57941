//! The one source of randomness of an execution: SplitMix64, seeded at the start.
use crate::identity::Identity;
use asl_intrinsics::random::{RandomSource, SplitMix64};

#[derive(Debug, Clone)]
pub(crate) struct Random {
    generator: SplitMix64,
}

impl Random {
    /// Creates the generator of an execution: executions with the same seed and other names get other numbers.
    pub(crate) fn new(seed: Option<u64>, identity: &Identity) -> Self {
        Self {
            generator: SplitMix64::new(seed.unwrap_or_default() ^ identity.hash()),
        }
    }

    /// Creates a generator in this state.
    pub(crate) fn from_state(state: u64) -> Self {
        Self {
            generator: SplitMix64::new(state),
        }
    }

    /// Returns all that it is.
    pub(crate) fn state(&self) -> u64 {
        self.generator.state()
    }

    /// Evenly between 0 and 1, 1 excluded.
    pub(crate) fn fraction(&mut self) -> f64 {
        self.generator.fraction()
    }

    /// Returns a version 4 UUID.
    pub(crate) fn uuid(&mut self) -> String {
        self.generator.uuid()
    }
}

impl RandomSource for Random {
    fn next_u64(&mut self) -> u64 {
        self.generator.next_u64()
    }
}

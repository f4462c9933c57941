//! The one source of randomness of an execution: SplitMix64, seeded at the start.
use asl_intrinsics::random::{RandomSource, SplitMix64};

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Random {
    generator: SplitMix64,
}

impl Random {
    /// A generator of an execution's own: executions of one seed and other names draw other tokens.
    pub(crate) fn new(seed: u64, execution_arn: &str) -> Self {
        // FNV-1a, 64 bits.
        let name = execution_arn
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
        Self {
            generator: SplitMix64::new(seed ^ name),
        }
    }

    /// Evenly between 0 and 1, 1 excluded.
    pub(crate) fn fraction(&mut self) -> f64 {
        self.generator.fraction()
    }

    /// A version 4 UUID.
    pub(crate) fn uuid(&mut self) -> String {
        self.generator.uuid()
    }

    /// A fresh task token: opaque to everyone.
    pub(crate) fn task_token(&mut self) -> String {
        let words: [u64; 4] = std::array::from_fn(|_| self.next_u64());
        words.iter().map(|word| format!("{word:016x}")).collect()
    }
}

impl RandomSource for Random {
    fn next_u64(&mut self) -> u64 {
        self.generator.next_u64()
    }
}

//! The one source of randomness of an execution: SplitMix64, seeded at the start.
use asl_intrinsics::RandomSource;

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Evenly between 0 and 1, 1 excluded.
    pub(crate) fn fraction(&mut self) -> f64 {
        const BITS: u32 = 53;
        (self.next_u64() >> (64 - BITS)) as f64 / (1_u64 << BITS) as f64
    }

    /// A fresh task token: opaque to everyone.
    pub(crate) fn task_token(&mut self) -> String {
        let words: [u64; 4] = std::array::from_fn(|_| self.next_u64());
        words.iter().map(|word| format!("{word:016x}")).collect()
    }
}

impl RandomSource for Random {
    fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

//! The one source of randomness of an execution: SplitMix64, seeded at the start.
use asl_intrinsics::RandomSource;

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Random {
    state: u64,
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
        Self { state: seed ^ name }
    }

    /// Evenly between 0 and 1, 1 excluded.
    pub(crate) fn fraction(&mut self) -> f64 {
        const BITS: u32 = 53;
        (self.next_u64() >> (64 - BITS)) as f64 / (1_u64 << BITS) as f64
    }

    /// A version 4 UUID.
    pub(crate) fn uuid(&mut self) -> String {
        let (high, low) = (self.next_u64(), self.next_u64());
        let (a, b, c) = (high >> 32, (high >> 16) & 0xffff, high & 0xfff);
        let (d, e) = (((low >> 48) & 0x3fff) | 0x8000, low & 0xffff_ffff_ffff);
        format!("{a:08x}-{b:04x}-4{c:03x}-{d:04x}-{e:012x}")
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

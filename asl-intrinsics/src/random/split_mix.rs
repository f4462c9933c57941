//! The generator for everything that has no other prescribed.
use super::RandomSource;
use serde::{Deserialize, Serialize};

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): small, fast and even, but not
/// for secrets, since one number reports all that follow.
///
/// It is saved as its state, one number, and continues from there.
///
/// ```
/// use asl_intrinsics::random::{RandomSource, SplitMix64};
/// let mut random = SplitMix64::new(7);
/// random.next_u64();
/// let saved = serde_json::to_string(&random)?;
/// let mut restored: SplitMix64 = serde_json::from_str(&saved)?;
/// assert_eq!(restored.next_u64(), random.next_u64());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Creates the generator of a seed; any seed is as good as another.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns all that it is: the seed of a generator that continues where this one is.
    pub const fn state(&self) -> u64 {
        self.state
    }
}

impl RandomSource for SplitMix64 {
    fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the authors' reference implementation for the seed 1234567.
    #[test]
    fn it_draws_what_the_reference_draws() {
        let mut random = SplitMix64::new(1_234_567);
        let drawn: [u64; 5] = std::array::from_fn(|_| random.next_u64());
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn it_is_saved_as_one_number() {
        let random = SplitMix64::new(u64::MAX);
        assert_eq!(
            serde_json::to_value(&random).ok(),
            Some(serde_json::json!(u64::MAX))
        );
    }
}

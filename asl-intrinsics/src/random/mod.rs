//! Random numbers: the source that calls use, and generators.
//!
//! ```
//! use asl_intrinsics::random::{RandomSource, SplitMix64};
//! let mut random = SplitMix64::new(1);
//! assert_eq!(random.uuid(), "910a2dec-8902-4cc1-beeb-8da1658eec67");
//! assert!((0.0..1.0).contains(&random.fraction()));
//! ```
mod java;
mod split_mix;

pub use java::JavaRandom;
pub use split_mix::SplitMix64;

/// The source of random numbers for `States.UUID` and `States.MathRandom`. The caller owns the generator, so runs are
/// reproducible.
pub trait RandomSource {
    /// Returns the next 64 random bits.
    fn next_u64(&mut self) -> u64;

    /// Returns a number from 0 on and below 1, of one draw: all multiples of 2^-53 are equally likely.
    fn fraction(&mut self) -> f64 {
        const BITS: u32 = 53;
        (self.next_u64() >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64
    }

    /// Returns a UUID of version 4, of two draws.
    fn uuid(&mut self) -> String {
        let (high, low) = (self.next_u64(), self.next_u64());
        uuid(high, low)
    }
}

/// Returns the UUID of version 4 that 128 random bits make: all but those of version and variant are kept (RFC 9562, section
/// 5.4).
///
/// ```
/// use asl_intrinsics::random::uuid;
/// assert_eq!(uuid(0, 0), "00000000-0000-4000-8000-000000000000");
/// ```
pub fn uuid(high: u64, low: u64) -> String {
    let high = high & !0xF000 | 0x4000;
    let low = low & !(0b11 << 62) | 0b10 << 62;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xFFFF,
        high & 0xFFFF,
        low >> 48,
        low & 0xFFFF_FFFF_FFFF
    )
}

/// Returns a number below `bound` out of 64 random bits: always one draw, and a bias below `bound` / 2^64.
pub(crate) fn scaled(random: u64, bound: u64) -> u64 {
    ((u128::from(random) * u128::from(bound)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the same number again and again.
    struct Always(u64);

    impl RandomSource for Always {
        fn next_u64(&mut self) -> u64 {
            self.0
        }
    }

    #[test]
    fn version_and_variant_are_set() {
        assert_eq!(uuid(0, 0), "00000000-0000-4000-8000-000000000000");
        assert_eq!(
            uuid(u64::MAX, u64::MAX),
            "ffffffff-ffff-4fff-bfff-ffffffffffff"
        );
        assert_eq!(
            uuid(0x0123_4567_89AB_CDEF, 0x0123_4567_89AB_CDEF),
            "01234567-89ab-4def-8123-456789abcdef"
        );
    }

    #[test]
    fn fractions_are_below_one() {
        assert_eq!(Always(0).fraction(), 0.0);
        assert_eq!(Always(1 << 63).fraction(), 0.5);
        assert_eq!(Always(u64::MAX).fraction(), 1.0 - f64::EPSILON / 2.0);
    }
}

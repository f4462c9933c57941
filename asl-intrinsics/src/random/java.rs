//! The generator that seeded functions prescribe.
use super::{RandomSource, scaled};

/// The generator behind a seeded `States.MathRandom` and `$random`: the linear congruential one that the documentation of
/// `java.util.Random` defines, since the service runs on Java.
///
/// ```
/// use asl_intrinsics::random::{JavaRandom, RandomSource};
/// assert_eq!(JavaRandom::new(42).fraction(), 0.7275636800328681);
/// ```
#[derive(Debug, Clone)]
pub struct JavaRandom {
    state: u64,
}

impl JavaRandom {
    const MULTIPLIER: u64 = 0x5_DEEC_E66D;
    const INCREMENT: u64 = 0xB;
    const MASK: u64 = (1 << 48) - 1;

    /// Creates the generator of a seed.
    pub fn new(seed: i64) -> Self {
        Self {
            state: (seed.cast_unsigned() ^ Self::MULTIPLIER) & Self::MASK,
        }
    }

    /// Returns the next `count` bits, at most 32.
    fn bits(&mut self, count: u32) -> u32 {
        self.state = self
            .state
            .wrapping_mul(Self::MULTIPLIER)
            .wrapping_add(Self::INCREMENT)
            & Self::MASK;
        (self.state >> (48 - count)) as u32
    }

    /// Returns a number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        match u32::try_from(bound) {
            Ok(small) if small < 1 << 31 => u64::from(self.below_small(small)),
            _ => scaled(self.next_u64(), bound),
        }
    }

    /// `nextInt(bound)`: refuses the few draws that would favour small numbers.
    fn below_small(&mut self, bound: u32) -> u32 {
        if bound.is_power_of_two() {
            return ((u64::from(bound) * u64::from(self.bits(31))) >> 31) as u32;
        }
        let fair = (1_u32 << 31) - (1_u32 << 31) % bound.max(1);
        loop {
            let bits = self.bits(31);
            if bits < fair {
                return bits % bound.max(1);
            }
        }
    }
}

impl RandomSource for JavaRandom {
    fn next_u64(&mut self) -> u64 {
        u64::from(self.bits(32)) << 32 | u64::from(self.bits(32))
    }

    /// `nextDouble()`.
    fn fraction(&mut self) -> f64 {
        let bits = u64::from(self.bits(26)) << 27 | u64::from(self.bits(27));
        bits as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `new Random(42).nextInt(bound)` in Java.
    #[test]
    fn a_seed_gives_the_numbers_java_gives() {
        assert_eq!(JavaRandom::new(42).below(10), 0);
        assert_eq!(JavaRandom::new(42).below(100), 30);
        let mut random = JavaRandom::new(42);
        let ten: Vec<u64> = (0..10).map(|_| random.below(10)).collect();
        assert_eq!(ten, [0, 3, 8, 4, 0, 5, 5, 8, 9, 3]);
    }

    /// The value of `new Random(42).nextDouble()` in Java.
    #[test]
    fn a_seed_gives_the_fraction_java_gives() {
        assert_eq!(JavaRandom::new(42).fraction(), 0.727_563_680_032_868_1);
    }

    #[test]
    fn bounds_of_any_size_are_kept() {
        for bound in [
            1,
            2,
            3,
            1 << 30,
            (1 << 31) - 1,
            1 << 31,
            u64::from(u32::MAX),
            u64::MAX,
        ] {
            let mut random = JavaRandom::new(7);
            for _ in 0..100 {
                assert!(random.below(bound) < bound);
            }
            assert!(scaled(u64::MAX, bound) < bound);
            assert_eq!(scaled(0, bound), 0);
        }
    }
}

//! Decisions read from bytes.
use asl_intrinsics::random::{RandomSource, SplitMix64};

/// Decisions read from bytes: the generated data is a function of the bytes.
///
/// A byte of 0 is the plainest decision: shorter and smaller bytes make something smaller.
#[derive(Debug)]
pub struct Tape<'b> {
    bytes: std::slice::Iter<'b, u8>,
    /// Random numbers after the end of the bytes; None for zeros.
    random: Option<SplitMix64>,
    /// Rarity of surprises.
    odds: usize,
}

impl<'b> Tape<'b> {
    /// A tape that ends in zeros, for tests that shrink their bytes.
    pub fn ending(bytes: &'b [u8]) -> Self {
        Self {
            bytes: bytes.iter(),
            random: None,
            odds: 24,
        }
    }

    /// Creates a tape that never ends: it continues with random numbers that its bytes seed, so that a few bytes are enough.
    pub fn endless(bytes: &'b [u8]) -> Self {
        let seed = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self {
            bytes: bytes.iter(),
            random: Some(SplitMix64::new(seed)),
            // One tape in four is full of surprises; the others come further.
            odds: if seed.is_multiple_of(4) { 6 } else { 60 },
        }
    }

    /// Returns the next byte.
    pub fn byte(&mut self) -> u8 {
        match (self.bytes.next(), &mut self.random) {
            (Some(byte), _) => *byte,
            (None, Some(random)) => (random.next_u64() >> 56) as u8,
            (None, None) => 0,
        }
    }

    /// Returns a number below `bound`, which is at most 256.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound.max(1)
    }

    /// True once in `times`, and not for a byte of 0.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// Returns true if to do what leads to a failure more often than not.
    pub fn surprises(&mut self) -> bool {
        self.one_in(self.odds)
    }

    /// Returns one of `choices`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_decisions_and_zeros_or_random_numbers_follow_them() {
        let mut ending = Tape::ending(&[7, 2]);
        assert_eq!(
            [ending.below(5), ending.below(5), ending.below(5)],
            [2, 2, 0]
        );
        assert!(!ending.one_in(2) && !ending.surprises());
        let draw = |bytes| {
            let mut endless = Tape::endless(bytes);
            std::array::from_fn::<u8, 9, _>(|_| endless.byte())
        };
        assert_eq!(draw(&[7, 2])[..2], [7, 2]);
        assert_eq!(draw(&[7, 2]), draw(&[7, 2]));
        assert_ne!(draw(&[7, 2])[2..], draw(&[7, 3])[2..]);
    }
}

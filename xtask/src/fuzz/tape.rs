//! Decisions read from bytes, and from random numbers after them.
use crate::random::Random;

/// Decisions read from bytes; when they are used up, from a generator that the bytes seed.
#[derive(Debug)]
pub(super) struct Tape<'b> {
    bytes: std::slice::Iter<'b, u8>,
    random: Random,
    /// One tape in four is full of surprises; the others come further.
    odds: usize,
}

impl<'b> Tape<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        let seed = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let odds = if seed % 4 == 0 { 6 } else { 60 };
        Self {
            bytes: bytes.iter(),
            random: Random::new(seed),
            odds,
        }
    }

    /// The next byte.
    pub(super) fn next(&mut self) -> u8 {
        self.bytes
            .next()
            .copied()
            .unwrap_or_else(|| (self.random.next() >> 56) as u8)
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.next()) % bound.max(1)
    }

    /// True once in `times`.
    pub(super) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Whether to do what leads to a failure more often than not.
    pub(super) fn surprises(&mut self) -> bool {
        self.one_in(self.odds)
    }

    /// One of `choices`, which are not empty.
    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

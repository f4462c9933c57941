//! How much memory an execution may take, and takes ([`Limits::max_execution_bytes`](crate::Limits)).
//!
//! What is made is charged when it is made, or before; what is let go is found by counting all that is held, once an eighth
//! of the limit was made since the last count. So the cost of counting is spread over what was made.

/// The budget of an execution, in weights of data ([`weigh`](super::weigh)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memory {
    limit: u64,
    /// When it was counted last.
    held: u64,
    /// Since then.
    made: u64,
    /// Before then; whoever reads it wants to know how it grows.
    made_until_count: u64,
    /// What may be made in all before it is too much.
    most: u64,
    /// What may be made before all is counted.
    share: u64,
}

/// The budget is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the execution holds more than {limit} bytes of data, the limit that it was started with (max_execution_bytes)"
)]
pub(crate) struct OutOfMemory {
    limit: u64,
}

/// The share of the limit that is made between two counts.
pub(crate) const SHARE: u64 = 8;

impl Memory {
    /// Nothing is held.
    pub(crate) fn new(limit: Option<u64>) -> Self {
        Self {
            limit: limit.unwrap_or(u64::MAX),
            held: 0,
            made: 0,
            made_until_count: 0,
            most: limit.unwrap_or(u64::MAX),
            share: limit.map_or(u64::MAX, |limit| limit / SHARE),
        }
    }

    /// As it was kept; to be counted anew where it was not.
    pub(crate) fn from_kept(limit: Option<u64>, kept: Option<(u64, u64)>) -> Self {
        let (held, made) = kept.unwrap_or((0, u64::MAX));
        let new = Self::new(limit);
        Self {
            held,
            made,
            most: new.limit.saturating_sub(held),
            ..new
        }
    }

    /// What was held at the last count, and what was made since.
    pub(crate) fn kept(self) -> (u64, u64) {
        (self.held, self.made)
    }

    /// What was made since the last count.
    #[inline]
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// All that was made, but for multiples of 2^64.
    #[inline]
    pub(crate) fn made_in_all(&self) -> u64 {
        self.made_until_count.wrapping_add(self.made)
    }

    /// Charges what is about to be made.
    ///
    /// # Errors
    /// Where it would be too much, with what was held and made before.
    #[inline]
    pub(crate) fn charge(&mut self, weight: u64) -> Result<(), OutOfMemory> {
        self.add(weight);
        if self.made > self.most {
            return Err(self.exceeded());
        }
        Ok(())
    }

    /// Notes what was made, to be refused by the next count at the latest.
    #[inline]
    pub(crate) fn add(&mut self, weight: u64) {
        self.made = self.made.saturating_add(weight);
    }

    /// What may be made before it would be too much.
    pub(crate) fn room(self) -> u64 {
        self.most.saturating_sub(self.made)
    }

    /// Whether so much was made that what is held should be counted.
    #[inline]
    pub(crate) fn is_to_be_counted(&self) -> bool {
        self.made > self.share
    }

    /// Takes what all that is held weighs.
    ///
    /// # Errors
    /// Where it is too much.
    pub(crate) fn count(&mut self, held: u64) -> Result<(), OutOfMemory> {
        *self = Self {
            made_until_count: self.made_in_all(),
            ..Self::from_kept(Some(self.limit), Some((held, 0)))
        };
        if held > self.limit {
            return Err(self.exceeded());
        }
        Ok(())
    }

    fn exceeded(self) -> OutOfMemory {
        OutOfMemory { limit: self.limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_and_held_is_bounded() {
        let mut memory = Memory::new(Some(100));
        assert_eq!(memory.charge(60), Ok(()));
        assert!(memory.is_to_be_counted());
        assert_eq!(memory.count(10), Ok(()));
        assert!(!memory.is_to_be_counted());
        assert_eq!(memory.charge(90), Ok(()));
        assert!(memory.charge(1).is_err());
        assert!(memory.count(101).is_err());
    }

    #[test]
    fn without_a_limit_nothing_is_refused_or_counted() {
        let mut memory = Memory::new(None);
        assert_eq!(memory.charge(u64::MAX), Ok(()));
        assert_eq!(memory.charge(u64::MAX), Ok(()));
        assert!(!memory.is_to_be_counted());
    }

    #[test]
    fn what_was_not_kept_is_counted_anew() {
        assert!(Memory::from_kept(Some(100), None).is_to_be_counted());
        let memory = Memory::from_kept(Some(100), Some((5, 6)));
        assert_eq!(memory.kept(), (5, 6));
        assert!(!memory.is_to_be_counted());
    }
}

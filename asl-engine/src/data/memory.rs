//! Memory of an execution, and its limit ([`Limits::max_execution_bytes`](crate::Limits)).
//!
//! Created data is charged in advance. Released data is found by counting all data when an eighth of the limit was created
//! since the last count. The cost of counting is proportional to the created data.

/// The budget of an execution, in weights of data ([`weigh`](super::weigh)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memory {
    limit: u64,
    /// Weight at the last count.
    held: u64,
    /// Since then.
    made: u64,
    /// Data created before the last count; the caller reads its growth.
    made_until_count: u64,
    /// Maximum amount of data that may be created in total.
    most: u64,
    /// Amount of data that may be created until the next count.
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

    /// Restores the stored values; None requires a new count.
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

    /// Returns the weight at the last count, and the data created since.
    pub(crate) fn counts(self) -> (u64, u64) {
        (self.held, self.made)
    }

    /// Returns the data created since the last count.
    #[inline]
    pub(crate) fn created(&self) -> u64 {
        self.made
    }

    /// Returns all that was made, but for multiples of 2^64.
    #[inline]
    pub(crate) fn total_created(&self) -> u64 {
        self.made_until_count.wrapping_add(self.made)
    }

    /// Charges data that is about to be created.
    ///
    /// # Errors
    ///
    /// The limit would be exceeded; with the counted and the created data.
    #[inline]
    pub(crate) fn charge(&mut self, weight: u64) -> Result<(), OutOfMemory> {
        self.add(weight);
        if self.made > self.most {
            return Err(self.exceeded());
        }
        Ok(())
    }

    /// Records created data; the next count checks it.
    #[inline]
    pub(crate) fn add(&mut self, weight: u64) {
        self.made = self.made.saturating_add(weight);
    }

    /// Returns the amount of data that may still be created.
    pub(crate) fn remaining(self) -> u64 {
        self.most.saturating_sub(self.made)
    }

    /// Returns true if so much data was created that a count is due.
    #[inline]
    pub(crate) fn is_to_be_counted(&self) -> bool {
        self.made > self.share
    }

    /// Sets the weight of all data.
    ///
    /// # Errors
    ///
    /// The weight exceeds the limit.
    pub(crate) fn count(&mut self, held: u64) -> Result<(), OutOfMemory> {
        *self = Self {
            made_until_count: self.total_created(),
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
        assert_eq!(memory.counts(), (5, 6));
        assert!(!memory.is_to_be_counted());
    }
}

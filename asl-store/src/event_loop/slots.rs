//! The event loop that runs an execution.
//!
//! Trees of executions (a root, the children of its Map Runs, and the executions that its tasks start and wait for) are spread
//! over slots, and slots over event loops. The row of an execution names its slot, so that a store may be opened with another
//! number of loops; rows of before there were slots are all in the first one.
use crate::database::row::RowId;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::atomic::{AtomicI64, Ordering};

/// The number of slots, and so the largest number of loops.
const SLOTS: i64 = 64;

/// A slot: what keeps a tree of executions in one event loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot(i64);

/// The event loops of slots and rows, and the next row.
#[derive(Debug)]
pub(crate) struct Slots {
    loops: usize,
    /// The last row of before there were slots.
    last_without: RowId,
    next: AtomicI64,
    hasher: foldhash::fast::RandomState,
}

impl Slots {
    /// Spreads rows over so many loops, in a store whose last row is `last`.
    pub(crate) fn new(loops: usize, last_without: RowId, last: RowId) -> Self {
        Self {
            loops: loops.clamp(1, SLOTS as usize),
            last_without,
            next: AtomicI64::new(last.max(last_without) / SLOTS + 1),
            hasher: foldhash::fast::RandomState::default(),
        }
    }

    /// Returns how many loops there are.
    pub(crate) fn loops(&self) -> usize {
        self.loops
    }

    /// Returns the slot of a new tree of executions.
    pub(crate) fn of_name(&self, arn: &str) -> Slot {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(arn.as_bytes());
        Slot((hasher.finish() % SLOTS as u64) as i64)
    }

    /// Returns the slot of an execution.
    pub(crate) fn of_row(&self, row: RowId) -> Slot {
        match row <= self.last_without {
            true => Slot(0),
            false => Slot(row.rem_euclid(SLOTS)),
        }
    }

    /// Returns the loop of a slot.
    pub(crate) fn loop_of(&self, slot: Slot) -> usize {
        slot.0.unsigned_abs() as usize % self.loops
    }

    /// Returns the loop of an execution.
    pub(crate) fn loop_of_row(&self, row: RowId) -> usize {
        self.loop_of(self.of_row(row))
    }

    /// Returns `slot`, or one of the loop where it is of another.
    pub(crate) fn within(&self, slot: Slot, index: usize) -> Slot {
        match self.loop_of(slot) == index {
            true => slot,
            false => Slot(index as i64),
        }
    }

    /// Returns a new row in a slot; rows grow with time.
    pub(crate) fn new_row(&self, slot: Slot) -> RowId {
        self.next.fetch_add(1, Ordering::Relaxed) * SLOTS + slot.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_their_slots_and_grow() {
        let slots = Slots::new(3, 100, 250);
        let slot = slots.of_name("arn:a");
        assert_eq!(slots.of_name("arn:a"), slot);
        let (first, second) = (slots.new_row(slot), slots.new_row(Slot(1)));
        assert!(first > 250 && second > first);
        assert_eq!(slots.of_row(first), slot);
        assert_eq!(slots.loop_of_row(second), 1);
        assert_eq!(slots.of_row(70), Slot(0));
        assert_eq!(slots.of_row(170), Slot(170 % SLOTS));
    }

    #[test]
    fn every_loop_has_slots() {
        for loops in 1..=8 {
            let slots = Slots::new(loops, 0, 0);
            for index in 0..loops {
                let slot = slots.within(Slot(SLOTS - 1), index);
                assert_eq!(slots.loop_of(slot), index);
                assert_eq!(slots.loop_of_row(slots.new_row(slot)), index);
            }
        }
    }
}

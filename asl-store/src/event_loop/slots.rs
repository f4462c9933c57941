//! Slots of executions, which determine their event loop.
//!
//! Trees of executions (a root, the children of its Map Runs, and the executions that its tasks start and wait for) are
//! distributed over slots, and slots over event loops. The upper bits of an execution's row are its slot, so that a store
//! can be opened with another number of loops. With one loop, everything is in the first slot.
use crate::database::row::{LARGEST_SLOT, RowId, row_of, slot_of};
use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicI64, Ordering};

const SLOTS: usize = LARGEST_SLOT as usize + 1;

/// A slot: what keeps a tree of executions in one event loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot(i64);

/// The event loops of slots and rows, and the next row.
#[derive(Debug)]
pub(crate) struct Slots {
    loops: usize,
    next: AtomicI64,
    hasher: foldhash::fast::RandomState,
}

impl Slots {
    /// Spreads rows over so many loops, in a store whose last row has the number `last`.
    pub(crate) fn new(loops: usize, last: i64) -> Self {
        Self {
            loops: loops.clamp(1, SLOTS),
            next: AtomicI64::new(last + 1),
            hasher: foldhash::fast::RandomState::default(),
        }
    }

    /// Returns how many loops there are.
    pub(crate) fn loops(&self) -> usize {
        self.loops
    }

    /// Returns the slot of a new tree of executions.
    pub(crate) fn of_name(&self, arn: &str) -> Slot {
        if self.loops == 1 {
            return Slot(0);
        }
        let hash = self.hasher.hash_one(arn);
        Slot((hash % SLOTS as u64) as i64)
    }

    /// Returns the slot of an execution.
    pub(crate) fn of_row(&self, row: RowId) -> Slot {
        Slot(slot_of(row))
    }

    /// Returns the loop of a slot.
    pub(crate) fn loop_of(&self, slot: Slot) -> usize {
        slot.0.unsigned_abs() as usize % self.loops
    }

    /// Returns the loop of an execution.
    pub(crate) fn loop_of_row(&self, row: RowId) -> usize {
        self.loop_of(self.of_row(row))
    }

    /// Returns `slot`, or a slot of the loop if `slot` belongs to another one.
    pub(crate) fn within(&self, slot: Slot, index: usize) -> Slot {
        match self.loop_of(slot) == index {
            true => slot,
            false => Slot(index as i64),
        }
    }

    /// Returns a new row in a slot.
    pub(crate) fn new_row(&self, slot: Slot) -> RowId {
        row_of(slot.0, self.next.fetch_add(1, Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_their_slots_and_grow() {
        let slots = Slots::new(3, 250);
        let slot = slots.of_name("arn:a");
        assert_eq!(slots.of_name("arn:a"), slot);
        let (first, second) = (slots.new_row(slot), slots.new_row(slot));
        assert!(second > first);
        assert_eq!(slots.of_row(first), slot);
        assert_eq!(slots.loop_of_row(slots.new_row(Slot(4))), 1);
        // Rows of before there were slots.
        assert_eq!(slots.of_row(70), Slot(0));
        assert_eq!(Slots::new(1, 250).of_name("arn:a"), Slot(0));
        assert_eq!(Slots::new(1, 250).new_row(Slot(0)), 251);
    }

    #[test]
    fn every_loop_has_slots() {
        for loops in 1..=8 {
            let slots = Slots::new(loops, 0);
            for index in 0..loops {
                let slot = slots.within(Slot(LARGEST_SLOT), index);
                assert_eq!(slots.loop_of(slot), index);
                assert_eq!(slots.loop_of_row(slots.new_row(slot)), index);
            }
        }
    }
}

//! The executions of an event loop that are in memory, and those that are on their way there or away.
use super::computing::{ComputingExecution, Work};
use super::evicted::EvictedExecution;
use super::resident::Resident;
use super::starting::WaitingChild;
use crate::database::row::{ByNumber, RowId};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

/// The executions of an event loop that are in memory, and those that are on their way there or away.
#[derive(Default)]
pub(super) struct Residents {
    pub(super) by_row: HashMap<RowId, Box<Resident>, ByNumber>,
    /// Those that left memory, until that is durable: the database does not say so yet.
    pub(super) leaving: HashMap<RowId, (u64, EvictingExecution), ByNumber>,
    /// Those that continue in the pool once the round is over.
    pub(super) ready: Vec<RowId>,
    /// Those that are there.
    pub(super) computing: HashMap<RowId, ComputingExecution, ByNumber>,
    /// Children that have not begun.
    pub(super) waiting_children: BTreeMap<RowId, WaitingChild>,
    /// Those that only wait, in the order in which they began to.
    pub(super) idle: BTreeMap<u64, RowId>,
    idle_count: u64,
    /// Those in memory that are large.
    pub(super) large: BTreeSet<RowId>,
    /// Those that left memory for want of it, and of these, those that are to come back.
    pub(super) evicted: HashMap<RowId, EvictedExecution, ByNumber>,
    pub(super) resumable: VecDeque<RowId>,
    /// Executions that cannot be recovered, with their records after the last snapshots.
    pub(super) set_aside: HashMap<RowId, Box<[i64]>>,
}

/// An execution that leaves memory.
pub(super) enum EvictingExecution {
    /// It ended; with its ARN, where the directory has it.
    Ended(Option<Arc<str>>),
    /// It waits.
    Parked(Box<Resident>),
    /// There is no memory for it.
    Evicted(Box<Resident>),
}

impl Residents {
    /// Returns the number of executions in memory.
    pub(super) fn count(&self) -> usize {
        self.by_row.len() + self.computing.len()
    }

    /// Those in memory that do not only wait.
    pub(super) fn active(&self) -> usize {
        self.count().saturating_sub(self.idle.len())
    }

    /// Returns whether a large execution runs in the pool, or returns to memory to run there.
    pub(super) fn has_large_at_work(&self) -> bool {
        let mut computing = self.computing.values();
        computing.any(|it| it.is_large && it.work != Work::Packing)
    }

    /// Returns whether an execution runs in the pool.
    pub(super) fn has_one_at_work(&self) -> bool {
        let mut computing = self.computing.values();
        computing.any(|it| it.work == Work::Turn)
    }

    /// Puts one among those that only wait.
    pub(super) fn enter_idle(&mut self, resident: &mut Resident) {
        self.idle_count += 1;
        resident.idle = Some(self.idle_count);
        self.idle.insert(self.idle_count, resident.id);
    }

    /// Takes one from those that only wait.
    pub(super) fn leave_idle(&mut self, resident: &mut Resident) {
        if let Some(place) = resident.idle.take() {
            self.idle.remove(&place);
        }
    }
}

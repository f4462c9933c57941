//! An execution in memory.
use super::effects::Effects;
use crate::database::row::{RowId, StartMetadata};
use crate::memory::MemoryShare;
use asl_backend::{DefinitionId, FollowedMapRuns, MemoryBudget};
use asl_engine::{EffectId, Execution, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An execution in memory.
pub(crate) struct Resident {
    pub(crate) id: RowId,
    pub(crate) arn: Arc<str>,
    pub(crate) definition: DefinitionId,
    pub(crate) execution: Execution,
    pub(crate) about: StartMetadata,
    pub(crate) parent: Option<(RowId, EffectId)>,
    /// The records that its history is made of.
    pub(crate) records: Vec<i64>,
    /// Cost of the turns since the last snapshot.
    pub(crate) spent: u64,
    /// Bytes of records since the last snapshot, and of that snapshot.
    pub(crate) journaled: usize,
    pub(crate) snapshot: usize,
    /// Share of the process's budget.
    pub(crate) memory: MemoryShare,
    pub(crate) effects: Effects,
    /// Children of its Map Runs.
    pub(crate) children: BTreeMap<EffectId, RowId>,
    /// Executions that its tasks wait for.
    pub(crate) nested: BTreeMap<EffectId, RowId>,
    /// Its Map Runs that are under way, as they were written last.
    pub(crate) map_runs: FollowedMapRuns,
    pub(crate) armed: Option<Timestamp>,
    /// True if it is among those that continue.
    pub(crate) is_ready: bool,
    /// True if it computes for so long that its turns are in the pool.
    pub(crate) is_computing: bool,
    /// True if the execution gets its turn even if memory is short.
    pub(crate) has_turn: bool,
    /// True if its last work was abandoned, to be repeated in the pool.
    pub(crate) is_abandoned: bool,
    /// The last batch that it has something in.
    pub(crate) batch: u64,
    /// True if anything was journaled since the last snapshot.
    pub(crate) is_dirty: bool,
    /// True if it is found by its ARN in memory.
    pub(crate) is_listed: bool,
    /// Its place among those that only wait.
    pub(crate) idle: Option<u64>,
    /// True if it was made of what the database kept of it.
    pub(crate) was_kept: bool,
}

impl Resident {
    pub(crate) fn new(
        id: RowId,
        definition: DefinitionId,
        mut execution: Execution,
        about: StartMetadata,
        budget: &Arc<MemoryBudget>,
    ) -> Box<Self> {
        // How a Map Run ended, its event alone says.
        let has_map_runs = execution.program().has_map_runs();
        execution.record_history(has_map_runs);
        let arn = execution.start_parameters().identity.execution_arn().into();
        let memory = MemoryShare::of(&execution, budget);
        Box::new(Self {
            id,
            memory,
            arn,
            definition,
            execution,
            about,
            parent: None,
            records: Vec::new(),
            spent: 0,
            journaled: 0,
            snapshot: 0,
            effects: Effects::default(),
            children: BTreeMap::new(),
            nested: BTreeMap::new(),
            map_runs: FollowedMapRuns::default(),
            armed: None,
            is_ready: false,
            is_computing: false,
            has_turn: false,
            is_abandoned: false,
            batch: 0,
            is_dirty: true,
            is_listed: false,
            idle: None,
            was_kept: false,
        })
    }

    /// Returns the root execution.
    pub(crate) fn root(&self) -> RowId {
        self.about.root.unwrap_or(self.id)
    }

    /// Returns true if it keeps a journal: an Express execution starts over in its place.
    pub(crate) fn is_journaled(&self) -> bool {
        use asl_engine::model::StateMachineType;
        let kind = self.execution.start_parameters().state_machine_type;
        kind == StateMachineType::Standard || self.parent.is_some()
    }

    /// Returns true if its journal, with so many bytes more, has grown so long since the last snapshot that another one is
    /// worth it.
    pub(crate) fn is_save_due(&self, more: usize) -> bool {
        /// Bytes of records from which on a snapshot is worth its own, and times of the size of the snapshot before.
        const BYTES: usize = 64 << 10;
        const FACTOR: usize = 4;
        /// Cost of turns after which a snapshot is worthwhile: about a second of computing.
        const COST: u64 = 3_000_000;
        let bound = BYTES.max(self.snapshot.saturating_mul(FACTOR));
        let is_long = self.journaled + more >= bound || self.spent >= COST;
        is_long && self.is_journaled() && self.execution.outcome().is_none()
    }

    /// Notes that a snapshot of so many bytes is written.
    pub(crate) fn note_save(&mut self, bytes: usize) {
        self.snapshot = bytes;
        (self.journaled, self.spent) = (0, 0);
        self.is_dirty = false;
    }

    /// Returns true if its history costs less to be made again than to be sealed.
    pub(crate) fn is_light(&self) -> bool {
        /// A fraction of a millisecond.
        const MOST_COST: u64 = 2_000;
        const MOST_RECORDS: usize = 64;
        !self.was_kept
            && self.snapshot == 0
            && self.spent <= MOST_COST
            && self.records.len() <= MOST_RECORDS
    }

    /// Returns true if it only waits: for time, workers, tokens or children.
    pub(crate) fn only_waits(&self) -> bool {
        !self.is_ready && !self.effects.are_performed() && self.is_journaled()
    }
}

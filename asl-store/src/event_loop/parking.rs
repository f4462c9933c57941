//! Executions that only wait leave memory.
use super::hot::Hot;
use super::stepping::{activity_of, is_asked};
use super::{Afterwards, EventLoop, Leaving};
use crate::clock::milliseconds;
use crate::database::operation::{Operation, Parked, Snapshot};
use crate::database::row::{RowId, encoded, packed};
use asl_engine::{CORE_VERSION, Timestamp};

/// Bytes of records from which on a snapshot is worth its own.
const SNAPSHOT_BYTES: usize = 64 << 10;
/// And times of the size of the snapshot before.
const SNAPSHOT_FACTOR: usize = 4;
/// What turns cost after which a snapshot saves more than it takes: about a second of computing.
const SNAPSHOT_COST: u64 = 3_000_000;
/// Executions that are parked in one round.
const PARKED_IN_A_ROUND: usize = 256;

impl EventLoop {
    /// Parks those that wait longest, where there are too many in memory; and saves those with a long journal.
    pub(super) fn park_those_that_wait(&mut self) {
        for _ in 0..PARKED_IN_A_ROUND {
            if self.hot.len() <= self.shared.options.max_in_memory {
                return;
            }
            let Some((_, row)) = self.idle.pop_first() else {
                return;
            };
            let Some(mut hot) = self.hot.remove(&row) else {
                continue;
            };
            hot.idle = None;
            if !self.is_durable(hot.batch) || !hot.only_waits() {
                // What it asked for is not even begun.
                self.put_hot(hot);
                return;
            }
            self.park(hot);
        }
    }

    fn park(&mut self, mut hot: Box<Hot>) {
        let due = hot.execution.wake().map(|due| milliseconds(due, true));
        self.arm(&mut hot, due.map(Timestamp::from_milliseconds));
        let waits = hot
            .effects
            .iter()
            .map(|effect| &effect.pending)
            .filter(|pending| is_asked(pending));
        let activities = waits
            .filter_map(|pending| Some((pending.effect.id().0, activity_of(pending)?.to_owned())));
        let parked = Parked {
            due,
            activities: activities.collect(),
        };
        let snapshot = snapshot(&hot, Some(parked));
        self.operations
            .push(Operation::Snapshot(Box::new(snapshot)));
        self.trees.count(&hot);
        self.arns.remove(&hot.arn);
        hot.is_listed = false;
        self.leaving
            .insert(hot.id, (self.batch, Leaving::Parked(hot)));
    }

    /// Writes a snapshot where the journal since the last has grown long.
    pub(super) fn save_where_long(&mut self, hot: &mut Hot) {
        let bound = SNAPSHOT_BYTES.max(hot.snapshot.saturating_mul(SNAPSHOT_FACTOR));
        let is_long = hot.journaled >= bound || hot.spent >= SNAPSHOT_COST;
        if !is_long || !hot.is_journaled() || hot.execution.outcome().is_some() {
            return;
        }
        let snapshot = snapshot(hot, None);
        hot.snapshot = snapshot.data.len();
        (hot.journaled, hot.spent) = (0, 0);
        hot.is_dirty = false;
        self.operations
            .push(Operation::Snapshot(Box::new(snapshot)));
        // What happened before it can be sealed, once it is there.
        let (unsealed, row) = (self.shared.unsealed.clone(), hot.id);
        self.afterwards
            .push(Afterwards::Tell(Box::new(move || unsealed.add_part(row))));
    }

    /// Writes a snapshot of what is in memory, where it says more than the last.
    pub(super) fn save(&mut self, row: RowId) {
        let Some(hot) = self
            .hot
            .get(&row)
            .filter(|hot| hot.is_dirty && hot.is_journaled())
        else {
            return;
        };
        let snapshot = snapshot(hot, None);
        self.operations
            .push(Operation::Snapshot(Box::new(snapshot)));
    }
}

/// An execution as it is.
pub(super) fn snapshot(hot: &Hot, parked: Option<Parked>) -> Snapshot {
    Snapshot {
        execution: hot.id,
        core: CORE_VERSION,
        data: packed(&encoded(&hot.execution.save())),
        last: hot.records.last().copied().unwrap_or_default(),
        records: hot.records.clone(),
        parked,
    }
}

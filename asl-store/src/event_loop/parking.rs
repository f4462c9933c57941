//! Executions that only wait leave memory.
use super::effects::{activity_of, is_asked};
use super::resident::Resident;
use super::{EventLoop, EvictingExecution};
use crate::clock::milliseconds;
use crate::database::operation::{Operation, ParkedWait, Snapshot};
use crate::database::row::{RowId, encoded, packed};
use asl_engine::{CORE_VERSION, Timestamp};

/// Executions that are parked in one round.
const PARKED_IN_A_ROUND: usize = 256;

impl EventLoop {
    /// Parks those that wait longest, if there are too many in memory; and saves those with a long journal.
    pub(super) fn park_those_that_wait(&mut self) {
        for _ in 0..PARKED_IN_A_ROUND {
            let is_short = self.shared.memory.is_to_be_released();
            if self.residents.by_row.len() <= self.most_in_memory() && !is_short {
                return;
            }
            let Some((_, row)) = self.residents.idle.pop_first() else {
                return;
            };
            let Some(mut resident) = self.residents.by_row.remove(&row) else {
                continue;
            };
            resident.idle = None;
            if !self.outbox.is_durable(resident.batch) || !resident.only_waits() {
                // What it requested is not even begun.
                self.put_resident(resident);
                return;
            }
            if resident.memory.is_large() {
                self.residents.by_row.insert(row, resident);
                self.pack(row);
            } else {
                self.park(resident);
            }
        }
    }

    fn park(&mut self, mut resident: Box<Resident>) {
        let due = resident.execution.wake().map(|due| milliseconds(due, true));
        self.arm(&mut resident, due.map(Timestamp::from_milliseconds));
        let waits = resident
            .effects
            .iter()
            .map(|effect| &effect.pending)
            .filter(|pending| is_asked(pending));
        let activities = waits
            .filter_map(|pending| Some((pending.effect.id().0, activity_of(pending)?.to_owned())));
        let parked = ParkedWait {
            due,
            activities: activities.collect(),
        };
        let snapshot = snapshot(&resident, Some(parked));
        self.outbox
            .operations
            .push(Operation::Snapshot(Box::new(snapshot)));
        self.trees.count(&resident);
        self.loops.directory.remove(&resident.arn, resident.id);
        resident.is_listed = false;
        self.residents.leaving.insert(
            resident.id,
            (self.outbox.batch, EvictingExecution::Parked(resident)),
        );
    }

    /// Writes a snapshot where the journal since the last has grown long. Large executions are packed in the pool.
    pub(super) fn save_where_long(&mut self, resident: &mut Resident) {
        if resident.is_save_due(0) && !resident.memory.is_large() {
            let save = packed(&encoded(&resident.execution.save()));
            self.write_snapshot(resident, save);
        }
    }

    /// Writes a snapshot of an execution in memory, if it changed since the last one.
    pub(super) fn save(&mut self, row: RowId) {
        let Some(resident) = self
            .residents
            .by_row
            .get(&row)
            .filter(|resident| resident.is_dirty && resident.is_journaled())
            // Replaying costs less than making everybody wait.
            .filter(|resident| !resident.memory.is_large())
        else {
            return;
        };
        let snapshot = snapshot(resident, None);
        self.outbox
            .operations
            .push(Operation::Snapshot(Box::new(snapshot)));
    }
}

/// Returns an execution as it is.
pub(super) fn snapshot(resident: &Resident, parked: Option<ParkedWait>) -> Snapshot {
    let save = packed(&encoded(&resident.execution.save()));
    snapshot_of(resident, save, parked)
}

/// Returns an execution as it is, which is packed already.
pub(super) fn snapshot_of(
    resident: &Resident,
    save: Vec<u8>,
    parked: Option<ParkedWait>,
) -> Snapshot {
    Snapshot {
        execution: resident.id,
        core: CORE_VERSION,
        data: save,
        last: resident.records.last().copied().unwrap_or_default(),
        records: resident.records.clone(),
        parked,
    }
}

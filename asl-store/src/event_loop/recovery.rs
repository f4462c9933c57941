//! Recovery of a store after it is opened.
use super::job::RecoveredExecution;
use super::loading::readable;
use super::{EventLoop, EventLoops};
use crate::database::operation::Operation;
use crate::database::row::RowId;
use crate::database::stored_execution;
use crate::database::{executions, recovery};
use asl_engine::Timestamp;
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::atomic::Ordering;

/// Records after the last snapshot of an execution, and bytes of that snapshot, from which on replaying it may take long.
const MANY_RECORDS: usize = 32;
const MANY_BYTES: u64 = 256 << 10;

/// Rows of the executions of one event loop when the store is opened.
#[derive(Default)]
pub(crate) struct RecoveredRows {
    /// Records by execution.
    records: HashMap<RowId, Vec<i64>>,
    /// Executions that were in memory.
    in_memory: Vec<RowId>,
    /// Executions that ended, of which nothing says of what records their histories are made.
    ended: Vec<RowId>,
    timers: Vec<(Timestamp, RowId)>,
}

/// Returns whether replaying an execution may block the loop, by its records since the snapshot and the bytes of the snapshot.
pub(super) fn may_take_long(records: usize, snapshot: u64) -> bool {
    records > MANY_RECORDS || snapshot > MANY_BYTES
}

/// Reads the rows to recover, by event loop.
pub(crate) fn look(
    loops: &EventLoops,
    connection: &Connection,
) -> rusqlite::Result<Vec<RecoveredRows>> {
    let mut found: Vec<RecoveredRows> = (0..loops.count())
        .map(|_| RecoveredRows::default())
        .collect();
    let mut of_row = |row: RowId, note: &mut dyn FnMut(&mut RecoveredRows)| {
        if let Some(found) = found.get_mut(loops.slots.loop_of_row(row)) {
            note(found);
        }
    };
    recovery::in_memory(connection, |row| {
        of_row(row, &mut |found| found.in_memory.push(row));
    })?;
    recovery::records(connection, |row, record| {
        of_row(row, &mut |found| {
            found.records.entry(row).or_default().push(record);
        });
    })?;
    recovery::ended_without_records(connection, |row| {
        of_row(row, &mut |found| found.ended.push(row));
    })?;
    recovery::timers(connection, |due, row| {
        of_row(row, &mut |found| found.timers.push((due, row)));
    })?;
    let mut activities = loops.activities();
    recovery::activity_waits(connection, |activity, row, effect| {
        activities.offer(&activity, row, effect);
    })?;
    let running = executions::all_running(connection)?;
    let counter = &loops.shared.counters.running;
    counter.store(running, Ordering::Relaxed);
    Ok(found)
}

impl EventLoop {
    /// Recovers all running executions: waiting ones remain in the database, and the others are loaded and continue.
    pub(crate) fn recover(&mut self, found: RecoveredRows) -> rusqlite::Result<()> {
        // All at once, and in their order: one by one they would take longer than all else.
        self.timers = found.timers.into_iter().collect();
        for row in found.in_memory {
            self.start_recovery(
                row,
                found.records.get(&row).map_or(&[], |records| &**records),
            )?;
        }
        for row in found.ended {
            let mut records = found.records.get(&row).cloned().unwrap_or_default();
            // What cannot be read is found again when it is sealed.
            if let Ok(Some(stored)) = readable(&self.connection, row)? {
                records.extend(stored.records);
                records.sort_unstable();
                records.dedup();
            }
            self.outbox
                .operations
                .push(Operation::Records(row, records));
        }
        // Others may have waited for that when the store was closed.
        let unsealed = self.shared.unsealed.clone();
        self.outbox.notify(move || unsealed.notify());
        self.flush();
        self.count_in_memory();
        Ok(())
    }

    /// Takes an execution up, next to the loop where that may take long.
    fn start_recovery(&mut self, row: RowId, records: &[i64]) -> rusqlite::Result<()> {
        let snapshot = stored_execution::snapshot_bytes(&self.connection, row)?;
        if may_take_long(records.len(), snapshot) {
            self.recover_later(row, records, snapshot);
            return Ok(());
        }
        let stored = match readable(&self.connection, row)? {
            Ok(stored) => stored,
            Err(why) => {
                self.suspend_unrecoverable(row, why, records);
                return Ok(());
            }
        };
        let Some(mut stored) = stored else {
            return Ok(());
        };
        stored.add_records(records);
        match self.revive(stored) {
            Ok(revived) => self.resume(*revived),
            Err(why) => self.suspend_unrecoverable(row, why, records),
        }
        Ok(())
    }

    /// Asks again for what an execution waits for, and lets it continue.
    pub(super) fn resume(&mut self, revived: RecoveredExecution) {
        let RecoveredExecution {
            mut resident,
            was_held,
            has_new_records,
            ..
        } = revived;
        if let Some(why) = self.unwired(&resident) {
            return self.suspend(&resident, why, has_new_records);
        }
        self.trees.count(&resident);
        if was_held {
            self.outbox.operations.push(Operation::Unpark(resident.id));
        }
        self.request_again(&mut resident);
        // One that is not at rest continues in a turn with a record: nothing else says what follows a snapshot.
        if !resident.execution.has_yielded() {
            let now = resident.execution.now();
            self.step(&mut resident, now, None);
        }
        self.put_resident(resident);
    }
}

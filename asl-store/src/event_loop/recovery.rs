//! How a store goes on after it was opened again.
use super::{EventLoop, EventLoops};
use crate::database::operation::Operation;
use crate::database::row::RowId;
use crate::database::stored_execution::{self, StoredExecution};
use crate::database::{executions, recovery};
use asl_engine::Timestamp;
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::atomic::Ordering;

/// What the database says when it is opened, of the executions of one event loop.
#[derive(Default)]
pub(crate) struct Found {
    /// Records by execution.
    records: HashMap<RowId, Vec<i64>>,
    /// Executions that were in memory.
    in_memory: Vec<RowId>,
    /// Executions that ended, of which nothing says of what records their histories are made.
    ended: Vec<RowId>,
    timers: Vec<(Timestamp, RowId)>,
}

/// Reads what is to be taken up, by event loop.
pub(crate) fn look(loops: &EventLoops, connection: &Connection) -> rusqlite::Result<Vec<Found>> {
    let mut found: Vec<Found> = (0..loops.count()).map(|_| Found::default()).collect();
    let mut of_row = |row: RowId, note: &mut dyn FnMut(&mut Found)| {
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
    /// Takes up all that runs: what waits is left where it is, the rest is brought into memory and goes on.
    pub(crate) fn recover(&mut self, found: Found) -> rusqlite::Result<()> {
        // All at once, and in their order: one by one they would take longer than all else.
        self.timers = found.timers.into_iter().collect();
        for row in found.in_memory {
            self.take_up(
                row,
                found.records.get(&row).map_or(&[], |records| &**records),
            )?;
        }
        for row in found.ended {
            let mut records = found.records.get(&row).cloned().unwrap_or_default();
            // What cannot be read is found again when it is sealed.
            if let Ok(Some(stored)) = self.readable(row)? {
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
        self.outbox.tell(move || unsealed.notify());
        self.flush();
        self.count_in_memory();
        Ok(())
    }

    /// What is kept of an execution; or why that cannot be told from it, which concerns no other.
    pub(super) fn readable(
        &self,
        row: RowId,
    ) -> rusqlite::Result<Result<Option<StoredExecution>, String>> {
        match stored_execution::read(&self.connection, row) {
            Err(error @ rusqlite::Error::FromSqlConversionFailure(..)) => {
                Ok(Err(format!("what was kept of it cannot be read: {error}")))
            }
            read => read.map(Ok),
        }
    }

    /// Brings an execution into memory, asks again for what it waits for, and lets it go on.
    fn take_up(&mut self, row: RowId, records: &[i64]) -> rusqlite::Result<()> {
        let mut stored = match self.readable(row)? {
            Ok(Some(stored)) => stored,
            Ok(None) => return Ok(()),
            Err(why) => {
                self.set_aside(row, why, records);
                return Ok(());
            }
        };
        stored.add_records(records);
        let (was_held, has_new_records) = (stored.is_held, stored.has_new_records());
        let mut resident = match self.revive(stored) {
            Ok(resident) => resident,
            Err(why) => {
                self.set_aside(row, why, records);
                return Ok(());
            }
        };
        if let Some(why) = self.unwired(&resident) {
            self.hold(&resident, why, has_new_records);
            return Ok(());
        }
        self.trees.count(&resident);
        if was_held {
            self.outbox.operations.push(Operation::Unpark(row));
        }
        self.ask_again(&mut resident);
        let now = resident.execution.now();
        self.step(&mut resident, now, None);
        self.put_resident(resident);
        Ok(())
    }
}

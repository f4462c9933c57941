//! How a store goes on after it was opened again.
use super::{Afterwards, EventLoop};
use crate::database::operation::Operation;
use crate::database::row::RowId;
use crate::database::stored_execution::{self, StoredExecution};
use asl_engine::{EffectId, Timestamp};
use rusqlite::{Row, params};
use std::collections::HashMap;

/// Executions that ended, whose history is not sealed, and of which an earlier version has not said of what records it is made.
const ENDED_UNSEALED: &str = "status <> 0 AND is_sealed = 0 AND executions.core IS NULL";

/// What the database says when it is opened.
#[derive(Default)]
pub(super) struct Found {
    /// Records by execution.
    records: HashMap<RowId, Vec<i64>>,
    /// Executions that were in memory.
    in_memory: Vec<RowId>,
    /// Executions that ended, of which nothing says of what records their histories are made.
    ended: Vec<RowId>,
}

impl EventLoop {
    /// Takes up all that runs: what waits is left where it is, the rest is brought into memory and goes on.
    pub(crate) fn recover(&mut self) -> rusqlite::Result<()> {
        let found = self.look()?;
        let count = "SELECT count(*) FROM executions WHERE status = 0 AND parent IS NULL";
        let running: i64 = self.connection.query_row(count, [], |row| row.get(0))?;
        self.running = running.unsigned_abs();
        self.find_timers()?;
        self.find_activities()?;
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
            self.operations.push(Operation::Records(row, records));
        }
        // Others may have waited for that when the store was closed.
        let unsealed = self.shared.unsealed.clone();
        let notify = move || unsealed.notify();
        self.afterwards.push(Afterwards::Tell(Box::new(notify)));
        self.flush();
        self.tell_counts();
        Ok(())
    }

    fn look(&mut self) -> rusqlite::Result<Found> {
        let largest = |sql: &str| {
            self.connection
                .query_row(sql, [], |row| row.get::<_, Option<i64>>(0))
        };
        self.next_row = largest("SELECT max(id) FROM executions")?.unwrap_or(0) + 1;
        self.next_record = crate::database::journal::last(&self.connection)? + 1;
        let mut found = Found::default();
        let sql = "SELECT id FROM executions WHERE status = 0 AND parked = 0
            UNION ALL SELECT id FROM executions WHERE held IS NOT NULL AND status = 0 AND parked = 1";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| row.get::<_, RowId>(0))?;
        found.in_memory = rows.collect::<Result<_, _>>()?;
        let first = self.first_needed()?;
        let sql = "SELECT id, execution FROM journal WHERE id >= ?1";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query(params![first])?;
        while let Some(row) = rows.next()? {
            found
                .records
                .entry(row.get(1)?)
                .or_default()
                .push(row.get(0)?);
        }
        let sql = format!("SELECT id FROM executions WHERE {ENDED_UNSEALED}");
        let mut statement = self.connection.prepare(&sql)?;
        let rows = statement.query_map([], |row| row.get::<_, RowId>(0))?;
        found.ended = rows.collect::<Result<_, _>>()?;
        Ok(found)
    }

    /// The first record that may be of an execution which is not parked, or whose history is to be sealed.
    fn first_needed(&self) -> rusqlite::Result<i64> {
        // Each has an index of its own; together they would read all executions.
        let first = |those: &str| {
            let sql = format!(
                "SELECT min(coalesce(last, first, 0)) FROM executions LEFT JOIN snapshots ON execution = id WHERE {those}"
            );
            self.connection
                .query_row(&sql, [], |row| row.get::<_, Option<i64>>(0))
        };
        let first = [
            first("status = 0 AND parked = 0")?,
            first("held IS NOT NULL")?,
            first(ENDED_UNSEALED)?,
        ];
        let first = first.into_iter().flatten().min();
        // Where nothing is needed, there is nothing to read.
        Ok(first.unwrap_or(i64::MAX))
    }

    fn find_timers(&mut self) -> rusqlite::Result<()> {
        let sql = "SELECT due, id FROM executions WHERE status = 0 AND parked = 1 AND due IS NOT NULL ORDER BY due";
        let mut statement = self.connection.prepare(sql)?;
        let timer = |row: &Row<'_>| Ok((Timestamp::from_milliseconds(row.get(0)?), row.get(1)?));
        // All at once, and in this order: one by one they would take longer than all else.
        self.timers = statement.query_map([], timer)?.collect::<Result<_, _>>()?;
        Ok(())
    }

    fn find_activities(&mut self) -> rusqlite::Result<()> {
        let sql =
            "SELECT activity, execution, effect FROM activity_waits ORDER BY execution, effect";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let activity: String = row.get(0)?;
            let effect: i64 = row.get(2)?;
            self.activities
                .offer(&activity.into(), row.get(1)?, EffectId(effect as u64));
        }
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
        let mut hot = match self.revive(stored) {
            Ok(hot) => hot,
            Err(why) => {
                self.set_aside(row, why, records);
                return Ok(());
            }
        };
        if let Some(why) = self.unwired(&hot) {
            self.hold(&hot, why, has_new_records);
            return Ok(());
        }
        self.trees.count(&hot);
        if was_held {
            self.operations.push(Operation::Unpark(row));
        }
        self.ask_again(&mut hot);
        let now = hot.execution.now();
        self.step(&mut hot, now, None);
        self.put_hot(hot);
        Ok(())
    }
}

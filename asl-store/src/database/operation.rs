//! Operations of a transaction.
use crate::database::abandoned::AbandonedExecution;
use crate::database::journal::{self, Record};
use crate::database::new_row::NewRow;
use crate::database::retention::Retirement;
use crate::database::row::{End, RowId};
use crate::database::sealed_history::{Pieces, Seal, SealedPart};
use crate::database::statement::{ids_to_bytes, run};
use asl_backend::{Definition, DefinitionId, EntryKey, WriteOutcome};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::cell::Cell;
use std::sync::Arc;
use tokio::sync::oneshot;

/// The core of the stores that did not say by which their executions ended.
const EARLIER_CORE: u32 = 2;

/// One thing to write. It can be written again after a transaction that failed.
#[derive(Debug)]
pub(crate) enum Operation {
    /// An execution begins.
    Begin(Box<NewRow>),
    /// An input of an execution.
    Journal(Record),
    /// An execution ended.
    End(RowId, Box<End>),
    /// The records that the history of an execution is made of, which ended by an earlier version of this store.
    Records(RowId, Vec<i64>),
    /// An execution that ended continues.
    Redrive {
        execution: RowId,
        at: i64,
        redrives: u64,
    },
    /// An execution as it is; records up to the last one need not be replayed.
    Snapshot(Box<Snapshot>),
    /// An execution that was parked is in memory again.
    Unpark(RowId),
    /// It cannot continue.
    Hold(RowId, String),
    /// It is in memory, and cannot continue in all that it does.
    Name(RowId, String),
    /// Stops an execution that cannot be recovered.
    Abandon(Box<AbandonedExecution>),
    /// Pieces of a history.
    Pieces(Box<Pieces>),
    /// All of an execution but what its row says is packed.
    Seal(Box<Seal>),
    /// The first events of an execution that runs are.
    SealPart(Box<SealedPart>),
    /// Nothing of it is kept.
    Forget(RowId),
    /// A Map Run began, or changed.
    MapRun(Box<MapRunRow>),
    /// A Map Run ended.
    MapRunEnded {
        arn: Arc<str>,
        status: i64,
        stopped: i64,
    },
    /// An entry of the catalogue.
    Entry {
        key: EntryKey,
        expected: Option<u64>,
        value: Option<Arc<str>>,
        told: Option<oneshot::Sender<WriteOutcome>>,
        written: Cell<Option<WriteOutcome>>,
    },
    /// A definition.
    Definition(DefinitionId, Definition),
    /// A task that a test case answers.
    MockAttempt(Box<MockAttempt>),
    /// The latest moment.
    Clock(i64),
    /// Records status changes from now on.
    FollowStatuses,
    /// Deletes some old executions.
    Retire(Retirement),
}

#[derive(Debug)]
pub(crate) struct MockAttempt {
    pub(crate) execution: RowId,
    pub(crate) effect: u64,
    pub(crate) root: RowId,
    pub(crate) state: Arc<str>,
    pub(crate) attempt: u64,
}

#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) execution: RowId,
    pub(crate) core: u32,
    pub(crate) data: Vec<u8>,
    /// The last record that it has seen.
    pub(crate) last: i64,
    /// All records that its history is made of.
    pub(crate) records: Vec<i64>,
    pub(crate) parked: Option<ParkedWait>,
}

/// The wait of a parked execution.
#[derive(Debug)]
pub(crate) struct ParkedWait {
    pub(crate) due: Option<i64>,
    pub(crate) activities: Vec<(u64, String)>,
}

#[derive(Debug)]
pub(crate) struct MapRunRow {
    pub(crate) arn: Arc<str>,
    pub(crate) execution: RowId,
    pub(crate) started: i64,
    pub(crate) items: u64,
    pub(crate) max_concurrency: u64,
    pub(crate) tolerated_count: u64,
    pub(crate) tolerated_percentage: f64,
}

impl Operation {
    /// Writes it.
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Begin(row) => row.write(connection),
            Self::Journal(record) => journal::write_one(connection, record),
            Self::End(execution, end) => end.write(connection, *execution),
            Self::Records(execution, records) => {
                let sql = "UPDATE executions SET records = ?2, core = ?3 WHERE id = ?1";
                let records = ids_to_bytes(records);
                run(connection, sql, params![execution, records, EARLIER_CORE])
            }
            Self::Redrive {
                execution,
                at,
                redrives,
            } => {
                let sql = "UPDATE executions SET status = 0, stopped = NULL, output = NULL, error = NULL, cause = NULL, events = NULL,
                    redriven = ?2, redrives = ?3, parked = 0, due = NULL, is_sealed = 0, records = NULL WHERE id = ?1";
                run(connection, sql, params![execution, at, *redrives as i64])?;
                crate::database::sealed_history::unseal(connection, *execution)
            }
            Self::Snapshot(snapshot) => snapshot.write(connection),
            Self::Unpark(execution) => unpark(connection, *execution),
            Self::Name(execution, why) => {
                let sql = "UPDATE executions SET held = ?2 WHERE id = ?1";
                run(connection, sql, params![execution, why])
            }
            Self::Hold(execution, why) => {
                let sql = "UPDATE executions SET held = ?2, parked = 1, due = NULL WHERE id = ?1";
                run(connection, sql, params![execution, why])
            }
            Self::Abandon(abandoned) => abandoned.write(connection),
            Self::Pieces(pieces) => pieces.write(connection),
            Self::Seal(seal) => seal.write(connection),
            Self::SealPart(part) => part.write(connection),
            Self::Forget(execution) => {
                let sql = "DELETE FROM executions WHERE id = ?1";
                run(connection, sql, params![execution])
            }
            Self::MapRun(map_run) => map_run.write(connection),
            Self::MapRunEnded {
                arn,
                status,
                stopped,
            } => {
                let sql = "UPDATE map_runs SET status = ?2, stopped = ?3 WHERE arn = ?1";
                run(connection, sql, params![arn, status, stopped])
            }
            Self::Entry {
                key,
                expected,
                value,
                written,
                ..
            } => {
                written.set(Some(write_entry(
                    connection,
                    key,
                    *expected,
                    value.as_deref(),
                )?));
                Ok(())
            }
            Self::Definition(id, definition) => insert_definition(connection, *id, definition),
            Self::MockAttempt(made) => {
                let sql = "INSERT OR REPLACE INTO mock_attempts(execution, effect, root, state, attempt) VALUES (?1, ?2, ?3, ?4, ?5)";
                let (effect, attempt) = (made.effect as i64, made.attempt as i64);
                let values = params![made.execution, effect, made.root, made.state, attempt];
                run(connection, sql, values)
            }
            Self::Retire(retirement) => retirement.write(connection),
            Self::FollowStatuses => crate::database::changes::start(connection),
            Self::Clock(moment) => {
                let sql = "INSERT INTO meta(key, value) VALUES ('clock', ?1)
                    ON CONFLICT(key) DO UPDATE SET value = max(value, excluded.value)";
                run(connection, sql, params![moment])
            }
        }
    }

    /// Returns the execution that has new events or another status, and the earlier run of a child that it replaces.
    pub(crate) fn executions(&self) -> impl Iterator<Item = RowId> + use<> {
        let (execution, earlier) = match self {
            Self::Begin(row) => (Some(row.id), row.earlier.as_ref().map(|earlier| earlier.id)),
            Self::Journal(record) => (Some(record.execution), None),
            Self::End(execution, _) | Self::Redrive { execution, .. } => (Some(*execution), None),
            Self::Abandon(abandoned) => (Some(abandoned.execution), None),
            _ => (None, None),
        };
        execution.into_iter().chain(earlier)
    }

    /// Returns true if the status of an execution changes.
    pub(crate) fn changes_status(&self) -> bool {
        !matches!(self, Self::Journal(_)) && self.executions().next().is_some()
    }

    /// Says so, once it is durable.
    pub(crate) fn committed(&mut self) {
        if let Self::Entry { told, written, .. } = self
            && let (Some(told), Some(written)) = (told.take(), written.get())
        {
            // Whoever gave up waiting need not know.
            let _ = told.send(written);
        }
    }
}

fn unpark(connection: &Connection, execution: RowId) -> rusqlite::Result<()> {
    let sql = "UPDATE executions SET parked = 0, due = NULL, held = NULL WHERE id = ?1";
    run(connection, sql, params![execution])?;
    let sql = "DELETE FROM activity_waits WHERE execution = ?1";
    run(connection, sql, params![execution])
}

fn write_entry(
    connection: &Connection,
    key: &EntryKey,
    expected: Option<u64>,
    value: Option<&str>,
) -> rusqlite::Result<WriteOutcome> {
    let (kind, scope, name) = (key.kind.word(), &key.scope, &key.name);
    let sql = "SELECT version FROM entries WHERE kind = ?1 AND scope = ?2 AND name = ?3";
    let mut found = connection.prepare_cached(sql)?;
    let found: Option<i64> = found
        .query_row(params![kind, scope, name], |row| row.get(0))
        .optional()?;
    if found != expected.map(|version| version as i64) {
        return Ok(WriteOutcome::Changed);
    }
    let Some(value) = value else {
        let sql = "DELETE FROM entries WHERE kind = ?1 AND scope = ?2 AND name = ?3";
        run(connection, sql, params![kind, scope, name])?;
        return Ok(WriteOutcome::Done);
    };
    // Versions of all entries come from one counter, so that an entry which was made anew has another.
    let sql = "INSERT INTO meta(key, value) VALUES ('entry_version', 1) ON CONFLICT(key) DO UPDATE SET value = value + 1";
    run(connection, sql, [])?;
    let sql = "INSERT INTO entries(kind, scope, name, version, value)
        VALUES (?1, ?2, ?3, (SELECT value FROM meta WHERE key = 'entry_version'), ?4)
        ON CONFLICT(kind, scope, name) DO UPDATE SET version = excluded.version, value = excluded.value";
    run(connection, sql, params![kind, scope, name, value])?;
    Ok(WriteOutcome::Done)
}

fn insert_definition(
    connection: &Connection,
    id: DefinitionId,
    definition: &Definition,
) -> rusqlite::Result<()> {
    let sql =
        "INSERT OR IGNORE INTO definitions(hash, text, profile, type) VALUES (?1, ?2, ?3, ?4)";
    let profile = definition.profile_word();
    let kind = definition.type_word();
    run(
        connection,
        sql,
        params![id.0, definition.text, profile, kind],
    )
}

impl Snapshot {
    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "INSERT OR REPLACE INTO snapshots(execution, core, data, last, records) VALUES (?1, ?2, ?3, ?4, ?5)";
        let records = ids_to_bytes(&self.records);
        run(
            connection,
            sql,
            params![self.execution, self.core, self.data, self.last, records],
        )?;
        let Some(parked) = &self.parked else {
            return Ok(());
        };
        let sql = "UPDATE executions SET parked = 1, due = ?2 WHERE id = ?1";
        run(connection, sql, params![self.execution, parked.due])?;
        for (effect, activity) in &parked.activities {
            let sql = "INSERT OR REPLACE INTO activity_waits(execution, effect, activity) VALUES (?1, ?2, ?3)";
            run(
                connection,
                sql,
                params![self.execution, *effect as i64, activity],
            )?;
        }
        Ok(())
    }
}

impl MapRunRow {
    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "INSERT INTO map_runs(arn, execution, started, items, max_concurrency, tolerated_count, tolerated_percentage)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(arn) DO UPDATE SET items = excluded.items, status = 0, stopped = NULL,
            max_concurrency = excluded.max_concurrency, tolerated_count = excluded.tolerated_count,
            tolerated_percentage = excluded.tolerated_percentage";
        let values = params![
            self.arn,
            self.execution,
            self.started,
            self.items as i64,
            self.max_concurrency as i64,
            self.tolerated_count as i64,
            self.tolerated_percentage
        ];
        run(connection, sql, values)
    }
}

/// Writes operations in their order, neighbouring records together.
pub(crate) fn write_all<'operation>(
    connection: &Connection,
    operations: impl Iterator<Item = &'operation Operation>,
) -> rusqlite::Result<()> {
    let mut records: Vec<&Record> = Vec::with_capacity(journal::TOGETHER);
    for operation in operations {
        match operation {
            Operation::Journal(record) => {
                records.push(record);
                if records.len() == journal::TOGETHER {
                    journal::write_together(connection, &records)?;
                    records.clear();
                }
            }
            other => {
                // What follows may be about them.
                journal::write_each(connection, records.drain(..))?;
                other.write(connection)?;
            }
        }
    }
    journal::write_each(connection, records.into_iter())
}

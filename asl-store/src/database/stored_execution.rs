//! Executions from their stored data.
use crate::database::row::{CoreStart, RowId, StartMetadata, decoded, unpacked};
use crate::database::statement::ids_from_bytes;
use asl_backend::DefinitionId;
use asl_engine::{
    EffectId, Execution, HistoryEvent, JournalRecord, Program, SavedExecution, TaskTokens,
    Timestamp, TurnLimits,
};
use rusqlite::{Connection, OptionalExtension as _, Row, Statement, params};
use std::cell::Cell;
use std::sync::Arc;

const RECORD: &str = "SELECT data FROM journal WHERE id = ?1";

/// Assumed size of a record.
const RECORD_BYTES: usize = 64;

/// Stored data of an execution.
#[derive(Debug)]
pub(crate) struct StoredExecution {
    pub(crate) id: RowId,
    pub(crate) definition: DefinitionId,
    pub(crate) about: StartMetadata,
    pub(crate) parent: Option<(RowId, EffectId)>,
    pub(crate) is_running: bool,
    pub(crate) is_held: bool,
    /// Number of redrives.
    pub(crate) redrives: u64,
    /// Due time of a parked execution.
    pub(crate) due: Option<Timestamp>,
    start: CoreStart,
    snapshot: Option<StoredSnapshot>,
    /// The last record whose events are sealed.
    sealed: i64,
    /// The records that its history is made of: those that the snapshot knows, and those that came after it.
    pub(crate) records: Vec<i64>,
}

/// An execution that runs, as it was after the last of its events that is sealed.
#[derive(Debug)]
pub(crate) struct Base {
    data: Vec<u8>,
    pub(crate) last: i64,
    pub(crate) events: u64,
}

/// Returns the number of the first event that is not sealed.
pub(crate) fn base(connection: &Connection, row: RowId) -> rusqlite::Result<Option<Base>> {
    let sql = "SELECT data, last, events FROM bases WHERE execution = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params![row], |row| {
        Ok(Base {
            data: row.get(0)?,
            last: row.get(1)?,
            events: row.get::<_, i64>(2)?.unsigned_abs(),
        })
    });
    found.optional()
}

#[derive(Debug)]
struct StoredSnapshot {
    data: Vec<u8>,
    last: i64,
}

/// Returns the number of records of an ended execution without a snapshot.
pub(crate) fn record_count(connection: &Connection, row: RowId) -> rusqlite::Result<usize> {
    let sql = "SELECT coalesce(length(records), 0) FROM executions WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let bytes: i64 = statement.query_row(params![row], |row| row.get(0))?;
    Ok(bytes.unsigned_abs() as usize / size_of::<i64>())
}

/// Returns the size of an execution's snapshot in bytes; 0 if there is none.
pub(crate) fn snapshot_bytes(connection: &Connection, row: RowId) -> rusqlite::Result<u64> {
    let sql = "SELECT length(data) FROM snapshots WHERE execution = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let bytes = statement.query_row(params![row], |row| row.get::<_, i64>(0));
    Ok(bytes.optional()?.unwrap_or_default().unsigned_abs())
}

/// Reads the stored data of an execution, except the records after its snapshot: a parked execution has none.
pub(crate) fn read(
    connection: &Connection,
    row: RowId,
) -> rusqlite::Result<Option<StoredExecution>> {
    let sql = "SELECT id, definition, about, parent, parent_effect, status, held, start, snapshots.data, snapshots.last, snapshots.records, due,
        bases.last, executions.records, redrives FROM executions LEFT JOIN snapshots ON snapshots.execution = id LEFT JOIN bases ON bases.execution = id WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row(params![row], stored).optional()
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredExecution> {
    let parent: Option<RowId> = row.get(3)?;
    let effect: Option<i64> = row.get(4)?;
    let held: Option<String> = row.get(6)?;
    let data: Option<Vec<u8>> = row.get(8)?;
    // Those that it ended with, or that its snapshot knows.
    let records: Option<Vec<u8>> = row.get(13)?;
    let records = match records {
        Some(records) => Some(records),
        None => row.get(10)?,
    };
    let snapshot = match data {
        Some(data) => Some(StoredSnapshot {
            data,
            last: row.get(9)?,
        }),
        None => None,
    };
    Ok(StoredExecution {
        id: row.get(0)?,
        definition: DefinitionId(row.get(1)?),
        about: decoded(row.get_ref(2)?.as_blob()?)?,
        parent: parent.zip(effect.map(|id| EffectId(id as u64))),
        is_running: row.get::<_, i64>(5)? == 0,
        is_held: held.is_some(),
        redrives: row.get::<_, i64>(14)?.unsigned_abs(),
        due: row
            .get::<_, Option<i64>>(11)?
            .map(Timestamp::from_milliseconds),
        start: decoded(row.get_ref(7)?.as_blob()?)?,
        snapshot,
        records: ids_from_bytes(&records.unwrap_or_default()),
        sealed: row.get::<_, Option<i64>>(12)?.unwrap_or_default(),
    })
}

impl StoredExecution {
    /// Adds records that came after the snapshot.
    pub(crate) fn add_records(&mut self, records: &[i64]) {
        let last = self.records.last().copied().unwrap_or_default();
        self.records.extend(records.iter().filter(|id| **id > last));
    }

    /// Returns true if there are records that its snapshot does not know.
    pub(crate) fn has_new_records(&self) -> bool {
        self.records.last().is_some_and(|last| *last > self.last())
    }

    pub(crate) fn has_snapshot(&self) -> bool {
        self.snapshot.is_some()
    }

    /// About how many bytes of records there are whose events are not sealed.
    pub(crate) fn journaled(&self) -> usize {
        let sealed = self.records.partition_point(|id| *id <= self.sealed);
        (self.records.len() - sealed) * RECORD_BYTES
    }

    /// The last record that its snapshot has seen.
    pub(crate) fn last(&self) -> i64 {
        self.snapshot.as_ref().map_or(0, |snapshot| snapshot.last)
    }

    /// Restores an execution after its last input, and after a turn within these limits.
    pub(crate) fn revive(
        self,
        connection: &Connection,
        program: Program,
        tokens: Arc<dyn TaskTokens>,
        limits: TurnLimits,
    ) -> Result<Execution, String> {
        let Some(snapshot) = self.snapshot else {
            let records = read_records(connection, &self.records).map_err(unreadable)?;
            let mut execution = self.start.begin(program, tokens);
            execution.limit_turns(limits);
            let replayed = execution.replay_on(records);
            replayed.map_err(|error| error.to_string())?;
            return Ok(execution);
        };
        let mut execution = restored(&snapshot.data, program, tokens)?;
        execution.limit_turns(limits);
        let after: Vec<i64> = self
            .records
            .into_iter()
            .filter(|id| *id > snapshot.last)
            .collect();
        let records = read_records(connection, &after).map_err(unreadable)?;
        execution
            .replay_on(records)
            .map_err(|error| error.to_string())?;
        Ok(execution)
    }

    /// Returns its history by replay: from the start, or after the sealed part, until it has the given number of events, or
    /// else up to the last record.
    pub(crate) fn history(
        self,
        connection: &Connection,
        program: &Program,
        tokens: Arc<dyn TaskTokens>,
        part: HistoryPart<'_>,
        mut recorder: impl FnMut(HistoryEvent),
    ) -> Result<Execution, String> {
        let HistoryPart {
            base,
            records,
            events,
            is_over,
        } = part;
        let last = base.map_or(0, |base| base.last);
        let after = &records[records.partition_point(|id| *id <= last)..];
        // One at a time: a journal may be long, and what is requested its beginning.
        let failed = Cell::new(None);
        let mut statement = connection.prepare_cached(RECORD).map_err(unreadable)?;
        let records = after.iter().map_while(|id| match is_over.get() {
            true => None,
            false => read_record(&mut statement, *id)
                .map_err(|error| failed.set(Some(error)))
                .ok(),
        });
        let mut execution = match base {
            Some(base) => {
                let mut execution = restored(&base.data, program.clone(), tokens)?;
                execution.record_history(true);
                execution
            }
            None => {
                let mut start = self.start;
                start.record_history();
                start.begin(program, tokens)
            }
        };
        let replayed = execution.replay_inputs_with(records, &mut recorder);
        replayed.map_err(|error| error.to_string())?;
        if let Some(error) = failed.take() {
            return Err(unreadable(error));
        }
        let Some(events) = events else {
            return Ok(execution);
        };
        // What ran on after the last record, without one.
        let now = execution.now();
        while !is_over.get()
            && execution.step_with(now, None, &mut recorder).yielded
            && execution.event_count() < events
        {}
        Ok(execution)
    }
}

/// The part of a history that a replay makes.
pub(crate) struct HistoryPart<'r> {
    /// The sealed part before it.
    pub(crate) base: Option<&'r Base>,
    /// Records of the whole history.
    pub(crate) records: &'r [i64],
    /// Number of events at which it ends; None for the last record.
    pub(crate) events: Option<u64>,
    /// True once no more events are needed.
    pub(crate) is_over: &'r Cell<bool>,
}

fn unreadable(error: rusqlite::Error) -> String {
    format!("its stored state cannot be read: {error}")
}

/// An execution as it was saved.
fn restored(
    data: &[u8],
    program: Program,
    tokens: Arc<dyn TaskTokens>,
) -> Result<Execution, String> {
    let data = unpacked(data).map_err(unreadable)?;
    let saved: SavedExecution = decoded(&data).map_err(unreadable)?;
    let restored = saved.restore_with_tokens(program, tokens);
    restored.map_err(|error| format!("its snapshot cannot be restored: {error}"))
}

/// Records by their ids.
fn read_records(connection: &Connection, ids: &[i64]) -> rusqlite::Result<Vec<JournalRecord>> {
    let mut statement = connection.prepare_cached(RECORD)?;
    ids.iter()
        .map(|id| read_record(&mut statement, *id))
        .collect()
}

fn read_record(statement: &mut Statement<'_>, id: i64) -> rusqlite::Result<JournalRecord> {
    statement.query_row(params![id], |row| decoded(row.get_ref(0)?.as_blob()?))
}

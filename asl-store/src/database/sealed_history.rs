//! Histories that are packed, as the database has them.
use crate::database::journal;
use crate::database::row::{RowId, unpacked, unreadable};
use crate::database::statement::{ids_from_bytes, run};
use asl_backend::HistoryPiece;
use rusqlite::{CachedStatement, Connection, OptionalExtension as _, Rows, Statement, params};

/// The histories that are to be sealed, of the value of `is_sealed`.
pub(crate) const UNSEALED: i64 = 0;
/// Those that are.
pub(crate) const SEALED: i64 = 1;
/// Histories that are always replayed, because that costs less than a seal.
pub(crate) const REPLAYED: i64 = 2;

/// The pieces of an execution that a seal is about: those that were written for one that did not come are none.
const SEALED_PIECES: &str = "SELECT sealed.data FROM sealed JOIN executions ON executions.id = sealed.execution
    LEFT JOIN bases ON bases.execution = executions.id
    WHERE sealed.execution = ?1 AND (is_sealed = 1 OR first_event <= bases.events) ORDER BY first_event";

/// The sealed events of an execution, of which one piece at a time is unpacked.
pub(crate) struct SealedEvents<'s> {
    pieces: Rows<'s>,
    piece: String,
    /// Offset of the next event in the piece.
    at: usize,
}

impl<'s> SealedEvents<'s> {
    /// Prepares to read sealed events.
    pub(crate) fn prepare(connection: &Connection) -> rusqlite::Result<CachedStatement<'_>> {
        connection.prepare_cached(SEALED_PIECES)
    }

    /// Returns the sealed events of an execution.
    pub(crate) fn of(statement: &'s mut Statement<'_>, execution: RowId) -> rusqlite::Result<Self> {
        Ok(Self {
            pieces: statement.query(params![execution])?,
            piece: String::new(),
            at: 0,
        })
    }

    /// Returns the text of the next event.
    pub(crate) fn next(&mut self) -> rusqlite::Result<Option<&str>> {
        while self.at >= self.piece.len() {
            let Some(row) = self.pieces.next()? else {
                return Ok(None);
            };
            let data = unpacked(row.get_ref("data")?.as_blob()?)?;
            self.piece = String::from_utf8(data).map_err(|error| unreadable(error.into()))?;
            self.at = 0;
        }
        let rest = self.piece.get(self.at..).unwrap_or_default();
        let text = rest.lines().next().unwrap_or_default();
        self.at += text.len() + 1;
        Ok(Some(text))
    }
}

/// Returns how many events an execution that ended has, and whether all of them are sealed.
pub(crate) fn ended(connection: &Connection, row: RowId) -> rusqlite::Result<Option<(u64, bool)>> {
    let sql = "SELECT events, is_sealed = 1 FROM executions WHERE id = ?1 AND status <> 0";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params![row], |row| {
        Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?))
    });
    found.optional()
}

/// Returns the piece that an event is in.
pub(crate) fn piece(
    connection: &Connection,
    row: RowId,
    event: u64,
) -> rusqlite::Result<HistoryPiece> {
    let sql = "SELECT first_event, data FROM sealed WHERE execution = ?1 AND first_event <= ?2
        ORDER BY first_event DESC LIMIT 1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row(params![row, event as i64], |row| {
        let first: i64 = row.get("first_event")?;
        Ok(HistoryPiece {
            first: first.unsigned_abs(),
            packed: row.get("data")?,
        })
    })
}

/// Counts of the histories of ended executions, by storage form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct HistoryCounts {
    /// Packed in pieces.
    pub sealed: u64,
    /// Number of histories that are rebuilt from their records when they are read, because that costs less than packing them.
    pub replayed: u64,
    /// Number of histories to seal by the next store that opens this folder or a copy of it; they are readable until then.
    pub unsealed: u64,
}

/// Counts the histories of the executions that ended.
pub(crate) fn count_histories(connection: &Connection) -> rusqlite::Result<HistoryCounts> {
    let sql = "SELECT is_sealed, count(*) FROM executions WHERE status <> 0 GROUP BY is_sealed";
    let mut counts = HistoryCounts::default();
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let count = row.get::<_, i64>(1)?.unsigned_abs();
        match row.get("is_sealed")? {
            SEALED => counts.sealed += count,
            REPLAYED => counts.replayed += count,
            _ => counts.unsealed += count,
        }
    }
    Ok(counts)
}

/// Returns executions that ended after this one and are to be sealed, so many at most.
pub(crate) fn unsealed_after(
    connection: &Connection,
    row: RowId,
    most: usize,
) -> rusqlite::Result<Vec<RowId>> {
    let sql = "SELECT id FROM executions WHERE status <> 0 AND is_sealed = 0 AND id > ?1 ORDER BY id LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![row, most as i64], |row| row.get(0))?;
    rows.collect()
}

/// An execution whose pieces are written, provided that it is still to be sealed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sealable {
    pub(crate) execution: RowId,
    /// Number of redrives: after another redrive the history is different.
    pub(crate) redrives: u64,
    /// Of one that runs, the record after which those before ended; with another one this is not what follows.
    pub(crate) after: Option<Option<i64>>,
    /// Events that were sealed before.
    pub(crate) before: u64,
}

/// Pieces that follow those before; nothing reads them before the seal.
#[derive(Debug)]
pub(crate) struct Pieces {
    pub(crate) of: Sealable,
    pub(crate) pieces: Vec<HistoryPiece>,
}

/// All events of an execution that ended are there.
#[derive(Debug)]
pub(crate) struct Seal {
    pub(crate) of: Sealable,
    /// Number of events.
    pub(crate) events: u64,
    /// True if it may be redriven: then its records and a snapshot stay.
    pub(crate) keeps_records: bool,
}

/// Events of an execution that runs are there.
#[derive(Debug)]
pub(crate) struct SealedPart {
    pub(crate) of: Sealable,
    /// The execution after these events, the record of the last of them, and how many there are in all.
    pub(crate) data: Vec<u8>,
    pub(crate) last: i64,
    pub(crate) events: u64,
}

impl Sealable {
    fn is_still(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let sql = "SELECT count(*) FROM executions LEFT JOIN bases ON bases.execution = executions.id
            WHERE executions.id = ?1 AND redrives = ?2 AND (status = 0) = ?3 AND is_sealed <> 1 AND (?3 = 0 OR bases.last IS ?4)";
        let mut statement = connection.prepare_cached(sql)?;
        let is_running = self.after.is_some();
        let after = self.after.flatten();
        let values = params![self.execution, self.redrives as i64, is_running, after];
        let count: i64 = statement.query_row(values, |row| row.get(0))?;
        Ok(count > 0)
    }
}

impl Pieces {
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        if !self.of.is_still(connection)? {
            return Ok(());
        }
        for HistoryPiece { first, packed } in &self.pieces {
            if *first == self.of.before + 1 {
                // An attempt may have come to an end before its seal.
                let sql = "DELETE FROM sealed WHERE execution = ?1 AND first_event >= ?2";
                run(connection, sql, params![self.of.execution, *first as i64])?;
            }
            write_piece(connection, self.of.execution, *first, packed)?;
        }
        Ok(())
    }
}

impl Seal {
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let execution = self.of.execution;
        if !self.of.is_still(connection)? || !self.has_events(connection)? {
            return Ok(());
        }
        if !self.keeps_records {
            forget_records(connection, execution)?;
            let sql = "DELETE FROM snapshots WHERE execution = ?1";
            run(connection, sql, params![execution])?;
        }
        settle(connection, execution)
    }

    fn has_events(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let sql = "SELECT events = ?2 FROM executions WHERE id = ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let values = params![self.of.execution, self.events as i64];
        statement.query_row(values, |row| row.get(0))
    }
}

impl SealedPart {
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        if !self.of.is_still(connection)? {
            return Ok(());
        }
        let sql =
            "INSERT OR REPLACE INTO bases(execution, data, last, events) VALUES (?1, ?2, ?3, ?4)";
        let (execution, events) = (self.of.execution, self.events as i64);
        run(
            connection,
            sql,
            params![execution, self.data, self.last, events],
        )
    }
}

pub(crate) fn write_piece(
    connection: &Connection,
    execution: RowId,
    first: u64,
    data: &[u8],
) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO sealed(execution, first_event, data) VALUES (?1, ?2, ?3)";
    run(connection, sql, params![execution, first as i64, data])
}

/// Deletes the records of an execution that ended, as its row and its snapshot name them.
pub(crate) fn forget_records(connection: &Connection, execution: RowId) -> rusqlite::Result<()> {
    for sql in [
        "SELECT records FROM snapshots WHERE execution = ?1",
        "SELECT records FROM executions WHERE id = ?1",
    ] {
        let mut statement = connection.prepare_cached(sql)?;
        let records = statement.query_row(params![execution], |row| row.get(0));
        let records: Option<Option<Vec<u8>>> = records.optional()?;
        let records = ids_from_bytes(&records.flatten().unwrap_or_default());
        journal::forget(connection, execution, &records)?;
    }
    Ok(())
}

/// Nothing of an execution is sealed any more.
pub(crate) fn unseal(connection: &Connection, execution: RowId) -> rusqlite::Result<()> {
    let sql = "DELETE FROM sealed WHERE execution = ?1";
    run(connection, sql, params![execution])?;
    forget_base(connection, execution)
}

fn forget_base(connection: &Connection, execution: RowId) -> rusqlite::Result<()> {
    let sql = "DELETE FROM bases WHERE execution = ?1";
    run(connection, sql, params![execution])
}

/// Removes the base of an execution that ended: all its events are sealed.
pub(crate) fn settle(connection: &Connection, execution: RowId) -> rusqlite::Result<()> {
    forget_base(connection, execution)?;
    let sql = "UPDATE executions SET is_sealed = 1, records = NULL WHERE id = ?1";
    run(connection, sql, params![execution])
}

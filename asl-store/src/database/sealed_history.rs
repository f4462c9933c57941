//! Histories that are packed, as the database has them.
use crate::database::journal;
use crate::database::operation::{ids_from_bytes, run};
use crate::database::row::RowId;
use crate::history::piece::Packed;
use rusqlite::{Connection, OptionalExtension as _, params};

/// The histories that are to be sealed, of the value of `is_sealed`.
pub(crate) const UNSEALED: i64 = 0;
/// Those that are.
pub(crate) const SEALED: i64 = 1;
/// Those that are made by replay whenever somebody asks for them: that costs less than a seal.
pub(crate) const REPLAYED: i64 = 2;

/// The pieces of an execution that a seal is about: those that were written for one that did not come are none.
pub(crate) const SEALED_PIECES: &str = "SELECT sealed.data FROM sealed JOIN executions ON executions.id = sealed.execution
    LEFT JOIN bases ON bases.execution = executions.id
    WHERE sealed.execution = ?1 AND (is_sealed = 1 OR first_event <= bases.events) ORDER BY first_event";

/// Whose events pieces are, and that they still are to be sealed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sealable {
    pub(crate) execution: RowId,
    /// How often it was redriven: after another redrive this is not its history.
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
    pub(crate) pieces: Vec<Packed>,
}

/// All events of an execution that ended are there.
#[derive(Debug)]
pub(crate) struct Seal {
    pub(crate) of: Sealable,
    /// How many there are.
    pub(crate) events: u64,
    /// Whether it may be redriven: then its records and a snapshot stay.
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
        for (first, data) in &self.pieces {
            if *first == self.of.before + 1 {
                // An attempt may have come to an end before its seal.
                let sql = "DELETE FROM sealed WHERE execution = ?1 AND first_event >= ?2";
                run(connection, sql, params![self.of.execution, *first as i64])?;
            }
            write_piece(connection, self.of.execution, *first, data)?;
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

/// All events of an execution that ended are sealed.
pub(crate) fn settle(connection: &Connection, execution: RowId) -> rusqlite::Result<()> {
    forget_base(connection, execution)?;
    let sql = "UPDATE executions SET is_sealed = 1, records = NULL WHERE id = ?1";
    run(connection, sql, params![execution])
}

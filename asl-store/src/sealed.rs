//! Events that are packed, as the database has them.
use crate::journal;
use crate::operation::run;
use crate::row::RowId;
use rusqlite::{Connection, params};

/// The events of an execution that ended, but for those that were sealed before.
#[derive(Debug)]
pub(crate) struct Seal {
    pub(crate) execution: RowId,
    /// How many events it has; with another count it was redriven meanwhile, and this is not its history.
    pub(crate) events: u64,
    /// Events, by the first one's id.
    pub(crate) chunks: Vec<(u64, Vec<u8>)>,
    /// Records that are not needed any more.
    pub(crate) records: Vec<i64>,
    /// Whether these are all events, in place of those that were sealed while it ran.
    pub(crate) is_whole: bool,
    /// Whether it may be redriven: then a snapshot stays.
    pub(crate) keeps_snapshot: bool,
}

/// Events of an execution that runs, after those that were sealed before.
#[derive(Debug)]
pub(crate) struct SealedPart {
    pub(crate) execution: RowId,
    pub(crate) chunks: Vec<(u64, Vec<u8>)>,
    /// The record after which those before ended; with another one this is not what follows.
    pub(crate) after: Option<i64>,
    /// The execution after these events, the record of the last of them, and how many there are in all.
    pub(crate) data: Vec<u8>,
    pub(crate) last: i64,
    pub(crate) events: u64,
}

impl Seal {
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "SELECT count(*) FROM executions WHERE id = ?1 AND status <> 0 AND events = ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let values = params![self.execution, self.events as i64];
        if statement.query_row(values, |row| row.get::<_, i64>(0))? == 0 {
            return Ok(());
        }
        if self.is_whole {
            unseal(connection, self.execution)?;
        }
        write_chunks(connection, self.execution, &self.chunks)?;
        settle(connection, self.execution)?;
        journal::forget(connection, self.execution, &self.records)?;
        if !self.keeps_snapshot {
            let sql = "DELETE FROM snapshots WHERE execution = ?1";
            run(connection, sql, params![self.execution])?;
        }
        Ok(())
    }
}

impl SealedPart {
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql =
            "SELECT count(*) FROM executions LEFT JOIN bases ON bases.execution = executions.id
            WHERE executions.id = ?1 AND status = 0 AND bases.last IS ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let values = params![self.execution, self.after];
        if statement.query_row(values, |row| row.get::<_, i64>(0))? == 0 {
            return Ok(());
        }
        write_chunks(connection, self.execution, &self.chunks)?;
        let sql =
            "INSERT OR REPLACE INTO bases(execution, data, last, events) VALUES (?1, ?2, ?3, ?4)";
        let events = self.events as i64;
        run(
            connection,
            sql,
            params![self.execution, self.data, self.last, events],
        )
    }
}

pub(crate) fn write_chunks(
    connection: &Connection,
    execution: RowId,
    chunks: &[(u64, Vec<u8>)],
) -> rusqlite::Result<()> {
    for (first, data) in chunks {
        let sql = "INSERT OR REPLACE INTO sealed(execution, first_event, data) VALUES (?1, ?2, ?3)";
        run(connection, sql, params![execution, *first as i64, data])?;
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
    let sql = "UPDATE executions SET is_sealed = 1 WHERE id = ?1";
    run(connection, sql, params![execution])
}

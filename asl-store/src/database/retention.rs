//! Executions that ended long ago are let go.
use crate::database::row::RowId;
use rusqlite::{Connection, params};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Executions that are let go in one transaction.
const MOST: u64 = 500;
/// Those that are let go between two looks at how much the database holds.
const FEW: usize = 20;

/// What is let go of at a time.
#[derive(Debug)]
pub(crate) struct Retirement {
    /// What ended before this moment, in milliseconds.
    pub(crate) before: i64,
    /// What ended first, as long as the database holds more bytes than these.
    pub(crate) bytes: Option<u64>,
    /// Whether there was as much as goes at a time.
    pub(crate) has_more: Arc<AtomicBool>,
}

impl Retirement {
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut count = retire(connection, self.before)?;
        if let Some(bytes) = self.bytes {
            count += retire_beyond(connection, bytes, MOST.saturating_sub(count))?;
        }
        self.has_more.store(count >= MOST, Ordering::Relaxed);
        Ok(())
    }
}

/// Lets go of executions that ended before this moment, in milliseconds; of children once their parent has ended.
/// How many; not all at a time.
pub(crate) fn retire(connection: &Connection, before: i64) -> rusqlite::Result<u64> {
    let rows = ended_first(connection, before, MOST)?;
    for row in &rows {
        forget(connection, *row)?;
    }
    Ok(rows.len() as u64)
}

/// Lets go of executions that ended first while the database holds more bytes than these. How many; `most` at a time.
fn retire_beyond(connection: &Connection, bytes: u64, most: u64) -> rusqlite::Result<u64> {
    if bytes_held(connection)? <= bytes {
        return Ok(0);
    }
    let mut count = 0;
    for rows in ended_first(connection, i64::MAX, most)?.chunks(FEW) {
        for row in rows {
            forget(connection, *row)?;
            count += 1;
        }
        if bytes_held(connection)? <= bytes {
            break;
        }
    }
    Ok(count)
}

/// Bytes of the pages that hold something.
fn bytes_held(connection: &Connection) -> rusqlite::Result<u64> {
    let pragma = |name: &str| {
        let sql = format!("PRAGMA {name}");
        let mut statement = connection.prepare_cached(&sql)?;
        statement.query_row([], |row| row.get::<_, i64>(0))
    };
    let pages = pragma("page_count")? - pragma("freelist_count")?;
    Ok(pages.saturating_mul(pragma("page_size")?).unsigned_abs())
}

/// Executions that ended before a moment and may go, those first that ended first.
fn ended_first(connection: &Connection, before: i64, most: u64) -> rusqlite::Result<Vec<RowId>> {
    let sql = "SELECT id FROM executions WHERE status <> 0 AND stopped < ?1 AND NOT EXISTS
        (SELECT 1 FROM executions AS parents WHERE parents.id = executions.parent AND parents.status = 0)
        ORDER BY stopped LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![before, most as i64], |row| row.get::<_, RowId>(0))?;
    rows.collect()
}

/// Deletes all that is kept of an execution.
pub(crate) fn forget(connection: &Connection, row: RowId) -> rusqlite::Result<()> {
    crate::database::sealed_history::forget_records(connection, row)?;
    for sql in [
        "DELETE FROM snapshots WHERE execution = ?1",
        "DELETE FROM sealed WHERE execution = ?1",
        "DELETE FROM bases WHERE execution = ?1",
        "DELETE FROM map_runs WHERE execution = ?1",
        "DELETE FROM mock_attempts WHERE execution = ?1",
        "DELETE FROM executions WHERE id = ?1",
    ] {
        connection.prepare_cached(sql)?.execute(params![row])?;
    }
    Ok(())
}

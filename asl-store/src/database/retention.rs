//! Deletion of old executions.
use crate::database::changes;
use crate::database::row::RowId;
use rusqlite::{Connection, params};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of executions deleted in one transaction.
const MOST: u64 = 500;
/// Number of executions deleted between two checks of the database size.
const FEW: usize = 20;

/// A deletion of old executions.
#[derive(Debug)]
pub(crate) struct Retirement {
    /// Executions that ended before this time, in milliseconds.
    pub(crate) before: i64,
    /// The oldest executions, while the database exceeds this number of bytes.
    pub(crate) bytes: Option<u64>,
    /// True if there was as much as goes at a time.
    pub(crate) has_more: Arc<AtomicBool>,
}

impl Retirement {
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut count = retire(connection, self.before)?;
        count += changes::delete(connection, self.before)?;
        if let Some(bytes) = self.bytes {
            count += retire_beyond(connection, bytes, MOST.saturating_sub(count))?;
        }
        self.has_more.store(count >= MOST, Ordering::Relaxed);
        Ok(())
    }
}

/// Deletes executions that ended before this time, in milliseconds, and children after their parent has ended. Returns the
/// number, which is limited.
pub(crate) fn retire(connection: &Connection, before: i64) -> rusqlite::Result<u64> {
    let rows = list_oldest_ended(connection, before, MOST)?;
    for row in &rows {
        forget(connection, *row)?;
    }
    Ok(rows.len() as u64)
}

/// Deletes the oldest ended executions while the database exceeds this number of bytes. Returns the number, up to `most`.
fn retire_beyond(connection: &Connection, bytes: u64, most: u64) -> rusqlite::Result<u64> {
    if bytes_held(connection)? <= bytes {
        return Ok(0);
    }
    let mut count = changes::delete(connection, i64::MAX)?;
    if count > 0 && bytes_held(connection)? <= bytes {
        return Ok(count);
    }
    for rows in list_oldest_ended(connection, i64::MAX, most)?.chunks(FEW) {
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
fn list_oldest_ended(
    connection: &Connection,
    before: i64,
    most: u64,
) -> rusqlite::Result<Vec<RowId>> {
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

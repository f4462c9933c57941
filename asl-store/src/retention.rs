//! Executions that ended long ago are let go.
use crate::operation::ids_from_bytes;
use crate::row::RowId;
use rusqlite::{Connection, params};

/// Executions that are let go in one transaction.
pub(crate) const MOST: u64 = 500;

/// Lets go of executions that ended before this moment, in milliseconds; of children once their parent has ended.
/// How many; not all at a time.
pub(crate) fn retire(connection: &Connection, before: i64) -> rusqlite::Result<u64> {
    let sql = "SELECT id FROM executions WHERE status <> 0 AND stopped < ?1 AND NOT EXISTS
        (SELECT 1 FROM executions AS parents WHERE parents.id = executions.parent AND parents.status = 0)
        AND is_sealed = 1 ORDER BY stopped LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![before, MOST as i64], |row| row.get::<_, RowId>(0))?;
    let rows: Vec<RowId> = rows.collect::<Result<_, _>>()?;
    for row in &rows {
        forget(connection, *row)?;
    }
    Ok(rows.len() as u64)
}

/// Deletes all that is kept of an execution.
fn forget(connection: &Connection, row: RowId) -> rusqlite::Result<()> {
    let mut statement =
        connection.prepare_cached("SELECT records FROM snapshots WHERE execution = ?1")?;
    let mut records = statement.query(params![row])?;
    while let Some(record) = records.next()? {
        let records = ids_from_bytes(record.get_ref(0)?.as_blob()?);
        crate::journal::forget(connection, row, &records)?;
    }
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

//! Queries when a store is opened: running executions, and their due times.
use crate::database::row::RowId;
use asl_engine::{EffectId, Timestamp};
use rusqlite::{Connection, params};
use std::sync::Arc;

/// Executions that ended, whose history is not sealed, and of which an earlier version has not said of what records it is made.
const ENDED_UNSEALED: &str = "status <> 0 AND is_sealed = 0 AND executions.core IS NULL";

/// Gives each execution that was in memory.
pub(crate) fn in_memory(connection: &Connection, give: impl FnMut(RowId)) -> rusqlite::Result<()> {
    let sql = "SELECT id FROM executions WHERE status = 0 AND parked = 0
        UNION ALL SELECT id FROM executions WHERE held IS NOT NULL AND status = 0 AND parked = 1";
    rows(connection, sql, give)
}

/// Gives each execution that ended and of which nothing says of what records its history is made.
pub(crate) fn ended_without_records(
    connection: &Connection,
    give: impl FnMut(RowId),
) -> rusqlite::Result<()> {
    let sql = format!("SELECT id FROM executions WHERE {ENDED_UNSEALED}");
    rows(connection, &sql, give)
}

fn rows(connection: &Connection, sql: &str, mut give: impl FnMut(RowId)) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        give(row.get(0)?);
    }
    Ok(())
}

/// Gives each record that may be of an execution which is not parked, or whose history is to be sealed, with that execution.
pub(crate) fn records(
    connection: &Connection,
    mut give: impl FnMut(RowId, i64),
) -> rusqlite::Result<()> {
    let first = first_needed(connection)?;
    let sql = "SELECT id, execution FROM journal WHERE id >= ?1";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query(params![first])?;
    while let Some(row) = rows.next()? {
        give(row.get("execution")?, row.get("id")?);
    }
    Ok(())
}

/// Returns the first record that may be of one of these executions.
fn first_needed(connection: &Connection) -> rusqlite::Result<i64> {
    // Each has an index of its own; together they would read all executions.
    let first = |those: &str| {
        let sql = format!(
            "SELECT min(coalesce(last, first, 0)) FROM executions LEFT JOIN snapshots ON execution = id WHERE {those}"
        );
        connection.query_row(&sql, [], |row| row.get::<_, Option<i64>>(0))
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

/// Gives the next moment of each execution that is not in memory and waits for time, in their order.
pub(crate) fn timers(
    connection: &Connection,
    mut give: impl FnMut(Timestamp, RowId),
) -> rusqlite::Result<()> {
    let sql = "SELECT due, id FROM executions WHERE status = 0 AND parked = 1 AND due IS NOT NULL ORDER BY due";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        give(
            Timestamp::from_milliseconds(row.get("due")?),
            row.get("id")?,
        );
    }
    Ok(())
}

/// Gives each task of an activity that no worker has taken, of executions that are not in memory.
pub(crate) fn activity_waits(
    connection: &Connection,
    mut give: impl FnMut(Arc<str>, RowId, EffectId),
) -> rusqlite::Result<()> {
    let sql = "SELECT activity, execution, effect FROM activity_waits ORDER BY execution, effect";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let effect: i64 = row.get("effect")?;
        give(
            row.get("activity")?,
            row.get("execution")?,
            EffectId(effect as u64),
        );
    }
    Ok(())
}

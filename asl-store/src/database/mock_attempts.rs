//! Attempt numbers of tasks that a test case answers.
use crate::database::row::RowId;
use asl_engine::TaskInvocation;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the number of attempts by state, for a root execution and its children.
pub(crate) fn counts(
    connection: &Connection,
    root: RowId,
) -> rusqlite::Result<HashMap<Arc<str>, u64>> {
    let sql = "SELECT state, max(attempt) + 1 FROM mock_attempts WHERE root = ?1 GROUP BY state";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![root], |row| {
        Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs()))
    })?;
    rows.collect()
}

/// Returns which attempt a task is.
pub(crate) fn attempt(
    connection: &Connection,
    execution: RowId,
    task: &TaskInvocation,
) -> rusqlite::Result<Option<u64>> {
    // An earlier run of a child may have had another task of this number.
    let sql =
        "SELECT attempt FROM mock_attempts WHERE execution = ?1 AND effect = ?2 AND state = ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let values = params![execution, task.id.0 as i64, task.state_name];
    let found = statement.query_row(values, |row| row.get::<_, i64>(0));
    Ok(found.optional()?.map(i64::unsigned_abs))
}

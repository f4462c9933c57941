//! Records of the journal by execution.
use crate::database::row::RowId;
use crate::database::stored_execution::{self, StoredExecution};
use rusqlite::{Connection, params};

/// The records of the journal, sorted by execution once: the journal itself is in the order of its commits.
pub(crate) struct Records<'c>(&'c Connection);

impl<'c> Records<'c> {
    /// Sorts them, in a table of this connection that goes with it.
    pub(crate) fn sort(connection: &'c Connection) -> rusqlite::Result<Self> {
        connection.execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS journal_of(execution INTEGER, id INTEGER, PRIMARY KEY(execution, id)) WITHOUT ROWID;
             DELETE FROM temp.journal_of;
             INSERT INTO temp.journal_of SELECT execution, id FROM journal ORDER BY execution, id",
        )?;
        Ok(Self(connection))
    }

    /// Returns the number of records.
    pub(crate) fn count(&self) -> rusqlite::Result<u64> {
        let sql = "SELECT count(*) FROM temp.journal_of";
        let count: i64 = self.0.query_row(sql, [], |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }

    /// Those of an execution.
    fn of(&self, execution: RowId) -> rusqlite::Result<Vec<i64>> {
        let sql = "SELECT id FROM temp.journal_of WHERE execution = ?1 ORDER BY id";
        let mut statement = self.0.prepare_cached(sql)?;
        let rows = statement.query_map(params![execution], |row| row.get(0))?;
        rows.collect()
    }

    /// Returns an execution with all records that its history is made of.
    pub(crate) fn read(&self, execution: RowId) -> rusqlite::Result<Option<StoredExecution>> {
        let Some(mut stored) = stored_execution::read(self.0, execution)? else {
            return Ok(None);
        };
        stored.records.extend(self.of(execution)?);
        stored.records.sort_unstable();
        stored.records.dedup();
        Ok(Some(stored))
    }

    /// Executions that have records, but are not there.
    pub(crate) fn ownerless(&self) -> rusqlite::Result<Vec<RowId>> {
        let sql = "SELECT DISTINCT execution FROM temp.journal_of WHERE execution NOT IN (SELECT id FROM executions) LIMIT 100";
        let mut statement = self.0.prepare(sql)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        rows.collect()
    }
}

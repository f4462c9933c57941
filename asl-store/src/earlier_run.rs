//! A child of a Map Run that begins again under the ARN that it had, as a redrive has it: its new run takes the place of the
//! earlier one.
use crate::operation::run;
use crate::row::RowId;
use rusqlite::{Connection, params};

/// An earlier run of a child.
#[derive(Debug)]
pub(crate) struct EarlierRun {
    pub(crate) id: RowId,
    /// Its records that are not sealed, where no snapshot may know them.
    pub(crate) records: Vec<i64>,
}

impl EarlierRun {
    /// Deletes all that is kept of it. Which attempts its test case has answered is known on: the new run's are later ones.
    pub(crate) fn give_way(&self, connection: &Connection, new: RowId) -> rusqlite::Result<()> {
        let sql = "UPDATE mock_attempts SET execution = ?2 WHERE execution = ?1";
        run(connection, sql, params![self.id, new])?;
        let sql = "DELETE FROM activity_waits WHERE execution = ?1";
        run(connection, sql, params![self.id])?;
        crate::journal::forget(connection, self.id, &self.records)?;
        crate::retention::forget(connection, self.id)
    }
}

//! A child of a Map Run that begins again under the ARN that it had, as a redrive has it: its new run takes the place of the
//! earlier one, and keeps its place in lists.
use crate::database::row::RowId;
use crate::database::statement::run;
use rusqlite::{Connection, OptionalExtension as _, params};

/// An earlier run of a child.
#[derive(Debug)]
pub(crate) struct EarlierRun {
    pub(crate) id: RowId,
}

impl EarlierRun {
    /// Deletes all that is kept of it, but when the child began first and how often again. Which attempts its test case has
    /// answered is known on: the new run's are later ones.
    pub(crate) fn delete_earlier(
        &self,
        connection: &Connection,
        new: RowId,
    ) -> rusqlite::Result<Beginnings> {
        let sql = "SELECT started, redrives FROM executions WHERE id = ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let known = statement.query_row(params![self.id], |row| Ok((row.get(0)?, row.get(1)?)));
        let known = Beginnings(known.optional()?);
        let sql = "UPDATE mock_attempts SET execution = ?2 WHERE execution = ?1";
        run(connection, sql, params![self.id, new])?;
        let sql = "DELETE FROM activity_waits WHERE execution = ?1";
        run(connection, sql, params![self.id])?;
        crate::database::retention::forget(connection, self.id)?;
        Ok(known)
    }
}

/// Time of a child's first start, and the number of later starts, unless deleted.
pub(crate) struct Beginnings(Option<(i64, i64)>);

impl Beginnings {
    /// Gives them to the new run, which began at this moment.
    pub(crate) fn transfer(
        &self,
        connection: &Connection,
        new: RowId,
        at: i64,
    ) -> rusqlite::Result<()> {
        let Some((first, redrives)) = self.0 else {
            return Ok(());
        };
        let sql = "UPDATE executions SET started = ?2, redrives = ?3, redriven = ?4 WHERE id = ?1";
        run(connection, sql, params![new, first, redrives + 1, at])
    }
}

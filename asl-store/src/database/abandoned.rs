//! Executions that were stopped although they could not be recovered.
use crate::database::journal;
use crate::database::row::{End, RowId, packed, status_number};
use crate::database::sealed_history::{SEALED, settle, write_piece};
use crate::database::statement::{ids_from_bytes, run};
use asl_backend::ExecutionStatus;
use asl_engine::history::EventDetails;
use asl_engine::{ErrorOutput, HistoryEvent, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};

/// An execution that was stopped although it could not be recovered: its journal cannot be replayed. The sealed part of its
/// history remains, followed by an event for the abort; its journal is deleted.
#[derive(Debug)]
pub(crate) struct AbandonedExecution {
    pub(crate) execution: RowId,
    /// Time in milliseconds.
    pub(crate) at: i64,
    pub(crate) error_output: ErrorOutput,
    /// Its records after its last snapshot.
    pub(crate) records: Box<[i64]>,
}

impl AbandonedExecution {
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "SELECT events FROM bases WHERE execution = ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let sealed = statement
            .query_row(params![self.execution], |row| row.get::<_, i64>(0))
            .optional()?;
        let sealed = sealed.unwrap_or_default().unsigned_abs();
        let event = packed(asl_backend::event_text(&self.event(sealed)).as_bytes());
        write_piece(connection, self.execution, sealed + 1, &event)?;
        settle(connection, self.execution)?;
        self.forget_journal(connection)?;
        self.end_map_runs(connection)?;
        let end = self.end(sealed + 1);
        end.write(connection, self.execution)
    }

    fn event(&self, sealed: u64) -> HistoryEvent {
        HistoryEvent {
            id: sealed + 1,
            previous_event_id: sealed,
            timestamp: Timestamp::from_milliseconds(self.at),
            details: EventDetails::ExecutionAborted(self.error_output.clone()),
        }
    }

    fn end(&self, events: u64) -> End {
        End {
            status: ExecutionStatus::Aborted,
            stopped: self.at,
            output: None,
            error: self.error_output.error.clone(),
            cause: self.error_output.cause.clone(),
            events,
            is_sealed: SEALED,
            records: None,
        }
    }

    fn forget_journal(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "SELECT records FROM snapshots WHERE execution = ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let known: Option<Vec<u8>> = statement
            .query_row(params![self.execution], |row| row.get(0))
            .optional()?;
        let known = ids_from_bytes(&known.unwrap_or_default());
        let records: Vec<i64> = known
            .into_iter()
            .chain(self.records.iter().copied())
            .collect();
        journal::forget(connection, self.execution, &records)?;
        for sql in [
            "DELETE FROM snapshots WHERE execution = ?1",
            "DELETE FROM activity_waits WHERE execution = ?1",
        ] {
            run(connection, sql, params![self.execution])?;
        }
        Ok(())
    }

    fn end_map_runs(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql =
            "UPDATE map_runs SET status = ?2, stopped = ?3 WHERE execution = ?1 AND status = 0";
        let aborted = status_number(ExecutionStatus::Aborted);
        run(connection, sql, params![self.execution, aborted, self.at])
    }
}

//! Status changes for followers. Triggers record them, from the first follower on: until then nothing is written.
use crate::database::row::status_of;
use asl_backend::{FeedCursor, FollowError, StatusChange};
use asl_engine::{ErrorOutput, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use std::sync::Arc;

/// Maximum number of changes deleted in one transaction.
const MOST_DELETED: i64 = 2_000;

/// Creates the feed of status changes. The changes of Express executions are not recorded, as none of their data.
pub(crate) fn start(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS changes(
    -- the order of commits; no number is used twice
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- milliseconds since 1970
    at INTEGER NOT NULL, arn TEXT NOT NULL, machine TEXT NOT NULL, map_run TEXT, status INTEGER NOT NULL, started INTEGER NOT NULL,
    redrives INTEGER NOT NULL, error TEXT, cause TEXT);
CREATE TRIGGER IF NOT EXISTS change_start AFTER INSERT ON executions WHEN new.arn NOT LIKE '%:express:%' BEGIN
    INSERT INTO changes(at, arn, machine, map_run, status, started, redrives)
    VALUES (new.started, new.arn, new.machine, new.map_run, new.status, new.started, new.redrives);
END;
CREATE TRIGGER IF NOT EXISTS change_status AFTER UPDATE OF status ON executions
WHEN new.status <> old.status AND new.arn NOT LIKE '%:express:%' BEGIN
    INSERT INTO changes(at, arn, machine, map_run, status, started, redrives, error, cause)
    VALUES (coalesce(new.stopped, new.redriven, new.started), new.arn, new.machine, new.map_run, new.status, new.started,
        new.redrives, new.error, new.cause);
END;",
    )
}

/// Returns true if changes are recorded.
pub(crate) fn is_started(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'changes'";
    connection.prepare_cached(sql)?.exists([])
}

/// Returns the number of the last change; 0 if there was none.
pub(crate) fn last(connection: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'changes'";
    let mut statement = connection.prepare_cached(sql)?;
    let last: Option<i64> = statement.query_row([], |row| row.get(0)).optional()?;
    Ok(last.unwrap_or_default())
}

/// Returns the cursor after a change.
pub(crate) fn cursor(id: i64) -> FeedCursor {
    FeedCursor::new(id.to_string())
}

/// Reads changes after one, at most so many, in the order of their commits.
pub(crate) fn read(
    connection: &Connection,
    after: &FeedCursor,
    limit: usize,
) -> rusqlite::Result<Result<Vec<StatusChange>, FollowError>> {
    let known = match is_started(connection)? {
        true => last(connection)?,
        false => return Ok(Err(FollowError::Unknown(after.clone()))),
    };
    let Some(id) = after.as_str().parse::<i64>().ok().filter(|id| *id <= known) else {
        return Ok(Err(FollowError::Unknown(after.clone())));
    };
    let sql = "SELECT coalesce(min(id), ?1 + 1) FROM changes";
    let mut statement = connection.prepare_cached(sql)?;
    let first: i64 = statement.query_row(params![known], |row| row.get(0))?;
    if id < first - 1 {
        return Ok(Err(FollowError::Expired(after.clone())));
    }
    let sql = "SELECT id, at, arn, machine, map_run, status, started, redrives, error, cause FROM changes WHERE id > ?1
        ORDER BY id LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let changes = statement.query_map(params![id, limit], change)?;
    changes.collect::<rusqlite::Result<Vec<_>>>().map(Ok)
}

fn change(row: &Row<'_>) -> rusqlite::Result<StatusChange> {
    let moment = |column| row.get(column).map(Timestamp::from_milliseconds);
    let text = |column| row.get::<_, Arc<str>>(column);
    Ok(StatusChange {
        cursor: cursor(row.get(0)?),
        at: moment(1)?,
        arn: text(2)?,
        state_machine_arn: text(3)?,
        map_run_arn: row.get(4)?,
        status: status_of(row.get(5)?),
        start_date: moment(6)?,
        redrive_count: row.get::<_, i64>(7)?.unsigned_abs(),
        error_output: ErrorOutput {
            error: row.get(8)?,
            cause: row.get(9)?,
        },
    })
}

/// Deletes the oldest changes, up to the first one after a time in milliseconds. Returns the number, which is limited. A later
/// change stays where an earlier one does, so that no gap arises.
pub(crate) fn delete(connection: &Connection, before: i64) -> rusqlite::Result<u64> {
    if !is_started(connection)? {
        return Ok(0);
    }
    let sql = "WITH oldest AS (SELECT id, at FROM changes ORDER BY id LIMIT ?2)
        DELETE FROM changes WHERE id <= (SELECT max(id) FROM oldest)
        AND id < coalesce((SELECT min(id) FROM oldest WHERE at >= ?1), 1 << 62)";
    let deleted = connection
        .prepare_cached(sql)?
        .execute(params![before, MOST_DELETED])?;
    Ok(deleted as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::schema;

    fn database() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::migrate(&mut connection).unwrap();
        connection
    }

    /// Writes an execution that starts at a time, and ends at once.
    fn run(connection: &Connection, id: i64, kind: &str, at: i64) {
        let arn = format!("arn:aws:states:us-east-1:123456789012:{kind}:m:e{id}");
        let sql =
            "INSERT INTO executions(id, arn, name, machine, definition, started, start, about)
            VALUES (?1, ?2, 'e', 'm', x'00', ?3, x'00', x'00')";
        connection.execute(sql, params![id, arn, at]).unwrap();
        let sql = "UPDATE executions SET status = 2, stopped = ?2, error = 'E', cause = 'c' WHERE id = ?1";
        connection.execute(sql, params![id, at]).unwrap();
    }

    fn numbers(connection: &Connection, after: i64) -> Result<Vec<String>, FollowError> {
        let changes = read(connection, &cursor(after), 100).unwrap()?;
        let number = |change: &StatusChange| change.cursor.to_string();
        Ok(changes.iter().map(number).collect())
    }

    #[test]
    fn nothing_is_recorded_before_there_is_a_follower() {
        let connection = database();
        run(&connection, 1, "execution", 10);
        assert_eq!(
            numbers(&connection, 0),
            Err(FollowError::Unknown(cursor(0)))
        );
        start(&connection).unwrap();
        start(&connection).unwrap();
        run(&connection, 2, "execution", 20);
        assert_eq!(
            numbers(&connection, 0),
            Ok(vec!["1".to_owned(), "2".to_owned()])
        );
        assert_eq!(
            numbers(&connection, 3),
            Err(FollowError::Unknown(cursor(3)))
        );
        let ended = read(&connection, &cursor(1), 1).unwrap().unwrap();
        assert_eq!(ended[0].error_output, ErrorOutput::new("E", "c"));
        assert_eq!(ended[0].at, Timestamp::from_milliseconds(20));
    }

    #[test]
    fn changes_of_express_executions_are_not_recorded() {
        let connection = database();
        start(&connection).unwrap();
        run(&connection, 1, "express", 10);
        assert_eq!(numbers(&connection, 0), Ok(Vec::new()));
    }

    #[test]
    fn a_cursor_before_what_was_deleted_has_expired() {
        let connection = database();
        assert_eq!(delete(&connection, 100).unwrap(), 0);
        start(&connection).unwrap();
        for (id, at) in [(1, 10), (2, 30), (3, 20)] {
            run(&connection, id, "execution", at);
        }
        // The third is as old as the first, but behind the second.
        assert_eq!(delete(&connection, 25).unwrap(), 2);
        assert_eq!(
            numbers(&connection, 1),
            Err(FollowError::Expired(cursor(1)))
        );
        assert_eq!(numbers(&connection, 2).unwrap().len(), 4);
        assert_eq!(delete(&connection, 100).unwrap(), 4);
        assert_eq!(
            numbers(&connection, 5),
            Err(FollowError::Expired(cursor(5)))
        );
        assert_eq!(numbers(&connection, 6), Ok(Vec::new()));
        run(&connection, 4, "execution", 200);
        assert_eq!(
            numbers(&connection, 6),
            Ok(vec!["7".to_owned(), "8".to_owned()])
        );
    }
}

//! Metadata of a store: the key of its task tokens, and the latest time.
use crate::database::row::{LARGEST_SLOT, decoded, rows_of_slot};
use asl_engine::{JournalRecord, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};

/// Records at the journal's end that are read for the time: event loops write theirs in no common order, and whose records
/// cannot be read is set aside later.
const LAST_RECORDS: i64 = 100;

/// Returns the key of the task tokens, if it exists.
pub(crate) fn token_key(connection: &Connection) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = "SELECT value FROM meta WHERE key = 'token_key'";
    connection.query_row(sql, [], |row| row.get(0)).optional()
}

/// Writes the key of the task tokens.
pub(crate) fn write_token_key(connection: &Connection, key: &[u8]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO meta(key, value) VALUES ('token_key', ?1)";
    connection.execute(sql, [key]).map(drop)
}

/// Returns the latest moment that the store knows of.
pub(crate) fn latest_moment(connection: &Connection) -> rusqlite::Result<Timestamp> {
    let sql = "SELECT max(coalesce((SELECT value FROM meta WHERE key = 'clock'), 0),
        coalesce((SELECT max(stopped) FROM executions WHERE status <> 0), 0))";
    let mut moment: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    let sql = "SELECT started FROM executions WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1";
    let mut statement = connection.prepare(sql)?;
    for slot in 0..=LARGEST_SLOT {
        let rows = rows_of_slot(slot);
        let last = statement.query_row(params![rows.start(), rows.end()], |row| row.get(0));
        moment = moment.max(last.optional()?.unwrap_or_default());
    }
    let mut moment = Timestamp::from_milliseconds(moment);
    let sql = "SELECT data FROM journal ORDER BY id DESC LIMIT ?1";
    let mut statement = connection.prepare(sql)?;
    let mut last = statement.query([LAST_RECORDS])?;
    while let Some(row) = last.next()? {
        let record: rusqlite::Result<JournalRecord> = decoded(row.get_ref("data")?.as_blob()?);
        if let Ok(record) = record {
            moment = moment.max(record.now);
        }
    }
    Ok(moment)
}

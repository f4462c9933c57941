//! Entries of the catalogue.
use asl_backend::{Entry, EntryKey, EntryKind};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use std::sync::Arc;

fn entry(kind: EntryKind, scope: &Arc<str>, row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        key: EntryKey {
            kind,
            scope: Arc::clone(scope),
            name: row.get(0)?,
        },
        version: row.get::<_, i64>(1)?.unsigned_abs(),
        value: row.get(2)?,
    })
}

/// Returns one entry.
pub(crate) fn read(connection: &Connection, key: &EntryKey) -> rusqlite::Result<Option<Entry>> {
    let sql =
        "SELECT name, version, value FROM entries WHERE kind = ?1 AND scope = ?2 AND name = ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let values = params![key.kind.word(), key.scope, key.name];
    statement
        .query_row(values, |row| entry(key.kind, &key.scope, row))
        .optional()
}

/// Entries by their names, after one.
pub(crate) fn list(
    connection: &Connection,
    kind: EntryKind,
    scope: &Arc<str>,
    after: Option<&str>,
    limit: usize,
) -> rusqlite::Result<Vec<Entry>> {
    let sql = "SELECT name, version, value FROM entries WHERE kind = ?1 AND scope = ?2 AND name > coalesce(?3, '') ORDER BY name LIMIT ?4";
    let mut statement = connection.prepare_cached(sql)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![kind.word(), scope, after, limit], |row| {
        entry(kind, scope, row)
    })?;
    rows.collect()
}

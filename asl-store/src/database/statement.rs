//! Preparation and execution of statements, and columns of record ids.
use rusqlite::Connection;

/// Executes a statement, which is prepared once.
pub(crate) fn run(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

/// Returns record ids as bytes of a column.
pub(crate) fn ids_to_bytes(ids: &[i64]) -> Vec<u8> {
    ids.iter().flat_map(|id| id.to_le_bytes()).collect()
}

/// Returns the record ids of a column.
pub(crate) fn ids_from_bytes(bytes: &[u8]) -> Vec<i64> {
    let (ids, _) = bytes.as_chunks::<8>();
    ids.iter().map(|id| i64::from_le_bytes(*id)).collect()
}

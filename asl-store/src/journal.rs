//! The records of executions, one a row, in the order of their commits.
use crate::operation::{Operation, run};
use crate::row::RowId;
use rusqlite::Connection;
use std::sync::LazyLock;

/// An input of an execution.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) id: i64,
    pub(crate) execution: RowId,
    pub(crate) data: Vec<u8>,
}

/// Records that one statement writes: each statement costs as much as writing a few records.
const TOGETHER: usize = 32;

const ONE: &str = "INSERT INTO journal(id, execution, data) VALUES (?, ?, ?)";
static MANY: LazyLock<String> =
    LazyLock::new(|| ONE.to_owned() + &", (?, ?, ?)".repeat(TOGETHER - 1));

/// Writes operations in their order, neighbouring records together.
pub(crate) fn write_all<'operation>(
    connection: &Connection,
    operations: impl Iterator<Item = &'operation Operation>,
) -> rusqlite::Result<()> {
    let mut records: Vec<&Record> = Vec::with_capacity(TOGETHER);
    for operation in operations {
        match operation {
            Operation::Journal(record) => {
                records.push(record);
                if records.len() == TOGETHER {
                    write_together(connection, &records)?;
                    records.clear();
                }
            }
            other => {
                // What follows may be about them.
                write_each(connection, records.drain(..))?;
                other.write(connection)?;
            }
        }
    }
    write_each(connection, records.into_iter())
}

fn write_each<'operation>(
    connection: &Connection,
    mut records: impl ExactSizeIterator<Item = &'operation Record>,
) -> rusqlite::Result<()> {
    if records.len() == 0 {
        return Ok(());
    }
    let mut statement = connection.prepare_cached(ONE)?;
    records.try_for_each(|record| statement.execute(values_of(record)).map(drop))
}

fn write_together(connection: &Connection, records: &[&Record]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(&MANY)?;
    let mut place = 0;
    let mut next = || {
        place += 1;
        place
    };
    for record in records {
        statement.raw_bind_parameter(next(), record.id)?;
        statement.raw_bind_parameter(next(), record.execution)?;
        statement.raw_bind_parameter(next(), &*record.data)?;
    }
    statement.raw_execute().map(drop)
}

/// Lets records go, whose numbers are not used again: snapshots are told from what came after them by the number of a record.
pub(crate) fn forget(connection: &Connection, records: &[i64]) -> rusqlite::Result<()> {
    let Some(last) = records.iter().max() else {
        return Ok(());
    };
    let mut delete = connection.prepare_cached("DELETE FROM journal WHERE id = ?1")?;
    for record in records {
        delete.execute([record])?;
    }
    let sql = "UPDATE meta SET value = ?1 WHERE key = 'record' AND value < ?1";
    run(connection, sql, [last])
}

/// The last record that there is or was, so far as anything was written after it.
pub(crate) fn last(connection: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT max(coalesce((SELECT max(id) FROM journal), 0), (SELECT value FROM meta WHERE key = 'record'))";
    connection.query_row(sql, [], |row| row.get(0))
}

/// Writes one record.
pub(crate) fn write_one(connection: &Connection, record: &Record) -> rusqlite::Result<()> {
    run(connection, ONE, values_of(record))
}

fn values_of(record: &Record) -> (i64, RowId, &[u8]) {
    (record.id, record.execution, &record.data)
}

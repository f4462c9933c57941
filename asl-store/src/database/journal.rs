//! The records of executions, one a row, in the order of their commits.
use crate::database::row::RowId;
use crate::database::statement::run;
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
pub(super) const TOGETHER: usize = 32;

const ONE: &str = "INSERT INTO journal(id, execution, data) VALUES (?, ?, ?)";
static MANY: LazyLock<String> =
    LazyLock::new(|| ONE.to_owned() + &", (?, ?, ?)".repeat(TOGETHER - 1));

/// Writes records one by one.
pub(super) fn write_each<'operation>(
    connection: &Connection,
    mut records: impl ExactSizeIterator<Item = &'operation Record>,
) -> rusqlite::Result<()> {
    if records.len() == 0 {
        return Ok(());
    }
    let mut statement = connection.prepare_cached(ONE)?;
    records.try_for_each(|record| statement.execute(values_of(record)).map(drop))
}

/// Writes [`TOGETHER`] records with one statement.
pub(super) fn write_together(connection: &Connection, records: &[&Record]) -> rusqlite::Result<()> {
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

/// Deletes records of an execution, even damaged ones, and no others. Their numbers are not reused: the number of a record
/// distinguishes it from earlier snapshots.
pub(crate) fn forget(
    connection: &Connection,
    execution: RowId,
    records: &[i64],
) -> rusqlite::Result<()> {
    let Some(last) = records.iter().max() else {
        return Ok(());
    };
    let mut delete =
        connection.prepare_cached("DELETE FROM journal WHERE id = ?1 AND execution = ?2")?;
    for record in records {
        delete.execute([*record, execution])?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::operation::{Operation, write_all};

    fn connection() -> Connection {
        let mut connection = Connection::open_in_memory().expect("a database");
        crate::database::schema::migrate(&mut connection).expect("tables");
        connection
    }

    fn record(id: i64) -> Operation {
        Operation::Journal(Record {
            id,
            execution: id % 3,
            data: vec![id as u8; id as usize],
        })
    }

    fn ids(connection: &Connection) -> Vec<i64> {
        let sql =
            "SELECT id FROM journal WHERE execution = id % 3 AND length(data) = id ORDER BY id";
        let mut statement = connection.prepare(sql).expect("a statement");
        let ids = statement.query_map([], |row| row.get(0)).expect("rows");
        ids.collect::<Result<_, _>>().expect("numbers")
    }

    #[test]
    fn records_are_written_together_and_before_what_follows_them() {
        let connection = connection();
        let many = 2 * TOGETHER as i64 + 5;
        let mut operations: Vec<Operation> = (1..=many).map(record).collect();
        operations.push(Operation::Clock(7));
        operations.extend((many + 1..=many + 3).map(record));
        write_all(&connection, operations.iter()).expect("it is written");
        assert_eq!(ids(&connection), (1..=many + 3).collect::<Vec<_>>());
    }

    #[test]
    fn numbers_of_records_that_went_are_not_used_again() {
        let connection = connection();
        assert_eq!(last(&connection).expect("a number"), 0);
        let operations: Vec<Operation> = (1..=6).map(record).collect();
        write_all(&connection, operations.iter()).expect("it is written");
        forget(&connection, 0, &[3, 6]).expect("they go");
        // Of another execution.
        forget(&connection, 0, &[5]).expect("it stays");
        assert_eq!(ids(&connection), [1, 2, 4, 5]);
        assert_eq!(last(&connection).expect("a number"), 6);
    }
}

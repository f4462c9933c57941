//! Executions that do not go on.
use crate::store::Store;
use asl_host::engine::EngineError;
use rusqlite::{Connection, params};
use std::time::Duration;

/// Executions that do not go on, and are kept as they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Held {
    /// How many.
    pub count: u64,
    /// The first of them.
    pub executions: Vec<HeldExecution>,
}

/// An execution that does not go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldExecution {
    /// Its ARN.
    pub arn: String,
    /// Why.
    pub why: String,
}

impl Store {
    /// The executions that do not go on, as many of them as are wanted by name.
    ///
    /// # Errors
    /// Where the database cannot be read, or the store is being closed.
    pub async fn held(&self, limit: usize) -> Result<Held, EngineError> {
        // What was found when the store was opened is written by then.
        self.inner.shared.write(Vec::new()).await?;
        self.read(move |connection| held(connection, limit)).await
    }

    /// How far the system's clock was behind the latest moment that is kept, when the store was opened.
    pub fn clock_was_behind(&self) -> Duration {
        self.inner.shared.clock.was_behind()
    }
}

fn held(connection: &Connection, limit: usize) -> rusqlite::Result<Held> {
    let sql = "SELECT count(*) FROM executions WHERE held IS NOT NULL";
    let count: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    let sql = "SELECT arn, held FROM executions WHERE held IS NOT NULL ORDER BY id LIMIT ?1";
    let mut statement = connection.prepare(sql)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let executions = statement.query_map(params![limit], |row| {
        Ok(HeldExecution {
            arn: row.get(0)?,
            why: row.get(1)?,
        })
    })?;
    Ok(Held {
        count: count.unsigned_abs(),
        executions: executions.collect::<Result<_, _>>()?,
    })
}

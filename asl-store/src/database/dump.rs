//! All rows of the tables in sequence, for checks and exports.
use crate::database::row::{RowId, StartMetadata, decoded, input_of_start, status_of};
use asl_backend::{DefinitionId, ExecutionStatus};
use asl_engine::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use std::sync::Arc;

/// Gives each row of a query.
fn each<E: From<rusqlite::Error>>(
    connection: &Connection,
    sql: &str,
    mut give: impl FnMut(&Row<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        give(row)?;
    }
    Ok(())
}

fn moment(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Timestamp>> {
    let milliseconds: Option<i64> = row.get(column)?;
    Ok(milliseconds.map(Timestamp::from_milliseconds))
}

/// Returns the ids of all definitions.
pub(crate) fn definition_ids(connection: &Connection) -> rusqlite::Result<Vec<DefinitionId>> {
    let mut ids = Vec::new();
    each(
        connection,
        "SELECT hash FROM definitions ORDER BY hash",
        |row| {
            ids.push(DefinitionId(row.get("hash")?));
            Ok::<_, rusqlite::Error>(())
        },
    )?;
    Ok(ids)
}

/// A definition, as its columns have it.
pub(crate) struct DefinitionRow {
    pub(crate) id: DefinitionId,
    pub(crate) text: String,
    pub(crate) profile: String,
    pub(crate) kind: String,
}

/// Gives each definition.
pub(crate) fn definitions<E: From<rusqlite::Error>>(
    connection: &Connection,
    mut give: impl FnMut(DefinitionRow) -> Result<(), E>,
) -> Result<(), E> {
    let sql = "SELECT hash, text, profile, type FROM definitions ORDER BY hash";
    each(connection, sql, |row| {
        give(DefinitionRow {
            id: DefinitionId(row.get("hash")?),
            text: row.get("text")?,
            profile: row.get("profile")?,
            kind: row.get("type")?,
        })
    })
}

/// An entry of the catalogue, as its columns have it.
pub(crate) struct EntryRow {
    pub(crate) kind: String,
    pub(crate) scope: String,
    pub(crate) name: String,
    pub(crate) value: String,
}

/// Gives each entry of the catalogue.
pub(crate) fn entries<E: From<rusqlite::Error>>(
    connection: &Connection,
    mut give: impl FnMut(EntryRow) -> Result<(), E>,
) -> Result<(), E> {
    let sql = "SELECT kind, scope, name, value, version FROM entries ORDER BY kind, scope, name";
    each(connection, sql, |row| {
        // It is read as well, to see that it can be.
        let _version: i64 = row.get("version")?;
        give(EntryRow {
            kind: row.get("kind")?,
            scope: row.get("scope")?,
            name: row.get("name")?,
            value: row.get("value")?,
        })
    })
}

/// The status columns of an execution's row.
pub(crate) struct Outline {
    pub(crate) id: RowId,
    pub(crate) arn: String,
    pub(crate) held: Option<String>,
    pub(crate) status: i64,
    pub(crate) output: Option<String>,
    pub(crate) events: Option<i64>,
}

impl Outline {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            arn: row.get("arn")?,
            held: row.get("held")?,
            status: row.get("status")?,
            output: row.get("output")?,
            events: row.get("events")?,
        })
    }
}

/// Gives the outline of each execution, or why it cannot be read.
pub(crate) fn outlines(
    connection: &Connection,
    mut give: impl FnMut(RowId, rusqlite::Result<Outline>),
) -> rusqlite::Result<()> {
    let sql = "SELECT id, arn, held, status, output, events FROM executions ORDER BY id";
    each(connection, sql, |row| {
        give(row.get("id")?, Outline::from_row(row));
        Ok(())
    })
}

/// An execution, as its columns have it.
pub(crate) struct ExecutionRow {
    pub(crate) id: RowId,
    pub(crate) arn: String,
    pub(crate) name: String,
    pub(crate) machine: String,
    pub(crate) version: Option<String>,
    pub(crate) alias: Option<String>,
    pub(crate) map_run: Option<String>,
    pub(crate) item_count: Option<i64>,
    pub(crate) definition: DefinitionId,
    pub(crate) status: ExecutionStatus,
    pub(crate) started: Option<Timestamp>,
    pub(crate) stopped: Option<Timestamp>,
    pub(crate) redrives: i64,
    pub(crate) redriven: Option<Timestamp>,
    pub(crate) output: Option<String>,
    pub(crate) error: Option<String>,
    pub(crate) cause: Option<String>,
    pub(crate) held: Option<String>,
    pub(crate) input: String,
    pub(crate) about: StartMetadata,
}

/// Gives each execution.
pub(crate) fn executions<E: From<rusqlite::Error>>(
    connection: &Connection,
    mut give: impl FnMut(ExecutionRow) -> Result<(), E>,
) -> Result<(), E> {
    let sql = "SELECT id, arn, name, machine, version, alias, map_run, item_count, definition, status, started, stopped,
        redrives, redriven, output, error, cause, held, start, about FROM executions ORDER BY id";
    each(connection, sql, |row| {
        give(ExecutionRow {
            id: row.get("id")?,
            arn: row.get("arn")?,
            name: row.get("name")?,
            machine: row.get("machine")?,
            version: row.get("version")?,
            alias: row.get("alias")?,
            map_run: row.get("map_run")?,
            item_count: row.get("item_count")?,
            definition: DefinitionId(row.get("definition")?),
            status: status_of(row.get("status")?),
            started: moment(row, "started")?,
            stopped: moment(row, "stopped")?,
            redrives: row.get("redrives")?,
            redriven: moment(row, "redriven")?,
            output: row.get("output")?,
            error: row.get("error")?,
            cause: row.get("cause")?,
            held: row.get("held")?,
            input: input_of_start(
                row.get_ref("start")?
                    .as_blob()
                    .map_err(rusqlite::Error::from)?,
            )?
            .to_owned(),
            about: decoded(
                row.get_ref("about")?
                    .as_blob()
                    .map_err(rusqlite::Error::from)?,
            )?,
        })
    })
}

/// Gives the ARN of each Map Run.
pub(crate) fn map_run_arns(
    connection: &Connection,
    mut give: impl FnMut(String),
) -> rusqlite::Result<()> {
    each(connection, "SELECT arn FROM map_runs", |row| {
        give(row.get("arn")?);
        Ok(())
    })
}

/// A Map Run, as its columns have it.
pub(crate) struct MapRunColumns {
    pub(crate) arn: String,
    pub(crate) execution_arn: Option<Arc<str>>,
    pub(crate) status: ExecutionStatus,
    pub(crate) started: Option<Timestamp>,
    pub(crate) stopped: Option<Timestamp>,
    pub(crate) items: i64,
    pub(crate) max_concurrency: i64,
    pub(crate) tolerated_count: i64,
    pub(crate) tolerated_percentage: f64,
}

/// Gives each Map Run.
pub(crate) fn map_runs<E: From<rusqlite::Error>>(
    connection: &Connection,
    mut give: impl FnMut(MapRunColumns) -> Result<(), E>,
) -> Result<(), E> {
    let sql = "SELECT map_runs.arn AS arn, executions.arn AS execution_arn, map_runs.status AS status, map_runs.started AS started,
        map_runs.stopped AS stopped, items, max_concurrency, tolerated_count, tolerated_percentage
        FROM map_runs LEFT JOIN executions ON executions.id = execution ORDER BY map_runs.arn";
    each(connection, sql, |row| {
        give(MapRunColumns {
            arn: row.get("arn")?,
            execution_arn: row.get("execution_arn")?,
            status: status_of(row.get("status")?),
            started: moment(row, "started")?,
            stopped: moment(row, "stopped")?,
            items: row.get("items")?,
            max_concurrency: row.get("max_concurrency")?,
            tolerated_count: row.get("tolerated_count")?,
            tolerated_percentage: row.get("tolerated_percentage")?,
        })
    })
}

/// Reads each task of an activity and each attempt of a mocked task, and gives what cannot be read, with its kind in words.
pub(crate) fn unreadable_waits(
    connection: &Connection,
    mut give: impl FnMut(&'static str, rusqlite::Error),
) -> rusqlite::Result<()> {
    type Columns = (i64, i64, String, i64, i64);
    for (what, sql) in [
        (
            "a task of an activity",
            "SELECT execution, effect, activity, 0, 0 FROM activity_waits",
        ),
        (
            "an attempt of a mocked task",
            "SELECT execution, effect, state, root, attempt FROM mock_attempts",
        ),
    ] {
        each(connection, sql, |row| {
            if let Err(error) = Columns::try_from(row) {
                give(what, error);
            }
            Ok::<_, rusqlite::Error>(())
        })?;
    }
    Ok(())
}

/// Returns the version of the core that made the snapshot of an execution, if there is one.
pub(crate) fn core_of_snapshot(
    connection: &Connection,
    row: RowId,
) -> rusqlite::Result<Option<u32>> {
    let sql = "SELECT core FROM snapshots WHERE execution = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement
        .query_row(params![row], |row| row.get(0))
        .optional()
}

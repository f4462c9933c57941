//! Descriptions of executions and Map Runs, from their rows.
use crate::database::row::{
    CoreStart, LARGEST_SLOT, RowId, StartMetadata, decoded, input_of_start, rows_of_slot,
    status_number, status_of,
};
use asl_backend::{
    DefinitionId, ExecutionDescription, ExecutionFilter, ExecutionPage, ExecutionParent,
    ExecutionStatus, ExecutionSummary, ItemCounts, MapRunDescription, map_run_state_machine,
};
use asl_engine::{EffectId, ErrorOutput, Timestamp};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};
use std::sync::Arc;

const SUMMARY: &str = "arn, name, machine, version, alias, status, started, stopped, redrives, redriven, map_run, item_count, id";

fn moment(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    let milliseconds: Option<i64> = row.get(column)?;
    Ok(milliseconds.map(Timestamp::from_milliseconds))
}

fn summary(row: &Row<'_>) -> rusqlite::Result<ExecutionSummary> {
    Ok(ExecutionSummary {
        arn: row.get(0)?,
        name: row.get(1)?,
        state_machine_arn: row.get(2)?,
        version_arn: row.get(3)?,
        alias_arn: row.get(4)?,
        status: status_of(row.get(5)?),
        start_date: moment(row, 6)?.unwrap_or_default(),
        stop_date: moment(row, 7)?,
        redrive_count: row.get::<_, i64>(8)?.unsigned_abs(),
        redrive_date: moment(row, 9)?,
        map_run_arn: row.get(10)?,
        item_count: row.get::<_, Option<i64>>(11)?.map(i64::unsigned_abs),
    })
}

/// Describes an execution. The row of a running one has no number of events.
pub(crate) fn describe(
    connection: &Connection,
    arn: &str,
) -> rusqlite::Result<Option<ExecutionDescription>> {
    let sql = format!(
        "SELECT {SUMMARY}, start, about, output, error, cause, definition, events, held FROM executions WHERE arn = ?1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_row(params![arn], |row| {
        // Of one whose start cannot be read there is the rest to say.
        let input = input_of_start(row.get_ref(13)?.as_blob()?).unwrap_or_default();
        let about: StartMetadata = decoded(row.get_ref(14)?.as_blob()?).unwrap_or_default();
        Ok(ExecutionDescription {
            summary: summary(row)?,
            input: input.into(),
            output: row.get(15)?,
            error_output: ErrorOutput {
                error: row.get(16)?,
                cause: row.get(17)?,
            },
            trace_header: about.trace_header,
            definition: DefinitionId(row.get(18)?),
            revision: about.revision,
            event_count: row
                .get::<_, Option<i64>>(19)?
                .unwrap_or_default()
                .unsigned_abs(),
            held: row.get(20)?,
        })
    });
    found.optional()
}

/// Lists executions in pages, newest first: a page continues after the previous one, regardless of new executions.
pub(crate) fn list(
    connection: &Connection,
    filter: &ExecutionFilter,
    after: Option<&str>,
    limit: usize,
) -> rusqlite::Result<ExecutionPage> {
    let statuses = match (&filter.parent, filter.status) {
        (_, Some(status)) => vec![Some(status)],
        // Children are few, and have an index of their own.
        (ExecutionParent::MapRun(_), None) => vec![None],
        // The index has those of each status in their order.
        (_, None) => ExecutionStatus::ALL.into_iter().map(Some).collect(),
    };
    let mut found = Vec::new();
    for status in statuses {
        found.extend(listed(connection, filter, status, after, limit)?);
    }
    found.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
    let has_more = found.len() > limit;
    found.truncate(limit);
    let next = found
        .last()
        .filter(|_| has_more)
        .map(|((started, id), _)| format!("{started}-{id}").into());
    let executions = found.into_iter().map(|(_, summary)| summary).collect();
    Ok(ExecutionPage { executions, next })
}

/// Start time and row of an execution: its position in a list.
type Place = (i64, RowId);

/// Those of one status, one more than the limit.
fn listed(
    connection: &Connection,
    filter: &ExecutionFilter,
    status: Option<ExecutionStatus>,
    after: Option<&str>,
    limit: usize,
) -> rusqlite::Result<Vec<(Place, ExecutionSummary)>> {
    let (mut conditions, mut values) = conditions(&filter.parent);
    if let Some(status) = status {
        conditions.push("status = ?");
        values.push(status_number(status).into());
    }
    match filter.is_redriven {
        Some(true) => conditions.push("redrives > 0"),
        Some(false) => conditions.push("redrives = 0"),
        None => {}
    }
    if let Some((started, id)) = after.and_then(cursor) {
        conditions.push("(started, id) < (?, ?)");
        values.extend([started.into(), id.into()]);
    }
    let limit = i64::try_from(limit.saturating_add(1)).unwrap_or(i64::MAX);
    values.push(limit.into());
    let sql = format!(
        "SELECT {SUMMARY} FROM executions WHERE {} ORDER BY started DESC, id DESC LIMIT ?",
        conditions.join(" AND ")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params_from_iter(values), |row| {
        Ok(((row.get(6)?, row.get(12)?), summary(row)?))
    })?;
    rows.collect()
}

/// Returns the conditions for the executions of a parent.
fn conditions(parent: &ExecutionParent) -> (Vec<&'static str>, Vec<Value>) {
    let text = |text: &str| Value::Text(text.to_owned());
    // The ARN of a version or an alias is that of its state machine and one part more.
    let machine = |arn: &str| text(arn.rsplit_once(':').map_or(arn, |(machine, _)| machine));
    match parent {
        ExecutionParent::StateMachine(arn) => (vec!["machine = ?"], vec![text(arn)]),
        ExecutionParent::Version(arn) => (
            vec!["machine = ?", "map_run IS NULL", "version = ?"],
            vec![machine(arn), text(arn)],
        ),
        ExecutionParent::Alias(arn) => (
            vec!["machine = ?", "map_run IS NULL", "alias = ?"],
            vec![machine(arn), text(arn)],
        ),
        ExecutionParent::MapRun(arn) => (vec!["map_run = ?"], vec![text(arn)]),
    }
}

/// Returns the end of the previous page.
fn cursor(text: &str) -> Option<(i64, i64)> {
    let (started, id) = text.split_once('-')?;
    Some((started.parse().ok()?, id.parse().ok()?))
}

/// Returns the number of running executions of a state machine.
pub(crate) fn running(connection: &Connection, machine: &str) -> rusqlite::Result<u64> {
    let sql =
        "SELECT count(*) FROM executions WHERE machine = ?1 AND map_run IS NULL AND status = 0";
    let count: i64 = connection.query_row(sql, params![machine], |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

/// Returns the Map Runs of an execution, or the one of an ARN.
pub(crate) fn map_runs(
    connection: &Connection,
    execution_arn: Option<&str>,
    arn: Option<&str>,
) -> rusqlite::Result<Vec<MapRunDescription>> {
    let sql = "SELECT map_runs.arn, executions.arn, map_runs.status, map_runs.started, map_runs.stopped, items, max_concurrency,
        tolerated_percentage, tolerated_count, redrives, redriven FROM map_runs JOIN executions ON executions.id = execution
        WHERE (?1 IS NULL OR executions.arn = ?1) AND (?2 IS NULL OR map_runs.arn = ?2) ORDER BY map_runs.started DESC, map_runs.arn";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![execution_arn, arn], |row| {
        let (arn, execution_arn): (Arc<str>, Arc<str>) = (row.get(0)?, row.get(1)?);
        let total: i64 = row.get(5)?;
        let status = status_of(row.get(2)?);
        let (items, executions) = counts(connection, &arn, total.unsigned_abs(), status)?;
        Ok(MapRunDescription {
            state_machine_arn: map_run_state_machine(&arn).into(),
            arn,
            execution_arn,
            status,
            start_date: moment(row, 3)?.unwrap_or_default(),
            stop_date: moment(row, 4)?,
            max_concurrency: row.get::<_, i64>(6)?.unsigned_abs(),
            tolerated_failure_percentage: row.get(7)?,
            tolerated_failure_count: row.get::<_, i64>(8)?.unsigned_abs(),
            items,
            executions,
            redrive_count: row.get::<_, i64>(9)?.unsigned_abs(),
            redrive_date: moment(row, 10)?,
        })
    })?;
    rows.collect()
}

/// Items and children of a Map Run, by how they went.
fn counts(
    connection: &Connection,
    arn: &str,
    total: u64,
    status: ExecutionStatus,
) -> rusqlite::Result<(ItemCounts, ItemCounts)> {
    let sql = "SELECT status, count(*), sum(coalesce(item_count, 1)) FROM executions WHERE map_run = ?1 GROUP BY status";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![arn])?;
    let mut children = Vec::new();
    while let Some(row) = rows.next()? {
        let child = status_of(row.get(0)?);
        let count = |column| Ok::<_, rusqlite::Error>(row.get::<_, i64>(column)?.unsigned_abs());
        children.push((child, count(1)?, count(2)?));
    }
    Ok(ItemCounts::of_map_run(children, total, status))
}

/// The execution that a Map Run is of, and where that Map Run is.
pub(crate) fn execution_of_map_run(
    connection: &Connection,
    arn: &str,
) -> rusqlite::Result<Option<(i64, ExecutionStatus)>> {
    let sql = "SELECT execution, status FROM map_runs WHERE arn = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params![arn], |row| {
        Ok((row.get(0)?, status_of(row.get(1)?)))
    });
    found.optional()
}

/// Returns the status of an execution.
pub(crate) fn status(
    connection: &Connection,
    arn: &str,
) -> rusqlite::Result<Option<ExecutionStatus>> {
    let mut statement =
        connection.prepare_cached("SELECT status FROM executions WHERE arn = ?1")?;
    statement
        .query_row(params![arn], |row| Ok(status_of(row.get(0)?)))
        .optional()
}

/// Returns the row of an execution.
pub(crate) fn row_of(connection: &Connection, arn: &str) -> rusqlite::Result<Option<RowId>> {
    let mut statement = connection.prepare_cached("SELECT id FROM executions WHERE arn = ?1")?;
    statement
        .query_row(params![arn], |row| row.get(0))
        .optional()
}

/// Returns the largest row number in its slot; 0 if there is none.
pub(crate) fn last_number(connection: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT max(id) FROM executions WHERE id BETWEEN ?1 AND ?2";
    let mut statement = connection.prepare(sql)?;
    let mut last = 0;
    for slot in 0..=LARGEST_SLOT {
        let rows = rows_of_slot(slot);
        let found: Option<RowId> =
            statement.query_row(params![rows.start(), rows.end()], |row| row.get(0))?;
        last = last.max(found.map_or(0, |row| row - rows.start()));
    }
    Ok(last)
}

/// Returns how many executions run, children of Map Runs not counted.
pub(crate) fn all_running(connection: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT count(*) FROM executions WHERE status = 0 AND parent IS NULL";
    let count: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

/// An execution that is there under the ARN that another was to have.
#[derive(Default)]
pub(crate) struct Namesake {
    pub(crate) is_running: bool,
    /// In milliseconds.
    pub(crate) started: i64,
    pub(crate) input: Arc<str>,
}

/// Returns the execution of an ARN that another is to have.
pub(crate) fn namesake(connection: &Connection, arn: &str) -> rusqlite::Result<Option<Namesake>> {
    let sql = "SELECT status, started, start FROM executions WHERE arn = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params![arn], |row| {
        let input = input_of_start(row.get_ref("start")?.as_blob()?)?;
        Ok(Namesake {
            is_running: row.get::<_, i64>("status")? == 0,
            started: row.get("started")?,
            input: input.into(),
        })
    });
    found.optional()
}

/// Returns when an execution ended, if it did.
pub(crate) fn stop_date(
    connection: &Connection,
    row: RowId,
) -> rusqlite::Result<Option<Timestamp>> {
    let sql = "SELECT stopped FROM executions WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let stopped: Option<i64> = statement.query_row(params![row], |row| row.get(0))?;
    Ok(stopped.map(Timestamp::from_milliseconds))
}

/// Returns whether an execution runs.
pub(crate) fn is_running(connection: &Connection, row: RowId) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM executions WHERE id = ?1 AND status = 0";
    connection.prepare_cached(sql)?.exists(params![row])
}

/// Returns the children of an execution that run.
pub(crate) fn running_children(
    connection: &Connection,
    row: RowId,
) -> rusqlite::Result<Vec<(EffectId, RowId)>> {
    let sql = "SELECT parent_effect, id FROM executions WHERE parent = ?1 AND status = 0";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map(params![row], |child| {
        let effect: i64 = child.get(0)?;
        Ok((EffectId(effect as u64), child.get(1)?))
    })?;
    found.collect()
}

/// Readable data of an execution that cannot be recovered.
pub(crate) struct Remains {
    pub(crate) parent: Option<(RowId, EffectId)>,
    pub(crate) about: StartMetadata,
    pub(crate) start: Option<CoreStart>,
}

/// Reads the readable data of an execution that cannot be recovered.
pub(crate) fn remains(connection: &Connection, row: RowId) -> rusqlite::Result<Remains> {
    let sql = "SELECT parent, parent_effect, about, start FROM executions WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row(params![row], |row| {
        let parent: Option<RowId> = row.get("parent")?;
        let effect: Option<i64> = row.get("parent_effect")?;
        Ok(Remains {
            parent: parent.zip(effect.map(|id| EffectId(id as u64))),
            about: decoded(row.get_ref("about")?.as_blob()?).unwrap_or_default(),
            start: decoded(row.get_ref("start")?.as_blob()?).ok(),
        })
    })
}

/// Returns the number of suspended executions, and the first ARNs with their reasons.
pub(crate) fn list_suspended(
    connection: &Connection,
    limit: usize,
) -> rusqlite::Result<(u64, Vec<(String, String)>)> {
    let sql = "SELECT count(*) FROM executions WHERE held IS NOT NULL";
    let count: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    let sql = "SELECT arn, held FROM executions WHERE held IS NOT NULL ORDER BY id LIMIT ?1";
    let mut statement = connection.prepare(sql)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let first = statement.query_map(params![limit], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((count.unsigned_abs(), first.collect::<Result<_, _>>()?))
}

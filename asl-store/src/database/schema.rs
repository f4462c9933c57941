//! The tables, and how those of earlier versions become these.
use crate::OpenError;
use crate::error::OpenFault;
use rusqlite::Connection;

/// "ASLs": what distinguishes a store from other databases.
const APPLICATION_ID: i64 = 0x4153_4c73;

/// Each step makes the next version of the tables out of the one before; a step that was published never changes.
const STEPS: [&str; 5] = [
    "
CREATE TABLE meta(key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE TABLE definitions(hash BLOB PRIMARY KEY, text TEXT NOT NULL, profile TEXT NOT NULL, type TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entries(kind TEXT NOT NULL, scope TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY(kind, scope, name)) WITHOUT ROWID;
CREATE TABLE executions(
    id INTEGER PRIMARY KEY, arn TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    machine TEXT NOT NULL, version TEXT, alias TEXT, map_run TEXT, item_count INTEGER,
    definition BLOB NOT NULL, status INTEGER NOT NULL DEFAULT 0,
    -- milliseconds since 1970
    started INTEGER NOT NULL, stopped INTEGER, redriven INTEGER, redrives INTEGER NOT NULL DEFAULT 0,
    parent INTEGER, parent_effect INTEGER,
    -- how it began, and what was said of it
    start BLOB NOT NULL, about BLOB NOT NULL,
    output TEXT, error TEXT, cause TEXT, events INTEGER,
    -- what it waits for, where it is not in memory
    parked INTEGER NOT NULL DEFAULT 0, due INTEGER, held TEXT);
CREATE INDEX running ON executions(parked, due) WHERE status = 0;
CREATE INDEX listed ON executions(machine, started, id);
CREATE INDEX children_listed ON executions(map_run, started, id) WHERE map_run IS NOT NULL;
CREATE INDEX children ON executions(parent, parent_effect) WHERE parent IS NOT NULL;
CREATE INDEX ended ON executions(stopped) WHERE status <> 0;
-- One row an input, in the order of their commits.
CREATE TABLE journal(id INTEGER PRIMARY KEY, execution INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE snapshots(execution INTEGER PRIMARY KEY, core INTEGER NOT NULL, data BLOB NOT NULL, last INTEGER NOT NULL, records BLOB NOT NULL);
CREATE TABLE sealed(execution INTEGER NOT NULL, first_event INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY(execution, first_event)) WITHOUT ROWID;
CREATE TABLE map_runs(arn TEXT PRIMARY KEY, execution INTEGER NOT NULL, status INTEGER NOT NULL DEFAULT 0,
    started INTEGER NOT NULL, stopped INTEGER, items INTEGER NOT NULL DEFAULT 0, max_concurrency INTEGER NOT NULL DEFAULT 0,
    tolerated_count INTEGER NOT NULL DEFAULT 0, tolerated_percentage REAL NOT NULL DEFAULT 0);
CREATE INDEX map_runs_of ON map_runs(execution);
-- Tasks of activities that no worker has taken, of executions that are not in memory.
CREATE TABLE activity_waits(execution INTEGER NOT NULL, effect INTEGER NOT NULL, activity TEXT NOT NULL,
    PRIMARY KEY(execution, effect)) WITHOUT ROWID;
-- Which attempt of its state, over an execution and its children, a task is that a test case answers.
CREATE TABLE mock_attempts(execution INTEGER NOT NULL, effect INTEGER NOT NULL, root INTEGER NOT NULL, state TEXT NOT NULL,
    attempt INTEGER NOT NULL, PRIMARY KEY(execution, effect)) WITHOUT ROWID;
CREATE INDEX mock_attempts_of ON mock_attempts(root, state);
",
    "
-- No record of the execution is before this one.
ALTER TABLE executions ADD COLUMN first INTEGER;
-- Executions that run, as they were after the last of their events that is sealed, and after which record that was.
CREATE TABLE bases(execution INTEGER PRIMARY KEY, data BLOB NOT NULL, last INTEGER NOT NULL, events INTEGER NOT NULL);
",
    // Those that do not continue are few among very many.
    "CREATE INDEX held ON executions(id) WHERE held IS NOT NULL",
    "
-- Whether the history of an execution that ended is sealed: those of which it is not are few among very many.
ALTER TABLE executions ADD COLUMN is_sealed INTEGER NOT NULL DEFAULT 0;
UPDATE executions SET is_sealed = 1 WHERE status <> 0 AND EXISTS (SELECT 1 FROM sealed WHERE sealed.execution = executions.id)
    AND NOT EXISTS (SELECT 1 FROM bases WHERE bases.execution = executions.id);
CREATE INDEX unsealed ON executions(id) WHERE status <> 0 AND is_sealed = 0;
-- With all that is asked of each when a store is opened.
DROP INDEX running;
CREATE INDEX running ON executions(parked, due, parent, status) WHERE status = 0;
-- No record may have the number of one that was let go, as long as something may have been written after it.
INSERT INTO meta(key, value) SELECT 'record', coalesce(max(last), 0) FROM snapshots;
",
    "
-- The records that the history of an execution which ended is made of, as long as no snapshot knows them, and the version of the
-- core that it ended by.
ALTER TABLE executions ADD COLUMN records BLOB;
ALTER TABLE executions ADD COLUMN core INTEGER;
DROP INDEX listed;
CREATE INDEX listed ON executions(machine, status, started, id);
",
];

/// The present version of the tables.
const KNOWN: i64 = STEPS.len() as i64;

/// Brings the tables to the present version.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), OpenFault> {
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let found = match tables {
        0 => 0,
        _ => version(connection)?,
    };
    let transaction = connection.transaction()?;
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", KNOWN)?;
    Ok(transaction.commit()?)
}

/// Returns the version of the tables, which are not later than the present ones.
pub(crate) fn version(connection: &Connection) -> Result<i64, OpenFault> {
    let pragma = |name| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0));
    let (application, found): (i64, i64) = (pragma("application_id")?, pragma("user_version")?);
    if application != APPLICATION_ID {
        let file = connection.path().unwrap_or_default().into();
        return Err(OpenError::NoStore { file }.into());
    }
    match found > KNOWN {
        true => Err(OpenError::LaterSchema {
            found,
            known: KNOWN,
        }
        .into()),
        false => Ok(found),
    }
}

/// Returns true if the tables are those of an earlier version.
pub(crate) fn is_earlier(connection: &Connection) -> Result<bool, OpenFault> {
    Ok(version(connection)? < KNOWN)
}

/// Returns the damage that SQLite finds, in its words.
pub(crate) fn damage(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("PRAGMA integrity_check")?;
    let found = statement.query_map([], |row| row.get::<_, String>(0))?;
    let found: Vec<String> = found.collect::<Result<_, _>>()?;
    Ok(found.into_iter().filter(|line| line != "ok").collect())
}

/// Gives free space of the database back to the disk, and empties the log.
pub(crate) fn shrink(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("VACUUM")?;
    empty_log(connection)
}

/// Copies the log into the database, and empties it.
pub(crate) fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

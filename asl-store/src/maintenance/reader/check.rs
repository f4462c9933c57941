//! Whether all that a store keeps is as it was written.
use super::StoreReader;
use super::records::Records;
use crate::database::damaged_log::DamagedLog;
use crate::database::definitions::{self, Programs};
use crate::database::executions;
use crate::database::row::{RowId, status_number, unpacked};
use crate::database::sealed_history::SEALED_PIECES;
use crate::database::stored_execution::StoredExecution;
use crate::database::{meta, schema, stored_execution};
use crate::{OpenError, tokens};
use asl_engine::{CORE_VERSION, Execution, TaskTokens, TurnLimits};
use asl_host::engine::DefinitionId;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// A turn after the last record of an execution: most come to rest in it.
const TURN: TurnLimits = TurnLimits {
    cost: 1_000_000,
    evaluation_steps: None,
};

/// Something that a check finds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// Something is not as it was written.
    Fault {
        /// An execution's ARN, or what else it is about.
        about: String,
        /// What is wrong.
        what: String,
    },
    /// An execution does not go on.
    Held {
        /// Its ARN.
        arn: String,
        /// Why.
        why: String,
    },
}

/// What was looked at, and how much was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// Executions, those of Map Runs too.
    pub executions: u64,
    /// Records of the journal.
    pub records: u64,
    /// Definitions.
    pub definitions: u64,
    /// Faults.
    pub faults: u64,
    /// Executions that do not go on.
    pub held: u64,
}

impl StoreReader {
    /// Looks at all that is kept, and gives what is found to `report`: whether the database is whole, each execution can be
    /// read and its journal leads where it led before, and sealed histories are what they were; and who is held.
    ///
    /// # Errors
    /// Where the database cannot be read at all.
    pub fn check(&self, report: impl FnMut(Finding)) -> Result<Checked, OpenError> {
        let moment = self.at_one_moment()?;
        let mut check = Check {
            connection: &moment,
            report,
            checked: Checked::default(),
            programs: Programs::default(),
        };
        match schema::damage(&moment) {
            Ok(damage) => damage
                .into_iter()
                .for_each(|what| check.fault(DATABASE, what)),
            Err(error) => check.fault(DATABASE, error.to_string()),
        }
        check.log(&self.database);
        if let Err(error) = check.all() {
            check.fault(DATABASE, format!("it cannot be read on: {error}"));
        }
        Ok(check.checked)
    }
}

/// What faults are about that are of no execution.
const DATABASE: &str = "the database";

struct Check<'c, R> {
    connection: &'c Connection,
    report: R,
    checked: Checked,
    programs: Programs,
}

/// What a row says of an execution.
struct Said {
    id: RowId,
    arn: String,
    held: Option<String>,
    status: i64,
    output: Option<String>,
    events: Option<i64>,
}

impl Said {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            arn: row.get(1)?,
            held: row.get(2)?,
            status: row.get(3)?,
            output: row.get(4)?,
            events: row.get(5)?,
        })
    }
}

impl<R: FnMut(Finding)> Check<'_, R> {
    fn fault(&mut self, about: impl Into<String>, what: impl Into<String>) {
        self.checked.faults += 1;
        (self.report)(Finding::Fault {
            about: about.into(),
            what: what.into(),
        });
    }

    /// Reports acknowledged changes behind damage of the log.
    fn log(&mut self, database: &Path) {
        match DamagedLog::find(database) {
            Ok(None) => {}
            Ok(Some(DamagedLog { lost })) => self.fault(
                DATABASE,
                format!("its log is damaged, and up to {lost} batches of acknowledged changes behind that are lost"),
            ),
            Err(error) => self.fault(DATABASE, format!("its log cannot be read: {error}")),
        }
    }

    fn all(&mut self) -> rusqlite::Result<()> {
        self.definitions()?;
        self.entries()?;
        self.map_runs()?;
        self.waits()?;
        let tokens = match meta::token_key(self.connection)? {
            Some(key) => tokens::with_key(&key),
            None => {
                self.fault(DATABASE, "the key of the task tokens is missing");
                return Ok(());
            }
        };
        let records = Records::sort(self.connection)?;
        self.checked.records = records.count()?;
        for row in records.ownerless()? {
            self.fault(
                format!("the journal of execution {row}"),
                "there is no such execution",
            );
        }
        let sql = "SELECT id, arn, held, status, output, events FROM executions ORDER BY id";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            match Said::from_row(row) {
                Ok(said) => self.execution(said, &records, &tokens),
                Err(error) => {
                    let id: RowId = row.get(0)?;
                    self.fault(format!("execution {id}"), unreadable_row(&error));
                }
            }
        }
        Ok(())
    }

    /// Map Runs, as they are described.
    fn map_runs(&mut self) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare("SELECT arn FROM map_runs")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let arn: String = row.get(0)?;
            match executions::map_runs(self.connection, None, Some(&arn)) {
                Ok(found) if found.is_empty() => self.fault(arn, "it is of no execution"),
                Ok(_) => {}
                Err(error) => self.fault(arn, unreadable_row(&error)),
            }
        }
        Ok(())
    }

    /// Reads the waits of executions that are not in memory.
    fn waits(&mut self) -> rusqlite::Result<()> {
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
            let mut statement = self.connection.prepare(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if let Err(error) = Columns::try_from(row) {
                    self.fault(what, unreadable_row(&error));
                }
            }
        }
        Ok(())
    }

    fn definitions(&mut self) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare("SELECT hash FROM definitions")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let id = DefinitionId(row.get(0)?);
            self.checked.definitions += 1;
            let found = definitions::read(self.connection, id)?;
            let is_same = found.is_some_and(|found| found.id() == id);
            let compiled = self.programs.get(self.connection, id);
            let what = match (is_same, compiled) {
                (false, _) => "its text is not what its hash says".to_owned(),
                (true, Err(error)) => error.to_string(),
                (true, Ok(_)) => continue,
            };
            self.fault(format!("definition {}", id.digits()), what);
        }
        Ok(())
    }

    fn entries(&mut self) -> rusqlite::Result<()> {
        let mut statement = self
            .connection
            .prepare("SELECT kind, scope, name, value, version FROM entries")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (kind, scope, name): (String, String, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            let (value, _version): (String, i64) = (row.get(3)?, row.get(4)?);
            if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&value) {
                self.fault(
                    format!("{kind} {name} of {scope}"),
                    format!("it is no JSON: {error}"),
                );
            }
        }
        Ok(())
    }

    fn execution(&mut self, said: Said, records: &Records<'_>, tokens: &Arc<dyn TaskTokens>) {
        self.checked.executions += 1;
        let looked = AssertUnwindSafe(|| self.look_at(&said, records, tokens));
        let found = catch_unwind(looked).unwrap_or_else(|_| Err("its replay panicked".to_owned()));
        let Said { arn, held, .. } = said;
        if let Err(what) = found {
            self.fault(arn.as_str(), what);
        }
        if let Some(why) = held {
            self.checked.held += 1;
            (self.report)(Finding::Held { arn, why });
        }
    }

    /// Whether an execution is as it was written.
    fn look_at(
        &mut self,
        said: &Said,
        records: &Records<'_>,
        tokens: &Arc<dyn TaskTokens>,
    ) -> Result<(), String> {
        let text = |error: rusqlite::Error| error.to_string();
        executions::describe(self.connection, &said.arn).map_err(|error| unreadable_row(&error))?;
        let stored = records.read(said.id).map_err(text)?;
        let stored = stored.ok_or("it is not there any more")?;
        let program = self.programs.get(self.connection, stored.definition);
        let program = program.map_err(|error| format!("its definition cannot be read: {error}"))?;
        let sealed = sealed(self.connection, said.id)?;
        let base = stored_execution::base(self.connection, said.id).map_err(text)?;
        if let Some(sealed) = &sealed {
            // Of one that is not sealed to its end, those up to a snapshot are there.
            let count = base.map_or(said.events.unwrap_or_default().unsigned_abs(), |it| {
                it.events
            });
            is_whole(sealed, count)?;
        }
        if sealed.is_some() && stored.records.is_empty() && !stored.has_snapshot() {
            return Ok(());
        }
        let revived = |stored: StoredExecution| {
            stored.revive(self.connection, program.clone(), Arc::clone(tokens), TURN)
        };
        if !is_of_this_core(self.connection, said.id).map_err(text)? {
            // Only the rest can be replayed by another version.
            return revived(stored).map(drop);
        }
        let again = records.read(said.id).map_err(text)?;
        let again = again.ok_or("it is not there any more")?;
        let revived = revived(again)?;
        let (all, mut events) = (stored.records.clone(), Vec::new());
        let count = revived.event_count();
        let replayed = stored.history(
            self.connection,
            &program,
            Arc::clone(tokens),
            (None, &all),
            (Some(count), &Cell::new(false)),
            |event| events.push(asl_host::engine::event_text(&event)),
        )?;
        // In the middle of what it computes, it may have come further than its journal says.
        let is_at_rest = !replayed.has_yielded() && !revived.has_yielded();
        if is_at_rest && replayed.fingerprint() != revived.fingerprint() {
            return Err("its journal leads elsewhere than its snapshot".to_owned());
        }
        ended_so(&replayed, said)?;
        match sealed {
            Some(sealed) if !events.starts_with(&sealed) => {
                Err("its journal makes another history than the one that is sealed".to_owned())
            }
            _ => Ok(()),
        }
    }
}

fn unreadable_row(error: &rusqlite::Error) -> String {
    format!("its row cannot be read: {error}")
}

/// Whether the snapshot of an execution, where there is one, was made by this version of the core.
fn is_of_this_core(connection: &Connection, row: RowId) -> rusqlite::Result<bool> {
    let sql = "SELECT core FROM snapshots WHERE execution = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let core: Option<u32> = statement
        .query_row(params![row], |row| row.get(0))
        .optional()?;
    Ok(core.is_none_or(|core| core == CORE_VERSION))
}

/// The sealed history of an execution.
fn sealed(connection: &Connection, row: RowId) -> Result<Option<Vec<String>>, String> {
    let unreadable =
        |error: &dyn std::fmt::Display| format!("its sealed history cannot be read: {error}");
    let sql = SEALED_PIECES;
    let mut statement = connection
        .prepare_cached(sql)
        .map_err(|error| unreadable(&error))?;
    let pieces = statement.query_map(params![row], |row| unpacked(row.get_ref(0)?.as_blob()?));
    let pieces: Result<Vec<Vec<u8>>, _> = pieces.and_then(Iterator::collect);
    let pieces = pieces.map_err(|error| unreadable(&error))?;
    let mut events = Vec::new();
    for piece in &pieces {
        let text = std::str::from_utf8(piece).map_err(|error| unreadable(&error))?;
        events.extend(text.lines().map(str::to_owned));
    }
    Ok((!pieces.is_empty()).then_some(events))
}

/// Whether a sealed history has so many events, one after the other.
fn is_whole(sealed: &[String], expected: u64) -> Result<(), String> {
    if sealed.len() as u64 != expected {
        return Err(format!(
            "its sealed history has {} events, expected {expected}",
            sealed.len()
        ));
    }
    for (id, text) in (1_u64..).zip(sealed) {
        let event: serde_json::Value = serde_json::from_str(text)
            .map_err(|error| format!("event {id} of its sealed history is no JSON: {error}"))?;
        if event["id"] != id {
            return Err(format!("event {id} of its sealed history is another"));
        }
    }
    Ok(())
}

/// Whether an execution that ended did so as its row says.
fn ended_so(execution: &Execution, said: &Said) -> Result<(), String> {
    let Some(ended) = execution.outcome().filter(|_| said.status != 0) else {
        return match said.status {
            0 => Ok(()),
            _ => Err("its journal does not lead to its end".to_owned()),
        };
    };
    let asl_host::engine::Ended { status, output, .. } = ended.into();
    let is_same =
        status_number(status) == said.status && output.as_deref() == said.output.as_deref();
    match is_same {
        true => Ok(()),
        false => Err("its journal leads to another end than the one that was told".to_owned()),
    }
}

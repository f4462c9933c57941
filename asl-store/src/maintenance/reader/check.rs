//! Integrity checks of a store.
use super::StoreReader;
use crate::database::damaged_log::DamagedLog;
use crate::database::definitions::{self, Programs};
use crate::database::dump::{self, Outline};
use crate::database::executions;
use crate::database::row::{RowId, status_number};
use crate::database::sealed_history::SealedEvents;
use crate::database::sorted_journal::Records;
use crate::database::stored_execution::{HistoryPart, StoredExecution};
use crate::database::{meta, schema, stored_execution};
use crate::error::OpenFault;
use crate::{OpenError, tokens};
use asl_backend::event_text;
use asl_engine::{CORE_VERSION, Execution, TaskTokens, TurnLimits};
use rusqlite::Connection;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// A turn after the last record of an execution: most come to rest in it.
const TURN: TurnLimits = TurnLimits {
    cost: 1_000_000,
    evaluation_steps: None,
};

/// A finding of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// Stored data is damaged or inconsistent.
    Fault {
        /// An execution's ARN, or what else it is about.
        about: String,
        /// The problem.
        what: String,
    },
    /// An execution does not continue.
    Suspended {
        /// ARN of the execution.
        arn: String,
        /// The reason.
        why: String,
    },
}

/// Numbers of checked items and of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CheckReport {
    /// Executions, those of Map Runs too.
    pub executions: u64,
    /// Records of the journal.
    pub records: u64,
    /// Definitions.
    pub definitions: u64,
    /// Number of faults.
    pub faults: u64,
    /// Executions that do not continue.
    pub held: u64,
}

impl StoreReader {
    /// Checks all data, and passes findings to `report`: whether the database is intact, each execution is readable and its
    /// journal can be replayed, and sealed histories are unchanged. It also reports suspended executions.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read at all.
    pub fn check(&self, report: impl FnMut(Finding)) -> Result<CheckReport, OpenError> {
        let moment = self.at_one_moment().map_err(OpenFault::from)?;
        let mut check = Check {
            connection: &moment,
            report,
            checked: CheckReport::default(),
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
            check.fault(DATABASE, format!("the rest cannot be read: {error}"));
        }
        Ok(check.checked)
    }
}

/// Subject of problems that concern no execution.
const DATABASE: &str = "the database";

struct Check<'c, R> {
    connection: &'c Connection,
    report: R,
    checked: CheckReport,
    programs: Programs,
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
                format!("its log is damaged, and up to {lost} batches of acknowledged changes after the damage are lost"),
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
                "no such execution",
            );
        }
        dump::outlines(self.connection, |id, outline| match outline {
            Ok(said) => self.execution(said, &records, &tokens),
            Err(error) => self.fault(format!("execution {id}"), unreadable_row(&error)),
        })
    }

    /// Map Runs, as they are described.
    fn map_runs(&mut self) -> rusqlite::Result<()> {
        dump::map_run_arns(self.connection, |arn| {
            match executions::map_runs(self.connection, None, Some(&arn)) {
                Ok(found) if found.is_empty() => self.fault(arn, "it belongs to no execution"),
                Ok(_) => {}
                Err(error) => self.fault(arn, unreadable_row(&error)),
            }
        })
    }

    /// Reads the waits of executions that are not in memory.
    fn waits(&mut self) -> rusqlite::Result<()> {
        dump::unreadable_waits(self.connection, |what, error| {
            self.fault(what, unreadable_row(&error));
        })
    }

    fn definitions(&mut self) -> rusqlite::Result<()> {
        for id in dump::definition_ids(self.connection)? {
            self.checked.definitions += 1;
            let found = definitions::read(self.connection, id)?;
            let is_same = found.is_some_and(|found| found.id() == id);
            let compiled = self.programs.get(self.connection, id);
            let what = match (is_same, compiled) {
                (false, _) => "its text does not match its hash".to_owned(),
                (true, Err(error)) => error.to_string(),
                (true, Ok(_)) => continue,
            };
            self.fault(format!("definition {}", id.digits()), what);
        }
        Ok(())
    }

    fn entries(&mut self) -> rusqlite::Result<()> {
        dump::entries(self.connection, |entry| {
            if let Err(error) = serde_json::from_str::<IgnoredAny>(&entry.value) {
                self.fault(
                    format!("{} {} of {}", entry.kind, entry.name, entry.scope),
                    format!("it is not JSON: {error}"),
                );
            }
            Ok(())
        })
    }

    fn execution(&mut self, said: Outline, records: &Records<'_>, tokens: &Arc<dyn TaskTokens>) {
        self.checked.executions += 1;
        let looked = AssertUnwindSafe(|| self.look_at(&said, records, tokens));
        let found = catch_unwind(looked).unwrap_or_else(|_| Err("its replay panicked".to_owned()));
        let Outline { arn, held, .. } = said;
        if let Err(what) = found {
            self.fault(arn.as_str(), what);
        }
        if let Some(why) = held {
            self.checked.held += 1;
            (self.report)(Finding::Suspended { arn, why });
        }
    }

    /// Checks that an execution can be read as it was written.
    fn look_at(
        &mut self,
        said: &Outline,
        records: &Records<'_>,
        tokens: &Arc<dyn TaskTokens>,
    ) -> Result<(), String> {
        let text = |error: rusqlite::Error| error.to_string();
        executions::describe(self.connection, &said.arn).map_err(|error| unreadable_row(&error))?;
        let stored = records.read(said.id).map_err(text)?;
        let stored = stored.ok_or("it no longer exists")?;
        let program = self.programs.get(self.connection, stored.definition);
        let program = program.map_err(|error| format!("its definition cannot be read: {error}"))?;
        let base = stored_execution::base(self.connection, said.id).map_err(text)?;
        // Of one that is not sealed to its end, those up to a snapshot are there.
        let count = base.map_or(said.events.unwrap_or_default().unsigned_abs(), |it| {
            it.events
        });
        let is_sealed = is_whole(self.connection, said.id, count)?;
        if is_sealed && stored.records.is_empty() && !stored.has_snapshot() {
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
        let again = again.ok_or("it no longer exists")?;
        let revived = revived(again)?;
        check_end(&revived, said)?;
        let (all, count) = (stored.records.clone(), revived.event_count());
        let mut statement = SealedEvents::prepare(self.connection).map_err(text)?;
        let mut sealed = SealedEvents::of(&mut statement, said.id).map_err(text)?;
        let mut is_other = false;
        let compare = |event| {
            let made = event_text(&event);
            is_other |= sealed
                .next()
                .is_ok_and(|sealed| sealed.is_some_and(|it| it != made));
        };
        let part = HistoryPart {
            base: None,
            records: &all,
            events: Some(count),
            is_over: &Cell::new(false),
        };
        let tokens = Arc::clone(tokens);
        let replayed = stored.history(self.connection, &program, tokens, part, compare)?;
        // In the middle of what it computes, it may have come further than its journal says.
        let is_at_rest = !replayed.has_yielded() && !revived.has_yielded();
        if is_at_rest && replayed.fingerprint() != revived.fingerprint() {
            return Err("its journal and its snapshot differ".to_owned());
        }
        check_end(&replayed, said)?;
        match is_other || sealed.next().map_err(text)?.is_some() {
            true => Err("its journal and its sealed history differ".to_owned()),
            false => Ok(()),
        }
    }
}

fn unreadable_row(error: &rusqlite::Error) -> String {
    format!("its row cannot be read: {error}")
}

/// Returns true if the snapshot of an execution, if there is one, was made by this version of the core.
fn is_of_this_core(connection: &Connection, row: RowId) -> rusqlite::Result<bool> {
    let core = dump::core_of_snapshot(connection, row)?;
    Ok(core.is_none_or(|core| core == CORE_VERSION))
}

/// Returns true if an execution has sealed events: so many, one after the other.
fn is_whole(connection: &Connection, row: RowId, expected: u64) -> Result<bool, String> {
    let unreadable = |error: rusqlite::Error| format!("its sealed history cannot be read: {error}");
    let mut statement = SealedEvents::prepare(connection).map_err(unreadable)?;
    let mut sealed = SealedEvents::of(&mut statement, row).map_err(unreadable)?;
    let mut count = 0;
    while let Some(text) = sealed.next().map_err(unreadable)? {
        count += 1;
        let event: EventNumber = serde_json::from_str(text)
            .map_err(|error| format!("event {count} of its sealed history is not JSON: {error}"))?;
        if event.id != count {
            return Err(format!("event {count} of its sealed history differs"));
        }
    }
    if count != expected && count > 0 {
        return Err(format!(
            "its sealed history has {count} events, expected {expected}"
        ));
    }
    Ok(count > 0)
}

/// The id of an event.
#[derive(Deserialize)]
struct EventNumber {
    id: u64,
}

/// Checks that an execution ended as its row says.
fn check_end(execution: &Execution, said: &Outline) -> Result<(), String> {
    let Some(ended) = execution.outcome().filter(|_| said.status != 0) else {
        return match said.status {
            0 => Ok(()),
            _ => Err("its journal does not lead to its end".to_owned()),
        };
    };
    let asl_backend::ExecutionEnd { status, output, .. } = ended.into();
    let is_same =
        status_number(status) == said.status && output.as_deref() == said.output.as_deref();
    match is_same {
        true => Ok(()),
        false => Err("its journal leads to a different outcome than the one reported".to_owned()),
    }
}

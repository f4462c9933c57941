//! All that a store keeps, as lines of JSON.
use super::StoreReader;
use crate::database::definitions::Programs;
use crate::database::dump::{self, ExecutionRow, MapRunColumns};
use crate::database::row::RowId;
use crate::database::sealed_history::SealedEvents;
use crate::database::sorted_journal::Records;
use crate::database::stored_execution::HistoryPart;
use crate::database::{meta, schema, stored_execution};
use crate::error::OpenFault;
use crate::{OpenError, tokens};
use asl_backend::event_text;
use asl_engine::{TaskTokens, Timestamp};
use rusqlite::Connection;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Numbers of exported items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportReport {
    /// Number of lines.
    pub lines: u64,
    /// Executions, those of Map Runs too.
    pub executions: u64,
    /// ARNs of executions whose history cannot be made, with why: the rest of them is written.
    pub without_history: Vec<(String, String)>,
}

impl StoreReader {
    /// Writes all that is kept as lines of JSON, each an object with its "kind": the store, definitions, state machines
    /// (with their versions, aliases and tags), activities, executions, each followed by its events, and Map Runs. The key
    /// of the task tokens is not part of it.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read, or `to` not be written.
    pub fn export(&self, to: impl Write) -> Result<ExportReport, OpenError> {
        Ok(self.export_moment(to)?)
    }

    fn export_moment(&self, to: impl Write) -> Result<ExportReport, OpenFault> {
        let moment = self.at_one_moment()?;
        let mut export = Export {
            connection: &moment,
            lines: Lines { to, count: 0 },
            exported: ExportReport::default(),
            programs: Programs::default(),
        };
        export.all()?;
        export.lines.to.flush().map_err(cannot_write)?;
        Ok(ExportReport {
            lines: export.lines.count,
            ..export.exported
        })
    }
}

fn cannot_write(source: io::Error) -> OpenFault {
    let what = "the export cannot be written".to_owned();
    OpenError::Io { what, source }.into()
}

struct Export<'c, W> {
    connection: &'c Connection,
    lines: Lines<W>,
    exported: ExportReport,
    programs: Programs,
}

/// Lines that are written.
struct Lines<W> {
    to: W,
    count: u64,
}

impl<W: Write> Lines<W> {
    fn write(&mut self, line: &Value) -> Result<(), OpenFault> {
        self.count += 1;
        writeln!(self.to, "{line}").map_err(cannot_write)
    }

    /// Writes a line whose last field is JSON; invalid JSON is written as a string.
    fn write_with(&mut self, fields: &Value, name: &str, json: &str) -> Result<(), OpenFault> {
        let is_json = serde_json::from_str::<IgnoredAny>(json).is_ok() && !json.contains('\n');
        let last = match is_json {
            true => Cow::Borrowed(json),
            false => Value::from(json).to_string().into(),
        };
        let fields = fields.to_string();
        let fields = fields.trim_end_matches('}');
        self.count += 1;
        writeln!(self.to, "{fields},\"{name}\":{last}}}").map_err(cannot_write)
    }
}

impl<W: Write> Export<'_, W> {
    fn all(&mut self) -> Result<(), OpenFault> {
        let schema = schema::version(self.connection)?;
        self.lines
            .write(&json!({"kind": "store", "schema": schema}))?;
        self.definitions()?;
        self.entries()?;
        // Without a key no execution was ever started.
        let tokens = tokens::with_key(&meta::token_key(self.connection)?.unwrap_or_default());
        let records = Records::sort(self.connection)?;
        dump::executions(self.connection, |row| {
            self.lines.write(&execution(&row))?;
            self.exported.executions += 1;
            if let Err(why) = self.events(&row, &records, &tokens)? {
                self.exported.without_history.push((row.arn, why));
            }
            Ok::<_, OpenFault>(())
        })?;
        dump::map_runs(self.connection, |run| self.lines.write(&map_run(run)))
    }

    fn definitions(&mut self) -> Result<(), OpenFault> {
        dump::definitions(self.connection, |row| {
            let id = row.id.digits();
            self.lines.write(&json!({"kind": "definition", "id": id, "type": row.kind, "profile": row.profile, "text": row.text}))
        })
    }

    fn entries(&mut self) -> Result<(), OpenFault> {
        dump::entries(self.connection, |entry| {
            let fields = json!({"kind": entry.kind, "scope": entry.scope, "name": entry.name});
            self.lines.write_with(&fields, "value", &entry.value)
        })
    }

    /// Returns the events of an execution, one a line, as far as they can be had; and why there are no more.
    fn events(
        &mut self,
        row: &ExecutionRow,
        records: &Records<'_>,
        tokens: &Arc<dyn TaskTokens>,
    ) -> Result<Result<(), String>, OpenFault> {
        let fields = json!({"kind": "event", "executionArn": row.arn});
        let (mut failed, is_over) = (None, Cell::new(false));
        let lines = &mut self.lines;
        let mut write = |text: &str| {
            if !is_over.get()
                && let Err(error) = lines.write_with(&fields, "event", text)
            {
                failed = Some(error);
                is_over.set(true);
            }
        };
        let (connection, programs) = (self.connection, &mut self.programs);
        let made = AssertUnwindSafe(|| {
            write_events(
                connection, programs, row.id, records, tokens, &is_over, &mut write,
            )
        });
        let made = catch_unwind(made).unwrap_or_else(|_| Err("its replay panicked".to_owned()));
        failed.map_or(Ok(made), Err)
    }
}

/// Gives the events of an execution: those that are sealed, and by replay what follows.
fn write_events(
    connection: &Connection,
    programs: &mut Programs,
    row: RowId,
    records: &Records<'_>,
    tokens: &Arc<dyn TaskTokens>,
    is_over: &Cell<bool>,
    write: &mut impl FnMut(&str),
) -> Result<(), String> {
    let text = |error: rusqlite::Error| error.to_string();
    let mut statement = SealedEvents::prepare(connection).map_err(text)?;
    let mut sealed = SealedEvents::of(&mut statement, row).map_err(text)?;
    let mut has_sealed = false;
    while let Some(event) = sealed.next().map_err(text)? {
        has_sealed = true;
        write(event);
    }
    let base = stored_execution::base(connection, row).map_err(text)?;
    if has_sealed && base.is_none() {
        return Ok(());
    }
    let stored = records.read(row).map_err(text)?;
    let stored = stored.ok_or("it no longer exists")?;
    let program = programs.get(connection, stored.definition).map_err(text)?;
    // An execution that ended has all its events; one that runs, those up to its last record.
    let count = Some(if stored.is_running { 0 } else { u64::MAX });
    let all = stored.records.clone();
    let recorder = |event| write(&event_text(&event));
    let part = HistoryPart {
        base: base.as_ref(),
        records: &all,
        events: count,
        is_over,
    };
    stored.history(connection, &program, Arc::clone(tokens), part, recorder)?;
    Ok(())
}

fn map_run(run: MapRunColumns) -> Value {
    object([
        ("kind", "mapRun".into()),
        ("mapRunArn", run.arn.into()),
        ("executionArn", text(run.execution_arn.as_deref())),
        ("status", run.status.word().into()),
        ("startDate", date(run.started)),
        ("stopDate", date(run.stopped)),
        ("itemCount", run.items.into()),
        ("maxConcurrency", run.max_concurrency.into()),
        ("toleratedFailureCount", run.tolerated_count.into()),
        (
            "toleratedFailurePercentage",
            run.tolerated_percentage.into(),
        ),
    ])
}

/// Returns the exported data of an execution, without its events.
fn execution(row: &ExecutionRow) -> Value {
    object([
        ("kind", "execution".into()),
        ("executionArn", text(Some(&row.arn))),
        ("name", text(Some(&row.name))),
        ("stateMachineArn", text(Some(&row.machine))),
        ("stateMachineVersionArn", text(row.version.as_deref())),
        ("stateMachineAliasArn", text(row.alias.as_deref())),
        ("mapRunArn", text(row.map_run.as_deref())),
        ("itemCount", row.item_count.into()),
        ("definition", row.definition.digits().into()),
        ("status", row.status.word().into()),
        ("startDate", date(row.started)),
        ("stopDate", date(row.stopped)),
        ("redriveCount", row.redrives.into()),
        ("redriveDate", date(row.redriven)),
        ("input", text(Some(&row.input))),
        ("output", text(row.output.as_deref())),
        ("error", text(row.error.as_deref())),
        ("cause", text(row.cause.as_deref())),
        ("held", text(row.held.as_deref())),
        ("traceHeader", text(row.about.trace_header.as_deref())),
        ("mockTestCase", text(row.about.mock_test_case.as_deref())),
    ])
}

/// The fields that are there.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let there = fields.into_iter().filter(|(_, value)| !value.is_null());
    let fields = there.map(|(name, value)| (name.to_owned(), value));
    Value::Object(fields.collect::<Map<_, _>>())
}

fn text(text: Option<&str>) -> Value {
    text.into()
}

/// Returns a moment, as RFC 3339 has it.
fn date(moment: Option<Timestamp>) -> Value {
    moment.map(|moment| moment.to_rfc3339()).into()
}

//! All that a store keeps, as lines of JSON.
use super::StoreReader;
use super::records::Records;
use crate::database::definitions::Programs;
use crate::database::row::{About, CoreStart, RowId, decoded, status_of, unpacked};
use crate::database::sealed_history::SEALED_PIECES;
use crate::database::{meta, schema, stored_execution};
use crate::{OpenError, tokens};
use asl_engine::{TaskTokens, Timestamp};
use asl_host::engine::DefinitionId;
use rusqlite::{Connection, Row, params};
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// Lines.
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
    /// Where the store cannot be read, or `to` not be written.
    pub fn export(&self, to: impl Write) -> Result<Exported, OpenError> {
        let moment = self.at_one_moment()?;
        let mut export = Export {
            connection: &moment,
            to,
            exported: Exported::default(),
            programs: Programs::default(),
        };
        export.all()?;
        export.to.flush().map_err(cannot_write)?;
        Ok(export.exported)
    }
}

fn cannot_write(source: io::Error) -> OpenError {
    OpenError::Io {
        what: "the export cannot be written".to_owned(),
        source,
    }
}

struct Export<'c, W> {
    connection: &'c Connection,
    to: W,
    exported: Exported,
    programs: Programs,
}

impl<W: Write> Export<'_, W> {
    fn line(&mut self, line: &Value) -> Result<(), OpenError> {
        self.exported.lines += 1;
        writeln!(self.to, "{line}").map_err(cannot_write)
    }

    /// A line with a last field that is JSON already; what is none is written as a text.
    fn line_with(&mut self, fields: &Value, name: &str, json: &str) -> Result<(), OpenError> {
        let is_json = serde_json::from_str::<IgnoredAny>(json).is_ok() && !json.contains('\n');
        let last = match is_json {
            true => Cow::Borrowed(json),
            false => Value::from(json).to_string().into(),
        };
        let fields = fields.to_string();
        let fields = fields.trim_end_matches('}');
        self.exported.lines += 1;
        writeln!(self.to, "{fields},\"{name}\":{last}}}").map_err(cannot_write)
    }

    fn all(&mut self) -> Result<(), OpenError> {
        let schema = schema::version(self.connection)?;
        self.line(&json!({"kind": "store", "schema": schema}))?;
        self.definitions()?;
        self.entries()?;
        // Without a key no execution was ever started.
        let tokens = tokens::with_key(&meta::token_key(self.connection)?.unwrap_or_default());
        let records = Records::sort(self.connection)?;
        let sql = "SELECT id, arn, name, machine, version, alias, map_run, item_count, definition, status, started, stopped,
            redrives, redriven, output, error, cause, held, start, about FROM executions ORDER BY id";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            self.line(&execution(row)?)?;
            self.exported.executions += 1;
            let arn: String = row.get(1)?;
            if let Err(why) = self.events(row.get(0)?, &arn, &records, &tokens)? {
                self.exported.without_history.push((arn, why));
            }
        }
        self.map_runs()
    }

    fn definitions(&mut self) -> Result<(), OpenError> {
        let sql = "SELECT hash, text, profile, type FROM definitions ORDER BY hash";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (text, profile, kind): (String, String, String) =
                (row.get(1)?, row.get(2)?, row.get(3)?);
            let id = DefinitionId(row.get(0)?).digits();
            self.line(&json!({"kind": "definition", "id": id, "type": kind, "profile": profile, "text": text}))?;
        }
        Ok(())
    }

    fn entries(&mut self) -> Result<(), OpenError> {
        let sql = "SELECT kind, scope, name, value FROM entries ORDER BY kind, scope, name";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let texts: [String; 4] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
            let [kind, scope, name, value] = &texts;
            let fields = json!({"kind": kind, "scope": scope, "name": name});
            self.line_with(&fields, "value", value)?;
        }
        Ok(())
    }

    /// The events of an execution, one a line; or why they cannot be had.
    fn events(
        &mut self,
        row: RowId,
        arn: &str,
        records: &Records<'_>,
        tokens: &Arc<dyn TaskTokens>,
    ) -> Result<Result<(), String>, OpenError> {
        let made = AssertUnwindSafe(|| self.made_events(row, records, tokens));
        let made = catch_unwind(made).unwrap_or_else(|_| Err("its replay panicked".to_owned()));
        let events = match made {
            Ok(events) => events,
            Err(why) => return Ok(Err(why)),
        };
        let fields = json!({"kind": "event", "executionArn": arn});
        for event in events {
            self.line_with(&fields, "event", &event)?;
        }
        Ok(Ok(()))
    }

    fn made_events(
        &mut self,
        row: RowId,
        records: &Records<'_>,
        tokens: &Arc<dyn TaskTokens>,
    ) -> Result<Vec<String>, String> {
        let text = |error: rusqlite::Error| error.to_string();
        let mut events = sealed(self.connection, row).map_err(text)?;
        let base = stored_execution::base(self.connection, row).map_err(text)?;
        if !events.is_empty() && base.is_none() {
            return Ok(events);
        }
        let stored = records.read(row).map_err(text)?;
        let stored = stored.ok_or("it is not there any more")?;
        let program = self
            .programs
            .get(self.connection, stored.definition)
            .map_err(text)?;
        // An execution that ended has all its events; one that runs, those up to its last record.
        let count = Some(if stored.is_running { 0 } else { u64::MAX });
        let all = stored.records.clone();
        let recorder = |event| events.push(asl_host::engine::event_text(&event));
        let (tokens, known) = (Arc::clone(tokens), (base.as_ref(), &*all));
        let until = (count, &Cell::new(false));
        stored.history(self.connection, &program, tokens, known, until, recorder)?;
        Ok(events)
    }

    fn map_runs(&mut self) -> Result<(), OpenError> {
        let sql = "SELECT map_runs.arn, executions.arn, map_runs.status, map_runs.started, map_runs.stopped, items, max_concurrency,
            tolerated_count, tolerated_percentage FROM map_runs LEFT JOIN executions ON executions.id = execution ORDER BY map_runs.arn";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let fields = [
                ("kind", "mapRun".into()),
                ("mapRunArn", text(row, 0)?),
                ("executionArn", text(row, 1)?),
                ("status", status_of(row.get(2)?).word().into()),
                ("startDate", date(row, 3)?),
                ("stopDate", date(row, 4)?),
                ("itemCount", number(row, 5)?),
                ("maxConcurrency", number(row, 6)?),
                ("toleratedFailureCount", number(row, 7)?),
                ("toleratedFailurePercentage", row.get::<_, f64>(8)?.into()),
            ];
            self.line(&object(fields))?;
        }
        Ok(())
    }
}

/// What is said of an execution but for its events.
fn execution(row: &Row<'_>) -> rusqlite::Result<Value> {
    let start: CoreStart = decoded(row.get_ref(18)?.as_blob()?)?;
    let about: About = decoded(row.get_ref(19)?.as_blob()?)?;
    let optional = |text: Option<Arc<str>>| text.map_or(Value::Null, |text| (*text).into());
    Ok(object([
        ("kind", "execution".into()),
        ("executionArn", text(row, 1)?),
        ("name", text(row, 2)?),
        ("stateMachineArn", text(row, 3)?),
        ("stateMachineVersionArn", text(row, 4)?),
        ("stateMachineAliasArn", text(row, 5)?),
        ("mapRunArn", text(row, 6)?),
        ("itemCount", number(row, 7)?),
        ("definition", DefinitionId(row.get(8)?).digits().into()),
        ("status", status_of(row.get(9)?).word().into()),
        ("startDate", date(row, 10)?),
        ("stopDate", date(row, 11)?),
        ("redriveCount", number(row, 12)?),
        ("redriveDate", date(row, 13)?),
        ("input", (*start.input_text()).into()),
        ("output", text(row, 14)?),
        ("error", text(row, 15)?),
        ("cause", text(row, 16)?),
        ("held", text(row, 17)?),
        ("traceHeader", optional(about.trace_header)),
        ("mockTestCase", optional(about.mock_test_case)),
    ]))
}

/// The fields that are there.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let there = fields.into_iter().filter(|(_, value)| !value.is_null());
    let fields = there.map(|(name, value)| (name.to_owned(), value));
    Value::Object(fields.collect::<Map<_, _>>())
}

fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<Value> {
    Ok(row.get::<_, Option<String>>(column)?.into())
}

fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<Value> {
    Ok(row.get::<_, Option<i64>>(column)?.into())
}

/// Milliseconds, as RFC 3339 has them.
fn date(row: &Row<'_>, column: usize) -> rusqlite::Result<Value> {
    let milliseconds: Option<i64> = row.get(column)?;
    let date = milliseconds.map(|date| Timestamp::from_milliseconds(date).to_rfc3339());
    Ok(date.into())
}

/// The sealed events of an execution.
fn sealed(connection: &Connection, row: RowId) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare_cached(SEALED_PIECES)?;
    let mut rows = statement.query(params![row])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        let piece = unpacked(row.get_ref(0)?.as_blob()?)?;
        let piece = String::from_utf8(piece)
            .map_err(|error| crate::database::row::unreadable(error.into()))?;
        events.extend(piece.lines().map(str::to_owned));
    }
    Ok(events)
}

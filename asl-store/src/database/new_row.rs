//! The start of an execution, as its row keeps it.
use crate::database::earlier_run::EarlierRun;
use crate::database::row::RowId;
use crate::database::statement::run;
use asl_backend::DefinitionId;
use rusqlite::{Connection, params};
use std::sync::Arc;

/// A new row.
#[derive(Debug)]
pub(crate) struct NewRow {
    pub(crate) id: RowId,
    pub(crate) arn: Arc<str>,
    pub(crate) name: String,
    pub(crate) machine: String,
    pub(crate) version: Option<Arc<str>>,
    pub(crate) alias: Option<Arc<str>>,
    pub(crate) map_run: Option<Arc<str>>,
    pub(crate) item_count: Option<i64>,
    pub(crate) definition: DefinitionId,
    pub(crate) started: i64,
    pub(crate) parent: Option<(RowId, u64)>,
    /// No record of it is before this one.
    pub(crate) first: i64,
    pub(crate) start: Vec<u8>,
    pub(crate) about: Vec<u8>,
    /// The run in whose place this one is.
    pub(crate) earlier: Option<EarlierRun>,
}

impl NewRow {
    /// Inserts the row, in the place of an earlier run.
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let earlier = self.earlier.as_ref();
        let beginnings = earlier.map(|earlier| earlier.delete_earlier(connection, self.id));
        let beginnings = beginnings.transpose()?;
        let sql = "INSERT INTO executions(id, arn, name, machine, version, alias, map_run, item_count, definition, started,
            parent, parent_effect, start, about, first) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
        let (parent, effect) = self.parent.unzip();
        let values = params![
            self.id,
            self.arn,
            self.name,
            self.machine,
            self.version,
            self.alias,
            self.map_run,
            self.item_count,
            self.definition.0,
            self.started,
            parent,
            effect.map(|id| id as i64),
            self.start,
            self.about,
            self.first,
        ];
        run(connection, sql, values)?;
        beginnings.map_or(Ok(()), |known| {
            known.transfer(connection, self.id, self.started)
        })
    }
}

//! Definitions that are kept, and the programs made of them.
use crate::database::row::unreadable;
use asl_backend::{Definition, DefinitionId};
use asl_engine::Program;
use rusqlite::{Connection, OptionalExtension as _, Row};
use std::collections::HashMap;

/// Programs kept ready at a time.
const MOST_PROGRAMS: usize = 1_024;

/// A definition as it is kept.
pub(crate) fn read(
    connection: &Connection,
    id: DefinitionId,
) -> rusqlite::Result<Option<Definition>> {
    let sql = "SELECT text, profile, type FROM definitions WHERE hash = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row([id.0], definition).optional()
}

fn definition(row: &Row<'_>) -> rusqlite::Result<Definition> {
    let (profile, kind): (String, String) = (row.get(1)?, row.get(2)?);
    Ok(Definition::from_words(row.get(0)?, &profile, &kind))
}

/// Deletes a definition.
pub(crate) fn forget(connection: &Connection, id: DefinitionId) -> rusqlite::Result<()> {
    let sql = "DELETE FROM definitions WHERE hash = ?1";
    connection.prepare_cached(sql)?.execute([id.0]).map(drop)
}

/// Gives each definition that an execution has.
pub(crate) fn used(
    connection: &Connection,
    mut give: impl FnMut(DefinitionId),
) -> rusqlite::Result<()> {
    let sql = "SELECT DISTINCT definition FROM executions";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        give(DefinitionId(row.get(0)?));
    }
    Ok(())
}

/// Programs by their definitions, those ready that were used lately.
#[derive(Debug, Default)]
pub(crate) struct Programs(HashMap<DefinitionId, Program>);

impl Programs {
    /// The program of a definition that is kept.
    pub(crate) fn get(
        &mut self,
        connection: &Connection,
        id: DefinitionId,
    ) -> rusqlite::Result<Program> {
        if let Some(program) = self.0.get(&id) {
            return Ok(program.clone());
        }
        let definition = read(connection, id)?;
        let definition = definition.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        let program = definition
            .compile()
            .map_err(|error| unreadable(error.to_string().into()))?;
        if self.0.len() >= MOST_PROGRAMS {
            // Whichever: those in use have a handle of their own.
            self.0.clear();
        }
        self.0.insert(id, program.clone());
        Ok(program)
    }
}

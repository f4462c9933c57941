//! Definitions that are kept, and the programs made of them.
use crate::row::unreadable;
use asl_engine::model::{Options, Profile, ResourceNames, StateMachineType};
use asl_engine::{DefinitionError, Program};
use asl_host::engine::{Definition, DefinitionId};
use rusqlite::{Connection, OptionalExtension as _, Row};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;

/// Programs kept ready at a time.
const MOST_PROGRAMS: usize = 1_024;

/// The id of a definition: a hash of its text and of what decides how it runs.
pub(crate) fn id_of(definition: &Definition) -> DefinitionId {
    let mut hash = Sha256::new();
    for part in [
        profile_word(definition.profile),
        type_word(definition.state_machine_type),
        &definition.text,
    ] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    DefinitionId(hash.finalize().into())
}

/// The id in hexadecimal digits.
pub(crate) fn digits(id: DefinitionId) -> String {
    id.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn profile_word(profile: Profile) -> &'static str {
    match profile {
        Profile::Aws => "aws",
        Profile::Spec => "spec",
    }
}

pub(crate) fn type_word(kind: StateMachineType) -> &'static str {
    match kind {
        StateMachineType::Standard => "STANDARD",
        StateMachineType::Express => "EXPRESS",
    }
}

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
    Ok(Definition {
        text: row.get(0)?,
        profile: match &*profile {
            "spec" => Profile::Spec,
            _ => Profile::Aws,
        },
        state_machine_type: match &*kind {
            "EXPRESS" => StateMachineType::Express,
            _ => StateMachineType::Standard,
        },
    })
}

/// The program of a definition.
pub(crate) fn compile(definition: &Definition) -> Result<Program, DefinitionError> {
    let options = Options {
        profile: definition.profile,
        state_machine_type: definition.state_machine_type,
        // Whoever embeds the engine may call tasks what they like; an API asks for more.
        resources: ResourceNames::Any,
        ..Options::default()
    };
    Program::parse_with(&definition.text, options)
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
        let program = compile(&definition).map_err(|error| unreadable(error.to_string().into()))?;
        if self.0.len() >= MOST_PROGRAMS {
            // Whichever: those in use have a handle of their own.
            self.0.clear();
        }
        self.0.insert(id, program.clone());
        Ok(program)
    }
}

//! Giving back what a store does not need any more.
use crate::database::connection::{Place, log_of};
use crate::database::sealed_history::{HistoryCounts, count_histories};
use crate::database::{changes, definitions, dump, retention, schema};
use crate::error::OpenFault;
use crate::lock::{FolderLock, check_file_system};
use crate::maintenance::reader;
use crate::{OpenError, Options, clock};
use asl_engine::Timestamp;
use rusqlite::Connection;
use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The result of a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactionReport {
    /// Bytes of the store's files before.
    pub bytes_before: u64,
    /// Size in bytes after the compaction.
    pub bytes_after: u64,
    /// Number of deleted executions, including those of Map Runs.
    pub retired: u64,
    /// Definitions that were.
    pub definitions: u64,
    /// Storage of the remaining histories. Compaction packs none: the next server does.
    pub histories: HistoryCounts,
}

/// Deletes executions that ended before `retention`, and definitions that no execution and no catalogue entry uses (entries
/// contain their hexadecimal digits in JSON), and returns free space to the disk. No process may use the store. If the
/// compaction is interrupted, or the disk is full, no other data is lost.
///
/// # Errors
///
/// The store does not exist, is in use by a process, or cannot be written: the compaction temporarily needs as much space as
/// the store.
pub fn compact(
    folder: impl AsRef<Path>,
    retention: Duration,
) -> Result<CompactionReport, OpenError> {
    Ok(compact_folder(folder.as_ref(), retention)?)
}

fn compact_folder(folder: &Path, retention: Duration) -> Result<CompactionReport, OpenFault> {
    let database = reader::database(folder)?;
    check_file_system(folder)?;
    let _lock = FolderLock::take(folder)?;
    let bytes_before = bytes(&database);
    let mut connection = Place::File(database.clone()).writing(&Options::default())?;
    schema::migrate(&mut connection)?;
    let now = Timestamp::try_from(SystemTime::now()).unwrap_or_default();
    let retention = i64::try_from(retention.as_millis()).unwrap_or(i64::MAX);
    let before = clock::milliseconds(now, false).saturating_sub(retention);
    let mut retired = 0;
    loop {
        let transaction = connection.transaction()?;
        let count = retention::retire(&transaction, before)?;
        let changes = changes::delete(&transaction, before)?;
        transaction.commit()?;
        if count + changes == 0 {
            break;
        }
        retired += count;
    }
    let definitions = forget_definitions(&mut connection)?;
    let histories = count_histories(&connection)?;
    schema::shrink(&connection)?;
    drop(connection);
    Ok(CompactionReport {
        bytes_before,
        bytes_after: bytes(&database),
        retired,
        definitions,
        histories,
    })
}

/// Deletes unused definitions, and returns their number.
fn forget_definitions(connection: &mut Connection) -> rusqlite::Result<u64> {
    let transaction = connection.transaction()?;
    let named = referenced_definitions(&transaction)?;
    let mut count = 0;
    for id in dump::definition_ids(&transaction)? {
        if !named.contains(&id.0) {
            definitions::forget(&transaction, id)?;
            count += 1;
        }
    }
    transaction.commit()?;
    Ok(count)
}

type Id = [u8; 32];

/// Returns the definitions of executions, and those that entries name.
fn referenced_definitions(connection: &Connection) -> rusqlite::Result<HashSet<Id>> {
    let mut named = HashSet::new();
    definitions::used(connection, |id| {
        named.insert(id.0);
    })?;
    dump::entries(connection, |entry| {
        named.extend(ids_within(&entry.value));
        Ok::<_, rusqlite::Error>(())
    })?;
    Ok(named)
}

/// The ids that a text has in hexadecimal digits.
fn ids_within(text: &str) -> impl Iterator<Item = Id> {
    let runs = text.split(|character: char| !character.is_ascii_hexdigit());
    runs.filter_map(|run| {
        let (pairs, rest) = run.as_bytes().as_chunks::<2>();
        let pairs: &[[u8; 2]; 32] = pairs.try_into().ok()?;
        let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
        let id = pairs.map(|[high, low]| digit(high) << 4 | digit(low));
        rest.is_empty().then_some(id)
    })
}

/// Bytes of the database and its log.
fn bytes(database: &Path) -> u64 {
    let files = [database.to_owned(), log_of(database)];
    let lengths = files.iter().filter_map(|file| std::fs::metadata(file).ok());
    lengths.map(|data| data.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_backend::DefinitionId;

    #[test]
    fn ids_are_found_where_they_are_whole() {
        let (one, other) = ([0xa1; 32], [0x07; 32]);
        let (first, second) = (DefinitionId(one).digits(), DefinitionId(other).digits());
        let entry =
            format!(r#"{{"current":{{"definition":"{first}"}},"versions":["x:{second}"]}}"#);
        assert_eq!(ids_within(&entry).collect::<Vec<_>>(), [one, other]);
        for text in ["", &first[1..], &format!("{first}0"), "abc"] {
            assert_eq!(ids_within(text).count(), 0, "{text}");
        }
    }
}

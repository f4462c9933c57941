//! Giving back what a store does not need any more.
use crate::connection::Place;
use crate::lock::{FolderLock, check_file_system};
use crate::{OpenError, Options, clock, reader, retention, schema};
use asl_engine::Timestamp;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What was given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compacted {
    /// Bytes of the store's files before.
    pub bytes_before: u64,
    /// And after.
    pub bytes_after: u64,
    /// Executions that were let go, those of Map Runs too.
    pub retired: u64,
}

/// Lets go of executions that ended longer ago than `retention`, and gives the disk what they and others left free. No
/// process may have the store. Where it is interrupted, or the disk full, nothing but what was let go is lost.
///
/// # Errors
/// Where there is no store, a process has it, or it cannot be written: it takes as much room as the store for a while.
pub fn compact(folder: impl AsRef<Path>, retention: Duration) -> Result<Compacted, OpenError> {
    let folder = folder.as_ref();
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
        transaction.commit()?;
        if count == 0 {
            break;
        }
        retired += count;
    }
    connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")?;
    drop(connection);
    Ok(Compacted {
        bytes_before,
        bytes_after: bytes(&database),
        retired,
    })
}

/// Bytes of the database and its log.
fn bytes(database: &Path) -> u64 {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    let files = [database.to_owned(), PathBuf::from(log)];
    let lengths = files.iter().filter_map(|file| std::fs::metadata(file).ok());
    lengths.map(|data| data.len()).sum()
}

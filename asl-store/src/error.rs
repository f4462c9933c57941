//! Errors when a store is opened.
use asl_backend::BackendError;
use std::io;
use std::path::PathBuf;

/// The reason why a store does not open.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process uses the store.
    #[error("the store {folder} is in use by process {holder}: stop that process, or use another folder", folder = folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// The process, if known.
        holder: String,
    },
    /// The folder is on a file system that is shared between machines, where locks and syncs cannot be trusted.
    #[error("the store {folder} is on a network file system ({kind}), which is not safe: use a folder on a local disk", folder = folder.display())]
    NetworkFileSystem {
        /// The folder.
        folder: PathBuf,
        /// The kind of file system.
        kind: String,
    },
    /// A later version wrote it.
    #[error(
        "the store was written by a later version (schema {found}; this version reads schemas up to {known}): use that version"
    )]
    LaterSchema {
        /// Schema version of the file.
        found: i64,
        /// The latest that is known here.
        known: i64,
    },
    /// The file is no store.
    #[error("{file} is not a store of this program", file = file.display())]
    NoStore {
        /// The file.
        file: PathBuf,
    },
    /// The log of the database is damaged at its beginning, where the tables are.
    #[error(
        "the log {log} is damaged: up to {lost} batches of acknowledged changes follow the damage, and the database is empty without the log; make a copy of the folder",
        log = log.display()
    )]
    DamagedLog {
        /// The file of the log.
        log: PathBuf,
        /// The number of batches that may be lost, at most.
        lost: u64,
    },
    /// The folder has no store.
    #[error("no store in {folder}: expected {folder}/asl.db", folder = folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
    },
    /// A file of the store, or its folder, is only to be read.
    #[error("{path} cannot be written ({why}): use a folder that this user can write to", path = path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A folder or a file cannot be read or written.
    #[error("{what}: {source}")]
    Io {
        /// The failed operation.
        what: String,
        /// The reason.
        source: io::Error,
    },
    /// SQLite reports an error. Its type is not part of this crate's interface.
    #[error("the database cannot be used: {0}")]
    Database(Box<dyn std::error::Error + Send + Sync>),
    /// The calling thread has no tokio runtime, which performs the tasks of executions.
    #[error(
        "a store needs a tokio runtime: open it in an async function, or between Runtime::enter and the end of its guard"
    )]
    NoRuntime,
    /// The operating system gave no randomness for the key of task tokens.
    #[error("no random numbers are available for the key of the task tokens: {0}")]
    NoRandomness(String),
}

/// An [`OpenError`] whose errors of SQLite still have their type.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenFault {
    /// An error of SQLite.
    #[error("the database cannot be used: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// Any other.
    #[error(transparent)]
    Other(#[from] OpenError),
}

impl From<OpenFault> for OpenError {
    fn from(fault: OpenFault) -> Self {
        match fault {
            OpenFault::Sqlite(error) => Self::Database(Box::new(error)),
            OpenFault::Other(error) => error,
        }
    }
}

/// Converts an error of SQLite to that of a request.
pub(crate) fn broken(error: &rusqlite::Error) -> BackendError {
    use rusqlite::Error;
    BackendError::Broken(match error {
        Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..) => {
            format!(
                "a row of the database cannot be read ({error}): run a check of the store to locate it"
            )
        }
        other => format!("database error: {other}"),
    })
}

/// Returns true if there is no room, rather than something wrong: the same may succeed later.
pub(crate) fn is_lack_of_room(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode;
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::OutOfMemory
        )
    )
}

/// Returns true if the database is damaged, or the file is no database.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode;
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

//! Reads a store while another process may use it.
mod check;
mod export;

pub use check::{CheckReport, Finding};
pub use export::ExportReport;

use crate::database::connection::{Place, log_of};
use crate::database::damaged_log::DamagedLog;
use crate::database::schema;
use crate::database::sealed_history::HistoryCounts;
use crate::error::OpenFault;
use crate::lock::{FolderLock, check_file_system};
use crate::maintenance::backup;
use crate::{OpenError, Options};
use rusqlite::{Connection, Transaction};
use std::io;
use std::path::{Path, PathBuf};

/// The store of a folder, to be looked at, written out or copied, also while a process has it open and writes.
///
/// Each of these sees the store as it is at one moment, and changes nothing of it; the process that has it continues meanwhile.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("asl-store-reader-{}", std::process::id()));
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # let _entered = runtime.enter();
/// use asl_store::{Options, Store, StoreReader};
///
/// let store = Store::open(&folder, Options::default())?;
/// let checked = StoreReader::open(&folder)?.check(|finding| println!("{finding:?}"))?;
/// assert_eq!(checked.faults, 0);
/// # drop(store);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StoreReader {
    connection: Connection,
    database: PathBuf,
}

impl StoreReader {
    /// Opens the store in a folder for reading.
    ///
    /// # Errors
    ///
    /// The store does not exist, is from a later version, or cannot be read.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, OpenError> {
        Ok(Self::open_folder(folder.as_ref())?)
    }

    fn open_folder(folder: &Path) -> Result<Self, OpenFault> {
        let database = database(folder)?;
        let place = Place::File(database.clone());
        check_file_system(folder)?;
        let mut connection = place.reading()?;
        let mut is_earlier = schema::is_earlier(&connection);
        if is_earlier.as_ref().is_err_and(cannot_be_opened)
            && let Some(frozen) = place.reading_frozen()
        {
            connection = frozen?;
            is_earlier = schema::is_earlier(&connection);
        }
        let is_earlier = is_earlier.map_err(|error| with_log(error, &database))?;
        if is_earlier {
            // Nobody has it open who would have done so.
            drop(connection);
            let _lock = FolderLock::take(folder)?;
            schema::migrate(&mut place.writing(&Options::default())?)?;
            connection = place.reading()?;
        }
        Ok(Self {
            connection,
            database,
        })
    }

    /// Copies the current state of the store to a new file, including the key of the task tokens. The file appears when it
    /// is complete. Returns the states of the histories; the copy packs none.
    ///
    /// # Errors
    ///
    /// The file exists or cannot be written, or the store cannot be read.
    pub fn back_up(&self, file: impl AsRef<Path>) -> Result<HistoryCounts, OpenError> {
        Ok(backup::into_new_file(&self.connection, file.as_ref())?)
    }

    /// Returns the store at one moment.
    fn at_one_moment(&self) -> rusqlite::Result<Transaction<'_>> {
        self.connection.unchecked_transaction()
    }
}

/// Explains a database that is empty because its log is damaged.
fn with_log(error: OpenFault, database: &Path) -> OpenFault {
    match (&error, DamagedLog::find(database)) {
        (OpenFault::Other(OpenError::NoStore { .. }), Ok(Some(DamagedLog { lost }))) => {
            let log = log_of(database);
            OpenError::DamagedLog { log, lost }.into()
        }
        _ => error,
    }
}

/// Returns true if there is a database, next to which nothing can be made that its readers share.
fn cannot_be_opened(error: &OpenFault) -> bool {
    use rusqlite::ErrorCode;
    let OpenFault::Sqlite(error) = error else {
        return false;
    };
    // The one of the file system, the other of the user.
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Returns the database of a folder where a store is.
pub(crate) fn database(folder: &Path) -> Result<PathBuf, OpenError> {
    let path = folder.join(crate::database::connection::DATABASE);
    match std::fs::metadata(&path) {
        Ok(data) if data.is_file() => Ok(path),
        Ok(_) => Err(OpenError::NoStore { file: path }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(OpenError::Missing {
            folder: folder.to_owned(),
        }),
        Err(source) => Err(OpenError::Io {
            what: format!("{} cannot be read", path.display()),
            source,
        }),
    }
}

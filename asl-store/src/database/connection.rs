//! Connections to the database.
use crate::error::OpenFault;
use crate::{Durability, OpenError, Options};
use rusqlite::{Connection, MAIN_DB, OpenFlags};
use std::path::{Path, PathBuf};

/// The time that a connection waits for a lock of another one.
pub(crate) const BUSY_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);

/// Bytes of a page.
const PAGE: u64 = 8_192;

/// The file of a store in its folder.
pub(crate) const DATABASE: &str = "asl.db";

/// Returns the write-ahead log of a database file.
pub(crate) fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// Location of the database.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// A file.
    File(PathBuf),
    /// Memory, shared by the connections of this process under a name.
    Memory(String),
}

impl Place {
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self::File(folder.join(DATABASE))
    }

    fn open(&self, flags: OpenFlags) -> rusqlite::Result<Connection> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        match self {
            Self::File(path) => Connection::open_with_flags(path, flags),
            Self::Memory(name) => {
                let uri = format!("file:{name}?mode=memory&cache=shared");
                Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_SHARED_CACHE)
            }
        }
    }

    /// Returns true if who reads sees what a transaction has written before all of it is.
    pub(crate) fn shows_what_is_half_written(&self) -> bool {
        matches!(self, Self::Memory(_))
    }

    /// Returns the one connection that writes.
    pub(crate) fn writing(&self, options: &Options) -> Result<Connection, OpenFault> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let connection = self.open(flags)?;
        if let Self::File(path) = self
            && connection.is_readonly(MAIN_DB)?
        {
            let (path, why) = (path.clone(), "it is open for reading only".to_owned());
            return Err(OpenError::ReadOnly { path, why }.into());
        }
        let synchronous = match options.durability {
            Durability::Full => "FULL",
            Durability::Fast => "NORMAL",
        };
        // A page of this size is between what single commits and what bulk writing want.
        connection.pragma_update(None, "page_size", PAGE as i64)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", synchronous)?;
        if let Some(bytes) = options.max_bytes {
            let pages = i64::try_from(bytes / PAGE).unwrap_or(i64::MAX).max(1);
            connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?;
        }
        // A checkpoint within a commit would hold up whoever waits for it.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(connection)
    }

    /// Returns the connection that copies the log into the database.
    pub(crate) fn copying(&self) -> rusqlite::Result<Connection> {
        self.open(OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    /// Returns a connection to a read-only file, without locks against other readers, because no file can be created next to
    /// it. None if there is a log, which would be ignored.
    pub(crate) fn reading_frozen(&self) -> Option<rusqlite::Result<Connection>> {
        let Self::File(path) = self else {
            return None;
        };
        if std::fs::metadata(log_of(path)).is_ok_and(|log| log.len() > 0) {
            return None;
        }
        let mut uri = "file:".to_owned();
        for character in path.to_str()?.chars() {
            match character {
                '%' => uri.push_str("%25"),
                '?' => uri.push_str("%3f"),
                '#' => uri.push_str("%23"),
                other => uri.push(other),
            }
        }
        uri.push_str("?immutable=1");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let flags = flags | OpenFlags::SQLITE_OPEN_URI;
        Some(Connection::open_with_flags(uri, flags))
    }

    /// Returns a connection that only reads.
    pub(crate) fn reading(&self) -> rusqlite::Result<Connection> {
        let connection = match self {
            Self::File(_) => self.open(OpenFlags::SQLITE_OPEN_READ_ONLY)?,
            Self::Memory(_) => {
                let connection = self.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
                // Connections that share a cache lock tables against each other.
                connection.pragma_update(None, "read_uncommitted", true)?;
                connection
            }
        };
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(connection)
    }
}

//! Copies of a store, by SQLite's own way of making them.
use crate::OpenError;
use crate::database::sealed_history::{HistoryCounts, count_histories};
use crate::error::OpenFault;
use rusqlite::Connection;
use rusqlite::backup::Backup;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Copies all pages at once, so that the copy is consistent, and readers block no writer. In parts, the copy would restart
/// after each write.
const ALL_PAGES: i32 = i32::MAX;
/// Before it is tried again where the database is busy.
const PAUSE: Duration = Duration::from_millis(10);

/// Copies a database into a file that is not there yet, under another name until it is whole and on the disk.
pub(crate) fn into_new_file(from: &Connection, file: &Path) -> Result<HistoryCounts, OpenFault> {
    let cannot = |source| OpenError::Io {
        what: format!("{} cannot be written", file.display()),
        source,
    };
    if file.try_exists().map_err(cannot)? {
        return Err(cannot(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "it already exists: choose another name",
        ))
        .into());
    }
    let part = partial(file);
    new_file(&part).map_err(cannot)?;
    let copied = copy(from, &part).and_then(|histories| {
        finish(&part, file).map_err(cannot)?;
        Ok(histories)
    });
    if copied.is_err() {
        // What is left of it is of no use; why it failed is told.
        let _ = std::fs::remove_file(&part);
    }
    copied
}

fn copy(from: &Connection, part: &Path) -> Result<HistoryCounts, OpenFault> {
    let mut to = Connection::open(part)?;
    Backup::new(from, &mut to)?.run_to_completion(ALL_PAGES, PAUSE, None)?;
    Ok(count_histories(&to)?)
}

/// Gives it its name, once it is on the disk.
fn finish(part: &Path, file: &Path) -> io::Result<()> {
    File::open(part)?.sync_all()?;
    std::fs::rename(part, file)?;
    let folder = file.parent().filter(|path| !path.as_os_str().is_empty());
    // Where folders cannot be synced, they need not be.
    let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    Ok(())
}

fn partial(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Creates a file that only its owner can read: the key of the task tokens will be in it.
fn new_file(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

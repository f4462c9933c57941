//! Detection of changed files.
//!
//! Files are requested their times: they are few, and it works on every file system, without a library for each system.
use std::path::Path;
use std::time::{Duration, SystemTime};

/// From one look at the files to the next.
pub(crate) const PERIOD: Duration = Duration::from_millis(300);

/// So many looks at known files come before one at folders, for new ones.
pub(crate) const LOOKS: u32 = 5;

/// Modification time and length of a file; None if it does not exist.
pub(crate) type Stamp = Option<(SystemTime, u64)>;

/// Returns the stamp of a file.
pub(crate) fn stamp(path: &Path) -> Stamp {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

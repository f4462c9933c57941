//! Whether files have changed.
//!
//! Files are asked for their times: they are few, and it works on every file system, without a library for each system.
use std::path::Path;
use std::time::{Duration, SystemTime};

/// From one look at the files to the next.
pub(crate) const PERIOD: Duration = Duration::from_millis(300);

/// So many looks at known files come before one at folders, for new ones.
pub(crate) const LOOKS: u32 = 5;

/// When a file was written, and how long it is; none where there is no file.
pub(crate) type Stamp = Option<(SystemTime, u64)>;

/// The stamp of a file.
pub(crate) fn stamp(path: &Path) -> Stamp {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

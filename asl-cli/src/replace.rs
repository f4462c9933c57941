//! A file with another text, from one moment to the next.
use crate::exit::Failure;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Replaces the content of a file atomically: readers see the old or the new one, and its permissions are unchanged.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let fault =
        |error: io::Error| Failure::new(format!("cannot write {}: {error}", path.display()));
    // What a link names is replaced, not the link.
    let path = fs::canonicalize(path).map_err(fault)?;
    let metadata = fs::metadata(&path).map_err(fault)?;
    if metadata.permissions().readonly() {
        return Err(fault(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is read-only",
        )));
    }
    let beside = free_name_next_to(&path);
    let written = write(&beside, text, &metadata).and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // It may not be there.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(fault)
}

/// Returns a free name in the same folder.
fn free_name_next_to(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.asl", std::process::id()))
}

fn write(path: &Path, text: &str, like: &Metadata) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.set_permissions(like.permissions())?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

//! `asl store backup`.
use super::{failure, open};
use crate::arguments::StoreBackupArguments;
use crate::exit::{Exit, Failure};
use crate::terminal;
use std::path::{Path, PathBuf};

/// Copies a store, also while a server has it.
pub(super) fn backup(arguments: &StoreBackupArguments) -> Result<Exit, Failure> {
    let reader = open(&arguments.store)?;
    let file = file(&arguments.to)?;
    let histories = reader.back_up(&file).map_err(failure)?;
    let bytes = std::fs::metadata(&file).map_or(0, |data| data.len());
    terminal::error_line(&format!(
        "{bytes} bytes in {}, including the key of the task tokens: store it like a secret",
        file.display()
    ));
    terminal::error_line(&super::histories(histories));
    Ok(Exit::Success)
}

/// Returns the file of the copy: in a folder, what a store's is called.
fn file(to: &Path) -> Result<PathBuf, Failure> {
    let is_folder = to.is_dir() || to.as_os_str().to_string_lossy().ends_with('/');
    if !is_folder {
        return Ok(to.to_owned());
    }
    std::fs::create_dir_all(to).map_err(|error| {
        Failure::new(format!(
            "cannot create the folder {}: {error}",
            to.display()
        ))
    })?;
    Ok(to.join("asl.db"))
}

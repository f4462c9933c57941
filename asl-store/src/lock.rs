//! One process at a time.
use crate::OpenError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

/// A folder that no other process has; let go with the process, however that ends.
#[derive(Debug)]
pub(crate) struct FolderLock(#[expect(dead_code, reason = "it is held, not read")] File);

impl FolderLock {
    /// Takes the folder, and says in it which process has it.
    pub(crate) fn take(folder: &Path) -> Result<Self, OpenError> {
        let path = folder.join("lock");
        let io = |source| OpenError::Io {
            what: format!("{} cannot be locked", path.display()),
            source,
        };
        let options = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .clone();
        let mut file = options.open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Whoever has it may not have said so yet.
                let _ = file.read_to_string(&mut holder);
                let folder = folder.to_owned();
                let holder = holder.trim().to_owned();
                return Err(OpenError::InUse { folder, holder });
            }
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(io)?;
        writeln!(file, "{}", std::process::id()).map_err(io)?;
        Ok(Self(file))
    }
}

//! One process at a time.
use crate::OpenError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

/// File systems that are shared between machines, by the numbers that the kernel gives them.
#[cfg(target_os = "linux")]
const SHARED: [(u64, &str); 7] = [
    (0x6969, "nfs"),
    (0x517b, "smb"),
    (0xff53_4d42, "cifs"),
    (0xfe53_4d42, "smb2"),
    (0x0102_1997, "9p"),
    (0x5346_414f, "afs"),
    (0x0bd0_0bd0, "lustre"),
];

/// Refuses a folder that is shared between machines: its locks and syncs promise nothing.
pub(crate) fn check_file_system(folder: &Path) -> Result<(), OpenError> {
    #[cfg(target_os = "linux")]
    {
        let found = rustix::fs::statfs(folder).map_err(|error| OpenError::Io {
            what: format!("the file system of {} cannot be told", folder.display()),
            source: error.into(),
        })?;
        // The kernel's numbers have 32 bits, whatever the type.
        let kind = found.f_type as u64 & 0xffff_ffff;
        if let Some((_, kind)) = SHARED.iter().find(|(number, _)| *number == kind) {
            return Err(OpenError::NetworkFileSystem {
                folder: folder.to_owned(),
                kind: (*kind).to_owned(),
            });
        }
    }
    let _ = folder;
    Ok(())
}

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

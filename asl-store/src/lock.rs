//! One process at a time.
use crate::OpenError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, Write as _};
use std::path::Path;

/// File systems that are shared between machines, by the numbers that the kernel gives them.
#[cfg(target_os = "linux")]
const SHARED: [(u64, &str); 11] = [
    (0x6969, "nfs"),
    (0x517b, "smb"),
    (0xff53_4d42, "cifs"),
    (0xfe53_4d42, "smb2"),
    (0x0102_1997, "9p"),
    (0x5346_414f, "afs"),
    (0x0bd0_0bd0, "lustre"),
    (0x00c3_6400, "ceph"),
    (0x7375_7245, "coda"),
    (0x4750_4653, "gpfs"),
    (0x1983_0326, "beegfs"),
];

/// Refuses a folder that is shared between machines: its locks and syncs promise nothing.
pub(crate) fn check_file_system(folder: &Path) -> Result<(), OpenError> {
    #[cfg(target_os = "linux")]
    {
        let found = rustix::fs::statfs(folder).map_err(|error| OpenError::Io {
            what: format!("cannot determine the file system of {}", folder.display()),
            source: error.into(),
        })?;
        check_kind(folder, found.f_type as u64)?;
    }
    let _ = folder;
    Ok(())
}

/// Refuses the kinds that are shared.
#[cfg(target_os = "linux")]
fn check_kind(folder: &Path, number: u64) -> Result<(), OpenError> {
    // The kernel's numbers have 32 bits, whatever the type.
    let number = number & 0xffff_ffff;
    match SHARED.iter().find(|(known, _)| *known == number) {
        None => Ok(()),
        Some((_, kind)) => Err(OpenError::NetworkFileSystem {
            folder: folder.to_owned(),
            kind: (*kind).to_owned(),
        }),
    }
}

/// An exclusive lock on a folder; it is released with the process, however that ends.
#[derive(Debug)]
pub(crate) struct FolderLock(#[expect(dead_code, reason = "it is locked, not read")] File);

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
        let mut file = options.open(&path).map_err(|source| match source.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => OpenError::ReadOnly {
                path: path.clone(),
                why: source.to_string(),
            },
            _ => io(source),
        })?;
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn file_systems_of_several_machines_are_refused_by_name() {
        let folder = Path::new("/data");
        // As it comes where numbers are signed.
        let (nfs, cifs) = (0x6969, -0x00ac_b2be_i32 as u64);
        for (number, kind) in [(nfs, "nfs"), (cifs, "cifs"), (0x0102_1997, "9p")] {
            let refused = check_kind(folder, number).unwrap_err().to_string();
            let told = format!(
                "/data is on a network file system ({kind}), which is not safe: use a folder on a local disk"
            );
            assert!(refused.contains(&told), "{refused}");
        }
        // ext4, tmpfs, xfs, btrfs, overlayfs.
        for number in [0xef53, 0x0102_1994, 0x5846_5342, 0x9123_683e, 0x794c_7630] {
            assert!(check_kind(folder, number).is_ok(), "{number:x}");
        }
    }
}
